/**
 * Turns the labels of judged nodes into ranges of a page. The bytes of a node have its label, except those of
 * judged nodes inside it. Rows in document order nest as their bytes do, so one pass with a stack of open
 * rows labels the page.
 */
import { hashId } from '../../analysis/byte-hash.ts';
import type { Label, Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import { contentRange, makeRange } from '../ranges.ts';
import { FEATURES, type FeatureTable } from './feature-list.ts';
import type { PageModel } from './page-model.ts';

/** Verdicts on the rows of a table. */
export interface RowVerdicts {
  labelOf: (row: number) => Label;
  /** Score of template, 0 to 1. */
  scoreOf: (row: number) => number;
  reasonOf: (row: number) => string;
}

/** Returns the ranges of a page from verdicts on its rows. */
export function rowRanges(
  tree: Tree,
  { rowCount, node, parent }: FeatureTable,
  verdicts: RowVerdicts,
): Range[] {
  const painter = new Painter(tree, node, verdicts);
  // the row whose score and reason a row uses: the highest ancestor with the same label all the way
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
  /** End of the labelled bytes, and start of the span that is not yet a range. */
  #position = 0;
  #from = 0;
  #speaker = -1;
  #label: Label = 'content';

  constructor(tree: Tree, node: Int32Array, verdicts: RowVerdicts) {
    this.#tree = tree;
    this.#node = node;
    this.#verdicts = verdicts;
  }

  /** Gives all bytes up to `end` the label of a row. */
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

/**
 * Explains in words why a node is template: the features with the most weight in the model whose value is on
 * the template side. A phrase is used only when it is true of the node.
 */
export class Reasons {
  /** Phrases that speak for template, in the order of the features. */
  readonly #phrases: string[];
  readonly #column: Int32Array;
  /** Whether values above the bound, or those below it, speak for template. */
  readonly #isAbove: Uint8Array;
  readonly #bound: Float64Array;
  readonly #importance: Float64Array;
  readonly #template: Float64Array;
  readonly #content: Float64Array;

  constructor({ importance, templateMean, contentMean }: PageModel) {
    const phrases = FEATURES.flatMap(({ phrases: all }, column) => {
      const towards = (templateMean[column] ?? 0) > (contentMean[column] ?? 0);
      return all.filter(({ above }) => above === towards).map((one) => ({ ...one, column }));
    });
    this.#phrases = phrases.map(({ phrase }) => phrase);
    this.#column = Int32Array.from(phrases, ({ column }) => column);
    this.#isAbove = Uint8Array.from(phrases, ({ above }) => (above ? 1 : 0));
    this.#bound = Float64Array.from(phrases, ({ bound }) => bound);
    this.#importance = Float64Array.from(phrases, ({ column }) => Math.max(importance[column] ?? 0, 1e-6));
    this.#template = Float64Array.from(phrases, ({ column }) => templateMean[column] ?? 0);
    this.#content = Float64Array.from(phrases, ({ column }) => contentMean[column] ?? 0);
  }

  /** Returns a reason such as `page-level score 0.93: mostly links, in the left margin`. */
  reasonOf(score: number, values: Float32Array, offset: number): string {
    const column = this.#column;
    const isAbove = this.#isAbove;
    const bound = this.#bound;
    const content = this.#content;
    // the two features with the most weight; ties go to the first
    let first = -1;
    let second = -1;
    let firstWeight = 0;
    let secondWeight = 0;
    for (let k = 0; k < column.length; k++) {
      const value = values[offset + column[k]];
      if (isAbove[k] === 1 ? value <= bound[k] : value >= bound[k]) continue;
      const side = Math.min(1.5, (value - content[k]) / (this.#template[k] - content[k]));
      if (!(side > 0.5)) continue;
      const weight = this.#importance[k] * side;
      if (weight > firstWeight) {
        second = first;
        secondWeight = firstWeight;
        first = k;
        firstWeight = weight;
      } else if (weight > secondWeight) {
        second = k;
        secondWeight = weight;
      }
    }
    const figure = `page-level score ${twoDigits(score)}`;
    if (first < 0) return figure;
    const phrases = this.#phrases;
    return second < 0 ? `${figure}: ${phrases[first]}` : `${figure}: ${phrases[first]}, ${phrases[second]}`;
  }
}

/**
 * Returns `toFixed(2)` of a number in [0, 1], from a table unless the number is near the middle of two
 * entries.
 */
export function twoDigits(score: number): string {
  const hundredths = score * 100;
  const nearest = Math.round(hundredths);
  const isPlain = Math.abs(hundredths - nearest) < 0.49 && nearest >= 0 && nearest <= 100;
  return isPlain ? HUNDREDTHS[nearest] : score.toFixed(2);
}

const HUNDREDTHS = Array.from({ length: 101 }, (_, k) => (k / 100).toFixed(2));
