/**
 * What captures are compared by, kept by the task that labels them, so that the task which has the next capture of a page
 * need not read and parse it again. A record of 32-bit numbers for each page, in a file as they come, and where each
 * lies in another. A record is columns, so that what is read is used as it lies. Whoever does not find a record reads
 * the capture from the archive: the result is the same.
 *
 * Some 20 KB a page, until the run is finished.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFully } from '../../model/write-fully.ts';
import { SIMILARITY_PLACES } from '../../study/page-changes.ts';
import type { CaptureTokens } from '../../study/redesign-sums.ts';

const TOKENS_FILE = 'tokens.bin';
/** First page; then, by page, where its record begins and how long it is, in numbers; -1 and 0 for none. */
const PLACES_FILE = 'token-places.bin';
/** Numbers gathered before they are written. */
const FLUSH_NUMBERS = 1 << 18;
/** Counts of tokens and nodes, and the hash of the whole. */
const HEAD_NUMBERS = 4;
/** Numbers of a node. */
const NODE_COLUMNS = 5;

export class TokenPart {
  readonly #draft: string;
  readonly #file: number;
  readonly #firstPage: number;
  readonly #places: Float64Array;
  readonly #reader = new RecordReader();
  #waiting = new Int32Array(FLUSH_NUMBERS);
  #waitingCount = 0;
  #written = 0;

  /** `draft` is the folder of the task's files; its pages are numbered from `firstPage` up to, not including, `endPage`. */
  constructor({ draft, firstPage, endPage }: { draft: string; firstPage: number; endPage: number }) {
    this.#draft = draft;
    this.#file = openSync(join(draft, TOKENS_FILE), 'w+');
    this.#firstPage = firstPage;
    this.#places = new Float64Array(2 * (endPage - firstPage));
    for (let page = 0; page < this.#places.length; page += 2) this.#places[page] = -1;
  }

  add(page: number, { tokens, signature, wholeLow, wholeHigh }: CaptureTokens): void {
    const nodeCount = tokens.firstToken.length;
    const size = HEAD_NUMBERS + SIMILARITY_PLACES + tokens.tokens.length + NODE_COLUMNS * nodeCount;
    if (this.#waitingCount + size > this.#waiting.length) this.#flush();
    if (size > this.#waiting.length) this.#waiting = new Int32Array(size);
    const out = this.#waiting;
    const start = this.#waitingCount;
    out[start] = tokens.tokens.length;
    out[start + 1] = nodeCount;
    out[start + 2] = wholeLow;
    out[start + 3] = wholeHigh;
    out.set(signature, start + HEAD_NUMBERS);
    out.set(tokens.tokens, start + HEAD_NUMBERS + SIMILARITY_PLACES);
    const { contentLow, contentHigh, firstToken, endToken, wordCount } = tokens;
    let at = start + size - NODE_COLUMNS * nodeCount;
    for (const column of [contentLow, contentHigh, firstToken, endToken, wordCount]) {
      out.set(column, at);
      at += nodeCount;
    }
    this.#places[2 * (page - this.#firstPage)] = this.#written + start;
    this.#places[2 * (page - this.#firstPage) + 1] = size;
    this.#waitingCount = start + size;
  }

  /** The record of a page of this task, until the next is found or added; undefined when there is none. */
  find(page: number): CaptureTokens | undefined {
    const at = 2 * (page - this.#firstPage);
    const place = this.#places[at] ?? -1;
    if (place < 0) return undefined;
    if (place >= this.#written) return fromNumbers(this.#waiting, place - this.#written);
    return this.#reader.read(this.#file, place, this.#places[at + 1]);
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
    writeFully(this.#file, bytes, { position: this.#written * 4 });
    this.#written += this.#waitingCount;
    this.#waitingCount = 0;
  }
}

/** Records of other tasks, as far as they are committed. */
export class EarlierTokens {
  /** By folder; undefined while it is not committed. */
  readonly #open = new Map<string, { file: number; firstPage: number; places: Float64Array }>();
  readonly #reader = new RecordReader();

  /** The record of a page of a task, until the next is found; undefined when there is none, or not yet. */
  find(folder: string, page: number): CaptureTokens | undefined {
    const task = this.#open.get(folder) ?? this.#openTask(folder);
    if (task === undefined) return undefined;
    const at = 2 * (page - task.firstPage);
    const place = task.places[at] ?? -1;
    return place < 0 ? undefined : this.#reader.read(task.file, place, task.places[at + 1]);
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

/** Reads record after record into the same memory. */
class RecordReader {
  #numbers = new Int32Array(1 << 14);

  read(file: number, place: number, size: number): CaptureTokens {
    if (this.#numbers.length < size) this.#numbers = new Int32Array(2 * size);
    const bytes = bytesOf(this.#numbers.subarray(0, size));
    for (let from = 0; from < bytes.length; ) {
      const got = readSync(file, bytes, from, bytes.length - from, place * 4 + from);
      if (got === 0) throw new Error(`${TOKENS_FILE} is cut off`);
      from += got;
    }
    return fromNumbers(this.#numbers, 0);
  }
}

/** The record that begins at `start`, seen where it lies. */
function fromNumbers(numbers: Int32Array, start: number): CaptureTokens {
  const tokenCount = numbers[start];
  const nodeCount = numbers[start + 1];
  const signatureAt = start + HEAD_NUMBERS;
  const tokensAt = signatureAt + SIMILARITY_PLACES;
  const nodesAt = tokensAt + tokenCount;
  const column = (k: number): Int32Array =>
    numbers.subarray(nodesAt + k * nodeCount, nodesAt + (k + 1) * nodeCount);
  return {
    wholeLow: numbers[start + 2],
    wholeHigh: numbers[start + 3],
    signature: new Uint32Array(numbers.buffer, numbers.byteOffset + 4 * signatureAt, SIMILARITY_PLACES),
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
