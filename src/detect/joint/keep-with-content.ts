/**
 * Keeps what belongs to kept text, whatever its own score: the label before a value and the value after a label, the
 * heading above a text, the rest of a list, a line between two lines of one paragraph, a text of this page alone that its
 * other captures have. Sites repeat these texts, so that
 * a score by block cannot tell them from a template, and a reader misses them: a date without its label, parameters
 * without their heading, clause (i) without (ii).
 *
 * Only blocks beside kept ones are added, and nothing is cut. Linear in the blocks.
 */
import * as layout from '../../kernel/block-layout.ts';
import { TAG } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import { BY_SCORE, KEPT_WITH_CONTENT, type KeptBlocks } from './block-verdict.ts';
import { textId } from './capture-texts.ts';
import { FEATURE } from './feature-names.ts';
import { isConstant, isSlotKnown } from './slot-variation.ts';

/** A label has at most so many words, a value at most so many. */
const LABEL_WORDS = 4;
const VALUE_WORDS = 12;
/** Places of one slot on a page that are a list, and the share of links in one. */
const ALONE_PER_PAGE = 1.5;
const VALUE_LINKS = 0.7;
/** Mean score of a slot that is kept on every page, however common one of its values is. */
const SLOT_SCORE = 0.2;
/** A heading with a higher score is kept also where the text below is in another part of the page. */
const HEADING_SCORE = 0.2;
/** Share of a page's kept words in the element that counts as its content. */
const CONTENT_SHARE = 0.8;
/** Share of a list's words that must be kept for the rest to stay, and share of its words that links may have. */
const LIST_SHARE = 0.3;
const LIST_LINKS = 0.15;
/** Other pages that must be known before a text that none of them has is the page's own, and the share of links in it. */
const TELLING_PAGES = 5;
const OWN_LINKS = 0.3;

export class ContentKeeper {
  readonly #tree: Tree;
  // columns of the tree are looked up once
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
   * Keeps a value inside the element with the page's content when its slot varies over the pages, whatever the frequency
   * of this value.
   */
  keepValues(): void {
    const content = this.#contentElement();
    if (content < 0) return;
    for (let block = 0; block < this.#count; block++) {
      if (this.#kept[block] === 1 || this.#reasons[block] !== BY_SCORE) continue;
      if (!this.#isInside(block, content) || !this.#varies(block)) continue;
      if (this.#record(block, layout.BLOCK_WORD_COUNT) > VALUE_WORDS) continue;
      if (this.#isAfterLabel(block) || (this.#isAlone(block) && this.#isValue(block))) this.#keep(block);
    }
  }

  /** Blocks inside the element with the page's content that no other page of the site has and no link makes up. */
  ownBlocks(): number[] {
    const content = this.#contentElement();
    const own: number[] = [];
    for (let block = 0; content >= 0 && block < this.#count; block++) {
      if (this.#kept[block] === 1 || this.#reasons[block] !== BY_SCORE) continue;
      if (this.#feature(block, 'samePages') !== 0 || this.#feature(block, 'sitePages') < TELLING_PAGES)
        continue;
      if (this.#feature(block, 'linkShare') < OWN_LINKS && this.#isInside(block, content)) own.push(block);
    }
    return own;
  }

  /** Keeps those of some blocks whose text all captures of the page have. */
  keepLasting(blocks: readonly number[], captures: readonly ReadonlySet<string>[]): void {
    if (captures.length === 0) return;
    for (const block of blocks) {
      const text = textId(this.#records, block);
      if (captures.every((texts) => texts.has(text))) this.#keep(block);
    }
  }

  /** Keeps a label right before a kept text. */
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

  /** Keeps a heading right above kept text, and the heading above that one. */
  keepHeadings(): void {
    for (let block = this.#count - 2; block >= 0; block--) {
      if (this.#kept[block] === 1 || this.#kept[block + 1] === 0) continue;
      if (this.#record(block, layout.BLOCK_HEADING) === 0) continue;
      const isLikely = this.#reasons[block] === BY_SCORE && this.#scores[block] > HEADING_SCORE;
      if (isLikely || this.#isAbove(block)) this.#keep(block);
    }
  }

  /** Keeps the rest of a list of which most is kept. */
  keepLists(): void {
    const isMostlyKept = new Map<number, boolean>();
    for (let block = 0; block < this.#count; block++) {
      if (this.#kept[block] === 1 || this.#reasons[block] !== BY_SCORE) continue;
      const list = this.#listAround(block);
      if (list < 0) continue;
      let keeps = isMostlyKept.get(list);
      if (keeps === undefined) isMostlyKept.set(list, (keeps = this.#keepsMostOf(list, block)));
      if (keeps) this.#keep(block);
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
    // elements that hold nothing after it, such as the header around a heading
    while (node > 0 && last[parent[node]] === last[node]) node = parent[node];
    return this.#isInside(block + 1, parent[node]);
  }

  #isAfterLabel(block: number): boolean {
    return block > 0 && this.#isLabel(block - 1);
  }

  /** Whether a slot is not one of a list. */
  #isAlone(block: number): boolean {
    return (
      this.#feature(block, 'slotPerPage') <= ALONE_PER_PAGE &&
      this.#feature(block, 'linkShare') <= VALUE_LINKS
    );
  }

  /** A price, a text with a label of its own, or one whose slot has content on other pages. */
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

  /** A short text that announces the next one: `th`, `dt`, or with a colon at its end. */
  #isLabel(block: number): boolean {
    const words = this.#record(block, layout.BLOCK_WORD_COUNT);
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
    const text = source.subarray(start[first], Math.min(end[first], start[first] + MOST_LABEL_BYTES));
    const colon = text.indexOf(COLON);
    // a time is no label
    return colon > 1 && !isDigit(text[colon - 1]);
  }

  /** The smallest element with most of the kept words; -1 when nothing is kept. */
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
    // the blocks of an element follow each other
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

  /** The outermost list around a block; -1 for none. */
  #listAround(block: number): number {
    const parent = this.#parent;
    const name = this.#name;
    let list = -1;
    for (let node = this.#record(block, layout.BLOCK_CONTAINER); node > 0; node = parent[node]) {
      if (name[node] === TAG.ol || name[node] === TAG.ul) list = node;
      else if (name[node] !== TAG.li && list >= 0) break;
    }
    return list;
  }

  /** Whether most of a list is kept; `inside` is a block of it. */
  #keepsMostOf(list: number, inside: number): boolean {
    let kept = 0;
    let all = 0;
    let links = 0;
    let block = inside;
    while (block > 0 && this.#isInside(block - 1, list)) block--;
    for (; block < this.#count && this.#isInside(block, list); block++) {
      all += this.#record(block, layout.BLOCK_WORD_COUNT);
      links += this.#record(block, layout.BLOCK_LINK_WORDS);
      kept += this.#keptWords(block);
    }
    return kept >= LIST_SHARE * all && links <= LIST_LINKS * all;
  }
}

const MOST_LABEL_BYTES = 40;
const COLON = 0x3a;

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Whether a text ends in a colon, white space aside; also in the wide one of Chinese. */
function endsInColon({ source, start, end }: Tree, text: number): boolean {
  let last = end[text] - 1;
  while (last > start[text] && source[last] <= 0x20) last--;
  if (source[last] === COLON) return true;
  return source[last] === 0x9a && source[last - 1] === 0xbc && source[last - 2] === 0xef;
}
