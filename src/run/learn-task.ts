/**
 * The models of some site snapshots. Every detector takes the sampled pages one at a time, so copies of their
 * trees are held for the next detector, up to a bound; what is beyond is read and parsed again.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Detector, ParsedPage } from '../detect/detector.ts';
import { makeDetector } from '../detect/index.ts';
import type { PlannedPage } from '../store/plan.ts';
import { commitTask } from '../store/run-folder.ts';
import { COUNTS_FILE } from '../store/survey-part.ts';
import { copiedBytes, copyTree } from './copy-tree.ts';
import { emptyCounts } from './counts.ts';
import type { Job } from './job.ts';
import { MODELS_FILE, writeModelPart } from './model-part.ts';
import { PageOpener } from './open-page.ts';
import type { LearnTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

/** Trees and sources held between two detectors. */
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
      const sample = new Sample(candidates, {
        size: job.sample,
        passes: detectors.length,
        opener,
        context,
      });
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
  readonly #options: { size: number; passes: number; opener: PageOpener; context: TaskContext };
  readonly #held = new Map<number, ParsedPage>();
  #heldBytes = 0;
  /** Known after the first detector has seen them. */
  #members: PlannedPage[] | undefined;

  constructor(
    candidates: PlannedPage[],
    options: { size: number; passes: number; opener: PageOpener; context: TaskContext },
  ) {
    this.#candidates = candidates;
    this.#options = options;
  }

  get count(): number {
    return this.#members?.length ?? 0;
  }

  *pages(clock: Clock): Generator<ParsedPage> {
    const { size, context } = this.#options;
    const members: PlannedPage[] = [];
    for (const planned of this.#members ?? this.#candidates) {
      if (members.length === size) break;
      clock.lap('learn');
      context.onPage(planned.page);
      const parsed = this.#held.get(planned.page) ?? this.#open(planned);
      if (!parsed) continue;
      members.push(planned);
      clock.lap('parse');
      yield parsed;
    }
    this.#members ??= members;
  }

  #open(planned: PlannedPage): ParsedPage | undefined {
    const { opener, passes } = this.#options;
    const opened = opener.open(planned);
    if (opened.kind === 'skip') return undefined;
    const { page, tree } = opened;
    const bytes = passes > 1 ? copiedBytes(tree) : Number.POSITIVE_INFINITY;
    if (this.#heldBytes + bytes <= HELD_BYTES) {
      this.#heldBytes += bytes;
      this.#held.set(planned.page, { page, tree: copyTree(tree) });
    }
    return { page, tree };
  }
}
