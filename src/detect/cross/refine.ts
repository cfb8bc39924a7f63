/**
 * T007, our variant: the bit patterns with corrections where the thesis reports failures (its chapter 5).
 *
 * - A word that two pages share by chance ("the", "of") is not template, and a date in a copyright line is
 *   not content: inside a block, short stretches follow the words around them, as in jusText.
 * - A pattern outside all tables is read by its meaning: on a similar page is template; with the URL over
 *   time and on no similar page is content.
 * - A text in no other capture is a slot when it is among words that stay, or is short, or linked. It is new
 *   content (a comment, a paragraph) when it belongs to an element of many words that are all new.
 * - A block of several words that is on many pages of the site is template, even if neither neighbour has it.
 *   For a page without similar pages, this is the only rule.
 * - The remaining unsure texts are classified by a random forest, trained on equally many content and
 *   template stretches of this page, without hidden elements.
 */
import { HashCounter } from '../../analysis/hash-tables.ts';
import { sameBlock } from '../../analysis/page-blocks.ts';
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import type { Label } from '../../model/range.ts';
import { readAttribute } from '../../parse/attributes.ts';
import { TAG } from '../../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import { DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import type { CrossModel } from './cross-model.ts';
import type { TextStretch } from './cross-ranges.ts';
import { measureNodes, type TrainingOptions, voteForContent } from './reclassify.ts';

/** Minimum words of an element that no other capture has, for it to be new content instead of a slot. */
const NEW_WORDS = 12;
/** Share of linked text from which such an element is a slot anyway: an advertisement, a teaser. */
const LINKED_SHARE = 0.5;
/** Minimum words of a block that is template for being on many pages; tags and names are shared by chance. */
const FREQUENT_WORDS = 4;
/** Share of a block's words that must agree for the rest to follow. */
const MAJORITY = 0.5;
/**
 * Maximum words of a stretch that follows the words around it; more words in a row are not shared by chance.
 */
const CHANCE_WORDS = 5;

/** The page and evidence that `refineStretches` uses. */
export interface RefineContext {
  tree: Tree;
  placed: PlacedTokens;
  /** Bits of the arms that exist. */
  cross: number;
  training: TrainingOptions;
  /** Number of pages of the site with each subtree. */
  counts: SubtreeCounts;
}

/** Sets the label of every stretch. */
export function refineStretches(stretches: TextStretch[], context: RefineContext): void {
  const { tree, cross, counts } = context;
  const isNew = newNodes(stretches, context);
  const frequent = frequentNodes(context);
  const rare = rareTexts(stretches, context);
  for (const stretch of stretches) {
    const { node } = stretch;
    // a text on very few pages is on a neighbour by chance, for example on a listing of the same articles
    const bits = rare[node] === 1 ? stretch.bits & ~(UP | DOWN) : stretch.bits;
    if (frequent[node] > 0) {
      stretch.label = 'template';
      stretch.why = `on ${frequent[node]} of ${counts.pageCount} pages of the site`;
      stretch.share = frequent[node] / counts.pageCount;
      continue;
    }
    stretch.label = readBits(bits, cross, isNew[node] === 1);
    if (stretch.label === 'template' && bits === 0) stretch.why = 'changes with every capture';
  }
  smoothBlocks(tree, stretches);
  askForest(stretches, context);
}

/** Returns the label of a bit pattern, also for patterns outside all tables. */
function readBits(bits: number, cross: number, isNew: boolean): Label {
  if (bits & (UP | DOWN)) return 'template';
  const captures = cross & (PREVIOUS | NEXT);
  if (captures === 0 || (bits & captures) === captures || isNew) return 'content';
  return bits === 0 ? 'template' : 'unsure';
}

/** Makes short stretches follow the majority of their block, which is the text between two line breaks. */
function smoothBlocks(tree: Tree, stretches: TextStretch[]): void {
  for (let from = 0; from < stretches.length; ) {
    let to = from + 1;
    while (to < stretches.length && sameBlock(tree, stretches[to - 1].node, stretches[to].node)) to++;
    smoothBlock(stretches, from, to);
    from = to;
  }
}

function smoothBlock(stretches: TextStretch[], from: number, to: number): void {
  if (to - from < 2) return;
  const words: Record<Label, number> = { content: 0, template: 0, slot: 0, unsure: 0 };
  for (let i = from; i < to; i++) words[stretches[i].label] += stretches[i].words;
  const total = words.content + words.template + words.unsure;
  const label: Label = words.content >= words.template ? 'content' : 'template';
  if (words[label] <= MAJORITY * total) return;
  for (let i = from; i < to; i++) {
    const stretch = stretches[i];
    if (stretch.label === label || stretch.words > CHANCE_WORDS) continue;
    stretch.label = label;
    stretch.why = 'as the words around it';
  }
}

function askForest(stretches: TextStretch[], { tree, placed, training }: RefineContext): void {
  if (!stretches.some(({ label }) => label === 'unsure')) return;
  const hidden = hiddenNodes(tree);
  const votes = voteForContent(tree, placed, stretches, {
    ...training,
    layers: 2,
    balanced: true,
    unsureOnly: true,
    trains: ({ node }) => hidden[node] === 0,
  });
  for (let i = 0; i < stretches.length; i++) {
    if (stretches[i].label !== 'unsure') continue;
    // without a classifier, unsure text is kept
    stretches[i].label = votes === undefined || votes[i] >= 0.5 ? 'content' : 'template';
    stretches[i].why = 'looks like the templates of this page';
  }
}

