/** Turns classified stretches of text into ranges with a score and a reason. */
import { hashBytes, hashId, type Lanes } from '../../analysis/byte-hash.ts';
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import type { Label, Range } from '../../model/range.ts';
import { sourceOffset } from '../../parse/source-map.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import { DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';

/**
 * Returns a range for each element that is template or unsure as a whole, and ranges for stretches where a
 * text has several classes. `cross` has the bits of the arms that exist, 0 when several crosses were merged.
 */
export function toRanges(tree: Tree, stretches: readonly TextStretch[], cross: number): Range[] {
  const classes = propagateClasses(tree, stretches);
  const { last, start, end, contentLow, contentHigh } = tree;
  const lanes: Lanes = { low: 0, high: 0 };
  const ranges: Range[] = [];
  let position = 0;
  for (let i = 0; i < stretches.length; ) {
    const stretch = stretches[i];
    if (stretch.label === 'content') {
      i++;
      continue;
    }
    const whole = wholeNode(tree, classes, stretch);
    let from: number;
    let to: number;
    let next = i + 1;
    if (whole >= 0) {
      while (next < stretches.length && stretches[next].node < last[whole]) next++;
      from = start[whole];
      to = end[whole];
      lanes.low = contentLow[whole];
      lanes.high = contentHigh[whole];
    } else {
      while (stretches[next]?.node === stretch.node && stretches[next].label === stretch.label) next++;
      const textEnd = stretches[next - 1].textEnd;
      from = sourceOffset(tree, stretch.textStart, 'start');
      to = sourceOffset(tree, textEnd, 'end');
      hashBytes(tree.text, stretch.textStart, textEnd, lanes);
    }
    from = Math.max(from, position);
    if (to > from) {
      position = to;
      const members = stretches.slice(i, next);
      ranges.push({
        start: from,
        end: to,
        label: stretch.label,
        score: stretch.label === 'unsure' ? 0.5 : scoreOf(longestOf(members), cross),
        template: hashId(lanes.low, lanes.high),
        reason: reasonOf(members, cross),
      });
    }
    i = next;
  }
  return ranges;
}

/**
 * Returns the node of a stretch, or the highest element around it that has its class throughout; -1 when the
 * text has several classes.
 */
function wholeNode(tree: Tree, classes: Uint8Array, { node, label }: TextStretch): number {
  const wanted = label === 'template' ? TEMPLATE_CLASS : UNSURE_CLASS;
  let whole = classes[node] === wanted ? node : -1;
  for (let above = tree.parent[node]; above > 0 && classes[above] === wanted; above = tree.parent[above]) {
    if (tree.kind[above] === ELEMENT) whole = above;
  }
  return whole;
}

function longestOf(stretches: readonly TextStretch[]): TextStretch {
  let longest = stretches[0];
  for (const stretch of stretches) if (stretch.words > longest.words) longest = stretch;
  return longest;
}

/**
 * Returns the share of the evidence for template: of the similar pages, those with the text, or of the site's
 * pages.
 */
function scoreOf({ bits, share }: TextStretch, cross: number): number {
  if (cross === 0) return 1;
  const similar = Math.max(1, count(cross & (UP | DOWN)));
  return 0.5 + 0.5 * Math.max(share, count(bits & (UP | DOWN)) / similar);
}

/** Maximum number of other rules named in the reason of a range. */
const MAX_RULES = 3;

/**
 * Returns a reason that is true of every word of a range: counts that differ between its stretches are
 * written as an interval, other evidence as true in part.
 */
function reasonOf(stretches: readonly TextStretch[], cross: number): string {
  const parts: string[] = [];
  if (cross !== 0) {
    parts.push(`on ${countSpan(stretches, cross, UP | DOWN)} similar pages`);
    if (cross & (PREVIOUS | NEXT)) {
      parts.push(`in ${countSpan(stretches, cross, PREVIOUS | NEXT)} other captures`);
    }
  }
  const whys = new Set(stretches.map(({ why }) => why));
  const isShared = whys.size === 1;
  whys.delete('');
  for (const why of [...whys].slice(0, MAX_RULES)) parts.push(isShared ? why : `in part ${why}`);
  if (whys.size > MAX_RULES) parts.push('in part for other reasons');
  return parts.join(', ');
}

