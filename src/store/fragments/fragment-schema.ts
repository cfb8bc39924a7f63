/**
 * The columns of what passes from the digest tasks to the analysis of shared fragments, and within it. What
 * comes of it, the tables of the folder `fragments/`, is written in fragment-tables.ts.
 */
import { i64, text, u8, u32, u64 } from '../table.ts';

/** One stored fragment of a page; see FragmentDigest for what each column says. */
export const DIGEST_ROW_COLUMNS = {
  page: u32(),
  /** Ordinal among the rows of its page, from 0. */
  row: u32(),
  node: u32(),
  sibling: u32(),
  start: u32(),
  end: u32(),
  up: u32(),
  complete_bytes: u32(),
  structural_bytes: u32(),
  nodes: u32(),
  complete_back: u32(),
  structural_back: u32(),
  start_line: u32(),
  start_column: u32(),
  end_line: u32(),
  end_column: u32(),
  content: u64(),
  shape: u64(),
  complete_gap: u64(),
  structural_gap: u64(),
};

/** One page of the collection as its task met it. */
export const FRAGMENT_PAGE_COLUMNS = {
  page: u32(),
  site: text(),
  url: text(),
  time: text(),
  file: text(),
  entry: text(),
  offset: i64(),
  length: i64(),
  html_bytes: u32(),
  /** Rows of its digest. */
  rows: u32(),
};

/** One member on its way to members.parquet: the relation by its ordinal, the class as a number. */
export const MEMBER_ROW_COLUMNS = {
  relation: u8(),
  class: u64(),
  page: u32(),
  node: u32(),
  sibling: u32(),
  parent: u32(),
  start: u32(),
  end: u32(),
  complete_bytes: u32(),
  start_line: u32(),
  start_column: u32(),
  end_line: u32(),
  end_column: u32(),
};

/** One class on its way to classes.parquet. */
export const CLASS_ROW_COLUMNS = {
  relation: u8(),
  class: u64(),
  parts: u32(),
  pages: u32(),
  members: u32(),
  sites: u32(),
  source_bytes: i64(),
  complete_bytes: i64(),
  structural_bytes: u32(),
  page: u32(),
  place: text(),
  text: text(),
};

/** What a page shares, on its way to pages.parquet. */
export const PAGE_SUM_COLUMNS = {
  page: u32(),
  complete_fragments: u32(),
  complete_shared_bytes: u32(),
  structural_fragments: u32(),
  structural_shared_bytes: u32(),
};
