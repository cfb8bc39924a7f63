/**
 * Judges the blocks of a page. It scores them twice, the second time with the first scores of their neighbours and of
 * their slot, and keeps the blocks that together have the largest expected F1. Rules then correct what a threshold
 * cannot decide: text that is the same in its slot on nearly all pages is dropped, and text that belongs to kept text
 * stays (keep-with-content.ts).
 */

import * as layout from '../../kernel/block-layout.ts';
import { Block } from '../../kernel/heap.ts';
import { logOddsOf, probabilityOf } from '../../learn/boosted-trees.ts';
import { TreeBatch } from '../../learn/tree-batch.ts';
import type { RoleChoice } from '../../model/role.ts';
import type { Tree } from '../../parse/tree.ts';
import type { LabelContext } from '../detector.ts';
import { applyRoles } from './apply-roles.ts';
import { BlockReader, type PageBlocks } from './block-reader.ts';
import { rolesOf } from './block-roles.ts';
import { type BlockVerdict, BY_SCORE, IN_DIALOG, IS_CONSTANT, type KeptBlocks } from './block-verdict.ts';
import { readCaptureTexts } from './capture-texts.ts';
import { keepFields, keepOnlyFields } from './catalogue-fields.ts';
import { blocksOfDialogs } from './dialogs.ts';
import { FEATURE } from './feature-names.ts';
import type { JointModel } from './joint-model.ts';
import { ContentKeeper } from './keep-with-content.ts';
import type { SiteEvidence } from './site-evidence.ts';
import { isConstant, isConstantInLayout, isSlotKnown, slotPages } from './slot-variation.ts';

/** Options of `BlockJudge`. */
export interface BlockJudgeOptions {
  /** Above 1 keeps more, below 1 cuts more, 0.25 to 4. @default 1 */
  dial?: number;
  /**
   * `text` is for reading; `fields` keeps the values of catalogues and drops prose in several blocks. @default 'text'
   */
  mode?: JudgeMode;
  /** Roles to keep or drop. @default those of apply-roles.ts */
  roles?: RoleChoice;
}

/** What to keep: `text` for reading, `fields` for the values of catalogues. */
export const JUDGE_MODES = ['text', 'fields'] as const;
/** One of `JUDGE_MODES`. */
export type JudgeMode = (typeof JUDGE_MODES)[number];

/** Weight of the slot's mean score in a block's score, if the site has the slot. */
const SLOT_VOTE = 0.3;
/** Minimum number of pages with a slot before its score counts. */
const VOTING_PAGES = 3;

/** Scores the blocks of one page at a time and decides which to keep; holds kernel memory until `release`. */
export class BlockJudge {
  readonly reader: BlockReader;
  readonly #dial: number;
  readonly #mode: JudgeMode;
  readonly #roles: RoleChoice;
  readonly #first: TreeBatch;
  readonly #second: TreeBatch;
  readonly #scoresAt: Block;
  #captureReader: BlockReader | undefined;
  #offsets = new Int32Array(0);
  #words = new Int32Array(0);
  #scores = new Float64Array(0);
  #kept = new Uint8Array(0);
  #reasons = new Uint8Array(0);

  constructor(model: JointModel, { dial = 1, mode = 'text', roles = {} }: BlockJudgeOptions = {}) {
    this.#dial = dial;
    this.#mode = mode;
    this.#roles = roles;
    this.reader = new BlockReader(model.names);
    this.#first = new TreeBatch(model.first);
    this.#second = new TreeBatch(model.second);
    this.#scoresAt = new Block(this.reader.kernel);
  }

