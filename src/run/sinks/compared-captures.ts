/**
 * Compares labelled pages with their previous captures, for `chaff changes` and for the redesigns of a history. This
 * task or an earlier one has labelled and stored the previous capture; if it is missing (its task still runs, or gave
 * no page), the capture is read and parsed again. A table of its own holds the design of a page: what it loads and the
 * names of its elements.
 */
import { PageTags } from '../../analysis/page-tags.ts';
import { PageKeys } from '../../model/page-key.ts';
import { ChangePart } from '../../store/change-part.ts';
import { DesignPart } from '../../store/design-part.ts';
import { CapturePart, EarlierCaptures } from '../../store/history/capture-part.ts';
import type { OtherCaptures } from '../../store/plan.ts';
import { CaptureReader, type ComparedCapture } from '../../study/capture.ts';
import { CaptureComparer } from '../../study/compare-captures.ts';
import { DesignValueReader } from '../../study/design-values.ts';
import { PageValueReader } from '../../study/page-values.ts';
import type { LabelTask } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import type { LabelSink, SinkPage } from './label-sink.ts';

/**
 * The readers of captures, shared by all tasks of a thread. Texts, words and tags of one task are cached for the next,
 * which has later captures of the same pages. The cache may be garbage-collected while no task uses it; results do not
 * depend on it.
 */
class CaptureReaders {
  readonly values = new PageValueReader();
  readonly keys = new PageKeys();
  readonly tags = new PageTags();
  readonly designValues = new DesignValueReader();
  readonly reader = new CaptureReader();
  /** A separate reader, because its tag numbers would invalidate the other's cache. */
  readonly olderReader = new CaptureReader();
  readonly comparer = new CaptureComparer();
}

let last: WeakRef<CaptureReaders> | undefined;

/** The readers of this thread. */
export function captureReaders(): CaptureReaders {
  const readers = last?.deref() ?? new CaptureReaders();
  last = new WeakRef(readers);
  return readers;
}

/** Options of `ComparedCaptures`. */
export interface ComparedCapturesOptions {
  draft: string;
  task: LabelTask;
  /** Whether changes are listed one by one; otherwise only sums are counted. */
  lists: boolean;
  /** First and last year of compared captures. @default all years, and captures without a time */
  years?: { fromYear: number; toYear: number };
}

/** Compares labelled pages with their previous captures and writes the tables; the sink of `chaff changes`. */
export class ComparedCaptures implements LabelSink {
  readonly #part: ChangePart;
  readonly #options: ComparedCapturesOptions;
  readonly #designs: DesignPart;
  readonly #readers = captureReaders();
  readonly #own: CapturePart;
  readonly #earlier: EarlierCaptures;

  constructor(options: ComparedCapturesOptions) {
    const { draft, task } = options;
    this.#options = options;
    this.#earlier = new EarlierCaptures(task.folder);
    this.#part = new ChangePart({ draft });
    this.#designs = new DesignPart({ draft });
    this.#own = new CapturePart({ draft });
  }

  add(labelled: SinkPage, clock: Clock): void {
    const { planned, page, tree, snapshot, verdicts } = labelled;
    const { site, url, time } = page;
    // a wrong date would create a redesign or hide one
    if (!this.#isAsked(yearOf(time))) return;
    const { reader, comparer, tags, designValues } = this.#readers;
    const { previous, nextGroup } = this.#othersOf(planned.page);
    const older = previous && this.#olderCapture(previous.page, labelled);
    tags.read(tree);
    // the last capture of a URL has no later one to be compared with
    const isKept = nextGroup !== undefined;
    const own = older || isKept ? reader.read(tree, { older, tags, blocks: this.#options.lists }) : undefined;
    const found = older && comparer.compare(own!, verdicts[0].ranges, older);
    // a capture without a time has no order
    const values =
      time === '' ? undefined : [...designValues.read(tree, tags), ...designValues.readLinks(tree)];
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

  /** The captures before and after a page, within the selected years. */
  #othersOf(page: number): Pick<OtherCaptures, 'previous' | 'nextGroup'> {
    const { previous, nextGroup, nextYear } = this.#options.task.otherCaptures?.[page] ?? {};
    return {
      previous: previous && this.#isAsked(yearOf(previous.time)) ? previous : undefined,
      nextGroup: nextYear !== undefined && this.#isAsked(nextYear) ? nextGroup : undefined,
    };
  }

  #olderCapture(before: number, { previous }: SinkPage): ComparedCapture | undefined {
    const { task, lists } = this.#options;
    const name = task.earlier?.[before];
    const stored = name === undefined ? this.#own.find(before) : this.#earlier.find(name, before);
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

/** The year of a time; NaN without a time. */
function yearOf(time: string): number {
  return Number.parseInt(time.slice(0, 4), 10);
}
