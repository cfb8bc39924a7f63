/**
 * Totals of a run, the same for every command and the library. At the end captures = pages + the sum of
 * skipped.
 */
import type { Problem } from './problem.ts';

/** Counts of captures, pages, skips and problems of one run. */
export interface Accounts {
  /** Captures read. */
  captures: number;
  /** Pages that gave a result. */
  pages: number;
  /** Captures without a result, by skip code. */
  skipped: Record<string, number>;
  /** Problems by code. */
  problems: Record<string, number>;
}

/** Thrown by a run that has no page to work on, before it writes a result. */
export class NoPages extends Error {
  override name = 'NoPages';
  readonly accounts: Accounts;
  /** Number of pages of the largest site, if sites were left out. */
  readonly largestSite: number | undefined;

  constructor(accounts: Accounts, { largestSite }: { largestSite?: number } = {}) {
    super('no pages');
    this.accounts = accounts;
    this.largestSite = largestSite;
  }
}

type Counts = Partial<Record<string, number>>;

/** Adds up the counts of a run and checks that every capture is counted once. */
export class Totals implements Accounts {
  captures = 0;
  pages = 0;
  readonly skipped: Record<string, number> = {};
  readonly problems: Record<string, number> = {};

  /** Counts a capture that was skipped under a code. */
  addSkip(code: string): void {
    addByCode(this.skipped, { [code]: 1 });
  }

  /** Counts a problem under its code. */
  addProblem({ code }: Problem): void {
    addByCode(this.problems, { [code]: 1 });
  }

  /** Adds the counts of an archive reader. The caller counts pages, once their results are written. */
  addReading(archive: { captureCount: number; skipped: Counts; problems: Counts }): void {
    this.captures += archive.captureCount;
    addByCode(this.skipped, archive.skipped);
    addByCode(this.problems, archive.problems);
  }

  /**
   * Throws if a capture was lost or counted twice. With `restCode`, captures that are not yet counted are
   * skipped under that code.
   */
  check(restCode?: string): void {
    const { captures, pages, skipped } = this;
    const known = pages + total(skipped);
    if (restCode !== undefined && known < captures) addByCode(skipped, { [restCode]: captures - known });
    else if (known !== captures) {
      throw new Error(`${captures} captures were read but ${known} accounted for: this is a bug in Chaff`);
    }
  }
}

/** Adds the counts of `more` to those of `sum`, code by code. */
export function addByCode(sum: Counts, more: Counts): void {
  for (const [code, count = 0] of Object.entries(more)) sum[code] = (sum[code] ?? 0) + count;
}

/** Returns the sum of all counts. */
export function total(counts: Counts): number {
  return Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0);
}
