/**
 * The models of some site snapshots. Every detector takes the sampled pages one at a time and may keep none,
 * so the sources are held (up to a bound) and parsed again for the next detector: parsing is cheaper than
 * unpacking, and both are cheaper than a tree per page in memory.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Detector, ParsedPage } from '../detect/detector.ts';
import { makeDetector } from '../detect/index.ts';
import type { Page } from '../model/page.ts';
import type { PlannedPage } from '../store/plan.ts';
import { commitTask } from '../store/run-folder.ts';
import { COUNTS_FILE } from '../store/survey-part.ts';
import { emptyCounts } from './counts.ts';
import type { Job } from './job.ts';
import { MODELS_FILE, writeModelPart } from './model-part.ts';
import { PageOpener } from './open-page.ts';
import type { LearnTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

/** Sources held between two detectors; what is beyond is read again. */
const HELD_BYTES = 64 * 1024 * 1024;

export async function learnGroups(task: LearnTask, context: TaskContext): Promise<TaskCounts> {
  const { job, folder } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock });
  const detectors = makeDetectors(job);
  await commitTask(folder, async (draft) => {
    const models: Uint8Array[] = [];
    for (const { group, site } of task.groups) {
      const candidates = task.samples.filter((planned) => planned.group === group);
      const sample = new Sample(candidates, { size: job.sample, opener, context });
      for (const detector of detectors) {
        clock.start();
        const model = detector.learn(site, sample.pages(clock));
        models.push(detector.encode(model));
        clock.lap('learn');
        await context.pause();
      }
      counts.pages += sample.count;
    }
    clock.start();
    writeModelPart(join(draft, MODELS_FILE), models);
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts));
  });
  return counts;
}

export function makeDetectors({ detectors, detectorOptions }: Job): Detector[] {
  return detectors.map((name) => makeDetector(name, detectorOptions[name]));
}

/** The first `size` candidates that are pages, as often as detectors ask for them. */
class Sample {
  readonly #candidates: PlannedPage[];
  readonly #opener: PageOpener;
  readonly #context: TaskContext;
  readonly #size: number;
  readonly #held = new Map<number, Page>();
  #heldBytes = 0;
  /** Known after the first detector has seen them. */
  #members: PlannedPage[] | undefined;

  constructor(
    candidates: PlannedPage[],
    { size, opener, context }: { size: number; opener: PageOpener; context: TaskContext },
  ) {
    this.#candidates = candidates;
    this.#opener = opener;
    this.#context = context;
    this.#size = size;
  }

  get count(): number {
    return this.#members?.length ?? 0;
  }

  *pages(clock: Clock): Generator<ParsedPage> {
    const members: PlannedPage[] = [];
    for (const planned of this.#members ?? this.#candidates) {
      if (members.length === this.#size) break;
      clock.lap('learn');
      this.#context.onPage(planned.page);
      const opened = this.#open(planned);
      if (opened?.kind !== 'page') continue;
      members.push(planned);
      yield opened;
    }
    this.#members ??= members;
  }

  #open(planned: PlannedPage) {
    const held = this.#held.get(planned.page);
    const read = held ? { kind: 'page' as const, page: held, problems: [] } : this.#opener.read(planned);
    if (read.kind === 'skip') return undefined;
    const { page } = read;
    if (!held && this.#heldBytes + page.source.length <= HELD_BYTES) {
      this.#heldBytes += page.source.length;
      this.#held.set(planned.page, page);
    }
    return this.#opener.parse(planned, read);
  }
}
