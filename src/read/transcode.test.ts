import { TextDecoder } from '@exodus/bytes/encoding.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transcode } from './charset.ts';

const SINGLE_BYTE = [
  'IBM866',
  'ISO-8859-2',
  'ISO-8859-3',
  'ISO-8859-4',
  'ISO-8859-5',
  'ISO-8859-6',
  'ISO-8859-7',
  'ISO-8859-8',
  'ISO-8859-8-I',
  'ISO-8859-10',
  'ISO-8859-13',
  'ISO-8859-14',
  'ISO-8859-15',
  'ISO-8859-16',
  'KOI8-R',
  'KOI8-U',
  'macintosh',
  'windows-874',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'x-mac-cyrillic',
];
const MULTI_BYTE = [
  'GBK',
  'gb18030',
  'Big5',
  'EUC-JP',
  'ISO-2022-JP',
  'Shift_JIS',
  'EUC-KR',
  'UTF-16LE',
  'UTF-16BE',
  'UTF-8',
];

test.each([...SINGLE_BYTE, ...MULTI_BYTE])('%s is read as the Encoding standard defines', (charset) => {
  const decoder = new TextDecoder(charset);
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(Buffer.from(transcode(all, charset)).toString()).toBe(decoder.decode(all));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      expect(Buffer.from(transcode(bytes, charset)).toString()).toBe(decoder.decode(bytes));
    }),
    { numRuns: 50 },
  );
});

test.each(SINGLE_BYTE)('every character of %s is converted', (charset) => {
  // each byte with a character is converted to UTF-8, and back by searching for that character
  const decoder = new TextDecoder(charset);
  const byteOf = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) byteOf.set(decoder.decode(Uint8Array.of(byte)), byte);
  byteOf.delete('\ufffd');
  expect(byteOf.size).toBeGreaterThan(200);
  const bytes = Uint8Array.from(byteOf.values());
  const back = Array.from(Buffer.from(transcode(bytes, charset)).toString(), (character) =>
    byteOf.get(character),
  );
  expect(back).toEqual([...bytes]);
});

const WORDS: [charset: string, hex: string, text: string][] = [
  ['GBK', 'd6d0cec4', '中文'],
  ['gb18030', 'd6d0ce c48130 8130'.replaceAll(' ', ''), '中文\u0080'],
  ['Big5', 'a4a4a4e5', '中文'],
  ['EUC-JP', 'c6fccbdcb8ec', '日本語'],
  ['Shift_JIS', '93fa967b8cea', '日本語'],
  ['ISO-2022-JP', '1b2442467c4b5c386c1b2842', '日本語'],
  ['EUC-KR', 'c7d1b1db', '한글'],
  ['windows-1255', 'f9ece5ed', 'שלום'],
  ['windows-1256', 'd3e1c7e3', 'سلام'],
  ['windows-1253', 'e3e5e9e1', 'γεια'],
  ['windows-874', 'e4b7c2', 'ไทย'],
  ['KOI8-R', 'f0d2c9d7c5d4', 'Привет'],
  ['ISO-8859-2', 'bea95b', 'žŠ['],
];

test.each(WORDS)('a word in %s is read', (charset, hex, text) => {
  expect(Buffer.from(transcode(Buffer.from(hex, 'hex'), charset)).toString()).toBe(text);
});
