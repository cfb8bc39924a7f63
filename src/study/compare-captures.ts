/**
 * Compares a page with its previous capture. The result has sums that show a redesign (how many words of the
 * template are new, how similar the layouts are) and, when both captures have blocks, each single change.
 * `history` needs the sums, `chaff changes` needs both.
 *
 * Words are compared by the diff of analysis/page-diff.ts: a word is new only when the older capture does not
 * have it in that order, and a moved box is not a change. A block of text is added, removed or changed, and
 * its label is that of the newer capture; a block whose markup alone is new is not a change. A removed block
 * gets the label of the blocks around its former position.
 *
 * Cost: one token diff; for single changes a second one and a diff of blocks. Equal pages are not compared. A
 * page has at most `MAX_CHANGES` changes, each with bounded texts.
 */
import { hashId } from '../analysis/byte-hash.ts';
import { HashSet } from '../analysis/hash-tables.ts';
import { countEqual } from '../analysis/minhash.ts';
import { type BlockPair, BlockPairer } from '../analysis/page-blocks.ts';
import { CollapsedSequence, IS_TAG, OccurrenceFinder } from '../analysis/page-diff.ts';
import { isInTemplate, type Label, type Range } from '../model/range.ts';
import { TextCursor } from '../parse/source-map.ts';
import { lineOfText } from '../view/node-path.ts';
import {
  type CaptureBlocks,
  type ComparedCapture,
  isSamePage,
  type ReadCapture,
  SIGNATURE_COMPONENTS,
} from './capture.ts';

/** Maximum number of listed changes of a page; one more, of kind `more`, sums up the others. */
export const MAX_CHANGES = 200;
/** Maximum number of words of a block that are compared to find its counterpart. */
const LIKENESS_WORDS = 64;
/** Share of its words that a block under another path must keep to count as the same block. */
const LIKE_WORDS = 0.5;
/** Maximum length of a text, in characters. */
const TEXT_CHARACTERS = 160;

/** Sums over a page that show whether its site was redesigned. */
interface ChangeSums {
  /** Words of the newer capture by label (unsure counts as content), and those that the older one lacks. */
  templateWords: number;
  newTemplateWords: number;
  contentWords: number;
  newContentWords: number;
  /** Words of the older capture that the newer one lacks; 0 when only sums are requested. */
  lostWords: number;
  /** Number of layout signature components that agree, of `SIGNATURE_COMPONENTS`. */
  layoutComponents: number;
}

/** Sums of a page and its single changes. */
export interface PageChanges extends ChangeSums {
  /** Empty when the captures have no blocks. */
  changes: PageChange[];
}

/**
 * One change of a page: a block of text that was added, removed or changed, or the sum of all unlisted
 * changes.
 */
export interface PageChange {
  kind: 'added' | 'removed' | 'changed' | 'more';
  /** Label of the new words; for a removed block, of the blocks around it. */
  label: Label;
  /**
   * Path such as `html > body > div#footer > p` in the newer capture; in the older one for a removed block.
   */
  place: string;
  /** Beginnings of the old and new block, on one line each; empty when there is no such block. */
  oldText: string;
  newText: string;
  /** Hashes of the whole texts of the blocks; empty when there is no such block. */
  oldKey: string;
  newKey: string;
  /** Words of the newer block; of the older one when it was removed. */
  words: number;
  /** Words of the newer block that the older capture lacks, and the reverse. */
  newWords: number;
  lostWords: number;
}

/** One of the two captures while they are compared block by block. */
interface Side {
  flags: Uint8Array;
  tokens: Int32Array;
  blocks: CaptureBlocks;
  /** 1 for each token that the other capture has. */
  occurs: Uint8Array;
}

/** Compares pages one after another and reuses its memory. */
export class CaptureComparer {
  readonly #diff = new OccurrenceFinder();
  readonly #subtrees = new HashSet();
  readonly #newShort = new CollapsedSequence();
  readonly #oldShort = new CollapsedSequence();
  readonly #pairer = new BlockPairer();
  readonly #signatures = new Uint32Array(2 * SIGNATURE_COMPONENTS);

