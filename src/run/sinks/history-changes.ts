/**
 * Labelled pages compared with their last captures, for what shows redesigns in a history. The capture before was
 * labelled by this task or an earlier one, which has kept what it is compared by; where that is missing (its task
 * is still at work, it gave no page there) the capture is read and parsed again. Captures of years that are not asked for, and
 * those without a time, are neither compared nor compared with: a wrong date would make a redesign, or hide one.
 */
import { ChangePart } from '../../store/change-part.ts';
import { DesignPart } from '../../store/design-part.ts';
import { EarlierTokens, TokenPart } from '../../store/history/token-part.ts';
import type { OtherCaptures } from '../../store/plan.ts';
import type { CaptureTokens } from '../../study/redesign-sums.ts';
import type { LabelTask } from '../tasks/task.ts';
import type { Clock } from '../tasks/timings.ts';
import { designPage } from './design-page.ts';
import type { HistoryReaders } from './history-readers.ts';
import type { LabelledPage } from './label-sink.ts';

export class HistoryChanges {
  readonly #task: LabelTask;
  readonly #fromYear: number;
  readonly #toYear: number;
  readonly #part: ChangePart;
  readonly #designs: DesignPart;
  readonly #readers: HistoryReaders;
  readonly #own: TokenPart;
  readonly #earlier = new EarlierTokens();

  constructor({ draft, task, readers }: { draft: string; task: LabelTask; readers: HistoryReaders }) {
    this.#task = task;
    this.#readers = readers;
    const { fromYear, toYear } = task.job.history!;
    this.#fromYear = fromYear;
    this.#toYear = toYear;
    this.#part = new ChangePart({ draft });
    this.#designs = new DesignPart({ draft });
    const { pages } = task;
    this.#own = new TokenPart({ draft, firstPage: pages[0].page, endPage: pages[pages.length - 1].page + 1 });
  }

  add(labelled: LabelledPage, clock: Clock): void {
    const { planned, page, tree, snapshot, verdicts } = labelled;
    const { site, url, time } = page;
    if (!this.#isAsked(yearOf(time))) return;
    const { counter, tags, designValues } = this.#readers;
    const others = this.#othersOf(planned.page);
    const older = others?.previous && this.#olderTokens(others.previous.page, labelled);
    tags.read(tree);
    // the only capture of its URL is compared with none
    const own = others && counter.read(tree, older, tags);
    const sums = older && counter.count(verdicts[0].ranges);
    const values = designValues.read(tree, tags);
    clock.lap('render');
    // the last capture of its URL is compared with no later one
    if (own && others.nextGroup !== undefined) this.#own.add(planned.page, own);
    if (this.#designs.add(designPage(labelled, others), values)) this.#designs.flush();
    if (sums) {
      const previousTime = others!.previous!.time;
      this.#part.addSums({ page: planned.page, site, snapshot, url, time, previousTime }, sums);
    }
    clock.lap('write');
  }

  #isAsked(year: number): boolean {
    return year >= this.#fromYear && year <= this.#toYear;
  }

  /** The captures before and after a page, of years that are asked for; undefined when there is none. */
  #othersOf(page: number): OtherCaptures | undefined {
    const { previous, nextGroup, nextYear } = this.#task.otherCaptures?.[page] ?? {};
    const others: OtherCaptures = {};
    if (previous && this.#isAsked(yearOf(previous.time))) others.previous = previous;
    if (nextYear !== undefined && this.#isAsked(nextYear)) others.nextGroup = nextGroup;
    return others.previous || others.nextGroup !== undefined ? others : undefined;
  }

  #olderTokens(before: number, { previous }: LabelledPage): CaptureTokens | undefined {
    const folder = this.#task.earlier?.[before];
    const kept = folder === undefined ? this.#own.find(before) : this.#earlier.find(folder, before);
    if (kept) return kept;
    const parsed = previous?.();
    return parsed && this.#readers.counter.readOlder(parsed.tree);
  }

  close(): void {
    this.#own.close();
    this.#earlier.close();
    this.#designs.close();
    this.#part.closeTables();
  }
}

/** Not a number without a time. */
function yearOf(time: string): number {
  return Number.parseInt(time.slice(0, 4), 10);
}
