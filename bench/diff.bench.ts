/**
 * Compares our token diff with rivals on the same sequences of tokens: pairs of pages of one site, and worst
 * cases.
 *
 *     npm ci --prefix bench
 *     npx tsx bench/diff.bench.ts [--pairs 20] [--rounds 5] [archives …]
 *
 * Without archives the pages are generated. Every contender gets the tokens (32-bit numbers, one per tag or
 * word) and marks those of the first page that the second has. Ours with subtrees (OccurrenceFinder, as the
 * cross detector uses it) also gets equal subtrees. Figures are milliseconds of CPU time per pair, the median
 * of the rounds after a warm-up, and the total of matched tokens. A longest common subsequence matches most;
 * ours anchors on unique tokens, which may match slightly fewer and gives more readable results.
 *
 * A contender that needs more than two seconds per round is measured once, without a warm-up, and jsdiff is
 * stopped after ten seconds, so the whole takes under two minutes.
 */
import { parseArgs } from 'node:util';
import { OccurrenceFinder } from '../src/analysis/page-diff.ts';
import {
  copyTokens,
  PageTokenReader,
  type PageTokens,
  type PlacedTokens,
} from '../src/analysis/page-tokens.ts';
import { TokenDiff } from '../src/analysis/token-diff.ts';
import { Parser } from '../src/parse/parser.ts';
import { generateSite } from '../src/research/generated-sites/site-generator.ts';
import { markdownTable, median } from './doc-part.ts';
import { count, figure, machine } from './performance-doc.ts';
import { sampleSites } from './site-sample.ts';

interface Pair {
  tokens: Int32Array;
  other: Int32Array;
  /** Tokens with their subtrees, for contenders that use them. */
  placed?: PlacedTokens;
  otherPage?: PageTokens;
}

/** Marks matching tokens with 1; returns false when it was stopped. */
type Match = (pair: Pair, matched: Uint8Array) => undefined | false;

/** Duration of a round, in milliseconds, after which there is no further round. */
const SLOW_ROUND_MS = 2000;
const GIVE_UP_MS = 10_000;

interface Contender {
  name: string;
  match: Match;
  needsSubtrees: boolean;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '20' }, rounds: { type: 'string', default: '5' } },
});
const rounds = Number(values.rounds);
const contenders = await findContenders();
console.log(`${machine()}\n`);
const sets = await readPairs();
for (const [name, pairs] of sets) measure(name, pairs);

function measure(name: string, pairs: Pair[]): void {
  const tokens = pairs.reduce((sum, pair) => sum + pair.tokens.length, 0);
  const rows = [];
  for (const { name: contender, match, needsSubtrees } of contenders) {
    if (needsSubtrees && !pairs[0].placed) continue;
    const times: number[] = [];
    let matchedTokens = 0;
    let givenUp = false;
    for (let round = 0; round <= rounds && !givenUp; round++) {
      matchedTokens = 0;
      const before = process.cpuUsage();
      for (const pair of pairs) {
        const matched = new Uint8Array(pair.tokens.length);
        givenUp = match(pair, matched) === false;
        if (givenUp) break;
        for (const one of matched) matchedTokens += one;
      }
      const { user, system } = process.cpuUsage(before);
      const spent = (user + system) / 1000;
      const slow = spent > SLOW_ROUND_MS;
      if (round > 0 || slow) times.push(spent / pairs.length);
      if (slow) break;
    }
    rows.push(
      givenUp
        ? [contender, `over ${count(GIVE_UP_MS)}`, '–']
        : [contender, figure(median(times)), `${((100 * matchedTokens) / tokens).toFixed(1)} %`],
    );
  }
  console.log(`${name}: ${pairs.length} pairs, ${count(Math.round(tokens / pairs.length))} tokens a page\n`);
  console.log(`${markdownTable(['', 'ms a pair', 'matched'], rows)}\n`);
}

