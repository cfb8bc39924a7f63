/**
 * Shared fragments side by side: runs of siblings that are all shared, one after the other in one array. A position
 * is a fragment of a run; fragments without such a neighbour are in no run. One pass over the digest rows.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Relation } from '../../fragments/shared-page.ts';
import { streamVectors } from '../vector-stream.ts';
import type { DigestRows, SharedGroups } from './fragment-groups.ts';

export interface SiblingRuns {
  /** Positions of all runs. */
  length: number;
  /** By position: the row. */
  rows: Uint32Array;
  /** By row: its position, from 1; 0 when it is in no run. */
  positionOfRow: Uint32Array;
  /** By position: the number, from 1, of what comes between it and the next; 0 at the end of a run. */
  gaps: Uint32Array;
  /** By number: the hash of it in two lanes, low first. */
  gapHashes: number[];
}

export async function readSiblingRuns(
  connection: DuckDBConnection,
  { from, rowCount }: DigestRows,
  { groupOfRow }: SharedGroups,
  relation: Relation,
): Promise<SiblingRuns> {
  // by row: the next of its run; which gap is before it
  const next = new Uint32Array(rowCount);
  const gapBefore = new Uint32Array(rowCount);
  const numbers = new GapNumbers();
  let row = 0;
  for await (const { rowCount: chunk, columns } of streamVectors(
    connection,
    `SELECT ${relation}_back, ${relation}_gap FROM ${from}`,
  )) {
    const [backs, hashes] = columns;
    for (let k = 0; k < chunk; k++, row++) {
      if (backs[k] === 0 || groupOfRow[row] === 0 || groupOfRow[row - backs[k]] === 0) continue;
      next[row - backs[k]] = row;
      gapBefore[row] = numbers.numberOf(hashes[k * 2], hashes[k * 2 + 1]);
    }
  }

  // runs are laid out by their first rows; `next` becomes the position on the way
  const rows = new Uint32Array(rowCount);
  const gaps = new Uint32Array(rowCount);
  let length = 0;
  for (let first = 0; first < rowCount; first++) {
    if (next[first] === 0 || gapBefore[first] !== 0) continue;
    for (let at = first; ; ) {
      const following = next[at];
      rows[length] = at;
      next[at] = length + 1;
      gaps[length++] = following === 0 ? 0 : gapBefore[following];
      if (following === 0) break;
      at = following;
    }
  }
  return { length, rows, positionOfRow: next, gaps, gapHashes: numbers.hashes };
}

/** Numbers hashes from 1 in the order they come; 1 is that of nothing. */
class GapNumbers {
  readonly hashes = [0, 0, 0, 0];
  readonly #numbers = new Map<number, number>();

  numberOf(low: number, high: number): number {
    if (low === 0 && high === 0) return 1;
    // 53 bits are the key, the rest is compared
    let key = low + (high & 0x1fffff) * 2 ** 32;
    for (; ; key++) {
      const number = this.#numbers.get(key);
      if (number === undefined) break;
      if (this.hashes[number * 2] === low && this.hashes[number * 2 + 1] === high) return number;
    }
    const number = this.hashes.length / 2;
    this.#numbers.set(key, number);
    this.hashes.push(low, high);
    return number;
  }
}
