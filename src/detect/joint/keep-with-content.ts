/**
 * Keeps blocks that belong to kept text, whatever their own score: the label before a value and the value after a
 * label, the heading above a text, the rest of a list, a line between two lines of one paragraph, a text of this page
 * alone that its other captures have. Sites repeat such texts, so that a score by block cannot separate them from a
 * template. Readers miss them: a date without its label, parameters without their heading, clause (i) without (ii).
 *
 * Only blocks beside kept ones are added; nothing is dropped. Linear in the blocks.
 */
import * as layout from '../../kernel/block-layout.ts';
import { TAG } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import { BY_SCORE, KEPT_WITH_CONTENT, type KeptBlocks } from './block-verdict.ts';
import { textId } from './capture-texts.ts';
import { FEATURE } from './feature-names.ts';
import { isConstant, isSlotKnown } from './slot-variation.ts';

/** Maximum words of a label, and of a value. */
const LABEL_WORDS = 4;
const VALUE_WORDS = 12;
/** Blocks of one slot per page from which the slot is a list, and the least link share of such a list. */
const ALONE_PER_PAGE = 1.5;
const VALUE_LINKS = 0.7;
/** Minimum mean score of a slot that is kept on every page, however common one of its values is. */
const SLOT_SCORE = 0.2;
/** A heading with a higher score is kept even if the text below is in another part of the page. */
const HEADING_SCORE = 0.2;
/** Minimum share of a page's kept words in the element that counts as the page's content. */
const CONTENT_SHARE = 0.8;
/**
 * Minimum number of other pages before a text that none of them has counts as the page's own, and its largest link
 * share.
 */
const TELLING_PAGES = 5;
const OWN_LINKS = 0.3;

/** Adds blocks beside kept ones to the verdict on one page, in place; each method is one rule. */
export class ContentKeeper {
  readonly #tree: Tree;
  // tree columns are getters: read them once
  readonly #parent: Tree['parent'];
  readonly #last: Tree['last'];
  readonly #name: Tree['name'];
  readonly #count: number;
  readonly #records: Int32Array;
  readonly #rows: Float32Array;
  readonly #kept: Uint8Array;
  readonly #reasons: Uint8Array;
  readonly #scores: Float64Array;

  constructor(tree: Tree, { blocks, scores, kept, reasons }: KeptBlocks) {
    this.#tree = tree;
    this.#parent = tree.parent;
    this.#last = tree.last;
    this.#name = tree.name;
    this.#count = blocks.count;
    this.#records = blocks.records;
    this.#rows = blocks.rows;
    this.#kept = kept;
    this.#reasons = reasons;
    this.#scores = scores;
  }

