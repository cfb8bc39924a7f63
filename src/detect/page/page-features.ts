/**
 * The features of a page's judged nodes. The paper's (Chakrabarti, Kumar and Punera 2007, section 5.2) and those
 * that later work on content extraction has shown to matter: the neighbours, the order, the tags and names
 * around, punctuation, repetition. Nothing depends on the language of the page.
 *
 * Everything is a sum over a subtree, read off running totals, or handed down from parents to children: a few
 * walks over the nodes, then one over the rows; no recursion. A maker keeps its columns: the table it returns
 * holds until its next call.
 */
import { type Boxes, WINDOW_HEIGHT, WINDOW_WIDTH } from '../../layout/boxes.ts';
import type { ParsedPage } from '../detector.ts';
import { FEATURE_COLUMN, FEATURES, type FeatureTable } from './feature-list.ts';
import { JudgedNodes, type NodeChoice } from './judged-nodes.ts';
import { type Lexicon, NameWeights } from './lexicon.ts';
import { RowContext } from './row-context.ts';
import {
  BLOCKS,
  COMMAS,
  CONTROLS,
  DIGITS,
  HEADING_WORDS,
  IMAGES,
  LETTERS,
  LINK_WORDS,
  LINKS,
  MEASURES,
  PAGE_LINKS,
  PARAGRAPH_WORDS,
  SIGNS,
  SITE_LINKS,
  STOPS,
  TextMeasures,
  TITLE_WORDS,
  WORDS,
} from './text-measures.ts';

/** Nodes with less area are hidden in their parent: square pixels, as in the paper. */
export const HIDE_BELOW = 2000;

export interface FeatureOptions {
  /** Least area of a judged node in square pixels, from 0. @default 2000 */
  hideBelow?: number;
  /** What names of elements tell. @default nothing */
  lexicon?: Lexicon;
  /** Which nodes are judged. @default 'blocks' */
  nodes?: NodeChoice;
}

export class FeatureMaker {
  readonly #hideBelow: number;
  readonly #nodes: NodeChoice;
  readonly #measures = new TextMeasures();
  readonly #judged = new JudgedNodes();
  readonly #context: RowContext;
  #values = new Float32Array(0);

  constructor({ hideBelow = HIDE_BELOW, lexicon, nodes = 'blocks' }: FeatureOptions = {}) {
    this.#hideBelow = hideBelow;
    this.#nodes = nodes;
    this.#context = new RowContext(new NameWeights(lexicon));
  }

