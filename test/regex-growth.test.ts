/**
 * Every regular expression that reads data of an archive takes time linear in its length. All literals of the
 * folders below are collected and run on strings made from their own parts (regex-pumps.ts); quadratic ones take
 * half a second or more for 32 kB, linear ones well under a millisecond.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { type Pump, pumpString, pumpsOf } from './regex-pumps.ts';

const src = join(import.meta.dirname, '../src');
const FOLDERS = ['read', 'parse', 'model'];

const MAX_CHARACTERS = 32_768;
const MIN_MS = 50;
const MAX_GROWTH = 8;
/** Short texts first: an exponential one must not see long ones. */
const STEPS = [12, 16, 20, 24, 28, 64, 256, 2048];
/** Number of pumps that are tried with long texts: those that took longest for a short one. */
const TRIED = 5;

interface Found {
  place: string;
  pattern: RegExp;
  use: 'exec' | 'replace' | 'split';
}

const found = FOLDERS.flatMap((folder) =>
  readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .flatMap((name) => patternsOf(`${folder}/${name}`)),
);

test('the folders have patterns, or the tests below would see nothing', () => {
  expect(found.length).toBeGreaterThan(60);
});

test.each([
  [/charset\s*=\s*["']?\s*([^\s"';,]+)/i, true],
  [/^(.*) (-?\w+)$/, false],
  [/^(.*?) (?:1|-) (\d{4,}) (.*) (-?\w+)$/, true],
  [/(a|a)*b/, true],
  [/^(\w+\s?)*$/, true],
  [/\s+$/, true],
  [/^\s+/, false],
  [/[^;]*;/, true],
  [/^[^;]*;/, false],
])('%s is super-linear: %s', (pattern, isSlow) => {
  expect(worstPump({ place: '', pattern, use: 'exec' }) !== null).toBe(isSlow);
});

test.each(found.map((one) => [`${one.place} ${one.pattern}`, one] as const))('%s is linear', (_, one) => {
  expect(worstPump(one)).toBeNull();
});

/** A string for which time grows faster than its length; null when none was found. */
function worstPump(one: Found): string | null {
  const timed = new Map<string, { pump: Pump; ms: number }>();
  for (const pump of pumpsOf(one.pattern)) {
    let ms = 0;
    for (const size of STEPS) {
      ms = cpuMs(one, pumpString(pump, size));
      if (ms > MIN_MS && leastMs(one, pumpString(pump, size)) > MIN_MS) return describe(pump, size, ms);
    }
    // one of those that only differ in how they end
    const key = pump.prefix + pump.part;
    if (ms > (timed.get(key)?.ms ?? -1)) timed.set(key, { pump, ms });
  }
  const slowest = [...timed.values()].sort((a, b) => b.ms - a.ms).slice(0, TRIED);
  for (const { pump } of slowest) {
    const long = leastMs(one, pumpString(pump, MAX_CHARACTERS));
    if (long <= MIN_MS) continue;
    if (long > MAX_GROWTH * leastMs(one, pumpString(pump, MAX_CHARACTERS / 4)))
      return describe(pump, MAX_CHARACTERS, long);
  }
  return null;
}

function describe(pump: Pump, size: number, ms: number): string {
  return `${Math.round(ms)} ms for ${size} characters of ${JSON.stringify(pump)}`;
}

/** The least of three runs, or of fewer when they are long. */
function leastMs(one: Found, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && (run === 0 || least < 500); run++) least = Math.min(least, cpuMs(one, text));
  return least;
}

function cpuMs({ pattern, use }: Found, text: string): number {
  pattern.lastIndex = 0;
  const before = process.cpuUsage();
  if (use === 'exec') pattern.exec(text);
  else if (use === 'split') text.split(pattern);
  else text.replace(pattern, '');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function patternsOf(name: string): Found[] {
  const file = ts.createSourceFile(name, readFileSync(join(src, name), 'utf8'), ts.ScriptTarget.ES2023, true);
  const patterns: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text)!;
      const { parent } = node;
      const isSplit =
        ts.isCallExpression(parent) &&
        ts.isPropertyAccessExpression(parent.expression) &&
        parent.expression.name.text === 'split';
      const use = isSplit ? 'split' : flags.includes('g') ? 'replace' : 'exec';
      patterns.push({ place: name, pattern: new RegExp(source, flags), use });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return patterns;
}
