/**
 * Declares the columns of files between the digest tasks and the analysis of shared fragments, and within the
 * analysis. tables.ts declares the tables of the finished folder.
 */
import { i64, text, u8, u32, u64 } from '../table.ts';

/** Columns of a stored fragment of a page, as in FragmentDigest. */
export const DIGEST_ROW_COLUMNS = {
  page: u32(),
  /** Index among the rows of its page, from 0. */
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

/** Columns of a page as its task read it. */
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
  /** Number of rows of its digest. */
  rows: u32(),
};

/** Columns of a member before members.parquet is written: the relation by its index, the class as a number. */
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

/** Columns of a class before classes.parquet is written. */
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

/** Columns of a page's shared bytes before pages.parquet is written. */
export const PAGE_SUM_COLUMNS = {
  page: u32(),
  complete_fragments: u32(),
  complete_shared_bytes: u32(),
  structural_fragments: u32(),
  structural_shared_bytes: u32(),
};
