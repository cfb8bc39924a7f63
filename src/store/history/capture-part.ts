/**
 * Captures (study/capture.ts) stored by the task that labels them, so that the task with the next capture of a page need
 * not read and parse it again. One record for each page, in a file in the order they come, and a second file with the
 * location of each record. A record is columns, used as they were read. Where a record is missing the capture is read
 * from the archive: the result is the same.
 *
 * About 20 KB a page, 50 KB with blocks, until the run is finished.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFully } from '../../model/write-fully.ts';
import { type Capture, type CaptureBlocks, SIGNATURE_COMPONENTS } from '../../study/capture.ts';

const RECORDS_FILE = 'captures.bin';
/** First page; then, by page, where its record begins and how long it is, in numbers; -1 and 0 without one. */
const LOCATIONS_FILE = 'capture-locations.bin';
/** Numbers gathered before they are written. */
const FLUSH_NUMBERS = 1 << 18;
/** Counts of tokens, subtrees, blocks, bytes of the text and of the paths; the hash of the whole. */
const HEAD_NUMBERS = 7;

/** Count of blocks of a capture that was stored without them. */
const NO_BLOCKS = -1;

const SUBTREE_COLUMNS = ['contentLow', 'contentHigh', 'firstToken', 'endToken', 'wordCount'] as const;
const BLOCK_COLUMNS = ['low', 'high', 'firstToken', 'lastToken', 'words', 'textStart', 'textEnd'] as const;

export class CapturePart {
  readonly #draft: string;
  readonly #file: number;
  readonly #firstPage: number;
  readonly #locations: Float64Array;
  readonly #reader = new RecordReader();
  #waiting = new Int32Array(FLUSH_NUMBERS);
  #waitingCount = 0;
  #written = 0;

