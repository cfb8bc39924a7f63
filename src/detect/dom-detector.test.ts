import { expect, test } from 'vitest';
import {
  labelOne,
  learn,
  makePage,
  parsePage,
  samplePages,
  testDetector,
  words,
} from '../../test/detector-contract.ts';
import type { Page } from '../model/page.ts';
import { joinSlots, type Range } from '../model/range.ts';
import { domDetector } from './dom-detector.ts';
import type { DomOptions } from './dom-settings.ts';

testDetector(domDetector());
testDetector(domDetector({ evidence: 'content' }), 'dom by content');
testDetector(domDetector({ evidence: 'content', bounds: 'every-node' }), 'dom with bounds of every node');

/** Returns the source of each occurrence of a template, with its slots. */
function templates(page: Page, pages: readonly Page[], options: DomOptions = {}): string[] {
  const detector = domDetector(options);
  return joinSlots(labelOne(detector, learn(detector, pages), page))
    .filter(({ label }) => label === 'template')
    .map((range) => sourceOf(page, range));
}

const sourceOf = (page: Page, { start, end }: Range) =>
  Buffer.from(page.source.subarray(start, end)).toString();

/** A site with one body per page. */
const site = (count: number, body: (i: number) => string): Page[] =>
  Array.from({ length: count }, (_, i) => makePage(`<html><body>${body(i)}</body></html>`, i));

test('the menu and the footer are template, the article is not', () => {
  const pages = samplePages(24);
  for (const page of pages) {
    const found = templates(page, pages);
    expect(found.some((html) => html.startsWith('<div class="menu">'))).toBe(true);
    expect(found.some((html) => html.startsWith('<div class="footer">'))).toBe(true);
    expect(found.join()).not.toContain(words(4, pages.indexOf(page)));
  }
});

test('a node is template on at least 10 % of the pages and at least three', () => {
  const shared = '<div id=s>shared by some</div>';
  const pages = (sharing: number, count: number) =>
    site(count, (i) => `${i < sharing ? shared : '<div></div>'}<p>${words(9, i)}</p>`);
  expect(templates(pages(19, 200)[0], pages(19, 200))).not.toContain(shared);
  expect(templates(pages(20, 200)[0], pages(20, 200))).toContain(shared);
  expect(templates(pages(2, 10)[0], pages(2, 10))).not.toContain(shared);
  expect(templates(pages(3, 10)[0], pages(3, 10))).toContain(shared);
});

test('nodes with attributes in another order are equal, nodes with other values are not', () => {
  const pages = site(
    10,
    (i) => `<div ${i % 2 ? 'id=a class=b' : 'class=b id=a'}>the same</div><p>${words(9, i)}</p>`,
  );
  expect(templates(pages[0], pages)[0]).toContain('the same');
  const others = site(10, (i) => `<div id=a${i}><img src=${i}.gif></div><p>${words(9, i)}</p>`);
  expect(templates(others[0], others)).toEqual([]);
});

test('a menu printed twice per page is template in both places', () => {
  const menu = '<ul class=menu><li><a href="/">Home</a><li><a href="/x">News</a></ul>';
  const pages = site(12, (i) => `<div>${menu}<p>${words(20, i)}</p>${menu}</div>`);
  expect(templates(pages[0], pages).filter((html) => html === menu)).toHaveLength(2);
});

test('<br> and other trivial nodes are not templates, unless requested', () => {
  const pages = site(12, (i) => `<p>${words(5, i)}<br>${words(5, i + 50)}<br>${words(5, i + 100)}</p>`);
  expect(templates(pages[0], pages)).toEqual([]);
  expect(templates(pages[0], pages, { upperShare: 9 })).toEqual(['<br>', '<br>']);
});

test('a comment does not become a template by itself', () => {
  const pages = site(12, (i) => `<!-- the same everywhere --><p>${words(5, i)}</p>`);
  expect(templates(pages[0], pages)).toEqual([]);
});

test('sibling templates are joined across a small slot, not across a large one', () => {
  const pages = (slot: (i: number) => string) =>
    site(12, (i) => `<div><b>Today is</b><i>${slot(i)}</i><b>on this site</b><p>${words(30, i)}</p></div>`);
  const small = pages((i) => `${i + 1} May 2011`);
  expect(templates(small[4], small)).toEqual(['<b>Today is</b><i>5 May 2011</i><b>on this site</b>']);
  expect(templates(small[4], small, { gapBytes: 0 })).toEqual(['<b>Today is</b>', '<b>on this site</b>']);
  const large = pages((i) => words(12, i));
  expect(templates(large[4], large)).toEqual(['<b>Today is</b>', '<b>on this site</b>']);
});

