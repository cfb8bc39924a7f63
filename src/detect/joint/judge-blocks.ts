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
import { ROLE, rolesOf } from './block-roles.ts';
import {
  type BlockVerdict,
  BY_SCORE,
  IN_DIALOG,
  IS_CONSTANT,
  IS_COPY,
  type KeptBlocks,
} from './block-verdict.ts';
import { readCaptureTexts } from './capture-texts.ts';
import { keepFields, keepOnlyFields } from './catalogue-fields.ts';
import { blocksOfDialogs } from './dialogs.ts';
import { FEATURE } from './feature-names.ts';
import type { JointModel } from './joint-model.ts';
import { keepUnits } from './keep-units.ts';
import { ContentKeeper } from './keep-with-content.ts';
import { dropNextArticles } from './next-articles.ts';
import { dropCopies } from './second-copies.ts';
import { SiteEvidence } from './site-evidence.ts';
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
  /** Names of rules to leave out, for measuring what each is worth. @default none */
  skipped?: readonly string[];
}

/** What to keep: `text` for reading, `fields` for the values of catalogues. */
export const JUDGE_MODES = ['text', 'fields'] as const;
/** One of `JUDGE_MODES`. */
export type JudgeMode = (typeof JUDGE_MODES)[number];

/** Weight of the slot's mean score in a block's score, if the site has the slot. */
const SLOT_VOTE = 0.3;
/**
 * A verdict with at most this many words besides the headline is doubtful, and one with few words that the rule for constants
 * cut by this share.
 */
const BARE_WORDS = 5;
const FEW_WORDS = 15;
const CONSTANT_SHARE = 0.5;
/** Minimum share of the other pages that have a text of the site's frame, and their minimum number. */
const FRAME_SHARE = 0.8;
const MIN_FRAME_PAGES = 5;
/** Minimum number of pages with a slot before its score counts. */
const VOTING_PAGES = 3;

/** Scores the blocks of one page at a time and decides which to keep; holds kernel memory until `release`. */
export class BlockJudge {
  readonly reader: BlockReader;
  readonly #dial: number;
  readonly #mode: JudgeMode;
  readonly #roles: RoleChoice;
  readonly #skipped: readonly string[];
  #noSite: SiteEvidence | undefined;
  readonly #first: TreeBatch;
  readonly #second: TreeBatch;
  readonly #scoresAt: Block;
  #captureReader: BlockReader | undefined;
  #offsets = new Int32Array(0);
  #words = new Int32Array(0);
  #scores = new Float64Array(0);
  #kept = new Uint8Array(0);
  #reasons = new Uint8Array(0);

  constructor(
    model: JointModel,
    { dial = 1, mode = 'text', roles = {}, skipped = [] }: BlockJudgeOptions = {},
  ) {
    this.#dial = dial;
    this.#mode = mode;
    this.#roles = roles;
    this.#skipped = skipped;
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
    const verdict = this.#decide(tree, url, site, { isCounted, captures });
    if (this.#mode === 'fields' || site.pages === 0 || !isDoubtful(verdict)) return verdict;
    this.#noSite ??= new SiteEvidence(this.reader);
    return this.#decide(tree, url, this.#noSite, { isCounted: false, frame: frameOf(verdict.blocks) });
  }

  #decide(
    tree: Tree,
    url: string,
    site: SiteEvidence,
    {
      isCounted,
      captures,
      frame = [],
    }: { isCounted: boolean; captures?: LabelContext; frame?: readonly number[] },
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
    const roles = rolesOf(tree, blocks, url, true);
    const page: JudgedPage = {
      tree,
      verdict,
      keeper: new ContentKeeper(tree, verdict),
      site,
      dialogs,
      roles: roles.roles,
    };
    for (const { name, modes, apply } of RULES) {
      if (modes.includes(this.#mode) && !this.#skipped.includes(name)) apply(page);
      if (name === 'constants') dropBlocks(page, frame, IS_CONSTANT);
      if (name === 'dialogs' && captures) this.#keepLasting(tree, verdict, captures);
    }
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
    this.#noSite?.release();
    this.#noSite = undefined;
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

/** What a rule reads and changes. */
interface JudgedPage {
  tree: Tree;
  verdict: KeptBlocks;
  keeper: ContentKeeper;
  site: SiteEvidence;
  /** Blocks inside dialogs. */
  dialogs: readonly number[];
  /** Numbers of `ROLE`. */
  roles: Uint8Array;
}

interface Rule {
  name: string;
  modes: readonly JudgeMode[];
  apply: (page: JudgedPage) => void;
}

/** The rules after the threshold, in order; docs/research/joint.md has what each is worth. */
const RULES: readonly Rule[] = [
  { name: 'values-alone', modes: ['fields'], apply: ({ verdict }) => keepOnlyFields(verdict) },
  {
    name: 'catalogue',
    modes: ['text'],
    apply: ({ verdict, site }) => site.isCatalogue && keepFields(verdict),
  },
  { name: 'constants', modes: JUDGE_MODES, apply: ({ verdict }) => cutConstants(verdict) },
  { name: 'dialogs', modes: JUDGE_MODES, apply: (page) => dropBlocks(page, page.dialogs, IN_DIALOG) },
  { name: 'next-articles', modes: ['text'], apply: ({ verdict, roles }) => dropNextArticles(verdict, roles) },
  { name: 'copies', modes: ['text'], apply: ({ verdict }) => dropCopies(verdict) },
  { name: 'lines', modes: ['text'], apply: ({ keeper }) => keeper.keepLines() },
  { name: 'values', modes: JUDGE_MODES, apply: ({ keeper }) => keeper.keepValues() },
  { name: 'units', modes: ['text'], apply: ({ tree, verdict, roles }) => keepUnits(tree, verdict, roles) },
  { name: 'labels', modes: JUDGE_MODES, apply: ({ keeper }) => keeper.keepLabels() },
  { name: 'headings', modes: JUDGE_MODES, apply: ({ keeper }) => keeper.keepHeadings() },
];

/**
 * Whether the evidence of the site has left nearly nothing of a page but its headline, or the rule for constants a third less:
 * text such as the message of an error page is the same on many pages, and yet the content.
 */
function isDoubtful({ blocks, kept, reasons, roles }: BlockVerdict): boolean {
  const { count, records } = blocks;
  let words = 0;
  let text = 0;
  let constant = 0;
  for (let block = 0; block < count; block++) {
    const size = records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_WORD_COUNT];
    // footers and menus are constant, and no content
    if (reasons[block] === IS_CONSTANT && roles[block] < ROLE.comments) constant += size;
    if (kept[block] === 0 && reasons[block] !== IS_COPY) continue;
    words += size;
    if (roles[block] !== ROLE.title) text += size;
  }
  return text <= BARE_WORDS || (text <= FEW_WORDS && constant > CONSTANT_SHARE * (words + constant));
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

function dropBlocks(
  { verdict: { kept, reasons } }: JudgedPage,
  blocks: readonly number[],
  reason: number,
): void {
  for (const block of blocks) {
    kept[block] = 0;
    reasons[block] = reason;
  }
}

/** Blocks that nearly all pages of the site have in the same place. */
function frameOf({ count, rows }: PageBlocks): number[] {
  return Array.from({ length: count }, (_, block) => block).filter((block) => {
    const row = block * layout.ROW_FLOATS;
    return (
      rows[row + FEATURE.samePages] >= Math.max(MIN_FRAME_PAGES, FRAME_SHARE * rows[row + FEATURE.sitePages])
    );
  });
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