  make({ page, tree }: ParsedPage, boxes: Boxes): FeatureTable {
    const width = FEATURES.length;
    const judged = this.#judged;
    const measures = this.#measures;
    judged.choose(tree, boxes, this.#hideBelow, this.#nodes);
    measures.measure(tree, judged, page.url);
    this.#context.fill(tree, judged, measures);
    if (this.#values.length < judged.count * width) this.#values = new Float32Array(judged.count * width * 2);
    this.#write(tree, boxes);
    return {
      rowCount: judged.count,
      width,
      node: judged.node,
      parent: judged.parent,
      weight: judged.weight,
      area: judged.area,
      values: this.#values,
    };
  }

  #write(tree: ParsedPage['tree'], boxes: Boxes): void {
    const { last, start, end, textStart } = tree;
    const { count, node: rows, parent, area, left, top, right, bottom } = this.#judged;
    const values = this.#values;
    const context = this.#context;
    const { sums, proseWords, wordsBefore, proseBefore, longestBlock, titleBits, titleCount } =
      this.#measures;
    const pageWidth = Math.max(1, boxes.pageWidth || WINDOW_WIDTH);
    const pageHeight = Math.max(1, boxes.pageHeight || 1);
    const halfWidth = pageWidth / 2;
    const halfHeight = pageHeight / 2;
    const pageArea = pageWidth * pageHeight;
    const halfDiagonal = hypotenuse(pageWidth, pageHeight) / 2;
    const logPageArea = Math.log2(pageArea);
    const pageWords = sums[WORDS];
    const pagePlain = pageWords - sums[LINK_WORDS];
    const pageProse = proseWords[0];
    const pageAnchorShare = ratio(sums[LINK_WORDS], pageWords);
    const pageProseShare = ratio(pageProse, pageWords);
    const logPageWords = log(pageWords);
    const logPageHeight = log(pageHeight / WINDOW_HEIGHT);
    const { plainOf, anchorShareOf, wordsOf, proseOf, ownWords, previous, ownTags, tags } = context;
    const { depth, stepsToProse, sameShape, siblings, alikeWords } = context;
    const { ownName, highestName, lowestName, pathName, innerName } = context;
    const width = FEATURES.length;
    const {
      words: wordsAt,
      anchorShare: anchorShareAt,
      proseWords: proseWordsAt,
      area: areaAt,
    } = FEATURE_COLUMN;
    const { proseShare: proseShareAt, width: widthAt, parentProse: parentProseAt } = FEATURE_COLUMN;
    const {
      nextWords: nextWordsAt,
      nextAnchorShare: nextAnchorShareAt,
      nextProse: nextProseAt,
    } = FEATURE_COLUMN;
    let o = 0;

    for (let row = 0; row < count; row++) {
      const node = rows[row];
      const at = row * MEASURES;
      const words = wordsOf[row];
      const links = sums[at + LINKS];
      const letters = sums[at + LETTERS];
      const stops = sums[at + STOPS];
      const images = sums[at + IMAGES];
      const controls = sums[at + CONTROLS];
      const isShown = area[row] > 0;
      const boxLeft = left[node];
      const boxTop = top[node];
      const boxRight = right[node];
      const boxBottom = bottom[node];
      const x = (boxLeft + boxRight) / 2 - halfWidth;
      const y = (boxTop + boxBottom) / 2 - halfHeight;

      // the paper's
      values[o++] = isShown ? Math.min(1, Math.abs(x) / halfWidth) : 1;
      values[o++] = isShown ? Math.min(1, Math.abs(y) / halfHeight) : 1;
      values[o++] = isShown ? Math.min(1, hypotenuse(x, y) / halfDiagonal) : 1;
      values[o++] = clip(boxLeft / pageWidth);
      values[o++] = clip((pageWidth - boxRight) / pageWidth);
      values[o++] = clip(boxTop / pageHeight);
      values[o++] = clip((pageHeight - boxBottom) / pageHeight);
      values[o++] = Math.log2(Math.max(1, area[row])) - logPageArea;
      values[o++] = Math.min(2, ratio(links, words));
      values[o++] = anchorShareOf[row];
      values[o++] = log(ratio(sums[at + LINK_WORDS], links));
      values[o++] = ratio(sums[at + SITE_LINKS], links);
      values[o++] = ratio(textStart[last[node]] - textStart[node], end[node] - start[node]);
      values[o++] = ratio(bitCount(titleBits[row]), titleCount);
      values[o++] = ratio(sums[at + TITLE_WORDS], words);

      // size and place
      values[o++] = clip((boxRight - boxLeft) / pageWidth);
      values[o++] = log((boxBottom - boxTop) / WINDOW_HEIGHT);
      values[o++] = log(boxTop / WINDOW_HEIGHT);
      values[o++] = log((pageHeight - boxBottom) / WINDOW_HEIGHT);
      values[o++] = isShown ? 1 : 0;

      // text
      values[o++] = log(words);
      values[o++] = log(ownWords[row]);
      values[o++] = log(plainOf[row]);
      values[o++] = log(proseOf[row]);
      values[o++] = log(longestBlock[row]);
      values[o++] = log(ratio(words, sums[at + BLOCKS]));
      values[o++] = ratio(words, pageWords);
      values[o++] = ratio(plainOf[row], pagePlain);
      values[o++] = ratio(proseOf[row], pageProse);
      values[o++] = Math.min(1, ratio(sums[at + COMMAS], words));
      values[o++] = Math.min(1, ratio(stops, words));
      values[o++] = log(words / (stops + 1));
      values[o++] = ratio(sums[at + DIGITS], letters);
      values[o++] = Math.min(1, ratio(sums[at + SIGNS], words));
      values[o++] = Math.min(16, ratio(letters, words));
      values[o++] = ratio(sums[at + HEADING_WORDS], words);
      values[o++] = ratio(sums[at + PARAGRAPH_WORDS], words);
      values[o++] = ratio(images, images + words);
      values[o++] = ratio(controls, controls + words);
      values[o++] = ratio(sums[at + PAGE_LINKS], links);

      // order and depth
      values[o++] = ratio(wordsBefore[row], pageWords);
      values[o++] = ratio(proseBefore[row], pageProse);
      values[o++] = ratio(pageProse - (proseBefore[row] + proseWords[row]), pageProse);
      values[o++] = depth[row];
      values[o++] = stepsToProse[row];

      // the nodes around: what was written for the parent and the sibling before, which learns of this one
      const above = Math.max(0, parent[row]);
      const ofParent = above * width;
      values[o++] = values[ofParent + proseShareAt];
      values[o++] = anchorShareOf[above];
      values[o++] = ratio(words, wordsOf[above]);
      values[o++] = values[ofParent + widthAt];
      values[o++] = values[ofParent + wordsAt];
      const before = previous[row];
      if (before >= 0) {
        const ofPrevious = before * width;
        const own = row * width;
        values[o++] = values[ofPrevious + wordsAt];
        values[o++] = values[ofPrevious + anchorShareAt];
        values[o++] = values[ofPrevious + proseWordsAt];
        values[ofPrevious + nextWordsAt] = values[own + wordsAt];
        values[ofPrevious + nextAnchorShareAt] = values[own + anchorShareAt];
        values[ofPrevious + nextProseAt] = values[own + proseWordsAt];
      } else {
        values[o++] = -1;
        values[o++] = -1;
        values[o++] = -1;
      }
      values[o++] = -1;
      values[o++] = -1;
      values[o++] = -1;
      values[o++] = log(sameShape[row]);
      values[o++] = ratio(sameShape[row] + 1, siblings[row] + 1);
      values[o++] = log(siblings[row]);

      // tags
      o = writeTags(values, o, ownTags[row], tags[row]);

      // names
      values[o++] = ownName[row];
      values[o++] = highestName[row];
      values[o++] = lowestName[row];
      values[o++] = pathName[row];
      values[o++] = innerName[row];

      // the page
      values[o++] = logPageWords;
      values[o++] = pageAnchorShare;
      values[o++] = pageProseShare;
      values[o++] = logPageHeight;

      // added later
      values[o++] = values[ofParent + areaAt];
      values[o++] = ratio(alikeWords[row], pageWords);
      values[o++] = values[ofParent + parentProseAt];
      values[o++] = log(context.wordsBefore[row]);
      values[o++] = log(context.wordsAfter[row]);
    }
  }
}

/** Tags of the node itself that are features, then those of itself and above: bits of `row-context.ts`. */
const OWN_TAGS = 6;
const TAGS_ABOVE = 11;

function writeTags(values: Float32Array, offset: number, own: number, all: number): number {
  let o = offset;
  for (let bit = 0; bit < OWN_TAGS; bit++) values[o++] = (own >>> bit) & 1;
  for (let bit = 0; bit < TAGS_ABOVE; bit++) values[o++] = (all >>> (OWN_TAGS + bit)) & 1;
  return o;
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function clip(share: number): number {
  return share > 0 ? Math.min(1, share) : 0;
}

/** Logarithm of one more, of what is never negative; counts of words, in halves, are looked up. */
function log(value: number): number {
  const halves = 2 * value;
  if (halves >= 0 && halves < LOGARITHMS.length && (halves | 0) === halves) return LOGARITHMS[halves];
  return value > 0 ? Math.log2(1 + value) : 0;
}

const LOGARITHMS = Float64Array.from({ length: 2048 }, (_, halves) => Math.log2(1 + halves / 2));

/** `Math.hypot` of two, to the bit, in a fifth of its time: the larger side taken out before squaring. */
function hypotenuse(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const most = Math.max(a, b);
  if (most === 0) return 0;
  return Math.sqrt((a / most) ** 2 + (b / most) ** 2) * most;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
