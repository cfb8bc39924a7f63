/**
 * Finds the template spans of a page with a model of the dom detector: template nodes, joined with their
 * siblings across small gaps. detect/dom-evidence.ts has the rules.
 */
import * as Dom from '../dom-layout.ts';
import * as Page from '../layout.ts';
import * as Walk from './dom-walk';
import { foldHigh, foldLow } from './hash';
import { findKey, NONE } from './keys';

const TAG_TITLE: u32 = 45;

/** Whether a node is trivially small and too frequent to be evidence. */
function isTrivial(page: u32, model: u32, node: u32, at: u32): bool {
  if (Walk.word(Walk.word(model, Dom.MODEL_OCCURRENCES), at) <= Walk.word(model, Dom.MODEL_UPPER_OCCURRENCES))
    return false;
  const textStarts = Walk.word(page, Page.PAGE_TEXT_START);
  if (Walk.word(textStarts, Walk.word(Walk.word(page, Page.PAGE_LAST), node)) !== Walk.word(textStarts, node))
    return false;
  return (
    Walk.word(Walk.word(page, Page.PAGE_END), node) - Walk.word(Walk.word(page, Page.PAGE_START), node) <=
    Walk.word(model, Dom.MODEL_TRIVIAL_BYTES)
  );
}

/**
 * Whether a node has a known position or context. Contexts are tested first, because they decide most nodes
 * and need no positions.
 */
function hasKnownPosition(scratch: u32, page: u32, model: u32, node: u32, inLine: bool): bool {
  const low = Walk.word(Walk.word(page, Page.PAGE_CONTENT_LOW), node);
  const high = Walk.word(Walk.word(page, Page.PAGE_CONTENT_HIGH), node);
  const known = Walk.word(model, Dom.MODEL_POSITIONS);
  if (!inLine) {
    const context = Walk.contextOf(page, node);
    if (findKey(known, Walk.positionLow(low, context), Walk.positionHigh(high, context)) !== NONE)
      return true;
  }
  Walk.place(scratch, page, node);
  const front = Walk.word(Walk.word(scratch, Dom.DOM_FRONT), node);
  if (findKey(known, Walk.positionLow(low, front), Walk.positionHigh(high, front)) !== NONE) return true;
  const back = Walk.word(Walk.word(scratch, Dom.DOM_BACK), node);
  return findKey(known, Walk.positionLow(low, back), Walk.positionHigh(high, back)) !== NONE;
}

/**
 * Judges the nodes found by the last walk: marks templates and puts the others on the stack; returns the new
 * size of the stack.
 */
function judgeFound(scratch: u32, page: u32, model: u32, refusedCount: u32): u32 {
  const byContent = Walk.word(model, Dom.MODEL_BY_CONTENT) !== 0;
  const lasts = Walk.word(page, Page.PAGE_LAST);
  const foundNodes = Walk.word(scratch, Dom.DOM_FOUND_NODES);
  const foundAt = Walk.word(scratch, Dom.DOM_FOUND_AT);
  const foundCount = Walk.word(scratch, Dom.DOM_FOUND_COUNT);
  for (let i: u32 = 0; i < foundCount; i++) {
    const node = Walk.word(foundNodes, i);
    const at = Walk.word(foundAt, i);
    const inLine = !byContent && Walk.isInLine(scratch, page, node);
    if (
      !isTrivial(page, model, node, at) &&
      (byContent || hasKnownPosition(scratch, page, model, node, inLine))
    ) {
      store<u8>(Walk.word(scratch, Dom.DOM_MARKED) + node, 1);
      Walk.setWord(Walk.word(scratch, Dom.DOM_PAGES), node, Walk.word(Walk.word(model, Dom.MODEL_PAGES), at));
    } else if (Walk.word(lasts, node) > node + 1) {
      Walk.setWord(Walk.word(scratch, Dom.DOM_REFUSED), refusedCount++, (node << 1) | <u32>inLine);
    }
  }
  return refusedCount;
}

/**
 * Finds the template spans of a page: outermost template nodes, joined with siblings across small gaps.
 * Writes spans and gaps to the scratch memory; returns the number of spans.
 */
export function findDomSpans(scratch: u32, page: u32, model: u32): u32 {
  const index = Walk.word(model, Dom.MODEL_NODES);
  const nodeCount = Walk.word(page, Page.PAGE_NODE_COUNT);
  memory.fill(Walk.word(scratch, Dom.DOM_MARKED), 0, nodeCount);
  Walk.openWalk(scratch, page, index);
  let refused = judgeFound(scratch, page, model, 0);
  while (refused > 0) {
    const top = Walk.word(Walk.word(scratch, Dom.DOM_REFUSED), --refused);
    Walk.enterWalk(scratch, page, index, top >> 1, (top & 1) !== 0);
    refused = judgeFound(scratch, page, model, refused);
  }
  return joinSiblings(scratch, page, model);
}

