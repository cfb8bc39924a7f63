import { expect, test } from 'vitest';
import { GENERATED, generateTrainingPages } from '../scripts/generated-pages.ts';
import { generateSite } from '../src/research/generated-sites/site-generator.ts';

test('generated training pages have the content of their pages as text, in every script, and no boilerplate', () => {
  const pages = generateTrainingPages({ sites: 1, pages: 3 });
  expect(pages).toHaveLength(6 * 4 * 3);
  expect(new Set(pages.map(({ site }) => site)).size).toBe(24);
  for (const { set, text = '', source } of pages) {
    expect(set).toBe(GENERATED);
    expect(text.length).toBeGreaterThan(100);
    expect(text.length).toBeLessThan(source.length / 2);
  }
  expect(generateTrainingPages({ sites: 1, pages: 3 })).toEqual(pages);
});

test('a hard site has boilerplate of several sentences that an ordinary one does not have', () => {
  const options = { seed: 0, host: 'hard.example', pages: 4, kinds: ['article'], comments: false } as const;
  const templateBytes = (hard: boolean) => {
    const pages = [...generateSite({ ...options, hard })];
    const ranges = pages.flatMap(({ truth }) => truth.filter(({ label }) => label !== 'content'));
    return ranges.reduce((sum, { start, end }) => sum + end - start, 0) / pages.length;
  };
  expect(templateBytes(true)).toBeGreaterThan(templateBytes(false) + 500);
});
