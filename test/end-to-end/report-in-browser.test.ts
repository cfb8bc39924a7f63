/** report.html, annotated pages and stripped HTML in a real browser: they work, fetch nothing and run nothing. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { historyFigures } from '../../src/report/figures/change-history-figures.ts';
import { studyFigures } from '../../src/report/figures/study-figures.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { renderAnnotated } from '../../src/view/annotate-page.ts';
import { renderHtml } from '../../src/view/html.ts';
import { launchBrowser } from '../browser.ts';
import { sampleFragmentFigures } from '../fragment-figures-sample.ts';
import { sampleHistory } from '../history-sample.ts';
import { markedPage } from '../marked-page.ts';
import { sampleReportData, sampleWireframe } from '../report-sample.ts';
import { sampleStudy } from '../study-sample.ts';

const HOSTILE = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">"'><svg onload=window.hacked=1>`;

let browser: Browser;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-report-'));
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  page: Page;
  /** Requests beyond the file itself, messages on the console, errors of scripts. */
  trouble: string[];
}

async function open(
  name: string,
  html: string,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Opened> {
  const path = join(folder, name);
  writeFileSync(path, html);
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, ...options });
  const trouble: string[] = [];
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('dialog', (dialog) => trouble.push(dialog.message()));
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(path).href) trouble.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  return { page, trouble };
}

const isHacked = (page: Page): Promise<boolean> =>
  page.evaluate('window.hacked !== undefined') as Promise<boolean>;

test('the picture answers to pointer, click and keys', async () => {
  const { page, trouble } = await open(
    'report.html',
    renderReport(sampleReportData({ sitePages: [220, 40] })),
  );
  const picture = page.locator('.picture');
  await picture.scrollIntoViewIfNeeded();
  const box = await picture.boundingBox();
  if (box === null) throw new Error('the picture has no box');

  // the first stretch of every page is its head, some 350 bytes in
  await page.mouse.move(box.x + 25, box.y + 200);
  expect(await page.locator('#tip').textContent()).toMatch(
    /menu · div\.head on 220 of 220 pages.*Home News Sport/s,
  );
  await page.mouse.click(box.x + 25, box.y + 200);
  expect(await page.locator('#picked h4').textContent()).toBe('menu · div.head');
  expect(await page.locator('#picked blockquote').textContent()).toContain('Home News Sport');
  expect(await page.locator('#picked .urls li').count()).toBe(5);

  await page.mouse.move(0, 0);
  await picture.focus();
  await page.keyboard.press('Escape');
  expect(await page.locator('#picked h4').count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  expect(await page.locator('#tip').textContent()).toContain('of 220 pages');
  await page.keyboard.press('Enter');
  expect(await page.locator('#picked h4').textContent()).toMatch(/ · div\./);

  await page.getByRole('button', { name: 'text', exact: true }).click();
  expect(await page.locator('#picked h4').count()).toBe(0);
  await page.getByRole('button', { name: 'Thicker bars' }).click();
  expect(trouble).toEqual([]);
  await page.close();
});

test('on paper every site has its picture, and on the screen the chosen one again', async () => {
  const data = sampleReportData({ sitePages: [30, 60, 9] });
  const { page, trouble } = await open('printed.html', renderReport(data));
  const printed = page.locator('#printed h4');
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await printed.allTextContents()).toEqual(['site-1.example.net 60 pages', 'example.org 30 pages']);
  expect(await page.locator('#printed canvas').count()).toBe(2);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await page.locator('.printed, #printed').count()).toBe(0);
  expect(await page.pdf({ format: 'A4' })).not.toHaveLength(0);
  expect(await page.locator('.printed, #printed').count()).toBe(0);
  expect(trouble).toEqual([]);
  await page.close();
});

