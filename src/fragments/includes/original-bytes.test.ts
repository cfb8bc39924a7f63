import { expect, test } from 'vitest';
import type { Page } from '../../model/page.ts';
import { transcode } from '../../read/charset.ts';
import { originalBytes } from './rebuild-pages.ts';

function pageOf(body: Uint8Array, charset: string, source = transcode(body, charset)): Page {
  return { url: 'http://h/', charset, source, body } as Page;
}

/** Splits a page between all characters and joins the pieces again. */
function rejoined(page: Page): Buffer | null {
  const { mark, slice } = originalBytes(page);
  if (slice === null) return null;
  const ends = [...page.source.keys()].filter((at) => (page.source[at] & 0xc0) !== 0x80);
  ends.push(page.source.length);
  return Buffer.concat([mark, ...ends.slice(1).map((end, k) => slice(ends[k], end))]);
}

test.each([
  ['windows-1252', Buffer.from('<p>Gr\xfc\xdfe \x81\x9f', 'latin1')],
  ['windows-1251', Buffer.from('<p>\xcf\xf0\xe8\xe2\xe5\xf2', 'latin1')],
  ['ISO-8859-2', Buffer.from('<p>\xb1\xe6\xea', 'latin1')],
  ['KOI8-R', Buffer.from('<p>\xf0\xd2\xc9', 'latin1')],
  ['GBK', Buffer.from('<p>\xc4\xe3\xba\xc3</p>', 'latin1')],
  ['Big5', Buffer.from('<p>\xa7\x41\xa6\x6e</p>', 'latin1')],
  ['Shift_JIS', Buffer.from('<p>\x83\x65\x83\x58</p>', 'latin1')],
  ['EUC-KR', Buffer.from('<p>\xbe\xc8\xb3\xe7</p>', 'latin1')],
])('a page in %s comes back in its own bytes, piece by piece', (charset, body) => {
  expect(rejoined(pageOf(body, charset))).toEqual(body);
});

test('a byte order mark precedes the source', () => {
  const source = Buffer.from('<p>é');
  const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), source]);
  expect(rejoined(pageOf(body, 'UTF-8', source))).toEqual(body);
});

test('a page that does not encode back to its bytes cannot be split', () => {
  const broken = Buffer.from('<p>caf\xe9 caf\u00c3\u00a9', 'latin1');
  expect(rejoined(pageOf(broken, 'UTF-8'))).toBeNull();
  expect(originalBytes(pageOf(broken, 'UTF-8')).bytes).toEqual(broken);
  const wide = Buffer.from('<p>é', 'utf16le');
  expect(rejoined(pageOf(wide, 'UTF-16LE'))).toBeNull();
});

test('without its body a page is its UTF-8 source, with that charset', () => {
  const page = { charset: 'windows-1252', source: Buffer.from('<p>é') } as unknown as Page;
  const { bytes, charset } = originalBytes(page);
  expect([Buffer.from(bytes).toString(), charset]).toEqual(['<p>é', 'UTF-8']);
});
