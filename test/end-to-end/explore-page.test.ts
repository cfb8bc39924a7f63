/**
 * The views Page and Labelling in a real browser: from an archive to labels, and to a model that is trained on
 * them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../browser.ts';
import { chaff } from '../command-line.ts';
import { type ExploredSample, exploreSample } from '../explore-folder.ts';
import { findBarriers } from '../find-barriers.ts';

let browser: Browser;
let sample: ExploredSample;

beforeAll(async () => {
  [browser, sample] = await Promise.all([launchBrowser(), exploreSample({ sites: 2, pagesPerSite: 14 })]);
});
afterAll(async () => {
  await browser?.close();
  await sample?.close();
});

/** Waits long enough for a machine with other things to do. */
const soon = <T>(ask: () => T | Promise<T>) => expect.poll(ask, { timeout: 20_000 });

async function open(
  path: string,
  colorScheme: 'light' | 'dark' = 'light',
): Promise<{ page: Page; trouble: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('console', (message) => {
    // the archive has no styles and pictures
    const isMissing = message.location().url.includes('/resource/');
    if (message.type() === 'error' && !isMissing) trouble.push(message.text());
  });
  await page.goto(sample.explorer.url);
  await page.goto(new URL(path, sample.explorer.url).href);
  return { page, trouble };
}

