/**
 * What tree construction works on: the token at hand, the insertion mode, the open elements, the list of
 * active formatting elements; and the steps all insertion modes share. The modes themselves are in the
 * `in-*.ts` files, the dispatch between them in tree-builder.ts. Follows the WHATWG HTML standard, section
 * 13.2.6, with scripting disabled, but for two things: nothing is moved out of tables, so that nodes stay in
 * source order, and what a hostile page can make it repeat has a bound.
 */
import type { Columns } from './columns.ts';
import { type FormattingArrays, FormattingList } from './formatting-list.ts';
import { TEXT_SHAPE_HIGH, TEXT_SHAPE_LOW } from './hashes.ts';
import { ENTRY_SIZE, OpenElements, TAG_HASH } from './open-elements.ts';
import { BREAK, FOREIGN, IMPLIED_END, LINK, TABLE_PART, TAG, TAG_FLAGS, type TagTable } from './tag-names.ts';
import { COMMENT, ELEMENT, TEXT } from './tree.ts';

// insertion modes
export const INITIAL = 0;
export const BEFORE_HTML = 1;
export const BEFORE_HEAD = 2;
export const IN_HEAD = 3;
export const IN_HEAD_NOSCRIPT = 4;
export const AFTER_HEAD = 5;
export const IN_BODY = 6;
export const IN_TABLE = 7;
export const IN_CAPTION = 8;
export const IN_COLUMN_GROUP = 9;
export const IN_TABLE_BODY = 10;
export const IN_ROW = 11;
export const IN_CELL = 12;
export const IN_SELECT = 13;
export const IN_SELECT_IN_TABLE = 14;
export const IN_TEMPLATE = 15;
export const AFTER_BODY = 16;
export const IN_FRAMESET = 17;
export const AFTER_FRAMESET = 18;
export const AFTER_AFTER_BODY = 19;
export const AFTER_AFTER_FRAMESET = 20;

/** Elements that decide the mode of what they hold. */
const TAGS_WITH_MODE = [
  TAG.html,
  TAG.head,
  TAG.body,
  TAG.frameset,
  TAG.template,
  TAG.table,
  TAG.caption,
  TAG.colgroup,
  TAG.tbody,
  TAG.thead,
  TAG.tfoot,
  TAG.tr,
  TAG.td,
  TAG.th,
  TAG.select,
];

/** Formatting elements a page may have opened again for it, beyond one per so many bytes. */
const FREE_CLONES = 10_000;
const BYTES_PER_CLONE = 16;
/** Nodes a page may have moved by misnested formatting, beyond a few per byte. */
const FREE_MOVES = 100_000;
const MOVES_PER_BYTE = 2;

/** Arrays for the open elements and the list of active formatting elements, for one page at a time. */
export interface SharedArrays {
  entries: Int32Array;
  innermost: Int32Array;
  formatting: FormattingArrays;
}

export class Construction {
  // the tag at hand
  tag = 0;
  tokenStart = 0;
  tokenEnd = 0;
  selfClosing = false;
  /** Sums over the attributes: order does not matter. */
  attributesLow = 0;
  attributesHigh = 0;
  attributeNamesLow = 0;
  attributeNamesHigh = 0;
  /** Value of the href attribute; start is -1 when there is none. */
  hrefStart = -1;
  hrefEnd = -1;

  mode = INITIAL;
  templateModes: number[] = [];
  quirks = false;
  framesetOk = true;
  hasHead = false;
  hasForm = false;
  /** Set while elements are inserted by the rules for table content that is out of place. */
  fostering = false;
  /** Tag of the element just opened whose content is not markup, or 0: the scanner takes over. */
  rawTag = 0;

  /** End of the `</head>`, `</body>` and `</html>` tags met, or -1: late content may still follow. */
  headEnd = -1;
  bodyEnd = -1;
  htmlEnd = -1;
  /** First comment after such a tag, not inside the element so far; -1 when there is none. */
  lateComment = -1;
  /** First comment after `</html>`. */
  lastComment = -1;

  clonesLeft = 0;
  movesLeft = 0;
  /** Whether misnested formatting is rebuilt as browsers do. */
  readonly exact: boolean;

  readonly columns: Columns;
  readonly names: TagTable;
  readonly formatting = new FormattingList();
  readonly open: OpenElements;

  constructor(columns: Columns, names: TagTable, options: { maxDepth: number; exact: boolean }) {
    this.columns = columns;
    this.names = names;
    this.exact = options.exact;
    this.open = new OpenElements(columns, this.formatting, options.maxDepth);
  }

  /** Begins a page of so many bytes. */
  reset(sizeBytes: number, { entries, innermost, formatting }: SharedArrays): void {
    this.mode = INITIAL;
    this.templateModes.length = 0;
    this.quirks = false;
    this.framesetOk = true;
    this.hasHead = false;
    this.hasForm = false;
    this.fostering = false;
    this.rawTag = 0;
    this.headEnd = -1;
    this.bodyEnd = -1;
    this.htmlEnd = -1;
    this.lateComment = -1;
    this.lastComment = -1;
    this.clonesLeft = FREE_CLONES + Math.floor(sizeBytes / BYTES_PER_CLONE);
    this.movesLeft = FREE_MOVES + MOVES_PER_BYTE * sizeBytes;
    this.open.reset(entries, innermost);
    this.formatting.reset(formatting);
  }

