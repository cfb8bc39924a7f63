/** What the flow needs to know of each element's style, as columns parallel to the tree's. */

/** Larger letters are not believed, in pixels. */
export const MAX_FONT = 400;

export const ALIGN_CENTER = 1;
export const ALIGN_RIGHT = 2;
export const FLOAT_LEFT = 1;
export const FLOAT_RIGHT = 2;
export const ABSOLUTE = 1;
export const FIXED = 2;
/** Not moved out of the flow, but what absolute boxes in it are placed by. */
export const RELATIVE = 3;

/** Flags: inside a list; closed `details`. */
export const IN_LIST = 1;
export const IS_CLOSED = 2;

export class StyleColumns {
  /** A display constant of tag-styles.ts. */
  display = new Uint8Array(0);
  /** How wide letters are beside those of a serif face. */
  face = new Float32Array(0);
  isAtomic = new Uint8Array(0);
  /** `visibility: hidden`: takes its room, is not shown. */
  isInvisible = new Uint8Array(0);
  isPre = new Uint8Array(0);
  isNowrap = new Uint8Array(0);
  align = new Uint8Array(0);
  /** Blocks and tables in it are centred as well: `center`, `align=center`. */
  alignsBlocks = new Uint8Array(0);
  float = new Uint8Array(0);
  /** Bit 1 left floats, bit 2 right ones. */
  clear = new Uint8Array(0);
  position = new Uint8Array(0);
  /** Floats inside it do not reach out of it. */
  holdsFloats = new Uint8Array(0);
  /** Content of its cell stands at the top, not in the middle. */
  isTop = new Uint8Array(0);
  colspan = new Uint8Array(0);
  rowspan = new Uint16Array(0);
  /** px */
  font = new Float32Array(0);
  lineHeight = new Float32Array(0);
  /** Lengths as lengths.ts has them. Width and height are of the border box. */
  width = new Float32Array(0);
  height = new Float32Array(0);
  maxWidth = new Float32Array(0);
  minWidth = new Float32Array(0);
  minHeight = new Float32Array(0);
  marginTop = new Float32Array(0);
  marginRight = new Float32Array(0);
  marginBottom = new Float32Array(0);
  marginLeft = new Float32Array(0);
  /** px */
  paddingTop = new Float32Array(0);
  paddingRight = new Float32Array(0);
  paddingBottom = new Float32Array(0);
  paddingLeft = new Float32Array(0);

  /** Width and height are of the whole box, not of what is inside its padding. */
  isBorderBox = new Uint8Array(0);
  // of rows of boxes and their items
  isColumn = new Uint8Array(0);
  isWrapping = new Uint8Array(0);
  justify = new Uint8Array(0);
  alignItems = new Uint8Array(0);
  gap = new Float32Array(0);
  grow = new Float32Array(0);
  basis = new Float32Array(0);
  gridSpan = new Uint8Array(0);
  /** Position in `tracks` of a grid's columns, -1 when it has none. */
  gridColumns = new Int32Array(0);
  /** Columns of the page's grids: how many, then each. */
  tracks: number[] = [];

  // only where `position` is not 0: lengths
  insetTop = new Float32Array(0);
  insetRight = new Float32Array(0);
  insetBottom = new Float32Array(0);
  insetLeft = new Float32Array(0);

  // handed down while styles are made
  /** Line height, times the font size. */
  lineFactor = new Float32Array(0);
  /** Padding of a table's cells. */
  cellPadding = new Float32Array(0);
  /** IN_LIST, IS_CLOSED */
  flags = new Uint8Array(0);

  /** Makes room for `count` nodes; what the columns held is lost. */
  reserve(count: number): void {
    this.tracks.length = 0;
    if (count <= this.display.length) return;
    const room = Math.max(4096, count + (count >> 1));
    this.display = new Uint8Array(room);
    this.face = new Float32Array(room);
    this.isAtomic = new Uint8Array(room);
    this.isInvisible = new Uint8Array(room);
    this.isPre = new Uint8Array(room);
    this.isNowrap = new Uint8Array(room);
    this.align = new Uint8Array(room);
    this.alignsBlocks = new Uint8Array(room);
    this.float = new Uint8Array(room);
    this.clear = new Uint8Array(room);
    this.position = new Uint8Array(room);
    this.holdsFloats = new Uint8Array(room);
    this.isTop = new Uint8Array(room);
    this.colspan = new Uint8Array(room);
    this.rowspan = new Uint16Array(room);
    this.font = new Float32Array(room);
    this.lineHeight = new Float32Array(room);
    this.width = new Float32Array(room);
    this.height = new Float32Array(room);
    this.maxWidth = new Float32Array(room);
    this.minWidth = new Float32Array(room);
    this.minHeight = new Float32Array(room);
    this.marginTop = new Float32Array(room);
    this.marginRight = new Float32Array(room);
    this.marginBottom = new Float32Array(room);
    this.marginLeft = new Float32Array(room);
    this.paddingTop = new Float32Array(room);
    this.paddingRight = new Float32Array(room);
    this.paddingBottom = new Float32Array(room);
    this.paddingLeft = new Float32Array(room);
    this.isBorderBox = new Uint8Array(room);
    this.isColumn = new Uint8Array(room);
    this.isWrapping = new Uint8Array(room);
    this.justify = new Uint8Array(room);
    this.alignItems = new Uint8Array(room);
    this.gap = new Float32Array(room);
    this.grow = new Float32Array(room);
    this.basis = new Float32Array(room);
    this.gridSpan = new Uint8Array(room);
    this.gridColumns = new Int32Array(room);
    this.insetTop = new Float32Array(room);
    this.insetRight = new Float32Array(room);
    this.insetBottom = new Float32Array(room);
    this.insetLeft = new Float32Array(room);
    this.lineFactor = new Float32Array(room);
    this.cellPadding = new Float32Array(room);
    this.flags = new Uint8Array(room);
  }
}
