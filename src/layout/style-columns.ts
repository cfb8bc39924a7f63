/**
 * Computes the style of every element, as columns parallel to the tree's: the style of its tag, then of its
 * attributes, then of the page's style sheets and of its style attribute. Elements are visited in document
 * order, so that inherited values are ready in the parent. The descendants of an element that is not shown
 * are skipped. Cost: one pass over the bytes of the start tags, and the cost of style-sheet.ts.
 *
 * A page that hides all its text relies on scripts to show it, so it is styled again as if nothing were
 * hidden.
 */
import { reserveColumns } from '../model/growing-array.ts';
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { Declarations } from './css-declarations.ts';
import { PageSheets } from './css-reader.ts';
import { ATTRIBUTE, StartTag, setByAttributes } from './layout-attributes.ts';
import { Cascade } from './style-sheet.ts';
import {
  BASE_FONT,
  BLOCK,
  CELL,
  FLEX,
  INLINE,
  INLINE_BLOCK,
  IS_CLOSED,
  NONE,
  ROW,
  ROW_GROUP,
  setDefaults,
  setDocument,
  TABLE,
  tagDisplay,
} from './tag-styles.ts';

/** Tags from this number on are not in the tables of tag-styles.ts; they are shown like `span`. */
const TAGS = 256;
/** Minimum bytes of a start tag with an attribute. */
const SHORTEST_WITH_ATTRIBUTE = 6;
/** A page that shows a smaller share of its text is treated as one that scripts will show. */
const MIN_SHOWN_SHARE = 0.03;

/** The style of every element of a page, in columns by node id. */
export class StyleColumns {
  /** A display constant of tag-styles.ts. */
  display = new Uint8Array(0);
  /** A picture or a control: its size does not depend on the nodes in it. */
  isAtomic = new Uint8Array(0);
  /** `visibility: hidden`: takes room but is not shown. */
  isInvisible = new Uint8Array(0);
  align = new Uint8Array(0);
  /** The alignment also moves blocks and tables: `center`, `align=center`. */
  alignsBlocks = new Uint8Array(0);
  float = new Uint8Array(0);
  /** Bit 1 left floats, bit 2 right floats. */
  clear = new Uint8Array(0);
  /** Out of the flow: `position: absolute` or `fixed`. */
  isOut = new Uint8Array(0);
  /** Its floats do not reach out of it. */
  holdsFloats = new Uint8Array(0);
  colspan = new Uint8Array(0);
  rowspan = new Uint16Array(0);
  /** px */
  font = new Float32Array(0);
  /** Lengths as in css-lengths.ts. */
  width = new Float32Array(0);
  height = new Float32Array(0);
  marginTop = new Float32Array(0);
  marginRight = new Float32Array(0);
  marginBottom = new Float32Array(0);
  marginLeft = new Float32Array(0);
  /** px: on the left, and on each of the other sides. */
  paddingLeft = new Float32Array(0);
  padding = new Float32Array(0);

  // inherited while styles are set
  /** Padding of a table's cells. */
  cellPadding = new Float32Array(0);
  /** IN_LIST, IS_CLOSED */
  flags = new Uint8Array(0);
}

/** Computes the style columns of pages one after another. */
export class StyleMaker {
  readonly columns = new StyleColumns();
  readonly #tag = new StartTag();
  readonly #sheets = new PageSheets();
  readonly #cascade = new Cascade();
  readonly #inline = new Declarations();

