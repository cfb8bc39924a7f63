/** From classified stretches of text to ranges, with a score and a reason that a person can check. */
import { hashBytes, hashId, type Lanes } from '../../compare/byte-hash.ts';
import type { Range } from '../../model/range.ts';
import { sourceOffset } from '../../parse/text.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import { DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import { propagateClasses, TEMPLATE_CLASS, UNSURE_CLASS } from './propagate.ts';
import type { TextStretch } from './text-stretches.ts';

/** Elements that are template or unsure as a whole, and stretches where a text is of several classes. */
export function toRanges(tree: Tree, stretches: readonly TextStretch[], cross: number): Range[] {
  const classes = propagateClasses(tree, stretches);
  const { kind, last, start, end, contentLow, contentHigh } = tree;
  const lanes: Lanes = { low: 0, high: 0 };
  const ranges: Range[] = [];
  let position = 0;
  for (let i = 0; i < stretches.length; ) {
    const stretch = stretches[i];
    if (stretch.label === 'content') {
      i++;
      continue;
    }
    // the highest element around it that is of its class
    const wanted = stretch.label === 'template' ? TEMPLATE_CLASS : UNSURE_CLASS;
    let whole = classes[stretch.node] === wanted ? stretch.node : -1;
    for (
      let above = tree.parent[stretch.node];
      above > 0 && classes[above] === wanted;
      above = tree.parent[above]
    ) {
      if (kind[above] === ELEMENT) whole = above;
    }
    let from: number;
    let to: number;
    let next = i + 1;
    let longest = stretch; // it speaks for the whole
    if (whole >= 0) {
      from = start[whole];
      to = end[whole];
      lanes.low = contentLow[whole];
      lanes.high = contentHigh[whole];
      for (; next < stretches.length && stretches[next].node < last[whole]; next++) {
        if (stretches[next].words > longest.words) longest = stretches[next];
      }
    } else {
      from = sourceOffset(tree, stretch.textStart, 'start');
      to = sourceOffset(tree, stretch.textEnd, 'end');
      hashBytes(tree.text, stretch.textStart, stretch.textEnd, lanes);
    }
    from = Math.max(from, position);
    if (to > from) {
      position = to;
      ranges.push({
        start: from,
        end: to,
        label: stretch.label,
        score: stretch.label === 'unsure' ? 0.5 : scoreOf(longest, cross),
        template: hashId(lanes.low, lanes.high),
        reason: reasonOf(longest, cross),
      });
    }
    i = next;
  }
  return ranges;
}

/** How much of the evidence says template: similar pages that have it, of those there are, or pages of the site. */
function scoreOf({ bits, share }: TextStretch, cross: number): number {
  const similar = Math.max(1, count(cross & (UP | DOWN)));
  return 0.5 + 0.5 * Math.max(share, count(bits & (UP | DOWN)) / similar);
}

function reasonOf({ bits, why }: TextStretch, cross: number): string {
  let reason = `on ${count(bits & (UP | DOWN))} of ${count(cross & (UP | DOWN))} similar pages`;
  const captures = count(cross & (PREVIOUS | NEXT));
  if (captures > 0) reason += `, in ${count(bits & (PREVIOUS | NEXT))} of ${captures} other captures`;
  return why === '' ? reason : `${reason}, ${why}`;
}

/** A page that there is nothing to compare with. */
export function unsurePage(tree: Tree): Range {
  const template = hashId(tree.contentLow[0], tree.contentHigh[0]);
  const reason = 'on 0 of 0 similar pages: nothing to compare with';
  return { start: 0, end: tree.source.length, label: 'unsure', score: 0, template, reason };
}

function count(bits: number): number {
  let sum = 0;
  for (let rest = bits; rest > 0; rest >>= 1) sum += rest & 1;
  return sum;
}