  /**
   * Keeps a value inside the page's content element if its slot varies over the pages, however frequent the value is.
   */
  keepValues(): void {
    const content = this.#contentElement();
    if (content < 0) return;
    for (let block = 0; block < this.#count; block++) {
      if (this.#kept[block] === 1 || this.#reasons[block] !== BY_SCORE) continue;
      if (!this.#isInside(block, content) || !this.#varies(block)) continue;
      if (this.#feature(block, 'words') > VALUE_WORDS) continue;
      if (this.#isAfterLabel(block) || (this.#isAlone(block) && this.#isValue(block))) this.#keep(block);
    }
  }

  /** Blocks inside the page's content element that no other page of the site has and that are not only links. */
  ownBlocks(): number[] {
    const content = this.#contentElement();
    const own: number[] = [];
    for (let block = 0; content >= 0 && block < this.#count; block++) {
      if (this.#kept[block] === 1 || this.#reasons[block] !== BY_SCORE) continue;
      if (this.#feature(block, 'textPages') !== 0 || this.#feature(block, 'sitePages') < TELLING_PAGES)
        continue;
      if (this.#feature(block, 'linkShare') < OWN_LINKS && this.#isInside(block, content)) own.push(block);
    }
    return own;
  }

  /** Keeps those of the given blocks whose text all captures of the page have. */
  keepLasting(blocks: readonly number[], captures: readonly ReadonlySet<string>[]): void {
    if (captures.length === 0) return;
    for (const block of blocks) {
      const text = textId(this.#records, block);
      if (captures.every((texts) => texts.has(text))) this.#keep(block);
    }
  }

  /** Keeps a label directly before a kept text. */
  keepLabels(): void {
    for (let block = this.#count - 2; block >= 0; block--) {
      if (
        this.#kept[block] === 0 &&
        this.#kept[block + 1] === 1 &&
        this.#isAbove(block) &&
        this.#isLabel(block)
      )
        this.#keep(block);
    }
  }

  /** Keeps a heading directly above kept text, and the heading above that one. */
  keepHeadings(): void {
    for (let block = this.#count - 2; block >= 0; block--) {
      if (this.#kept[block] === 1 || this.#kept[block + 1] === 0) continue;
      if (this.#record(block, layout.BLOCK_HEADING) === 0) continue;
      const isLikely = this.#reasons[block] === BY_SCORE && this.#scores[block] > HEADING_SCORE;
      if (isLikely || this.#isAbove(block)) this.#keep(block);
    }
  }

  /** Keeps a line between two kept lines of one paragraph. */
  keepLines(): void {
    for (let block = 1; block + 1 < this.#count; block++) {
      if (this.#kept[block] === 1 || this.#kept[block - 1] === 0 || this.#kept[block + 1] === 0) continue;
      const container = this.#record(block, layout.BLOCK_CONTAINER);
      const isInside =
        container === this.#record(block - 1, layout.BLOCK_CONTAINER) &&
        container === this.#record(block + 1, layout.BLOCK_CONTAINER);
      if (isInside && this.#reasons[block] === BY_SCORE) this.#keep(block);
    }
  }

  #keep(block: number): void {
    this.#kept[block] = 1;
    this.#reasons[block] = KEPT_WITH_CONTENT;
  }

  #record(block: number, field: number): number {
    return this.#records[block * layout.BLOCK_RECORD_WORDS + field];
  }

  #feature(block: number, name: keyof typeof FEATURE): number {
    return this.#rows[block * layout.ROW_FLOATS + FEATURE[name]];
  }

  /** Whether the next block is in the same part of the page. */
  #isAbove(block: number): boolean {
    const parent = this.#parent;
    const last = this.#last;
    let node = this.#record(block, layout.BLOCK_CONTAINER);
    // skip elements that hold nothing after the block, such as the header around a heading
    while (node > 0 && last[parent[node]] === last[node]) node = parent[node];
    return this.#isInside(block + 1, parent[node]);
  }

  #isAfterLabel(block: number): boolean {
    return block > 0 && this.#isLabel(block - 1);
  }

  /** Whether a slot is not part of a list. */
  #isAlone(block: number): boolean {
    return (
      this.#feature(block, 'slotPerPage') <= ALONE_PER_PAGE &&
      this.#feature(block, 'linkShare') <= VALUE_LINKS
    );
  }

  /** Whether a block is a price, has a label of its own, or has a slot with content on other pages. */
  #isValue(block: number): boolean {
    if (this.#feature(block, 'slotScore') >= SLOT_SCORE) return true;
    if ((this.#record(block, layout.BLOCK_FLAGS) & layout.BLOCK_PRICE) !== 0) return true;
    return this.#hasLabel(block);
  }

  /** Whether the text of a block's slot changes from page to page. */
  #varies(block: number): boolean {
    const row = block * layout.ROW_FLOATS;
    return isSlotKnown(this.#rows, row) && !isConstant(this.#rows, row);
  }

  /** Whether a short text announces the next one: `th`, `dt`, or a colon at its end. */
  #isLabel(block: number): boolean {
    const words = this.#feature(block, 'words');
    if (words > LABEL_WORDS || words === 0) return false;
    const tag = this.#name[this.#record(block, layout.BLOCK_CONTAINER)];
    return (
      tag === TAG.th || tag === TAG.dt || endsInColon(this.#tree, this.#record(block, layout.BLOCK_LAST_TEXT))
    );
  }

  /** Whether a block begins with a label of its own: `Price: $1.15`. */
  #hasLabel(block: number): boolean {
    const { source, start, end } = this.#tree;
    const first = this.#record(block, layout.BLOCK_FIRST_TEXT);
    const text = source.subarray(start[first], Math.min(end[first], start[first] + MAX_LABEL_BYTES));
    let colon = text.indexOf(COLON);
    if (colon < 0) colon = indexOfWideColon(text);
    // the colon of a time does not make a label
    return colon > 1 && !isDigit(text[colon - 1]);
  }

  /** The smallest element with most of the kept words; -1 if nothing is kept. */
  #contentElement(): number {
    const parent = this.#parent;
    let total = 0;
    let most = -1;
    let mostWords = 0;
    for (let block = 0; block < this.#count; block++) {
      if (this.#kept[block] === 0) continue;
      const words = this.#record(block, layout.BLOCK_WORD_COUNT);
      total += words;
      if (words <= mostWords) continue;
      most = block;
      mostWords = words;
    }
    if (most < 0) return -1;
    let element = this.#record(most, layout.BLOCK_CONTAINER);
    let words = mostWords;
    let first = most;
    let last = most;
    // the blocks of an element are consecutive
    while (true) {
      while (first > 0 && this.#isInside(first - 1, element)) words += this.#keptWords(--first);
      while (last + 1 < this.#count && this.#isInside(last + 1, element)) words += this.#keptWords(++last);
      if (element === 0 || words >= CONTENT_SHARE * total) return element;
      element = parent[element];
    }
  }

  #keptWords(block: number): number {
    return this.#kept[block] * this.#record(block, layout.BLOCK_WORD_COUNT);
  }

  #isInside(block: number, element: number): boolean {
    const first = this.#record(block, layout.BLOCK_FIRST_TEXT);
    return first >= element && first < this.#last[element];
  }
}

const MAX_LABEL_BYTES = 40;
const COLON = 0x3a;

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Byte offset of the full-width colon of Chinese; -1 for none. */
function indexOfWideColon(text: Uint8Array): number {
  let at = text.indexOf(0xef);
  while (at >= 0 && (text[at + 1] !== 0xbc || text[at + 2] !== 0x9a)) at = text.indexOf(0xef, at + 1);
  return at;
}

/** Whether a text ends in a colon (also the full-width one), ignoring white space. */
function endsInColon({ source, start, end }: Tree, text: number): boolean {
  let last = end[text] - 1;
  while (last > start[text] && source[last] <= 0x20) last--;
  if (source[last] === COLON) return true;
  return source[last] === 0x9a && source[last - 1] === 0xbc && source[last - 2] === 0xef;
}
