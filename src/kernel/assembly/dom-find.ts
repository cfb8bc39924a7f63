/**
 * Finds the template spans of a page with a model of the dom detector: template nodes, joined with their
 * siblings across small gaps. detect/dom-evidence.ts has the rules.
 */
import * as Dom from '../dom-layout.ts';
import * as Page from '../layout.ts';
import {
  COMMENT,
  contextOf,
  enterWalk,
  isInLine,
  openWalk,
  place,
  positionHigh,
  positionLow,
  setWord,
  word,
} from './dom-walk';
import { foldHigh, foldLow } from './hash';
import { findKey, NONE } from './keys';

const TAG_TITLE: u32 = 45;

/** Whether a node is trivially small and too frequent to be evidence. */
function isTrivial(page: u32, model: u32, node: u32, at: u32): bool {
  if (word(word(model, Dom.MODEL_OCCURRENCES), at) <= word(model, Dom.MODEL_UPPER_OCCURRENCES)) return false;
  const textStarts = word(page, Page.PAGE_TEXT_START);
  if (word(textStarts, word(word(page, Page.PAGE_LAST), node)) !== word(textStarts, node)) return false;
  return (
    word(word(page, Page.PAGE_END), node) - word(word(page, Page.PAGE_START), node) <=
    word(model, Dom.MODEL_TRIVIAL_BYTES)
  );
}

/**
 * Whether a node has a known position or context. Contexts are tested first, because they decide most nodes
 * and need no positions.
 */
function hasKnownPosition(scratch: u32, page: u32, model: u32, node: u32, inLine: bool): bool {
  const low = word(word(page, Page.PAGE_CONTENT_LOW), node);
  const high = word(word(page, Page.PAGE_CONTENT_HIGH), node);
  const known = word(model, Dom.MODEL_POSITIONS);
  if (!inLine) {
    const context = contextOf(page, node);
    if (findKey(known, positionLow(low, context), positionHigh(high, context)) !== NONE) return true;
  }
  place(scratch, page, node);
  const front = word(word(scratch, Dom.DOM_FRONT), node);
  if (findKey(known, positionLow(low, front), positionHigh(high, front)) !== NONE) return true;
  const back = word(word(scratch, Dom.DOM_BACK), node);
  return findKey(known, positionLow(low, back), positionHigh(high, back)) !== NONE;
}

/**
 * Judges the nodes found by the last walk: marks templates and puts the others on the stack; returns the new
 * size of the stack.
 */
function judgeFound(scratch: u32, page: u32, model: u32, refusedCount: u32): u32 {
  const byContent = word(model, Dom.MODEL_BY_CONTENT) !== 0;
  const lasts = word(page, Page.PAGE_LAST);
  const foundNodes = word(scratch, Dom.DOM_FOUND_NODES);
  const foundAt = word(scratch, Dom.DOM_FOUND_AT);
  const foundCount = word(scratch, Dom.DOM_FOUND_COUNT);
  for (let i: u32 = 0; i < foundCount; i++) {
    const node = word(foundNodes, i);
    const at = word(foundAt, i);
    const inLine = !byContent && isInLine(scratch, page, node);
    if (
      !isTrivial(page, model, node, at) &&
      (byContent || hasKnownPosition(scratch, page, model, node, inLine))
    ) {
      store<u8>(word(scratch, Dom.DOM_MARKED) + node, 1);
      setWord(word(scratch, Dom.DOM_PAGES), node, word(word(model, Dom.MODEL_PAGES), at));
    } else if (word(lasts, node) > node + 1) {
      setWord(word(scratch, Dom.DOM_REFUSED), refusedCount++, (node << 1) | <u32>inLine);
    }
  }
  return refusedCount;
}

/**
 * Finds the template spans of a page: outermost template nodes, joined with siblings across small gaps.
 * Writes spans and gaps to the scratch memory; returns the number of spans.
 */
export function findDomSpans(scratch: u32, page: u32, model: u32): u32 {
  const index = word(model, Dom.MODEL_NODES);
  const nodeCount = word(page, Page.PAGE_NODE_COUNT);
  memory.fill(word(scratch, Dom.DOM_MARKED), 0, nodeCount);
  openWalk(scratch, page, index);
  let refused = judgeFound(scratch, page, model, 0);
  while (refused > 0) {
    const top = word(word(scratch, Dom.DOM_REFUSED), --refused);
    enterWalk(scratch, page, index, top >> 1, (top & 1) !== 0);
    refused = judgeFound(scratch, page, model, refused);
  }
  return joinSiblings(scratch, page, model);
}

