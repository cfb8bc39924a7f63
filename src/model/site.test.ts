import { expect, test } from 'vitest';
import { parseSiteRule, readLayoutRule, siteOf } from './site.ts';

test('the host without www is the default site', () => {
  expect(siteOf('https://www.example.org/a/b.html')).toBe('example.org');
  expect(siteOf('http://news.example.org:80/')).toBe('news.example.org');
  expect(siteOf('HTTP://WWW.Example.ORG/a')).toBe('example.org');
  expect(siteOf('http://www.com/')).toBe('www.com');
});

test('an unusual port, an IP address and a missing path are accepted', () => {
  expect(siteOf('http://127.0.0.1:8080/x')).toBe('127.0.0.1');
  expect(siteOf('https://example.org?x=1')).toBe('example.org');
});

test('a URL without a host has no site', () => {
  expect(siteOf('urn:uuid:1234')).toBe('');
  expect(siteOf('')).toBe('');
});

test('domain groups subdomains but keeps each blog of a public host apart', () => {
  expect(siteOf('https://news.example.co.uk/', 'domain')).toBe('example.co.uk');
  expect(siteOf('https://anna.github.io/', 'domain')).toBe('anna.github.io');
});

test('path:N adds the first N folders and never the name of the page', () => {
  expect(siteOf('http://example.edu/~anna/pub/x.html', 'path:1')).toBe('example.edu/~anna');
  expect(siteOf('http://example.edu/~anna/pub/x.html', 'path:2')).toBe('example.edu/~anna/pub');
  expect(siteOf('http://example.edu/index.html', 'path:1')).toBe('example.edu');
  expect(siteOf('http://example.edu/~anna/?a=/b/', 'path:1')).toBe('example.edu/~anna');
});

test('an invalid rule is refused with the accepted rules', () => {
  expect(parseSiteRule('path:2')).toBe('path:2');
  for (const wrong of ['path:0', 'path:', 'path:x', 'hosts', '']) {
    expect(() => parseSiteRule(wrong)).toThrow(/host, domain, path:N/);
  }
});

test('layout is a rule, with or without a threshold; its key of a URL is the host', () => {
  expect(parseSiteRule('layout')).toBe('layout');
  expect(parseSiteRule('layout:0.75')).toBe('layout:0.75');
  expect(readLayoutRule('layout:0.75')).toEqual({ threshold: 0.75 });
  expect(readLayoutRule('layout')).toEqual({});
  expect(readLayoutRule('host')).toBeUndefined();
  expect(siteOf('http://www.a.example/x', 'layout')).toBe('a.example');
  for (const wrong of ['layout:', 'layout:0', 'layout:0.0', 'layout:1', 'layout:x']) {
    expect(() => parseSiteRule(wrong), wrong).toThrow(/layout:T/);
  }
});
