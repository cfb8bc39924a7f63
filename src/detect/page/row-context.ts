/**
 * What stands around the judged nodes: parents, siblings, tags and names above them. Rows are in document
 * order, so what is handed down needs one walk forward and what is handed up one walk back.
 */

import { mix32 } from '../../analysis/byte-hash.ts';
import { reserveColumns } from '../../model/growing-array.ts';
import { FIRST_FOREIGN_TAG, tagsOf } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import type { JudgedNodes } from './judged-nodes.ts';
import type { NameWeights } from './lexicon.ts';
import { LINK_WORDS, MEASURES, type TextMeasures, WORDS } from './text-measures.ts';

/** Share of the page's prose that makes a node the main one. */
const MAIN_SHARE = 0.5;
const MAX_STEPS = 12;

// bits of tags: first those of a node itself, then those it hands down
const TAG_BITS = [
  'a',
  'h1 h2 h3 h4 h5 h6',
  'p blockquote pre',
  'li dt dd',
  'ul ol dl menu dir',
  'table tbody thead tfoot tr td th',
  'nav',
  'header',
  'footer',
  'aside',
  'main',
  'article',
  'form fieldset select button',
  'ul ol dl menu dir',
  'table',
  'figure',
  'h1 h2 h3 h4 h5 h6',
];
const bitsOfTag = new Int32Array(FIRST_FOREIGN_TAG);
for (const [bit, names] of TAG_BITS.entries()) for (const tag of tagsOf(names)) bitsOfTag[tag] |= 1 << bit;

export class RowContext {
  wordsOf = new Float32Array(0);
  plainOf = new Float32Array(0);
  proseOf = new Float32Array(0);
  anchorShareOf = new Float32Array(0);
  /** Words not in a row inside. */
  ownWords = new Float32Array(0);
  depth = new Float32Array(0);
  stepsToProse = new Float32Array(0);
  /** Rows of the siblings before and after; -1 for none. */
  previous = new Int32Array(0);
  next = new Int32Array(0);
  /** Other rows under the same parent, and those of the same shape. */
  siblings = new Int32Array(0);
  sameShape = new Int32Array(0);
  /** Words of the rows under the same parent that have its shape, its own included. */
  alikeWords = new Float32Array(0);
  /** Own words of the nearest row before and after it that has words of its own. */
  wordsBefore = new Float32Array(0);
  wordsAfter = new Float32Array(0);
  ownTags = new Int32Array(0);
  tags = new Int32Array(0);
  ownName = new Float32Array(0);
  highestName = new Float32Array(0);
  lowestName = new Float32Array(0);
  pathName = new Float32Array(0);
  innerName = new Float32Array(0);
  readonly #names: NameWeights;
  // scratch columns
  childCount = new Int32Array(0);
  lastChild = new Int32Array(0);
  /** Open-addressed counts of shapes under a parent: which row's, and how many. */
  #slotRow = new Int32Array(0);
  #slotCount = new Int32Array(0);
  #slotWords = new Float32Array(0);
  slotOf = new Int32Array(0);
  rowAfter = new Int32Array(0);

  constructor(names: NameWeights) {
    this.#names = names;
  }

  fill(tree: Tree, judged: JudgedNodes, measures: TextMeasures): void {
    this.#reserve(judged.count);
    this.#sumUp(judged, measures);
    this.#findSiblings(tree, judged);
    this.#findNearest(judged);
    this.#handDown(tree, judged, measures.proseWords[0]);
  }

