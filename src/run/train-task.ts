/**
 * The second half of making training rows: pages of labelled sites once more, now with what names tell on
 * other sites; what their nodes are and look like goes into one file of numbers.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { urlHashLanes } from '../compare/url-hash.ts';
import type { Detector, SiteModel } from '../detect/detector.ts';
import { FEATURE_COLUMN, FEATURES, FeatureMaker } from '../detect/page/features.ts';
import { NodeLabeller } from '../detect/page/node-labels.ts';
import { LayoutEstimator } from '../layout/estimate.ts';
import { ProblemBuffer } from '../store/problem-parts.ts';
import { commitTask } from '../store/run-folder.ts';
import { COUNTS_FILE, PROBLEMS_FILE } from '../store/survey-part.ts';
import { countPage, countSkip, emptyCounts } from './counts.ts';
import { makeDetectors } from './learn-task.ts';
import { readModels } from './model-part.ts';
import { type Opened, PageOpener } from './open-page.ts';
import { openedPages } from './opened-pages.ts';
import type { TaskContext, TaskCounts, TrainTask } from './task.ts';
import { Clock } from './timings.ts';
import { ROWS_FILE, RowSampler, rowKey } from './training-rows.ts';

const ROW_COUNTS_FILE = 'training-rows.json';

export async function makeTrainingRows(task: TrainTask, context: TaskContext): Promise<TaskCounts> {
  const { folder, job, groups, lexicons, rowsPerGroup } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock });
  const [detector] = makeDetectors(job);
  const makers = lexicons.map((lexicon) => new FeatureMaker({ lexicon }));
  const sampler = new RowSampler(FEATURES.length, rowsPerGroup);
  const rowMaker = new RowMaker(detector, sampler, job.seed);
  await commitTask(folder, async (draft) => {
    const problems = new ProblemBuffer();
    const rowCounts: number[] = [];
    const parts: Float32Array[] = [];
    for (const { models, part, pages } of groups) {
      const [model] = readModels(models.file, models.index, [detector]);
      let number = 0;
      for await (const { planned, outcome } of openedPages(pages, { context, opener, clock })) {
        const made = opener.attempt(planned, outcome, {
          failure: 'could not be measured',
          work: (opened) => {
            rowMaker.add(opened, number, { model, features: makers[part] });
            clock.lap('digest');
          },
        });
        number++;
        for (const problem of made.problems) problems.add(problem);
        if (made.kind === 'page') countPage(counts, made.page, made.tree);
        else countSkip(counts, made.code);
      }
      const rows = sampler.take();
      parts.push(rows);
      rowCounts.push(rows.length / sampler.stride);
    }
    clock.start();
    writeFileSync(join(draft, ROWS_FILE), Buffer.concat(parts.map(bytesOf)));
    writeFileSync(join(draft, ROW_COUNTS_FILE), JSON.stringify(rowCounts));
    await problems.toParquet(context.database, join(draft, PROBLEMS_FILE));
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts));
  });
  return counts;
}

/** What a task has left: the rows of its groups, one after the other, and how many each has. */
export function readTrainingRows(folder: string): { rows: Float32Array; counts: number[] } {
  const counts = JSON.parse(readFileSync(join(folder, ROW_COUNTS_FILE), 'utf8')) as number[];
  // a copy, so that numbers lie where they may
  const bytes = new Uint8Array(readFileSync(join(folder, ROWS_FILE)));
  return { rows: new Float32Array(bytes.buffer), counts };
}

/** The judged nodes of a page as rows: what they are by the site's model, and what they look like. */
class RowMaker {
  readonly #detector: Detector;
  readonly #sampler: RowSampler;
  readonly #seed: number;
  readonly #estimator = new LayoutEstimator();
  readonly #labeller = new NodeLabeller();

  constructor(detector: Detector, sampler: RowSampler, seed: number) {
    this.#detector = detector;
    this.#sampler = sampler;
    this.#seed = seed;
  }

  add(
    opened: Opened & { kind: 'page' },
    number: number,
    { model, features }: { model: SiteModel; features: FeatureMaker },
  ): void {
    const { tree, page } = opened;
    const ranges = this.#detector.label(opened, model);
    const table = features.make(opened, this.#estimator.estimate(tree));
    const labels = this.#labeller.label(tree, ranges, table.node, table.rowCount);
    const pageHash = urlHashLanes(page.url, this.#seed).low;
    const head = [number, 0, 0, 0, 0, 0];
    for (let row = 0; row < table.rowCount; row++) {
      // what says nothing is judged as what it stands in
      if (table.values[row * table.width + FEATURE_COLUMN.words] === 0) continue;
      head[1] = table.area[row];
      head[2] = labels.classes[row];
      head[3] = labels.htmlShare[row];
      head[4] = labels.textShare[row];
      head[5] = labels.textBytes[row];
      this.#sampler.add(rowKey(pageHash, row), head, table.values, row * table.width);
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
