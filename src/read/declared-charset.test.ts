import { expect, test } from 'vitest';
import { charsetNamed, metaCharset } from './declared-charset.ts';

test.each([
  ['utf-8', 'UTF-8'],
  ['UTF_8', 'UTF-8'],
  [' utf8 ', 'UTF-8'],
  ['latin1', 'windows-1252'],
  ['iso-88591', 'windows-1252'],
  ['iso8859_2', 'ISO-8859-2'],
  ['is0-8859-1', 'windows-1252'],
  ['8859-15', 'ISO-8859-15'],
  ['win-1251', 'windows-1251'],
  ['windows_1250', 'windows-1250'],
  ['cp936', 'GBK'],
  ['CP932', 'Shift_JIS'],
  ['shift-jis', 'Shift_JIS'],
  ['x-sjis', 'Shift_JIS'],
  ['eucjp', 'EUC-JP'],
  ['big-5', 'Big5'],
  ['koi8r', 'KOI8-R'],
  ['gb-2312', 'GBK'],
  ['tis-620', 'windows-874'],
])('the label %s means %s', (label, name) => {
  expect(charsetNamed(label)).toBe(name);
});

test.each(['', 'klingon', 'utf-16', 'x-user-defined', 'hz-gb-2312', 'iso-8859-99', 'none'])(
  'the label "%s" names no readable charset',
  (label) => {
    expect(charsetNamed(label)).toBeNull();
  },
);

const meta = (html: string) => metaCharset(Buffer.from(html, 'latin1'));

test('a meta element declares the charset, a commented one does not', () => {
  expect(meta('<meta charset="koi8-r">')).toBe('KOI8-R');
  expect(meta('<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=windows-1251">')).toBe(
    'windows-1251',
  );
  expect(meta('<!-- <meta charset=koi8-r> --><meta charset=big5>')).toBe('Big5');
  expect(meta('<p>charset=big5')).toBeNull();
});

test('a misspelt or late meta element and an XML declaration are found', () => {
  expect(meta('<meta http-equiv="Content-Type" content="text/html; charset=iso-88592">')).toBe('ISO-8859-2');
  expect(meta('<meta name="x" content="text/html; charset=koi8-r">')).toBe('KOI8-R');
  expect(meta(`${' '.repeat(5000)}<meta charset=big5>`)).toBe('Big5');
  expect(meta('<?xml version="1.0" encoding="windows-1250"?><html>')).toBe('windows-1250');
});

test('a commented meta element is ignored beyond the first kilobyte, too', () => {
  const filler = '<p>'.repeat(400);
  const commented = `${filler}<!-- <meta charset=koi8-r> -->`;
  expect(metaCharset(Buffer.from(commented))).toBe(null);
  expect(metaCharset(Buffer.from('<!-- <meta charset=koi8-r> --><p>'))).toBe(null);
  expect(metaCharset(Buffer.from(`${commented}<meta charset=windows-1251>`))).toBe('windows-1251');
});

test('thousands of unfinished meta elements are read in linear time', () => {
  expect(meta('<meta charse'.repeat(5000))).toBeNull();
});
