/**
 * The style of every element: that of its tag, then its attributes, then the style sheets and the style
 * attribute the page carries. In document order, so that what is inherited stands ready in the parent. What is
 * not shown at all is passed over with all in it. Cost: one pass over the bytes of the start tags, and what
 * css-match.ts says.
 *
 * A page that hides all its text is one whose scripts would show it: it is styled anew as if nothing were
 * hidden.
 */
import { TAG } from '../parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../parse/tree.ts';
import { setByAttributes } from './attribute-styles.ts';
import { Declarations } from './css-declarations.ts';
import { CssMatch } from './css-match.ts';
import { setByCss } from './css-styles.ts';
import { PageSheets } from './page-sheets.ts';
import { ATTRIBUTE, StartTag } from './start-tag.ts';
import { ABSOLUTE, FIXED, IS_CLOSED, StyleColumns } from './style-columns.ts';
import { setDefaults, setDocument } from './tag-defaults.ts';
import {
  BASE_FONT,
  BLOCK,
  CELL,
  FLEX,
  GRID,
  INLINE,
  INLINE_BLOCK,
  NONE,
  ROW,
  ROW_GROUP,
  TABLE,
  tagDisplay,
} from './tag-styles.ts';

/** Names from here on are not in the tables; they are shown as spans. */
const TAGS = 256;
/** A start tag shorter than this has no attributes. */
const SHORTEST_WITH_ATTRIBUTE = 6;
/** A page that shows less of its text than this hides it. */
const MIN_SHOWN_SHARE = 0.03;

export class StyleMaker {
  readonly columns = new StyleColumns();
  readonly #tag = new StartTag();
  readonly #sheets = new PageSheets();
  readonly #match = new CssMatch();
  readonly #inline = new Declarations();

  make(tree: Tree): void {
    this.columns.reserve(tree.nodeCount);
    this.#setAll(tree, false);
    if (tree.textLength > 0 && this.#shownShare(tree) < MIN_SHOWN_SHARE) this.#setAll(tree, true);
  }

  #setAll(tree: Tree, showsAll: boolean): void {
    const { nodeCount, kind, name, parent, last, start, openEnd, source } = tree;
    const c = this.columns;
    const at = this.#tag;
    const match = this.#match;
    const sheet = this.#sheets.sheetOf(tree);
    match.reset(tree, sheet);
    setDocument(c);
    let rootFont = BASE_FONT;
    for (let node = 1; node < nodeCount; ) {
      if (kind[node] !== ELEMENT) {
        c.display[node++] = INLINE;
        continue;
      }
      const up = parent[node];
      const tag = name[node] < TAGS ? name[node] : 0;
      // what a tag hides nothing shows but an open dialog: no one asks for the style of what is in it
      if (tagDisplay[tag] === NONE && tag !== TAG.dialog) {
        c.display[node] = NONE;
        node = last[node];
        continue;
      }
      setDefaults(c, node, tag, up);
      match.begin(node);
      const hasAttributes = openEnd[node] - start[node] >= SHORTEST_WITH_ATTRIBUTE;
      at.found = 0;
      if (hasAttributes) {
        at.read(source, start[node], openEnd[node]);
        if (at.found !== 0) setByAttributes(c, at, source, node, tag);
      }
      if (sheet !== null) {
        if (at.has(ATTRIBUTE.id)) match.addId(at.start[ATTRIBUTE.id], at.end[ATTRIBUTE.id]);
        if (at.has(ATTRIBUTE.class)) match.addClasses(at.start[ATTRIBUTE.class], at.end[ATTRIBUTE.class]);
        match.matchSheet();
      }
      if (at.has(ATTRIBUTE.style)) {
        this.#inline.reset();
        this.#inline.read(source, at.start[ATTRIBUTE.style], at.end[ATTRIBUTE.style]);
        match.set(this.#inline, 0, this.#inline.count);
      }
      if (match.touchedCount > 0) {
        const inlineTracks = at.has(ATTRIBUTE.style) ? this.#inline.tracks : null;
        setByCss(
          c,
          match,
          node,
          tag,
          up,
          rootFont,
          inlineTracks?.length ? inlineTracks : (sheet?.declarations.tracks ?? []),
        );
      }
      if (showsAll) this.#show(node, tag);
      c.lineHeight[node] = c.font[node] * c.lineFactor[node];
      if (tag === TAG.html) rootFont = c.font[node];
      this.#fitParent(node, tag, up, name[up]);
      node = c.display[node] === NONE ? last[node] : node + 1;
    }
  }

  /** Share of the page's text that is not hidden. */
  #shownShare(tree: Tree): number {
    const { nodeCount, kind, parent, last, textStart, textLength } = tree;
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

  /** Undoes what hides an element that its tag would show. */
  #show(node: number, tag: number): void {
    const c = this.columns;
    c.isInvisible[node] = 0;
    if (c.display[node] === NONE && tagDisplay[tag] !== NONE) c.display[node] = tagDisplay[tag];
  }

  /** A column of boxes, or a grid of one column, is blocks below each other. */
  #fitRow(node: number): void {
    const c = this.columns;
    const isRow = c.display[node] === FLEX && c.isColumn[node] === 0;
    const isGrid = c.display[node] === GRID && c.gridColumns[node] >= 0;
    const isColumn = !isRow && !isGrid && c.display[node] >= FLEX && c.display[node] <= GRID;
    c.isColumn[node] = isColumn ? 1 : 0;
    if (!isColumn) return;
    c.display[node] = BLOCK;
    c.holdsFloats[node] = 1;
  }

  /** What an element is because of its parent: items of a row, parts of a table without one, closed details. */
  #fitParent(node: number, tag: number, parent: number, parentTag: number): void {
    const c = this.columns;
    const outer = c.display[parent];
    this.#fitRow(node);
    if (c.display[node] === INLINE && c.isAtomic[node] === 1) c.display[node] = INLINE_BLOCK;
    const isOut = c.float[node] !== 0 || c.position[node] === ABSOLUTE || c.position[node] === FIXED;
    if (isOut && (c.display[node] === INLINE || c.display[node] === INLINE_BLOCK)) c.display[node] = BLOCK;
    const display = c.display[node];
    if (parentTag === TAG.details && tag !== TAG.summary && (c.flags[parent] & IS_CLOSED) !== 0) {
      c.display[node] = NONE;
    } else if (outer === FLEX || outer === GRID || c.isColumn[parent] === 1) {
      c.float[node] = 0;
      if (display === INLINE || display === INLINE_BLOCK || display === CELL) c.display[node] = BLOCK;
    } else if (display === CELL && outer !== ROW) {
      // cells of what is not a row: a row of boxes all the same
      if (outer === BLOCK || outer === TABLE) c.display[parent] = FLEX;
      c.display[node] = BLOCK;
    } else if (display === ROW && outer !== TABLE && outer !== ROW_GROUP) {
      c.display[node] = FLEX;
    } else if (display === ROW_GROUP && outer !== TABLE) {
      c.display[node] = BLOCK;
    }
  }
}
