/**
 * Tasks on pages of labelled sites for training a page-level model. One makes rows of numbers: the class of each node,
 * and its features with name statistics from other sites. The other judges pages by models that have not seen their
 * site. A model that calls whole pages template is useless, however good its figures by node are; that shows only on
 * pages, after smoothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { urlHashLanes } from '../../analysis/byte-hash.ts';
import { applyFloors } from '../../detect/confidence-fallback.ts';
import type { Detector, SiteModel } from '../../detect/detector.ts';
import type { NodeChoice } from '../../detect/page/feature-list.ts';
import { FEATURE_COLUMN } from '../../detect/page/feature-list.ts';
import { PageJudge } from '../../detect/page/judge-page.ts';
import { FeatureMaker } from '../../detect/page/page-features.ts';
import { decodePageModel } from '../../detect/page/page-model.ts';
import { FrequentTexts } from '../../detect/page/shared-texts.ts';
import { SiteLabeller } from '../../detect/page/site-labels.ts';
import type { Boxes } from '../../layout/boxes.ts';
import { LayoutEstimator } from '../../layout/estimate.ts';
import { commitTask } from '../../store/task-parts.ts';
import { readOptionsOfJob } from '../job.ts';
import { laidOutPages, openLayout } from '../pages/laid-out-pages.ts';
import { type Opened, PageOpener } from '../pages/open-page.ts';
import { makeDetectors, readModels } from './learn-task.ts';
import type { CheckModelTask, TaskContext, TaskCounts, TrainTask } from './task.ts';
import { TaskRecord } from './task-record.ts';
import { RowSampler, rowKey, TRAINING_ROWS_FILE } from './training-rows.ts';

const ROW_COUNTS_FILE = 'training-rows.json';

/** Makes the training rows of a task's pages; runs a `TrainTask`. */
export async function makeTrainingRows(task: TrainTask, context: TaskContext): Promise<TaskCounts> {
  const { job, groups, lexicons, labels, nodes, rowsPerGroup } = task;
  const record = new TaskRecord();
  const { clock } = record;
  const opener = new PageOpener({ ...task, clock });
  const detectors = makeDetectors(job);
  const makers = lexicons.map((lexicon) => new FeatureMaker({ lexicon, nodes }));
  const sampler = new RowSampler(task.width, rowsPerGroup);
  const rowMaker = new RowMaker(detectors, sampler, { seed: job.seed, nodes });
  const layout = await layoutOf(task);
  const tools = { context, opener, clock, layout };
  await commitTask(task, async (draft) => {
    const rowCounts: number[] = [];
    const parts: Float32Array[] = [];
    for (const { models: place, frequent, part, pages } of groups) {
      const models = readModels({ ...place, folder: task.folder }, detectors);
      const texts = labels === 'any' ? new FrequentTexts(frequent) : undefined;
      let number = 0;
      for await (const { planned, outcome, boxes, problem } of laidOutPages(pages, tools)) {
        const made = opener.attempt(planned, outcome, {
          failure: 'could not be measured',
          work: (opened) => {
            rowMaker.add(opened, number, { models, frequent: texts, features: makers[part], boxes });
            clock.lap('digest');
          },
        });
        number++;
        record.addProblems(made.problems);
        if (problem) record.addProblem(problem);
        if (made.kind === 'page') record.countPage(made);
        else record.countSkip(made.code);
      }
      const rows = sampler.take();
      parts.push(rows);
      rowCounts.push(rows.length / sampler.stride);
    }
    record.finish(draft, () => {
      writeFileSync(join(draft, TRAINING_ROWS_FILE), Buffer.concat(parts.map(bytesOf)));
      writeFileSync(join(draft, ROW_COUNTS_FILE), JSON.stringify(rowCounts));
    });
  }).finally(() => layout?.close());
  return record.counts;
}

/** Reads the rows of a committed task, group after group, and the number of rows of each group. */
export function readTrainingRows(folder: string): { rows: Float32Array; counts: number[] } {
  const counts = JSON.parse(readFileSync(join(folder, ROW_COUNTS_FILE), 'utf8')) as number[];
  // copy the bytes so that 32-bit numbers are aligned
  const bytes = new Uint8Array(readFileSync(join(folder, TRAINING_ROWS_FILE)));
  return { rows: new Float32Array(bytes.buffer), counts };
}

