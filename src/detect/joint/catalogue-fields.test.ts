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

const WORDS = [
  'ferry',
  'mill',
  'quarry',
  'lighthouse',
  'tannery',
  'bakery',
  'harbour',
  'orchard',
  'ropery',
  'kiln',
];

/** A film of which only a synopsis is prose: its values are links below their labels. */
function film(k: number): string {
  const field = (label: string, value: string) =>
    `<div class="${label.toLowerCase()}"><div class="label">${label}</div><ul><li><a href="/find/${value}">${value}</a></ul></div>`;
  const synopsis = Array.from(
    { length: 4 },
    (_, n) =>
      `In year ${k * 4 + n} the keeper of the ${WORDS[k % 10]} finds a letter of his brother, who has been away since the flood, and goes to look for him.`,
  );
  return `<!doctype html><title>Film ${k}</title>
    <ul class="menu"><li><a href="/">Start</a><li><a href="/new">New films</a></ul>
    <h1>Film ${k}</h1><p>${synopsis.join(' ')}</p>
    ${field('Genre', k % 4 === 0 ? 'Comedy' : 'Drama')}${field('Director', `Ann ${WORDS[k % 3]}`)}
    ${field('Country', ['Chile', 'Japan', 'Mali'][k % 3])}${field('Mood', ['Bleak', 'Tender'][k % 2])}`;
}

/** News of which each heading above teasers comes again further down, with the section as a link below it. */
function news(k: number): string {
  const section = ['Sports', 'Politics', 'Weather'][k % 3];
  const teasers = `<div class="more"><div class="head">Related news</div><div><a href="/s">${section}</a></div><div class="views">Read by ${k % 5} people</div></div>`;
  const text = Array.from(
    { length: 3 },
    (_, n) =>
      `<p>On day ${k * 3 + n} the council spoke of the ${WORDS[k % 10]} again, which nobody had asked for, and asked the mayor to wait.</p>`,
  );
  return `<!doctype html><title>Report ${k}</title><article><h1>Report ${k}</h1>${text.join('')}</article>${teasers.repeat(4)}`;
}

const FILMS = Array.from({ length: 12 }, (_, k) => ({ url: `https://films.example/${k}`, html: film(k) }));
const NEWS = Array.from({ length: 12 }, (_, k) => ({ url: `https://news.example/${k}`, html: news(k) }));

function parse({ url, html }: (typeof PAGES)[number]): ParsedPage {
  const page = { url, time: '', site: 'shop.example' } as Omit<Page, 'source'>;
  return { page, tree: parser.parse(new TextEncoder().encode(html)) };
}

function textsOf(options: JointOptions, pages = PAGES): string[] {
  const detector = jointDetector(options);
  const parsed = function* () {
    for (const page of pages) yield parse(page);
  };
  const model = detector.decode(detector.encode(detector.learn('shop.example', parsed())));
  return pages.map((page) => {
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

  it('may have values that are links, each below a label that is there once', () => {
    for (const [k, text] of textsOf({}, FILMS).entries()) {
      const genre = k % 4 === 0 ? 'Comedy' : 'Drama';
      for (const value of [genre, `Ann ${WORDS[k % 3]}`, ['Chile', 'Japan', 'Mali'][k % 3], 'keeper of the'])
        expect(text).toContain(value);
      expect(text).not.toContain('New films');
    }
  });

  it('is not a site of news with links below a heading that comes again', () => {
    for (const [k, text] of textsOf({}, NEWS).entries()) {
      expect(text).toContain('the mayor to wait');
      expect(text).not.toContain(`Read by ${k % 5} people`);
    }
  });

  it('refuses other modes', () => {
    expect(() => jointDetector({ mode: 'tables' as 'text' })).toThrow('mode');
  });
});
