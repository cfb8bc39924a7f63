/** The accounts of every command and of the library: captures = pages + all of skipped. */
import type { Problem } from './problem.ts';

export interface Accounts {
  captures: number;
  /** Pages that gave a result. */
  pages: number;
  /** Captures that gave none, by code. */
  skipped: Record<string, number>;
  /** Problems by code. */
  problems: Record<string, number>;
}

type Counts = Partial<Record<string, number>>;

export class Totals implements Accounts {
  captures = 0;
  pages = 0;
  readonly skipped: Record<string, number> = {};
  readonly problems: Record<string, number> = {};

  addSkip(code: string): void {
    addByCode(this.skipped, { [code]: 1 });
  }

  addProblem({ code }: Problem): void {
    addByCode(this.problems, { [code]: 1 });
  }

  /** Adds what the reader of an archive has counted. Its pages are counted by the caller when their results are out. */
  addReading(archive: { captureCount: number; skipped: Counts; problems: Counts }): void {
    this.captures += archive.captureCount;
    addByCode(this.skipped, archive.skipped);
    addByCode(this.problems, archive.problems);
  }

  /** Throws when a capture is lost or counted twice. With `restCode`, captures not accounted for are skipped under it. */
  check(restCode?: string): void {
    const { captures, pages, skipped } = this;
    const known = pages + total(skipped);
    if (restCode !== undefined && known < captures) addByCode(skipped, { [restCode]: captures - known });
    else if (known !== captures) {
      throw new Error(`${captures} captures were read but ${known} accounted for: this is a bug in Chaff`);
    }
  }
}

export function addByCode(sum: Counts, more: Counts): void {
  for (const [code, count = 0] of Object.entries(more)) sum[code] = (sum[code] ?? 0) + count;
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce<number>((sum, count = 0) => sum + count, 0);
}
