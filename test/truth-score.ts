/**
 * A detector's ranges against the truth of a generated page: for each true label the bytes that got each
 * predicted label. Counted over all bytes of the source and, given the page's tree, over the bytes of its
 * text nodes alone (a detector that reads only text says nothing about the markup at the edges). Both lists
 * tile the source in order, so one merge pass does it.
 */

import type { Label, Range } from '../src/model/range.ts';
import { TEXT, type Tree } from '../src/parse/tree.ts';
import {
  TRUTH_LABELS,
  type TruthLabel,
  type TruthRange,
} from '../src/research/generated-sites/label-writer.ts';

const LABELS: Label[] = ['template', 'slot', 'content', 'unsure'];

/** Bytes by true label, then by predicted label. */
export type Confusion = Record<TruthLabel, Record<Label, number>>;

export interface TruthScore {
  bytes: Confusion;
  /** The same over the bytes of text nodes; all zero without a tree. */
  textBytes: Confusion;
}

export interface TruthRates {
  /** Share of true template bytes labelled template; 1 when there are none. */
  template: number;
  /** Share of true content bytes labelled content; 1 when there are none. */
  content: number;
}

export interface TruthScoreOptions {
  /** The page's tree, to count text bytes as well. */
  tree?: Tree;
}

export function truthScore(
  ranges: Range[],
  truth: TruthRange[],
  { tree }: TruthScoreOptions = {},
): TruthScore {
  const score = emptyScore();
  const texts = tree ? textSpans(tree) : [];
  let range = 0;
  let text = 0;
  for (const { start, end, label } of truth) {
    for (let at = start; at < end; ) {
      while (range < ranges.length && ranges[range].end <= at) range++;
      if (range === ranges.length || ranges[range].start > at) {
        throw new RangeError(`ranges must tile the page: no range holds byte ${at}`);
      }
      const stop = Math.min(end, ranges[range].end);
      const predicted = ranges[range].label;
      score.bytes[label][predicted] += stop - at;
      // texts are disjoint and in order; the last one may reach into the next piece
      while (text < texts.length && texts[text + 1] <= at) text += 2;
      for (let span = text; span < texts.length && texts[span] < stop; span += 2) {
        score.textBytes[label][predicted] += Math.max(
          0,
          Math.min(stop, texts[span + 1]) - Math.max(at, texts[span]),
        );
      }
      at = stop;
    }
  }
  return score;
}

export function emptyScore(): TruthScore {
  return { bytes: emptyConfusion(), textBytes: emptyConfusion() };
}

/** Adds `more` into `sum`; pages of a kind are summed byte by byte, not averaged. */
export function addScore(sum: TruthScore, more: TruthScore): void {
  for (const label of TRUTH_LABELS) {
    for (const predicted of LABELS) {
      sum.bytes[label][predicted] += more.bytes[label][predicted];
      sum.textBytes[label][predicted] += more.textBytes[label][predicted];
    }
  }
}

export function truthRates(confusion: Confusion): TruthRates {
  const share = (label: 'template' | 'content') => {
    const { template, content, unsure } = confusion[label];
    const total = template + content + unsure;
    return total === 0 ? 1 : confusion[label][label] / total;
  };
  return { template: share('template'), content: share('content') };
}

/** One sum per key, such as the page kind; keys in order of first sight. */
export class TruthTally {
  readonly sums = new Map<string, TruthScore>();

  add(key: string, score: TruthScore): void {
    let sum = this.sums.get(key);
    if (!sum) this.sums.set(key, (sum = emptyScore()));
    addScore(sum, score);
  }

  /** Rates of each key, over all bytes or text bytes. */
  rates(over: 'bytes' | 'textBytes'): Map<string, TruthRates> {
    return new Map([...this.sums].map(([key, sum]) => [key, truthRates(sum[over])]));
  }
}

function emptyConfusion(): Confusion {
  const row = () => ({ template: 0, slot: 0, content: 0, unsure: 0 });
  return { template: row(), content: row(), slot: row(), teaser: row(), frame: row() };
}

/** Starts and ends of the text nodes that count as the page's text, in order of the source. */
function textSpans({ kind, nodeCount, start, end, textStart, last }: Tree): number[] {
  const spans: number[] = [];
  for (let node = 0; node < nodeCount; node++) {
    if (kind[node] === TEXT && textStart[last[node]] > textStart[node]) spans.push(start[node], end[node]);
  }
  return spans;
}
