/**
 * Which fragments are maximal: classes are walked from the largest to the smallest. A fragment's parent is
 * larger than the fragment, so it has been decided by then, and one look at the parent tells whether the
 * fragment is covered. A class with enough uncovered members is maximal, and those are its members.
 *
 * The database sorts the digest rows by size and hash, on disk where memory does not suffice; here an integer
 * per row is kept. Cost: that sort, and one step a row.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { Relation } from '../../fragments/shared-page.ts';
import { doubled } from '../../model/growing-array.ts';
import { mixHigh, mixLow } from '../../parse/hashes.ts';
import { streamVectors } from '../vector-stream.ts';

/** The digest rows of a collection. */
export interface DigestRows {
  /** What to read them from, in SQL: pages in order, rows in order. */
  from: string;
  rowCount: number;
  /** By page number: the first of its rows, all rows numbered from 0. */
  firstRow: Uint32Array;
  /** Smallest fragment stored. */
  minBytes: number;
}

export interface MaximalClasses {
  classCount: number;
  /** By row: the class it is an uncovered member of, from 1; COVERED; 0 for the rest. */
  classOfRow: Uint32Array;
  /** By class: 64-bit id in two lanes, low first. */
  ids: Uint32Array;
}

/** Of a row inside a maximal fragment. */
export const COVERED = 0xffffffff;

export async function findMaximalClasses(
  connection: DuckDBConnection,
  { from, rowCount, firstRow, minBytes }: DigestRows,
  { relation, minShared }: { relation: Relation; minShared: number },
): Promise<MaximalClasses> {
  const classOfRow = new Uint32Array(rowCount);
  let ids = new Uint32Array(2 * 1024);
  let classCount = 0;

  // the class at hand: its key in five lanes, and its uncovered members
  let size = 0;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let members = new Uint32Array(1024);
  let memberCount = 0;

  function closeClass(): void {
    if (memberCount < minShared) return;
    classCount++;
    if (classCount * 2 >= ids.length) ids = doubled(ids);
    writeId(ids, classCount, relation, size, a, b, c, d);
    for (let k = 0; k < memberCount; k++) classOfRow[members[k]] = classCount;
  }

  for await (const { rowCount: count, columns } of streamVectors(
    connection,
    sortedRows(from, relation, minBytes),
  )) {
    const [sizes, first, second, pages, rows, ups] = columns;
    // structural keys have a second part of 32 bits only
    const lanes = second.length / first.length === 1 ? 2 : 1;
    for (let k = 0; k < count; k++) {
      const high = lanes === 2 ? second[k * 2 + 1] : 0;
      const low = second[k * lanes];
      if (sizes[k] !== size || first[k * 2] !== a || first[k * 2 + 1] !== b || low !== c || high !== d) {
        closeClass();
        memberCount = 0;
        size = sizes[k];
        a = first[k * 2];
        b = first[k * 2 + 1];
        c = low;
        d = high;
      }
      const row = firstRow[pages[k]] + rows[k];
      if (ups[k] > 0 && classOfRow[row - ups[k]] !== 0) {
        classOfRow[row] = COVERED;
        continue;
      }
      if (memberCount === members.length) members = doubled(members);
      members[memberCount++] = row;
    }
  }
  closeClass();
  return { classCount, classOfRow, ids };
}

/** Rows of one relation, class by class, from the largest. */
function sortedRows(from: string, relation: Relation, minBytes: number): string {
  const key = relation === 'complete' ? 'complete_bytes, content, shape' : 'structural_bytes, shape, nodes';
  const [bytes, ...hashes] = key.split(', ');
  return `SELECT ${key}, page, "row", up FROM ${from} WHERE ${bytes} >= ${minBytes}
    ORDER BY ${bytes} DESC, ${hashes.join(', ')}`;
}

/** The id of a class is a hash of its key, another one for each relation. */
function writeId(
  ids: Uint32Array,
  number: number,
  relation: Relation,
  size: number,
  a: number,
  b: number,
  c: number,
  d: number,
): void {
  const salt = relation === 'complete' ? 0x243f6a88 : 0x13198a2e;
  let low = mixLow(a ^ salt, b);
  let high = mixHigh(low, b) + d;
  low = mixLow(low ^ c, high);
  high = mixHigh(low, high) + size;
  ids[number * 2] = mixLow(low, high);
  ids[number * 2 + 1] = mixHigh(ids[number * 2], high);
}
