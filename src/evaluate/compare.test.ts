import { expect, test } from 'vitest';
import { compareContenders } from './compare.ts';
import type { DetectorResult } from './evaluate.ts';
import { scorePage } from './score-page.ts';
import { summarise } from './summarise.ts';

test('a lead is of the pages that both have, with its interval', () => {
  const ours = contender('ours', (page) => (page < 30 ? 'a b c d' : 'x'));
  const theirs = contender('theirs', () => 'a b x y', 30);
  const { base, groups } = compareContenders([ours, theirs]);
  expect(base).toBe('ours');
  const all = groups.find(({ group }) => group === 'all')!;
  expect(all.contenders[1].baseAhead).toMatchObject({ mean: 0.5, low: 0.5, high: 0.5, hosts: 10 });
  expect(all.contenders[0].baseAhead).toBeUndefined();
  expect(all.contenders[0].f1?.mean).toBeCloseTo(0.75);
});

test('any contender can be the base, and the table names the sets when there are several', () => {
  const both = [contender('ours', () => 'a b c d'), contender('theirs', () => 'a b x y')];
  const { groups } = compareContenders(both, { base: 'theirs' });
  expect(groups.map(({ group }) => group)).toEqual(['all', 'large', 'set:even', 'set:odd']);
  expect(groups[0].contenders[0].baseAhead?.mean).toBe(-0.5);
  expect(() => compareContenders(both, { base: 'nobody' })).toThrow('must be one of ours, theirs');
});

function contender(label: string, textOf: (page: number) => string, count = 40): DetectorResult {
  const pages = Array.from({ length: count }, (_, index) => {
    const url = `http://h${index % 10}.example/${index}`;
    const set = index % 2 === 0 ? 'even' : 'odd';
    const output = { url, site: `h${index % 10}.example`, sitePages: 40, fellBack: false };
    return scorePage(
      { ...output, text: textOf(index) },
      { url, site: '', set, text: 'a b c d', keep: [], drop: [] },
    );
  });
  return { label, name: 'extractor', options: {}, summary: summarise(pages), pages };
}