  /** Opens an HTML element for the start tag at hand. */
  insertElement(): number {
    return this.insertWithFlags(this.tag, TAG_FLAGS[this.tag], this.tag);
  }

  /** Opens an element with the attributes of the tag at hand, under a key and flags of its own. */
  insertWithFlags(name: number, flags: number, key: number): number {
    const { columns, open, names } = this;
    if ((flags & BREAK) !== 0) open.wordEnded = true;
    if (this.fostering && (open.currentFlags & TABLE_PART) !== 0) columns.fosteredCount++;
    const node = columns.add(ELEMENT, name, open.node(open.holder), this.tokenStart, this.tokenEnd);
    if ((TAG_FLAGS[name] & LINK) !== 0 && this.hrefStart >= 0) {
      columns.addLink(node, this.hrefStart, this.hrefEnd);
    }
    const low = names.low[name];
    const high = names.high[name];
    open.push(
      node,
      key,
      flags,
      (low + this.attributesLow) | 0,
      (high + this.attributesHigh) | 0,
      (low + this.attributeNamesLow) | 0,
      (high + this.attributeNamesHigh) | 0,
    );
    return node;
  }

  /** Adds an element without content for the start tag at hand. */
  insertVoid(): void {
    this.insertElement();
    this.open.pop(this.tokenEnd);
  }

  /** Opens an element whose content is text up to its end tag. */
  insertRaw(): void {
    this.insertElement();
    this.rawTag = this.tag;
  }

  /** Opens an element no start tag stands for, at offset `at`. */
  insertImplied(tag: number, at: number): number {
    const { columns, open, names } = this;
    const flags = TAG_FLAGS[tag];
    if ((flags & BREAK) !== 0) open.wordEnded = true;
    if (this.fostering && (open.currentFlags & TABLE_PART) !== 0) columns.fosteredCount++;
    const node = columns.add(ELEMENT, tag, open.node(open.holder), at, at);
    const low = names.low[tag];
    const high = names.high[tag];
    open.push(node, tag, flags, low, high, low, high);
    return node;
  }

  /** Adds a text with its hash; its collapsed bytes are appended to the page's text by the caller. */
  insertText(start: number, end: number, low: number, high: number): void {
    const { columns, open } = this;
    const holder = open.holder;
    columns.addLeaf(TEXT, open.node(holder), start, end, low, high, TEXT_SHAPE_LOW, TEXT_SHAPE_HIGH);
    open.fold(holder, low, high, TEXT_SHAPE_LOW, TEXT_SHAPE_HIGH);
  }

  /** Adds a comment or declaration. It does not count in its parent's hashes: build times stand in comments. */
  insertComment(kind: number, start: number, end: number, low: number, high: number): void {
    const { columns, open } = this;
    let holder = open.holder;
    // after the end tags of head, body and html it belongs outside, unless more content follows
    if (this.mode === AFTER_HEAD || this.mode === AFTER_BODY) {
      if (this.lateComment < 0) this.lateComment = columns.nodeCount;
      holder = 1;
    } else if (this.mode === AFTER_AFTER_BODY || this.mode === AFTER_AFTER_FRAMESET) {
      if (this.lateComment < 0) this.lateComment = columns.nodeCount;
      if (this.lastComment < 0) this.lastComment = columns.nodeCount;
      holder = 0;
    }
    const shape = kind === COMMENT ? 1 : 2;
    columns.addLeaf(kind, open.node(holder), start, end, low, high, shape, shape);
  }

  /** Content goes on after an end tag of head, body or html: comments since then are inside after all. */
  adoptLateComments(): void {
    if (this.lateComment >= 0) {
      const holder = this.open.node(this.open.holder);
      this.columns.parent.fill(holder, this.lateComment, this.columns.nodeCount);
    }
    this.lateComment = -1;
    this.lastComment = -1;
  }

  /**
   * Opens the body again for content after its end tag. Call this before the content closes or adds an element: the
   * comments since the end tag move into the current one.
   */
  resumeBody(): void {
    if (this.mode !== AFTER_BODY && this.mode !== AFTER_AFTER_BODY) return;
    this.adoptLateComments();
    this.bodyEnd = -1;
    this.htmlEnd = -1;
    this.mode = IN_BODY;
  }

  /** Closes elements whose end tag may be left out; `except` stays. */
  generateImpliedEndTags(except = 0): void {
    const { open } = this;
    while ((open.currentFlags & IMPLIED_END) !== 0 && open.currentKey !== except) open.pop(this.tokenStart);
  }

