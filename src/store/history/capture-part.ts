/**
 * Stores captures (study/capture.ts) in the task that labels them, so that the task with the next capture of a page
 * need not read and parse them again. Each page is one record, a structured clone, in the order of the pages; a
 * second file has the location of each record. A capture without a record is read from the archive, with the same
 * result.
 *
 * Size: about 20 KB per page, 50 KB with blocks, until the run is finished.
 */
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { readFully, writeFully } from '../../model/write-fully.ts';
import type { CaptureBlocks, ComparedCapture } from '../../study/capture.ts';
import { committedFolder } from '../task-parts.ts';

const RECORDS_FILE = 'captures.bin';
const LOCATIONS_FILE = 'capture-locations.bin';

/** Start and size in bytes of the record of each page. */
type Locations = Map<number, [start: number, bytes: number]>;

const BLOCK_COLUMNS = ['low', 'high', 'firstToken', 'lastToken', 'words', 'textStart', 'textEnd'] as const;

type StoredBlocks = Omit<CaptureBlocks, 'pathOf'> & { paths: string[] };

/** Writes the captures of one task, and reads them again. */
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

  add(page: number, { tokens, flags, signature, wholeLow, wholeHigh, blocks }: ComparedCapture): void {
    const record = { tokens, flags, signature, wholeLow, wholeHigh };
    // flags are only used to compare blocks
    const bytes = serialize(
      blocks ? { ...record, blocks: storedBlocks(blocks) } : { ...record, flags: new Uint8Array(0) },
    );
    writeFully(this.#file, bytes, { position: this.#size });
    this.#locations.set(page, [this.#size, bytes.length]);
    this.#size += bytes.length;
  }

  /** Returns the capture of a page of this task, valid until the next call; undefined when the page has no capture. */
  find(page: number): ComparedCapture | undefined {
    return this.#reader.read(this.#file, this.#locations.get(page));
  }

  close(): void {
    closeSync(this.#file);
    writeFileSync(join(this.#draft, LOCATIONS_FILE), serialize(this.#locations));
  }
}

/** Reads captures of other, committed tasks. */
export class EarlierCaptures {
  /** Work folder of the run. */
  readonly #folder: string;
  /** Open files by name of a committed task. */
  readonly #open = new Map<string, { file: number; locations: Locations }>();
  readonly #reader = new RecordReader();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the capture of a page of another task, valid until the next call; undefined when the page has no capture or the
   * task is not committed.
   */
  find(name: string, page: number): ComparedCapture | undefined {
    const task = this.#open.get(name) ?? this.#openTask(name);
    return task && this.#reader.read(task.file, task.locations.get(page));
  }

  #openTask(name: string) {
    const folder = committedFolder({ folder: this.#folder, name });
    if (folder === undefined) return undefined;
    const locations = deserialize(readFileSync(join(folder, LOCATIONS_FILE))) as Locations;
    const task = { file: openSync(join(folder, RECORDS_FILE), 'r'), locations };
    this.#open.set(name, task);
    return task;
  }

  close(): void {
    for (const { file } of this.#open.values()) closeSync(file);
    this.#open.clear();
  }
}

/** Returns blocks as plain data: columns cut to their count, and the path of each block. */
function storedBlocks({ pathOf, ...blocks }: CaptureBlocks): StoredBlocks {
  const { count } = blocks;
  const stored: StoredBlocks = {
    ...blocks,
    paths: Array.from({ length: count }, (_, block) => pathOf(block)),
  };
  for (const name of BLOCK_COLUMNS) stored[name] = blocks[name].subarray(0, count) as never;
  return stored;
}

/** Reads records one by one into the same buffer. */
class RecordReader {
  #room = Buffer.allocUnsafeSlow(1 << 16);

  read(file: number, location: [start: number, bytes: number] | undefined): ComparedCapture | undefined {
    if (location === undefined) return undefined;
    const [position, length] = location;
    if (this.#room.length < length) this.#room = Buffer.allocUnsafeSlow(2 * length);
    const bytes = this.#room.subarray(0, length);
    readFully(file, bytes, { position, name: RECORDS_FILE });
    const { blocks, ...capture } = deserialize(bytes) as ComparedCapture & { blocks?: StoredBlocks };
    return { ...capture, blocks: blocks && { ...blocks, pathOf: (block) => blocks.paths[block] } };
  }
}
