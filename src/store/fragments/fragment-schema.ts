/**
 * The columns of what passes from the digest tasks to the analysis of shared fragments, and within it. What
 * comes of it, the tables of the folder `fragments/`, is written in fragment-tables.ts.
 */
import type { Schema } from '../column-buffer.ts';

/** One stored fragment of a page; see FragmentDigest for what each column says. */
export const DIGEST_SCHEMA = {
  page: 'UINTEGER',
  /** Ordinal among the rows of its page, from 0. */
  row: 'UINTEGER',
  node: 'UINTEGER',
  sibling: 'UINTEGER',
  start: 'UINTEGER',
  end: 'UINTEGER',
  up: 'UINTEGER',
  complete_bytes: 'UINTEGER',
  structural_bytes: 'UINTEGER',
  nodes: 'UINTEGER',
  complete_back: 'UINTEGER',
  structural_back: 'UINTEGER',
  start_line: 'UINTEGER',
  start_column: 'UINTEGER',
  end_line: 'UINTEGER',
  end_column: 'UINTEGER',
  content: 'UBIGINT',
  shape: 'UBIGINT',
  complete_gap: 'UBIGINT',
  structural_gap: 'UBIGINT',
} as const satisfies Schema;

/** One page of the collection as its task met it. */
export const FRAGMENT_PAGE_SCHEMA = {
  page: 'UINTEGER',
  site: 'VARCHAR',
  url: 'VARCHAR',
  time: 'VARCHAR',
  file: 'VARCHAR',
  entry: 'VARCHAR',
  offset: 'BIGINT',
  length: 'BIGINT',
  html_bytes: 'UINTEGER',
  /** Rows of its digest. */
  rows: 'UINTEGER',
} as const satisfies Schema;

/** One member on its way to members.parquet: the relation by its ordinal, the class as a number. */
export const MEMBER_ROW_SCHEMA = {
  relation: 'UTINYINT',
  class: 'UBIGINT',
  page: 'UINTEGER',
  node: 'UINTEGER',
  sibling: 'UINTEGER',
  parent: 'UINTEGER',
  start: 'UINTEGER',
  end: 'UINTEGER',
  complete_bytes: 'UINTEGER',
  start_line: 'UINTEGER',
  start_column: 'UINTEGER',
  end_line: 'UINTEGER',
  end_column: 'UINTEGER',
} as const satisfies Schema;

/** One class on its way to classes.parquet. */
export const CLASS_ROW_SCHEMA = {
  relation: 'UTINYINT',
  class: 'UBIGINT',
  parts: 'UINTEGER',
  pages: 'UINTEGER',
  members: 'UINTEGER',
  sites: 'UINTEGER',
  source_bytes: 'BIGINT',
  complete_bytes: 'BIGINT',
  structural_bytes: 'UINTEGER',
  page: 'UINTEGER',
  place: 'VARCHAR',
  text: 'VARCHAR',
} as const satisfies Schema;

/** What a page shares, on its way to pages.parquet. */
export const PAGE_SUM_SCHEMA = {
  page: 'UINTEGER',
  complete_fragments: 'UINTEGER',
  complete_shared_bytes: 'UINTEGER',
  structural_fragments: 'UINTEGER',
  structural_shared_bytes: 'UINTEGER',
} as const satisfies Schema;