  /** Closes the elements up to the innermost one of a tag, which the end tag at hand belongs to. */
  closeByEndTag(tag: number): void {
    this.open.popThrough(this.open.innermost[tag], this.tokenStart, this.tokenEnd);
  }

  /** Closes the elements up to the innermost one of a tag, whose end tag is implied. */
  closeByImplication(tag: number): void {
    this.open.popThrough(this.open.innermost[tag], this.tokenStart, this.tokenStart);
  }

  /** Closes an open p, when there is one to close: nothing of the kind holds another block. */
  closeParagraph(): void {
    if (this.open.innermost[TAG.p] < 0 || !this.open.inButtonScope(TAG.p)) return;
    this.closeByImplication(TAG.p);
  }

  /** The mode that fits the open elements, after a table, select or template has closed. */
  resetMode(): void {
    const { open } = this;
    let index = 0;
    for (const tag of TAGS_WITH_MODE) index = Math.max(index, open.innermost[tag]);
    this.mode = this.#modeInside(open.key(index), index);
  }

  #modeInside(key: number, index: number): number {
    switch (key) {
      case TAG.td:
      case TAG.th:
        return IN_CELL;
      case TAG.tr:
        return IN_ROW;
      case TAG.tbody:
      case TAG.thead:
      case TAG.tfoot:
        return IN_TABLE_BODY;
      case TAG.table:
        return IN_TABLE;
      case TAG.caption:
        return IN_CAPTION;
      case TAG.colgroup:
        return IN_COLUMN_GROUP;
      case TAG.select: {
        const table = this.open.innermost[TAG.table];
        const inTable = table >= 0 && table < index && table > this.open.innermost[TAG.template];
        return inTable ? IN_SELECT_IN_TABLE : IN_SELECT;
      }
      case TAG.template:
        return this.templateModes[this.templateModes.length - 1];
      case TAG.head:
        return IN_HEAD;
      case TAG.frameset:
        return IN_FRAMESET;
      case TAG.html:
        return this.hasHead ? AFTER_HEAD : BEFORE_HEAD;
      default:
        return IN_BODY;
    }
  }

  /** Appends the element just opened to the list of active formatting elements. */
  appendFormatting(): void {
    const { formatting, open } = this;
    const index = open.depth - 1;
    const hash = index * ENTRY_SIZE + TAG_HASH;
    const low = open.entries[hash];
    const high = open.entries[hash + 1];
    const surplus = formatting.findSurplus(this.tag, low, high);
    if (surplus >= 0) this.removeFormatting(surplus);
    const at = formatting.length;
    formatting.open(at);
    formatting.tag[at] = this.tag;
    formatting.index[at] = index;
    formatting.contentLow[at] = low;
    formatting.contentHigh[at] = high;
    formatting.shapeLow[at] = open.entries[hash + 2];
    formatting.shapeHigh[at] = open.entries[hash + 3];
    open.setFormattingEntry(index, at);
  }

  /** Removes an entry from the list of active formatting elements; its element stays as it is. */
  removeFormatting(entry: number): void {
    const { formatting, open } = this;
    if (formatting.index[entry] > 0) open.setFormattingEntry(formatting.index[entry], -1);
    formatting.remove(entry);
    this.renumberFormatting(entry);
  }

  /** Tells open elements their entry in the list, from `from` on. */
  renumberFormatting(from: number): void {
    const { formatting, open } = this;
    for (let i = from; i < formatting.length; i++) {
      if (formatting.tag[i] !== 0 && formatting.index[i] >= 0)
        open.setFormattingEntry(formatting.index[i], i);
    }
  }

  /** Opens formatting elements again that a block closed before their end tag came. */
  reopenFormatting(at: number): void {
    const { formatting } = this;
    if (!formatting.needsOpening) return;
    let first = formatting.length - 1;
    while (first > 0 && formatting.index[first - 1] < 0) first--;
    for (let entry = first; entry < formatting.length; entry++) {
      if (this.clonesLeft-- <= 0) {
        formatting.clearToMarker();
        return;
      }
      this.openClone(entry, at);
    }
  }

  /** Opens the clone of an entry of the list of active formatting elements, and makes it the entry's element. */
  openClone(entry: number, at: number): void {
    const { columns, formatting, open } = this;
    const tag = formatting.tag[entry];
    if (this.fostering && (open.currentFlags & TABLE_PART) !== 0) columns.fosteredCount++;
    const node = columns.add(ELEMENT, tag, open.node(open.holder), at, at);
    open.push(
      node,
      tag,
      TAG_FLAGS[tag],
      formatting.contentLow[entry],
      formatting.contentHigh[entry],
      formatting.shapeLow[entry],
      formatting.shapeHigh[entry],
    );
    open.setFormattingEntry(open.depth - 1, entry);
    formatting.index[entry] = open.depth - 1;
  }

  /** Whether the current node is of SVG or MathML. */
  get inForeign(): boolean {
    return (this.open.currentFlags & FOREIGN) !== 0;
  }
}
