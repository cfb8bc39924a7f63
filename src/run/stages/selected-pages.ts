/**
 * The pages of a plan that are labelled and written when `include` and `exclude` leave some out: the others serve for
 * learning only. Pages keep the numbers that they have in a run over all of them, so the rows of both runs are equal.
 */
import { isSelected } from '../../model/url-filter.ts';
import type { Plan } from '../../store/plan.ts';
import { type Job, readsUnselected, urlFilterOf } from '../job.ts';

export class SelectedPages {
  /** Numbers of the selected pages, ascending. */
  readonly numbers: readonly number[];
  /** Captures that the plan gives a page and that are not selected. */
  readonly leftOut: number;
  readonly #isSelected: Uint8Array;

  private constructor(numbers: number[], pageCount: number) {
    this.numbers = numbers;
    this.leftOut = pageCount - numbers.length;
    this.#isSelected = new Uint8Array(pageCount + 1);
    for (const page of numbers) this.#isSelected[page] = 1;
  }

  /** Undefined when all pages of the plan are labelled. */
  static of(plan: Plan, job: Job): SelectedPages | undefined {
    if (!readsUnselected(job)) return undefined;
    const filter = urlFilterOf(job);
    const most = job.limit ?? Number.POSITIVE_INFINITY;
    const numbers: number[] = [];
    for (const { page, url } of plan.identities()) {
      if (numbers.length < most && isSelected(url, filter)) numbers.push(page);
    }
    return new SelectedPages(numbers, plan.pageCount);
  }

  /** The selected pages from `first` up to, not including, `end`. */
  between(first: number, end: number): number[] {
    return this.numbers.filter((page) => page >= first && page < end);
  }

  has(page: number): boolean {
    return this.#isSelected[page] === 1;
  }

  /** Group and bytes of the selected pages, in order. */
  *sizes(plan: Plan): ReturnType<Plan['pageSizes']> {
    for (const size of plan.pageSizes()) if (this.has(size.page)) yield size;
  }
}
