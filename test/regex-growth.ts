/**
 * Finds regular expressions whose time grows faster than the text they run on. All patterns of a source file are tried on
 * strings made from their own parts (regex-pumps.ts); quadratic ones take half a second or more for 32 kB, linear ones
 * well under a millisecond. A process of its own tries the patterns of regex-growth.test.ts, because an
 * exponential one never ends.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { type Pump, pumpString, pumpsOf } from './regex-pumps.ts';

/** A regular expression of the source. */
export interface FoundPattern {
  /** File and line. */
  place: string;
  pattern: RegExp;
  use: 'exec' | 'replace' | 'split';
}

const MAX_CHARACTERS = 32_768;
const MIN_MS = 50;
const MAX_GROWTH = 8;
/** Short texts first: an exponential one must not see long ones. */
const STEPS = [12, 16, 20, 24, 28, 64, 256, 2048];
/** Number of pumps that are tried with long texts: those that took longest for a short one. */
const TRIED = 5;

/** A string for which time grows faster than its length; null when none was found. */
export function worstPump(one: FoundPattern): string | null {
  const timed = new Map<string, { pump: Pump; ms: number }>();
  for (const pump of pumpsOf(one.pattern)) {
    let ms = 0;
    for (const size of STEPS) {
      const text = pumpString(pump, size);
      const started = performance.now();
      run(one, text);
      ms = performance.now() - started;
      if (ms > MIN_MS && leastMs(one, text) > MIN_MS) return describe(pump, size, ms);
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

/** The least CPU time of three runs, or of fewer when they are long. */
function leastMs(one: FoundPattern, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 3 && (count === 0 || least < 500); count++) {
    const before = process.cpuUsage();
    run(one, text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

function run({ pattern, use }: FoundPattern, text: string): void {
  pattern.lastIndex = 0;
  if (use === 'exec') pattern.exec(text);
  else if (use === 'split') text.split(pattern);
  else text.replace(pattern, '');
}

export const src = join(import.meta.dirname, '../src');

/** The source files without tests, as paths in `src`. */
export function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .sort();
}

/** The literal patterns of a source file. */
export function patternsOf(name: string): FoundPattern[] {
  const file = ts.createSourceFile(name, readFileSync(join(src, name), 'utf8'), ts.ScriptTarget.ES2023, true);
  const patterns: FoundPattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text)!;
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      patterns.push({
        place: `${name}:${line}`,
        pattern: new RegExp(source, flags),
        use: useOf(node, flags),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return patterns;
}

function useOf({ parent }: ts.Node, flags: string): FoundPattern['use'] {
  const isSplit =
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'split';
  return isSplit ? 'split' : flags.includes('g') ? 'replace' : 'exec';
}

// a child of regex-growth.test.ts says that it has started, and then what each pattern gave
if (process.argv[1] === import.meta.filename && process.send) {
  process.on('message', (patterns: FoundPattern[]) => {
    process.send!('');
    for (const one of patterns) process.send!(worstPump(one));
  });
}
