/**
 * Shared code of experiments on cached tables: looking names up in another lexicon, and content F1 by words.
 */
import { FEATURE_COLUMN, FEATURES } from '../src/detect/page/feature-list.ts';
import type { Lexicon } from '../src/detect/page/lexicon.ts';
import { toScore } from '../src/evaluate/overlap.ts';
import type { CachedPage } from './page-tables.ts';

const WIDTH = FEATURES.length;

/**
 * Writes the features of names into a page's table, as the kernel does from the source
 * (kernel/assembly/row-context.ts).
 */
export function applyLexicon(page: CachedPage, { words, weights }: Lexicon): void {
  const weightOf = new Map(words.map((word, index) => [word, weights[index]]));
  const { rowCount, parent, values, names } = page;
  const inner = new Float64Array(rowCount);
  const put = (row: number, name: string, value: number) => {
    values[row * WIDTH + FEATURE_COLUMN[name]] = value;
  };
  const get = (row: number, name: string) => values[row * WIDTH + FEATURE_COLUMN[name]];
  for (let row = 0; row < rowCount; row++) {
    const known = names[row] === '' ? [] : names[row].split(' ').map((name) => weightOf.get(name) ?? 0);
    const sum = known.reduce((total, weight) => total + weight, 0);
    const above = parent[row];
    put(row, 'ownName', sum);
    put(row, 'highestName', Math.max(0, above < 0 ? 0 : get(above, 'highestName'), ...known));
    put(row, 'lowestName', Math.min(0, above < 0 ? 0 : get(above, 'lowestName'), ...known));
    put(row, 'pathName', sum + (above < 0 ? 0 : get(above, 'pathName')));
  }
  const wordsOf = (row: number) => 2 ** get(row, 'words') - 1;
  for (let row = rowCount - 1; row > 0; row--)
    inner[parent[row]] += inner[row] + get(row, 'ownName') * wordsOf(row);
  for (let row = 0; row < rowCount; row++)
    put(row, 'innerName', wordsOf(row) > 0 ? inner[row] / wordsOf(row) : 0);
}

const MAX_WORDS = 4_000_000;
const wanted = new Int32Array(MAX_WORDS);
const allowed = new Int32Array(MAX_WORDS);

/** Compares the words of the kept rows with gold's as bags, as evaluate/overlap.ts counts. */
export function overlap({ rowCount, gold }: CachedPage, keeps: (row: number) => boolean) {
  const { rowStart, words, gold: truth, neutral } = gold!;
  for (const word of truth) wanted[word]++;
  for (const word of neutral) allowed[word]++;
  let found = 0;
  let both = 0;
  for (let row = 0; row < rowCount; row++) {
    if (rowStart[row] === rowStart[row + 1] || !keeps(row)) continue;
    for (let k = rowStart[row]; k < rowStart[row + 1]; k++) {
      const word = words[k];
      if (wanted[word] > 0) {
        wanted[word]--;
        both++;
        found++;
      } else if (allowed[word] > 0) allowed[word]--;
      else found++;
    }
  }
  for (const word of truth) wanted[word] = 0;
  for (const word of neutral) allowed[word] = 0;
  return toScore(both, found, truth.length);
}
