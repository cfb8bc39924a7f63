/**
 * How much text lies in which ranges. Text nodes and ranges are both in order, so one walk over both does;
 * only a text node that a range cuts is looked into.
 */
import type { Label, Range } from '../model/range.ts';
import { sourceOffset } from '../parse/text.ts';
import { TEXT, type Tree } from '../parse/tree.ts';

/** Bytes of `tree.text` by the label of the range they lie in; the space before a text goes with it. */
export function textBytesByLabel(tree: Tree, ranges: readonly Range[]): Record<Label, number> {
  const bytes: Record<Label, number> = { template: 0, content: 0, unsure: 0 };
  const { nodeCount, kind, start, end, textStart } = tree;
  let at = 0;
  for (let node = 0; node < nodeCount; node++) {
    if (kind[node] !== TEXT || textStart[node + 1] === textStart[node]) continue;
    while (at < ranges.length && ranges[at].end <= start[node]) at++;
    let position = textStart[node];
    while (at < ranges.length && ranges[at].end < end[node]) {
      const cut = textPosition(tree, ranges[at].end, position, textStart[node + 1]);
      bytes[ranges[at].label] += cut - position;
      position = cut;
      at++;
    }
    if (at < ranges.length) bytes[ranges[at].label] += textStart[node + 1] - position;
  }
  return bytes;
}

/** The first position of the text, from `low` to `high`, whose byte stands at or after `offset` in the source. */
function textPosition(tree: Tree, offset: number, low: number, high: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sourceOffset(tree, middle, 'start') < offset) from = middle + 1;
    else to = middle;
  }
  return from;
}
