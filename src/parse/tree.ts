/**
 * The tree of a page as columns: parallel typed arrays over node ids in document order. A subtree is the
 * interval of ids [id, last[id]); its bytes are [start[id], end[id]), and intervals of bytes nest as those of
 * ids do. Node 0 is the document and spans the whole source.
 *
 * The columns are views of the kernel's memory. The tree that a parser returns lies in the workspace of the
 * thread and is valid until the next page is parsed in this thread, by any parser; reading it later throws.
 * `holdTree` copies a tree that must live longer; `lend` copies it when another page needs its place.
 */

/** Kind of node 0, the document; the numbers of kinds follow `Node.nodeType` of the DOM. */
export const DOCUMENT = 9;
/** Kind of an element. */
export const ELEMENT = 1;
/** Kind of a text. */
export const TEXT = 3;
/** Kind of a comment. */
export const COMMENT = 8;
/** Kind of a doctype or processing instruction. */
export const DECLARATION = 10;

/** The tree of one page, as columns over node ids. */
export interface Tree {
  /** Address of the page header in the kernel's memory (kernel/layout.ts); 0 if the tree is gone. */
  address: number;
  /** The bytes of the page; offsets count from its start. */
  source: Uint8Array;
  /** Number of nodes; every column by node has as many entries. */
  nodeCount: number;
  /** DOCUMENT, ELEMENT, TEXT, COMMENT or DECLARATION. */
  kind: Uint8Array;
  /** Tag id of an element (see tag-names.ts), 0 for every other kind. */
  name: Uint16Array;
  /** Names outside the fixed table, indexed by id − FIRST_FOREIGN_TAG. */
  readonly foreignNames: string[];
  /** Id of the parent; -1 for the document. */
  parent: Int32Array;
  /** One past the last id of the subtree. */
  last: Int32Array;
  /**
   * Offset of the first byte of the start tag, text or comment. Implied elements start where they were
   * implied.
   */
  start: Int32Array;
  /** End of the start tag; equals `start` for implied elements and `end` for leaves. */
  openEnd: Int32Array;
  /** One past the last byte, including the end tag. */
  end: Int32Array;
  /** 64-bit hash of name, attributes with values (in any order) and content, in two lanes. */
  contentLow: Int32Array;
  contentHigh: Int32Array;
  /** 64-bit hash of element names and attribute names, without values and words, in two lanes. */
  shapeLow: Int32Array;
  shapeHigh: Int32Array;
  /**
   * The detagged text: bytes of the text nodes (without script, style, title, template and frames) in source
   * order, with white space collapsed and one space between blocks. Character references stay as written.
   */
  text: Uint8Array;
  /** Bytes of `text`. */
  textLength: number;
  /**
   * Start of a subtree's text in `text`; it ends at textStart[last[id]]. The column has nodeCount + 1
   * entries. The space between two words of different nodes belongs to the later one.
   */
  textStart: Int32Array;
  /** Links: a and area elements with an href, in document order. */
  linkCount: number;
  /** Node of each link. */
  linkNode: Int32Array;
  /** Offsets of the href's value in the source, without quotes. */
  linkStart: Int32Array;
  linkEnd: Int32Array;
  /** Whether the depth limit changed the nesting. */
  depthCapped: boolean;
  /**
   * Whether nodes were moved to rebuild misnested formatting as in browsers (see
   * kernel/assembly/adoption.ts).
   */
  exact: boolean;
  /** Whether the doctype, or its absence, asks for quirks mode. */
  quirks: boolean;
  /**
   * Number of texts and elements that a browser would move out of a table; here they stay where their bytes
   * are.
   */
  fosteredCount: number;
}
