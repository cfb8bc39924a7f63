import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/seeded-random.ts';
import { DICTIONARY_TAIL } from './brotli-dictionary.ts';
import { buildDictionary, hashWindows, WINDOW_BYTES } from './build-dictionary.ts';

const menu = '<ul class="menu"><li><a href="/news">News</a></li><li><a href="/shop">Shop</a></li></ul>';
const footer = '<div id="footer">All rights reserved, imprint and privacy on the usual pages</div>';

test('text on the most pages comes last, and the end is marked', () => {
  const pages = [`${menu}one`, `${menu}two${footer}`, `${menu}three${footer}`, `${menu}four`];
  expect(build([footer, menu], pages)).toBe(footer + menu);
});

test('no text is in the dictionary twice', () => {
  const whole = `<div>${menu}${footer}</div>`;
  const pages = [`${whole}1`, `${whole}2`, `${whole}3`];
  const dictionary = build([whole, menu, footer, whole], pages);
  expect(dictionary).toBe(whole);
});

test('only the constant parts are taken of a fragment that differs between pages', () => {
  const card = (text: string) =>
    `<div class="card" data-kind="teaser">${text.repeat(200)}<hr class="end of the whole card"></div>`;
  const dictionary = build([card('Heron')], ['Heron', 'Kingfisher', 'Oystercatcher'].map(card));
  expect(dictionary).toBe('<div class="card" data-kind="teaser"><hr class="end of the whole card"></div>');
});

test('a short difference does not split a fragment', () => {
  const item = (name: string) => `<li class="item"><a href="/items/list">${name}</a><span class="price">`;
  expect(build([item('Heron')], ['Heron', 'Kingfisher', 'Oystercatcher'].map(item))).toBe(item('Heron'));
});

test('text on a single page is not taken', () => {
  expect(build([menu], [menu, 'something else'])).toBe('');
  expect(buildDictionary({ fragments: [], pages: [] }, 1000)).toEqual(new Uint8Array(0));
});

test('a full dictionary omits the least shared text', () => {
  const pages = [menu + footer, menu + footer, menu];
  const bytes = buildDictionary(
    {
      fragments: [footer, menu].map((text) => Buffer.from(text)),
      pages: pages.map((text) => Buffer.from(text)),
    },
    menu.length + DICTIONARY_TAIL.length,
  );
  expect(bytes).toEqual(new Uint8Array([...Buffer.from(menu), ...DICTIONARY_TAIL]));
});

test('windows have equal hashes if and only if they are equal', () => {
  const random = seededRandom(7);
  const bytes = Uint8Array.from({ length: 3000 }, () => Math.floor(random() * 3));
  const { count, low, high } = hashWindows(bytes);
  expect(count).toBe(bytes.length - WINDOW_BYTES + 1);
  const texts = new Map<string, string>();
  for (let i = 0; i < count; i++) {
    const text = bytes.subarray(i, i + WINDOW_BYTES).join('');
    const hash = `${low[i]} ${high[i]}`;
    expect(texts.get(hash) ?? text).toBe(text);
    texts.set(hash, text);
  }
  expect(new Set(texts.values()).size).toBe(texts.size);
});

function build(fragments: string[], pages: string[]): string {
  const material = {
    fragments: fragments.map((text) => Buffer.from(text)),
    pages: pages.map((text) => Buffer.from(text)),
  };
  const bytes = Buffer.from(buildDictionary(material, 10_000));
  if (bytes.length === 0) return '';
  const end = bytes.length - DICTIONARY_TAIL.length;
  expect(bytes.subarray(end)).toEqual(Buffer.from(DICTIONARY_TAIL));
  return bytes.subarray(0, end).toString();
}
