/**
 * Sections follow from the smoothing: a node begins a section where its smoothed score differs from its
 * parent's, and descendants with the same score belong to it (Chakrabarti, Kumar and Punera 2007, section 4).
 */
import type { Label } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import { FEATURE_COLUMN, type FeatureTable } from './feature-list.ts';

/** A section of a page: a region with one score. */
export interface Section {
  /** The node that begins it, and its bytes `[start, end)`. */
  node: number;
  start: number;
  end: number;
  /** Smoothed score of template. */
  score: number;
  label: Label;
  /** Number of words, including those of sections inside. */
  words: number;
}

/** Returns the sections of a page in document order, outer ones first. */
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

/** Returns the number of words of a row, from their logarithm. */
function wordsOf({ values, width }: FeatureTable, row: number): number {
  return Math.round(wordCountOf(values[row * width + FEATURE_COLUMN.words]));
}

/**
 * The paper's simple alternative to smoothing, Basic + Merge (section 6.1): consecutive leaves form one
 * section while their scores differ by less than δ. A leaf here is a judged node with words of its own.
 */

/**
 * Returns scores where each run of leaves has its mean, weighted by words; rows that are not leaves keep
 * their score.
 */
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

/** Returns the runs of merged leaves as sections; with δ = 0 every leaf is a section. */
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

/** Returns the leaves in document order, split where scores of neighbours differ by δ or more. */
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

/**
 * Size of a cache of powers of two. A power takes as long as fifty additions, and most rows have few words.
 */
const SLOTS = 1024;
const logarithms = new Float64Array(SLOTS);
const counts = new Float64Array(SLOTS);

/** Returns 2^x - 1. */
export function wordCountOf(logarithm: number): number {
  const slot = (logarithm * 4096) & (SLOTS - 1);
  if (logarithms[slot] !== logarithm) {
    logarithms[slot] = logarithm;
    counts[slot] = 2 ** logarithm - 1;
  }
  return counts[slot];
}
