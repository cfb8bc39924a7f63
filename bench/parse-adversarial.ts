/**
 * The parser alone on pages made to be slow (fuzz/hostile-pages.ts), at one and at two megabytes: none may cost over 100 ms
 * per MB, and the double page may cost at most three times the time. Prints the slowest 30 and what breaks these limits.
 *
 *     npx tsx bench/parse-adversarial.ts [NAME]
 */

import { SHAPES, writeShape } from '../fuzz/hostile-pages.ts';
import { Parser, TooManyNodesError } from '../src/parse/parser.ts';

/** The best of this many rounds counts, because the first ends before the compiler has optimised its code. */
const ROUNDS = 5;
const MAX_MS_PER_MB = 100;
const PRINTED = 30;

const parser = new Parser();
const rows = [...SHAPES]
  .filter(([name]) => name.includes(process.argv[2] ?? ''))
  .map(([name, shape]) => {
    const [once, twice] = [1e6, 2e6].map((size) =>
      measure(new TextEncoder().encode(writeShape(shape, size))),
    );
    const isSlow = once.msPerMb > MAX_MS_PER_MB || (twice.ms > 20 && twice.ms > 3 * once.ms);
    return { name, once, twice, isSlow };
  })
  .sort((a, b) => b.once.msPerMb - a.once.msPerMb);
for (const { name, once, twice, isSlow } of rows.filter((row, at) => at < PRINTED || row.isSlow)) {
  console.log(
    `${name.padEnd(50)} ${once.msPerMb.toFixed(0).padStart(4)} ms/MB; twice the size ` +
      `${twice.ms.toFixed(1).padStart(7)} ms; ${once.nodes}${isSlow ? '  <-- slow' : ''}`,
  );
}

function measure(source: Uint8Array): { ms: number; msPerMb: number; nodes: string } {
  let best = Number.POSITIVE_INFINITY;
  let nodes = '';
  for (let i = 0; i < ROUNDS; i++) {
    const before = process.cpuUsage();
    try {
      nodes = `${parser.parse(source).nodeCount} nodes`;
    } catch (error) {
      if (!(error instanceof TooManyNodesError)) throw error;
      nodes = 'too many nodes';
    }
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return { ms: best, msPerMb: best / (source.length / 1e6), nodes };
}