interface RowEvidence {
  models: SiteModel[];
  frequent?: FrequentTexts;
  features: FeatureMaker;
  /** Boxes of the nodes; estimated if absent. */
  boxes?: Boxes;
}

/** Makes the rows of a page's judged nodes: their class by the site's model, and their features. */
class RowMaker {
  readonly #detectors: Detector[];
  readonly #sampler: RowSampler;
  readonly #seed: number;
  readonly #isForAll: boolean;
  readonly #estimator = new LayoutEstimator();
  readonly #labeller = new SiteLabeller();

  constructor(
    detectors: Detector[],
    sampler: RowSampler,
    { seed, nodes }: { seed: number; nodes: NodeChoice },
  ) {
    this.#detectors = detectors;
    this.#sampler = sampler;
    this.#seed = seed;
    this.#isForAll = nodes === 'all';
  }

  add(
    opened: Opened & { kind: 'page' },
    number: number,
    { models, frequent, features, boxes }: RowEvidence,
  ): void {
    const { tree, page } = opened;
    const [dom, text] = this.#detectors.map((detector, k) => detector.label(opened, models[k]));
    const table = features.make(opened, boxes ?? this.#estimator.estimate(tree));
    const classes = this.#labeller.label(tree, { dom, text, frequent }, table.node, table.rowCount);
    const pageHash = urlHashLanes(page.url, this.#seed).low;
    const head = [number, 0, 0];
    for (let row = 0; row < table.rowCount; row++) {
      // a node without words is judged like its parent, unless all nodes are judged
      if (!this.#isForAll && table.values[row * table.width + FEATURE_COLUMN.words] === 0) continue;
      head[1] = table.area[row];
      head[2] = classes[row];
      this.#sampler.add(rowKey(pageHash, row), head, table.values, row * table.width);
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

const CHECKED_FILE = 'checked-pages.json';

const NO_SITE = { detector: 'page', site: '', pagesLearnt: 0 } as const;

/** Number of pages with text, and of those left with almost none by the rule of floors.ts. */
export interface CheckedPages {
  pages: number;
  empty: number;
}

/** Judges a task's pages by held-out models; runs a `CheckModelTask`. */
export async function checkModel(task: CheckModelTask, context: TaskContext): Promise<TaskCounts> {
  const { groups, models } = task;
  const record = new TaskRecord();
  const { clock } = record;
  const opener = new PageOpener({ ...task, clock });
  const judges = models.map((text) => (text === null ? undefined : new PageJudge(decodePageModel(text))));
  const layout = await layoutOf(task);
  const checked: CheckedPages = { pages: 0, empty: 0 };
  await commitTask(task, async (draft) => {
    for (const { part, pages } of groups) {
      const judge = judges[part];
      if (!judge) continue;
      for await (const { planned, outcome, boxes } of laidOutPages(pages, {
        context,
        opener,
        clock,
        layout,
      })) {
        opener.attempt(planned, outcome, {
          failure: 'could not be judged',
          work: (opened) => {
            const { tree } = opened;
            if (tree.textStart[tree.nodeCount] === 0) return;
            checked.pages++;
            const { ranges } = judge.judge(opened, boxes);
            if (applyFloors(opened, NO_SITE, ranges, { fallback: 'unsure' }).problem) checked.empty++;
          },
        });
      }
    }
    record.finish(draft, () => writeFileSync(join(draft, CHECKED_FILE), JSON.stringify(checked)));
  }).finally(() => layout?.close());
  return record.counts;
}

/** Reads the counts of a committed `CheckModelTask`. */
export function readCheckedPages(folder: string): CheckedPages {
  return JSON.parse(readFileSync(join(folder, CHECKED_FILE), 'utf8')) as CheckedPages;
}

/** A browser for pages with the contents of the task's inputs; undefined when boxes are estimated. */
async function layoutOf({ layout, inputs, job, browser }: TrainTask | CheckModelTask) {
  return layout === 'browser' ? openLayout(Object.values(inputs), readOptionsOfJob(job), browser) : undefined;
}
