/**
 * Measures parsing speed on real pages, in MB of HTML per second of process CPU time, the median of the
 * rounds:
 *
 *     npx tsx bench/parse.bench.ts [--rounds 7] [--rivals] sites/*.warc.gz
 *
 * Rivals in the same run: parse5 with locations, and htmlparser2 if it is installed. Nodes per kB are printed
 * because they determine the speed.
 */
import { basename } from 'node:path';
import { parse } from 'parse5';
import { Parser } from '../src/parse/parser.ts';
import { readStoredPages } from './site-pages.ts';

const args = process.argv.slice(2);
const rivals = args.includes('--rivals');
const option = args.indexOf('--rounds');
const rounds = option < 0 ? 7 : Number(args[option + 1]);
const files = args.filter((arg, i) => !arg.startsWith('--') && (option < 0 || i !== option + 1));

const parser = new Parser();
const htmlparser2 = rivals ? await optional('htmlparser2') : undefined;
const totals = { bytes: 0, ms: 0 };

for (const file of files) {
  const pages = readStoredPages(file);
  const bytes = pages.reduce((sum, { body }) => sum + body.length, 0);
  let nodes = 0;
  let moved = 0;
  let fostered = 0;
  const ms = median(rounds, () => {
    nodes = moved = fostered = 0;
    for (const { body } of pages) {
      const tree = parser.parse(body);
      nodes += tree.nodeCount;
      if (tree.exact) moved++;
      if (tree.fosteredCount > 0) fostered++;
    }
  });
  totals.bytes += bytes;
  totals.ms += ms;
  const perKb = ((1000 * nodes) / bytes).toFixed(1);
  let line =
    `${basename(file).padEnd(32)} ${String(pages.length).padStart(5)} pages ${mb(bytes)} MB ${perKb.padStart(5)} nodes/kB ` +
    `${speed(bytes, ms)} MB/s, ${((1e6 * ms) / nodes).toFixed(0)} ns/node, moved ${moved}, fostered ${fostered}`;
  if (rivals) {
    const few = pages.filter((_, i) => i % 10 === 0).map(({ body }) => Buffer.from(body));
    const fewBytes = few.reduce((sum, body) => sum + body.length, 0);
    const slow = median(3, () => {
      for (const body of few)
        parse(body.toString('latin1'), { sourceCodeLocationInfo: true, scriptingEnabled: false });
    });
    line += `; parse5 ${speed(fewBytes, slow)}`;
    if (htmlparser2) {
      const other = median(3, () => {
        const settings = { withStartIndices: true, withEndIndices: true };
        for (const body of few) htmlparser2.parseDocument(body.toString('latin1'), settings);
      });
      line += `; htmlparser2 ${speed(fewBytes, other)}`;
    }
  }
  console.log(line);
}
console.log(`all: ${mb(totals.bytes)} MB, ${speed(totals.bytes, totals.ms)} MB/s`);

function median(times: number, run: () => void): number {
  const measured: number[] = [];
  for (let i = 0; i < times + 2; i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    if (i >= 2) measured.push((user + system) / 1000);
  }
  return measured.sort((a, b) => a - b)[measured.length >> 1];
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1).padStart(6);
}

function speed(bytes: number, ms: number): string {
  return (bytes / 1000 / ms).toFixed(0).padStart(4);
}

interface DocumentParser {
  parseDocument(source: string, options: object): unknown;
}

async function optional(name: string): Promise<DocumentParser | undefined> {
  try {
    return (await import(name)) as DocumentParser;
  } catch {
    return undefined;
  }
}
