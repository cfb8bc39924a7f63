import { expect, test } from 'vitest';
import { nameOfTemplate, rankTemplates } from './template-rank.ts';

test('templates that save the most come first, and markup without text last', () => {
  const templates = [
    { role: 'markup', sizeBytes: 900, pages: 500 },
    { role: 'block', sizeBytes: 51, pages: 500 },
    { role: 'menu', sizeBytes: 4000, pages: 30 },
    { role: 'footer', sizeBytes: 90_000, pages: 1 },
  ];
  const ranked = rankTemplates(templates);
  expect(ranked.map(({ template, savedBytes }) => [template.role, savedBytes])).toEqual([
    ['menu', 116_000],
    ['block', 25_449],
    ['footer', 0],
    ['markup', 449_100],
  ]);
  expect(ranked.map(({ number }) => number)).toEqual([2, 1, 3, 0]);
});

test('a template has a name and a place', () => {
  expect(nameOfTemplate({ role: 'menu', place: 'div#top > nav.main', sizeBytes: 4200 })).toBe(
    'menu (nav.main, 4.2\u00a0kB)',
  );
  expect(nameOfTemplate({ role: 'block', place: '', sizeBytes: 51 })).toBe('repeated text (51\u00a0B)');
});
