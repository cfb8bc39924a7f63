/**
 * Ranges of a page from the labels of its judged nodes. A node's bytes have its label but for those of judged
 * nodes inside it; rows in document order nest as their bytes do, so one walk with a stack of open rows
 * paints the page.
 */
import { hashId } from '../../analysis/byte-hash.ts';
import type { Label, Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import { contentRange, makeRange } from '../ranges.ts';
import type { FeatureTable } from './feature-table.ts';

export interface RowVerdicts {
  labelOf: (row: number) => Label;
  /** Score of template, 0 to 1. */
  scoreOf: (row: number) => number;
  reasonOf: (row: number) => string;
}

export function rowRanges(
  tree: Tree,
  { rowCount, node, parent }: FeatureTable,
  verdicts: RowVerdicts,
): Range[] {
  const painter = new Painter(tree, node, verdicts);
  // the row that speaks for each: the highest above it in a line of one label
  const speaker = new Int32Array(rowCount);
  const labels: Label[] = [];
  const open: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const label = verdicts.labelOf(row);
    labels.push(label);
    const above = parent[row];
    speaker[row] = above >= 0 && labels[above] === label ? speaker[above] : row;
    while (open.length > 0 && open.at(-1) !== above) closeRow();
    if (above >= 0) painter.paintTo(tree.start[node[row]], speaker[above], labels[above]);
    open.push(row);
  }
  while (open.length > 0) closeRow();
  return painter.finish();

  function closeRow(): void {
    const row = open.pop()!;
    painter.paintTo(tree.end[node[row]], speaker[row], labels[row]);
  }
}

class Painter {
  readonly #tree: Tree;
  readonly #node: Int32Array;
  readonly #verdicts: RowVerdicts;
  readonly #ranges: Range[] = [];
  /** What has been painted so far, and the stretch that is not yet a range. */
  #position = 0;
  #from = 0;
  #speaker = -1;
  #label: Label = 'content';

  constructor(tree: Tree, node: Int32Array, verdicts: RowVerdicts) {
    this.#tree = tree;
    this.#node = node;
    this.#verdicts = verdicts;
  }

  /** Gives everything up to `end` the label of a row. */
  paintTo(end: number, speaker: number, label: Label): void {
    if (end <= this.#position) return;
    const isSame = this.#speaker === speaker || (label === 'content' && this.#label === 'content');
    if (this.#speaker < 0 || !isSame) {
      this.#push();
      this.#from = this.#position;
      this.#speaker = speaker;
      this.#label = label;
    }
    this.#position = end;
  }

  finish(): Range[] {
    const { source } = this.#tree;
    if (this.#position < source.length) this.paintTo(source.length, 0, 'content');
    this.#push();
    return this.#ranges;
  }

  #push(): void {
    if (this.#position === this.#from || this.#speaker < 0) return;
    if (this.#label === 'content') {
      this.#ranges.push(contentRange(this.#from, this.#position));
      return;
    }
    const node = this.#node[this.#speaker];
    const template = hashId(this.#tree.contentLow[node], this.#tree.contentHigh[node]);
    const score = Math.round(this.#verdicts.scoreOf(this.#speaker) * 10_000) / 10_000;
    const reason = this.#verdicts.reasonOf(this.#speaker);
    this.#ranges.push(makeRange(this.#from, this.#position, this.#label, score, template, reason));
  }
}
