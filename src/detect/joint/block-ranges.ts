/**
 * Ranges of a page from the verdict on its blocks. A block's bytes reach from its first text to its last, with the tags
 * between. Tags around blocks go with them: end tags with the block before, start tags with the block after. What lies
 * between two blocks and belongs to neither is content only between two blocks that are kept. Form controls and other
 * text outside blocks are template.
 *
 * Template ends where the number of pages with its blocks halves or doubles: a menu of all pages and a breadcrumb of a few
 * are two templates, so that each has the same id wherever it is. A range also ends where the role of its blocks changes.
 */
import { hashId } from '../../analysis/byte-hash.ts';
import * as layout from '../../kernel/block-layout.ts';
import { countOf } from '../../model/count-of.ts';
import type { Range } from '../../model/range.ts';
import { ROLES, type Role } from '../../model/role.ts';
import { TAG } from '../../parse/tag-names.ts';
import type { Tree } from '../../parse/tree.ts';
import { contentRange, makeRange } from '../ranges.ts';
import {
  type BlockVerdict,
  BY_ROLE,
  BY_SCORE,
  IN_DIALOG,
  IS_CONSTANT,
  IS_COPY,
  IS_NEXT_ARTICLE,
  IS_NO_FIELD,
  LEFT_OUT_WITH_UNIT,
} from './block-verdict.ts';
import { FEATURE } from './feature-names.ts';

/**
 * Converts the verdict on a page's blocks to labelled ranges that tile the whole source; one content range when the
 * page has no blocks.
 */
export function blockRanges(tree: Tree, verdict: BlockVerdict): Range[] {
  const { source } = tree;
  const { count, records, skipped } = verdict.blocks;
  if (count === 0) return [contentRange(0, source.length)];
  const painter = new Painter(verdict);
  const firstText = (block: number) => records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_FIRST_TEXT];
  const lastText = (block: number) => records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_LAST_TEXT];
  let skip = 0;
  painter.paintTo(startAround(tree, firstText(0), 0), -1);
  for (let block = 0; block < count; block++) {
    const start = tree.start[firstText(block)];
    const end = tree.end[lastText(block)];
    if (block > 0) {
      const before = tree.end[lastText(block - 1)];
      painter.paintTo(endAround(tree, lastText(block - 1), start), block - 1);
      const isBetween = verdict.kept[block - 1] === 1 && verdict.kept[block] === 1;
      painter.paintTo(Math.max(before, startAround(tree, firstText(block), before)), isBetween ? block : -1);
    }
    // a skipped element inside a kept stretch is cut out of it
    for (; skip < skipped.length && tree.start[skipped[skip]] < end; skip++) {
      painter.cut(tree.start[skipped[skip]], tree.end[skipped[skip]]);
    }
    painter.paintTo(end, block);
  }
  painter.paintTo(endAround(tree, lastText(count - 1), source.length), count - 1);
  painter.paintTo(source.length, -1);
  return painter.finish();
}

/**
 * Returns the start of the outermost element inside the body that holds this node and does not reach back to
 * `from`.
 */
function startAround({ parent, start, name }: Tree, node: number, from: number): number {
  let outer = node;
  for (let above = parent[node]; above > 0 && start[above] >= from; above = parent[above]) {
    if (name[above] === TAG.body) break;
    outer = above;
  }
  return start[outer];
}

/** End of the outermost element that contains this node and ends before `to`. */
function endAround({ parent, end }: Tree, node: number, to: number): number {
  let outer = node;
  while (parent[outer] > 0 && end[parent[outer]] <= to) outer = parent[outer];
  return end[outer];
}

/** Marks a stretch whose role is not known yet. */
const UNSET = -1;

/** Joins adjacent stretches with equal label and role into ranges. */
class Painter {
  readonly #verdict: BlockVerdict;
  readonly #rows: Float32Array;
  readonly #records: Int32Array;
  readonly #ranges: Range[] = [];
  #position = 0;
  #from = 0;
  #isKept = false;
  /** Number of the role of the stretch; UNSET before its first block. */
  #role = UNSET;
  /** Number of blocks in the stretch, then the properties that all of them share. */
  #blocks = 0;
  #low = 0;
  #high = 0;
  #firstPages = 0;
  #leastPages = 0;
  #sitePages = 0;
  #mostScore = 0;
  #commonReason = BY_SCORE;

  constructor(verdict: BlockVerdict) {
    this.#verdict = verdict;
    this.#rows = verdict.blocks.rows;
    this.#records = verdict.blocks.records;
  }

