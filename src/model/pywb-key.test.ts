import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pywbKey } from './pywb-key.ts';

const SESSION = '0123456789abcdef0123456789abcdef';

// the expected keys were made by the indexer of pywb
test.each([
  ['http://www.example.com/', 'com,example)/'],
  ['http://example.com/b/', 'com,example)/b'],
  ['http://example.com/b//c//', 'com,example)/b/c'],
  ['http://example.com/b/?c', 'com,example)/b?c'],
  ['http://example.com/?', 'com,example)/'],
  ['http://example.com./x', 'com,example)/x'],
  ['http://example.com:8080/x/', 'com,example:8080)/x'],
  ['http://user:pw@www.example.com/', 'com,example)/'],
  ['http://[::1]/x', '::1)/x'],
  ['http://1.2.3.4/x', '4,3,2,1)/x'],
  ['http://bücher.example/ä', 'example,xn--bcher-kva)/%c3%a4'],
  ['http://example.com/a%2Fb%2520', 'com,example)/a/b%20'],
  ['http://example.com/?a=&a', 'com,example)/?a&a='],
  ['http://example.com/?A=B&a=b&&', 'com,example)/?&&a=b&a=b'],
  [`http://example.com/?sid=${SESSION}&a=1`, 'com,example)/?a=1'],
  [`http://example.com/?a=1&sid=${SESSION}`, 'com,example)/?&a=1'],
  [`http://example.com/x.php?PHPSESSID=${SESSION}`, 'com,example)/x.php'],
  ['http://example.com/?sid=12', 'com,example)/?sid=12'],
  ['dns:example.com', 'dns:example.com'],
  // pywb drops `www.` from the host only
  ['http://www.7/?a=1', '7,0,0,0)/?a=1'],
])('%s has the key %s', (url, key) => {
  expect(pywbKey(url)).toBe(key);
});

test('every string has a key, and none throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl({ withQueryParameters: true }),
        fc.string().map((text) => `http://${text}`),
        fc.string(),
      ),
      (url) => {
        expect(typeof pywbKey(url)).toBe('string');
      },
    ),
    { numRuns: 500 },
  );
});

test('a host that is valid in lower case only has a key', () => {
  // the Kelvin sign; Node before 24 takes the label beside it for invalid in both cases
  expect(pywbKey('http://xn--a.\u212a.com/?B=1')).toMatch(/^com,k,xn--a\)\/\?b=1$|^http:/);
  expect(pywbKey('http://\u212a.com/?B=1&a=%C3%9C')).toBe('com,k)/?a=%c3%9c&b=1');
});

test('a hostile URL is read in linear time', () => {
  expect(pywbKey(`http://example.com/%${'25'.repeat(200_000)}`)).toMatch(/^com,example\)\/%(25)+$/);
  const query = 'cfid='.repeat(100_000);
  expect(pywbKey(`http://example.com/?${query}`)).toBe(`com,example)/?${query}`);
  expect(pywbKey(`http://${'a.'.repeat(100_000)}/`)).toBe(`${'a,'.repeat(99_999)}a)/`);
  const host = `${'a'.repeat(300_000)}!`;
  expect(pywbKey(`http://${host}`)).toBe(`${host})/`);
});
