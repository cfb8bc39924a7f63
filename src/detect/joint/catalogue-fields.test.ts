import { describe, expect, it } from 'vitest';
import type { Page } from '../../model/page.ts';
import { Parser } from '../../parse/parser.ts';
import { renderText } from '../../view/visible-text.ts';
import type { ParsedPage } from '../detector.ts';
import { type JointOptions, jointDetector } from './joint-detector.ts';

const COLOURS = ['red', 'green', 'blue', 'white'];
const parser = new Parser();

/** A camera with its values, in a table and beside inline labels, three reviews and a menu. */
function camera(k: number): string {
  const reviews = Array.from(
    { length: 3 },
    (_, review) =>
      `<p class="review">I bought camera ${k} for a trip of ${review + 2} weeks, and it took more than ${100 * (k + 1)} pictures before the battery, which is a heavy one, had to be charged.</p>`,
  );
  return `<!doctype html><title>Camera ${k}</title><body class="product page-camera-${'abcdefghijkl'[k]}">
    <ul class="menu"><li><a href="/">Start</a><li><a href="/lenses">Lenses</a><li><a href="/cart">Cart</a></ul>
    <table class="specs">
    <tr><th>Weight</th><td class="w">${300 + 7 * k} g</td></tr>
    <tr><th>Colour</th><td class="c">${COLOURS[k % 4]}</td></tr>
    <tr><th>Sensor</th><td class="s">${10 + k} megapixels</td></tr></table>
    <div class="maker">Maker: Company ${k % 5}</div>
    ${reviews.join('')}
    <ul class="more">${Array.from({ length: 6 }, (_, n) => `<li><a href="/c${k}-${n}">Offer ${k * 7 + n}</a>`).join('')}</ul>
    <div class="legal">Prices include tax.</div>`;
}

const PAGES = Array.from({ length: 12 }, (_, k) => ({ url: `https://shop.example/${k}`, html: camera(k) }));

function parse({ url, html }: (typeof PAGES)[number]): ParsedPage {
  const page = { url, time: '', site: 'shop.example' } as Omit<Page, 'source'>;
  return { page, tree: parser.parse(new TextEncoder().encode(html)) };
}

function textsOf(options: JointOptions): string[] {
  const detector = jointDetector(options);
  const parsed = function* () {
    for (const page of PAGES) yield parse(page);
  };
  const model = detector.decode(detector.encode(detector.learn('shop.example', parsed())));
  return PAGES.map((page) => {
    const own = parse(page);
    const ranges = detector.label(own, model);
    return renderText(parse(page).tree, ranges);
  });
}

describe('a catalogue', () => {
  it('keeps every value that varies over its pages, also one that many pages have', () => {
    for (const [k, text] of textsOf({}).entries()) {
      for (const value of [`${300 + 7 * k} g`, COLOURS[k % 4], `${10 + k} megapixels`, `Company ${k % 5}`]) {
        expect(text).toContain(value);
      }
      for (const shared of ['Lenses', 'Cart', 'Prices include tax']) expect(text).not.toContain(shared);
    }
  });

  it('is a table of values in the mode fields: no prose of several paragraphs, no lists of links', () => {
    for (const [k, text] of textsOf({ mode: 'fields' }).entries()) {
      for (const value of [`${300 + 7 * k} g`, COLOURS[k % 4], `Company ${k % 5}`])
        expect(text).toContain(value);
      for (const other of ['pictures before the battery', 'Offer', 'Lenses'])
        expect(text).not.toContain(other);
    }
  });

  it('refuses other modes', () => {
    expect(() => jointDetector({ mode: 'tables' as 'text' })).toThrow('mode');
  });
});
