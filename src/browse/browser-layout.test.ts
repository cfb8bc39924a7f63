import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boxesByName, missingBrowser, parsedPage } from '../../test/shown-page.ts';
import { WINDOW_WIDTH } from '../layout/boxes.ts';
import type { Resource } from '../read/read-resource.ts';
import { BrowserLayout, type LayoutResult } from './browser-layout.ts';
import { layOutInOrder } from './layout-in-order.ts';
import type { Resources } from './resources.ts';

const missing = await missingBrowser();

/** Answers of the archive; each test sets its own. */
let answers: Record<string, Partial<Resource>> = {};
const asked: string[] = [];
const resources: Resources = {
  isEmpty: false,
  find(url) {
    asked.push(url);
    const found = answers[url];
    return found ? { status: 200, contentType: '', location: '', body: new Uint8Array(0), ...found } : null;
  },
};
const css = (text: string, contentType = 'text/css'): Partial<Resource> => ({
  contentType,
  body: Buffer.from(text),
});

describe.skipIf(missing !== '')(missing === '' ? 'in a browser' : `skipped: ${missing}`, () => {
  let layout: BrowserLayout;

  beforeAll(async () => {
    layout = await BrowserLayout.open({ tabs: 2, resources, restartPages: 30, pageMs: 40_000 });
  });

  afterAll(async () => {
    await layout?.close();
  });

  async function show(html: string, options = {}): Promise<Record<string, number[]>> {
    const parsed = parsedPage(html, options);
    const laidOut = await layout.layOut(parsed);
    expect(laidOut.problem).toBeUndefined();
    return boxesByName(parsed, laidOut);
  }

  test('every node has the box where the browser shows it, in pixels of the page', async () => {
    const parsed = parsedPage(
      '<!doctype html><style>body { margin: 10px } p { margin: 0; height: 50px }</style><div><p>Hello</p><section></section></div>',
    );
    const laidOut = await layout.layOut(parsed);
    const { body, div, p, section, style, 'p text': text } = boxesByName(parsed, laidOut);
    expect(body).toEqual([10, 10, WINDOW_WIDTH - 20, 50]);
    expect(div).toEqual(body);
    expect(p).toEqual(body);
    expect(text.slice(0, 2)).toEqual([10, 10]);
    expect(text[2]).toBeLessThan(100);
    expect(section[2] * section[3]).toBe(0);
    expect(style[2] * style[3]).toBe(0);
    expect(laidOut).toMatchObject({ elements: 7, joinedElements: 7, texts: 2, joinedTexts: 2 });
    expect(laidOut.boxes).toMatchObject({ pageWidth: WINDOW_WIDTH, pageHeight: 70 });
    expect(laidOut.boxes?.origin).toMatch(/^Chromium \d+\./);
    expect(laidOut.boxes?.origin).toBe(layout.origin);
  });

  test('a page without a doctype is shown in quirks mode', async () => {
    // in quirks mode a table inherits no colour or font size from the body, and percentage heights refer to
    // the window
    const { div } = await show('<body style="margin: 0"><div style="height: 50%"></div>');
    const { div: standard } = await show(
      '<!doctype html><body style="margin: 0"><div style="height: 50%"></div>',
    );
    expect(div[3]).toBe(512);
    expect(standard[3]).toBe(0);
  });

  test('the content of noscript is shown, because scripts do not run', async () => {
    const { div, p, ul } = await show(
      '<noscript><div style="height: 40px">x</div></noscript><p style="height: 40px">y</p>' +
        '<script>document.querySelector("p").remove()</script><ul style="height: 40px" onclick="x()"></ul>',
    );
    expect([div[3], p[3], ul[3]]).toEqual([40, 40, 40]);
  });

  test('content moved out of tables and misnested or reopened formatting get their boxes', async () => {
    const parsed = parsedPage(
      '<table><div style="height: 30px">moved</div><tr><td>cell</table><p><a href=x><b>1<section>2</a>3</section>',
    );
    const laidOut = await layout.layOut(parsed);
    expect(boxesByName(parsed, laidOut).div[3]).toBe(30);
    expect(laidOut.joinedElements).toBe(laidOut.elements);
  });

  test('stylesheets, their imports and images come from the archive', async () => {
    answers = {
      'http://example.com/site/a.css': css('@import "sub/b.css"; div { height: 111px }'),
      'http://example.com/site/sub/b.css': css('p { height: 222px }', 'text/plain'),
      'http://example.com/moved.css': { status: 302, location: '/site/c.css' },
      'http://example.com/site/c.css': css('ul { height: 333px }'),
      'http://cdn.example.net/i.svg': {
        contentType: 'image/svg+xml',
        body: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="77" height="66"></svg>'),
      },
    };
    const { div, p, ul, img } = await show(
      '<!doctype html><link rel=stylesheet href=a.css><link rel=stylesheet href=/moved.css>' +
        '<div></div><p></p><ul></ul><img src="//cdn.example.net/i.svg" loading=lazy>',
      { url: 'http://example.com/site/page.html' },
    );
    expect([div[3], p[3], ul[3], img[2], img[3]]).toEqual([111, 222, 333, 77, 66]);
  });

  test('scripts, frames, media and prefetches are never requested', async () => {
    asked.length = 0;
    await show(
      '<script src=/a.js></script><iframe src=/frame.html></iframe><object data=/o></object><embed src=/e>' +
        '<video src=/v></video><link rel=prefetch href=/p><link rel=manifest href=/m><link rel=preload as=script href=/l>' +
        '<img src=/image.png>',
    );
    expect(asked).toEqual(['http://example.com/image.png']);
  });

  test.for([
    ['an empty page', ''],
    ['one text', 'just text'],
    ['no body', '<head><title>t</title></head>'],
    ['a frameset', '<frameset cols="30%,*"><frame src=a.html><frame src=b.html></frameset>'],
    ['a page that ends inside a tag', '<p>text</p><div class="'],
  ])('%s has boxes', async ([, html]) => {
    const parsed = parsedPage(html);
    const laidOut = await layout.layOut(parsed);
    expect(laidOut.problem).toBeUndefined();
    expect(laidOut.boxes?.nodeCount).toBe(parsed.tree.nodeCount);
    expect(laidOut.joinedElements).toBe(laidOut.elements);
  });

  test('the frames of a frameset share the window', async () => {
    const { frameset, frame } = await show(
      '<frameset cols="25%,*"><frame src=a.html><frame src=b.html></frameset>',
    );
    expect(frameset.slice(2)).toEqual([WINDOW_WIDTH, 1024]);
    expect(frame[2]).toBeCloseTo(WINDOW_WIDTH / 4, -1);
  });

  test('a page whose CSS hides everything has no area anywhere', async () => {
    for (const style of [
      '* { display: none !important }',
      'body { visibility: hidden }',
      'body { position: absolute; left: -9999px }',
    ]) {
      const boxes = await show(`<!doctype html><style>${style}</style><div><p>text</p></div>`);
      expect([style, boxes.p[2] * boxes.p[3], boxes['p text'][2] * boxes['p text'][3]]).toEqual([
        style,
        0,
        0,
      ]);
    }
  });

  test('100,000 nodes have boxes', async () => {
    const parsed = parsedPage(`<!doctype html><body>${'<p>a</p>'.repeat(50_000)}`);
    const laidOut = await layout.layOut(parsed);
    expect(laidOut).toMatchObject({ elements: 50_003, joinedElements: 50_003, joinedTexts: 50_000 });
    const { boxes } = laidOut;
    expect(boxes?.top[parsed.tree.nodeCount - 2]).toBeGreaterThan(boxes?.top[4] as number);
  });

  test('animations are stopped, so a page has the same boxes each time', async () => {
    const html =
      '<!doctype html><style>@keyframes grow { from { width: 100px } to { width: 900px } } div { height: 9px; animation: grow 1s infinite }</style>' +
      `<div></div><table>${'<tr><td>some words<td>more'.repeat(50)}</table>`;
    const parsed = parsedPage(html);
    const all = await Promise.all(Array.from({ length: 5 }, () => layout.layOut(parsed)));
    expect(boxesByName(parsed, all[0]).div[2]).toBe(100);
    for (const { boxes } of all) expect(boxes).toEqual(all[0].boxes);
  });

  test('pages are returned in their order, including pages without a tree', async () => {
    const heights = Array.from({ length: 20 }, (_, i) => (i % 7 === 3 ? 0 : i + 1));
    const parse = (height: number) =>
      height === 0
        ? null
        : parsedPage(
            `<!doctype html><div style="height: ${height}px"></div>${'<p>x'.repeat(((height * 37) % 10) * 50)}`,
          );
    const seen: number[] = [];
    const before = layout.restarts;
    for await (const { item, laidOut } of layOutInOrder(heights, { layout, parse })) {
      const height = laidOut ? boxesByName(parse(item) as never, laidOut).div[3] : 0;
      expect(height).toBe(item);
      seen.push(item);
    }
    expect(seen).toEqual(heights);
    // the browser was restarted on the way
    expect(layout.restarts).toBeGreaterThan(before);
  });

  test('a closed browser accepts no pages and rejects those that wait', async () => {
    const own = await BrowserLayout.open({ tabs: 1 });
    const waiting: Promise<LayoutResult>[] = [1, 2, 3].map(() => own.layOut(parsedPage('<p>x')));
    await own.close();
    for (const laidOut of await Promise.all(waiting)) {
      if (laidOut.boxes === null) expect(laidOut.problem?.code).toBe('bad-layout');
    }
    expect(() => own.layOut(parsedPage('<p>x'))).toThrow('closed');
  });
});

test('invalid settings are refused', async () => {
  await expect(BrowserLayout.open({ tabs: 0 })).rejects.toThrow('tabs must be a whole number from 1, not 0');
  await expect(BrowserLayout.open({ tabs: 1000 })).rejects.toThrow('tabs must be at most 64');
  await expect(BrowserLayout.open({ pageMs: Number.NaN })).rejects.toThrow('pageMs');
});
