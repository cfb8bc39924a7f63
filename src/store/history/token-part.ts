/**
 * What captures are compared by, kept by the task that labels them, so that the task which has the next capture of a page
 * need not read and parse it again. A record of 32-bit numbers for each page, in a file as they come, and where each
 * begins in another. Whoever does not find a record reads the capture from the archive: the result is the same.
 *
 * Subtrees of a single token are not kept: what is equal to one is one itself, and such are compared as tokens. Some
 * 20 KB a page, until the run is finished.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { SIMILARITY_PLACES } from '../../study/page-changes.ts';
import type { CaptureTokens } from '../../study/redesign-sums.ts';

const TOKENS_FILE = 'tokens.bin';
/** By page from the first: where its record begins, in numbers; -1 for none. */
const PLACES_FILE = 'token-places.bin';
/** Numbers gathered before they are written. */
const FLUSH_NUMBERS = 1 << 18;
/** Counts of tokens and nodes, and length of the record. */
const HEAD_NUMBERS = 3;

export class TokenPart {
  readonly #draft: string;
  readonly #file: number;
  readonly #firstPage: number;
  readonly #places: Float64Array;
  #waiting = new Int32Array(FLUSH_NUMBERS);
  #waitingCount = 0;
  #written = 0;

  /** `draft` is the folder of the task's files; its pages are numbered from `firstPage` up to, not including, `endPage`. */
  constructor({ draft, firstPage, endPage }: { draft: string; firstPage: number; endPage: number }) {
    this.#draft = draft;
    this.#file = openSync(join(draft, TOKENS_FILE), 'w+');
    this.#firstPage = firstPage;
    this.#places = new Float64Array(endPage - firstPage).fill(-1);
  }

  add(page: number, { tokens, signature }: CaptureTokens): void {
    const { firstToken, endToken } = tokens;
    const most = HEAD_NUMBERS + SIMILARITY_PLACES + tokens.tokens.length + 5 * firstToken.length;
    if (this.#waitingCount + most > this.#waiting.length) this.#flush();
    if (most > this.#waiting.length) this.#waiting = new Int32Array(most);
    const out = this.#waiting;
    const start = this.#waitingCount;
    let at = start + HEAD_NUMBERS;
    out.set(signature, at);
    at += SIMILARITY_PLACES;
    out.set(tokens.tokens, at);
    at += tokens.tokens.length;
    const from = at;
    for (let node = 0; node < firstToken.length; node++) {
      if (endToken[node] - firstToken[node] < 2) continue;
      out[at++] = tokens.contentLow[node];
      out[at++] = tokens.contentHigh[node];
      out[at++] = firstToken[node];
      out[at++] = endToken[node];
      out[at++] = tokens.wordCount[node];
    }
    out[start] = tokens.tokens.length;
    out[start + 1] = (at - from) / 5;
    out[start + 2] = at - start;
    this.#places[page - this.#firstPage] = this.#written + start;
    this.#waitingCount = at;
  }

  /** The record of a page of this task; undefined when there is none. */
  find(page: number): CaptureTokens | undefined {
    const place = this.#places[page - this.#firstPage] ?? -1;
    if (place < 0) return undefined;
    if (place >= this.#written) return fromNumbers(this.#waiting, place - this.#written);
    return readRecord(this.#file, place);
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    const first = Float64Array.of(this.#firstPage);
    const places = Buffer.concat([bytesOf(first), bytesOf(this.#places)]);
    writeFileSync(join(this.#draft, PLACES_FILE), places);
  }

  #flush(): void {
    const bytes = bytesOf(this.#waiting.subarray(0, this.#waitingCount));
    for (let from = 0; from < bytes.length; ) {
      from += writeSync(this.#file, bytes, from, bytes.length - from, this.#written * 4 + from);
    }
    this.#written += this.#waitingCount;
    this.#waitingCount = 0;
  }
}

/** Records of other tasks, as far as they are committed. */
export class EarlierTokens {
  /** By folder; undefined while it is not committed. */
  readonly #open = new Map<string, { file: number; firstPage: number; places: Float64Array }>();

  /** The record of a page of a task; undefined when there is none, or not yet. */
  find(folder: string, page: number): CaptureTokens | undefined {
    const task = this.#open.get(folder) ?? this.#openTask(folder);
    const place = task?.places[page - task.firstPage] ?? -1;
    return task === undefined || place < 0 ? undefined : readRecord(task.file, place);
  }

  #openTask(folder: string) {
    const path = join(folder, PLACES_FILE);
    if (!existsSync(path)) return undefined;
    const stored = readFileSync(path);
    const numbers = new Float64Array(
      stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.length),
    );
    const file = openSync(join(folder, TOKENS_FILE), 'r');
    const task = { file, firstPage: numbers[0], places: numbers.subarray(1) };
    this.#open.set(folder, task);
    return task;
  }

  close(): void {
    for (const { file } of this.#open.values()) closeSync(file);
    this.#open.clear();
  }
}

function readRecord(file: number, place: number): CaptureTokens {
  const head = readNumbers(file, place, HEAD_NUMBERS);
  return fromNumbers(readNumbers(file, place, head[2]), 0);
}

function readNumbers(file: number, place: number, count: number): Int32Array {
  const numbers = new Int32Array(count);
  const bytes = bytesOf(numbers);
  for (let from = 0; from < bytes.length; ) {
    const got = readSync(file, bytes, from, bytes.length - from, place * 4 + from);
    if (got === 0) throw new Error(`${TOKENS_FILE} is cut off`);
    from += got;
  }
  return numbers;
}

/** The record that begins at `start`; its tokens are seen where they lie. */
function fromNumbers(numbers: Int32Array, start: number): CaptureTokens {
  const tokenCount = numbers[start];
  const nodeCount = numbers[start + 1];
  const tokensAt = start + HEAD_NUMBERS + SIMILARITY_PLACES;
  const nodesAt = tokensAt + tokenCount;
  const column = (k: number): Int32Array => {
    const values = new Int32Array(nodeCount);
    for (let node = 0; node < nodeCount; node++) values[node] = numbers[nodesAt + 5 * node + k];
    return values;
  };
  return {
    signature: Uint32Array.from(numbers.subarray(start + HEAD_NUMBERS, tokensAt), (value) => value >>> 0),
    tokens: {
      tokens: numbers.subarray(tokensAt, nodesAt),
      contentLow: column(0),
      contentHigh: column(1),
      firstToken: column(2),
      endToken: column(3),
      wordCount: column(4),
    },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
