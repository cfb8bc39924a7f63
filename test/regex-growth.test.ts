/**
 * Every regular expression of the source takes time linear in the text that it runs on: all literals, and those that
 * modules build when they are loaded. How they are tried is in regex-growth.ts.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FoundPattern, patternsOf, sourceFiles, src, worstPump } from './regex-growth.ts';

/** Files whose patterns see nothing but what the program itself has made. */
const OWN_INPUT = ['research/generated-sites/site-generator.ts'];
/** One pattern takes 1 s at most, on a busy machine 20 s. */
const HANG_MS = 60_000;
const TIMEOUT_MS = 600_000;

const files = sourceFiles().filter((name) => !OWN_INPUT.includes(name));
const found = [...files.flatMap(patternsOf), ...(await builtPatterns())];
/** Each pattern once: several files have the same. */
const distinct = [...new Map(found.map((one) => [`${one.use} ${one.pattern}`, one])).values()];

test('every folder with patterns is covered, and patterns that are built, too', () => {
  const folders = new Set(found.map(({ place }) => place.split('/')[0]));
  for (const folder of ['read', 'metadata', 'view', 'detect', 'run', 'fragments', 'explore', 'cli'])
    expect(folders).toContain(folder);
  expect(distinct.length).toBeGreaterThan(400);
  expect(found.filter(({ place }) => place.endsWith('built')).length).toBeGreaterThan(8);
});

test.each([
  [/charset\s*=\s*["']?\s*([^\s"';,]+)/i, true],
  [/^(.*) (-?\w+)$/, false],
  [/^(.*?) (?:1|-) (\d{4,}) (.*) (-?\w+)$/, true],
  [/(a|a)*b/, true],
  [/^(\w+\s?)*$/, true],
  [/\s+$/, true],
  [/^\s+/, false],
  [/^-+|-+$/g, true],
  [/^-+|(?<!-)-+$/g, false],
  [/[^;]*;/, true],
  [/^[^;]*;/, false],
])('%s is super-linear: %s', (pattern, isSlow) => {
  expect(worstPump({ place: '', pattern, use: 'exec' }) !== null).toBe(isSlow);
});

test('a pattern that never ends is found', { timeout: TIMEOUT_MS }, async () => {
  const never: FoundPattern = { place: 'a', pattern: /^(?:a?){80}a{80}$/, use: 'exec' };
  const linear: FoundPattern = { place: 'b', pattern: /^a+$/, use: 'exec' };
  expect(await tryAll([never, linear], 3000)).toEqual(['a /^(?:a?){80}a{80}$/: no end in 3 s']);
});

test('all patterns are linear', { timeout: TIMEOUT_MS }, async () => {
  expect(await tryAll(distinct, HANG_MS)).toEqual([]);
});

/** Tries patterns in a child process, which is replaced when a pattern does not end; returns the slow ones. */
async function tryAll(patterns: readonly FoundPattern[], hangMs: number): Promise<string[]> {
  const slow: string[] = [];
  for (let next = 0; next < patterns.length; ) {
    const child = fork(join(import.meta.dirname, 'regex-growth.ts'), {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
    });
    const hung = () => {
      slow.push(`${nameOf(patterns[next++])}: no end in ${hangMs / 1000} s`);
      child.kill('SIGKILL');
    };
    let timer = setTimeout(hung, HANG_MS);
    await new Promise((resolve) => {
      child.on('message', (worst: string | null) => {
        // the first message says that the child has started
        if (worst !== '') next++;
        if (worst) slow.push(`${nameOf(patterns[next - 1])}: ${worst}`);
        clearTimeout(timer);
        if (next < patterns.length) timer = setTimeout(hung, hangMs);
        else child.kill();
      });
      child.on('exit', resolve);
      child.send(patterns.slice(next));
    });
    clearTimeout(timer);
  }
  return slow;
}

function nameOf({ place, pattern }: FoundPattern): string {
  return `${place} ${pattern}`;
}

/** Patterns that modules build when they are loaded. */
async function builtPatterns(): Promise<FoundPattern[]> {
  const built: FoundPattern[] = [];
  const Native = RegExp;
  for (const name of files) {
    if (name.startsWith('cli/') || !readFileSync(join(src, name), 'utf8').includes('new RegExp(')) continue;
    globalThis.RegExp = class extends Native {
      constructor(pattern: string | RegExp, flags?: string) {
        super(pattern, flags);
        built.push({ place: `${name}: built`, pattern: new Native(pattern, flags), use: 'exec' });
      }
    } as RegExpConstructor;
    await import(join(src, name));
    globalThis.RegExp = Native;
  }
  return built;
}
