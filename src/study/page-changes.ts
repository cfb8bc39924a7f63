/**
 * What changed on a page since its last capture, block by block: a block of text was added, removed or
 * changed, and stands in a template or in content by the labels of the newer capture. Words are compared
 * by the diff that the cross uses (analysis/page-diff.ts), so that a word counts as new only when the older
 * capture has it nowhere in the order; a box that moved and a block that was only marked up anew are no
 * changes. Beside the changes there are sums by which a redesign shows: how many of the template's words are
 * new, and how similar the layouts are.
 *
 * A removed block has no label of its own: it takes that of the words around the place it is gone from.
 * Cost: two token diffs and a block diff; at most `MOST_CHANGES` changes, of bounded text, leave a page.
 */
import { LayoutSigner } from '../analysis/layout-signer.ts';
import { countEqual, DEFAULT_PERMUTATIONS } from '../analysis/minhash.ts';
import { PageBlockReader } from '../analysis/page-blocks.ts';
import { OccurrenceFinder } from '../analysis/page-diff.ts';
import { PageTokenReader, viewTokens } from '../analysis/page-tokens.ts';
import { BlockPairer } from '../analysis/pair-blocks.ts';
import type { ParsedPage } from '../detect/detector.ts';
import { isInTemplate, type Range } from '../model/range.ts';
import { TextCursor } from '../parse/text.ts';
import type { Tree } from '../parse/tree.ts';
import { ChangeDescriber, nodeOf, type PageChange, Places, type Side } from './describe-change.ts';

/** Changes of one page; what is beyond is summed up in one more, of kind `more`. */
export const MOST_CHANGES = 200;
/** Words of a block that are looked at to tell what it became. */
const LIKENESS_WORDS = 64;
/** Share of its words that a block must keep to be the same at another place. */
const LIKE_WORDS = 0.5;

/** What shows that a site was redesigned. */
export interface ChangeSums {
  /** Words of the newer capture by label (unsure ones are content), and those the older one does not have. */
  templateWords: number;
  newTemplateWords: number;
  contentWords: number;
  newContentWords: number;
  /** Estimated similarity of the layouts, as places of `SIMILARITY_PLACES` that agree. */
  layoutPlaces: number;
}

/** What a comparison of two captures found. */
export interface PageChanges extends ChangeSums {
  changes: PageChange[];
  /** Words of the older capture that the newer one does not have. */
  lostWords: number;
}

/** Places of the signatures that layouts are compared by. */
export const SIMILARITY_PLACES = DEFAULT_PERMUTATIONS;

/** Compares page after page; keeps its memory. */
export class PageChangeFinder {
  readonly #newTokens = new PageTokenReader();
  readonly #oldTokens = new PageTokenReader();
  readonly #newBlocks = new PageBlockReader();
  readonly #oldBlocks = new PageBlockReader();
  readonly #occurrences = new OccurrenceFinder();
  readonly #pairer = new BlockPairer();
  readonly #signer = new LayoutSigner({ permutations: SIMILARITY_PLACES });
  readonly #signatures = new Uint32Array(2 * SIMILARITY_PLACES);

  /** What changed from `previous` to `current`, whose labels are `ranges`. */
  find(current: ParsedPage, ranges: readonly Range[], previous: ParsedPage): PageChanges {
    const newPlaced = this.#newTokens.read(current.tree);
    const oldPlaced = this.#oldTokens.read(previous.tree);
    const newer: Side = {
      tree: current.tree,
      placed: newPlaced,
      blocks: this.#newBlocks.read(current.tree, newPlaced),
      occurs: new Uint8Array(newPlaced.tokenCount),
    };
    const older: Side = {
      tree: previous.tree,
      placed: oldPlaced,
      blocks: this.#oldBlocks.read(previous.tree, oldPlaced),
      occurs: new Uint8Array(oldPlaced.tokenCount),
    };
    this.#occurrences.find(newPlaced, viewTokens(oldPlaced), newer.occurs);
    this.#occurrences.find(oldPlaced, viewTokens(newPlaced), older.occurs);

    const inTemplate = templateTokens(newer, ranges);
    const found: PageChanges = {
      changes: [],
      ...countWords(newer, inTemplate),
      lostWords: countLost(older),
      layoutPlaces: this.#compareLayouts(current.tree, previous.tree),
    };
    const places = new Places(older.tree, newer.tree);
    const pairs = this.#pairer.pair(older.blocks, newer.blocks, likenessOf(older, newer, places));
    const describer = new ChangeDescriber(older, newer, inTemplate, places);
    for (const pair of pairs) {
      const newWords = unseenWords(newer, pair.new);
      const lostWords = unseenWords(older, pair.old);
      if (newWords + lostWords === 0) continue;
      if (found.changes.length < MOST_CHANGES) {
        found.changes.push(describer.describe(pair, newWords, lostWords));
      } else addToRest(found.changes, newWords, lostWords);
    }
    return found;
  }