  /** Gives all bytes up to `end` the label of a block; block -1 is template around blocks. */
  paintTo(end: number, block: number): void {
    if (end <= this.#position) return;
    const isKept = block >= 0 && this.#verdict.kept[block] === 1;
    const role = block >= 0 ? this.#verdict.roles[block] : UNSET;
    // bytes between blocks may join either one, but the head of the page has no role
    const isHead = this.#from === 0 && this.#role === UNSET && role > 0;
    const isOther = isHead || (role !== this.#role && role !== UNSET && this.#role !== UNSET);
    const isNoted = block >= 0 && !isKept;
    if (isKept !== this.#isKept || isOther || (isNoted && this.#isOtherTemplate(block))) this.#push(isKept);
    if (role !== UNSET) this.#role = role;
    this.#position = end;
    if (isNoted) this.#note(block);
  }

  #isOtherTemplate(block: number): boolean {
    // without other pages there is no evidence to separate templates
    if (this.#blocks === 0 || this.#firstPages < 0) return false;
    const pages = this.#rows[block * layout.ROW_FLOATS + FEATURE.textPages];
    return pages > 2 * this.#firstPages || 2 * pages < this.#firstPages;
  }

  /** Makes `[start, end)` template inside the stretch that is painted next. */
  cut(start: number, end: number): void {
    if (start > this.#position) {
      // the stretch keeps its label up to the cut
      this.#position = start;
    }
    if (this.#isKept) this.#push(false);
    this.#position = Math.max(end, this.#position);
  }

  finish(): Range[] {
    this.#push(!this.#isKept);
    return this.#ranges;
  }

  #note(block: number): void {
    const { scores, reasons } = this.#verdict;
    const row = block * layout.ROW_FLOATS;
    const record = block * layout.BLOCK_RECORD_WORDS;
    if (this.#blocks === 0) {
      this.#firstPages = this.#rows[row + FEATURE.textPages];
      this.#leastPages = Number.POSITIVE_INFINITY;
      this.#mostScore = 0;
      this.#commonReason = reasons[block];
    }
    this.#blocks++;
    this.#low = Math.imul(this.#low ^ this.#records[record + layout.BLOCK_TEXT], 0x85ebca6b) + 1;
    this.#high =
      Math.imul(this.#high + this.#records[record + layout.BLOCK_TEXT + 1], 0xc2b2ae35) ^ this.#low;
    this.#sitePages = this.#rows[row + FEATURE.sitePages];
    this.#leastPages = Math.min(this.#leastPages, this.#rows[row + FEATURE.pairPages]);
    this.#mostScore = Math.max(this.#mostScore, scores[block]);
    if (reasons[block] !== this.#commonReason) this.#commonReason = BY_SCORE;
  }

  #push(isKept: boolean): void {
    if (this.#position > this.#from) {
      // numbers 0 and 1 (no role, plain text) come before the roles of the list
      const role: Role | undefined = ROLES[this.#role - 1];
      this.#ranges.push(this.#isKept ? contentRange(this.#from, this.#position, role) : this.#template(role));
    }
    this.#role = UNSET;
    this.#from = this.#position;
    this.#isKept = isKept;
    this.#blocks = this.#low = this.#high = 0;
  }

  #template(role: Role | undefined): Range {
    if (this.#blocks === 0) {
      return makeRange(this.#from, this.#position, 'template', 1, hashId(0, 0), 'no text of its own');
    }
    const score = Math.round((1 - this.#mostScore) * 10_000) / 10_000;
    return makeRange(
      this.#from,
      this.#position,
      'template',
      score,
      hashId(this.#low, this.#high),
      this.#reason(),
      role,
    );
  }

  /** The reason that a stretch is template, in words that hold for all its blocks. */
  #reason(): string {
    const score = `content score ${this.#blocks > 1 ? 'at most ' : ''}${this.#mostScore.toFixed(2)}`;
    const cause = CAUSES[this.#commonReason] ?? this.#pages();
    return cause === '' ? score : `${cause}; ${score}`;
  }

  /** On how many other pages each text of the stretch is in this very place; empty for none. */
  #pages(): string {
    const pages = this.#sitePages;
    const least = this.#leastPages;
    if (least < 1) return '';
    if (least === pages) return `on all ${countOf(pages, 'other page')} of the site`;
    return `on ${least}${this.#blocks > 1 ? ' or more' : ''} of ${countOf(pages, 'other page')}`;
  }
}

/** Words for the reasons of a verdict that are not its score. */
const CAUSES: Readonly<Record<number, string>> = {
  [BY_ROLE]: 'left out by its role',
  [IN_DIALOG]: 'in a dialog',
  [IS_NO_FIELD]: 'no field: a list of links, prose or the same on other pages',
  [IS_CONSTANT]: 'the same text here on other pages',
  [LEFT_OUT_WITH_UNIT]: 'in a table or row that is not kept',
  [IS_NEXT_ARTICLE]: 'below the headline of another page',
  [IS_COPY]: 'a second copy of a text of this page',
};
