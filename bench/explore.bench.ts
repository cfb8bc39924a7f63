/**
 * The explorer over 100,000 pages of one site: how soon its views are there, how long its answers take, and the frames of the
 * map while it is scrolled and zoomed, in a real browser.
 *
 * The folder is made of the report of a small generated archive, whose rows are repeated with other page numbers and URLs:
 * `npx tsx bench/explore.bench.ts [--pages 100000]`. A folder of one's own: `--folder crawl.chaff --site a.example`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { startExplorer } from '../src/explore/server.ts';
import { launchBrowser } from '../test/browser.ts';
import { measureFrames } from '../test/frame-times.ts';
import { makeLargeFolder } from '../test/large-folder.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '100000' },
    folder: { type: 'string' },
    site: { type: 'string', default: 'en1.example' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'chaff-explore-bench-'));
try {
  const folder = values.folder ?? (await makeLargeFolder(scratch, { pages: Number(values.pages) }));
  await measure(folder, values.site);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measure(folder: string, site: string): Promise<void> {
  const openedMs = performance.now();
  const explorer = await startExplorer({ source: async () => folder });
  await explorer.opened;
  say('folder opened', performance.now() - openedMs);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    await timed('sites, first view', async () => {
      await page.goto(explorer.url);
      await page.locator('tbody tr').first().waitFor();
    });
    const map = new URL(`/map?site=${site}`, explorer.url).href;
    await timed('map, first picture', async () => {
      await page.goto(map);
      await page.locator('.map-canvas[data-draw-ms]').waitFor();
    });
    await page.waitForLoadState('networkidle');
    const key = `site=${site}`;
    await answers(page, 'bars, order kept', () => `map/bars?${key}&order=length`);
    await answers(
      page,
      'bars, new order',
      (k) => `map/bars?${key}&order=${['url', 'time', 'schema'][k % 3]}`,
      3,
    );
    await answers(page, 'tile of 1024 bars', (k) => `map/tile?${key}&first=${k * 1024}&count=1024&stride=1`);
    await answers(page, 'tile, every 64th bar', (k) => `map/tile?${key}&first=${k}&count=1024&stride=64`);
    await answers(page, 'page pointed at', (k) => `pages/facts?page=${1 + k * 997}`);
    await answers(page, 'list of pages', (k) => `pages?${key}&offset=${k * 100}`);
    await answers(page, 'templates', () => `templates?${key}`);
    for (const { name, gaps, draws } of await measureFrames(page)) {
      const sorted = [...gaps].sort((x, y) => x - y);
      say(
        `frame, ${name}`,
        median(gaps),
        `95 % within ${sorted[Math.floor(0.95 * sorted.length)].toFixed(0)} ms, longest ${sorted.at(-1)!.toFixed(0)} ms; drawing ${median(draws).toFixed(1)} ms`,
      );
    }
  } finally {
    await browser.close();
    await explorer.close();
  }
}

/** Answers of the API as the page gets them. */
async function answers(page: Page, name: string, path: (k: number) => string, count = 12): Promise<void> {
  const taken: number[] = [];
  for (let k = 0; k < count; k++) {
    taken.push(
      (await page.evaluate(`{
        const startedMs = performance.now();
        fetch('/api/${path(k)}').then((answer) => answer.arrayBuffer()).then(() => performance.now() - startedMs);
      }`)) as number,
    );
  }
  say(name, median(taken), `median of ${count}, longest ${Math.max(...taken).toFixed(0)} ms`);
}

async function timed(name: string, work: () => Promise<void>): Promise<void> {
  const startedMs = performance.now();
  await work();
  say(name, performance.now() - startedMs);
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function say(name: string, milliseconds: number, more = ''): void {
  console.log(`${name.padEnd(34)} ${milliseconds.toFixed(0).padStart(6)} ms  ${more}`);
}
