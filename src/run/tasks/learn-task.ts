/**
 * Tasks that learn from the sampled pages of site snapshots: the models of every detector, or a comparison of settings
 * of the text detector. Each detector iterates over the pages, so they are kept in memory for the next detector, and
 * for labelling if the same task does it.
 *
 * Models are saved for the label tasks as a table of offsets followed by the bytes of each model, so that a task that
 * needs two of a thousand tiny sites reads only two. (The file that users save is that of detect/model-file.ts.)
 *
 *   uint32 count · uint32 end of each model, relative to the first · the models
 */
import { closeSync, existsSync, openSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Detector, ParsedPage, SiteModel } from '../../detect/detector.ts';
import { makeDetector } from '../../detect/index.ts';
import { DOM_TRIAL, tryDom, trySettings } from '../../detect/settings-trial.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { SETTINGS_FILE, type SettingsRow, writeSettingsPart } from '../../store/study/site-tables.ts';
import { commitTask, committedFolder, damaged } from '../../store/task-parts.ts';
import type { Job } from '../job.ts';
import { type Opened, PageOpener } from '../pages/open-page.ts';
import {
  type LearnTask,
  type ModelPlace,
  type SettingsTask,
  type TaskContext,
  type TaskCounts,
  TaskNotReady,
} from './task.ts';
import { type Clock, TaskRecord } from './task-record.ts';

/** Learns the models of a task's site snapshots; runs a `LearnTask`. */
export async function learnGroups(task: LearnTask, context: TaskContext): Promise<TaskCounts> {
  const { job } = task;
  const record = new TaskRecord();
  const { clock, counts } = record;
  const opener = new PageOpener({ ...task, clock, reuse: true, arena: context.arena });
  const detectors = makeDetectors(job);
  const onOpened = (opened: Opened) => {
    if (opened.kind === 'skip') record.countSkip(opened.code);
    record.addProblems(opened.problems);
  };
  const tools = { detectors, job, opener, clock, context, hold: detectors.length > 1, onOpened };
  await commitTask(task, async (draft) => {
    const models: Uint8Array[] = [];
    for (const { group, site } of task.groups) {
      const learnt = await learnGroup(site, candidatesOf(group, task), tools);
      models.push(...encodeModels(detectors, learnt.models));
      clock.lap('learn');
      counts.pages += learnt.pages;
      opener.letGo();
    }
    record.finish(draft, () => writeModelPart(join(draft, MODELS_FILE), models));
  }).finally(() => {
    for (const detector of detectors) detector.release?.();
  });
  return counts;
}

/** Options of `learnGroup`. */
export interface LearnGroupOptions {
  detectors: Detector[];
  job: Job;
  opener: PageOpener;
  /** Whether the opener keeps the pages in memory for a second use. */
  hold: boolean;
  clock: Clock;
  context: TaskContext;
  /** Called once per opened candidate, in tasks that do not also label the pages. */
  onOpened?: (opened: Opened) => void;
}

/** Candidates of one site snapshot: one capture of each page, and several for detectors that need captures. */
export interface Candidates {
  pages: PlannedPage[];
  captures?: PlannedPage[];
}

/** Learns the models of one site snapshot; returns them by detector, with the number of pages used. */
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
    const sample = detector.learnsCaptures ? captures : pages;
    models.push(detector.learn(site, sample.pages(clock, detector.samplePages)));
    clock.lap('learn');
    await context.pause();
  }
  clock.start();
  return { models, pages: Math.max(pages.count, captures.count) };
}

/** Encodes the models of a group, one per detector. */
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

/** Selects the candidates of one group. */
export function samplesOf(group: number, samples: PlannedPage[]): PlannedPage[] {
  return samples.filter((planned) => planned.group === group);
}

/** Whether a detector of the job needs the captures of a page before and after it. */
export function wantsCapturesOf(job: Job): boolean {
  return makeDetectors(job).some((detector) => detector.wantsCaptures);
}

