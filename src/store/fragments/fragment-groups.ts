/**
 * The classes of fragments that are the same in enough places, primitive ones only. The database sorts the digest rows
 * by size and hash, on disk where memory does not suffice; rows of a class are neighbours in that order.
 */
import type { Relation } from '../../fragments/shared-page.ts';
import { doubled } from '../../model/growing-array.ts';
import { mixHigh, mixLow } from '../../parse/hashes.ts';
import type { Database } from '../database.ts';

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

/** Shared classes, numbered from 1 in order of size, the largest first. */
export interface SharedGroups {
  count: number;
  /** By row: its class; 0 for rows that are not shared. */
  groupOfRow: Uint32Array;
  /** By row: rows back to the parent's; 0 for a root, and for rows that are not shared. */
  upOfRow: Uint32Array;
  /** By class: its bytes, a 64-bit id in two lanes (low first), and where its rows begin in `members`. */
  bytes: Uint32Array;
  ids: Uint32Array;
  firstMember: Uint32Array;
  members: Uint32Array;
}

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

  // the current class: its key in five lanes, and its rows in `members`
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
    // structural keys have a second part of 32 bits only
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

/**
 * Shared fragments side by side: runs of siblings that are all shared, one after the other in one array. A position is a
 * fragment of a run; fragments without such a neighbour are in no run.
 */
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

/** Finds the runs in one pass over the digest rows. */
export async function readSiblingRuns(
  database: Database,
  { from, rowCount }: DigestRows,
  { groupOfRow }: SharedGroups,
  relation: Relation,
): Promise<SiblingRuns> {
  // by row: the next of its run; which gap is before it
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
