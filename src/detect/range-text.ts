/**
 * How much text lies in which ranges. Text nodes and ranges are both in order, so one walk over both does;
 * only a text node that a range cuts is looked into.
 */
import type { Label, Range } from '../model/range.ts';
import { sourceOffset } from '../parse/text.ts';
import { TEXT, type Tree } from '../parse/tree.ts';

/**
 * Bytes of `tree.text` by the label of the range they lie in; the space before a text goes with it. Stops
 * counting once `enough` bytes were found outside templates.
 */
export function textBytesByLabel(
  tree: Tree,
  ranges: readonly Range[],
  enough = Number.POSITIVE_INFINITY,
): Record<Label, number> {
  const bytes: Record<Label, number> = { template: 0, content: 0, unsure: 0 };
  const { nodeCount, kind, start, end, textStart } = tree;
  let at = 0;
  for (let node = 0; node < nodeCount; node++) {
    if (kind[node] !== TEXT || textStart[node + 1] === textStart[node]) continue;
    while (at < ranges.length && ranges[at].end <= start[node]) at++;
    let position = textStart[node];
    while (at < ranges.length && ranges[at].end < end[node]) {
      const cut = textPosition(tree, node, ranges[at].end, position);
      bytes[ranges[at].label] += cut - position;
      position = cut;
      at++;
    }
    if (at < ranges.length) bytes[ranges[at].label] += textStart[node + 1] - position;
    if (bytes.content + bytes.unsure >= enough) break;
  }
  return bytes;
}

/**
 * The first position of a text node's text, not before `low`, whose byte stands at or after `offset` in the
 * source. White space only ever collapses, so the source on either side bounds the text there; the one byte
 * more is the space between blocks.
 */
function textPosition(tree: Tree, node: number, offset: number, low: number): number {
  const { start, end, textStart } = tree;
  let from = Math.max(low, textStart[node + 1] - (end[node] - offset) - 1);
  let to = Math.min(textStart[node + 1], textStart[node] + (offset - start[node]) + 1);
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (sourceOffset(tree, middle, 'start') < offset) from = middle + 1;
    else to = middle;
  }
  return from;
}
