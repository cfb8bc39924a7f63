/**
 * The page level from end to end on generated sites: a model is trained on some hosts, with the labels that
 * site-level detection makes, and judges pages of hosts it has never seen. Content F1 is by words, over pages.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { segmentWords } from '../src/analysis/word-scanner.ts';
import { encodePageModel, type PageModel } from '../src/detect/page/page-model.ts';
import { readGold } from '../src/evaluate/gold.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { judgePages } from '../src/run/library/judge-pages.ts';
import { openArchive } from '../src/run/library/open-archive.ts';
import { runTrain, type TrainResult } from '../src/run/train-run.ts';
import { renderText } from '../src/view/visible-text.ts';
import { writeGeneratedCorpus } from './generated-corpus.ts';

/** Word F1 of content on hosts never seen, on average over pages. */
const FLOOR = 0.85;

let folder: string;
let trained: TrainResult;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-page-level-'));
  const { warc } = await writeSampleArchive(folder, {
    seed: 71,
    sites: 9,
    pagesPerSite: 14,
    odd: false,
    name: 'train',
  });
  trained = await runTrain([warc], { workers: 0, siteRows: 400, card: { date: '2026-11-16' } });
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a model trained on some hosts finds the content of pages of others', async () => {
  const scores = await scoreOthers(trained.model);
  expect(scores.length).toBeGreaterThan(40);
  expect(mean(scores)).toBeGreaterThanOrEqual(FLOOR);
}, 300_000);

test('the classifiers separate template from content on hosts held out', () => {
  expect(trained.sites).toBe(9);
  expect(trained.figures.auc).toBeGreaterThan(0.9);
  expect(trained.figures.accuracy).toBeGreaterThan(0.85);
});

test('a model is small enough to be sent around', () => {
  expect(Buffer.byteLength(encodePageModel(trained.model))).toBeLessThan(300_000);
});

async function scoreOthers(model: PageModel): Promise<number[]> {
  const corpus = { seed: 172, sites: 4, pagesPerSite: 12, odd: false, name: 'other' };
  const { archive, gold } = await writeGeneratedCorpus(folder, corpus);
  const { rows } = await readGold(gold);
  const goldOf = new Map(rows.map((row) => [row.url, row]));
  const scores: number[] = [];
  for await (const { page, tree, ranges } of judgePages(openArchive(archive), { model })) {
    const row = goldOf.get(page.url);
    if (!row?.text) continue;
    scores.push(wordF1(segmentWords(renderText(tree, ranges)), row.text, row.comments ?? ''));
  }
  return scores;
}

/** F1 of two bags of words; words of `neutral` may be there or not. */
function wordF1(found: string[], wanted: string, neutral: string): number {
  const left = new Map<string, number>();
  for (const word of segmentWords(wanted)) left.set(word, (left.get(word) ?? 0) + 1);
  const either = new Map<string, number>();
  for (const word of segmentWords(neutral)) either.set(word, (either.get(word) ?? 0) + 1);
  const size = segmentWords(wanted).length;
  let right = 0;
  let wrong = 0;
  for (const word of found) {
    if (take(left, word)) right++;
    else if (!take(either, word)) wrong++;
  }
  return (2 * right) / (size + right + wrong);
}

function take(bag: Map<string, number>, word: string): boolean {
  const count = bag.get(word) ?? 0;
  if (count > 0) bag.set(word, count - 1);
  return count > 0;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
