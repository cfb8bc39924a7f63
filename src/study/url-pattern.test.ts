import { expect, test } from 'vitest';
import { urlPattern } from './url-pattern.ts';

test.each([
  [['http://a.example/shop/tea/p1.html', 'http://a.example/shop/ink/p2.html'], '/shop/*/*.html'],
  [['http://a.example/news/page/1/', 'http://a.example/news/page/2/'], '/news/page/*/'],
  [['http://a.example/t.php?t=1&f=2', 'http://a.example/t.php?f=3&t=4'], '/t.php?f=*&t=*'],
  [['http://a.example/view.php@t=1.html', 'http://a.example/view.php@t=22.html'], '/view.php@t=*.html'],
  [['http://a.example'], '/'],
  [['http://a.example/x#y'], '/x'],
  [['no url at all'], '/'],
  [[], ''],
])('%j have in common %s', (urls, pattern) => {
  expect(urlPattern(urls)).toBe(pattern);
});

test('the commonest URL shape decides the pattern', () => {
  const urls = [1, 2, 3, 4].map((n) => `http://a.example/blog/${n}`);
  expect(urlPattern([...urls, 'http://a.example/about/us/now'])).toBe('/blog/*');
});

test('the order of the URLs makes no difference', () => {
  const urls = ['http://a.example/a/1', 'http://a.example/b', 'http://a.example/c', 'http://a.example/d/2'];
  expect(urlPattern(urls)).toBe(urlPattern([...urls].reverse()));
});

test('endless paths and queries make a short pattern', () => {
  const url = `http://a.example/${'x/'.repeat(5000)}?${'q=1&'.repeat(5000)}`;
  expect(urlPattern([url]).length).toBeLessThan(200);
});

test('a segment shared by 80 % of the URLs is written out, one shared by 75 % is not', () => {
  const urls = (same: number, other: number) => [
    ...Array.from({ length: other }, (_, n) => `http://a.example/other${n}/x`),
    ...Array.from({ length: same }, () => 'http://a.example/same/x'),
  ];
  expect(urlPattern(urls(4, 1))).toBe('/same/x');
  expect(urlPattern(urls(3, 1))).toBe('/*/x');
});