function joinSiblings(scratch: u32, page: u32, model: u32): u32 {
  const nodeCount = Walk.word(page, Page.PAGE_NODE_COUNT);
  const parents = Walk.word(page, Page.PAGE_PARENT);
  const lasts = Walk.word(page, Page.PAGE_LAST);
  const starts = Walk.word(page, Page.PAGE_START);
  const ends = Walk.word(page, Page.PAGE_END);
  const lows = Walk.word(page, Page.PAGE_CONTENT_LOW);
  const highs = Walk.word(page, Page.PAGE_CONTENT_HIGH);
  const pages = Walk.word(scratch, Dom.DOM_PAGES);
  const marked = Walk.word(scratch, Dom.DOM_MARKED);
  const latest = Walk.word(scratch, Dom.DOM_LATEST);
  const spans = Walk.word(scratch, Dom.DOM_SPANS);
  memory.fill(latest, 0, (nodeCount + 1) << 2);
  let count: u32 = 0;
  let gapCount: u32 = 0;
  for (let node: u32 = 0; node < nodeCount; ) {
    if (load<u8>(marked + node) === 0) {
      node++;
      continue;
    }
    // the number of the latest span with this parent, plus one
    const sibling = latest + ((Walk.word(parents, node) + 1) << 2);
    const number = load<u32>(sibling);
    const span = spans + (number - 1) * (Dom.SPAN_WORDS << 2);
    if (number !== 0 && isSmallGap(page, model, Walk.word(span, Dom.SPAN_LAST_NODE), node)) {
      // spans found within the gap become part of it, and so do their gaps
      count = number;
      gapCount = addGap(
        scratch,
        page,
        Walk.word(span, Dom.SPAN_GAPS_TO),
        Walk.word(span, Dom.SPAN_LAST_NODE),
        node,
      );
      Walk.setWord(span, Dom.SPAN_GAPS_TO, gapCount);
      let low = Walk.word(span, Dom.SPAN_LOW);
      let high = Walk.word(span, Dom.SPAN_HIGH);
      const members = Walk.word(span, Dom.SPAN_MEMBERS);
      if (members === 1) {
        const first = foldLow(0x6a09e667, 0x510e527f, low, high);
        high = foldHigh(first, 0x510e527f, low, high);
        low = first;
      }
      const folded = foldLow(low, high, Walk.word(lows, node), Walk.word(highs, node));
      Walk.setWord(
        span,
        Dom.SPAN_HIGH,
        foldHigh(folded, high, Walk.word(lows, node), Walk.word(highs, node)),
      );
      Walk.setWord(span, Dom.SPAN_LOW, folded);
      Walk.setWord(span, Dom.SPAN_MEMBERS, members + 1);
      Walk.setWord(span, Dom.SPAN_PAGES, min(Walk.word(span, Dom.SPAN_PAGES), Walk.word(pages, node)));
      Walk.setWord(span, Dom.SPAN_LAST_NODE, node);
      Walk.setWord(span, Dom.SPAN_END, Walk.word(ends, node));
    } else {
      const next = spans + count * (Dom.SPAN_WORDS << 2);
      store<u32>(sibling, ++count);
      Walk.setWord(next, Dom.SPAN_START, Walk.word(starts, node));
      Walk.setWord(next, Dom.SPAN_END, Walk.word(ends, node));
      Walk.setWord(next, Dom.SPAN_MEMBERS, 1);
      Walk.setWord(next, Dom.SPAN_PAGES, Walk.word(pages, node));
      Walk.setWord(next, Dom.SPAN_LOW, Walk.word(lows, node));
      Walk.setWord(next, Dom.SPAN_HIGH, Walk.word(highs, node));
      Walk.setWord(next, Dom.SPAN_GAPS_FROM, gapCount);
      Walk.setWord(next, Dom.SPAN_GAPS_TO, gapCount);
      Walk.setWord(next, Dom.SPAN_LAST_NODE, node);
    }
    node = Walk.word(lasts, node);
  }
  return count;
}

/** Whether the content between two siblings is small. A title is never part of a gap. */
function isSmallGap(page: u32, model: u32, before: u32, after: u32): bool {
  const lasts = Walk.word(page, Page.PAGE_LAST);
  const textStarts = Walk.word(page, Page.PAGE_TEXT_START);
  const first = Walk.word(lasts, before);
  // two spaces separate the gap's text from its neighbours
  if (
    Walk.word(textStarts, after) - Walk.word(textStarts, first) >
    Walk.word(model, Dom.MODEL_GAP_TEXT_BYTES) + 2
  )
    return false;
  let bytes: u32 = 0;
  for (let node = first; node < after; node = Walk.word(lasts, node)) {
    if (load<u16>(Walk.word(page, Page.PAGE_NAME) + (node << 1)) === TAG_TITLE) return false;
    if (load<u8>(Walk.word(page, Page.PAGE_KIND) + node) !== Walk.COMMENT) {
      bytes +=
        Walk.word(Walk.word(page, Page.PAGE_END), node) - Walk.word(Walk.word(page, Page.PAGE_START), node);
    }
    if (bytes > Walk.word(model, Dom.MODEL_GAP_BYTES)) return false;
  }
  return true;
}

/**
 * Writes the content between two template nodes as gap number `count`, without comments at its ends; returns
 * the new number of gaps.
 */
function addGap(scratch: u32, page: u32, count: u32, before: u32, after: u32): u32 {
  const lasts = Walk.word(page, Page.PAGE_LAST);
  const kinds = Walk.word(page, Page.PAGE_KIND);
  let from: u32 = NONE;
  let to: u32 = 0;
  for (let node = Walk.word(lasts, before); node < after; node = Walk.word(lasts, node)) {
    if (load<u8>(kinds + node) === Walk.COMMENT) continue;
    if (from === NONE) from = Walk.word(Walk.word(page, Page.PAGE_START), node);
    to = Walk.word(Walk.word(page, Page.PAGE_END), node);
  }
  if (from === NONE) return count;
  const gap = Walk.word(scratch, Dom.DOM_GAPS) + (count << 3);
  Walk.setWord(gap, 0, from);
  Walk.setWord(gap, 1, to);
  return count + 1;
}