/** Returns for each node the number of pages with the frequent subtree around it; 0 for nodes in none. */
function frequentNodes({ tree, placed, counts }: RefineContext): Uint16Array {
  const pages = new Uint16Array(tree.nodeCount);
  const { contentLow, contentHigh } = placed;
  for (let i = 0; i < placed.nodeCount; i++) {
    const node = placed.treeNode[i];
    if (pages[node] > 0 || placed.wordCount[i] < FREQUENT_WORDS) continue;
    const on = counts.frequentOn(contentLow[i], contentHigh[i]);
    if (on > 0) pages.fill(on, node, tree.last[node]);
  }
  return pages;
}

/** Returns 1 for texts that are a single stretch and occur on very few pages of the site. */
function rareTexts(stretches: readonly TextStretch[], { tree, counts }: RefineContext): Uint8Array {
  const marks = new Uint8Array(tree.nodeCount);
  for (let i = 0; i < stretches.length; i++) {
    const { node } = stretches[i];
    if (stretches[i - 1]?.node === node || stretches[i + 1]?.node === node) continue;
    if (counts.isRare(tree.contentLow[node], tree.contentHigh[node])) marks[node] = 1;
  }
  return marks;
}

/**
 * Returns 1 for nodes inside an element with many words, few of them linked, and none of them on a similar
 * page or in all other captures.
 */
function newNodes(stretches: readonly TextStretch[], { tree, placed, cross }: RefineContext): Uint8Array {
  const { nodeCount, kind, name, parent, last } = tree;
  const captures = cross & (PREVIOUS | NEXT);
  const marks = new Uint8Array(nodeCount);
  if (captures === 0) return marks;
  const newWords = new Int32Array(nodeCount);
  for (const { node, bits, words } of stretches) {
    if ((bits & (UP | DOWN)) === 0 && (bits & captures) !== captures) newWords[node] += words;
  }
  const { words, textBytes, linkBytes } = measureNodes(tree, placed);
  for (let node = nodeCount - 1; node > 0; node--) newWords[parent[node]] += newWords[node];
  for (let node = 1; node < nodeCount; node++) {
    if (kind[node] === ELEMENT && name[node] === TAG.a) {
      // text inside a link is linked although it contains no link
      node = last[node] - 1;
      continue;
    }
    if (marks[node] === 1 || newWords[node] < NEW_WORDS || newWords[node] < words[node]) continue;
    if (linkBytes[node] <= LINKED_SHARE * textBytes[node]) marks.fill(1, node, last[node]);
  }
  return marks;
}

/** Matches a `style` attribute that hides its element. */
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?(?:;|$)/i;

/**
 * Returns 1 for every node that is hidden or inside a hidden element, as far as attributes say: `hidden`,
 * `aria-hidden="true"`, `style` with `display: none` or `visibility: hidden`. Style sheets are not read.
 */
export function hiddenNodes(tree: Tree): Uint8Array {
  const { nodeCount, kind, last } = tree;
  const marks = new Uint8Array(nodeCount);
  for (let node = 1; node < nodeCount; node++) {
    if (marks[node] === 1 || kind[node] !== ELEMENT || tree.openEnd[node] - tree.start[node] < MIN_TAG_BYTES)
      continue;
    if (isHiddenElement(tree, node)) marks.fill(1, node, last[node]);
  }
  return marks;
}

/** Bytes of `<p hidden>`, the shortest start tag that can hide an element. */
const MIN_TAG_BYTES = 10;

function isHiddenElement(tree: Tree, node: number): boolean {
  if (readAttribute(tree, node, 'hidden') !== undefined) return true;
  if (readAttribute(tree, node, 'aria-hidden')?.trim().toLowerCase() === 'true') return true;
  const style = readAttribute(tree, node, 'style');
  return style !== undefined && HIDING_STYLE.test(style);
}

/** Counts on how many pages of a model each subtree occurs, once per model at first use. */

/** Minimum share of the pages, and minimum number of pages, of a frequent subtree. */
const FREQUENT_SHARE = 0.1;
const FREQUENT_PAGES = 4;

/** Maximum share and number of pages of a rare subtree, which is on a neighbour by chance. */
const RARE_SHARE = 0.05;
const RARE_PAGES = 3;
/** Minimum number of pages in a model for rarity to be meaningful. */
const ENOUGH_PAGES = 20;

/** Frequencies of the subtrees of a site. */
export interface SubtreeCounts {
  /** Number of counted pages. */
  pageCount: number;
  /** Number of pages with a frequent subtree, by its content hash; 0 when it is not frequent. */
  frequentOn(low: number, high: number): number;
  isRare(low: number, high: number): boolean;
}

const known = new WeakMap<CrossModel, SubtreeCounts>();

/** Returns the subtree frequencies of a model, computed at the first call. */
export function subtreeCounts(model: CrossModel): SubtreeCounts {
  let found = known.get(model);
  if (!found) known.set(model, (found = countSubtrees(model)));
  return found;
}

function countSubtrees(model: CrossModel): SubtreeCounts {
  // captures of one page count as one page, so they are counted one after another
  const pages = model.pages.toSorted((a, b) => a.number - b.number);
  const pageCount = new Set(pages.map(({ number }) => number)).size;
  const rare = pageCount < ENOUGH_PAGES ? 0 : Math.max(RARE_PAGES, RARE_SHARE * pageCount);
  const least = Math.max(FREQUENT_PAGES, Math.ceil(FREQUENT_SHARE * pageCount));
  const counter = new HashCounter();
  for (const { number, contentLow, contentHigh, wordCount } of pages) {
    for (let i = 0; i < contentLow.length; i++) {
      if (wordCount[i] > 0) counter.add(contentLow[i], contentHigh[i], number);
    }
  }
  return {
    pageCount,
    frequentOn: (low, high) => {
      const on = counter.pagesOf(low, high);
      return on >= least ? on : 0;
    },
    isRare: (low, high) => counter.pagesOf(low, high) < rare,
  };
}