  /** Returns the changes from `older` to `newer`; `ranges` are the labels of `newer`. */
  compare(newer: ReadCapture, ranges: readonly Range[], older: ComparedCapture): PageChanges {
    const isSame = isSamePage(newer.tree, older);
    const newOccurs = new Uint8Array(newer.tokens.tokens.length);
    if (isSame) newOccurs.fill(1);
    else this.#findOccurrences(newer, older, newOccurs);
    const inTemplate = templateTokens(newer, ranges);
    const found: PageChanges = {
      changes: [],
      ...countWords(newer, newOccurs, inTemplate),
      lostWords: 0,
      layoutComponents: this.#compareLayouts(newer, older),
    };
    if (isSame || newer.blocks === undefined || older.blocks === undefined) return found;

    const oldOccurs = new Uint8Array(older.tokens.tokens.length);
    this.#match(this.#oldShort, this.#newShort, older.flags, oldOccurs);
    const { tokens } = older.tokens;
    const oldSide = { flags: older.flags, blocks: older.blocks, tokens, occurs: oldOccurs };
    const newSide = {
      flags: newer.flags,
      blocks: newer.blocks,
      tokens: newer.tokens.tokens,
      occurs: newOccurs,
    };
    found.lostWords = unseenWords(oldSide, 0, tokens.length - 1);
    this.#addChanges(found, oldSide, newSide, inTemplate);
    return found;
  }

  /**
   * Marks the tokens of `newer` that `older` has. Both are left as sequences in which equal subtrees are one
   * entry.
   */
  #findOccurrences(newer: ComparedCapture, older: ComparedCapture, occurs: Uint8Array): void {
    const subtrees = this.#subtrees;
    const fill = (
      out: CollapsedSequence,
      { tokens }: ComparedCapture,
      { tokens: other }: ComparedCapture,
    ): void => {
      subtrees.fill(other.contentLow, other.contentHigh, other.contentLow.length);
      out.fill(tokens, tokens.tokens.length, tokens.contentLow.length, subtrees);
    };
    fill(this.#newShort, newer, older);
    fill(this.#oldShort, older, newer);
    this.#match(this.#newShort, this.#oldShort, newer.flags, occurs);
  }

  #match(short: CollapsedSequence, other: CollapsedSequence, flags: Uint8Array, occurs: Uint8Array): void {
    for (let entry = 0; entry < short.count; entry++) short.flags[entry] = flags[short.from[entry]];
    const { occurs: found } = this.#diff.match(short, other);
    for (let entry = 0; entry < short.count; entry++) {
      if (found[entry] === 1) occurs.fill(1, short.from[entry], short.to[entry]);
    }
  }

  #compareLayouts(newer: ComparedCapture, older: ComparedCapture): number {
    this.#signatures.set(newer.signature);
    this.#signatures.set(older.signature, SIGNATURE_COMPONENTS);
    return countEqual(this.#signatures, 0, SIGNATURE_COMPONENTS, SIGNATURE_COMPONENTS);
  }

  #addChanges({ changes }: PageChanges, older: Side, newer: Side, inTemplate: Uint8Array): void {
    for (const pair of this.#pairer.pair(older.blocks, newer.blocks, likenessOf(older, newer))) {
      const newWords = unseenInBlock(newer, pair.new);
      const lostWords = unseenInBlock(older, pair.old);
      if (newWords + lostWords === 0) continue;
      if (changes.length < MAX_CHANGES) {
        changes.push({ ...describe(pair, older, newer, inTemplate), newWords, lostWords });
        continue;
      }
      const texts = { place: '', oldText: '', newText: '', oldKey: '', newKey: '' };
      changes[MAX_CHANGES] ??= {
        kind: 'more',
        label: 'content',
        ...texts,
        words: newWords,
        newWords: 0,
        lostWords: 0,
      };
      changes[MAX_CHANGES].newWords += newWords;
      changes[MAX_CHANGES].lostWords += lostWords;
    }
  }
}

