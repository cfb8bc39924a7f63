/**
 * What one task leaves for the history of its pages: a row per capture with its values, and beside it the sets of its
 * words, one after the other in a file of 32-bit numbers, to be looked up pair by pair at the end.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { writeFully } from '../../model/write-fully.ts';
import type { PageValues } from '../../study/page-values.ts';
import { i64, text, u32 } from '../table.ts';
import { TableRows } from '../table-rows.ts';

const VALUE_COLUMNS = {
  page: u32(),
  /** What captures of one page agree in: its URL without case, session and escapes. */
  url_key: text(),
  template_value: text(),
  rest_value: text(),
  /** Where its words lie in the task's file, how many they are, and how many of the rest follow. */
  words_at: i64(),
  words: u32(),
  rest_words: u32(),
};

export const VALUES_FILE = 'values.parquet';
const WORDS_FILE = 'words.bin';
/** Numbers gathered before they are written. */
const FLUSH_WORDS = 1 << 18;

export class ValuePart {
  readonly #draft: string;
  readonly #rows = new TableRows(VALUE_COLUMNS);
  readonly #file: number;
  readonly #waiting = new Uint32Array(FLUSH_WORDS);
  #waitingCount = 0;
  #written = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
    this.#file = openSync(join(draft, WORDS_FILE), 'w');
  }

  add(page: number, urlKey: string, { template, rest, words, restWords }: PageValues): void {
    const at = this.#written + this.#waitingCount;
    this.#rows.add({
      page,
      url_key: urlKey,
      template_value: template,
      rest_value: rest,
      words_at: at,
      words: words.length,
      rest_words: restWords.length,
    });
    this.#write(words);
    this.#write(restWords);
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
    this.#rows.toParquet(join(this.#draft, VALUES_FILE));
  }

  #write(words: Uint32Array): void {
    for (let from = 0; from < words.length; ) {
      if (this.#waitingCount === FLUSH_WORDS) this.#flush();
      const piece = words.subarray(from, from + FLUSH_WORDS - this.#waitingCount);
      this.#waiting.set(piece, this.#waitingCount);
      this.#waitingCount += piece.length;
      from += piece.length;
    }
  }

  #flush(): void {
    const bytes = new Uint8Array(this.#waiting.buffer, 0, this.#waitingCount * 4);
    writeFully(this.#file, bytes);
    this.#written += this.#waitingCount;
    this.#waitingCount = 0;
  }
}

/** Files that are open at a time: a run has a task, and so a file, for every few thousand pages. */
const MOST_FILES = 64;

/** The sets of words of the captures of some tasks. */
export class WordSets {
  readonly #folders: readonly string[];
  /** By task, the one used longest ago first. */
  readonly #files = new Map<number, number>();
  /** The set that was read last, and memory for the next. */
  #last = new Uint32Array(1 << 12);
  #next = new Uint32Array(1 << 12);

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** A set of a task's file; it holds until the next but one is read. */
  read(task: number, at: number, count: number): Uint32Array {
    const file = this.#open(task);
    const room = this.#next.length < count ? new Uint32Array(2 * count) : this.#next;
    this.#next = this.#last;
    this.#last = room;
    const words = room.subarray(0, count);
    const bytes = new Uint8Array(room.buffer, 0, 4 * count);
    for (let from = 0; from < bytes.length; ) {
      const got = readSync(file, bytes, from, bytes.length - from, at * 4 + from);
      if (got === 0) throw new Error(`${WORDS_FILE} of ${this.#folders[task]} is cut off`);
      from += got;
    }
    return words;
  }

  #open(task: number): number {
    let file = this.#files.get(task);
    if (file === undefined) {
      if (this.#files.size >= MOST_FILES) {
        const [[oldest, unused]] = this.#files;
        closeSync(unused);
        this.#files.delete(oldest);
      }
      file = openSync(join(this.#folders[task], WORDS_FILE), 'r');
    } else this.#files.delete(task);
    this.#files.set(task, file);
    return file;
  }

  close(): void {
    for (const file of this.#files.values()) closeSync(file);
    this.#files.clear();
  }
}
