/** Records of the page features in scratch memory: of nodes, texts and rows. */
import * as Features from '../feature-layout.ts';
import { FIRST_FOREIGN_TAG } from '../layout.ts';

/** Record of a node. */
@unmanaged
export class NodeRecord {
  /** Its box; for an element without area, the box around its content. */
  left: f32;
  top: f32;
  right: f32;
  bottom: f32;
  /** Flags HOLDS_BLOCK, HOLDS_TEXT, HAS_AREA and IS_PARAGRAPH. */
  flags: u32;
  /** Address of the row of the node, or of the row that it is part of. */
  row: u32;
  /** Address of the block in which its content flows; not set for texts. */
  block: u32;
  /** Of a block: words directly in it, those in links, and stops and commas. */
  words: f32;
  linkWords: f32;
  marks: u32;
}

/** Flag of a node: a block is inside. */
export const HOLDS_BLOCK: u32 = 1;
/** Flag of a node: a text is directly inside. */
export const HOLDS_TEXT: u32 = 2;
/** Flag of a node: its own box has an area. */
export const HAS_AREA: u32 = 4;
/** Flag of a node: it is a `p`. */
export const IS_PARAGRAPH: u32 = 8;

/** Record of a text with words. */
@unmanaged
export class TextRecord {
  node: u32;
  /** Address of the record of its block. */
  block: u32;
  /** Number of words outside links. */
  plainWords: f32;
}

/** Record of a row, which describes one judged node. */
@unmanaged
export class Row {
  // sums over the subtree; all are counts, words in halves
  words: f64;
  linkWords: f64;
  letters: f64;
  stops: f64;
  commas: f64;
  digits: f64;
  /** Signs that separate links or are typical of footers: | · • » © and similar. */
  signs: f64;
  /** Words that the title also has. */
  titleWords: f64;
  /** Blocks with text directly in them. */
  blocks: f64;
  links: f64;
  /** Links that stay on the site, and of these the links that stay on the page. */
  siteLinks: f64;
  pageLinks: f64;
  images: f64;
  controls: f64;
  headingWords: f64;
  /** Words directly in `p`. */
  paragraphWords: f64;
  /** Words outside links, of blocks that read like prose. */
  proseWords: f64;
  /** Not a sum; placed here so that the number of sums is even. */
  wordsBefore: f64;

  proseBefore: f64;
  node: u32;
  /** Address of the row of the nearest judged ancestor; 0 for the first row. */
  parent: u32;
  /** One, plus one for each node that is part of this row. */
  weight: f32;
  /** Area in square pixels. */
  area: f32;
  /** A bit for each word of the title that the subtree has. */
  titleBits: u32;
  /** Largest number of words outside links of one block in the subtree. */
  longestBlock: f32;

  // context
  anchorShare: f32;
  /** Words that are not in a row inside. */
  ownWords: f32;
  depth: f32;
  stepsToProse: f32;
  /**
   * Addresses of the siblings before and after, of the last child, and of the first row after the subtree; 0
   * for none.
   */
  previous: u32;
  next: u32;
  lastChild: u32;
  after: u32;
  children: u32;
  /** Address of the bucket that counts the siblings of its shape. */
  shape: u32;
  /** Own words of the nearest row before, after, and from this one on that has words of its own. */
  nearestBefore: f32;
  nearestAfter: f32;
  nearest: f32;
  ownTags: u32;
  tags: u32;
  // weights of names: its own; the largest, smallest and sum of its own and those above; and those inside
  ownName: f32;
  highestName: f32;
  lowestName: f32;
  pathName: f32;
  innerName: f32;
}

/** Number of bytes at the start of a row that are sums. */
export const SUM_BYTES: u32 = 17 * 8;

/** Returns a word of a table. */
export function word(base: u32, index: u32): u32 {
  return load<u32>(base + (index << 2));
}

/** Returns the record of a node. */
export function nodeRecord(features: u32, node: u32): NodeRecord {
  return changetype<NodeRecord>(word(features, Features.FEATURES_NODES) + node * Features.NODE_RECORD_BYTES);
}

/** Returns the record of a row. */
export function rowRecord(features: u32, row: u32): Row {
  return changetype<Row>(word(features, Features.FEATURES_ROWS) + row * Features.ROW_RECORD_BYTES);
}

/** Returns the bits of a tag; elements unknown to HTML are displayed apart. */
export function tagBits(features: u32, tag: u32): u32 {
  return tag < <u32>FIRST_FOREIGN_TAG
    ? word(word(features, Features.FEATURES_TAGS), tag)
    : Features.TAG_APART;
}
