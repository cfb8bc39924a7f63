/**
 * Which captures make up the cross of a page (Leśniak 2017, section 2.3), decided in one place for `label` and for
 * `groups --crosses`. Up and down are the most similar captures of other pages. Previous and next are the captures of
 * the page itself that are nearest in time. All four must be at least as similar as the threshold: an error page that
 * was captured under the URL is no neighbour.
 *
 * Order of candidates for up and down: similarity, then number of the page, then distance in time, then the earlier
 * one. Pages are numbered in the order of the hashes of their keys, so that the choice does not depend on the order in
 * which candidates are offered.
 */

/** Where down comes from: another page than up where there is one, or any capture, as in the thesis. */
export const DOWN_RULES = ['page', 'capture'] as const;
export type DownRule = (typeof DOWN_RULES)[number];

/** Captures on either side in time that are compared until one is similar enough. */
export const CAPTURES_TRIED = 4;

/** Time of captures without one: before all others. */
export const UNDATED = Number.NEGATIVE_INFINITY;

/** Milliseconds since 1970 of an ISO 8601 time; `UNDATED` when it is empty. */
export function timeOf(time: string): number {
  return time === '' ? UNDATED : Date.parse(time);
}

/** A capture of another page. */
export interface ArmCandidate {
  /** The caller's number of the capture. */
  capture: number;
  /** Number of its page. */
  page: number;
  /** As `timeOf` gives it. */
  time: number;
  /** Places of the signature that agree. */
  equal: number;
}

/** Least number of places that must agree. */
export function leastEqual(threshold: number, permutations: number): number {
  return Math.ceil(threshold * permutations - 1e-9);
}

/** Chooses up and down from candidates that are offered in any order. */
export class ArmChooser {
  readonly #rule: DownRule;
  #time = UNDATED;
  #up: ArmCandidate | undefined;
  /** The best of another page than up; the best of all but up. */
  #other: ArmCandidate | undefined;
  #second: ArmCandidate | undefined;

  constructor(rule: DownRule = 'page') {
    this.#rule = rule;
  }

  /** Begins with the capture of the given time. */
  start(time: number): void {
    this.#time = time;
    this.#up = this.#other = this.#second = undefined;
  }

  offer(candidate: ArmCandidate): void {
    const up = this.#up;
    if (!up || this.#isBetter(candidate, up)) {
      // the old best beats every candidate of its page and of others
      if (up && up.page !== candidate.page) this.#other = up;
      this.#second = up;
      this.#up = candidate;
      return;
    }
    if (!this.#second || this.#isBetter(candidate, this.#second)) this.#second = candidate;
    if (candidate.page === up.page) return;
    if (!this.#other || this.#isBetter(candidate, this.#other)) this.#other = candidate;
  }

  get up(): ArmCandidate | undefined {
    return this.#up;
  }

  get down(): ArmCandidate | undefined {
    return this.#rule === 'page' ? (this.#other ?? this.#second) : this.#second;
  }

  /** Whether no candidate with so many equal places, or fewer, can be chosen any more. */
  isSettled(equal: number): boolean {
    const last = this.#rule === 'page' ? this.#other : this.#second;
    return last !== undefined && last.equal > equal;
  }

  #isBetter(a: ArmCandidate, b: ArmCandidate): boolean {
    if (a.equal !== b.equal) return a.equal > b.equal;
    if (a.page !== b.page) return a.page < b.page;
    const apart = this.#distance(a) - this.#distance(b);
    // two undated captures: infinity minus infinity
    if (apart !== 0 && !Number.isNaN(apart)) return apart < 0;
    return a.time !== b.time ? a.time < b.time : a.capture < b.capture;
  }

  #distance({ time }: ArmCandidate): number {
    return time === UNDATED || this.#time === UNDATED
      ? Number.POSITIVE_INFINITY
      : Math.abs(time - this.#time);
  }
}
