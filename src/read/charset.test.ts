import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countUtf8, toUtf8 } from './charset.ts';

function read(body: string | Uint8Array, header = '') {
  const { bytes, charset, fault } = toUtf8(
    typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
    header,
  );
  return { text: Buffer.from(bytes).toString(), charset, fault: fault !== '' };
}

const META = (charset: string) => `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`;
const RUSSIAN = '\xcf\xf0\xe8\xe2\xe5\xf2'; // windows-1251 for Привет

test('UTF-8 is passed through without a copy', () => {
  const body = Buffer.from('<p>Grüße');
  for (const header of ['', 'utf-8', 'UTF8']) {
    const { bytes, charset, fault } = toUtf8(body, header);
    expect(bytes.buffer).toBe(body.buffer);
    expect(bytes.byteOffset).toBe(body.byteOffset);
    expect({ charset, fault }).toEqual({ charset: 'UTF-8', fault: '' });
  }
});

test('the byte order mark decides and is dropped', () => {
  const body = Buffer.from('\ufeff<p>Grüße');
  expect(read(body, 'windows-1251')).toEqual({ text: '<p>Grüße', charset: 'UTF-8', fault: false });
  const wide = Buffer.from('\ufeff<p>Grüße', 'utf16le');
  expect(read(wide, 'utf-8')).toEqual({ text: '<p>Grüße', charset: 'UTF-16LE', fault: false });
  expect(read(Buffer.from(wide).swap16())).toEqual({ text: '<p>Grüße', charset: 'UTF-16BE', fault: false });
});

test('UTF-16 is recognised without a byte order mark', () => {
  expect(read(Buffer.from('<p>Grüße', 'utf16le'))).toMatchObject({ text: '<p>Grüße', charset: 'UTF-16LE' });
  expect(read(Buffer.from('<p>Grüße', 'utf16le').swap16())).toMatchObject({
    text: '<p>Grüße',
    charset: 'UTF-16BE',
  });
});

test('the header takes precedence over the meta element', () => {
  expect(read(META('iso-8859-1') + RUSSIAN, 'windows-1251')).toMatchObject({ charset: 'windows-1251' });
  expect(read(META('iso-8859-1') + RUSSIAN, 'windows-1251').text).toContain('Привет');
  expect(read(META('windows-1251') + RUSSIAN).text).toContain('Привет');
  expect(read(`<meta charset=windows-1251>${RUSSIAN}`).text).toContain('Привет');
});

test('ISO-8859-1 is read as windows-1252, as in browsers', () => {
  expect(read('\x93quoted\x94 \x80', 'iso-8859-1')).toMatchObject({
    text: '“quoted” €',
    charset: 'windows-1252',
  });
});

test('a misspelt label is understood, an unknown one is ignored', () => {
  expect(read('\xe9t\xe9', 'iso-88591').text).toBe('été');
  expect(read(RUSSIAN, 'windows1251').text).toBe('Привет');
  expect(read(RUSSIAN, 'CP-1251').text).toBe('Привет');
  expect(read(META('windows-1251') + RUSSIAN, 'klingon').text).toContain('Привет');
});

test('an unknown label is reported if it could matter, and the text is kept', () => {
  const grüße = '<p>Grüße aus Köln';
  const noteOf = (body: string | Uint8Array, header = '') =>
    toUtf8(typeof body === 'string' ? Buffer.from(body, 'latin1') : body, header).fault;
  const inUtf8 = Buffer.from(grüße);
  expect(read(inUtf8, 'foo-123')).toEqual({ text: grüße, charset: 'UTF-8', fault: true });
  expect(noteOf(inUtf8, 'foo-123')).toBe(
    'the page is declared "foo-123", in which it cannot be read; read as UTF-8',
  );
  const meta = Buffer.from(META('foo-123') + grüße);
  expect(read(meta)).toEqual({ text: META('foo-123') + grüße, charset: 'UTF-8', fault: true });
  expect(read(meta, 'utf-8').fault).toBe(false);
  expect(read(META('foo-123') + RUSSIAN.repeat(20)).fault).toBe(true);
  expect(noteOf(META('windows-1251') + RUSSIAN, 'klingon')).toMatch(/"klingon".*read as windows-1251$/);
  expect(noteOf('<p>caf\xe9 d\xe9j\xe0', 'iso-2022-kr')).toMatch(/"iso-2022-kr".*read as windows-1252$/);
  expect(noteOf('x'.repeat(5) + RUSSIAN, 'y'.repeat(1000)).length).toBeLessThan(120);
  for (const header of ['foo-123', '']) expect(noteOf(`${META('foo-123')}<p>plain`, header)).toBe('');
  expect(noteOf('<p>caf\xe9')).toBe('');
});

test('a meta element after the first kilobyte is found', () => {
  const script = `<script>${'x'.repeat(3000)}</script>`;
  expect(read(script + META('windows-1251') + RUSSIAN)).toMatchObject({ charset: 'windows-1251' });
});

test('a content attribute that ends in charset is read safely', () => {
  expect(read('<meta http-equiv=content-type content="text/html; charset">a')).toMatchObject({
    charset: 'UTF-8',
  });
});

test('bytes that are UTF-8 are read as UTF-8, whatever is declared', () => {
  const body = Buffer.from(`${META('iso-8859-1')}<p>Grüße`);
  expect(read(body)).toMatchObject({ charset: 'UTF-8', fault: true });
  expect(read(body).text).toContain('Grüße');
  expect(read(Buffer.from('<p>日本語のページ'), 'shift_jis')).toMatchObject({
    text: '<p>日本語のページ',
    charset: 'UTF-8',
  });
});