  #compareLayouts(newer: Tree, older: Tree): number {
    this.#signer.sign(newer, 'paths', this.#signatures);
    this.#signer.sign(older, 'paths', this.#signatures, SIMILARITY_PLACES);
    return countEqual(this.#signatures, 0, SIMILARITY_PLACES, SIMILARITY_PLACES);
  }
}

/** By token: 1 when it is a word of a template. */
export function templateTokens(
  { tree, placed }: Pick<Side, 'tree' | 'placed'>,
  ranges: readonly Range[],
): Uint8Array {
  const { tokenCount, textStart, textEnd } = placed;
  const marks = new Uint8Array(tokenCount);
  const cursor = new TextCursor(tree);
  let token = 0;
  for (const { end, label } of ranges) {
    const textTo = cursor.positionOf(end);
    for (; token < tokenCount && textStart[token] < textTo; token++) {
      if (isInTemplate(label) && textEnd[token] > textStart[token]) marks[token] = 1;
    }
  }
  return marks;
}

/** Words by label, and those that the other capture does not have. */
export function countWords({ placed, occurs }: Pick<Side, 'placed' | 'occurs'>, inTemplate: Uint8Array) {
  const { tokenCount, textStart, textEnd } = placed;
  const sums = { templateWords: 0, newTemplateWords: 0, contentWords: 0, newContentWords: 0 };
  for (let token = 0; token < tokenCount; token++) {
    if (textStart[token] === textEnd[token]) continue;
    const isNew = occurs[token] === 0 ? 1 : 0;
    if (inTemplate[token] === 1) {
      sums.templateWords++;
      sums.newTemplateWords += isNew;
    } else {
      sums.contentWords++;
      sums.newContentWords += isNew;
    }
  }
  return sums;
}

function countLost({ placed, occurs }: Side): number {
  let lost = 0;
  for (let token = 0; token < placed.tokenCount; token++) {
    if (occurs[token] === 0 && placed.textEnd[token] > placed.textStart[token]) lost++;
  }
  return lost;
}

/** Words of a block that the other capture does not have; 0 for no block. */
function unseenWords({ placed, blocks, occurs }: Side, block: number): number {
  if (block < 0) return 0;
  let unseen = 0;
  for (let token = blocks.firstToken[block]; token <= blocks.lastToken[block]; token++) {
    if (occurs[token] === 0 && placed.textEnd[token] > placed.textStart[token]) unseen++;
  }
  return unseen;
}

function addToRest(changes: PageChange[], newWords: number, lostWords: number): void {
  const rest = changes[MOST_CHANGES];
  if (rest) {
    rest.newWords += newWords;
    rest.lostWords += lostWords;
    return;
  }
  const texts = { place: '', oldText: '', newText: '', oldKey: '', newKey: '' };
  changes.push({ kind: 'more', label: 'content', ...texts, words: newWords, newWords, lostWords });
}

/** Blocks at one place are the likelier to be one the more words they share; others must share most. */
function likenessOf(older: Side, newer: Side, places: Places) {
  const wordSets = new Map<number, Set<number>>();
  return (oldBlock: number, newBlock: number): number => {
    let words = wordSets.get(oldBlock);
    if (words === undefined) {
      words = new Set(firstWords(older, oldBlock));
      wordSets.set(oldBlock, words);
    }
    const own = firstWords(newer, newBlock);
    let shared = 0;
    for (const word of own) if (words.has(word)) shared++;
    const share = shared / Math.max(own.length, words.size);
    const samePlace = places.old(nodeOf(older, oldBlock)) === places.new(nodeOf(newer, newBlock));
    return samePlace ? 1 + share : share >= LIKE_WORDS ? share : 0;
  };
}

function firstWords({ placed, blocks }: Side, block: number): number[] {
  const words: number[] = [];
  const last = blocks.lastToken[block];
  for (let token = blocks.firstToken[block]; token <= last && words.length < LIKENESS_WORDS; token++) {
    if (placed.textEnd[token] > placed.textStart[token]) words.push(placed.tokens[token]);
  }
  return words;
}
