/**
 * Measures boxes from a real browser: pages per second with 1, 2 and 4 tabs, CPU time per page, how many of
 * our nodes are in the browser's tree, and the peak memory of the browser.
 *
 *     npx tsx bench/browser-layout.bench.ts [--pages 200] [--tabs 1,2,4] [sites/*.warc.gz]
 *
 * CHAFF_CHROMIUM names the browser. CPU time is that of the browser's processes, including ended ones, and is
 * measured on Linux only.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { BrowserLayout } from '../src/browse/browser-layout.ts';
import { layOutInOrder } from '../src/browse/layout-in-order.ts';
import { ArchiveResources, type Resources } from '../src/browse/resources.ts';
import type { Page } from '../src/model/page.ts';
import { Parser } from '../src/parse/parser.ts';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import { findArchives, readSite } from './real-sites.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'string', default: '200' }, tabs: { type: 'string', default: '1,2,4' } },
});
const parser = new Parser();
const MEMORY_LOOK_MS = 200;
const TICKS_PER_SECOND = 100;

for (const archive of await findArchives(positionals)) {
  const { sample } = await readSite(archive, Number(values.pages));
  const { inputs } = await openInputs([archive]);
  const resources = ArchiveResources.survey(inputs);
  for (const tabs of values.tabs.split(',').map(Number)) await measure(archive, sample, resources, tabs);
  closeInputs(inputs);
}

async function measure(archive: string, pages: Page[], resources: Resources, tabs: number): Promise<void> {
  const layout = await BrowserLayout.open({ tabs, resources });
  let mostBytes = 0;
  const look = setInterval(async () => {
    mostBytes = Math.max(mostBytes, await layout.memory.usedBytes().catch(() => 0));
  }, MEMORY_LOOK_MS);
  const parse = (page: Page) => ({ page, tree: parser.parse(page.source) });
  const counts = { elements: 0, joinedElements: 0, texts: 0, joinedTexts: 0, nearlyAll: 0, failed: 0 };

  const started = performance.now();
  const ownBefore = process.cpuUsage();
  const browserBefore = cpuSecondsOfChildren();
  for await (const { laidOut } of layOutInOrder(pages, { layout, parse })) {
    if (laidOut === null || laidOut.boxes === null) {
      counts.failed++;
      continue;
    }
    counts.elements += laidOut.elements;
    counts.joinedElements += laidOut.joinedElements;
    counts.texts += laidOut.texts;
    counts.joinedTexts += laidOut.joinedTexts;
    if (laidOut.joinedElements >= 0.995 * laidOut.elements) counts.nearlyAll++;
  }
  const seconds = (performance.now() - started) / 1000;
  const browserMs = ((cpuSecondsOfChildren() - browserBefore) * 1000) / pages.length;
  const { user, system } = process.cpuUsage(ownBefore);
  const ownMs = (user + system) / 1000 / pages.length;
  clearInterval(look);
  console.log(
    `${basename(archive)}, ${layout.origin}, ${tabs} tab${tabs === 1 ? '' : 's'}: ${pages.length} pages, ` +
      `${(pages.length / seconds).toFixed(1)} pages/s; processor time ${browserMs.toFixed(0)} ms a page in the browser, ` +
      `${ownMs.toFixed(0)} ms here; joined ${share(counts.joinedElements, counts.elements)} of elements, ` +
      `${share(counts.joinedTexts, counts.texts)} of texts, 99.5 % and more on ${counts.nearlyAll} pages; ` +
      `${counts.failed} failed; ${(mostBytes / 1e6).toFixed(0)} MB at most`,
  );
  await layout.close();
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(3)} %`;
}

/** Returns the CPU time of all processes below this one, with that of their ended children, in seconds. */
function cpuSecondsOfChildren(): number {
  const parents = new Map<number, number>();
  const ticks = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      // after the name, which may contain any character: state, parent … and four times from field 14 on
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      parents.set(Number(name), Number(fields[1]));
      ticks.set(
        Number(name),
        fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0),
      );
    } catch {
      // the process has just ended
    }
  }
  let sum = 0;
  for (const [pid, own] of ticks) {
    let ancestor = parents.get(pid);
    while (ancestor !== undefined && ancestor !== process.pid) ancestor = parents.get(ancestor);
    if (ancestor === process.pid) sum += own;
  }
  return sum / TICKS_PER_SECOND;
}