/**
 * Returns `2 of 2`, or `0 to 1 of 2`: the least and the most of the given arms in which the stretches occur.
 */
function countSpan(stretches: readonly TextStretch[], cross: number, arms: number): string {
  const counts = stretches.map(({ bits }) => count(bits & arms));
  const least = counts.reduce((a, b) => Math.min(a, b));
  const most = counts.reduce((a, b) => Math.max(a, b));
  return `${least === most ? least : `${least} to ${most}`} of ${count(cross & arms)}`;
}

/** Returns the range of a page that cannot be compared with any other. */
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

/** Class of a node without text. */
export const NO_CLASS = 0;
/** Class of a node whose texts are all content. */
export const CONTENT_CLASS = 1;
/** Class of a node whose texts are all template. */
export const TEMPLATE_CLASS = 2;
/** Class of a node whose texts are all unsure. */
export const UNSURE_CLASS = 3;
/** Class of a node whose texts have several classes. */
export const MIXED_CLASS = 4;

const CLASS_OF: Record<Label, number> = {
  content: CONTENT_CLASS,
  template: TEMPLATE_CLASS,
  slot: TEMPLATE_CLASS,
  unsure: UNSURE_CLASS,
};

/**
 * Returns the class of every node from the texts in it, deepest layer first (Leśniak 2017, section 2.3). An
 * element whose children all have one class gets that class; nodes without text have no class and are
 * ignored. One pass backwards over the nodes.
 */
export function propagateClasses({ nodeCount, parent }: Tree, stretches: readonly TextStretch[]): Uint8Array {
  const classes = new Uint8Array(nodeCount);
  for (const { node, label } of stretches) classes[node] = joinClasses(classes[node], CLASS_OF[label]);
  for (let node = nodeCount - 1; node > 0; node--) {
    if (classes[node] !== NO_CLASS) classes[parent[node]] = joinClasses(classes[parent[node]], classes[node]);
  }
  return classes;
}

function joinClasses(one: number, other: number): number {
  return one === NO_CLASS || one === other ? other : MIXED_CLASS;
}

/**
 * A run of words of one text with the same occurrence bits: what the thesis wraps into an element of its own
 * (`dbce`) and classifies.
 */
export interface TextStretch {
  /** Node id of the text that contains it. */
  node: number;
  /** Start and end in `tree.text`, in bytes. */
  textStart: number;
  textEnd: number;
  words: number;
  /** Arms of the cross in which it occurs, as bits. */
  bits: number;
  label: Label;
  /**
   * The rule that made it template instead of the bits, for the reason of its range; empty when the bits
   * decided.
   */
  why: string;
  /** Share of the known pages that have it, when that made it template; else 0. */
  share: number;
}

/** Cuts the words of a page wherever the text or the bits change. The caller sets the labels. */
export function cutStretches(placed: PlacedTokens, bits: Uint8Array): TextStretch[] {
  const { tokenCount, textStart, textEnd, tokenNode } = placed;
  const stretches: TextStretch[] = [];
  let open: TextStretch | undefined;
  for (let token = 0; token < tokenCount; token++) {
    // a start tag ends the open stretch, because the next word belongs to another text
    if (textStart[token] === textEnd[token]) continue;
    if (open && open.node === tokenNode[token] && open.bits === bits[token]) {
      open.textEnd = textEnd[token];
      open.words++;
      continue;
    }
    open = {
      node: tokenNode[token],
      textStart: textStart[token],
      textEnd: textEnd[token],
      words: 1,
      bits: bits[token],
      label: 'unsure',
      why: '',
      share: 0,
    };
    stretches.push(open);
  }
  return stretches;
}
