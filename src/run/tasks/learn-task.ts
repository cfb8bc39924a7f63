/**
 * The models of some site snapshots. Every detector takes the sampled pages one at a time, so they are held for
 * the next detector, and for labelling where that is part of the same task.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Detector, ParsedPage, SiteModel } from '../../detect/detector.ts';
import { makeDetector } from '../../detect/index.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { ProblemBuffer } from '../../store/problem-parts.ts';
import { commitTask } from '../../store/run-folder.ts';
import { COUNTS_FILE } from '../../store/survey-part.ts';
import type { Job } from '../job.ts';
import { type Opened, PageOpener } from '../pages/open-page.ts';
import { countSkip, emptyCounts } from './counts.ts';
import { MODELS_FILE, writeModelPart } from './model-part.ts';
import type { LearnTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

export async function learnGroups(task: LearnTask, context: TaskContext): Promise<TaskCounts> {
  const { job, folder } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock, reuse: true, arena: context.arena });
  const detectors = makeDetectors(job);
  const problems = new ProblemBuffer();
  const onOpened = (opened: Opened) => {
    if (opened.kind === 'skip') countSkip(counts, opened.code);
    for (const problem of opened.problems) problems.add(problem);
  };
  const tools = { detectors, job, opener, clock, context, hold: detectors.length > 1, onOpened };
  await commitTask(folder, async (draft) => {
    const models: Uint8Array[] = [];
    for (const { group, site } of task.groups) {
      const learnt = await learnGroup(site, candidatesOf(group, task), tools);
      models.push(...encodeModels(detectors, learnt.models));
      clock.lap('learn');
      counts.pages += learnt.pages;
      opener.letGo();
    }
    clock.start();
    writeModelPart(join(draft, MODELS_FILE), models);
    problems.write(draft);
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts));
  });
  return counts;
}

export interface LearnGroupOptions {
  detectors: Detector[];
  job: Job;
  opener: PageOpener;
  /** Whether the opener holds the pages, for those who ask for them again. */
  hold: boolean;
  clock: Clock;
  context: TaskContext;
  /** Hears of each candidate as it is opened, once; for tasks that do not label the pages too. */
  onOpened?: (opened: Opened) => void;
}

/** Candidates of one site snapshot: one capture of each page, and several for detectors that want them. */
export interface Candidates {
  pages: PlannedPage[];
  captures?: PlannedPage[];
}

/** The models of one site snapshot, by detector, and how many pages they were learnt from. */
export async function learnGroup(
  site: string,
  candidates: Candidates,
  { detectors, job, opener, hold, clock, context, onOpened }: LearnGroupOptions,
): Promise<{ models: SiteModel[]; pages: number }> {
  const sampleOf = (planned: PlannedPage[]) =>
    new Sample(planned, { size: job.sample, opener, hold, context, onOpened });
  const pages = sampleOf(candidates.pages);
  const captures = candidates.captures ? sampleOf(candidates.captures) : pages;
  const models: SiteModel[] = [];
  for (const detector of detectors) {
    clock.start();
    const sample = detector.wantsCaptures ? captures : pages;
    models.push(detector.learn(site, sample.pages(clock, detector.samplePages)));
    clock.lap('learn');
    await context.pause();
  }
  clock.start();
  return { models, pages: Math.max(pages.count, captures.count) };
}

export function encodeModels(detectors: readonly Detector[], models: readonly SiteModel[]): Uint8Array[] {
  return detectors.map((detector, k) => detector.encode(models[k]));
}

/** The candidates of one group of a task. */
export function candidatesOf(
  group: number,
  { samples, captureSamples }: Pick<LearnTask, 'samples' | 'captureSamples'>,
): Candidates {
  return {
    pages: samplesOf(group, samples),
    captures: captureSamples && samplesOf(group, captureSamples),
  };
}

/** The candidates of one group among those of several. */
export function samplesOf(group: number, samples: PlannedPage[]): PlannedPage[] {
  return samples.filter((planned) => planned.group === group);
}

/** Whether a detector of the job wants the captures of a page before and after it. */
export function wantsCapturesOf(job: Job): boolean {
  return makeDetectors(job).some((detector) => detector.wantsCaptures);
}

export function makeDetectors({ detectors, detectorOptions }: Job): Detector[] {
  return detectors.map((name) => makeDetector(name, detectorOptions[name]));
}

interface SampleOptions {
  size: number;
  opener: PageOpener;
  hold: boolean;
  context: TaskContext;
  onOpened?: (opened: Opened) => void;
}

/** The first candidates that are pages, `size` of them unless another number is asked for, as often as detectors ask. */
export class Sample {
  readonly #candidates: PlannedPage[];
  readonly #options: SampleOptions;
  /** Candidates that are pages, among the first `#tried` of them. */
  readonly #members: PlannedPage[] = [];
  #tried = 0;

  constructor(candidates: PlannedPage[], options: SampleOptions) {
    this.#candidates = candidates;
    this.#options = options;
  }

  get count(): number {
    return this.#members.length;
  }

  *pages(clock: Clock, most = this.#options.size): Generator<ParsedPage> {
    const { opener, hold, context, onOpened } = this.#options;
    for (let k = 0; k < most; ) {
      const isNew = k === this.#members.length;
      if (isNew && this.#tried === this.#candidates.length) return;
      const planned = isNew ? this.#candidates[this.#tried++] : this.#members[k];
      clock.lap('learn');
      context.onPage(planned.page);
      const opened = opener.open(planned, { hold });
      if (isNew) onOpened?.(opened);
      if (opened.kind === 'page' && isNew) this.#members.push(planned);
      if (opened.kind === 'page' || !isNew) k++;
      if (opened.kind === 'skip') continue;
      clock.lap('parse');
      yield opened;
    }
  }
}
