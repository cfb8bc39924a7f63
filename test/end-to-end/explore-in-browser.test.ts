/** The explorer in a real browser: each view, links to their states, keys, both colour schemes, and a hostile archive. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startExplorer } from '../../src/explore/server.ts';
import { launchBrowser } from '../browser.ts';
import { chaff } from '../command-line.ts';
import { type ExploredSample, exploreFolder, exploreSample } from '../explore-folder.ts';
import { findBarriers } from '../find-barriers.ts';
import { warcRecord } from '../sample-archives.ts';

const SITE = 'en1.example';

let browser: Browser;
let sample: ExploredSample;
let bare: ExploredSample;
let fragments: ExploredSample;

beforeAll(async () => {
  browser = await launchBrowser();
  bare = await exploreSample({ command: 'history', pagesPerSite: 20 });
  const lists = ['--format', 'jsonl', '--workers', '0', '-q', '-o'];
  await chaff(['groups', bare.warc, '--members', ...lists, join(bare.folder, 'groups.jsonl')]);
  await chaff(['changes', bare.warc, ...lists, join(bare.folder, 'changes.jsonl')]);
  sample = await exploreFolder(bare.folder);
  const shared = join(bare.folder, '../sample.fragments');
  await chaff(['fragments', bare.warc, '-o', shared, '--workers', '0', '-q']);
  fragments = await exploreFolder(shared);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await fragments?.close();
  await sample?.close();
  await bare?.close();
});

interface Opened {
  page: Page;
  /** Requests to other origins, messages on the console, errors of scripts, dialogs. */
  trouble: string[];
  close(): Promise<void>;
}

async function open(
  { explorer }: ExploredSample,
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Opened> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    ...options,
  });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('dialog', (dialog) => trouble.push(dialog.message()));
  context.on('request', (request) => {
    if (!request.url().startsWith(new URL(explorer.url).origin)) trouble.push(request.url());
  });
  await page.goto(explorer.url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  if (path !== '/') await go(page, path);
  return { page, trouble, close: () => context.close() };
}

/** Loads a state of a view from its URL alone. */
async function go(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await page.waitForLoadState('networkidle');
}

/** Every view, with a template of the site. */
const viewPaths = (id: string) => [
  '/sites',
  `/map?site=${SITE}&colour=template`,
  `/templates?site=${SITE}`,
  `/template?site=${SITE}&id=${id}`,
  '/pages',
  `/schemas?site=${SITE}`,
  `/groups?site=${SITE}`,
  '/fragments',
  '/history',
  '/changes',
  '/ask?query=SHOW+TABLES',
  '/ask?query=SELECT+site,count(*)+AS+n+FROM+pages+GROUP+BY+site&as=chart',
  '/ask?query=no+SQL',
  `/map?site=${SITE}&colour=role&order=schema&template=${id}&brush=2-9`,
  '/page',
  '/label',
  '/no-such-view',
];

const firstTemplate = (page: Page) =>
  page.evaluate(
    `fetch('/api/templates?site=${SITE}').then((answer) => answer.json()).then(({ rows }) => rows[0].id)`,
  ) as Promise<string>;

const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

test('a folder of fragments opens with them, and says how to make what it lacks', async () => {
  const { page, trouble, close } = await open(fragments, '/');
  expect(await title(page)).toBe('Fragments');
  await page.locator('tbody tr').first().waitFor();
  await go(page, '/sites');
  expect(await page.locator('.notice').textContent()).toContain('chaff report');
  await go(page, '/page?page=1');
  expect(await page.locator('.notice').textContent()).toContain('chaff report');
  expect(trouble).toEqual([]);
  await close();
});

test('the token leaves the URL, and the sites are listed, sorted, found and opened', async () => {
  const { page, trouble, close } = await open(sample, '/');
  expect(page.url()).not.toContain('token');
  const names = () => page.locator('tbody tr td:first-child').allTextContents();
  await page.locator('tbody tr').first().waitFor();
  expect((await names()).sort()).toEqual(['de1.example', 'en1.example']);
  await page.getByRole('button', { name: 'Site' }).click();
  expect(await names()).toEqual(['de1.example', 'en1.example']);
  await page.getByRole('button', { name: 'Site' }).press('Enter');
  expect(await names()).toEqual(['en1.example', 'de1.example']);
  await page.getByLabel('Find').fill('DE1');
  expect(await names()).toEqual(['de1.example']);
  expect(page.url()).toContain('find=DE1');
  await page.reload();
  await page.locator('tbody tr').first().waitFor();
  expect(await names()).toEqual(['de1.example']);
  await page.getByRole('link', { name: 'de1.example' }).click();
  expect(await title(page)).toBe('Template map');
  await page.goBack();
  expect(await title(page)).toBe('Sites');
  expect(trouble).toEqual([]);
  await close();
});

