/**
 * The paper's plain alternative to smoothing, Basic + Merge (section 6.1): leaves that follow each other are one
 * section while their scores differ by less than δ. A leaf here is a judged node with words of its own.
 */
import type { Label } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import { FEATURE_COLUMN } from './feature-list.ts';
import type { FeatureTable } from './feature-table.ts';
import { type Section, wordsOf } from './sections.ts';
import { wordCountOf } from './word-count.ts';

/** Scores where each run of leaves has the mean of its own, by words; rows that are no leaves keep theirs. */
export function mergeLeaves(table: FeatureTable, scores: Float64Array, delta: number): Float64Array {
  const merged = scores.slice(0, table.rowCount);
  for (const run of runsOf(table, scores, delta)) {
    let sum = 0;
    let words = 0;
    for (const row of run) {
      const own = ownWords(table, row);
      sum += scores[row] * own;
      words += own;
    }
    for (const row of run) merged[row] = sum / words;
  }
  return merged;
}

/** Runs of merged leaves as sections; with δ = 0 every leaf is one. */
export function findMergedSections(
  tree: Tree,
  table: FeatureTable,
  merged: Float64Array,
  labelOf: (row: number) => Label,
  delta: number,
): Section[] {
  return runsOf(table, merged, delta > 0 ? 1e-9 : 0).map((run) => {
    const [first, last] = [run[0], run[run.length - 1]];
    return {
      node: table.node[first],
      start: tree.start[table.node[first]],
      end: Math.max(...run.map((row) => tree.end[table.node[row]])),
      score: merged[first],
      label: labelOf(first),
      words: run.reduce((sum, row) => sum + (row === last ? wordsOf(table, row) : ownWords(table, row)), 0),
    };
  });
}

/** Leaves in document order, cut where scores of neighbours differ by δ or more. */
function runsOf(table: FeatureTable, scores: Float64Array, delta: number): number[][] {
  const runs: number[][] = [];
  let previous = -1;
  for (let row = 0; row < table.rowCount; row++) {
    if (ownWords(table, row) <= 0) continue;
    if (previous >= 0 && Math.abs(scores[row] - scores[previous]) < delta) runs.at(-1)!.push(row);
    else runs.push([row]);
    previous = row;
  }
  return runs;
}

function ownWords({ values, width }: FeatureTable, row: number): number {
  return wordCountOf(values[row * width + FEATURE_COLUMN.ownWords]);
}
