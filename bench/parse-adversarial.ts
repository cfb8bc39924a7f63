/**
 * Pages made to be slow, at one and at twice their size: none may cost over 100 ms per MB, and the double
 * page may cost at most twice the time.
 *
 *     npx tsx bench/parse-adversarial.ts
 */

import { Parser, TooManyNodesError } from '../src/parse/parser.ts';

const pages: Record<string, (n: number) => string> = {
  'nested div': (n) => '<div>'.repeat(20_000 * n),
  'nested ul li': (n) => '<ul><li>'.repeat(64_000 * n),
  'alternating b i': (n) => '<b><i>'.repeat(10_000 * n),
  'ladder of b i, closed crosswise': (n) => `${'<b><i>'.repeat(16_384 * n)}x${'</b></i>'.repeat(16_384 * n)}`,
  'unclosed p b': (n) => '<p><b>x'.repeat(40_000 * n),
  'unclosed a b i': (n) => '<a><b><i>x'.repeat(20_000 * n),
  'blocks in formatting, closed': (n) => `${'<b><p>'.repeat(5000 * n)}${'</b>x'.repeat(20_000 * n)}`,
  'formatting around blocks': (n) => '<b><div></b>x</div>'.repeat(20_000 * n),
  'distinct fonts in paragraphs': (n) =>
    Array.from({ length: 20_000 * n }, (_, i) => `<p><font size=${i}>x`).join(''),
  'stray end tags in depth': (n) => `<q><div>${'<span>'.repeat(10_000 * n)}${'</q>'.repeat(100_000 * n)}`,
  'nested svg, stray end tags': (n) => `<svg>${'<g>'.repeat(10_000 * n)}${'</q>'.repeat(100_000 * n)}`,
  'nested tables': (n) => '<table><tr><td>'.repeat(5000 * n),
  'tables in depth': (n) => `<body>${'<span>'.repeat(450)}${'<table></table>'.repeat(20_000 * n)}`,
  'text in tables': (n) => `<table>${'<tr>x<b>y'.repeat(20_000 * n)}`,
  'nested selects': (n) => '<select><option>'.repeat(30_000 * n),
  'selects in depth': (n) => '<select></select><x-y>'.repeat(20_000 * n),
  'nested templates': (n) => '<template>'.repeat(20_000 * n),
  'nested forms': (n) => '<form><div></form>'.repeat(20_000 * n),
  'many attributes': (n) => `<a ${Array.from({ length: 100_000 * n }, (_, i) => `a${i}=1`).join(' ')}>`,
  'many names': (n) => Array.from({ length: 60_000 * n }, (_, i) => `<x${i}>`).join(''),
  'less-than signs': (n) => '<'.repeat(1_000_000 * n),
  'greater-than signs in a comment': (n) => `<!--${'>'.repeat(1_000_000 * n)}`,
  'unterminated comment': (n) => `<!--${'x'.repeat(1_000_000 * n)}`,
  'comment starts': (n) => '<!--'.repeat(250_000 * n),
  'unterminated quote': (n) => `<a href="${'x'.repeat(1_000_000 * n)}`,
  'quotes and tags': (n) => '<a href="x><b title=\'y>'.repeat(50_000 * n),
  'script end tags, almost': (n) => `<script>${'</scrip '.repeat(100_000 * n)}`,
  'script comments': (n) => `<script>${'<!--<script>'.repeat(60_000 * n)}`,
  'script comments that end': (n) => `<script>${'<!---->'.repeat(120_000 * n)}`,
  'one text': (n) => 'word '.repeat(5_000_000 * n),
  'white space': (n) => ' \n'.repeat(500_000 * n),
  zeros: (n) => '\0'.repeat(1_000_000 * n),
};

/**
 * The best of this many rounds counts, because small pages end before the compiler has optimised their code.
 */
const ROUNDS = 30;

const parser = new Parser();
for (const [name, make] of Object.entries(pages)) {
  const [once, twice] = [make(1), make(2)].map((page) => measure(new TextEncoder().encode(page)));
  const bad = once.msPerMb > 100 || (twice.ms > 20 && twice.ms > 3 * once.ms) ? '  <-- slow' : '';
  console.log(
    `${name.padEnd(34)} ${once.mb.toFixed(2).padStart(6)} MB ${once.ms.toFixed(1).padStart(7)} ms, ` +
      `${once.msPerMb.toFixed(0).padStart(4)} ms/MB; twice the size ${twice.ms.toFixed(1).padStart(7)} ms; ${once.nodes}${bad}`,
  );
}

function measure(source: Uint8Array): { mb: number; ms: number; msPerMb: number; nodes: string } {
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
  const mb = source.length / 1e6;
  return { mb, ms: best, msPerMb: best / mb, nodes };
}
