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
  const { nodeCount, kind, start, end, textStart } = tree;
  let template = 0;
  let slot = 0;
  let unsure = 0;
  let content = 0;
  let at = 0;
  for (let node = 0; node < nodeCount; node++) {
    if (kind[node] !== TEXT || textStart[node + 1] === textStart[node]) continue;
    while (at < ranges.length && ranges[at].end <= start[node]) at++;
    let position = textStart[node];
    for (; at < ranges.length; at++) {
      // the last range that the text lies in has the rest of it
      const isRest = ranges[at].end >= end[node];
      const cut = isRest ? textStart[node + 1] : textPosition(tree, node, ranges[at].end, position);
      const { label } = ranges[at];
      if (label === 'template') template += cut - position;
      else if (label === 'slot') slot += cut - position;
      else if (label === 'unsure') unsure += cut - position;
      else content += cut - position;
      position = cut;
      if (isRest) break;
    }
    if (content + unsure >= enough) break;
  }
  return { template, slot, content, unsure };
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
