import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transcode } from './charset.ts';
import { detectCharset } from './detect-charset.ts';

const detect = (text: string) => detectCharset(Buffer.from(text, 'latin1'));
const hex = (text: string) => Buffer.from(text, 'hex').toString('latin1');

test('Western pages are windows-1252, even with a single letter beyond ASCII', () => {
  expect(detect('<p>Les \xe9l\xe8ves \xe9taient d\xe9j\xe0 all\xe9s \xe0 la for\xeat')).toBe('windows-1252');
  expect(detect('<p>m&eacute;langer &agrave; d&eacute;sirer l&agrave; o&ugrave; \xe7a')).toBe('windows-1252');
  expect(detect('plain')).toBe('windows-1252');
});

test('a few words of Russian are recognised as Cyrillic', () => {
  expect(detect('<b>\xd2\xe5\xea\xf1\xf2\xee\xe2\xfb\xe5 \xc8\xe3\xf0\xfb</b>')).toBe('windows-1251');
});

test('Chinese and Japanese are distinguished', () => {
  expect(
    detect(hex('d5e2cac7d2bbb8f6d6d0cec4cdf8d2b3a3acc6e4d6d0d3d0d0edb6e0b3a3d3c3b5c4bababad7d6').repeat(4)),
  ).toBe('gb18030');
  // これは日本語のページです。
  expect(
    detect(hex('82b182ea82cd93fa967b8cea82cc83798 15b835782c582b78142'.replaceAll(' ', '')).repeat(6)),
  ).toBe('Shift_JIS');
});

const RUSSIAN = 'Вчера вечером в Москве прошла встреча о будущем города. Никто из жителей не был доволен.';
const THAI = 'เมื่อวานนี้มีการประชุมเกี่ยวกับอนาคตของเมืองที่กรุงเทพ ไม่มีชาวบ้านคนใดพอใจกับข้อเสนอของทางการ';
const CROATIAN = 'Jučer navečer održan je sastanak. Nijedan stanovnik nije bio zadovoljan, sljedeći tjedan.';
const undeclared: [string, string][] = [
  ['KOI8-R', RUSSIAN],
  ['windows-1251', RUSSIAN],
  ['ISO-8859-5', RUSSIAN],
  ['IBM866', RUSSIAN],
  ['KOI8-U', 'Вчора ввечері у Києві відбулася зустріч про майбутнє міста. Її пропозиції'],
  ['windows-874', THAI],
  ['ISO-8859-2', CROATIAN],
  ['windows-1252', 'La città è bella perché qui la gente è felice'],
];
for (const [charset, text] of undeclared) {
  test(`two sentences in ${charset} are read in that charset`, () => {
    const body = encode(`<p>${text}</p>`, charset);
    expect(Buffer.from(transcode(body, detectCharset(body))).toString()).toBe(`<p>${text}</p>`);
  });
}

test('three letters with marks are too few to distinguish from Western text', () => {
  // alone, the detector takes this for Hungarian
  expect(detect('<p>Cat\xe1logo</p>')).toBe('windows-1252');
});

test('no input makes detection throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(detectCharset(bytes)).toBeTypeOf('string');
    }),
    { numRuns: 500 },
  );
});

test('a page of one megabyte is judged by its first kilobytes', () => {
  const body = Buffer.alloc(1024 * 1024, '\xcf\xf0\xe8\xe2\xe5\xf2 ', 'latin1');
  expect(detectCharset(body)).toBe('windows-1251');
});

/** Encodes a text in a single-byte charset. */
function encode(text: string, charset: string): Uint8Array {
  const bytes = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++)
    bytes.set(Buffer.from(transcode(Uint8Array.of(byte), charset)).toString(), byte);
  return Uint8Array.from(text, (character) => bytes.get(character)!);
}
