/**
 * Measures the work that every report needs: inflating every record, then also parsing its page, then also
 * hashing windows over its text. One thread; nothing is learnt, labelled or written. Each figure is the CPU
 * time of the process for one pass over the archives; the first pass runs code that V8 has not compiled yet:
 *
 *     npx tsx bench/bundled.ts bare-pass.bench.ts [archives …]      default: $CHAFF_DATA/sites
 */
import { TextWindows } from '../src/analysis/text-windows.ts';
import { Parser } from '../src/parse/parser.ts';
import { findArchives } from './real-sites.ts';
import { readStoredPages } from './site-pages.ts';

const archives = await findArchives(process.argv.slice(2));
const parser = new Parser();
const windows = new TextWindows(32, 0);
let rolled = 0;

const inflated = measure(() => {});
const parsed = measure((body) => void parser.parse(body));
const all = measure((body) => {
  const { text, textLength } = parser.parse(body);
  rolled += windows.count(text, textLength);
});
console.log(`${inflated.pages} pages, ${(inflated.bytes / 1e6).toFixed(0)} MB of HTML, ${rolled} windows`);
for (const [what, { seconds, bytes }] of Object.entries({ inflated, parsed, all })) {
  console.log(`${what.padEnd(9)} ${seconds.toFixed(2)} s of CPU, ${(bytes / 1e6 / seconds).toFixed(0)} MB/s`);
}

function measure(visit: (body: Uint8Array) => void): { seconds: number; bytes: number; pages: number } {
  const before = process.cpuUsage();
  let bytes = 0;
  let pages = 0;
  for (const archive of archives) {
    for (const { body } of readStoredPages(archive)) {
      visit(body);
      bytes += body.length;
      pages++;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, bytes, pages };
}
