/**
 * Captures (study/capture.ts) stored by the task that labels them, so that the task with the next capture of a page need
 * not read and parse it again. One record for each page, a structured clone, in a file in the order they come, and a
 * second file with the location of each record. Where a record is missing the capture is read from the archive: the
 * result is the same.
 *
 * About 20 KB a page, 50 KB with blocks, until the run is finished.
 */
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { readFully, writeFully } from '../../model/write-fully.ts';
import type { Capture, CaptureBlocks } from '../../study/capture.ts';

const RECORDS_FILE = 'captures.bin';
const LOCATIONS_FILE = 'capture-locations.bin';

/** By page: where its record begins, and its bytes. */
type Locations = Map<number, [start: number, bytes: number]>;

const BLOCK_COLUMNS = ['low', 'high', 'firstToken', 'lastToken', 'words', 'textStart', 'textEnd'] as const;

type StoredBlocks = Omit<CaptureBlocks, 'pathOf'> & { paths: string[] };

export class CapturePart {
  readonly #draft: string;
  readonly #file: number;
  readonly #locations: Locations = new Map();
  readonly #reader = new RecordReader();
  #size = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
    this.#file = openSync(join(draft, RECORDS_FILE), 'w+');
  }

  add(page: number, { tokens, flags, signature, wholeLow, wholeHigh, blocks }: Capture): void {
    const record = { tokens, flags, signature, wholeLow, wholeHigh };
    // flags are compared block by block only
    const bytes = serialize(
      blocks ? { ...record, blocks: storedBlocks(blocks) } : { ...record, flags: new Uint8Array(0) },
    );
    writeFully(this.#file, bytes, { position: this.#size });
    this.#locations.set(page, [this.#size, bytes.length]);
    this.#size += bytes.length;
  }

  /** The capture of a page of this task, until the next is found; undefined without one. */
  find(page: number): Capture | undefined {
    return this.#reader.read(this.#file, this.#locations.get(page));
  }

  close(): void {
    closeSync(this.#file);
    writeFileSync(join(this.#draft, LOCATIONS_FILE), serialize(this.#locations));
  }
}

/** Captures of other tasks, as far as they are committed. */
export class EarlierCaptures {
  /** By folder of a committed task. */
  readonly #open = new Map<string, { file: number; locations: Locations }>();
  readonly #reader = new RecordReader();

  /** The capture of a page of a task, until the next is found; undefined without one, or before the task is committed. */
  find(folder: string, page: number): Capture | undefined {
    const task = this.#open.get(folder) ?? this.#openTask(folder);
    return task && this.#reader.read(task.file, task.locations.get(page));
  }

  #openTask(folder: string) {
    const path = join(folder, LOCATIONS_FILE);
    if (!existsSync(path)) return undefined;
    const locations = deserialize(readFileSync(path)) as Locations;
    const task = { file: openSync(join(folder, RECORDS_FILE), 'r'), locations };
    this.#open.set(folder, task);
    return task;
  }

  close(): void {
    for (const { file } of this.#open.values()) closeSync(file);
    this.#open.clear();
  }
}

/** Blocks as plain data: columns cut to their count, and the path of each. */
function storedBlocks({ pathOf, ...blocks }: CaptureBlocks): StoredBlocks {
  const { count } = blocks;
  const stored: StoredBlocks = {
    ...blocks,
    paths: Array.from({ length: count }, (_, block) => pathOf(block)),
  };
  for (const name of BLOCK_COLUMNS) stored[name] = blocks[name].subarray(0, count) as never;
  return stored;
}

/** Reads record after record into the same memory. */
class RecordReader {
  #room = Buffer.allocUnsafeSlow(1 << 16);

  read(file: number, location: [start: number, bytes: number] | undefined): Capture | undefined {
    if (location === undefined) return undefined;
    const [position, length] = location;
    if (this.#room.length < length) this.#room = Buffer.allocUnsafeSlow(2 * length);
    const bytes = this.#room.subarray(0, length);
    readFully(file, bytes, { position, name: RECORDS_FILE });
    const { blocks, ...capture } = deserialize(bytes) as Capture & { blocks?: StoredBlocks };
    return { ...capture, blocks: blocks && { ...blocks, pathOf: (block) => blocks.paths[block] } };
  }
}