/** Whether a detector of the job learns from several captures of a page. */
export function learnsCapturesOf(job: Job): boolean {
  return makeDetectors(job).some((detector) => detector.learnsCaptures);
}

/** Creates the detectors of a job, in its order. */
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

/** The first candidates that are readable pages, by default `size` of them; detectors may iterate repeatedly. */
export class Sample {
  readonly #candidates: PlannedPage[];
  readonly #options: SampleOptions;
  /** Readable pages among the first `#tried` candidates. */
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
      if (isNew && this.#tried === this.#candidates.length) break;
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
    context.onPage(0); // what is computed from all pages is the fault of none
  }
}

/** Tries settings of the text detector, and dom for comparison, on the sampled pages of each site snapshot. */
export async function compareSettings(task: SettingsTask, context: TaskContext): Promise<TaskCounts> {
  const { job, groups, samples } = task;
  const record = new TaskRecord();
  const { clock, counts } = record;
  const settingsSeconds: Record<string, number> = {};
  counts.settingsSeconds = settingsSeconds;
  const opener = new PageOpener({ ...task, clock, arena: context.arena });
  await commitTask(task, async (draft) => {
    const rows: SettingsRow[] = [];
    for (const { group, site, snapshot } of groups) {
      const sample = new Sample(samplesOf(group, samples), { size: job.sample, opener, hold: true, context });
      for (const _ of sample.pages(clock)); // read and parse now, so that this time is not counted for any setting
      for (const [place, settings] of [...job.compareSettings, DOM_TRIAL].entries()) {
        clock.start();
        const pages = () => sample.pages(clock);
        const { learnSeconds, textShare, ...trial } =
          settings === DOM_TRIAL
            ? tryDom(site, job.detectorOptions.dom ?? {}, pages)
            : trySettings(site, settings, pages);
        rows.push({ site, snapshot, place, settings, text_share: textShare, ...trial });
        settingsSeconds[settings] = (settingsSeconds[settings] ?? 0) + learnSeconds;
        clock.lap('learn');
        await context.pause();
      }
      counts.pages += sample.count;
      opener.letGo();
    }
    record.finish(draft, () => writeSettingsPart(rows, join(draft, SETTINGS_FILE)));
  });
  return counts;
}

/** File of a task's models: group by group, detectors in the order of the job. */
export const MODELS_FILE = 'models.bin';

/** Writes the encoded models of a task, with a table of their ends. */
export function writeModelPart(path: string, models: Uint8Array[]): void {
  const head = new Uint32Array(1 + models.length);
  head[0] = models.length;
  let end = 0;
  models.forEach((bytes, k) => {
    end += bytes.length;
    head[k + 1] = end;
  });
  writeFileSync(path, Buffer.concat([new Uint8Array(head.buffer), ...models]));
}

/** Reads the models of a group, one per detector, from the committed files of a task. */
export function readModels(
  { folder, task, index }: ModelPlace & { folder: string },
  detectors: Detector[],
): SiteModel[] {
  const part = committedFolder({ folder, name: task });
  if (part === undefined) throw new TaskNotReady(task);
  const path = join(part, MODELS_FILE);
  if (!existsSync(path)) throw damaged(path);
  const file = openSync(path, 'r');
  try {
    const count = new Uint32Array(readAt(file, 0, 4))[0];
    const ends = new Uint32Array(readAt(file, 4, count * 4));
    const base = 4 + count * 4;
    return detectors.map((detector, k) => {
      const at = index * detectors.length + k;
      const start = at === 0 ? 0 : ends[at - 1];
      return detector.decode(new Uint8Array(readAt(file, base + start, ends[at] - start)));
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw damaged(path);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, position: number, length: number): ArrayBuffer {
  const buffer = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const read = readSync(file, buffer, done, length - done, position + done);
    if (read === 0) throw new Error('a model part ends too early');
    done += read;
  }
  return buffer.buffer;
}
