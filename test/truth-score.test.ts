import { expect, test } from 'vitest';
import type { Range } from '../src/model/range.ts';
import type { TruthRange } from '../src/research/generated-sites/label-writer.ts';
import { addScore, emptyScore, TruthTally, truthRates, truthScore } from './truth-score.ts';

const truth: TruthRange[] = [
  { start: 0, end: 10, label: 'template' },
  { start: 10, end: 14, label: 'slot' },
  { start: 14, end: 34, label: 'content' },
];

function range(start: number, end: number, label: Range['label']): Range {
  return { start, end, label, score: 1, template: '', reason: '' };
}

test('bytes are counted by true and predicted label', () => {
  const { bytes } = truthScore(
    [range(0, 12, 'template'), range(12, 30, 'content'), range(30, 34, 'unsure')],
    truth,
  );
  expect(bytes.template).toEqual({ template: 10, slot: 0, content: 0, unsure: 0 });
  expect(bytes.slot).toEqual({ template: 2, slot: 0, content: 2, unsure: 0 });
  expect(bytes.content).toEqual({ template: 0, slot: 0, content: 16, unsure: 4 });
  expect(truthRates(bytes)).toEqual({ template: 1, content: 0.8 });
});

test('the labels of every byte, one by one, give the same counts', () => {
  const ranges = Array.from({ length: 34 }, (_, at) =>
    range(at, at + 1, at % 3 === 0 ? 'template' : 'content'),
  );
  const { bytes } = truthScore(ranges, truth);
  expect(bytes.template).toEqual({ template: 4, slot: 0, content: 6, unsure: 0 });
});

test('a page without template bytes has nothing to miss', () => {
  const { bytes } = truthScore([range(0, 5, 'content')], [{ start: 0, end: 5, label: 'content' }]);
  expect(truthRates(bytes)).toEqual({ template: 1, content: 1 });
});

test('a gap between ranges is refused', () => {
  expect(() => truthScore([range(0, 5, 'content')], truth)).toThrow('no range holds byte 5');
});

test('tallies sum bytes of a kind, not rates of pages', () => {
  const tally = new TruthTally();
  tally.add('article', truthScore([range(0, 34, 'content')], truth));
  tally.add('article', truthScore([range(0, 34, 'template')], truth));
  expect(tally.rates('bytes').get('article')).toEqual({ template: 0.5, content: 0.5 });
  const sum = emptyScore();
  addScore(sum, truthScore([range(0, 34, 'content')], truth));
  expect(sum.bytes.content.content).toBe(20);
});
