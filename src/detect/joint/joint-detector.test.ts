import { describe, expect, it } from 'vitest';
import { threadKernel } from '../../kernel/thread-kernel.ts';
import type { Page } from '../../model/page.ts';
import type { Range } from '../../model/range.ts';
import { holdTree, PageArena } from '../../parse/page-arena.ts';
import { Parser } from '../../parse/parser.ts';
import { renderText } from '../../view/visible-text.ts';
import type { LabelContext, ParsedPage } from '../detector.ts';
import { jointDetector } from './joint-detector.ts';
import { decodeJointModel, encodeJointModel } from './joint-model.ts';
import { packagedJointModel } from './packaged-joint-model.ts';

const TOPICS = ['harbour', 'orchard', 'library', 'station', 'bakery', 'garden', 'theatre', 'market'];

/** An article with a menu, a sidebar and a footer that all pages share, and a date that differs. */
function article(topic: string, k: number): string {
  const sentence = `The ${topic} of the town was built in ${1850 + k}, and people still meet there on Sundays, as they always did.`;
  const paragraphs = Array.from(
    { length: 4 },
    (_, p) =>
      `<p>${sentence} ${p} years later it was painted ${topic} green, which nobody liked at first.</p>`,
  );
  return `<!doctype html><title>The ${topic} - Town news</title>
    <nav class="main-menu"><ul><li><a href="/">Home</a><li><a href="/sports">Sports</a><li><a href="/about">About us</a></ul></nav>
    <article><h1>The ${topic}</h1>${paragraphs.join('')}</article>
    <aside class="sidebar"><h3>Subscribe</h3><p>Get our weekly letter with all the news of the town, free of charge.</p></aside>
    <form><select><option>Choose a month</select></form>
    <footer class="footer"><p>Copyright Town news. All rights reserved.</p></footer>`;
}

const PAGES = TOPICS.map((topic, k) => ({ url: `https://town.example/${topic}`, html: article(topic, k) }));
const parser = new Parser();

function parse({ url, html }: { url: string; html: string }): ParsedPage {
  const page = { url, time: '', site: 'town.example' } as Omit<Page, 'source'>;
  return { page, tree: parser.parse(new TextEncoder().encode(html)) };
}

function* parsed(pages: typeof PAGES) {
  for (const page of pages) yield parse(page);
}

function textOf(page: (typeof PAGES)[number], ranges: Range[]): string {
  return renderText(parse(page).tree, ranges);
}

/** Forty articles and eight tables on a site without class names; the tables have a notice of several sentences. */
function twoLayouts() {
  const notice =
    'Prices of the market are fixed by the council, which meets on the first Monday of every month.';
  const prose = (k: number) =>
    `<p>Report number ${k} of the town says what the ${TOPICS[k % 8]} was like in ${1800 + k}, and who came to see it.</p>`;
  const pages = Array.from({ length: 48 }, (_, k) => {
    const body =
      k < 40
        ? `<div><h1>Report ${k}</h1></div><div>${prose(k)}${prose(k)}</div>`
        : `<div><h1>Prices ${k}</h1></div><div><table><tr><td>${prose(k)}<td>${prose(k)}</table></div><div><p>${notice}</p></div>`;
    return { url: `https://town.example/${k}`, html: `<!doctype html><title>Report ${k}</title>${body}` };
  });
  return { pages, notice };
}

const FACT = 'Closed';

