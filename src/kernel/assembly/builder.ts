/**
 * The state of the parser, at a fixed address: the page, the current token, the insertion mode, the open elements and
 * the list of active formatting elements. Positions in the source and in the text are addresses here; the columns of a
 * page hold offsets. It follows the WHATWG HTML standard, section 13.2, with scripting disabled, except that nothing is moved out
 * of tables, so that nodes stay in source order, and that what a hostile page can make the parser repeat has a bound.
 *
 * After the state lie the tables of the parser, in this order:
 *
 *   tags     what the parser knows about each tag name: see tag-table.ts
 *   names    slots in which HTML's own names are found, then those of the page's names
 *   cache    tags that were met before: see scan-tags.ts
 */
import { PARSER_AT, TAG_LIMIT } from '../layout.ts';

const STATE_BYTES = 1024;
const TAG_BYTES = 64;

/** TAG_LIMIT entries of TAG_BYTES. */
export const TAGS_AT = PARSER_AT + STATE_BYTES;
/** A byte for each of so many hashes: the tag of one of HTML's names. */
export const NAME_SLOT_BITS = 10;
export const NAME_SLOTS_AT = TAGS_AT + TAG_LIMIT * TAG_BYTES;
/** Two bytes for each of so many hashes: the tag of one of the page's names. */
export const FOREIGN_SLOT_COUNT = 2 * TAG_LIMIT;
export const FOREIGN_SLOTS_AT = NAME_SLOTS_AT + (1 << NAME_SLOT_BITS);
/** Slots of the tag cache, one cache line each, found by 12 bits of a hash; then two for tags that are not in the cache. */
export const CACHE_SLOT_BITS = 6;
export const CACHE_AT = FOREIGN_SLOTS_AT + 2 * FOREIGN_SLOT_COUNT;
export const LOOSE_SLOT = CACHE_AT + (4096 << CACHE_SLOT_BITS);
/** A tag without attributes, for elements that no tag stands for. */
export const BARE_SLOT = LOOSE_SLOT + (1 << CACHE_SLOT_BITS);
/** Bytes of longer tags in the cache, 256 for each slot. */
export const LONG_TAGS_AT = BARE_SLOT + (1 << CACHE_SLOT_BITS);

// kinds of nodes: see parse/tree.ts
export const ELEMENT: u32 = 1;
export const TEXT: u32 = 3;
export const COMMENT: u32 = 8;
export const DOCUMENT: u32 = 9;
export const DECLARATION: u32 = 10;

// insertion modes
export const INITIAL: u32 = 0;
export const BEFORE_HTML: u32 = 1;
export const BEFORE_HEAD: u32 = 2;
export const IN_HEAD: u32 = 3;
export const IN_HEAD_NOSCRIPT: u32 = 4;
export const AFTER_HEAD: u32 = 5;
export const IN_BODY: u32 = 6;
export const IN_TABLE: u32 = 7;
export const IN_CAPTION: u32 = 8;
export const IN_COLUMN_GROUP: u32 = 9;
export const IN_TABLE_BODY: u32 = 10;
export const IN_ROW: u32 = 11;
export const IN_CELL: u32 = 12;
export const IN_SELECT: u32 = 13;
export const IN_SELECT_IN_TABLE: u32 = 14;
export const IN_TEMPLATE: u32 = 15;
export const AFTER_BODY: u32 = 16;
export const IN_FRAMESET: u32 = 17;
export const AFTER_FRAMESET: u32 = 18;
export const AFTER_AFTER_BODY: u32 = 19;
export const AFTER_AFTER_FRAMESET: u32 = 20;

@unmanaged
class Builder {
  // the page: addresses of its parts, and how far they are filled
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
  /** Whether misnested formatting has had nodes moved, and whether it may. */
  exact: u32;
  mayBeExact: u32;

  // the current token
  tag: u32;
  tokenStart: u32;
  tokenEnd: u32;
  /** Slot of the tag cache with the attributes of the tag. */
  slot: u32;
  /** Value of the attribute that was looked for last. */
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
  /** Set while elements are inserted by the rules for table content that is out of place. */
  fostering: u32;
  /** Tag of the element just opened whose content is not markup, or 0. */
  rawTag: u32;
  /** Open elements whose text is not text of the page. */
  hiddenDepth: u32;
  /** Whether a block began or ended since the last text: then the next text starts a new word. */
  wordEnded: u32;

  /** Ends of the `</head>`, `</body>` and `</html>` tags met, or 0: late content may follow. */
  headEnd: u32;
  bodyEnd: u32;
  htmlEnd: u32;
  /** First comment after such a tag, which is not inside the element so far; 0 when there is none. */
  lateComment: u32;
  /** First comment after `</html>`. */
  lastComment: u32;

  clonesLeft: i32;
  movesLeft: i32;

  /** Open elements: the document, the current one, and the deepest one that may hold nodes. */
  bottom: u32;
  top: u32;
  deepest: u32;
  /** The list of active formatting elements: the marker below the oldest entry, and the newest entry. */
  oldestFormat: u32;
  newestFormat: u32;
  /** The newest of the modes of templates, a byte each. */
  newestTemplate: u32;
  templates: u32;
}

/** The state of the one page that is parsed. */
export const b = changetype<Builder>(PARSER_AT);
