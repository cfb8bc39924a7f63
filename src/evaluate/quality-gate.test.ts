/** The gate on the generated corpus. `UPDATE=1` raises the floors; `UPDATE=lower` may lower them too. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeGeneratedCorpus } from '../../test/generated-corpus.ts';
import { type EvalResult, evaluate } from './evaluate.ts';
import { checkGate, figureOf, readBaseline, updateFloors, writeBaseline } from './gate.ts';

const BASELINE = new URL('../../eval/baseline.json', import.meta.url).pathname;
const DETECTORS = ['joint', 'dom', 'text', 'cross', 'page'] as const;
/** Comments are content in this corpus. */
const OPTIONS: Record<string, Record<string, unknown>> = { joint: { roles: { with: ['comments'] } } };
const FIGURES = ['all/words.f1', 'all/words.precision', 'all/words.recall', 'all/grams.f1'];

let folder: string;
let result: EvalResult;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chaff-gate-'));
  const { archive, gold } = await writeGeneratedCorpus(folder);
  const detectors = DETECTORS.map((name) => ({ name, options: OPTIONS[name] }));
  result = await evaluate({ archives: [archive], gold: [gold], detectors });
});
afterAll(() => rm(folder, { recursive: true }));

test('every gold page of the generated corpus is found and scored', () => {
  expect(result.missing).toEqual([]);
  expect(result.detectors.map(({ label, pages }) => [label, pages.length])).toEqual(
    [...DETECTORS, 'none'].map((name) => [name, 180]),
  );
});

test('keeping the whole text loses nothing', () => {
  expect(figureOf(result.detectors[DETECTORS.length].summary, 'all/words.recall')).toBe(1);
});

test('no figure is under its floor', async () => {
  const baseline = await readBaseline(BASELINE);
  const { UPDATE } = process.env;
  if (UPDATE) {
    const detectors = result.detectors.filter(({ name }) => name !== 'none');
    const options = { figures: FIGURES, lower: UPDATE === 'lower' };
    baseline.generated = updateFloors({ ...result, detectors }, baseline.generated, options);
    await writeBaseline(BASELINE, baseline);
  }
  const verdict = checkGate(result, baseline.generated);
  expect(verdict.reasons).toEqual([]);
  expect(verdict.checked).toBe(DETECTORS.length * FIGURES.length);
});
