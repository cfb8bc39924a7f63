/**
 * Collects the members of the result classes in page order, in one pass over the digest rows. A member of a
 * composite runs from its first part to its last; members may overlap. Classes and pages are summed up in the same
 * pass.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { RELATIONS, type Relation } from '../../fragments/shared-page.ts';
import { doubled } from '../../model/growing-array.ts';
import type { Database } from '../database.ts';
import { TableRows } from '../table-rows.ts';
import type { DigestRows } from './fragment-groups.ts';
import { MEMBER_ROW_COLUMNS } from './fragment-schema.ts';
import type { MaximalClasses } from './fragment-sweep.ts';

/** Maximum number of members held in memory, of 57 bytes each. */
const FLUSH_MEMBERS = 200_000;

/** Database table of the members. */
export const MEMBER_TABLE = 'fragment_members';

/** Sums of one relation: by result class, from 1, and by page number. */
export class RelationSums {
  readonly relation: Relation;
  readonly classes: MaximalClasses;
  readonly members: Uint32Array;
  readonly pages: Uint32Array;
  readonly sites: Uint32Array;
  /** Source bytes of all members. */
  readonly sourceBytes: Float64Array;
  /** Compared bytes of all members, without gaps between parts. */
  readonly completeBytes: Float64Array;
  /** Compared bytes of one member, without gaps between parts. */
  readonly structuralBytes: Uint32Array;
  readonly firstPage: Uint32Array;
  readonly firstNode: Uint32Array;
  readonly firstSibling: Uint32Array;
  readonly pageFragments: Uint32Array;
  readonly pageBytes: Uint32Array;
  readonly #lastPage: Uint32Array;
  readonly #siteOfPage: Uint32Array;
  /** Page of the member added last, and end of the shared bytes of that page so far. */
  #page = 0;
  #pageEnd = 0;

  /** `siteOfPage` has the site number of each page; pages of a site must be adjacent. */
  constructor(relation: Relation, classes: MaximalClasses, siteOfPage: Uint32Array) {
    const length = classes.count + 1;
    this.relation = relation;
    this.classes = classes;
    this.members = new Uint32Array(length);
    this.pages = new Uint32Array(length);
    this.sites = new Uint32Array(length);
    this.sourceBytes = new Float64Array(length);
    this.completeBytes = new Float64Array(length);
    this.structuralBytes = new Uint32Array(length);
    this.firstPage = new Uint32Array(length);
    this.firstNode = new Uint32Array(length);
    this.firstSibling = new Uint32Array(length);
    this.pageFragments = new Uint32Array(siteOfPage.length);
    this.pageBytes = new Uint32Array(siteOfPage.length);
    this.#lastPage = new Uint32Array(length);
    this.#siteOfPage = siteOfPage;
  }

  /** Index of the relation, as stored in intermediate tables. */
  get ordinal(): number {
    return RELATIONS.indexOf(this.relation);
  }

  /** Bytes of all members of a class except one of mean size. */
  savedBytes(number: number): number {
    return Math.round(this.sourceBytes[number] - this.sourceBytes[number] / this.members[number]);
  }

  /** Returns the order of the table of classes: most saved bytes first, then by id. */
  compareSaved(a: number, b: number): number {
    const { ids } = this.classes;
    return (
      this.savedBytes(b) - this.savedBytes(a) || ids[2 * a + 1] - ids[2 * b + 1] || ids[2 * a] - ids[2 * b]
    );
  }