/** Returns 1 for each token that is a word of a template. */
function templateTokens(
  { tree, tokens, textStart, textEnd }: ReadCapture,
  ranges: readonly Range[],
): Uint8Array {
  const tokenCount = tokens.tokens.length;
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

/** Counts words by label, and those of them that the other capture lacks. */
function countWords({ flags }: ComparedCapture, occurs: Uint8Array, inTemplate: Uint8Array) {
  const sums = { templateWords: 0, newTemplateWords: 0, contentWords: 0, newContentWords: 0 };
  for (let token = 0; token < occurs.length; token++) {
    if ((flags[token] & IS_TAG) !== 0) continue;
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

/** Counts words of the tokens `first` to `last` that the other capture lacks. */
function unseenWords({ flags, occurs }: Side, first: number, last: number): number {
  let unseen = 0;
  for (let token = first; token <= last; token++) {
    if (occurs[token] === 0 && (flags[token] & IS_TAG) === 0) unseen++;
  }
  return unseen;
}

function unseenInBlock(side: Side, block: number): number {
  return block < 0 ? 0 : unseenWords(side, side.blocks.firstToken[block], side.blocks.lastToken[block]);
}

/**
 * Scores blocks under one path by the words they share; blocks under different paths must share most of their
 * words.
 */
function likenessOf(older: Side, newer: Side) {
  const wordSets = new Map<number, Set<number>>();
  return (oldBlock: number, newBlock: number): number => {
    let words = wordSets.get(oldBlock);
    if (words === undefined) wordSets.set(oldBlock, (words = new Set(firstWords(older, oldBlock))));
    const own = firstWords(newer, newBlock);
    let shared = 0;
    for (const word of own) if (words.has(word)) shared++;
    const share = shared / Math.max(own.length, words.size);
    if (older.blocks.pathOf(oldBlock) === newer.blocks.pathOf(newBlock)) return 1 + share;
    return share >= LIKE_WORDS ? share : 0;
  };
}

function firstWords({ tokens, flags, blocks }: Side, block: number): number[] {
  const words: number[] = [];
  const last = blocks.lastToken[block];
  for (let token = blocks.firstToken[block]; token <= last && words.length < LIKENESS_WORDS; token++) {
    if ((flags[token] & IS_TAG) === 0) words.push(tokens[token]);
  }
  return words;
}

function describe(
  { old, new: block, before, behind }: BlockPair,
  { blocks: oldBlocks }: Side,
  newer: Side,
  inTemplate: Uint8Array,
): Omit<PageChange, 'newWords' | 'lostWords'> {
  const { blocks } = newer;
  const labelOf = (of: number): Label => labelOfBlock(newer, of, inTemplate);
  const around = [before, behind].filter((of) => of >= 0);
  const isAmidTemplate = around.length > 0 && around.every((of) => labelOf(of) === 'template');
  return {
    kind: old < 0 ? 'added' : block < 0 ? 'removed' : 'changed',
    label: block >= 0 ? labelOf(block) : isAmidTemplate ? 'template' : 'content',
    place: block < 0 ? oldBlocks.pathOf(old) : blocks.pathOf(block),
    oldText: textOfBlock(oldBlocks, old),
    newText: textOfBlock(blocks, block),
    oldKey: old < 0 ? '' : hashId(oldBlocks.low[old], oldBlocks.high[old]),
    newKey: block < 0 ? '' : hashId(blocks.low[block], blocks.high[block]),
    words: block < 0 ? oldBlocks.words[old] : blocks.words[block],
  };
}

/** Returns the label of most new words, or of most words when the block only lost words. */
function labelOfBlock({ flags, blocks, occurs }: Side, block: number, inTemplate: Uint8Array): Label {
  let unseen = 0;
  let unseenTemplate = 0;
  let words = 0;
  let template = 0;
  for (let token = blocks.firstToken[block]; token <= blocks.lastToken[block]; token++) {
    if ((flags[token] & IS_TAG) !== 0) continue;
    words++;
    template += inTemplate[token];
    if (occurs[token] === 1) continue;
    unseen++;
    unseenTemplate += inTemplate[token];
  }
  const isTemplate = unseen > 0 ? 2 * unseenTemplate > unseen : 2 * template > words;
  return isTemplate ? 'template' : 'content';
}

function textOfBlock({ text, textStart, textEnd }: CaptureBlocks, block: number): string {
  return block < 0 ? '' : lineOfText({ text }, textStart[block], textEnd[block], TEXT_CHARACTERS);
}