test('the changing content between sibling templates is a slot, and the reason of each range is true of it', () => {
  const pages = site(
    12,
    (i) =>
      `<div><b>Posted</b><!-- x --> <i>${i + 1} May</i> by<u>u${i}</u><b>in</b><i>No. ${i}</i><b>end</b><p>${words(30, i)}</p></div>`,
  );
  const detector = domDetector({ gapBytes: 64, gapTextBytes: 64 });
  const ranges = labelOne(detector, learn(detector, pages), pages[4]);
  expect(
    ranges
      .filter(({ label }) => label !== 'content')
      .map((range) => `${range.label} ${sourceOf(pages[4], range)}`),
  ).toEqual([
    'template <b>Posted</b><!-- x --> ',
    'slot <i>5 May</i>',
    'template  by',
    'slot <u>u4</u>',
    'template <b>in</b>',
    'slot <i>No. 4</i>',
    'template <b>end</b>',
  ]);
  const [template, slot] = ranges.filter(({ label }) => label !== 'content');
  expect(template.reason).toBe('on 12 of 12 pages');
  expect(slot.reason).toBe('changing content; the template around it: on 12 of 12 pages');
  expect(new Set(ranges.slice(1, -1).map((range) => range.template)).size).toBe(1);
});

test('sibling templates on different numbers of pages are joined', () => {
  const pages = site(
    12,
    (i) => `<div><b>on all</b><i>${i < 6 ? 'on half' : words(3, i)}</i><p>${words(30, i)}</p></div>`,
  );
  expect(templates(pages[0], pages)).toEqual(['<b>on all</b><i>on half</i>']);
  const detector = domDetector();
  const [range] = labelOne(detector, learn(detector, pages), pages[0]).filter(
    ({ label }) => label === 'template',
  );
  expect(range.reason).toBe('on 6 of 12 pages');
});

test('with `every-node`, bounds count occurrences of every node, as in the paper', () => {
  const options: DomOptions = { bounds: 'every-node', evidence: 'content', gapBytes: 0 };
  // 30 pages: from 3 occurrences up to 30
  const menu = '<ul class=menu><li><a href="/">Home</a></ul>';
  const twice = site(30, (i) => `<div>${menu}<p>${words(20, i)}</p>${menu}</div>`);
  expect(templates(twice[0], twice, options)).toEqual([]); // 60 occurrences
  expect(templates(twice[0], twice, { ...options, bounds: 'small-nodes' })).toEqual([menu, menu]);
  // three times on one page are three occurrences
  const three = site(30, (i) =>
    i === 7 ? `${menu}<p>a</p>${menu}<p>b</p>${menu}` : `<p>${words(9, i)}</p>`,
  );
  expect(templates(three[7], three, options)).toEqual([menu, menu, menu]);
  expect(templates(three[7], three, { ...options, bounds: 'small-nodes' })).toEqual([]);
  expect(() => domDetector({ bounds: 'every-node' })).toThrow('bounds every-node require evidence content');
});

test('white space and comments between sibling templates do not count as a gap', () => {
  const pages = site(
    12,
    (i) => `<div><b>one</b>  <!-- ${words(30, i)} -->\n<b>two</b><p>${words(30, i)}</p></div>`,
  );
  expect(templates(pages[0], pages, { gapBytes: 0, gapTextBytes: 0 })).toHaveLength(1);
});

test('the title of a page is never part of a gap', () => {
  const pages = Array.from({ length: 12 }, (_, i) =>
    makePage(
      `<html><head><meta name=a><title>Page ${i}</title><meta name=b></head><body><p>${words(9, i)}</p></body></html>`,
      i,
    ),
  );
  expect(templates(pages[4], pages)).toEqual(['<meta name=a>', '<meta name=b>']);
});

test('a joined sequence has the same id on every page', () => {
  const pages = site(12, (i) => `<div><b>Today</b><i>${i}</i><b>here</b><p>${words(30, i)}</p></div>`);
  const detector = domDetector();
  const model = learn(detector, pages);
  const found = pages.map((page) =>
    labelOne(detector, model, page).filter(({ label }) => label === 'template'),
  );
  expect(new Set(found.map(([range]) => range.template)).size).toBe(1);
  expect(found[0][0]).toMatchObject({ reason: 'on 12 of 12 pages', score: 1 });
  expect(model.templates).toContainEqual({
    id: found[0][0].template,
    pages: 12,
    occurrences: 12,
    sizeBytes: expect.any(Number),
  });
});

