/**
 * Finds what readers wrote below a text: comments, reviews. It is not template, because it is unique to its
 * page, so the classifier takes it for content, and its text alone does not show the difference. Its shape
 * does: siblings of some words each, each with a line that is mostly digits (the date), most of them with
 * prose, below a text that is not shorter than any of them, and little prose after them. The posts of a forum
 * start at the top of the page, so they do not match.
 *
 * A list of things in an article can have that shape, too. So the names of the siblings or of their parent
 * must be known for it. These names are learnt from the training sites by this rule without names.
 *
 * It takes four passes over the rows; names are read only where the shape matches.
 */
import type { Tree } from '../../parse/tree.ts';
import { FEATURE_COLUMN, type FeatureTable } from './feature-list.ts';
import { type Lexicon, NameWeights } from './lexicon.ts';
import { wordCountOf } from './sections.ts';

/** The columns of a table that the shape is read from. */
export type ReplyTable = Pick<FeatureTable, 'rowCount' | 'width' | 'parent' | 'values'>;

// sizes are logarithms of one more, like the features
const log = (words: number) => Math.log2(1 + words);
const MIN_WORDS = log(8);
const MAX_WORDS = log(700);
const PROSE_WORDS = log(12);
const MAX_LINKS = 0.5;
/**
 * Minimum number of siblings, and minimum share of them with prose; their minimum share of the words of their
 * parent.
 */
const MIN_ITEMS = 2;
const PROSE_ITEMS = 0.4;
const SHARE_OF_PARENT = 0.6;
/** Maximum words of a line with a date, its own and in total, and its minimum share of digits. */
const DATE_OWN_WORDS = log(14);
const DATE_WORDS = log(20);
const DATE_DIGITS = 0.2;
/**
 * Minimum words of prose above the list, also as a share of its longest sibling; maximum share of prose below
 * it.
 */
const MIN_ABOVE = 60;
const ABOVE_SHARE = 0.8;
const MAX_BELOW = 0.15;

/** Finds the replies of pages one after another, by shape and names. */
export class ReplyFinder {
  readonly #names: NameWeights;
  readonly #shape = new ReplyShape();

  /** `names`: words with a positive weight are names of replies. */
  constructor(names: Lexicon) {
    this.#names = new NameWeights(names);
  }

  /** Returns 1 for each row that is in replies; the next call overwrites the column. */
  find(tree: Tree, table: FeatureTable): Uint8Array {
    return this.#shape.find(table, (row) => this.#names.read(tree, table.node[row]).most > 0);
  }
}

/** Finds lists that have the shape of replies. */
export class ReplyShape {
  #marks = new Uint8Array(0);
  /** By row: whether its subtree has a date, and the number of rows in its subtree. */
  #dated = new Uint8Array(0);
  #rows = new Int32Array(0);
  /** By parent, of the siblings with the shape: their number, the first and last, the number with prose. */
  #items = new Int32Array(0);
  #first = new Int32Array(0);
  #last = new Int32Array(0);
  #withProse = new Int32Array(0);
  /** By parent: words of these siblings, and words of prose of the longest. */
  #words = new Float64Array(0);
  #longest = new Float64Array(0);

  /** Returns 1 for each row in such a list, if `isNamed` is true of a sibling or of the parent. */
  find(table: ReplyTable, isNamed: (row: number) => boolean): Uint8Array {
    const { rowCount, parent } = table;
    this.#reserve(rowCount);
    this.#findDates(table);
    this.#countItems(table);
    const marks = this.#marks;
    const first = this.#first;
    for (let row = 0; row < rowCount; row++) {
      if (this.#items[row] === 0 || !this.#isList(table, row) || !this.#isKnown(table, row, isNamed)) {
        first[row] = rowCount;
      }
    }
    // a list extends from its first sibling to the end of its parent
    marks[0] = 0;
    for (let row = 1; row < rowCount; row++) {
      marks[row] = marks[parent[row]] === 1 || row >= first[parent[row]] ? 1 : 0;
    }
    return marks;
  }

  #findDates({ rowCount, width, parent, values }: ReplyTable): void {
    const { ownWords, words, digits } = FEATURE_COLUMN;
    const dated = this.#dated.fill(0, 0, rowCount);
    const rows = this.#rows.fill(1, 0, rowCount);
    for (let row = rowCount - 1; row > 0; row--) {
      const o = row * width;
      const own = values[o + ownWords];
      if (own >= 1 && own <= DATE_OWN_WORDS && values[o + digits] > DATE_DIGITS) {
        if (values[o + words] <= DATE_WORDS) dated[row] = 1;
      }
      if (dated[row] === 1) dated[parent[row]] = 1;
      rows[parent[row]] += rows[row];
    }
  }

  /** Counts the siblings with the shape by their parent. */
  #countItems({ rowCount, width, parent, values }: ReplyTable): void {
    const { words, anchorShare, proseWords } = FEATURE_COLUMN;
    const items = this.#items.fill(0, 0, rowCount);
    this.#withProse.fill(0, 0, rowCount);
    this.#words.fill(0, 0, rowCount);
    this.#longest.fill(0, 0, rowCount);
    for (let row = 1; row < rowCount; row++) {
      if (this.#dated[row] === 0 || this.#rows[row] < 2) continue;
      const o = row * width;
      if (values[o + words] < MIN_WORDS || values[o + words] > MAX_WORDS) continue;
      if (values[o + anchorShare] >= MAX_LINKS) continue;
      const above = parent[row];
      if (items[above]++ === 0) this.#first[above] = row;
      this.#last[above] = row;
      this.#words[above] += wordCountOf(values[o + words]);
      if (values[o + proseWords] >= PROSE_WORDS) this.#withProse[above]++;
      this.#longest[above] = Math.max(this.#longest[above], wordCountOf(values[o + proseWords]));
    }
  }

  #isList({ width, values }: ReplyTable, row: number): boolean {
    const { words, ownWords, proseWords, proseBefore, proseAfter } = FEATURE_COLUMN;
    const items = this.#items[row];
    if (items < MIN_ITEMS || this.#withProse[row] < Math.max(MIN_ITEMS, items * PROSE_ITEMS)) return false;
    const o = row * width;
    const inside = wordCountOf(values[o + words]) - wordCountOf(values[o + ownWords]);
    if (this.#words[row] < SHARE_OF_PARENT * inside) return false;
    const above = values[this.#first[row] * width + proseBefore] * wordCountOf(values[proseWords]);
    if (above < MIN_ABOVE || above < ABOVE_SHARE * this.#longest[row]) return false;
    return values[this.#last[row] * width + proseAfter] <= MAX_BELOW;
  }

  #isKnown({ parent }: ReplyTable, row: number, isNamed: (row: number) => boolean): boolean {
    if (isNamed(row)) return true;
    for (let item = this.#first[row]; item <= this.#last[row]; item++) {
      if (parent[item] === row && isNamed(item)) return true;
    }
    return false;
  }

  #reserve(rowCount: number): void {
    if (this.#marks.length >= rowCount) return;
    const size = rowCount * 2;
    this.#marks = new Uint8Array(size);
    this.#dated = new Uint8Array(size);
    this.#rows = new Int32Array(size);
    this.#items = new Int32Array(size);
    this.#first = new Int32Array(size);
    this.#last = new Int32Array(size);
    this.#withProse = new Int32Array(size);
    this.#words = new Float64Array(size);
    this.#longest = new Float64Array(size);
  }
}
