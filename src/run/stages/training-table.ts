/**
 * The rows of all tasks as one table to train with. Every site has the same weight in all, or every node has; a row
 * weighs 1 on average, so that the strength of a regularisation means the same for any number of sites.
 */
import type { TrainingTable } from '../../detect/page/fit-classifiers.ts';
import { HEAD_WIDTH, ROW_HEAD } from '../tasks/training-rows.ts';

export interface RowBlock {
  /** Number of the site. */
  site: number;
  /** Some rows, head and features each. */
  rows: Float32Array;
}

export const WEIGHTINGS = ['sites', 'nodes'] as const;
/** What counts the same in training. */
export type Weighting = (typeof WEIGHTINGS)[number];

export interface TableOptions {
  /** Features of a row. */
  width: number;
  siteCount: number;
  areaClassOf: (area: number) => number;
  /** @default 'sites' */
  weights?: Weighting;
}

export function makeTable(
  blocks: readonly RowBlock[],
  { width, siteCount, areaClassOf, weights = 'sites' }: TableOptions,
): TrainingTable {
  const stride = HEAD_WIDTH + width;
  const count = blocks.reduce((sum, { rows }) => sum + rows.length / stride, 0);
  const table: TrainingTable = {
    width,
    siteCount,
    rows: new Float32Array(count * width),
    classes: new Uint8Array(count),
    weights: new Float64Array(count).fill(1),
    site: new Uint32Array(count),
    areaClass: new Uint8Array(count),
  };
  const rowsOf = new Float64Array(siteCount);
  let row = 0;
  for (const { site, rows } of blocks) {
    rowsOf[site] += rows.length / stride;
    for (let at = 0; at < rows.length; at += stride, row++) {
      table.rows.set(rows.subarray(at + HEAD_WIDTH, at + stride), row * width);
      table.classes[row] = rows[at + ROW_HEAD.class];
      table.areaClass[row] = areaClassOf(rows[at + ROW_HEAD.area]);
      table.site[row] = site;
    }
  }
  if (weights === 'nodes') return table;
  const perSite = count / rowsOf.reduce((sites, rows) => sites + (rows > 0 ? 1 : 0), 0);
  for (row = 0; row < count; row++) table.weights[row] = perSite / rowsOf[table.site[row]];
  return table;
}