  /** Counts a member; members must come in page order, and within a page by end. */
  add(
    number: number,
    { page, node, sibling, start, end, completeBytes, structuralBytes }: AddedMember,
  ): void {
    const lastPage = this.#lastPage;
    const siteOfPage = this.#siteOfPage;
    if (this.members[number]++ === 0) {
      this.pages[number] = this.sites[number] = 1;
      this.firstPage[number] = page;
      this.firstNode[number] = node;
      this.firstSibling[number] = sibling;
      this.structuralBytes[number] = structuralBytes;
    } else if (lastPage[number] !== page) {
      this.pages[number]++;
      if (siteOfPage[lastPage[number]] !== siteOfPage[page]) this.sites[number]++;
    }
    lastPage[number] = page;
    this.sourceBytes[number] += end - start;
    this.completeBytes[number] += completeBytes;

    // count bytes that two members share once
    if (page !== this.#page) this.#pageEnd = 0;
    this.#page = page;
    this.pageFragments[page]++;
    this.pageBytes[page] += Math.max(0, end - Math.max(start, this.#pageEnd));
    this.#pageEnd = Math.max(this.#pageEnd, end);
  }
}

/** Position and size of a member to be counted. */
interface AddedMember {
  page: number;
  node: number;
  sibling: number;
  start: number;
  end: number;
  completeBytes: number;
  structuralBytes: number;
}

/** A member whose last part is not yet reached. */
interface OpenMember extends AddedMember {
  /** Index in the buffer of rows. */
  at: number;
  number: number;
  /** Row of the parent element, and row of the last part. */
  parentRow: number;
  lastRow: number;
}

/** Appends the members of all relations to their table, ordered by page, first node and relation. */
export async function collectMembers(
  database: Database,
  writing: DuckDBConnection,
  { from, firstRow, minBytes }: DigestRows,
  relations: readonly RelationSums[],
): Promise<void> {
  const buffer = new TableRows(MEMBER_ROW_COLUMNS);
  const collectors = relations.map((sums) => new MemberCollector(sums, buffer));
  const sql = `SELECT ${READ_COLUMNS.map((name) => `"${name}"`).join(', ')} FROM ${from}`;
  const at: DigestRow = { row: 0, parentRow: -1, parent: 0, columns: [], k: 0 };
  /** Node of each row of the page. */
  let nodes = new Uint32Array(1024);
  let lastPage = 0;
  for await (const { rowCount, columns } of database.lanes(sql)) {
    const [pages, rows, rowNodes, , , , ups, , structural] = columns;
    at.columns = columns;
    for (at.k = 0; at.k < rowCount; at.k++, at.row++) {
      const { k } = at;
      const page = pages[k];
      const row = rows[k];
      if (firstRow[page] + row !== at.row) throw new Error(`digest rows of page ${page} are out of order`);
      // no member is open between two pages
      if (page !== lastPage && buffer.rowCount >= FLUSH_MEMBERS) {
        await buffer.appendTo(writing, MEMBER_TABLE);
        buffer.clear();
      }
      lastPage = page;
      if (row === nodes.length) nodes = doubled(nodes);
      nodes[row] = rowNodes[k];
      at.parentRow = ups[k] === 0 ? -1 : at.row - ups[k];
      at.parent = ups[k] === 0 ? 0 : nodes[row - ups[k]];
      for (const collector of collectors) {
        if (collector.relation === 'complete' || structural[k] >= minBytes) collector.read(at);
      }
    }
  }
  await buffer.appendTo(writing, MEMBER_TABLE);
}

/** Columns that are read from the digest, in this order. */
const READ_COLUMNS = [
  ...['page', 'row', 'node', 'sibling', 'start', 'end', 'up', 'complete_bytes', 'structural_bytes'],
  ...['start_line', 'start_column', 'end_line', 'end_column'],
];

/** The current row: its number in the collection, its parent's number (-1 for none), its node. */
interface DigestRow {
  row: number;
  parentRow: number;
  parent: number;
  /** Columns (READ_COLUMNS) of a batch of rows, and the index k of the current row. */
  columns: Uint32Array[];
  k: number;
}

type MemberRows = TableRows<typeof MEMBER_ROW_COLUMNS>;

/** Assembles the members of one relation. */
class MemberCollector {
  readonly relation: Relation;
  readonly #sums: RelationSums;
  readonly #buffer: MemberRows;
  readonly #open: OpenMember[] = [];
  /** Number of composite members so far. */
  #composites = 0;

  constructor(sums: RelationSums, buffer: MemberRows) {
    this.relation = sums.relation;
    this.#sums = sums;
    this.#buffer = buffer;
  }

  /** Adds a row that is large enough for the relation; it may continue members and begin one. */
  read(at: DigestRow): void {
    const open = this.#open;
    for (let k = 0; k < open.length; k++) {
      if (open[k].parentRow !== at.parentRow) continue;
      this.#addPart(open[k], at);
      if (open[k].lastRow === at.row) open.splice(k--, 1);
    }
    const { classOfRow, parts, lastRows } = this.#sums.classes;
    const number = classOfRow[at.row];
    if (number === 0) return;
    const lastRow = parts[number] === 1 ? at.row : lastRows[this.#composites++];
    const member = this.#begin(at, number, lastRow);
    this.#addPart(member, at);
    if (lastRow !== at.row) open.push(member);
  }

  #begin(
    { row: _, parentRow, parent, columns: read, k }: DigestRow,
    number: number,
    lastRow: number,
  ): OpenMember {
    const [pages, , nodes, , starts, , , , , startLines, startColumns] = read;
    const buffer = this.#buffer;
    const { columns } = buffer;
    const at = buffer.rowCount++;
    if (at === columns.class.numbers.length) for (const column of buffer.list) column.grow(at + 1);
    const ids = this.#sums.classes.ids.subarray(number * 2, number * 2 + 2);
    new Uint32Array(columns.class.numbers.buffer).set(ids, at * 2);
    columns.relation.numbers[at] = this.#sums.ordinal;
    columns.page.numbers[at] = pages[k];
    columns.node.numbers[at] = nodes[k];
    columns.parent.numbers[at] = parent;
    columns.start.numbers[at] = starts[k];
    columns.start_line.numbers[at] = startLines[k];
    columns.start_column.numbers[at] = startColumns[k];
    return {
      at,
      number,
      parentRow,
      lastRow,
      page: pages[k],
      node: nodes[k],
      start: starts[k],
      sibling: 0,
      end: 0,
      completeBytes: 0,
      structuralBytes: 0,
    };
  }

  /** Moves to the next part; the member ends with its last part. */
  #addPart(member: OpenMember, { row, columns: read, k }: DigestRow): void {
    const [, , , siblings, , ends, , complete, structural, , , endLines, endColumns] = read;
    member.completeBytes += complete[k];
    member.structuralBytes += structural[k];
    if (row !== member.lastRow) return;
    member.sibling = siblings[k];
    member.end = ends[k];
    const { columns } = this.#buffer;
    const { at } = member;
    columns.sibling.numbers[at] = member.sibling;
    columns.end.numbers[at] = member.end;
    columns.complete_bytes.numbers[at] = member.completeBytes;
    columns.end_line.numbers[at] = endLines[k];
    columns.end_column.numbers[at] = endColumns[k];
    this.#sums.add(member.number, member);
  }
}
