import { expect, test } from 'vitest';
import type { GoldRow } from './gold.ts';
import { type PageOutput, scorePage } from './score-page.ts';

const gold: GoldRow = { url: 'http://a.example/', site: 'a', set: 's', keep: [], drop: [] };
const output: PageOutput = { url: gold.url, site: 'a.example', sitePages: 3, text: '', fellBack: false };

test('a row without text or blocks has no such scores', () => {
  const score = scorePage(
    { ...output, text: 'Pen\n$5' },
    { ...gold, keep: ['Pen $5', 'Ink'], drop: ['Home'] },
  );
  expect(score).toMatchObject({ kept: { hits: 1, total: 2 }, dropped: { hits: 1, total: 1 } });
  expect(score.words).toBeUndefined();
  expect(score.blocks).toBeUndefined();
  expect(score.site).toBe('a.example');
});

test('words forgive order and grams do not', () => {
  const text = 'one two three four five six';
  const score = scorePage({ ...output, text: 'four five six one two three' }, { ...gold, text });
  expect(score.words?.f1).toBe(1);
  expect(score.grams?.f1).toBe(0);
});

test('comments are neutral, whether given as such or as blocks', () => {
  const text = 'the story';
  const withComments = { ...output, text: 'the story well said' };
  expect(scorePage(withComments, { ...gold, text }).words?.precision).toBe(0.5);
  expect(scorePage(withComments, { ...gold, text, comments: 'well said' }).words?.precision).toBe(1);
  const blocks: GoldRow['blocks'] = [{ label: 5, text: 'Well said' }];
  expect(scorePage(withComments, { ...gold, text, blocks }).words?.precision).toBe(1);
});

test('blocks need the pieces of the page', () => {
  const row: GoldRow = { ...gold, blocks: [{ label: 2, text: 'story' }] };
  expect(scorePage(output, row).blocks).toBeUndefined();
  const pieces = [{ text: 'story', kept: true }];
  expect(scorePage({ ...output, pieces }, row).blocks?.contentKept).toBe(1);
});