  #sumUp({ count, parent }: JudgedNodes, { sums, proseWords }: TextMeasures): void {
    const { wordsOf, plainOf, proseOf, anchorShareOf, ownWords } = this;
    for (let row = 0; row < count; row++) {
      const all = sums[row * MEASURES + WORDS];
      const linked = sums[row * MEASURES + LINK_WORDS];
      wordsOf[row] = ownWords[row] = all;
      plainOf[row] = all - linked;
      proseOf[row] = proseWords[row];
      anchorShareOf[row] = all > 0 ? linked / all : 0;
    }
    for (let row = 1; row < count; row++) ownWords[parent[row]] -= wordsOf[row];
  }

  #findSiblings({ shapeLow, shapeHigh }: Tree, { count, node: rows, parent }: JudgedNodes): void {
    const { wordsOf, previous, next, siblings, sameShape, alikeWords } = this;
    const childCount = this.childCount.fill(0, 0, count);
    const lastChild = this.lastChild.fill(-1, 0, count);
    const slotRow = this.#slotRow;
    const slotCount = this.#slotCount;
    const slotWords = this.#slotWords;
    const slotOf = this.slotOf;
    let size = 16;
    while (size < count * 2) size *= 2;
    const mask = size - 1;
    slotRow.fill(-1, 0, size);
    previous[0] = next[0] = -1;
    for (let row = 1; row < count; row++) {
      const above = parent[row];
      next[row] = -1;
      previous[row] = lastChild[above];
      if (lastChild[above] >= 0) next[lastChild[above]] = row;
      lastChild[above] = row;
      childCount[above]++;

      // rows of one parent and one shape are counted in one slot
      const node = rows[row];
      let slot = mix32(shapeLow[node] ^ Math.imul(above, 0x9e3779b1)) & mask;
      for (; slotRow[slot] >= 0; slot = (slot + 1) & mask) {
        const other = rows[slotRow[slot]];
        const isSame = shapeLow[other] === shapeLow[node] && shapeHigh[other] === shapeHigh[node];
        if (isSame && parent[slotRow[slot]] === above) break;
      }
      if (slotRow[slot] < 0) {
        slotRow[slot] = row;
        slotCount[slot] = 0;
        slotWords[slot] = 0;
      }
      slotCount[slot]++;
      slotWords[slot] += wordsOf[row];
      slotOf[row] = slot;
    }
    siblings[0] = sameShape[0] = 0;
    alikeWords[0] = wordsOf[0];
    for (let row = 1; row < count; row++) {
      siblings[row] = childCount[parent[row]] - 1;
      sameShape[row] = slotCount[slotOf[row]] - 1;
      alikeWords[row] = slotWords[slotOf[row]];
    }
  }

  /** The nearest rows with words of their own that are not inside the row or around it. */
  #findNearest({ count, parent }: JudgedNodes): void {
    const { ownWords, wordsBefore, wordsAfter } = this;
    // the row after each one's subtree: that of its next sibling, or what comes after its parent
    const rowAfter = this.rowAfter;
    let latest = 0;
    for (let row = 0; row < count; row++) {
      wordsBefore[row] = latest;
      if (ownWords[row] > 0) latest = ownWords[row];
      rowAfter[row] = row === 0 ? count : this.next[row] >= 0 ? this.next[row] : rowAfter[parent[row]];
    }
    const nearest = this.childCount; // free by now: own words of the first row from each on that has any
    latest = 0;
    for (let row = count - 1; row >= 0; row--) {
      wordsAfter[row] = rowAfter[row] < count ? nearest[rowAfter[row]] : 0;
      if (ownWords[row] > 0) latest = ownWords[row];
      nearest[row] = latest;
    }
  }

  #handDown(
    { source, name, start, openEnd }: Tree,
    { count, node: rows, parent }: JudgedNodes,
    pageProse: number,
  ): void {
    const { depth, stepsToProse, proseOf, wordsOf, ownTags, tags } = this;
    const { ownName, highestName, lowestName, pathName, innerName } = this;
    const names = this.#names;
    const mainProse = pageProse * MAIN_SHARE;
    for (let row = 0; row < count; row++) {
      const node = rows[row];
      const above = parent[row];
      const own = name[node] < FIRST_FOREIGN_TAG ? bitsOfTag[name[node]] : 0;
      names.read(source, start[node], openEnd[node]);
      ownTags[row] = own;
      ownName[row] = names.sum;
      innerName[row] = 0;
      const isMain = pageProse > 0 && proseOf[row] >= mainProse;
      if (above < 0) {
        depth[row] = 0;
        tags[row] = own;
        highestName[row] = names.most;
        lowestName[row] = names.least;
        pathName[row] = names.sum;
        stepsToProse[row] = 0;
      } else {
        depth[row] = depth[above] + 1;
        tags[row] = own | tags[above];
        highestName[row] = Math.max(highestName[above], names.most);
        lowestName[row] = Math.min(lowestName[above], names.least);
        pathName[row] = pathName[above] + names.sum;
        stepsToProse[row] = isMain ? 0 : Math.min(MAX_STEPS, stepsToProse[above] + 1);
      }
    }
    // what the names inside say, each by the words it stands for
    for (let row = count - 1; row > 0; row--) {
      const above = parent[row];
      innerName[above] += innerName[row] + ownName[row] * wordsOf[row];
    }
    for (let row = 0; row < count; row++) if (wordsOf[row] > 0) innerName[row] /= wordsOf[row];
  }

  #reserve(rows: number): void {
    if (this.wordsOf.length >= rows) return;
    reserveColumns(this, rows);
    const slots = 4 * 2 ** Math.ceil(Math.log2(this.wordsOf.length));
    this.#slotRow = new Int32Array(slots);
    this.#slotCount = new Int32Array(slots);
    this.#slotWords = new Float32Array(slots);
  }
}