test('the map answers to pointer and keys, and keeps its state in the URL', async () => {
  const { page, trouble, close } = await open(sample, `/map?site=${SITE}&order=url&detector=dom`);
  const canvas = page.locator('.map-canvas');
  await canvas.waitFor();
  await page.waitForTimeout(300);
  const box = (await canvas.boundingBox())!;
  // more than one colour is drawn
  const colours = (await page.evaluate(`{
    const drawn = document.querySelector('.map-canvas');
    const { data } = drawn.getContext('2d').getImageData(0, 0, drawn.width, drawn.height);
    new Set(new Uint32Array(data.buffer)).size;
  }`)) as number;
  expect(colours).toBeGreaterThan(3);
  await page.mouse.move(box.x + 40, box.y + 100);
  await page.locator('.map-side h2 a').waitFor();
  await page.mouse.click(box.x + 40, box.y + 100);
  await page.waitForURL(/template=[0-9a-f]{16}/);
  expect(await page.locator('.map-side').textContent()).toContain('template');
  // a brush chooses pages
  await page.mouse.move(box.x + 200, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 200, box.y + 300, { steps: 4 });
  await page.mouse.up();
  await page.locator('.brushed h2').waitFor();
  expect(await page.locator('.brushed h2').textContent()).toMatch(/^\d+ pages chosen$/);
  await page.waitForURL(/brush=\d+-\d+/);
  await page.getByRole('button', { name: 'Zoom to them' }).click();
  await page.waitForURL(/rows=\d+/);
  const linked = page.url();
  const line = await page.locator('.map-line span.quiet').textContent();
  await go(page, linked);
  await canvas.waitFor();
  expect(await page.locator('.map-line span.quiet').textContent()).toBe(line);
  // keys: a cursor, zoom, escape
  await canvas.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  const second = await page.locator('#map-spot h2 a').getAttribute('href');
  await page.keyboard.press('ArrowUp');
  // not waitForFunction: the page's policy refuses the string that it evaluates
  await page.locator(`#map-spot h2 a:not([href=${JSON.stringify(second)}])`).waitFor();
  await page.keyboard.press('-');
  await page.keyboard.press('-');
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => !url.searchParams.has('template') && !url.searchParams.has('brush'));
  for (const colour of ['template', 'role', 'detector']) {
    await page.getByLabel('Colour by').selectOption(colour);
    await page.waitForURL(new RegExp(`colour=${colour}`));
    expect(await page.locator('.legend li').count()).toBeGreaterThan(2);
  }
  await canvas.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/page\?page=\d+/);
  expect(trouble).toEqual([]);
  await close();
}, 60_000);

test('the page of a template describes it and links to the map and its pages', async () => {
  const { page, trouble, close } = await open(sample, `/templates?site=${SITE}`);
  await page.locator('tbody tr td:first-child a').first().click();
  await page.getByRole('heading', { name: 'Selector' }).waitFor();
  expect(await title(page)).toBe('Template');
  const focused = await page.evaluate('document.activeElement?.tagName');
  expect(focused).toBe('H1');
  await page.getByRole('link', { name: 'List its pages' }).click();
  await page.locator('tbody tr').first().waitFor();
  expect(await title(page)).toBe('Pages');
  await page.goBack();
  await page.getByRole('link', { name: 'Mark it on the map' }).click();
  await page.locator('.map-canvas').waitFor();
  expect(page.url()).toMatch(/template=[0-9a-f]{16}/);
  expect(trouble).toEqual([]);
  await close();
});

test('schemas, groups, history and changes have rows that lead on', async () => {
  const { page, trouble, close } = await open(sample, '/');
  for (const [view, link] of [
    ['schemas', '/pages?'],
    ['groups', '/pages?'],
    ['history', '/map?'],
    ['changes', '/page?'],
  ]) {
    await go(page, `/${view}?site=${SITE}`);
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator(`tbody a[href^="${link}"]`).count()).toBeGreaterThan(0);
  }
  // a view says which command makes what the folder lacks
  await go(page, '/fragments');
  expect(await page.locator('.notice').textContent()).toContain('chaff fragments');
  await go(page, '/no-such-view');
  expect(await page.locator('.notice').textContent()).toContain('no view of this name');
  expect(trouble).toEqual([]);
  await close();
}, 60_000);

test('no view or table is wider than a window of 1024 pixels, and no view than one of 390', async () => {
  for (const width of [1024, 390]) {
    const { page, close } = await open(sample, '/', { viewport: { width, height: 700 } });
    const id = await firstTemplate(page);
    for (const path of viewPaths(id)) {
      await go(page, path);
      // tables scroll in narrow windows
      const wide = await page.evaluate(
        `[document.documentElement, ...document.querySelectorAll(${width} < 1000 ? 'main' : '.table-frame')]
          .filter((each) => each.scrollWidth > each.clientWidth).map(({ className }) => className)`,
      );
      expect([width, path, wide]).toEqual([width, path, []]);
    }
    await go(page, `/map?site=${SITE}`);
    expect((await page.locator('.map-canvas').boundingBox())!.width).toBeGreaterThan(0.4 * width);
    await close();
  }
}, 120_000);

