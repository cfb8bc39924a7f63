import { expect, test } from 'vitest';
import { ruleFollowing } from './fetch-pages.ts';

test.each([
  ['http://a.example.org/', 'http://a.example.org/b', 'same-host'],
  ['http://a.example.org/', 'https://a.example.org/', 'same-host'],
  ['http://a.example.org/', 'http://a.example.org:8080/', 'same-host'],
  ['http://2130706433/', 'http://127.0.0.1/', 'same-host'],
  ['http://example.org/', 'https://www.example.org/', 'same-site'],
  ['http://a.example.co.uk/', 'http://b.example.co.uk/', 'same-site'],
  ['http://a.co.uk/', 'http://b.co.uk/', 'any'],
  ['http://a.github.io/', 'http://b.github.io/', 'any'],
  ['http://example.org/', 'http://example.com/', 'any'],
  ['https://example.org/', 'http://example.org/', 'any'],
  ['http://127.0.0.1/', 'http://localhost/', 'any'],
  ['http://127.0.0.1/', 'http://127.0.0.2/', 'any'],
  ['http://localhost/', 'http://intranet/', 'any'],
])('a redirect from %s to %s is followed by %s and milder rules only', (from, to, rule) => {
  expect(ruleFollowing(new URL(from), new URL(to))).toBe(rule);
});