  /** Computes the first scores of the page that the reader has read; returns their address (32-bit floats). */
  scoreFirst(tree: Tree, blocks: PageBlocks, site: SiteEvidence, isCounted: boolean): number {
    const { count } = blocks;
    this.#reserve(count);
    site.addTo(tree, blocks, isCounted);
    const at = this.#scoresAt.room(4 * (count + 1));
    this.#first.score(blocks.rows, this.#offsets, count, this.#scores);
    new Float32Array(this.reader.kernel.memory.buffer, at, count).set(this.#scores.subarray(0, count));
    return at;
  }

  /** Judges a page. `captures` are those of the same URL before and after; without them, time is not used. */
  judge(
    tree: Tree,
    url: string,
    site: SiteEvidence,
    isCounted: boolean,
    captures?: LabelContext,
  ): BlockVerdict {
    const { kernel, address } = this.reader;
    const blocks = this.reader.read(tree, url);
    const { count } = blocks;
    const first = this.scoreFirst(tree, blocks, site, isCounted);
    kernel.functions.addContext(site.address, address, tree.address, first);
    this.#second.score(blocks.rows, this.#offsets, count, this.#scores);
    const scores = this.#scores.subarray(0, count);
    const kept = this.#kept.subarray(0, count).fill(0);
    const reasons = this.#reasons.subarray(0, count).fill(BY_SCORE);
    vote(blocks.rows, scores);
    const words = this.#words.subarray(0, count);
    const { records } = blocks;
    for (let block = 0; block < count; block++) {
      words[block] = records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_WORD_COUNT];
    }
    // dialogs are dropped before the threshold is chosen
    const dialogs = blocksOfDialogs(blocks, words, scores);
    for (const block of dialogs) words[block] = 0;
    keepBest(words, scores, kept, this.#dial);
    const verdict: KeptBlocks = { blocks, scores, kept, reasons };
    if (this.#mode === 'fields') keepOnlyFields(verdict);
    else if (site.isCatalogue) keepFields(verdict);
    cutConstants(verdict);
    for (const block of dialogs) {
      kept[block] = 0;
      reasons[block] = IN_DIALOG;
    }
    if (captures) this.#keepLasting(tree, verdict, captures);
    const keeper = new ContentKeeper(tree, verdict);
    if (this.#mode === 'text') {
      keeper.keepLines();
      keeper.keepLists();
    }
    keeper.keepValues();
    keeper.keepLabels();
    keeper.keepHeadings();
    const roles = rolesOf(tree, blocks, url, true);
    applyRoles(verdict, roles, this.#roles);
    return { ...verdict, ...roles };
  }

  /** Reads the other captures only if they can change the verdict. */
  #keepLasting(tree: Tree, verdict: KeptBlocks, captures: LabelContext): void {
    const own = new ContentKeeper(tree, verdict).ownBlocks();
    if (own.length === 0) return;
    this.#captureReader ??= new BlockReader();
    const texts = readCaptureTexts(captures, this.#captureReader);
    new ContentKeeper(tree, verdict).keepLasting(own, texts);
  }

  /** Frees the kernel memory of the model and of the last page. */
  release(): void {
    this.#captureReader?.release();
    this.#captureReader = undefined;
    this.reader.release();
    this.#first.release();
    this.#second.release();
    this.#scoresAt.release();
  }

  #reserve(count: number): void {
    if (this.#scores.length >= count) return;
    const size = 2 * count;
    this.#offsets = Int32Array.from({ length: size }, (_, block) => block * layout.ROW_FLOATS);
    this.#words = new Int32Array(size);
    this.#scores = new Float64Array(size);
    this.#kept = new Uint8Array(size);
    this.#reasons = new Uint8Array(size);
  }
}

/** Mixes each score with the mean score of the block's slot on other pages. */
function vote(rows: Float32Array, scores: Float64Array): void {
  for (let block = 0; block < scores.length; block++) {
    const row = block * layout.ROW_FLOATS;
    const slot = rows[row + FEATURE.slotScore];
    if (!(slotPages(rows, row) >= VOTING_PAGES) || slot < 0) continue;
    const mixed = (1 - SLOT_VOTE) * logOddsOf(clamp(scores[block])) + SLOT_VOTE * logOddsOf(clamp(slot));
    scores[block] = probabilityOf(mixed);
  }
}

function clamp(probability: number): number {
  return Math.min(0.9999, Math.max(0.0001, probability));
}

/** Keeps the blocks with the highest scores, as many as give the largest expected F1 of words. */
export function keepBest(
  words: Int32Array,
  scores: Float64Array | Float32Array,
  kept: Uint8Array,
  dial: number,
): void {
  const count = scores.length;
  const order = orderByScore(scores);
  let expected = 0;
  for (let k = 0; k < count; k++) expected += scores[order[k]] * words[order[k]];
  expected = Math.max(1e-9, expected) * dial;
  let right = 0;
  let all = 0;
  let best = 0;
  let keep = 0;
  for (let k = 0; k < count; k++) {
    const block = order[k];
    right += scores[block] * words[block];
    all += words[block];
    const f1 = (2 * right) / (all + expected);
    if (f1 <= best) continue;
    best = f1;
    keep = k + 1;
  }
  for (let k = 0; k < keep; k++) kept[order[k]] = 1;
}

let ordered = new Uint32Array(0);

/** Blocks by descending score, ties in document order. The next call reuses the array. */
function orderByScore(scores: Float64Array | Float32Array): Uint32Array {
  const count = scores.length;
  if (ordered.length < count) ordered = new Uint32Array(2 * count);
  const order = ordered.subarray(0, count);
  for (let block = 0; block < count; block++) order[block] = block;
  return order.sort((a, b) => scores[b] - scores[a] || a - b);
}

/**
 * Drops text that nine of ten pages with its slot have there, or nine of ten pages of the layout, whatever its score.
 */
function cutConstants({ blocks, kept, reasons }: KeptBlocks): void {
  const { count, rows } = blocks;
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    const isInSlot = isSlotKnown(rows, row) && isConstant(rows, row);
    if (!isInSlot && !isConstantInLayout(rows, row)) continue;
    if (kept[block] === 1) reasons[block] = IS_CONSTANT;
    kept[block] = 0;
  }
}
