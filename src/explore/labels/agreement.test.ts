import { expect, test } from 'vitest';
import type { Mark } from '../page-answers.ts';
import { agreementOf } from './agreement.ts';
import type { LabelRow } from './label-page.ts';

const row = (marks: (Mark | '')[], url = 'http://a.example/', source = 's'): LabelRow => ({
  ...{ url, site: 'a.example', set: 'x', annotator: 'x', source, blockCount: marks.length },
  marks: marks.flatMap((mark, k) => (mark === '' ? [] : [[k * 10, k * 10 + 5, mark, k + 1]])),
});

test('kappa is the agreement beyond chance', () => {
  // p_o = 0.7, p_e = 0.5: the example of every textbook, 50 blocks
  const pairs: [Mark, Mark, number][] = [
    ['content', 'content', 20],
    ['content', 'template', 5],
    ['template', 'content', 10],
    ['template', 'template', 15],
  ];
  const first = pairs.flatMap(([mark, , count]) => Array<Mark>(count).fill(mark));
  const second = pairs.flatMap(([, mark, count]) => Array<Mark>(count).fill(mark));
  const { byBlock, confusion, pages } = agreementOf([row(first)], [row(second)]);
  expect(byBlock).toEqual({ kappa: expect.closeTo(0.4, 10), observed: 0.7, units: 50 });
  expect(confusion.template.content).toBe(10);
  expect(pages).toBe(1);
});

test('blocks count by their characters as well', () => {
  const { byCharacter } = agreementOf([row(['content', 'template'])], [row(['content', 'content'])]);
  expect(byCharacter).toMatchObject({ observed: 1 / 3, units: 3 });
});

test('only blocks that both have marked on the same bytes are compared', () => {
  expect(agreementOf([row(['content', ''])], [row(['', 'content'])])).toMatchObject({
    pages: 0,
    byBlock: { kappa: null },
  });
  expect(agreementOf([row(['content'])], [row(['content'], 'http://a.example/', 'other')]).pages).toBe(0);
});
