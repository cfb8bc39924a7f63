/**
 * Sections fall out of the smoothing: a node begins one where its smoothed score is not its parent's, and what
 * is below with the same score belongs to it (Chakrabarti, Kumar and Punera 2007, section 4).
 */
import type { Label } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import { FEATURE_COLUMN } from './feature-list.ts';
import type { FeatureTable } from './feature-table.ts';
import { wordCountOf } from './word-count.ts';

export interface Section {
  /** The node that begins it; bytes `[start, end)`. */
  node: number;
  start: number;
  end: number;
  /** Smoothed score of template. */
  score: number;
  label: Label;
  /** Words in it, those of sections inside included. */
  words: number;
}

/** Sections in document order, outer ones first. */
export function findSections(
  tree: Tree,
  table: FeatureTable,
  smoothed: Float64Array,
  labelOf: (row: number) => Label,
): Section[] {
  const { rowCount, node: nodes, parent } = table;
  const sections: Section[] = [];
  for (let row = 0; row < rowCount; row++) {
    if (row > 0 && smoothed[row] === smoothed[parent[row]]) continue;
    const node = nodes[row];
    const words = wordsOf(table, row);
    if (row > 0 && words === 0) continue;
    sections.push({
      node,
      start: tree.start[node],
      end: tree.end[node],
      score: smoothed[row],
      label: labelOf(row),
      words,
    });
  }
  return sections;
}

/** Words of a row, back from their logarithm. */
export function wordsOf({ values, width }: FeatureTable, row: number): number {
  return Math.round(wordCountOf(values[row * width + FEATURE_COLUMN.words]));
}
