/**
 * The state of the parser, at a fixed address: the page, the current token, the insertion mode, the open
 * elements and the list of active formatting elements. Positions in the source and in the text are addresses
 * here; the columns of a page hold offsets. The parser follows the WHATWG HTML standard, section 13.2, with
 * scripting disabled, with two differences: nothing is moved out of tables, so that nodes stay in source
 * order; and work that a hostile page can make the parser repeat has a bound.
 *
 * The tables of the parser follow the state, in this order:
 *
 *   tags     what the parser knows about each tag name: see tag-table.ts
 *   names    hash buckets of HTML's own names, then of the page's names
 *   cache    start tags seen before: see scan-tags.ts
 */
import { PARSER_AT, TAG_LIMIT } from '../layout.ts';

const STATE_BYTES = 1024;
const TAG_BYTES = 64;

/** Address of the tag table, TAG_LIMIT entries of TAG_BYTES. */
export const TAGS_AT = PARSER_AT + STATE_BYTES;
/** Bits of the hash that selects one of the buckets of HTML's names; a bucket is one byte, the tag. */
export const NAME_BUCKET_BITS = 10;
/** Address of the buckets of HTML's names. */
export const NAME_BUCKETS_AT = TAGS_AT + TAG_LIMIT * TAG_BYTES;
/** Number of buckets of the page's names; a bucket is two bytes, the tag. */
export const FOREIGN_BUCKET_COUNT = 2 * TAG_LIMIT;
/** Address of the buckets of the page's names. */
export const FOREIGN_BUCKETS_AT = NAME_BUCKETS_AT + (1 << NAME_BUCKET_BITS);
/**
 * Size of a bucket of the tag cache, as a power of two: one cache line. A bucket is found by 12 bits of a hash.
 */
export const CACHE_BUCKET_BITS = 6;
/** Address of the tag cache. */
export const CACHE_AT = FOREIGN_BUCKETS_AT + 2 * FOREIGN_BUCKET_COUNT;
/** Address of the bucket for a tag that is not in the cache, after the buckets of the cache. */
export const UNCACHED_BUCKET = CACHE_AT + (4096 << CACHE_BUCKET_BITS);
/** Address of the bucket of a tag without attributes, for implied elements. */
export const BARE_BUCKET = UNCACHED_BUCKET + (1 << CACHE_BUCKET_BITS);
/** Address of the bytes of longer tags in the cache, 256 for each bucket. */
export const LONG_TAGS_AT = BARE_BUCKET + (1 << CACHE_BUCKET_BITS);

/** Kind of a node (parse/tree.ts): element. */
export const ELEMENT: u32 = 1;
/** Kind of a node: text. */
export const TEXT: u32 = 3;
/** Kind of a node: comment. */
export const COMMENT: u32 = 8;
/** Kind of a node: document. */
export const DOCUMENT: u32 = 9;
/** Kind of a node: doctype or processing instruction. */
export const DECLARATION: u32 = 10;

@unmanaged
class Builder {
  // the page: addresses of its parts, and the number of their entries
  source: u32;
  sourceEnd: u32;
  text: u32;
  textEnd: u32;
  names: u32;
  nameCount: u32;
  nodeCount: u32;
  linkCount: u32;
  kind: u32;
  name: u32;
  parent: u32;
  last: u32;
  start: u32;
  openEnd: u32;
  end: u32;
  contentLow: u32;
  contentHigh: u32;
  shapeLow: u32;
  shapeHigh: u32;
  textStart: u32;
  linkNode: u32;
  linkStart: u32;
  linkEnd: u32;
  fosteredCount: u32;
  depthCapped: u32;
  /** Whether nodes were moved to rebuild misnested formatting, and whether that is allowed. */
  exact: u32;
  mayBeExact: u32;

  // the current token
  tag: u32;
  tokenStart: u32;
  tokenEnd: u32;
  /** Bucket of the tag cache with the attributes of the tag. */
  bucket: u32;
  /** Value of the last attribute searched for. */
  valueStart: u32;
  valueEnd: u32;
  /** End of the words that `collapse` has written, and whether white space followed them in the source. */
  wordsEnd: u32;
  spaceFollows: u32;

  mode: u32;
  quirks: u32;
  framesetOk: u32;
  hasHead: u32;
  hasForm: u32;
  /** Set while elements are inserted by the rules for misplaced content of a table. */
  fostering: u32;
  /** Tag of the element just opened if its content is not markup, or 0. */
  rawTag: u32;
  /** Number of open elements whose text is not text of the page. */
  hiddenDepth: u32;
  /** Whether a block began or ended since the last text, so that the next text starts a new word. */
  wordEnded: u32;

  /** Ends of the `</head>`, `</body>` and `</html>` tags found, or 0. Content may still follow them. */
  headEnd: u32;
  bodyEnd: u32;
  htmlEnd: u32;
  /** First comment after such a tag, which is not inside the element so far; 0 without a comment. */
  lateComment: u32;
  /** First comment after `</html>`. */
  lastComment: u32;

  clonesLeft: i32;
  movesLeft: i32;

  /** Entries of open elements: the document, the current element, and the deepest one that may hold nodes. */
  bottom: u32;
  top: u32;
  deepest: u32;
  /**
   * Entries of the list of active formatting elements: the marker below the oldest entry, and the newest
   * entry.
   */
  oldestFormat: u32;
  newestFormat: u32;
  /** Address of the newest insertion mode of a template, one byte each, and of the first. */
  newestTemplate: u32;
  templates: u32;
}

/** The state of the page that is being parsed. */
export const b = changetype<Builder>(PARSER_AT);
