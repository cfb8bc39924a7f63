/**
 * Writes the values of the captures of one task for the history: a row per capture, and the sets of its words in a
 * file of 32-bit numbers, which the end of the run compares pair by pair.
 */
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readFully, writeFully } from '../../model/write-fully.ts';
import type { PageValues } from '../../study/page-values.ts';
import { i64, text, u32 } from '../table.ts';
import { TableRows } from '../table-rows.ts';

const VALUE_COLUMNS = {
  page: u32(),
  /** Key of the page: its URL without case, session and escapes, equal for all its captures. */
  urlKey: text(),
  templateValue: text(),
  restValue: text(),
  /**
   * Index of the capture's words in the task's file, their number, and the number of words outside templates that
   * follow.
   */
  wordsAt: i64(),
  words: u32(),
  restWords: u32(),
};

/** File of a task with a row per capture. */
export const VALUES_FILE = 'values.parquet';
const WORDS_FILE = 'words.bin';

/** Gathers the values of the captures of one task. */
export class ValuePart {
  readonly #draft: string;
  readonly #rows = new TableRows(VALUE_COLUMNS);
  readonly #file: number;
  /** Number of 32-bit numbers in the file. */
  #written = 0;

  /** `draft` is the folder of the task's files. */
  constructor({ draft }: { draft: string }) {
    this.#draft = draft;
    this.#file = openSync(join(draft, WORDS_FILE), 'w');
  }

  add(page: number, urlKey: string, { template, rest, words, restWords }: PageValues): void {
    this.#rows.add({
      page,
      urlKey,
      templateValue: template,
      restValue: rest,
      wordsAt: this.#written,
      words: words.length,
      restWords: restWords.length,
    });
    for (const { buffer, byteOffset, byteLength, length } of [words, restWords]) {
      writeFully(this.#file, new Uint8Array(buffer, byteOffset, byteLength));
      this.#written += length;
    }
  }

  close(): void {
    closeSync(this.#file);
    this.#rows.toParquet(join(this.#draft, VALUES_FILE));
  }
}

/** Maximum number of files open at a time; a run has one file for every few thousand pages. */
const MAX_FILES = 64;

/** Reads the sets of words of the captures of some tasks. */
export class WordSets {
  readonly #folders: readonly string[];
  /** Open files by task, least recently used first. */
  readonly #files = new Map<number, number>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Reads `count` numbers at index `at` of a task's file. */
  read(task: number, at: number, count: number): Uint32Array {
    const words = new Uint32Array(count);
    const name = `${WORDS_FILE} of ${this.#folders[task]}`;
    readFully(this.#open(task), new Uint8Array(words.buffer), { position: at * 4, name });
    return words;
  }

  #open(task: number): number {
    let file = this.#files.get(task);
    if (file === undefined) {
      if (this.#files.size >= MAX_FILES) {
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
