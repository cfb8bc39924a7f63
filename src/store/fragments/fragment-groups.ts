/**
 * Finds the classes of primitive fragments that are equal in enough places. The database sorts the digest rows by
 * size and hash, on disk when memory does not suffice; rows of a class are adjacent in that order.
 */
import type { Relation } from '../../fragments/shared-page.ts';
import { doubled } from '../../model/growing-array.ts';
import { mixHigh, mixLow } from '../../parse/hashes.ts';
import type { Database } from '../database.ts';

/** Digest rows of all pages. */
export interface DigestRows {
  /** SQL source of the rows: pages in order, rows in order. */
  from: string;
  rowCount: number;
  /** First row of each page by page number; rows are numbered from 0 over all pages. */
  firstRow: Uint32Array;
  /** Size in bytes of the smallest stored fragment. */
  minBytes: number;
}

/** Shared classes, numbered from 1 in order of size, the largest first. */
export interface SharedGroups {
  count: number;
  /** Class of each row; 0 for rows that are not shared. */
  groupOfRow: Uint32Array;
  /** Distance in rows to the row of the parent; 0 for a root and for rows that are not shared. */
  upOfRow: Uint32Array;
  /** By class: size in bytes, 64-bit id in two lanes (low first), and first index in `members`. */
  bytes: Uint32Array;
  ids: Uint32Array;
  firstMember: Uint32Array;
  members: Uint32Array;
}

/** Finds the shared classes of one relation in one pass over the sorted rows. */
export async function findSharedGroups(
  database: Database,
  { from, rowCount, firstRow, minBytes }: DigestRows,
  { relation, minShared }: { relation: Relation; minShared: number },
): Promise<SharedGroups> {
  const groupOfRow = new Uint32Array(rowCount);
  const upOfRow = new Uint32Array(rowCount);
  const members = new Uint32Array(rowCount);
  let bytes = new Uint32Array(1024);
  let ids = new Uint32Array(2 * 1024);
  let firstMember = new Uint32Array(1024);
  let count = 0;

  // key of the current class in five lanes, and its rows in `members`
  let size = 0;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let first = 0;
  let end = 0;

  function closeGroup(): void {
    if (end - first < minShared) {
      end = first;
      return;
    }
    count++;
    if (count + 1 >= bytes.length) {
      bytes = doubled(bytes);
      ids = doubled(ids);
      firstMember = doubled(firstMember);
    }
    bytes[count] = size;
    writeId(ids, count, relation, size, a, b, c, d);
    firstMember[count] = first;
    for (let k = first; k < end; k++) groupOfRow[members[k]] = count;
    first = firstMember[count + 1] = end;
  }

  const sql = sortedRows(from, relation, minBytes);
  for await (const { rowCount: chunk, columns } of database.lanes(sql)) {
    const [sizes, keys, second, pages, rows, ups] = columns;
    // the second part of structural keys has only 32 bits
    const lanes = second.length / keys.length === 1 ? 2 : 1;
    for (let k = 0; k < chunk; k++) {
      const high = lanes === 2 ? second[k * 2 + 1] : 0;
      const low = second[k * lanes];
      if (sizes[k] !== size || keys[k * 2] !== a || keys[k * 2 + 1] !== b || low !== c || high !== d) {
        closeGroup();
        size = sizes[k];
        a = keys[k * 2];
        b = keys[k * 2 + 1];
        c = low;
        d = high;
      }
      const row = firstRow[pages[k]] + rows[k];
      members[end++] = row;
      upOfRow[row] = ups[k];
    }
  }
  closeGroup();
  return { count, groupOfRow, upOfRow, bytes, ids, firstMember, members };
}

/** SQL for the rows of one relation by class, largest first. */
function sortedRows(from: string, relation: Relation, minBytes: number): string {
  const key = relation === 'complete' ? 'complete_bytes, content, shape' : 'structural_bytes, shape, nodes';
  const [bytes, ...hashes] = key.split(', ');
  return `SELECT ${key}, page, "row", up FROM ${from} WHERE ${bytes} >= ${minBytes}
    ORDER BY ${bytes} DESC, ${hashes.join(', ')}`;
}

/** Returns the id of a class: a hash of its key and relation. */
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

/**
 * Adjacent shared fragments: runs of siblings that are all shared, in one array. A position is a fragment of a run;
 * fragments without a shared neighbour are in no run.
 */
export interface SiblingRuns {
  /** Number of positions of all runs. */
  length: number;
  /** Row of each position. */
  rows: Uint32Array;
  /** Position of each row, from 1; 0 for rows in no run. */
  positionOfRow: Uint32Array;
  /** By position: number, from 1, of the gap before the next fragment; 0 at the end of a run. */
  gaps: Uint32Array;
  /** Hash of each gap in two lanes, low first. */
  gapHashes: number[];
}

/** Finds the runs of siblings in one pass over the digest rows. */
export async function readSiblingRuns(
  database: Database,
  { from, rowCount }: DigestRows,
  { groupOfRow }: SharedGroups,
  relation: Relation,
): Promise<SiblingRuns> {
  // by row: the next row of its run, and the gap before it
  const next = new Uint32Array(rowCount);
  const gapBefore = new Uint32Array(rowCount);
  const numbers = new GapNumbers();
  let row = 0;
  for await (const { rowCount: chunk, columns } of database.lanes(
    `SELECT ${relation}_back, ${relation}_gap FROM ${from}`,
  )) {
    const [backs, hashes] = columns;
    for (let k = 0; k < chunk; k++, row++) {
      if (backs[k] === 0 || groupOfRow[row] === 0 || groupOfRow[row - backs[k]] === 0) continue;
      next[row - backs[k]] = row;
      gapBefore[row] = numbers.numberOf(hashes[k * 2], hashes[k * 2 + 1]);
    }
  }

  // store runs in the order of their first rows; `next` becomes the position
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

/** Numbers hashes from 1 in order of occurrence; number 1 is the empty gap. */
class GapNumbers {
  readonly hashes = [0, 0, 0, 0];
  readonly #numbers = new Map<number, number>();

  numberOf(low: number, high: number): number {
    if (low === 0 && high === 0) return 1;
    // the key has 53 bits of the hash; the others are compared
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
