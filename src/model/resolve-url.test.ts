import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BaseUrl } from './resolve-url.ts';

const BASES = [
  'https://example.org/a/b.html?q=1#top',
  'http://example.org',
  'http://example.org:8080/a/',
  'https://user:secret@example.org/a',
  'https://example.org/%7Ea/b c/é.html',
  'http://127.0.0.1/a/b',
  'file:///a/b.html',
  'mailto:a@example.org',
  'no address',
  '',
];

function byTheStandard(href: string, base: string): string | undefined {
  const attempt = (text: string, from?: string) => {
    try {
      return new URL(text, from).href;
    } catch {
      return undefined;
    }
  };
  return attempt(href, attempt(base));
}

const pieces = fc.constantFrom(
  ...[
    'http:',
    'https:',
    'HTTP:',
    'mailto:',
    'javascript:',
    'x:',
    '/',
    '//',
    '///',
    '\\',
    '.',
    '..',
    './',
    '../',
    '%2e',
    '%2E.',
  ],
  ...[
    'a',
    'B',
    'b.html',
    'a-b',
    '~c',
    'example.org',
    'Example.ORG',
    'xn--bcher-kva.de',
    'a..b',
    '1.2',
    '0x7f',
    '1.2.3.4',
  ],
  ...[
    '?',
    '#',
    '=',
    '&',
    '&amp;',
    '%',
    '%41',
    '%zz',
    ':',
    ':80',
    ':443',
    ':8080',
    '@',
    'user@',
    '[',
    ']',
    '{',
    '|',
    '^',
  ],
  ...[
    '!',
    '$',
    '(',
    ')',
    '*',
    "'",
    '"',
    '<',
    '`',
    ' ',
    '\t',
    '\n',
    'é',
    '漢',
    ';',
    ',',
    '+',
    '_',
    '\u00a0',
    '\u0000',
  ],
);

test('addresses are resolved as the URL standard defines it', () => {
  const hrefs = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(hrefs, fc.constantFrom(...BASES), (href, base) => {
      expect(new BaseUrl(base).resolve(href)).toBe(byTheStandard(href, base));
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  '',
  '#',
  '?',
  '/',
  '.',
  './',
  'a/..',
  'a:b',
  'http:a',
  'http://b',
  'http://b.c',
  'http://b.c/',
  '//b/c',
  '%2e%2e/a',
  '../c',
  '../../../c',
  './../c:d',
  '../',
  '../?x',
  '.././/c',
  '../c/../d',
  '.c',
  '..c',
])('%j is resolved as by the URL standard', (href) => {
  for (const base of BASES) expect(new BaseUrl(base).resolve(href)).toBe(byTheStandard(href, base));
});

test('a host with non-ASCII letters is valid, however often it is parsed', () => {
  const base = new BaseUrl('https://example.org/');
  const nonsense = Array.from({ length: 30_000 }, () => base.resolve('http://é.fr/')).filter(
    (url) => url === undefined,
  );
  expect(nonsense).toEqual([]);
});

test('a base that is too long resolves absolute addresses only', () => {
  const base = new BaseUrl(`https://example.org/${'a'.repeat(10_000)}/`);
  expect(base.resolve('b')).toBeUndefined();
  expect(base.resolve('../b')).toBeUndefined();
  expect(base.resolve('https://example.org/b')).toBe('https://example.org/b');
});

test('a long base is added to addresses until 32 MB are added', () => {
  const base = new BaseUrl(`https://example.org/${'a'.repeat(8000)}/`);
  const resolved = Array.from({ length: 6000 }, () => base.resolve('b')).filter((url) => url !== undefined);
  expect(resolved.length).toBeGreaterThan(4000);
  expect(resolved.length).toBeLessThan(5000);
});

test('an empty query of the base is kept', () => {
  const base = new BaseUrl('https://example.org/a?#top');
  // Node before 24 drops it
  expect(base.resolve('#x')).toBe('https://example.org/a?#x');
  expect(base.resolve('b')).toBe('https://example.org/b');
});