test('a few Chinese characters that happen to be valid UTF-8 are read as declared', () => {
  expect(read('\xc1\xaa\xcd\xa8', 'gb2312')).toMatchObject({ text: '联通', charset: 'GBK', fault: false });
});

test('a few invalid bytes in UTF-8 are replaced and reported', () => {
  const body = Buffer.concat([Buffer.from('<p>Grüße aus Köln'), Buffer.from([0xff]), Buffer.from('!')]);
  expect(read(body, 'utf-8')).toEqual({ text: '<p>Grüße aus Köln\ufffd!', charset: 'UTF-8', fault: true });
});

test('a page cut within a character is still read as UTF-8', () => {
  const body = Buffer.from('<p>Grüße, ü');
  expect(read(body.subarray(0, -1), 'utf-8')).toMatchObject({ text: '<p>Grüße, \ufffd', charset: 'UTF-8' });
  const long = Buffer.from(`<p>${'ü'.repeat(30)}`);
  expect(read(long.subarray(0, -1))).toMatchObject({ charset: 'UTF-8' });
});

test('a page that is wrongly declared UTF-8 is read in its real charset', () => {
  expect(read(META('windows-1251') + RUSSIAN, 'utf-8')).toMatchObject({
    charset: 'windows-1251',
    fault: true,
  });
  expect(read('<p>caf\xe9 d\xe9j\xe0 vu, tr\xe8s bien, l\xe0-bas', 'utf-8')).toMatchObject({
    text: '<p>café déjà vu, très bien, là-bas',
    charset: 'windows-1252',
    fault: true,
  });
});

test('ISO-2022-JP is recognised by its escapes', () => {
  const body = '<p>\x1b$BF|K\\8l\x1b(B';
  expect(read(body, 'iso-2022-jp')).toMatchObject({ text: '<p>日本語', charset: 'ISO-2022-JP' });
  expect(read(body)).toMatchObject({ text: '<p>日本語', charset: 'ISO-2022-JP' });
});

test('plain ASCII is not copied whatever is declared', () => {
  const body = Buffer.from(`${META('koi8-r')}<p>plain`);
  const { bytes, charset } = toUtf8(body);
  expect(bytes).toBe(body);
  expect(charset).toBe('KOI8-R');
});

test('a charset that browsers refuse is ignored', () => {
  expect(read('<p>caf\xe9 d\xe9j\xe0', 'iso-2022-kr').text).toBe('<p>café déjà');
});

test('characters are counted as UTF-8 would read them', () => {
  expect(countUtf8(Buffer.from('aü日😀'))).toEqual({ sequences: 3, invalid: 0 });
  expect(countUtf8(Buffer.from([0xc3, 0x41, 0xff, 0x80]))).toEqual({ sequences: 0, invalid: 3 });
  expect(countUtf8(Buffer.from([0x41, 0xe6, 0x97]))).toEqual({ sequences: 0, invalid: 0 });
});

test('the result is UTF-8 without a byte order mark, for any bytes and label', () => {
  const label = fc.constantFrom(
    '',
    'utf-8',
    'windows-1252',
    'gbk',
    'shift_jis',
    'euc-kr',
    'iso-2022-jp',
    'big5',
    'x',
    'utf-16',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }),
    fc.string({ unit: 'binary' }).map((text) => Uint8Array.from(Buffer.from(text))),
  );
  fc.assert(
    fc.property(bytes, label, (body, header) => {
      const { bytes: out } = toUtf8(body, header);
      expect(isUtf8(out)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

const data = join(process.env.CHAFF_DATA ?? '', 'fixtures/encodings');
const missing = !process.env.CHAFF_DATA || !existsSync(data);

test.skipIf(missing)(
  'real pages are read in the charset of their folder (skipped unless CHAFF_DATA names the folder of real data)',
  () => {
    const expected: Record<string, string> = {
      bi5: 'Big5',
      'euc-jp': 'EUC-JP',
      gb2312: 'GBK',
      'iso-2022-jp': 'ISO-2022-JP',
      'iso-8859-13': 'ISO-8859-13',
      'iso-88591': 'windows-1252',
      'windows-1251': 'windows-1251',
    };
    for (const folder of readdirSync(data)) {
      for (const file of readdirSync(join(data, folder))) {
        const { text, charset } = read(readFileSync(join(data, folder, file)));
        if (folder in expected) expect(charset, file).toBe(expected[folder]);
        const beyondAscii = text.match(/[^\0-\x7f]/g)?.length ?? 0;
        const unreadable = text.match(/\ufffd/g)?.length ?? 0;
        expect(unreadable, file).toBeLessThanOrEqual(beyondAscii * 0.05);
      }
    }
  },
);

test('bytes beyond ASCII are counted at any position within words of four bytes', () => {
  for (let before = 0; before < 9; before++) {
    for (let after = 0; after < 9; after++) {
      const page = Buffer.from(
        `${'a'.repeat(before)}\xc3\xa4${'b'.repeat(after)}\xff${'c'.repeat(after)}`,
        'latin1',
      );
      expect(countUtf8(page), `${before}, ${after}`).toEqual({ sequences: 1, invalid: 1 });
      expect(countUtf8(page.subarray(before))).toEqual({ sequences: 1, invalid: 1 });
    }
  }
});
