import { expect, test } from 'vitest';
import { type CorpusBaseline, checkGate, figureOf, updateFloors } from './gate.ts';
import type { PageScore } from './score-page.ts';
import { summarise } from './summarise.ts';

const baseline: CorpusBaseline = { digest: 'sha256:a', floors: { dom: { 'all/words.f1': 0.9 } } };

test('the gate passes at the floor and fails under it', () => {
  expect(checkGate(resultOf(0.9), baseline)).toEqual({ verdict: 'passed', checked: 1, reasons: [] });
  const verdict = checkGate(resultOf(0.8999), baseline);
  expect(verdict.verdict).toBe('failed');
  expect(verdict.reasons).toEqual(['dom all/words.f1 is 0.8999, under its floor 0.9']);
});

test('a figure that was not measured fails', () => {
  expect(checkGate({ digest: 'sha256:a', detectors: [] }, baseline).verdict).toBe('failed');
});

test('another corpus is refused, however good the figures', () => {
  expect(checkGate({ ...resultOf(1), digest: 'sha256:b' }, baseline).verdict).toBe('refused');
});

test('floors rise to just under what was measured', () => {
  const updated = updateFloors(resultOf(0.95), baseline, { figures: ['all/words.recall', 'all/keepRate'] });
  expect(updated.floors).toEqual({ dom: { 'all/words.f1': 0.945, 'all/words.recall': 0.945 } });
  expect(baseline.floors.dom['all/words.f1']).toBe(0.9);
});

test('a figure within the margin leaves its floor as it is', () => {
  expect(updateFloors(resultOf(0.902), baseline, { figures: [] }).floors.dom).toEqual({
    'all/words.f1': 0.9,
  });
});

test('floors fall and corpora change only on request', () => {
  expect(() => updateFloors(resultOf(0.8), baseline)).toThrow('not lowered unless allowed');
  expect(() => updateFloors({ ...resultOf(1), digest: 'sha256:b' }, baseline)).toThrow(
    'corpus is another one',
  );
  const lowered = updateFloors(resultOf(0.8), baseline, { figures: [], lower: true });
  expect(lowered.floors.dom).toEqual({ 'all/words.f1': 0.795 });
  expect(updateFloors({ ...resultOf(1), digest: 'sha256:b' }, baseline, { lower: true }).digest).toBe(
    'sha256:b',
  );
});

test('figures are found by group and name', () => {
  const { summary } = resultOf(0.5).detectors[0];
  expect(figureOf(summary, 'set:some.set/words.precision')).toBe(0.5);
  expect(figureOf(summary, 'small/pages')).toBe(1);
  expect(figureOf(summary, 'large/words.f1')).toBeUndefined();
  expect(figureOf(summary, 'all/blocks.content.f1')).toBeUndefined();
  expect(() => figureOf(summary, 'every/words.f1')).toThrow('figure must start with');
});

function resultOf(f1: number) {
  const page: PageScore = {
    url: 'http://a.example/',
    site: 'a.example',
    sitePages: 1,
    set: 'some.set',
    type: '',
    lang: '',
    fellBack: false,
    outputWords: 1,
    outputChars: 1,
    goldWords: 1,
    keptWords: 0,
    rightWords: 0,
    words: { precision: f1, recall: f1, f1 },
    kept: { hits: 0, total: 0 },
    dropped: { hits: 0, total: 0 },
  };
  const detector = {
    label: 'dom',
    name: 'dom' as const,
    options: {},
    summary: summarise([page]),
    pages: [page],
  };
  return { digest: 'sha256:a', detectors: [detector] };
}
