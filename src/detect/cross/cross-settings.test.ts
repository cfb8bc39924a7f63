import { expect, test } from 'vitest';
import { parseSiteThresholds, thresholdOf } from './cross-settings.ts';

test('a line has a site and its threshold; a header and empty lines are ignored', () => {
  expect(parseSiteThresholds('site,threshold\r\nwww.a.example, 0.3\n\nb.example,0.8\n')).toEqual({
    'www.a.example': 0.3,
    'b.example': 0.8,
  });
});

test('a line without a valid threshold, or with a repeated site, is refused with its number', () => {
  expect(() => parseSiteThresholds('a.example,0.3\nb.example')).toThrow('line 2 must be a site and a number');
  expect(() => parseSiteThresholds('a.example,1.3')).toThrow('line 1');
  expect(() => parseSiteThresholds('a.example,0.3\na.example,0.4')).toThrow('line 2: a.example');
});

test('a site has its own threshold, its layouts that of the site, other sites the common one', () => {
  const options = { threshold: 0.6, siteThresholds: { 'a.example': 0.3 } };
  expect(thresholdOf('a.example', options)).toBe(0.3);
  expect(thresholdOf('a.example#2', options)).toBe(0.3);
  expect(thresholdOf('b.example', options)).toBe(0.6);
});
