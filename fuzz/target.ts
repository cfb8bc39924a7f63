/**
 * The contract of fuzz targets. A target makes cases and checks whether the code under test keeps its
 * promises. A case is only bytes, so any case can be saved, minimised and checked again.
 */

/** Returns a random whole number from 0, below the bound. */
export type Random = (bound: number) => number;

/** A part of the program that is tested with random cases. */
export interface Target {
  name: string;
  /** Extension of saved cases. */
  extension: string;
  /** CPU time that a case may take per 1,000 bytes, in milliseconds. @default 100 */
  msPerKilobyte?: number;
  /** Makes a case; equal random numbers give equal cases. */
  generate(random: Random): Uint8Array;
  /** Throws a `BrokenPromise` when a promise is broken; any other error breaks the promise not to throw. */
  check(bytes: Uint8Array): void | Promise<void>;
  /** Returns a share of the cases so far that is reported and not checked. */
  share?(): Share;
  /** Removes temporary files. */
  close?(): void;
}

/** A share of cases with a property, for example those compared with parse5. */
export interface Share {
  name: string;
  part: number;
  whole: number;
}

/** Thrown when the code under test broke a promise. */
export class BrokenPromise extends Error {
  override name = 'BrokenPromise';
  /** Name of the promise, equal for all cases that break it. */
  readonly promise: string;

  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`);
    this.promise = promise;
  }
}

/** Throws a `BrokenPromise` unless the promise is kept. */
export function promise(name: string, isKept: boolean, detail: () => string): asserts isKept {
  if (!isKept) throw new BrokenPromise(name, detail());
}
