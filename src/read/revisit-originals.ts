/**
 * Where the bodies of revisits lie: of each capture read so far its place, or why it gave no page, found by payload digest, or by URL and
 * time. Some 100 bytes a page; strings are kept only as hashes, since whoever asks reads the place and sees.
 */
import type { Capture, Location } from '../model/page.ts';
import type { SkipCode } from '../model/problem.ts';
import type { Input, RawRecord } from './raw-record.ts';

export class RevisitOriginals {
  readonly #rows = new Map<number, number>();
  readonly #inputs: Input[] = []; // of each row
  readonly #files: string[] = []; // interned by the engine
  readonly #entries: (string | undefined)[] = [];
  readonly #places: number[] = []; // offset and length of each row
  readonly #codes: (SkipCode | undefined)[] = [];

  /** `code` is why the capture gave no page, undefined when it gave one. */
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
    this.#places.push(offset, length);
    for (const key of keys) this.#rows.set(key, row);
  }

  /** What the revisit names most exactly comes first: a capture, then a digest. */
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
      offset: this.#places[2 * row],
      length: this.#places[2 * row + 1],
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

/** Two multiplicative lanes, 53 bits: one false match in a million captures is one in ten thousand runs. */
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