test('SQL is answered as a table and as a chart, refused with a reason, and saved as a file', async () => {
  const { page, trouble, close } = await open(sample, '/ask');
  await page.getByRole('textbox').fill('SELECT site, count(*) AS n FROM pages GROUP BY site ORDER BY site');
  await page.keyboard.press('Control+Enter');
  await page.locator('tbody tr').first().waitFor();
  expect(await page.locator('tbody tr td:first-child').allTextContents()).toEqual([
    'de1.example',
    'en1.example',
  ]);
  await page.getByRole('button', { name: 'Chart' }).click();
  expect(await page.locator('.chart .bar').count()).toBe(2);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  const stream = await download.createReadStream();
  let text = '';
  for await (const piece of stream) text += piece;
  expect(text).toMatch(/^site,n\nde1\.example,\d+\nen1\.example,\d+\n$/);
  await page.getByRole('button', { name: 'site-shares', exact: true }).click();
  await page.locator('th', { hasText: 'dom_links' }).waitFor();
  expect(trouble).toEqual([]);
  await page.getByRole('textbox').fill("SELECT * FROM read_text('/etc/passwd')");
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').textContent()).toMatch(/disabled|permission/i);
  await close();
}, 60_000);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe has no serious findings, ${colorScheme}`, async () => {
    const { page, close } = await open(sample, '/', { colorScheme });
    const id = await firstTemplate(page);
    const findings: string[] = [];
    for (const path of viewPaths(id)) {
      await go(page, path);
      findings.push(...(await findBarriers(page)).map((finding) => `${path} ${finding}`));
    }
    await close();
    const shared = await open(fragments, '/fragments', { colorScheme });
    await shared.page.locator('tbody tr').first().waitFor();
    findings.push(...(await findBarriers(shared.page)));
    await shared.close();
    expect(findings).toEqual([]);
  }, 120_000);

  test(`how far a run is can be seen, and why it failed, ${colorScheme}`, async () => {
    let fail = (_: Error) => {};
    const explorer = await startExplorer({
      source: (onProgress) => {
        onProgress({ stage: 'label', done: 3, total: 12, pages: 40, bytes: 9000 });
        return new Promise((_, reject) => {
          fail = reject;
        });
      },
    });
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    await page.goto(explorer.url);
    await page.getByRole('progressbar', { name: 'Labelling pages' }).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('25 % · 40 pages');
    expect(await findBarriers(page)).toEqual([]);
    fail(new Error('the disk is full'));
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('the disk is full');
    expect(await findBarriers(page)).toEqual([]);
    await context.close();
    await explorer.close();
  });
}

const MARKUP = `</title></script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">"'><svg onload=window.hacked=1>`;

test('nothing of a hostile archive runs, is fetched or becomes a link that runs', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'chaff-hostile-'));
  const escaped = MARKUP.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const html = (k: number) =>
    `<title>${escaped} ${k}</title><nav class='x"><script>hacked=1</script>'>Home ${escaped} <a href="javascript:window.hacked=1">run</a>
     <a href="http://trap.example/">out</a></nav><p>Own text of page ${k}, and some more words ${'of its own '.repeat(k)}</p>
     <footer>${escaped} Imprint, terms and privacy of this site for everybody to read</footer>`;
  const records = Array.from({ length: 30 }, (_, k) => ({
    url: `http://hostile.example/${k}?q=${MARKUP.replaceAll(' ', '%20')}`,
    html: html(k),
  }));
  records.push({ url: 'javascript:window.hacked=1', html: html(31) });
  const warc = join(scratch, 'hostile.warc');
  writeFileSync(warc, Buffer.concat(records.map(warcRecord)));
  const folder = join(scratch, 'hostile.chaff');
  await chaff(['report', warc, '-o', folder, '--workers', '0', '-q']);
  const explored = await exploreFolder(folder);
  const { page, trouble, close } = await open(explored, '/');
  try {
    const { rows } = (await (
      await explored.ask('/api/templates?site=hostile.example&detector=dom')
    ).json()) as {
      rows: { id: string; text: string }[];
    };
    expect(rows.some(({ text }) => text.includes('<script>'))).toBe(true);
    for (const path of [
      '/sites',
      '/map?site=hostile.example&colour=template&detector=dom',
      '/templates?site=hostile.example&detector=dom',
      ...rows.slice(0, 3).map(({ id }) => `/template?site=hostile.example&detector=dom&id=${id}`),
      '/pages',
      '/schemas?site=hostile.example',
      '/history',
      `/ask?query=${encodeURIComponent('SELECT url, title FROM pages')}`,
      `/sites?find=${encodeURIComponent(MARKUP)}`,
      `/map?site=${encodeURIComponent(MARKUP)}`,
    ]) {
      await go(page, path);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      expect(
        await page.locator('a[href^="javascript:" i], #app img, #app script, #app svg[onload]').count(),
      ).toBe(0);
    }
    await go(page, '/pages');
    expect(await page.locator('tbody').textContent()).toContain('<script>window.hacked=1</script>');
    expect(trouble).toEqual([]);
  } finally {
    await close();
    await explored.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}, 120_000);