  /** `draft` is the folder of the task's files; its pages are numbered from `firstPage` up to, not including, `endPage`. */
  constructor({ draft, firstPage, endPage }: { draft: string; firstPage: number; endPage: number }) {
    this.#draft = draft;
    this.#file = openSync(join(draft, RECORDS_FILE), 'w+');
    this.#firstPage = firstPage;
    this.#locations = new Float64Array(2 * (endPage - firstPage));
    for (let at = 0; at < this.#locations.length; at += 2) this.#locations[at] = -1;
  }

  add(page: number, capture: Capture): void {
    const record = new RecordWriter(capture);
    if (this.#waitingCount + record.size > this.#waiting.length) this.#flush();
    if (record.size > this.#waiting.length) this.#waiting = new Int32Array(record.size);
    record.write(this.#waiting.subarray(this.#waitingCount, this.#waitingCount + record.size));
    this.#locations[2 * (page - this.#firstPage)] = this.#written + this.#waitingCount;
    this.#locations[2 * (page - this.#firstPage) + 1] = record.size;
    this.#waitingCount += record.size;
  }

  /** The capture of a page of this task, until the next is found or added; undefined without one. */
  find(page: number): Capture | undefined {
    const at = 2 * (page - this.#firstPage);
    const start = this.#locations[at] ?? -1;
    if (start < 0) return undefined;
    if (start >= this.#written) return fromNumbers(this.#waiting.subarray(start - this.#written));
    return this.#reader.read(this.#file, start, this.#locations[at + 1]);
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    const locations = Buffer.concat([bytesOf(Float64Array.of(this.#firstPage)), bytesOf(this.#locations)]);
    writeFileSync(join(this.#draft, LOCATIONS_FILE), locations);
  }

  #flush(): void {
    const bytes = bytesOf(this.#waiting.subarray(0, this.#waitingCount));
    writeFully(this.#file, bytes, { position: this.#written * 4 });
    this.#written += this.#waitingCount;
    this.#waitingCount = 0;
  }
}

/** Captures of other tasks, as far as they are committed. */
export class EarlierCaptures {
  /** By folder of a committed task. */
  readonly #open = new Map<string, { file: number; firstPage: number; locations: Float64Array }>();
  readonly #reader = new RecordReader();

  /** The capture of a page of a task, until the next is found; undefined without one, or while it is not committed. */
  find(folder: string, page: number): Capture | undefined {
    const task = this.#open.get(folder) ?? this.#openTask(folder);
    if (task === undefined) return undefined;
    const at = 2 * (page - task.firstPage);
    const start = task.locations[at] ?? -1;
    return start < 0 ? undefined : this.#reader.read(task.file, start, task.locations[at + 1]);
  }

  #openTask(folder: string) {
    const path = join(folder, LOCATIONS_FILE);
    if (!existsSync(path)) return undefined;
    const stored = readFileSync(path);
    const numbers = new Float64Array(
      stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.length),
    );
    const file = openSync(join(folder, RECORDS_FILE), 'r');
    const task = { file, firstPage: numbers[0], locations: numbers.subarray(1) };
    this.#open.set(folder, task);
    return task;
  }

  close(): void {
    for (const { file } of this.#open.values()) closeSync(file);
    this.#open.clear();
  }
}

/**
 * Lays a capture out: head, signature, tokens, columns of subtrees; with blocks also columns of blocks, then bytes: a flag
 * for each token, the text, the paths on a line each.
 */
class RecordWriter {
  readonly size: number;
  readonly #capture: Capture;
  readonly #paths: Uint8Array;

  constructor(capture: Capture) {
    const { tokens, flags, blocks } = capture;
    this.#capture = capture;
    const paths = Array.from({ length: blocks?.count ?? 0 }, (_, block) => blocks!.pathOf(block));
    this.#paths = Buffer.from(paths.join('\n'));
    const bytes = blocks ? flags.length + blocks.text.length + this.#paths.length : 0;
    this.size =
      HEAD_NUMBERS +
      SIGNATURE_COMPONENTS +
      tokens.tokens.length +
      SUBTREE_COLUMNS.length * tokens.firstToken.length +
      BLOCK_COLUMNS.length * paths.length +
      Math.ceil(bytes / 4);
  }

  write(out: Int32Array): void {
    const { tokens, flags, signature, wholeLow, wholeHigh, blocks } = this.#capture;
    const blockCount = blocks?.count ?? NO_BLOCKS;
    const textBytes = blocks?.text.length ?? 0;
    const counts = [
      tokens.tokens.length,
      tokens.firstToken.length,
      blockCount,
      textBytes,
      this.#paths.length,
    ];
    out.set([...counts, wholeLow, wholeHigh]);
    let at = HEAD_NUMBERS;
    const add = (column: Int32Array | Uint32Array): void => {
      out.set(column, at);
      at += column.length;
    };
    add(signature);
    add(tokens.tokens);
    for (const name of SUBTREE_COLUMNS) add(tokens[name]);
    if (!blocks) return;
    for (const name of BLOCK_COLUMNS) add(blocks[name].subarray(0, blockCount));
    const bytes = bytesOf(out.subarray(at));
    bytes.set(flags);
    bytes.set(blocks.text, flags.length);
    bytes.set(this.#paths, flags.length + textBytes);
  }
}

/** Reads record after record into the same memory. */
class RecordReader {
  #numbers = new Int32Array(1 << 14);

  read(file: number, start: number, size: number): Capture {
    if (this.#numbers.length < size) this.#numbers = new Int32Array(2 * size);
    const bytes = bytesOf(this.#numbers.subarray(0, size));
    for (let from = 0; from < bytes.length; ) {
      const got = readSync(file, bytes, from, bytes.length - from, start * 4 + from);
      if (got === 0) throw new Error(`${RECORDS_FILE} is cut off`);
      from += got;
    }
    return fromNumbers(this.#numbers);
  }
}

/** The record at the start of some numbers, as views of them. */
function fromNumbers(numbers: Int32Array): Capture {
  const [tokenCount, subtreeCount, blockCount, textBytes, pathBytes, wholeLow, wholeHigh] = numbers;
  let at = HEAD_NUMBERS;
  const next = (length: number): Int32Array => numbers.subarray(at, (at += length));
  const signature = next(SIGNATURE_COMPONENTS);
  const tokens = next(tokenCount);
  const columns = SUBTREE_COLUMNS.map((name) => [name, next(subtreeCount)]);
  const capture: Capture = {
    signature: new Uint32Array(signature.buffer, signature.byteOffset, SIGNATURE_COMPONENTS),
    tokens: { tokens, ...Object.fromEntries(columns) },
    flags: new Uint8Array(0),
    wholeLow,
    wholeHigh,
  };
  if (blockCount === NO_BLOCKS) return capture;
  const blocks = Object.fromEntries(BLOCK_COLUMNS.map((name) => [name, next(blockCount)]));
  const bytes = bytesOf(numbers.subarray(at));
  const textEnd = tokenCount + textBytes;
  let paths: string[] | undefined;
  return {
    ...capture,
    flags: bytes.subarray(0, tokenCount),
    blocks: {
      ...(blocks as unknown as CaptureBlocks),
      count: blockCount,
      text: bytes.subarray(tokenCount, textEnd),
      pathOf: (block) => {
        paths ??= Buffer.from(bytes.subarray(textEnd, textEnd + pathBytes))
          .toString('utf8')
          .split('\n');
        return paths[block];
      },
    },
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