async function readPairs(): Promise<[name: string, pairs: Pair[]][]> {
  const wanted = Number(values.pairs);
  const found: [string, Pair[]][] = [];
  if (positionals.length === 0) {
    const captures = generateSite({ seed: 1, host: 'generated.example', pages: wanted + 1, language: 'en' });
    found.push(['generated', pairsOf(Array.from(captures, ({ source }) => source))]);
  }
  for (const { site, pages } of positionals.length > 0 ? await sampleSites(positionals, wanted + 1) : []) {
    if (pages.length > 1) found.push([site, pairsOf(pages.map(({ source }) => source))]);
  }
  const different = (from: number, length: number) => Int32Array.from({ length }, (_, i) => from + i);
  const random = (seed: number, length: number) => {
    let state = seed;
    return Int32Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state >>> 20) % 200;
    });
  };
  found.push(
    ['every token different', [{ tokens: different(0, 5000), other: different(5000, 5000) }]],
    ['200 tokens at random', [{ tokens: random(1, 5000), other: random(2, 5000) }]],
    ['equal tokens, five more', [{ tokens: new Int32Array(100_000), other: new Int32Array(100_005) }]],
  );
  return found;
}

/** Pairs each page with the next one. */
function pairsOf(sources: Uint8Array[]): Pair[] {
  const parser = new Parser();
  const read = sources.map((source) => ({ ...new PageTokenReader().read(parser.parse(source)) }));
  return read.slice(1).map((other, i): Pair => {
    const otherPage = copyTokens(other);
    const { tokens } = copyTokens(read[i]);
    return { tokens, other: otherPage.tokens, placed: read[i], otherPage };
  });
}

async function findContenders(): Promise<Contender[]> {
  const diff = new TokenDiff();
  const finder = new OccurrenceFinder();
  const plain = (name: string, match: Match): Contender => ({ name, match, needsSubtrees: false });
  const list: Contender[] = [
    plain('ours, TokenDiff', ({ tokens, other }, matched) => {
      const partner = new Int32Array(tokens.length);
      diff.match(tokens, other, partner);
      for (let i = 0; i < partner.length; i++) matched[i] = partner[i] < 0 ? 0 : 1;
    }),
    {
      name: 'ours, with subtrees',
      needsSubtrees: true,
      match: ({ placed, otherPage }, matched) => void finder.find(placed!, otherPage!, matched),
    },
  ];
  const myers = await optional<FastMyersDiff>('fast-myers-diff');
  if (myers) {
    list.push(
      plain('fast-myers-diff', ({ tokens, other }, matched) => {
        matched.fill(1);
        for (const [from, to] of myers.diff(tokens, other)) matched.fill(0, from, to);
      }),
    );
  }
  const sequences = await optional<DiffSequences>('diff-sequences');
  if (sequences) {
    list.push(
      plain('diff-sequences', ({ tokens, other }, matched) => {
        sequences.default(
          tokens.length,
          other.length,
          (a, b) => tokens[a] === other[b],
          (length, a) => void matched.fill(1, a, a + length),
        );
      }),
    );
  }
  const jsdiff = await optional<JsDiff>('diff');
  if (jsdiff) {
    list.push(
      plain('jsdiff, diffArrays', ({ tokens, other }, matched) => {
        let at = 0;
        const changes = jsdiff.diffArrays([...tokens], [...other], { timeout: GIVE_UP_MS });
        if (!changes) return false;
        for (const { added, removed, count: length } of changes) {
          if (added) continue;
          if (!removed) matched.fill(1, at, at + length);
          at += length;
        }
      }),
    );
  }
  return list;
}

interface FastMyersDiff {
  diff(a: Int32Array, b: Int32Array): Iterable<[aFrom: number, aTo: number, bFrom: number, bTo: number]>;
}
interface DiffSequences {
  default(
    aLength: number,
    bLength: number,
    isCommon: (a: number, b: number) => boolean,
    foundSubsequence: (length: number, a: number, b: number) => void,
  ): void;
}
interface JsDiff {
  /** Returns undefined when the time limit was exceeded. */
  diffArrays(
    a: number[],
    b: number[],
    options: { timeout: number },
  ): { added: boolean; removed: boolean; count: number }[] | undefined;
}

async function optional<Module>(name: string): Promise<Module | undefined> {
  try {
    return (await import(name)) as Module;
  } catch {
    console.error(`not installed: ${name}; npm ci --prefix bench`);
    return undefined;
  }
}
