/**
 * Judges the blocks of a page: scores them twice, the second time with the first scores of their neighbours and of
 * their slot, and keeps the blocks that together have the largest expected F1. Rules then mend what a threshold cannot
 * know: text that is the same in its slot on nearly all pages goes, what belongs to kept text stays
 * (keep-with-content.ts).
 */

import * as layout from '../../kernel/block-layout.ts';
import { Block } from '../../kernel/heap.ts';
import { logOddsOf, probabilityOf } from '../../learn/boosted-trees.ts';
import { TreeBatch } from '../../learn/tree-batch.ts';
import type { RoleChoice } from '../../model/role.ts';
import type { Tree } from '../../parse/tree.ts';
import { applyRoles } from './apply-roles.ts';
import { BlockReader, type PageBlocks } from './block-reader.ts';
import { rolesOf } from './block-roles.ts';
import { CONSTANT_SHARE, keepFields, keepOnlyFields, TELLING_PAGES } from './catalogue-fields.ts';
import { FEATURE } from './feature-names.ts';
import type { JointModel } from './joint-model.ts';
import { BY_SCORE, ContentKeeper, IS_CONSTANT, IS_NO_FIELD } from './keep-with-content.ts';
import type { SiteEvidence } from './site-evidence.ts';

export interface JudgeOptions {
  /** Above 1 keeps more, below 1 cuts more, 0.25 to 4. @default 1 */
  dial?: number;
  /** `text` is for reading; `fields` keeps the values of catalogues and cuts prose that comes in several blocks. @default 'text' */
  mode?: JudgeMode;
  /** Roles to keep and to leave out. @default those of apply-roles.ts */
  roles?: RoleChoice;
}

export const JUDGE_MODES = ['text', 'fields'] as const;
export type JudgeMode = (typeof JUDGE_MODES)[number];

/** The verdict on a page. Columns are by block, and refilled for the next page. */
export interface BlockVerdict {
  blocks: PageBlocks;
  /** Probability of content. */
  scores: Float64Array;
  /** 1 for the blocks that are kept. */
  kept: Uint8Array;
  /** BY_SCORE, IS_CONSTANT and so on. */
  reasons: Uint8Array;
  /** Numbers of `ROLE`. */
  roles: Uint8Array;
}

/** Share of the slot in a block's score, where the site knows the slot. */
const SLOT_VOTE = 0.3;
/** Pages that must have a slot for its vote. */
const VOTING_PAGES = 3;

export class BlockJudge {
  readonly reader: BlockReader;
  readonly #dial: number;
  readonly #mode: JudgeMode;
  readonly #roles: RoleChoice;
  readonly #first: TreeBatch;
  readonly #second: TreeBatch;
  readonly #scoresAt: Block;
  #offsets = new Int32Array(0);
  #words = new Int32Array(0);
  #scores = new Float64Array(0);
  #kept = new Uint8Array(0);
  #reasons = new Uint8Array(0);

  constructor(model: JointModel, { dial = 1, mode = 'text', roles = {} }: JudgeOptions = {}) {
    this.#dial = dial;
    this.#mode = mode;
    this.#roles = roles;
    this.reader = new BlockReader(model.names);
    this.#first = new TreeBatch(model.first);
    this.#second = new TreeBatch(model.second);
    this.#scoresAt = new Block(this.reader.kernel);
  }