test('the picture of a page is tinted, and a click on it shows what each detector says and why', async () => {
  const { page, trouble } = await open('/page?page=1');
  const frame = page.frameLocator('.page-frame iframe:not(.loading)');
  await frame.locator('.chaff-template').first().waitFor();
  expect(await page.locator('.page-frame iframe').first().getAttribute('sandbox')).toBe('');
  await frame.locator('.chaff-content a').first().click();
  await page.locator('.range-detail table').waitFor();
  const chosen = new URL(page.url()).searchParams.get('range');
  expect(chosen).toMatch(/^\d+$/);
  const rows = await page.locator('.range-detail tbody tr').allTextContents();
  expect(rows.some((row) => row.startsWith('joint'))).toBe(true);
  expect(rows.some((row) => row.startsWith('dom'))).toBe(true);

  // the same by keys: the list moves, and the frame shows the range with its reason
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Home');
  const first = new URL(page.url()).searchParams.get('range');
  expect(first).not.toBe(chosen);
  await soon(() => frame.locator(`#chaff-${first}`).evaluate((element) => element.matches(':target'))).toBe(
    true,
  );
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('a page that loads says so', async () => {
  const { page } = await open('/sites');
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/frame/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(new URL('/page?page=1', sample.explorer.url).href);
  await page.locator('.page-frame').getByText('Loading').waitFor();
  answer();
  await page.frameLocator('.page-frame iframe:not(.loading)').locator('.chaff-template').first().waitFor();
  expect(await page.getByText('Loading').count()).toBe(0);
});

test('text, Markdown and captures are a tab away, and every state has a URL', async () => {
  const { page, trouble } = await open('/page?page=1&detector=dom');
  await page.getByRole('tab', { name: 'Text' }).click();
  expect((await page.locator('.page-text').textContent())!.length).toBeGreaterThan(50);
  await page.keyboard.press('ArrowRight');
  await soon(() => page.locator('.page-text').textContent()).toMatch(/^#{1,3} /m);
  await page.keyboard.press('ArrowRight');
  const slider = page.getByRole('slider');
  expect(await slider.getAttribute('max')).not.toBe('0');
  await slider.focus();
  await page.keyboard.press('End');
  await page.locator('.changes li, .notice').first().waitFor();
  const url = new URL(page.url());
  expect(url.searchParams.get('tab')).toBe('captures');
  expect(url.searchParams.get('page')).not.toBe('1');
  await page.goBack();
  await soon(() => new URL(page.url()).searchParams.get('page')).toBe('1');
  expect(trouble).toEqual([]);
  await page.context().close();
});

test('pages are labelled by keys and clicks; eval scores against the labels and train learns from them', async () => {
  const { page, trouble } = await open('/label?who=ana');
  const list = page.getByRole('listbox', { name: 'Blocks of the page' });
  await list.waitFor();
  const status = page.getByRole('status').filter({ hasText: 'marked' });
  const marked = async () => Number((await status.textContent())!.split(' ')[0]);

  await page.keyboard.press('t');
  await soon(marked).toBe(1);
  // an element with all that is in it, then back
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  const within = await list.locator('li.within').count();
  expect(within).toBeGreaterThan(1);
  await page.keyboard.press('c');
  await soon(marked).toBeGreaterThanOrEqual(within);
  await page.keyboard.press('z');
  await soon(marked).toBe(1);
  await page.keyboard.press('y');
  await soon(marked).toBeGreaterThanOrEqual(within);
  await page.keyboard.press('z');

  // a click on the picture selects a block, and keys still work
  const frame = page.frameLocator('.page-frame iframe:not(.loading)');
  await frame.locator('.chaff-unmarked a').nth(4).click();
  await soon(() => list.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
  await page.keyboard.press('m');
  await soon(() => list.locator('.chip.comment').count()).toBe(1);
  await frame.locator('.chaff-comment').first().waitFor();

  // saved marks are there again after a reload
  await status.filter({ hasText: 'saved' }).waitFor();
  await page.reload();
  await list.waitFor();
  await soon(marked).toBe(2);

  const file = join(sample.folder.replace(/\.chaff$/, '.labels'), 'ana.jsonl');
  for (let done = 1; done <= 12; done++) {
    await page.keyboard.press('Shift+A');
    await expect
      .poll(
        () =>
          readFileSync(file, 'utf8')
            .split('\n')
            .filter((line) => line.includes('"text":')).length,
      )
      .toBe(done);
    const before = page.url();
    await page.getByRole('button', { name: /^Next page/ }).click();
    await soon(() => page.url()).not.toBe(before);
    await list.waitFor();
  }
  expect(trouble).toEqual([]);
  await page.context().close();

  const warc = join(sample.folder, '../sample.warc.gz');
  const evaluated = await chaff(['eval', warc, '--gold', file, '--detectors', 'joint', '--json', '-q']);
  expect([0, 3]).toContain(evaluated.code);
  expect(evaluated.stdout).toContain('"ana"');
  const model = join(sample.folder, '../own.json');
  const trained = await chaff([
    'train',
    warc,
    '--detector',
    'joint',
    '--gold',
    file,
    '-o',
    model,
    '--date',
    '2026-11-30',
  ]);
  expect(trained.stderr).toMatch(/ana +12/);
  expect([0, 3]).toContain(trained.code);
  const again = await chaff([
    'eval',
    warc,
    '--gold',
    file,
    '--detectors',
    'joint',
    '--joint-model',
    model,
    '--json',
    '-q',
  ]);
  expect([0, 3]).toContain(again.code);
});

test('a second person has labels of their own, and the agreement is shown', async () => {
  const { page } = await open('/label?who=ben');
  await page.getByRole('listbox', { name: 'Blocks of the page' }).waitFor();
  await page.keyboard.press('Shift+A');
  await page.getByRole('status').filter({ hasText: /saved/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Agreement' }).click();
  await page.locator('.figures strong').first().waitFor();
  expect(await page.locator('.figures strong').allTextContents()).toHaveLength(2);
  expect(await findBarriers(page)).toEqual([]);
  await page.context().close();
});

test('both views have no serious barriers, in the light and in the dark', async () => {
  for (const scheme of ['light', 'dark'] as const) {
    for (const path of [
      '/page?page=1&range=3',
      '/page?page=1&detector=dom&range=2',
      '/page?page=1&tab=text',
      '/page?page=1&tab=markdown',
      '/page?page=3&tab=captures',
      '/label?who=ana',
      '/label?who=ana&show=agreement',
    ]) {
      const { page } = await open(path, scheme);
      await page.locator('.page-frame iframe:not(.loading), .figures strong').first().waitFor();
      expect([scheme, path, await findBarriers(page)]).toEqual([scheme, path, []]);
      await page.context().close();
    }
  }
});
