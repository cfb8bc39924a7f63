import { mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../test/seeded-random.ts';
import { Database } from '../database.ts';
import { ValuePart, WordSets } from './value-part.ts';

const root = mkdtempSync(join(tmpdir(), 'chaff-values-'));
let database: Database;
beforeAll(async () => {
  database = await Database.open();
});
afterAll(() => {
  database.close();
  rmSync(root, { recursive: true, force: true });
});

interface Place {
  words_at: number;
  words: number;
  rest_words: number;
}

/** Writes sets of words, two for each page, as one task does; where they lie. */
async function writeTask(name: string, pages: [Uint32Array, Uint32Array][]) {
  const folder = join(root, name);
  mkdirSync(folder);
  const part = new ValuePart({ draft: folder });
  for (const [page, [words, restWords]] of pages.entries()) {
    part.add(page + 1, `example,a)/${page}`, { template: 't', rest: 'r', words, restWords });
  }
  part.close();
  const places = await database.rows<Place>(`FROM '${join(folder, 'values.parquet')}' ORDER BY page`);
  return { folder, places };
}

test('every set is read back unchanged, in any order', async () => {
  const random = seededRandom(3);
  const set = (length: number): Uint32Array =>
    Uint32Array.from({ length }, () => Math.floor(random() * 2 ** 32)).sort();
  // more than what is gathered before it is written, in sets of all sizes
  const sizes = [0, 1, 70_000, 3, 300_000, 0, 50_000, 17, 200_000];
  const pages = sizes.map((size): [Uint32Array, Uint32Array] => [set(size), set(size >> 1)]);
  const { folder, places } = await writeTask('sizes', pages);
  const sets = new WordSets([folder]);
  for (const page of [8, 0, 4, 1, 7, 2, 6, 3, 5]) {
    const { words_at, words, rest_words } = places[page];
    expect(sameWords(sets.read(0, words_at, words), pages[page][0])).toBe(true);
    expect(sameWords(sets.read(0, words_at + words, rest_words), pages[page][1])).toBe(true);
  }
  sets.close();
});

function sameWords(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((word, k) => word === b[k]);
}

test('sets of more tasks than open files are read in any order', async () => {
  const folders: string[] = [];
  for (let task = 0; task < 70; task++) {
    const own: [Uint32Array, Uint32Array][] = [[Uint32Array.of(task, task + 1), Uint32Array.of(task)]];
    folders.push((await writeTask(`task-${task}`, own)).folder);
  }
  const sets = new WordSets(folders);
  for (let round = 0; round < 2; round++) {
    for (let task = 0; task < 70; task++) {
      expect([...sets.read(task, 0, 2)]).toEqual([task, task + 1]);
      expect([...sets.read(0, 2, 1)]).toEqual([0]);
    }
  }
  sets.close();
});

test('the error for a truncated file names it', async () => {
  const { folder } = await writeTask('cut', [[Uint32Array.of(1, 2, 3), Uint32Array.of(1)]]);
  truncateSync(join(folder, 'words.bin'), 6);
  const sets = new WordSets([folder]);
  expect(() => sets.read(0, 0, 3)).toThrow('words.bin of');
  sets.close();
});