test('a click on content opens its page, with its annotated view where there is one', async () => {
  const { page, trouble } = await open('page.html', renderReport(sampleReportData({ sitePages: [12] })));
  const picture = page.locator('.picture');
  await picture.focus();
  await page.evaluate("document.querySelector('.picture').scrollIntoView()");
  const box = (await picture.boundingBox())!;
  // just after the head of the longest page comes what only that page says
  await page.mouse.click(box.x + 4, box.y + box.height - 12);
  const card = page.locator('#picked');
  expect(await card.locator('h4 a').getAttribute('href')).toMatch(/^https:\/\/www\.example\.org\//);
  expect(await card.textContent()).toMatch(/Annotated view|chaff annotate/);
  expect(trouble).toEqual([]);
  await page.close();
});

test('every figure is saved as SVG, PNG and CSV', async () => {
  const study = sampleStudy();
  const history = sampleHistory();
  const data = {
    ...sampleReportData({ sitePages: [12], hostile: HOSTILE }),
    history,
    wireframes: [sampleWireframe('example.org', 1)],
    study: { study, figures: [...studyFigures(study), ...historyFigures(history)] },
    fragments: sampleFragmentFigures(),
  };
  const { page, trouble } = await open('saved.html', renderReport(data));
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  const savers = page.locator('.save');
  const names: string[] = [];
  for (const saver of await savers.all()) {
    const kinds = await saver.locator('button').allTextContents();
    const isInStudy = (await saver.locator('xpath=ancestor::figure//a[@download][text()="CSV"]').count()) > 0;
    expect([...kinds, ...(isInStudy ? ['CSV'] : [])]).toEqual(['SVG', 'PNG', 'CSV']);
    for (const kind of kinds) {
      const button = saver.getByRole('button', { name: kind });
      const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
      const bytes = readFileSync((await saved.path())!);
      const start = { SVG: '<svg', PNG: '\x89PNG' }[kind];
      if (start !== undefined) expect(bytes.subarray(0, 4).toString('latin1')).toBe(start);
      else expect(bytes.toString().split('\n').length).toBeGreaterThan(3);
      expect(bytes.length).toBeGreaterThan(100);
      names.push(saved.suggestedFilename());
      // the browser holds back downloads that follow each other faster
      await page.waitForTimeout(200);
    }
  }
  for (const name of ['strip-example.org', 'picture-example.org-dom', 'wireframe-1', 'history']) {
    expect(names).toEqual(expect.arrayContaining([`${name}.svg`, `${name}.png`, `${name}.csv`]));
  }
  // nothing else is drawn but the keys of legends
  const unsaved = page.locator('figure svg:not(.key)');
  for (const svg of await unsaved.all()) {
    expect(await svg.locator('xpath=ancestor::figure').first().getAttribute('data-save')).not.toBeNull();
  }
  expect(trouble.filter((each) => !each.startsWith('blob:'))).toEqual([]);
  await page.close();
}, 120_000);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe has no serious findings on the ${colorScheme} report`, async () => {
    const data = sampleReportData({ sitePages: [30, 20] });
    const history = { ...sampleHistory(), redesigns: sampleHistory().redesigns };
    const study = sampleStudy();
    const figures = [...studyFigures(study), ...historyFigures(history)];
    const html = renderReport({
      ...data,
      history,
      study: { study, figures },
      fragments: sampleFragmentFigures(),
    });
    const { page } = await open(`axe-${colorScheme}.html`, html, { colorScheme });
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    // the policy of the report lets no other script in: it runs in a world of its own
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
    });
    await session.send('Runtime.evaluate', { expression: axe.source, contextId });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run().then(({ violations }) => JSON.stringify(violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + failureSummary) }))))`,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    expect(JSON.parse(result.value as string)).toEqual([]);
    await page.close();
  });
}

test('sites can be sorted, found and picked', async () => {
  const data = sampleReportData({ sitePages: [30, 60, 9, 12, 20, 45, 15] });
  const { page, trouble } = await open('sites.html', renderReport(data));
  const names = () => page.locator('#site-table tbody tr:not([hidden]) .pick').allTextContents();
  expect((await names())[0]).toBe('site-1.example.net');
  await page.locator('#site-table th button', { hasText: 'Site' }).click();
  expect((await names())[0]).toBe('example.org');
  await page.locator('#site-table th button', { hasText: 'Pages' }).click();
  expect((await names())[0]).toBe('site-1.example.net');
  await page.locator('#find').fill('SITE-6');
  expect(await names()).toEqual(['site-6.example.net']);
  await page.locator('#site-table .pick', { hasText: 'site-6' }).click();
  expect(await page.locator('#site h2').textContent()).toBe('site-6.example.net');
  expect(page.url()).toContain('#site=site-6.example.net');
  expect(trouble).toEqual([]);
  await page.close();
});

