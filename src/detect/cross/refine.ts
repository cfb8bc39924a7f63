/**
 * T007, ours: the bit patterns, mended where the thesis says they fail (its chapter 5).
 *
 * - A word that two pages share by chance ("the", "of") is not template, and a date in a copyright line is not
 *   content: inside a block, short stretches go with the words around them, in the manner of jusText.
 * - A pattern that is in no table is read from what it says: on a similar page means template; with the URL
 *   over time and on no similar page means content.
 * - A text that no other capture has is a slot when it stands among words that stay, or is short, or linked;
 *   it is new content (a comment, a paragraph) when it is part of an element of many words that is all new.
 * - A block of several words that stands on many pages of the site is template, though neither neighbour has
 *   it; a page that is like no other is judged by that alone.
 * - What is still unsure is asked of a random forest, trained on as many content as template stretches of
 *   this page, hidden elements left out.
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

/** Words of an element that no other capture has from which it is new content, not a slot. */
const NEW_WORDS = 12;
/** Share of an element's text in links from which it is a slot all the same: an advertisement, a teaser. */
const LINKED_SHARE = 0.5;
/** Words of a block that count as template for standing on many pages: tags and names are shared by chance. */
const FREQUENT_WORDS = 4;
/** Share of a block's words that must agree for the rest to follow. */
const MAJORITY = 0.5;
/** Longest stretch that follows the words around it; more words in a row do not come by chance. */
const CHANCE_WORDS = 5;

export interface RefineContext {
  tree: Tree;
  placed: PlacedTokens;
  /** Arms of the cross that are there. */
  cross: number;
  training: TrainingOptions;
  /** On how many pages of the site subtrees stand. */
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
    // a text that hardly any other page has stands on a neighbour by chance: a listing of the same articles
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

/** What the bits say, also where no table has them. */
function readBits(bits: number, cross: number, isNew: boolean): Label {
  if (bits & (UP | DOWN)) return 'template';
  const captures = cross & (PREVIOUS | NEXT);
  if (captures === 0 || (bits & captures) === captures || isNew) return 'content';
  return bits === 0 ? 'template' : 'unsure';
}

/** Short stretches follow the majority of their block; a block is what stands between two breaks of a line. */
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
    // nothing to learn from: what is unsure is kept
    stretches[i].label = votes === undefined || votes[i] >= 0.5 ? 'content' : 'template';
    stretches[i].why = 'looks like the templates of this page';
  }
}

/** Pages of the site that the frequent subtree around a node stands on; 0 for nodes in none. */
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

/** 1 for texts that are wholly one stretch and stand on hardly any page of the site. */
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
 * 1 for nodes inside an element of many words, few of them linked, none of which is on a similar page or in
 * all other captures.
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
      // what is inside a link is linked, though no link is inside it
      node = last[node] - 1;
      continue;
    }
    if (marks[node] === 1 || newWords[node] < NEW_WORDS || newWords[node] < words[node]) continue;
    if (linkBytes[node] <= LINKED_SHARE * textBytes[node]) marks.fill(1, node, last[node]);
  }
  return marks;
}

/**
 * Elements that a browser would not show, as far as their own attributes tell: `hidden`, `aria-hidden="true"`,
 * `style` with `display: none` or `visibility: hidden`. Style sheets are not read.
 */
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!important\s*)?(?:;|$)/i;

/** 1 for every node that is hidden or inside a hidden element. */
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

/** `<p hidden>` */
const MIN_TAG_BYTES = 10;

function isHiddenElement(tree: Tree, node: number): boolean {
  if (readAttribute(tree, node, 'hidden') !== undefined) return true;
  if (readAttribute(tree, node, 'aria-hidden')?.trim().toLowerCase() === 'true') return true;
  const style = readAttribute(tree, node, 'style');
  return style !== undefined && HIDING_STYLE.test(style);
}

/** On how many of the pages that a model keeps each subtree stands: counted once per model, at first use. */

/** Share of the pages kept, and number of them, that make a subtree frequent. */
const FREQUENT_SHARE = 0.1;
const FREQUENT_PAGES = 4;

/** … and that make it rare: on a neighbour by chance. */
const RARE_SHARE = 0.05;
const RARE_PAGES = 3;
/** Pages a model must keep for rare to mean anything. */
const ENOUGH_PAGES = 20;

export interface SubtreeCounts {
  /** Pages counted. */
  pageCount: number;
  /** Pages that a frequent subtree stands on; 0 when it is not frequent. */
  frequentOn(low: number, high: number): number;
  isRare(low: number, high: number): boolean;
}

const known = new WeakMap<CrossModel, SubtreeCounts>();

export function subtreeCounts(model: CrossModel): SubtreeCounts {
  let found = known.get(model);
  if (!found) known.set(model, (found = countSubtrees(model)));
  return found;
}

function countSubtrees(model: CrossModel): SubtreeCounts {
  // captures of one page are one page, and are counted one after the other
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