function joinSiblings(scratch: u32, page: u32, model: u32): u32 {
  const nodeCount = word(page, Page.PAGE_NODE_COUNT);
  const parents = word(page, Page.PAGE_PARENT);
  const lasts = word(page, Page.PAGE_LAST);
  const starts = word(page, Page.PAGE_START);
  const ends = word(page, Page.PAGE_END);
  const lows = word(page, Page.PAGE_CONTENT_LOW);
  const highs = word(page, Page.PAGE_CONTENT_HIGH);
  const pages = word(scratch, Dom.DOM_PAGES);
  const marked = word(scratch, Dom.DOM_MARKED);
  const latest = word(scratch, Dom.DOM_LATEST);
  const spans = word(scratch, Dom.DOM_SPANS);
  memory.fill(latest, 0, (nodeCount + 1) << 2);
  let count: u32 = 0;
  let gapCount: u32 = 0;
  for (let node: u32 = 0; node < nodeCount; ) {
    if (load<u8>(marked + node) === 0) {
      node++;
      continue;
    }
    // the number of the latest span with this parent, plus one
    const sibling = latest + ((word(parents, node) + 1) << 2);
    const number = load<u32>(sibling);
    const span = spans + (number - 1) * (Dom.SPAN_WORDS << 2);
    if (number !== 0 && isSmallGap(page, model, word(span, Dom.SPAN_LAST_NODE), node)) {
      // spans found within the gap become part of it, and so do their gaps
      count = number;
      gapCount = addGap(scratch, page, word(span, Dom.SPAN_GAPS_TO), word(span, Dom.SPAN_LAST_NODE), node);
      setWord(span, Dom.SPAN_GAPS_TO, gapCount);
      let low = word(span, Dom.SPAN_LOW);
      let high = word(span, Dom.SPAN_HIGH);
      const members = word(span, Dom.SPAN_MEMBERS);
      if (members === 1) {
        const first = foldLow(0x6a09e667, 0x510e527f, low, high);
        high = foldHigh(first, 0x510e527f, low, high);
        low = first;
      }
      const folded = foldLow(low, high, word(lows, node), word(highs, node));
      setWord(span, Dom.SPAN_HIGH, foldHigh(folded, high, word(lows, node), word(highs, node)));
      setWord(span, Dom.SPAN_LOW, folded);
      setWord(span, Dom.SPAN_MEMBERS, members + 1);
      setWord(span, Dom.SPAN_PAGES, min(word(span, Dom.SPAN_PAGES), word(pages, node)));
      setWord(span, Dom.SPAN_LAST_NODE, node);
      setWord(span, Dom.SPAN_END, word(ends, node));
    } else {
      const next = spans + count * (Dom.SPAN_WORDS << 2);
      store<u32>(sibling, ++count);
      setWord(next, Dom.SPAN_START, word(starts, node));
      setWord(next, Dom.SPAN_END, word(ends, node));
      setWord(next, Dom.SPAN_MEMBERS, 1);
      setWord(next, Dom.SPAN_PAGES, word(pages, node));
      setWord(next, Dom.SPAN_LOW, word(lows, node));
      setWord(next, Dom.SPAN_HIGH, word(highs, node));
      setWord(next, Dom.SPAN_GAPS_FROM, gapCount);
      setWord(next, Dom.SPAN_GAPS_TO, gapCount);
      setWord(next, Dom.SPAN_LAST_NODE, node);
    }
    node = word(lasts, node);
  }
  return count;
}

/** Whether the content between two siblings is small. A title is never part of a gap. */
function isSmallGap(page: u32, model: u32, before: u32, after: u32): bool {
  const lasts = word(page, Page.PAGE_LAST);
  const textStarts = word(page, Page.PAGE_TEXT_START);
  const first = word(lasts, before);
  // two spaces separate the gap's text from its neighbours
  if (word(textStarts, after) - word(textStarts, first) > word(model, Dom.MODEL_GAP_TEXT_BYTES) + 2)
    return false;
  let bytes: u32 = 0;
  for (let node = first; node < after; node = word(lasts, node)) {
    if (load<u16>(word(page, Page.PAGE_NAME) + (node << 1)) === TAG_TITLE) return false;
    if (load<u8>(word(page, Page.PAGE_KIND) + node) !== COMMENT) {
      bytes += word(word(page, Page.PAGE_END), node) - word(word(page, Page.PAGE_START), node);
    }
    if (bytes > word(model, Dom.MODEL_GAP_BYTES)) return false;
  }
  return true;
}

/**
 * Writes the content between two template nodes as gap number `count`, without comments at its ends; returns
 * the new number of gaps.
 */
function addGap(scratch: u32, page: u32, count: u32, before: u32, after: u32): u32 {
  const lasts = word(page, Page.PAGE_LAST);
  const kinds = word(page, Page.PAGE_KIND);
  let from: u32 = NONE;
  let to: u32 = 0;
  for (let node = word(lasts, before); node < after; node = word(lasts, node)) {
    if (load<u8>(kinds + node) === COMMENT) continue;
    if (from === NONE) from = word(word(page, Page.PAGE_START), node);
    to = word(word(page, Page.PAGE_END), node);
  }
  if (from === NONE) return count;
  const gap = word(scratch, Dom.DOM_GAPS) + (count << 3);
  setWord(gap, 0, from);
  setWord(gap, 1, to);
  return count + 1;
}
