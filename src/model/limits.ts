/**
 * Bounds on the cost of one page. Archived pages are hostile, so every cost has a bound, and every bound is
 * an option. So have files that are fetched from the web.
 */

/** The limits that a run applies to every page and record. */
export interface Limits {
  /** Largest page body, in bytes after decoding. @default 8 MiB */
  pageBytes: number;
  /** Largest record after decompression, in bytes. @default 256 MiB */
  recordBytes: number;
  /** Largest decompressed to compressed ratio of a record or body over 1 MiB. @default 1000 */
  ratio: number;
  /**
   * Largest temporary copy of a file that is compressed as a whole: bytes per compressed byte, beyond 64 MiB.
   * @default 100
   */
  spoolRatio: number;
  /** Longest chain of Content-Encodings. @default 5 */
  encodings: number;
  /** Largest depth of an element; deeper elements become siblings, as in browsers. @default 512 */
  depth: number;
  /** Largest number of nodes of a page. @default 1,000,000 */
  nodes: number;
  /** Longest time to read, parse and label one page, in milliseconds. @default 10,000 */
  pageMs: number;
}

/** The limits that apply unless an option overrides them. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  pageBytes: 8 * 1024 * 1024,
  recordBytes: 256 * 1024 * 1024,
  ratio: 1000,
  spoolRatio: 100,
  encodings: 5,
  depth: 512,
  nodes: 1_000_000,
  pageMs: 10_000,
};

/** The limits of fetching one file from the web. */
export interface FetchLimits {
  /** Largest copy of a file, or of the parts of it that an index names, in bytes. @default 16 GiB */
  fetchBytes: number;
  /** Longest time for a file with all its retries, in milliseconds. @default one day */
  fetchMs: number;
  /** Lowest rate in bytes per second, over 30 seconds of waiting for the server. @default 1000 */
  fetchRate: number;
}

/** The limits of fetching that apply unless an option overrides them. */
export const FETCH_LIMITS: Readonly<FetchLimits> = {
  fetchBytes: 16 * 1024 ** 3,
  fetchMs: 24 * 3600 * 1000,
  fetchRate: 1000,
};
