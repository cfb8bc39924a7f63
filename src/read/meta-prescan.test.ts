import sniffEncoding from 'html-encoding-sniffer';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { prescanMeta } from './declared-charset.ts';

const prescan = (html: string) => prescanMeta(Buffer.from(html, 'latin1'));

/** The result of the reference package, which throws for a content attribute that ends in "charset". */
function slowPrescan(html: string): string | null {
  try {
    return sniffEncoding(Buffer.from(html, 'latin1').subarray(0, 1024), { defaultEncoding: '' }) || null;
  } catch {
    return null;
  }
}

test('a charset is read from a charset attribute, or from content if the element replaces a header', () => {
  expect(prescan('<meta charset=koi8-r>')).toBe('KOI8-R');
  expect(prescan('<META/CHARSET = "latin1">')).toBe('windows-1252');
  expect(prescan('<meta content="text/html; charset=big5" http-equiv="Content-Type">')).toBe('Big5');
  expect(prescan('<meta name=x content="text/html; charset=big5">')).toBeNull();
  expect(prescan('<meta charset=utf-16>')).toBe('UTF-8');
});

test('comments, end tags and attribute values declare nothing', () => {
  expect(prescan('<!-- <meta charset=big5> -->')).toBeNull();
  expect(prescan('</p <meta charset=big5>')).toBeNull();
  expect(prescan('<p title="<meta charset=big5>">')).toBeNull();
  expect(prescan('<p title=">" id=a><meta charset=big5>')).toBe('Big5');
});

test('bytes beyond the first 1,024 are not read', () => {
  expect(prescan(`${' '.repeat(1004)}<meta charset=big5>`)).toBe('Big5');
  expect(prescan(`${' '.repeat(1006)}<meta charset=big5>`)).toBeNull();
});

const PIECES = [
  ...[
    '<',
    '<meta ',
    '<META/',
    '<meta\n',
    '<meta',
    '<p ',
    '<p',
    '</p',
    '<!--',
    '-->',
    '--!>',
    '<!',
    '<?',
    '>',
    '/>',
  ],
  ...[' ', '\t', '\f', '\n', '=', ' = ', '"', "'", '/', ';', 'x', 'é', '\0'],
  ...['charset', 'charset=', 'CharSet', 'charset=utf-8', 'charset="koi8-r"', "charset='big5", 'charset=x'],
  ...['content=', 'content="text/html; charset=', 'content="charset', 'CONTENT=charset=gbk', 'http-equiv='],
  ...[
    'http-equiv="Content-Type"',
    'http-equiv=content-type',
    'utf-8',
    'utf-16le',
    'x-user-defined',
    'klingon',
  ],
];

test('random markup, cut at any position, gives the result of the reference package', () => {
  const random = seededRandom(5);
  for (let round = 0; round < 20_000; round++) {
    let html = '';
    // most pages are short; some are cut by the bound
    const pad = round % 20 === 0 ? 1024 - Math.floor(random() * 60) : 0;
    if (pad > 0) html = 'x'.repeat(pad);
    const count = 1 + Math.floor(random() * 14);
    for (let k = 0; k < count; k++) html += PIECES[Math.floor(random() * PIECES.length)];
    expect(prescan(html), html.slice(pad)).toBe(slowPrescan(html));
  }
});

test('a page is read independently of the page before it', () => {
  const page = '<!doctype html><html><head><meta charset="koi8-r"><title>One</title>';
  const end = page.indexOf('><title>') + 1;
  expect(prescanMeta(Buffer.from(page))).toBe('KOI8-R');
  expect(prescanMeta(Buffer.from(`${page.slice(0, end)}<meta charset="utf-8">`))).toBe('KOI8-R');
  expect(prescanMeta(Buffer.from(page.slice(0, end)))).toBe('KOI8-R');
  expect(prescanMeta(Buffer.from(page.replace('koi8-r', 'koi8-u')))).toBe('KOI8-U');
  expect(prescanMeta(Buffer.from(page))).toBe('KOI8-R');
  expect(prescanMeta(Buffer.from(page.replace('<head>', '<!--  >')))).toBe(null);
});
