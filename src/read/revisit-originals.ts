/**
 * Finds the bodies of revisits: the location of each capture read so far, or its skip code, by payload digest
 * or by URL and time. Costs some 100 bytes per page. Keys are kept only as hashes, because the record at the
 * location shows whether a match is real.
 */
import type { Capture, Location } from '../model/page.ts';
import type { SkipCode } from '../model/problem.ts';
import type { Input, RawRecord } from './raw-record.ts';

/** The captures read so far, for finding the originals of revisits. */
export class RevisitOriginals {
  readonly #rows = new Map<number, number>();
  readonly #inputs: Input[] = []; // by row
  readonly #files: string[] = []; // by row; the engine shares equal strings
  readonly #entries: (string | undefined)[] = [];
  readonly #locations: number[] = []; // offset and length by row
  readonly #codes: (SkipCode | undefined)[] = [];

  /** Adds a capture; `code` is its skip code, undefined if it gave a page. */
  add(
    input: Input,
    { file, entry, offset, length, payloadDigest, url, time }: Capture,
    code?: SkipCode,
  ): void {
    const row = this.#files.length;
    const keys = [digestKey(payloadDigest), captureKey(url, time)].filter(
      (key) => key >= 0 && !this.#rows.has(key),
    );
    if (keys.length === 0) return;
    this.#inputs.push(input);
    this.#files.push(file);
    this.#entries.push(entry);
    this.#codes.push(code);
    this.#locations.push(offset, length);
    for (const key of keys) this.#rows.set(key, row);
  }

  /**
   * Returns the location of a revisit's original: first by URL and time, then by digest; null if it is
   * unknown.
   */
  find({ refersTo }: RawRecord): (Location & { input: Input; code?: SkipCode }) | null {
    if (!refersTo) return null;
    const row =
      this.#rows.get(captureKey(refersTo.url, refersTo.time)) ??
      this.#rows.get(digestKey(refersTo.payloadDigest));
    if (row === undefined) return null;
    return {
      input: this.#inputs[row],
      file: this.#files[row],
      entry: this.#entries[row],
      offset: this.#locations[2 * row],
      length: this.#locations[2 * row + 1],
      code: this.#codes[row],
    };
  }
}

function digestKey(digest: string): number {
  return digest === '' ? -1 : hash53(`d ${digest}`);
}

function captureKey(url: string, time: string): number {
  return url === '' || time === '' ? -1 : hash53(`c ${time} ${url}`);
}

/**
 * Hashes a text to 53 bits in two multiplicative lanes; among a million captures, a false match occurs in one
 * of ten thousand runs.
 */
function hash53(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
