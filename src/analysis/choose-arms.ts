/**
 * Chooses the captures of the cross of a page (Leśniak 2017, section 2.3), for `label` and for `groups
 * --crosses`. Up and down are the most similar captures of other pages. Previous and next are the captures of
 * the page itself that are nearest in time. All four must be at least as similar as the threshold, which
 * excludes an error page that was captured under the URL.
 *
 * Candidates for up and down are ordered by similarity, then number of the page, then distance in time, then
 * the earlier one. Pages are numbered in the order of the hashes of their keys, so that the choice does not
 * depend on the order in which candidates are offered.
 */

/** Rules for down: a capture of another page than up if there is one, or any capture, as in the thesis. */
export const DOWN_RULES = ['page', 'capture'] as const;
/** One of DOWN_RULES. */
export type DownRule = (typeof DOWN_RULES)[number];

/** Number of captures on either side in time that are compared until one is similar enough. */
export const CAPTURES_TRIED = 4;

/** Time of a capture without a time, before all others. */
export const UNDATED = Number.NEGATIVE_INFINITY;

/** Returns an ISO 8601 time in milliseconds since 1970; `UNDATED` if it is empty. */
export function timeOf(time: string): number {
  return time === '' ? UNDATED : Date.parse(time);
}

/** A capture of another page that may become up or down. */
export interface ArmCandidate {
  /** Number of the capture, given by the caller. */
  capture: number;
  /** Number of its page. */
  page: number;
  /** Time of the capture, as returned by `timeOf`. */
  time: number;
  /** Number of components of the signature that agree. */
  equal: number;
}

/** Returns the least number of components that must agree for a similarity of `threshold`. */
export function leastEqual(threshold: number, permutations: number): number {
  return Math.ceil(threshold * permutations - 1e-9);
}

/** Chooses up and down from candidates that are offered in any order. */
export class ArmChooser {
  readonly #rule: DownRule;
  #time = UNDATED;
  #up: ArmCandidate | undefined;
  /** The best candidate of another page than up, and the best of all but up. */
  #other: ArmCandidate | undefined;
  #second: ArmCandidate | undefined;

  constructor(rule: DownRule = 'page') {
    this.#rule = rule;
  }

  /** Starts the choice for a capture of the given time. */
  start(time: number): void {
    this.#time = time;
    this.#up = this.#other = this.#second = undefined;
  }

  /** Offers a candidate for up and down. */
  offer(candidate: ArmCandidate): void {
    const up = this.#up;
    if (!up || this.#isBetter(candidate, up)) {
      // the old best candidate precedes every other candidate of its page and of other pages
      if (up && up.page !== candidate.page) this.#other = up;
      this.#second = up;
      this.#up = candidate;
      return;
    }
    if (!this.#second || this.#isBetter(candidate, this.#second)) this.#second = candidate;
    if (candidate.page === up.page) return;
    if (!this.#other || this.#isBetter(candidate, this.#other)) this.#other = candidate;
  }

  /** The best candidate so far. */
  get up(): ArmCandidate | undefined {
    return this.#up;
  }

  /** The best candidate so far beside up, by the rule for down. */
  get down(): ArmCandidate | undefined {
    return this.#rule === 'page' ? (this.#other ?? this.#second) : this.#second;
  }

  /** Whether no candidate with at most `equal` equal components can be chosen any more. */
  isSettled(equal: number): boolean {
    const last = this.#rule === 'page' ? this.#other : this.#second;
    return last !== undefined && last.equal > equal;
  }

  #isBetter(a: ArmCandidate, b: ArmCandidate): boolean {
    if (a.equal !== b.equal) return a.equal > b.equal;
    if (a.page !== b.page) return a.page < b.page;
    const apart = this.#distance(a) - this.#distance(b);
    // NaN for two undated captures: infinity minus infinity
    if (apart !== 0 && !Number.isNaN(apart)) return apart < 0;
    return a.time !== b.time ? a.time < b.time : a.capture < b.capture;
  }

  #distance({ time }: ArmCandidate): number {
    return time === UNDATED || this.#time === UNDATED
      ? Number.POSITIVE_INFINITY
      : Math.abs(time - this.#time);
  }
}
