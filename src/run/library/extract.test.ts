import { expect, test } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { type ExtractOptions, extract } from './extract.ts';
import { label } from './label-pages.ts';
import { SiteModels } from './learn-pages.ts';

const STORY =
  '<p>The harbour was quiet in the morning 😀, and the boats had not yet left for the sea: grüße, 漢字.</p>';
const MENU = '<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/weather">Weather</a></nav>';
const HTML = `<!doctype html><title>Harbour</title>${MENU}<h1>Quiet café</h1>${STORY.repeat(6)}<footer>© Keepers of the harbour</footer>`;
const URL = 'https://a.example/harbour';

test('one call gives title, text, Markdown, HTML and regions', () => {
  const { title, text, markdown, html, url, charset } = extract(HTML, { url: URL });
  expect({ title, url, charset }).toEqual({ title: 'Quiet café', url: URL, charset: 'UTF-8' });
  expect(text).toMatch(/^Quiet café\nThe harbour was quiet/);
  expect(markdown).toMatch(/^# Quiet café\n\nThe harbour was quiet/);
  expect(html).toContain('<h1>Quiet café</h1><p>The harbour');
  for (const form of [text, markdown, html]) expect(form).not.toMatch(/Weather|Keepers/);
});

test('a page is judged as the joint detector judges a page of an unknown site', async () => {
  const { regions } = extract(new TextEncoder().encode(HTML), { url: URL });
  const [{ ranges }] = await collect(label([{ url: URL, html: HTML }], new SiteModels([])));
  expect(regions).toEqual(ranges.map(({ template: _, ...range }) => range));
});

test('the string sliced at each region is the region, beyond ASCII and behind a byte order mark', () => {
  for (const html of [HTML, `\ufeff${HTML}`]) {
    const { regions } = extract(html, { url: URL });
    expect(regions.map(({ start, end }) => html.slice(start, end)).join('')).toBe(
      html.replace(/^\ufeff/, ''),
    );
    const sliced = (role: string) => {
      const { start, end } = regions.find((region) => region.role === role)!;
      return html.slice(start, end);
    };
    expect(sliced('title')).toBe('<h1>Quiet café</h1>');
    expect(sliced('footer')).toBe('<footer>© Keepers of the harbour</footer>');
  }
});

test('bytes are read in the charset that they declare or show', () => {
  const russian = '<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0!</p>';
  const { text, charset } = extract(Buffer.from(russian, 'latin1'));
  expect([text, charset]).toEqual(['Привет, мир!', 'windows-1251']);
  expect(extract(Buffer.from(HTML)).charset).toBe('UTF-8');
});

test('options of the detector hold, and other names are refused', () => {
  const { text } = extract(HTML, { url: URL, roles: { without: ['title'] } });
  expect(text).toMatch(/^The harbour/);
  expect(extract(HTML, { url: URL }).text).toMatch(/^Quiet café/);
  expect(() => extract(HTML, { format: 'text' } as ExtractOptions)).toThrow('unknown option "format"');
  expect(() => extract(HTML, { dial: 9 })).toThrow('dial must be a number from 0.25 to 4');
});

test('what is not a page is refused with what to pass instead', () => {
  const wrong = (html: unknown) => () => extract(html as string);
  expect(wrong(undefined)).toThrow('html must be a string or bytes (Uint8Array), not undefined');
  expect(wrong(Promise.resolve(HTML))).toThrow('not a Promise: await it first');
  expect(wrong(new Response(HTML))).toThrow('pass await response.text()');
  expect(wrong(new ArrayBuffer(8))).toThrow('pass new Uint8Array(buffer)');
  expect(() => extract(HTML, { url: 'harbour.html' })).toThrow('url must be absolute');
  expect(() => extract(HTML, { limits: { pageBytes: 10 } })).toThrow('over 10 (limits.pageBytes)');
  expect(() => extract(HTML, { limits: { nodes: 8 } })).toThrow('more than 8 nodes');
});

test('an empty page gives an empty text', () => {
  expect(extract('')).toMatchObject({ title: '', text: '', regions: [] });
});

test('an address that crawls hold but that is no valid URL is taken', () => {
  const { url, markdown } = extract(
    '<h1>Lists</h1><p>See <a href="b.html">the next page</a> about lists.</p>',
    {
      url: 'https://python3.11/a.html',
    },
  );
  expect(url).toBe('https://python3.11/a.html');
  expect(markdown).toContain('the next page');
});
