/**
 * The contract of fuzz targets. A target makes cases and says whether the code under test keeps its promises on one.
 * A case is nothing but bytes, so that any case can be saved, minimised and checked again.
 */

/** Whole numbers from 0, below the bound. */
export type Random = (bound: number) => number;

export interface Target {
  name: string;
  /** Extension of saved cases. */
  extension: string;
  /** The same random numbers give the same case. */
  generate(random: Random): Uint8Array;
  /** Throws a `BrokenPromise` when a promise is broken; whatever else it throws breaks the promise not to throw. */
  check(bytes: Uint8Array): void | Promise<void>;
  /** A share that is reported and not judged: of how many cases so far something holds. */
  share?(): Share;
  /** Removes temporary files. */
  close?(): void;
}

export interface Share {
  name: string;
  part: number;
  whole: number;
}

/** A promise that the code under test did not keep. */
export class BrokenPromise extends Error {
  override name = 'BrokenPromise';
  /** Names the promise: the same for all cases that break it. */
  readonly promise: string;

  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`);
    this.promise = promise;
  }
}

export function promise(name: string, isKept: boolean, detail: () => string): asserts isKept {
  if (!isKept) throw new BrokenPromise(name, detail());
}
