/**
 * The members of the result classes, in page order, from one pass over the digest rows: a member of a composite
 * runs from its first part to its last, which follow each other. On the way classes and pages are summed up.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { RELATIONS, type Relation } from '../../fragments/shared-page.ts';
import { ColumnBuffer } from '../column-buffer.ts';
import { streamVectors } from '../vector-stream.ts';
import { isFirstPart, isLastPart, type MergedClasses } from './fragment-merge.ts';
import { MEMBER_ROW_SCHEMA } from './fragment-schema.ts';
import { COVERED, type DigestRows, type MaximalClasses } from './fragment-sweep.ts';

/** Members held in memory: 33 bytes each. */
const FLUSH_MEMBERS = 200_000;

/** The table the members go to. */
export const MEMBER_TABLE = 'fragment_members';

/** What is summed up of one relation: by result class, from 1, and by page number. */
export class RelationSums {
  readonly relation: Relation;
  readonly maximal: MaximalClasses;
  readonly merged: MergedClasses;
  readonly members: Uint32Array;
  readonly pages: Uint32Array;
  readonly sites: Uint32Array;
  /** Source bytes of all members. */
  readonly sourceBytes: Float64Array;
  /** Of one member, without what stands between its parts. */
  readonly structuralBytes: Uint32Array;
  readonly firstPage: Uint32Array;
  readonly firstNode: Uint32Array;
  readonly firstSibling: Uint32Array;
  readonly pageFragments: Uint32Array;
  readonly pageBytes: Uint32Array;
  readonly #lastPage: Uint32Array;
  readonly #siteOfPage: Uint32Array;

  /** `siteOfPage` numbers the sites; pages of a site are adjacent. */
  constructor(relation: Relation, maximal: MaximalClasses, merged: MergedClasses, siteOfPage: Uint32Array) {
    const length = merged.classCount + 1;
    this.relation = relation;
    this.maximal = maximal;
    this.merged = merged;
    this.members = new Uint32Array(length);
    this.pages = new Uint32Array(length);
    this.sites = new Uint32Array(length);
    this.sourceBytes = new Float64Array(length);
    this.structuralBytes = new Uint32Array(length);
    this.firstPage = new Uint32Array(length);
    this.firstNode = new Uint32Array(length);
    this.firstSibling = new Uint32Array(length);
    this.pageFragments = new Uint32Array(siteOfPage.length);
    this.pageBytes = new Uint32Array(siteOfPage.length);
    this.#lastPage = new Uint32Array(length);
    this.#siteOfPage = siteOfPage;
  }

  /** Its ordinal among the relations, as tables on their way have it. */
  get ordinal(): number {
    return RELATIONS.indexOf(this.relation);
  }

  /** Bytes of all members of a class but one of average size. */
  savedBytes(number: number): number {
    return Math.round(this.sourceBytes[number] - this.sourceBytes[number] / this.members[number]);
  }

  /** The order of the table of classes: most saved first, then by id, so that both mean the same by its top. */
  compareSaved(a: number, b: number): number {
    const { ids } = this.merged;
    return (
      this.savedBytes(b) - this.savedBytes(a) || ids[2 * a + 1] - ids[2 * b + 1] || ids[2 * a] - ids[2 * b]
    );
  }

  /** Counts a member; members come in page order. */
  add(number: number, page: number, node: number, sibling: number, bytes: number): void {
    const lastPage = this.#lastPage;
    const siteOfPage = this.#siteOfPage;
    if (this.members[number]++ === 0) {
      this.pages[number] = this.sites[number] = 1;
      this.firstPage[number] = page;
      this.firstNode[number] = node;
      this.firstSibling[number] = sibling;
    } else if (lastPage[number] !== page) {
      this.pages[number]++;
      if (siteOfPage[lastPage[number]] !== siteOfPage[page]) this.sites[number]++;
    }
    lastPage[number] = page;
    this.sourceBytes[number] += bytes;
    this.pageFragments[page]++;
    this.pageBytes[page] += bytes;
  }
}

/** Appends the members of all relations to their table, ordered by page, first node and relation. */
export async function collectMembers(
  reading: DuckDBConnection,
  writing: DuckDBConnection,
  { from, firstRow }: DigestRows,
  relations: readonly RelationSums[],
): Promise<void> {
  const buffer = new ColumnBuffer(MEMBER_ROW_SCHEMA);
  /** By relation: where in the buffer the member stands that was begun last. */
  const begun = new Uint32Array(relations.length);
  const ordinals = relations.map(({ ordinal }) => ordinal);
  const sql = `SELECT page, "row", node, sibling, "start", "end", structural_bytes FROM ${from}`;
  let row = 0;
  let lastPage = 0;
  for await (const { rowCount, columns } of streamVectors(reading, sql)) {
    const [pages, rows, nodes, siblings, starts, ends, structural] = columns;
    for (let k = 0; k < rowCount; k++, row++) {
      const page = pages[k];
      if (firstRow[page] + rows[k] !== row) throw new Error(`digest rows of page ${page} are out of order`);
      // between two pages no member is half done
      if (page !== lastPage && buffer.rowCount >= FLUSH_MEMBERS) {
        await buffer.appendTo(writing, MEMBER_TABLE);
        buffer.clear();
      }
      lastPage = page;
      for (let r = 0; r < relations.length; r++) {
        const sums = relations[r];
        const part = sums.maximal.classOfRow[row];
        if (part === 0 || part === COVERED) continue;
        const { merged } = sums;
        const number = merged.mergedClass[part];
        if (sums.members[number] === 0) sums.structuralBytes[number] += structural[k];
        if (isFirstPart(merged, part)) {
          begun[r] = beginMember(buffer, ordinals[r], page, nodes[k], starts[k], merged.ids, number);
        }
        if (isLastPart(merged, part)) endMember(buffer, begun[r], siblings[k], ends[k], sums, number);
      }
    }
  }
  await buffer.appendTo(writing, MEMBER_TABLE);
}

const [RELATION, CLASS, PAGE, NODE, SIBLING, START, END] = [0, 1, 2, 3, 4, 5, 6];

/** Adds a member whose end is not yet known, and says where. */
function beginMember(
  buffer: ColumnBuffer,
  relation: number,
  page: number,
  node: number,
  start: number,
  ids: Uint32Array,
  number: number,
): number {
  const { columns } = buffer;
  const at = buffer.rowCount++;
  if (at === columns[CLASS].numbers.length) for (const column of columns) column.grow(at + 1);
  columns[RELATION].numbers[at] = relation;
  new Uint32Array(columns[CLASS].numbers.buffer).set(ids.subarray(number * 2, number * 2 + 2), at * 2);
  columns[PAGE].numbers[at] = page;
  columns[NODE].numbers[at] = node;
  columns[START].numbers[at] = start;
  return at;
}

function endMember(
  { columns }: ColumnBuffer,
  at: number,
  sibling: number,
  end: number,
  sums: RelationSums,
  number: number,
): void {
  columns[SIBLING].numbers[at] = sibling;
  columns[END].numbers[at] = end;
  const bytes = end - Number(columns[START].numbers[at]);
  sums.add(number, Number(columns[PAGE].numbers[at]), Number(columns[NODE].numbers[at]), sibling, bytes);
}