test('nothing is wider than a phone', async () => {
  const { page } = await open('phone.html', renderReport(sampleReportData()), {
    viewport: { width: 375, height: 800 },
  });
  const overflow = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
  await page.close();
});

test('classes of fragments can be sorted, and shown by relation', async () => {
  const data = sampleReportData({ sitePages: [], hostile: HOSTILE });
  const html = renderReport({
    ...data,
    detectors: [],
    pictures: [],
    fragments: sampleFragmentFigures({ hostile: HOSTILE }),
  });
  const { page, trouble } = await open('fragments.html', html, { viewport: { width: 375, height: 800 } });
  const shown = () =>
    page
      .locator('#class-table tbody tr:not([hidden])')
      .evaluateAll((rows) => rows.map((row) => row.dataset.relation));
  expect((await shown()).slice(0, 3)).toEqual(['structural', 'complete', 'structural']);
  await page.getByRole('button', { name: 'complete', exact: true }).click();
  expect(await shown()).toEqual(Array(6).fill('complete'));
  const pages = () => page.locator('#class-table tr:not([hidden]) td:nth-child(2)').allTextContents();
  await page.locator('#class-table th button', { hasText: 'Pages' }).click();
  await page.locator('#class-table th button', { hasText: 'Pages' }).click();
  expect(await pages()).toEqual(['35', '36', '37', '38', '39', '40']);
  expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(
    0,
  );
  expect(await isHacked(page)).toBe(false);
  expect(trouble).toEqual([]);
  await page.close();
});

test('a hostile archive cannot run anything in the report', async () => {
  const data = sampleReportData({ sitePages: [30], hostile: HOSTILE });
  data.sites[0].site = data.pictures[0].site = data.pictures[1].site = `x${HOSTILE}`;
  const { page, trouble } = await open('hostile.html', renderReport(data));
  await page.locator('.picture').hover({ position: { x: 25, y: 100 } });
  await page.locator('.picture').click({ position: { x: 25, y: 100 } });
  expect(await page.locator('#picked blockquote').textContent()).toContain('<script>');
  for (const summary of await page.locator('summary').all()) await summary.click();
  expect(await isHacked(page)).toBe(false);
  expect(trouble).toEqual([]);
  await page.close();
});

const HOSTILE_PAGE = `<title>${HOSTILE}</title><body onload="window.hacked=1">{{<nav><a href="javascript:window.hacked=1">Home</a></nav>}}
<h1>T</h1><p onclick="window.hacked=1" style="background:url(http://x.example/y)">Text {{in a template}} ${HOSTILE}</p>
<p>1 <{{ x }}img src=q onerror=window.hacked=1></p>
<iframe src="http://x.example/"></iframe><link rel=stylesheet href="http://x.example/s.css"><form action="javascript:window.hacked=1">
<button>Go</button></form><table><tr><td>a<td>b</table>`;

test('an annotated page hides its templates on request, shows the reason on hover, and is inert', async () => {
  const { tree, ranges } = markedPage(HOSTILE_PAGE);
  const html = renderAnnotated(tree, ranges, {
    url: `http://example.org/${HOSTILE}`,
    time: '2009-04-01T12:00:00Z',
  });
  const { page, trouble } = await open('annotated.html', html);
  const nav = page.locator('main nav');
  await nav.hover();
  const shown = await page.evaluate(
    "getComputedStyle(document.querySelector('main nav'), '::after').content",
  );
  expect(shown).toContain('template · on 187 of 200 pages');
  await page.locator('.switch').click();
  expect(await nav.isVisible()).toBe(false);
  expect(await page.getByText('in a template').isVisible()).toBe(false);
  await page
    .locator('main .a, main .control')
    .first()
    .click({ force: true })
    .catch(() => {});
  expect(await isHacked(page)).toBe(false);
  expect(trouble).toEqual([]);
  await page.close();
});

test('stripped HTML runs nothing', async () => {
  const { tree, ranges } = markedPage(HOSTILE_PAGE);
  const { page } = await open(
    'stripped.html',
    renderHtml(tree, ranges, { url: 'file:///x' }, { styles: true }),
  );
  await page.waitForTimeout(200);
  expect(await page.locator('body').textContent()).toContain('Text');
  expect(await isHacked(page)).toBe(false);
  await page.close();
});
