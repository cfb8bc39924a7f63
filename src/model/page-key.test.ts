import { expect, test } from 'vitest';
import { seededRandom } from '../../test/seeded-random.ts';
import { PageKeys, pageKey, pageKeyInFull } from './page-key.ts';

const PAGE = pageKey('http://a.example/news/list?id=1');
const SESSION = '0123456789abcdef0123456789ABCDEF';

test.each([
  'https://www.a.example/news/list?id=1',
  'http://A.example:80/News/LIST?ID=1',
  'http://a.example/news/list/?id=1#top',
  'http://a.example/news/%6cist?id=1&',
  `http://a.example/news/list?id=1&PHPSESSID=${SESSION}`,
  `http://a.example/news/list?PHPSESSID=${SESSION.slice(6)}&id=1`,
  `http://a.example/news/list?id=1&sid=${SESSION}`,
  `http://a.example/news/list?sessionid=${SESSION}&id=1`,
  `http://a.example/news/list?s=${SESSION}&id=1`,
  `http://a.example/news/list;jsessionid=${SESSION}?id=1`,
  `http://a.example/news/list;jsessionid=${SESSION}.node1?id=1`,
  'http://a.example/(S(lit3py55t21z5v55vlm25s55))/news/list?id=1',
  'http://a.example/news/list?CFID=12345&CFTOKEN=67890&id=1',
])('%s is the same page', (url) => {
  expect(pageKey(url)).toBe(PAGE);
});

test.each([
  'http://a.example/news/list?id=2',
  'http://a.example/news/list',
  'http://a.example/news/list?id=1&sid=7', // a section, not a session
  'http://a.example/news/list?id=1&s=0123456789abcdef', // a search
  'http://a.example/news/list?id=1&president=0123456789abcdef0123456789abcdef',
  'http://a.example/news/list?id=1&cfid=12345',
  'http://b.example/news/list?id=1',
])('%s is another page', (url) => {
  expect(pageKey(url)).not.toBe(PAGE);
});

test('a URL that is not http keeps its own key, and a very long key is made in linear time', () => {
  expect(pageKey('urn:isbn:1')).not.toBe(pageKey('urn:isbn:2'));
  const long = `http://a.example/x?${';jsessionid=a&'.repeat(200_000)}`;
  const start = process.cpuUsage();
  expect(pageKey(long)).not.toBe('');
  expect(process.cpuUsage(start).user).toBeLessThan(5e6);
});

test('a cached key equals the key of its URL, however many keys are cached', () => {
  const keys = new PageKeys();
  const urls = Array.from({ length: 9000 }, (_, k) => `http://www.example.org/Page?b=${k}&a=1`);
  for (const url of [...urls, ...urls.slice(0, 10), urls[8999]]) expect(keys.of(url)).toBe(pageKey(url));
});

test('the fast path for plain URLs gives the key that all the rules give', () => {
  const next = seededRandom(7);
  const pick = (parts: readonly string[]): string => parts[Math.floor(next() * parts.length)];
  const several = (parts: readonly string[], most: number): string =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, () => pick(parts)).join('');
  for (let k = 0; k < 30_000; k++) {
    const url = `${pick(SCHEMES)}${pick(['', '', 'www.', 'WWW2.', 'www.www.'])}${several(HOSTS, 3)}${pick(LAST_LABELS)}${several(PATHS, 4)}${pick(['', '', '?'])}${several(QUERIES, 4)}${pick(['', '', '', '#x'])}`;
    expect(pageKey(url), url).toBe(pageKeyInFull(url));
  }
});

const SCHEMES = ['http://', 'http://', 'https://', 'HTTP://', 'ftp://', 'http:/', 'http://me@', ''];
const HOSTS = ['a.', 'B1.', 'x-y.', '1.', '..', 'xn--a.', 'www.', '_.', '\u212a.', 'ü.'];
const LAST_LABELS = ['com', 'ORG', 'e', 'x9', '7', '0x1', '', 'org.', 'org:80', 'org:8080', '[::1]'];
const PATHS = [
  '/',
  '/a',
  '/B.html',
  '/.',
  '/..',
  '/x@y=1',
  '//',
  '/%41',
  '/%zz',
  ' ',
  '/\u212a',
  '/ü',
  "/it's",
  '/[',
  '\t',
].concat(`/;jsessionid=${SESSION}`, '/(s(lit3py55t21z5v55vlm25s55))', '/xn--', '/cfid=1', '\\');
const QUERIES = [
  'a=1',
  '&',
  '&b=2',
  '&B',
  '=',
  '&a',
  '&c=%41',
  '&cfid=1',
  '&CFTOKEN=2',
  '&d=x/y',
  '&\u212a=1',
  "&e='",
  '?',
  '&f= ',
].concat(
  `&sid=${SESSION}`,
  `&s=${SESSION}`,
  `&s=${SESSION.slice(1)}`,
  `&phpsessid=${SESSION.slice(16)}`,
  `&x;sid=${SESSION}`,
  '&aspsessionidabcdefgh=abcdefghabcdefghabcdefgh',
);