  /** The first scores of the page that the reader has read, as the address of floats. */
  scoreFirst(tree: Tree, blocks: PageBlocks, site: SiteEvidence, isCounted: boolean): number {
    const { count } = blocks;
    this.#reserve(count);
    site.addTo(tree, isCounted);
    const at = this.#scoresAt.room(4 * (count + 1));
    this.#first.score(blocks.rows, this.#offsets, count, this.#scores);
    new Float32Array(this.reader.kernel.memory.buffer, at, count).set(this.#scores.subarray(0, count));
    return at;
  }

  judge(tree: Tree, url: string, site: SiteEvidence, isCounted: boolean): BlockVerdict {
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
    keepBest(words, scores, kept, this.#dial);
    if (this.#mode === 'fields') keepOnlyFields(blocks, kept, reasons, IS_NO_FIELD);
    else if (site.isCatalogue) keepFields(blocks, kept);
    cutConstants(blocks, kept, reasons);
    const keeper = new ContentKeeper({ tree, blocks, scores, kept, reasons });
    if (this.#mode === 'text') {
      keeper.keepLines();
      keeper.keepLists();
    }
    keeper.keepValues();
    keeper.keepLabels();
    keeper.keepHeadings();
    const roles = rolesOf(tree, blocks, url, true);
    applyRoles({ blocks, kept, reasons }, roles, this.#roles);
    return { blocks, scores, kept, reasons, roles: roles.roles };
  }

  /** Gives back the memory of the model and of the last page. */
  release(): void {
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

/** Mixes the scores with those of the blocks' slots on other pages. */
function vote(rows: Float32Array, scores: Float64Array): void {
  for (let block = 0; block < scores.length; block++) {
    const row = block * layout.ROW_FLOATS;
    const pages = rows[row + FEATURE.sitePages] * rows[row + FEATURE.slotShare];
    const slot = rows[row + FEATURE.slotScore];
    if (!(pages >= VOTING_PAGES) || slot < 0) continue;
    const mixed = (1 - SLOT_VOTE) * logOddsOf(clamp(scores[block])) + SLOT_VOTE * logOddsOf(clamp(slot));
    scores[block] = probabilityOf(mixed);
  }
}

function clamp(probability: number): number {
  return Math.min(0.9999, Math.max(0.0001, probability));
}

/** Keeps the blocks with the highest scores, as many as make the largest expected F1 of words. */
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

/** Steps of the score by the first 16 bits of a float, from 2^-14 to 1. */
const LEAST_STEP = 0x38800000 >>> 15;
const SCORE_STEPS = (0x3f800000 >>> 15) - LEAST_STEP + 1;
const stepEnds = new Uint32Array(SCORE_STEPS + 1);
const float = new Float32Array(1);
const floatBits = new Uint32Array(float.buffer);
let ordered = new Uint32Array(0);

/**
 * Blocks by score, the highest first, those of one score in their order. The list is filled anew by the next call. Blocks are
 * put into steps and then in order, which takes no comparisons but among the few of a step.
 */
function orderByScore(scores: Float64Array | Float32Array): Uint32Array {
  const count = scores.length;
  if (ordered.length < count) ordered = new Uint32Array(2 * count);
  const order = ordered;
  stepEnds.fill(0);
  for (let block = 0; block < count; block++) stepEnds[stepOf(scores[block])]++;
  for (let step = 1; step <= SCORE_STEPS; step++) stepEnds[step] += stepEnds[step - 1];
  for (let block = count - 1; block >= 0; block--) order[--stepEnds[stepOf(scores[block])]] = block;
  let movesLeft = MOST_MOVES * count;
  for (let k = 1; k < count && movesLeft >= 0; k++) {
    const block = order[k];
    const score = scores[block];
    let at = k;
    for (; at > 0 && scores[order[at - 1]] < score; at--) order[at] = order[at - 1];
    order[at] = block;
    movesLeft -= k - at;
  }
  // many scores in one step: a page of thousands of blocks that are nearly alike
  if (movesLeft < 0) order.subarray(0, count).sort((a, b) => scores[b] - scores[a] || a - b);
  return order;
}

/** Moves for each block before it is left to a sort that takes count · log count. */
const MOST_MOVES = 16;

/** The highest scores are in step 0. */
function stepOf(score: number): number {
  float[0] = score;
  return SCORE_STEPS - 1 - Math.min(SCORE_STEPS - 1, Math.max(0, (floatBits[0] >>> 15) - LEAST_STEP));
}

/** A text that is the same in its slot on nine of ten pages is template, whatever its score. */
function cutConstants({ count, rows }: PageBlocks, kept: Uint8Array, reasons: Uint8Array): void {
  for (let block = 0; block < count; block++) {
    const row = block * layout.ROW_FLOATS;
    const slotPages = rows[row + FEATURE.sitePages] * rows[row + FEATURE.slotShare];
    if (!(slotPages >= TELLING_PAGES && rows[row + FEATURE.pairShare] >= CONSTANT_SHARE)) continue;
    if (kept[block] === 1) reasons[block] = IS_CONSTANT;
    kept[block] = 0;
  }
}
