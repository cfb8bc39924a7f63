/** Where things stand while a page is laid out, as columns parallel to the tree's; px, absolute. */

export class FlowColumns {
  left = new Float32Array(0);
  top = new Float32Array(0);
  width = new Float32Array(0);
  height = new Float32Array(0);
  /** Added to a node and all in it, or only to what is in it, once everything is placed. */
  shiftX = new Float32Array(0);
  shiftY = new Float32Array(0);
  innerShiftY = new Float32Array(0);
  /** Its parent has set left and width: cells, boxes in a row. */
  isPlaced = new Uint8Array(0);
  /** It begins a new line of its row. */
  startsLine = new Uint8Array(0);

  /** The box whose lines the node's text is in, and the box whose floats they keep clear of. */
  container = new Int32Array(0);
  floatRoot = new Int32Array(0);
  /** What absolute boxes are placed by. */
  anchor = new Int32Array(0);

  // of containers
  innerLeft = new Float32Array(0);
  innerWidth = new Float32Array(0);
  /** Where the next block or line begins, before `margin`, the margin of the block above. */
  cursor = new Float32Array(0);
  margin = new Float32Array(0);
  /** Margin between a block and what was above it. */
  marginAbove = new Float32Array(0);
  /** Lowest end of the boxes in a row. */
  rowBottom = new Float32Array(0);
  /** The open line: first node (-1 when none is open), where its next word goes, where it ends, its height. */
  lineFirst = new Int32Array(0);
  lineX = new Float32Array(0);
  lineLeft = new Float32Array(0);
  lineRight = new Float32Array(0);
  lineHeight = new Float32Array(0);

  // of float roots: how far floats reach in from the left and from the right, and down to where
  leftEdge = new Float32Array(0);
  leftBottom = new Float32Array(0);
  rightEdge = new Float32Array(0);
  rightBottom = new Float32Array(0);

  /** Makes room for `count` nodes and clears what must start at nought. */
  reset(count: number): void {
    if (count > this.left.length) this.#grow(Math.max(4096, count + (count >> 1)));
    this.left.fill(0, 0, count);
    this.top.fill(0, 0, count);
    this.width.fill(0, 0, count);
    this.height.fill(0, 0, count);
    this.shiftX.fill(0, 0, count);
    this.shiftY.fill(0, 0, count);
    this.innerShiftY.fill(0, 0, count);
    this.isPlaced.fill(0, 0, count);
    this.startsLine.fill(0, 0, count);
  }

  #grow(room: number): void {
    this.left = new Float32Array(room);
    this.top = new Float32Array(room);
    this.width = new Float32Array(room);
    this.height = new Float32Array(room);
    this.shiftX = new Float32Array(room);
    this.shiftY = new Float32Array(room);
    this.innerShiftY = new Float32Array(room);
    this.isPlaced = new Uint8Array(room);
    this.startsLine = new Uint8Array(room);
    this.container = new Int32Array(room);
    this.floatRoot = new Int32Array(room);
    this.anchor = new Int32Array(room);
    this.innerLeft = new Float32Array(room);
    this.innerWidth = new Float32Array(room);
    this.cursor = new Float32Array(room);
    this.margin = new Float32Array(room);
    this.marginAbove = new Float32Array(room);
    this.rowBottom = new Float32Array(room);
    this.lineFirst = new Int32Array(room);
    this.lineX = new Float32Array(room);
    this.lineLeft = new Float32Array(room);
    this.lineRight = new Float32Array(room);
    this.lineHeight = new Float32Array(room);
    this.leftEdge = new Float32Array(room);
    this.leftBottom = new Float32Array(room);
    this.rightEdge = new Float32Array(room);
    this.rightBottom = new Float32Array(room);
  }
}