test('a teaser that moves along its row is content', () => {
  const story = (n: number) => `<div><h2>${words(4, n)}</h2><p>${words(20, n + 1000)}</p></div>`;
  // listings of ten stories each, overlapping: story n is on up to six of them, each time at another position
  const pages = site(
    40,
    (i) => `<ul><li>Home</ul>${Array.from({ length: 10 }, (_, k) => story(i + k)).join('')}`,
  );
  for (const html of templates(pages[20], pages)) expect(html).toBe('<ul><li>Home</ul>');
  expect(templates(pages[20], pages, { evidence: 'content' }).join()).toContain(story(25));
});

test('a title in every sidebar is content on its own page', () => {
  const titles = [0, 1, 2].map((n) => words(5, n));
  const side = `<ul>${titles.map((title) => `<li><a href="/${title}">${title}</a></li>`).join('')}</ul>`;
  const pages = site(
    30,
    (i) => `<div><h1>${titles[i] ?? words(5, i)}</h1><p>${words(30, i + 99)}</p></div>${side}`,
  );
  expect(templates(pages[1], pages)).toEqual([side]);
  expect(templates(pages[1], pages, { evidence: 'content' })).toContain(titles[1]);
});

test('single words of a sentence are never template', () => {
  // `None` on every page, in any paragraph, after any number of other names
  const paragraph = (n: number) =>
    `<p>${words(2, n)} ${`<code>${words(1, n)}</code> or `.repeat((n * 7) % 5)}${n % 3 === 0 ? '<code>None</code>' : words(2, n)} if</p>`;
  const pages = site(
    60,
    (i) => `<ul><li>Home</ul>${Array.from({ length: 24 }, (_, k) => paragraph(i * 41 + k)).join('')}`,
  );
  for (const page of pages) expect(templates(page, pages).join()).not.toContain('None');
  expect(templates(pages[0], pages, { evidence: 'content' }).join()).toContain('None');
});

test('a label beyond the usual length of a row is also template', () => {
  const comment = (n: number) => `<li><p>${words(9, n)}</p><div class=r><a href="#r">Reply</a></div></li>`;
  const pages = site(
    30,
    (i) => `<ol>${Array.from({ length: i === 7 ? 30 : 3 }, (_, k) => comment(i * 40 + k)).join('')}</ol>`,
  );
  expect(templates(pages[7], pages).filter((html) => html.includes('Reply'))).toHaveLength(30);
});

test('a footer under a rare layout is template', () => {
  const footer = '<div class=foot><p>All rights reserved.</p><p>Imprint</p></div>';
  const pages = site(30, (i) =>
    i === 3
      ? `<center><table><tr><td>${words(30, i)}${footer}</table></center>`
      : `<div>${words(30, i)}</div>${footer}`,
  );
  expect(templates(pages[3], pages).join('')).toContain('All rights reserved.');
});

test('scores rise with the share of pages', () => {
  const pages = site(
    100,
    (i) =>
      `<b>on all</b><p>${words(9, i)}</p><i>${i < 50 ? 'on half of them' : words(3, i)}</i><p>${words(9, i + 200)}</p>`,
  );
  const detector = domDetector();
  const ranges = labelOne(detector, learn(detector, pages), pages[0]).filter(
    ({ label }) => label === 'template',
  );
  expect(ranges.map(({ reason }) => reason)).toEqual(['on 100 of 100 pages', 'on 50 of 100 pages']);
  expect(ranges[0].score).toBe(1);
  expect(ranges[1].score).toBeGreaterThan(0.5);
  expect(ranges[1].score).toBeLessThan(1);
});

test('options are checked by name', () => {
  expect(() => domDetector({ lowerShare: 2 })).toThrow('lowerShare must be a number from 0 to 1, not 2');
  expect(() => domDetector({ minPages: 2.5 })).toThrow('minPages must be a whole number');
  expect(() => domDetector({ evidence: 'paths' as never })).toThrow('evidence must be content or place');
  expect(() => domDetector({ lower: 1 } as never)).toThrow('unknown option "lower"');
});

test('a model of another detector is refused', () => {
  const detector = domDetector();
  const model = { ...learn(detector, []), detector: 'text' };
  expect(() => detector.label(parsePage(samplePages(1)[0]), model as never)).toThrow(
    'expected a model of dom',
  );
});
