import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getSurt } from 'warcio';
import { surt } from './surt.ts';

const URLS = [
  'http://example.com',
  'http://example.com/',
  'http://www.example.com/a/b.html',
  'https://www2.example.com:443/',
  'http://example.com:80/x',
  'http://example.com:8080/A?b=2&a=1',
  'http://1.2.3.4/x',
  'http://1.2.3.4:8080/A?b=2&a=1',
  'http://1.2/x',
  'http://[::1]:81/x',
  'http://user:pw@Example.com/',
  'http://user@www.example.com/',
  'http://bücher.example/ä?ö=ü&ä',
  'http://xn--bcher-kva.example/',
  'http://xn--a.example/',
  'http://EXAMPLE.com/ABC?X=Y',
  'http://example.com?x',
  'http://example.com/?',
  'http://example.com/?a&&b&',
  'http://example.com/#top',
  'http://example.com/a#b?c',
  'http://example.com/a/../b/./c//d',
  'http://example.com/a%2Fb%e4%E4',
  'http://example.com/a b|c',
  'http://example.com./',
  'http://www.com/',
  'http://www.www.com/',
  'http://www12.a.b.c.example.co.uk/x',
  'http://localhost/x',
  'http://',
  'http:///a',
  'http:example.com/a',
  'http://ex ample.com/',
  'http://exa_mple.com/a_b',
  'http://-a.example/',
  'http://例え.テスト/パス',
  'ftp://example.com/y',
  'dns:example.com',
  'urn:pageinfo:http://example.com/',
  'filedesc://crawl.arc.gz',
  'mailto:a@example.com',
  'about:blank',
  'data:text/html,x',
  'example.com/a',
  '',
];

test.each(URLS)('the key of %s equals that of warcio', (url) => {
  expect(surt(url)).toBe(getSurt(url));
});

test('every URL has the key that warcio makes', () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9%._~:@?&=#/ äß+-]{0,20}$/);
  const host = fc.oneof(fc.domain(), fc.ipV4(), fc.stringMatching(/^[a-z0-9.-]{1,12}$/));
  fc.assert(
    fc.property(
      fc.constantFrom('http://', 'https://', 'http://www.', 'http://www3.'),
      host,
      part,
      (scheme, name, rest) => {
        for (const url of [`${scheme}${name}/${rest}`, `${scheme}${name}${rest}`])
          expect(surt(url)).toBe(getSurt(url));
      },
    ),
    { numRuns: 5000 },
  );
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
      expect(surt(url)).toBe(getSurt(url));
    }),
  );
});

test('the scheme may be in upper or lower case', () => {
  expect(surt('HTTP://WWW.Example.com/A')).toBe('com,example)/a');
});
