/**
 * A page's tree as columns: parallel typed arrays over node ids in document order. A subtree is the
 * interval of ids [id, last[id]); its bytes are [start[id], end[id]) and intervals of bytes nest as
 * those of ids do. Node 0 is the document and spans the whole source.
 *
 * The columns are views of the kernel's memory. The tree that a parser returns lies in the workspace of the thread
 * and holds until the next page is read or parsed in this thread, by any parser; reading it later throws. A tree
 * that must hold longer is copied with `holdTree`.
 */

export const DOCUMENT = 9;
export const ELEMENT = 1;
export const TEXT = 3;
export const COMMENT = 8;
/** Doctypes and processing instructions. */
export const DECLARATION = 10;

export interface Tree {
  /** Address of its page header in the kernel's memory (kernel/layout.ts); 0 when the tree is gone. */
  address: number;
  source: Uint8Array;
  nodeCount: number;
  /** DOCUMENT, ELEMENT, TEXT, COMMENT or DECLARATION. */
  kind: Uint8Array;
  /** Tag id of an element (see tag-names.ts), 0 for every other kind. */
  name: Uint16Array;
  /** Names of tags that are not HTML's own; ids from FIRST_FOREIGN_TAG index it. */
  readonly foreignNames: string[];
  /** Id of the parent; -1 for the document. */
  parent: Int32Array;
  /** One past the last id of the subtree. */
  last: Int32Array;
  /** First byte: of the start tag, the text, the comment. Implied elements start where they were implied. */
  start: Int32Array;
  /** End of the start tag; equals `start` for implied elements and `end` for leaves. */
  openEnd: Int32Array;
  /** One past the last byte, the end tag included. */
  end: Int32Array;
  /** 64-bit hash of name, attributes with values (in any order) and content, in two lanes. */
  contentLow: Int32Array;
  contentHigh: Int32Array;
  /** 64-bit hash of names and attribute names only, texts without their words, in two lanes. */
  shapeLow: Int32Array;
  shapeHigh: Int32Array;
  /**
   * The detagged text: bytes of the text nodes (not those of script, style, title, template, frames)
   * in source order, white space collapsed, one space between blocks. Character references stay as written.
   */
  text: Uint8Array;
  textLength: number;
  /**
   * Where a subtree's text starts in `text`; it ends at textStart[last[id]]. Has nodeCount + 1 entries. The
   * space between two words of different nodes belongs to the later one.
   */
  textStart: Int32Array;
  /** Elements with an href that link somewhere (a, area), in document order. */
  linkCount: number;
  linkNode: Int32Array;
  /** The href's value in the source, without quotes. */
  linkStart: Int32Array;
  linkEnd: Int32Array;
  /** Whether nesting was capped at the depth limit. */
  depthCapped: boolean;
  /** Whether misnested formatting had nodes moved, as browsers do (see kernel/assembly/adoption.ts). */
  exact: boolean;
  /** Whether the doctype, or the lack of one, asks for quirks mode. */
  quirks: boolean;
  /** Texts and elements a browser would move out of a table; here they stay where their bytes are. */
  fosteredCount: number;
}
