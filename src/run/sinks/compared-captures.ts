/**
 * Labelled pages compared with the captures before them, for `chaff changes` and for the redesigns of a history. The
 * capture before was labelled by this task or an earlier one, which has stored it; where that is missing (its task is
 * still at work, or gave no page there) the capture is read and parsed again. What a page loads and calls its elements,
 * its design, goes to a table of its own.
 */
import { PageTags } from '../../analysis/page-tags.ts';
import { PageKeys } from '../../model/page-key.ts';
import { ChangePart } from '../../store/change-part.ts';
import { DesignPart } from '../../store/design-part.ts';
import { CapturePart, EarlierCaptures } from '../../store/history/capture-part.ts';
import type { OtherCaptures } from '../../store/plan.ts';
import { type Capture, CaptureReader } from '../../study/capture.ts';
import { CaptureComparer } from '../../study/compare-captures.ts';
import { DesignValueReader } from '../../study/design-values.ts';
import { PageValueReader } from '../../study/page-values.ts';
import type { LabelTask } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import type { LabelledPage } from './label-sink.ts';

/**
 * What reads captures. A thread has one for all its tasks: texts, words and tags of one task are cached for the next,
 * which has the following captures of the same pages. The collector may take it while no task uses it; what is read
 * does not depend on what is cached.
 */
class CaptureReaders {
  readonly values = new PageValueReader();
  readonly keys = new PageKeys();
  readonly tags = new PageTags();
  readonly designValues = new DesignValueReader();
  readonly reader = new CaptureReader();
  /** Numbers tags by itself, and so would empty the cache of the other. */
  readonly olderReader = new CaptureReader();
  readonly comparer = new CaptureComparer();
}

let last: WeakRef<CaptureReaders> | undefined;

/** Those of this thread. */
export function captureReaders(): CaptureReaders {
  const readers = last?.deref() ?? new CaptureReaders();
  last = new WeakRef(readers);
  return readers;
}

export interface ComparedCapturesOptions {
  draft: string;
  task: LabelTask;
  /** Whether changes are listed one by one; else only sums are counted. */
  lists: boolean;
  /** Years whose captures are compared, both included. @default all, and captures without a time */
  years?: { fromYear: number; toYear: number };
}

export class ComparedCaptures {
  readonly #part: ChangePart;
  readonly #options: ComparedCapturesOptions;
  readonly #designs: DesignPart;
  readonly #readers = captureReaders();
  readonly #own: CapturePart;
  readonly #earlier = new EarlierCaptures();

  constructor(options: ComparedCapturesOptions) {
    const { draft } = options;
    this.#options = options;
    this.#part = new ChangePart({ draft });
    this.#designs = new DesignPart({ draft });
    this.#own = new CapturePart({ draft });
  }

  add(labelled: LabelledPage, clock: Clock): void {
    const { planned, page, tree, snapshot, verdicts } = labelled;
    const { site, url, time } = page;
    // a wrong date would make a redesign, or hide one
    if (!this.#isAsked(yearOf(time))) return;
    const { reader, comparer, tags, designValues } = this.#readers;
    const { previous, nextGroup } = this.#othersOf(planned.page);
    const older = previous && this.#olderCapture(previous.page, labelled);
    tags.read(tree);
    // the last capture of its URL is compared with no later one
    const isKept = nextGroup !== undefined;
    const own = older || isKept ? reader.read(tree, { older, tags, blocks: this.#options.lists }) : undefined;
    const found = older && comparer.compare(own!, verdicts[0].ranges, older);
    // a capture without a time is neither before nor after another
    const values = time === '' ? undefined : designValues.read(tree, tags);
    clock.lap('render');
    if (isKept) this.#own.add(planned.page, own!);
    const design = { group: planned.group, site, snapshot, time, previousGroup: previous?.group, nextGroup };
    if (values) this.#designs.add(design, values);
    if (found) {
      const compared = { page: planned.page, site, snapshot, url, time, previousTime: previous.time };
      this.#part.add(compared, found);
    }
    clock.lap('write');
  }

  #isAsked(year: number): boolean {
    const { years } = this.#options;
    return years === undefined || (year >= years.fromYear && year <= years.toYear);
  }

  /** The captures before and after a page, of years that are asked for. */
  #othersOf(page: number): Pick<OtherCaptures, 'previous' | 'nextGroup'> {
    const { previous, nextGroup, nextYear } = this.#options.task.otherCaptures?.[page] ?? {};
    return {
      previous: previous && this.#isAsked(yearOf(previous.time)) ? previous : undefined,
      nextGroup: nextYear !== undefined && this.#isAsked(nextYear) ? nextGroup : undefined,
    };
  }

  #olderCapture(before: number, { previous }: LabelledPage): Capture | undefined {
    const { task, lists } = this.#options;
    const folder = task.earlier?.[before];
    const stored = folder === undefined ? this.#own.find(before) : this.#earlier.find(folder, before);
    if (stored) return stored;
    const parsed = previous?.();
    return parsed && this.#readers.olderReader.read(parsed.tree, { blocks: lists });
  }

  close(): void {
    this.#part.close();
    this.#own.close();
    this.#earlier.close();
    this.#designs.close();
  }
}

/** Not a number without a time. */
function yearOf(time: string): number {
  return Number.parseInt(time.slice(0, 4), 10);
}
