import fc from 'fast-check';
import { expect, test } from 'vitest';
import { detectCharset } from './detect-charset.ts';

const detect = (text: string) => detectCharset(Buffer.from(text, 'latin1'));
const hex = (text: string) => Buffer.from(text, 'hex').toString('latin1');

test('Western pages are windows-1252, also with a single letter to go by', () => {
  expect(detect('<p>Les \xe9l\xe8ves \xe9taient d\xe9j\xe0 all\xe9s \xe0 la for\xeat')).toBe('windows-1252');
  expect(detect('<p>m&eacute;langer &agrave; d&eacute;sirer l&agrave; o&ugrave; \xe7a')).toBe('windows-1252');
  expect(detect('plain')).toBe('windows-1252');
});

test('a few words of Russian are Cyrillic', () => {
  expect(detect('<b>\xd2\xe5\xea\xf1\xf2\xee\xe2\xfb\xe5 \xc8\xe3\xf0\xfb</b>')).toBe('windows-1251');
});

test('Chinese and Japanese are told apart', () => {
  expect(
    detect(hex('d5e2cac7d2bbb8f6d6d0cec4cdf8d2b3a3acc6e4d6d0d3d0d0edb6e0b3a3d3c3b5c4bababad7d6').repeat(4)),
  ).toBe('gb18030');
  // これは日本語のページです。
  expect(
    detect(hex('82b182ea82cd93fa967b8cea82cc83798 15b835782c582b78142'.replaceAll(' ', '')).repeat(6)),
  ).toBe('Shift_JIS');
});

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => typeof detectCharset(bytes) === 'string'),
    { numRuns: 500 },
  );
});

test('a page of one megabyte is judged by its first kilobytes', () => {
  const body = Buffer.alloc(1024 * 1024, '\xcf\xf0\xe8\xe2\xe5\xf2 ', 'latin1');
  expect(detectCharset(body)).toBe('windows-1251');
});