  /** Computes the styles of a page into `columns`. */
  make(tree: Tree): void {
    if (tree.nodeCount > this.columns.display.length) reserveColumns(this.columns, tree.nodeCount);
    this.#setAll(tree, false);
    if (tree.textLength > 0 && this.#shownShare(tree) < MIN_SHOWN_SHARE) this.#setAll(tree, true);
  }

  #setAll(tree: Tree, showsAll: boolean): void {
    const { nodeCount, kind, name, parent, last, start, openEnd, source } = tree;
    const c = this.columns;
    const at = this.#tag;
    const cascade = this.#cascade;
    const sheet = this.#sheets.sheetOf(tree);
    cascade.reset(tree, sheet);
    setDocument(c);
    let rootFont = BASE_FONT;
    for (let node = 1; node < nodeCount; ) {
      if (kind[node] !== ELEMENT) {
        c.display[node++] = INLINE;
        continue;
      }
      const up = parent[node];
      const tag = name[node] < TAGS ? name[node] : 0;
      // no style shows an element whose tag hides it, except an open dialog
      if (tagDisplay[tag] === NONE && tag !== TAG.dialog) {
        c.display[node] = NONE;
        node = last[node];
        continue;
      }
      setDefaults(c, node, tag, up);
      cascade.begin(node);
      at.found = 0;
      if (openEnd[node] - start[node] >= SHORTEST_WITH_ATTRIBUTE) {
        at.read(source, start[node], openEnd[node]);
        if (at.found !== 0) setByAttributes(c, at, source, node, tag);
      }
      if (sheet !== null) {
        if (at.has(ATTRIBUTE.id)) cascade.addId(at.start[ATTRIBUTE.id], at.end[ATTRIBUTE.id]);
        if (at.has(ATTRIBUTE.class)) cascade.addClasses(at.start[ATTRIBUTE.class], at.end[ATTRIBUTE.class]);
        cascade.matchSheet();
      }
      if (at.has(ATTRIBUTE.style)) {
        this.#inline.reset();
        this.#inline.read(source, at.start[ATTRIBUTE.style], at.end[ATTRIBUTE.style]);
        cascade.set(this.#inline, 0, this.#inline.count);
      }
      cascade.apply(c, tag, up, rootFont);
      if (showsAll) {
        c.isInvisible[node] = 0;
        if (c.display[node] === NONE && tagDisplay[tag] !== NONE) c.display[node] = tagDisplay[tag];
      }
      if (tag === TAG.html) rootFont = c.font[node];
      this.#fitParent(node, tag, up, name[up]);
      node = c.display[node] === NONE ? last[node] : node + 1;
    }
  }

  /** Returns the share of the page's text that is not hidden. */
  #shownShare({ nodeCount, kind, parent, last, textStart, textLength }: Tree): number {
    const { display, isInvisible } = this.columns;
    let shown = 0;
    for (let node = 1; node < nodeCount; ) {
      if (kind[node] === ELEMENT && display[node] === NONE) {
        node = last[node];
        continue;
      }
      if (kind[node] === TEXT && isInvisible[parent[node]] === 0)
        shown += textStart[node + 1] - textStart[node];
      node++;
    }
    return shown / textLength;
  }

  /**
   * Adjusts the display to the parent: parts of a table outside a table, closed details, and floats, which
   * become blocks.
   */
  #fitParent(node: number, tag: number, parent: number, parentTag: number): void {
    const c = this.columns;
    const outer = c.display[parent];
    let display = c.display[node];
    if (display === INLINE && c.isAtomic[node] === 1) display = INLINE_BLOCK;
    if ((c.float[node] !== 0 || c.isOut[node] === 1) && (display === INLINE || display === INLINE_BLOCK))
      display = BLOCK;
    if (parentTag === TAG.details && tag !== TAG.summary && (c.flags[parent] & IS_CLOSED) !== 0)
      display = NONE;
    else if (outer === FLEX) {
      c.float[node] = 0;
      if (display === INLINE || display === INLINE_BLOCK || display === CELL) display = BLOCK;
    } else if (display === CELL && outer !== ROW) {
      // cells outside a table row make their parent a row of boxes
      if (outer === BLOCK || outer === TABLE) c.display[parent] = FLEX;
      display = BLOCK;
    } else if (display === ROW && outer !== TABLE && outer !== ROW_GROUP) display = FLEX;
    else if (display === ROW_GROUP && outer !== TABLE) display = BLOCK;
    c.display[node] = display;
  }
}