describe('the joint detector', () => {
  const detector = jointDetector();
  const model = detector.learn('town.example', parsed(PAGES));

  it('keeps the article with its headline and cuts what the site repeats', () => {
    for (const [k, page] of PAGES.entries()) {
      const text = textOf(page, detector.label(parse(page), model));
      expect(text).toContain(`The ${TOPICS[k]}\n`);
      expect(text).toContain('3 years later');
      for (const shared of ['Sports', 'Subscribe', 'weekly letter', 'Copyright', 'Choose a month']) {
        expect(text).not.toContain(shared);
      }
    }
  });

  it('takes a heading that other pages have for the name of the site, also when not all have it', () => {
    const pages = PAGES.map(({ url, html }, k) => ({
      url,
      html: k % 2 === 0 ? html.replace('<nav', '<h1 class="slogan">Welcome to Town news</h1><nav') : html,
    }));
    const learnt = detector.learn('town.example', parsed(pages));
    for (const [k, page] of pages.entries()) {
      const text = textOf(page, detector.label(parse(page), learnt));
      expect(text).toContain(`The ${TOPICS[k]}\n`);
      expect(text).not.toContain('Welcome');
    }
  });

  it('gives the head of the page a range without a role, apart from the menu after it', () => {
    const pages = PAGES.map(({ url, html }) => ({
      url,
      html: html.replace('<title>', '<html><head><style>p { color: red }</style><title>'),
    }));
    const learnt = detector.learn('town.example', parsed(pages));
    const [head, menu] = detector.label(parse(pages[0]), learnt);
    const { html } = pages[0];
    expect(html.slice(head.start, head.end)).toContain('<style>');
    expect(html.slice(head.start, head.end)).not.toContain('Home');
    expect(head).toMatchObject({ label: 'template', role: undefined });
    expect(html.slice(menu.start, menu.end)).toContain('Sports');
    expect(menu).toMatchObject({ label: 'template', role: 'navigation' });
  });

  it('judges a page of a site of one page', () => {
    const alone = detector.learn('town.example', parsed(PAGES.slice(0, 1)));
    const text = textOf(PAGES[0], detector.label(parse(PAGES[0]), alone));
    expect(text).toContain('was built in 1850');
    expect(text).not.toContain('Copyright');
  });

  it('keeps an article that most pages of the site are copies of', () => {
    const copies = Array.from({ length: 12 }, (_, k) => ({
      ...PAGES[0],
      url: `https://town.example/?id=${k}`,
    }));
    for (const pages of [copies, [...copies, ...PAGES.slice(1, 3)]]) {
      const learnt = detector.learn('town.example', parsed(pages));
      expect(learnt.pagesLearnt).toBe(pages.length);
      const text = textOf(copies[5], detector.label(parse(copies[5]), learnt));
      expect(text).toContain('was built in 1850');
      expect(text).toContain('3 years later');
    }
  });

  it('cuts the notice of a layout that few pages have, also on a site without class names', () => {
    const { pages, notice } = twoLayouts();
    const learnt = detector.learn('town.example', parsed(pages));
    for (const [k, page] of pages.entries()) {
      const text = textOf(page, detector.label(parse(page), learnt));
      expect(text).toContain(`number ${k} of the town`);
      expect(text).not.toContain(notice);
    }
  });

  it('keeps a fact of this page alone that its captures before and after have', () => {
    const pages = PAGES.map(({ url, html }, k) => ({
      url,
      html:
        k === 2
          ? html.replace('</article>', `<aside class="sidebar widget"><div>${FACT}</div></aside></article>`)
          : html,
    }));
    const learnt = detector.learn('town.example', parsed(pages));
    // captures are parsed while the page is judged
    const arena = new PageArena();
    const label = (captures: Pick<LabelContext, 'earlier' | 'later'>) => {
      const { page, tree } = parse(pages[2]);
      arena.reset();
      return textOf(pages[2], detector.label({ page, tree: holdTree(tree, arena) }, learnt, captures));
    };
    expect(label({})).not.toContain(FACT);
    expect(label({ earlier: parsed([pages[2]]) })).toContain(FACT);
    expect(label({ earlier: parsed([pages[2]]), later: parsed([PAGES[2]]) })).not.toContain(FACT);
  });

  it('gives what all pages share one template id, apart from what few have', () => {
    // two pages have a notice right below the menu
    const noticed = PAGES.map(({ url, html }, k) => ({
      url,
      html: k < 2 ? html.replace('</nav>', '</nav><div class="note"><p>Notice board</p></div>') : html,
    }));
    const learnt = detector.learn('town.example', parsed(noticed));
    const menus = noticed.map((page) => {
      const ranges = detector.label(parse(page), learnt);
      const at = page.html.indexOf('Sports');
      return ranges.find(({ start, end }) => start <= at && at < end)!;
    });
    expect(menus.every(({ label }) => label === 'template')).toBe(true);
    expect(new Set(menus.map(({ template }) => template)).size).toBe(1);
  });

  it('tiles the page with ranges whose reasons give the number of pages', () => {
    const page = parse(PAGES[0]);
    const ranges = detector.label(page, model);
    expect(ranges[0].start).toBe(0);
    expect(ranges.at(-1)!.end).toBe(page.tree.source.length);
    for (let i = 1; i < ranges.length; i++) expect(ranges[i].start).toBe(ranges[i - 1].end);
    const reasons = ranges.filter(({ label }) => label === 'template').map(({ reason }) => reason);
    expect(reasons.some((reason) => reason.includes('on all 7 other pages'))).toBe(true);
  });

  it('learns the same from pages in any order, and says the same after a round trip through bytes', () => {
    const bytes = detector.encode(model);
    expect(detector.encode(detector.learn('town.example', parsed([...PAGES].reverse())))).toEqual(bytes);
    const decoded = detector.decode(bytes);
    expect(detector.encode(decoded)).toEqual(bytes);
    expect(detector.label(parse(PAGES[3]), decoded)).toEqual(detector.label(parse(PAGES[3]), model));
  });

  it('keeps more with a higher dial', () => {
    const kept = (dial: number) => {
      const turned = jointDetector({ dial });
      const alone = turned.learn('town.example', parsed(PAGES.slice(0, 1)));
      return textOf(PAGES[0], turned.label(parse(PAGES[0]), alone)).length;
    };
    expect(kept(4)).toBeGreaterThanOrEqual(kept(1));
    expect(kept(1)).toBeGreaterThanOrEqual(kept(0.25));
    expect(() => jointDetector({ dial: 9 })).toThrow('dial');
  });

  it('says the same when the memory grows while it judges', () => {
    const before = detector.label(parse(PAGES[1]), model);
    const { heap, memory } = threadKernel();
    const taken: number[] = [];
    for (const { byteLength } = memory.buffer; memory.buffer.byteLength === byteLength; )
      taken.push(heap.take(1 << 16));
    // all room is taken: whatever this detector needs makes the memory grow
    const other = jointDetector();
    const { byteLength } = memory.buffer;
    const learnt = other.learn('town.example', parsed(PAGES));
    expect(other.label(parse(PAGES[1]), learnt)).toEqual(before);
    expect(memory.buffer.byteLength).toBeGreaterThan(byteLength);
    for (const address of taken) heap.release(address);
  });

  it('labels a page without text as content', () => {
    const page = parse({ url: 'https://town.example/empty', html: '<img src=a>' });
    expect(detector.label(page, model)).toMatchObject([{ start: 0, end: 11, label: 'content' }]);
  });
});

describe('the packaged model', () => {
  it('survives a round trip and is at most 400 kB', () => {
    const text = encodeJointModel(packagedJointModel());
    expect(encodeJointModel(decodeJointModel(text))).toBe(text);
    expect(text.length).toBeLessThan(400_000);
  });

  it('is refused when damaged, with what is wrong', () => {
    const data = JSON.parse(encodeJointModel(packagedJointModel()));
    expect(() => decodeJointModel(JSON.stringify({ ...data, version: 99 }))).toThrow('version must be 2');
    expect(() => decodeJointModel(JSON.stringify({ ...data, names: 'AAAA' }))).toThrow('names must have');
    expect(() => decodeJointModel(JSON.stringify({ ...data, first: undefined }))).toThrow('first');
  });
});
