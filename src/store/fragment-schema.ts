/**
 * The columns of the tables of shared fragments. `fragment-classes`, `members` and `pages` of the folder
 * `fragments/` are its interface; digests and their pages pass from the tasks to the analysis.
 */
import type { Schema } from './column-buffer.ts';

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
