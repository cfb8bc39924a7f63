/**
 * Where things lie in the memory that WebAssembly and the tree builder share (scan-kernel.ts), in this order:
 *
 *   words       results of a function and the state of the tree builder: see below
 *   places      of tags that were met before: see known-tags.ts
 *   tags        what is to be known about HTML's own names: see tag-table.ts
 *   names       where their tags are found by name: see tag-table.ts
 *   entries     the open elements, and the innermost of each tag: see open-elements.ts
 *   formatting  the list of active formatting elements: see formatting-list.ts
 *   columns     of the nodes and of the links: see tree.ts
 *   source      the page, zeros after it, then a `>`
 *   text        collapsed text of the page; where it begins depends on the longest page
 *
 * A page with more nodes, links or open elements than there is room for goes on in arrays of its own.
 */

/** Results, by integer. Of `next`: the place of the tag, known or not, its start, its first `>`. */
export const TAG_PLACE = 0;
export const TAG_START = 1;
export const TAG_END = 2;
/** Of `hash`, and of `collapse`, whose text ends at an address without the white space that may follow it. */
export const HASH_LOW = 3;
export const HASH_HIGH = 4;
export const TEXT_END = 5;
export const SPACE_FOLLOWS = 6;

/** State of the tree builder that `build` of plain-code.ts takes and leaves: its fields of the same names. */
export const DEPTH = 8;
export const NODE_COUNT = 9;
export const TEXT_LENGTH = 10;
export const LINK_COUNT = 11;
export const WORD_ENDED = 12;
export const FORMATTING_LENGTH = 13;
export const MODE = 14;
export const HAS_FORM = 15;
/** What it only takes: address of the text, most nodes, index of the deepest entry that may be opened. */
export const TEXT_AT = 16;
export const MOST_NODES = 17;
export const MOST_DEPTH = 18;
/** What it leaves: the offset up to which the page is built. */
export const BUILT_TO = 19;
const WORD_BYTES = 128;

/** Places are found by 12 bits of a hash; one has 32 bytes of what is known, then the bytes of the tag. */
const PLACES = 4096;
export const PLACE_BITS = 8;
export const PLACES_AT = WORD_BYTES;
/** Of a place, before the bytes of the tag; longer tags are not remembered. */
export const KNOWN_BYTES = 32;
export const MAX_TAG_BYTES = 208;
/** The place of a tag that is too long. */
export const LOOSE_PLACE = PLACES_AT + (PLACES << PLACE_BITS);
/** The place of any tag without attributes, for one that is implied. */
export const BARE_PLACE = LOOSE_PLACE + (1 << PLACE_BITS);

/** HTML's own names have ids below this; a tag takes 64 bytes. */
export const TAG_COUNT = 256;
export const TAG_BITS = 6;
export const TAGS_AT = BARE_PLACE + (1 << PLACE_BITS);
/** A byte for each of so many hashes: the tag of a name. */
export const NAME_SLOT_BITS = 10;
export const NAMES_AT = TAGS_AT + (TAG_COUNT << TAG_BITS);

export const ENTRY_COUNT = 1024;
export const ENTRY_BYTES = 64;
export const ENTRIES_AT = NAMES_AT + (1 << NAME_SLOT_BITS);
export const NAME_COUNT = 65_536;
export const INNERMOST_AT = ENTRIES_AT + ENTRY_COUNT * ENTRY_BYTES;

export const FORMATTING_COUNT = 64;
const FORMATTING_AT = INNERMOST_AT + NAME_COUNT * 4;
const formattingArray = (index: number) => FORMATTING_AT + index * FORMATTING_COUNT * 4;
export const FORMATTING_LIST = {
  tag: formattingArray(0),
  index: formattingArray(1),
  contentLow: formattingArray(2),
  contentHigh: formattingArray(3),
  shapeLow: formattingArray(4),
  shapeHigh: formattingArray(5),
} as const;

/**
 * Columns start at different cache lines: entry i of a dozen of them would compete for the same few lines of the
 * cache, which costs 3 % of parsing. There is one more entry than nodes.
 */
export const STAGGER_BYTES = 320;
export const NODE_CAPACITY = 65_536;
const NODE_COLUMN_BYTES = 4 * NODE_CAPACITY + STAGGER_BYTES;
const NODES_AT = formattingArray(6);
const column = (index: number) => NODES_AT + index * NODE_COLUMN_BYTES;
export const NODES = {
  kind: column(0),
  name: column(1),
  parent: column(2),
  last: column(3),
  start: column(4),
  openEnd: column(5),
  end: column(6),
  contentLow: column(7),
  contentHigh: column(8),
  shapeLow: column(9),
  shapeHigh: column(10),
  textStart: column(11),
} as const;

export const LINK_CAPACITY = 16_384;
const LINK_COLUMN_BYTES = 4 * LINK_CAPACITY + STAGGER_BYTES;
const LINKS_AT = column(12);
export const LINKS = {
  linkNode: LINKS_AT,
  linkStart: LINKS_AT + LINK_COLUMN_BYTES,
  linkEnd: LINKS_AT + 2 * LINK_COLUMN_BYTES,
} as const;

export const SOURCE_AT = LINKS_AT + 3 * LINK_COLUMN_BYTES;
