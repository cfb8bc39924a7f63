/**
 * The dom detector, node by node: counts the content hashes of sampled pages, finds which frequent nodes have stable
 * positions, and finds the template spans of a page. detect/dom-evidence.ts has the rules.
 *
 * A position is a path as a hash: the chain of tags from the root with, at each step, the node's number among the
 * siblings of its tag, counted from the first or from the last. A context is the tags of the nearest two ancestors.
 */
import {
  CONTEXT_ENTERED,
  DOM_BACK,
  DOM_BREAKS,
  DOM_CHANGING,
  DOM_COUNT,
  DOM_FOUND_AT,
  DOM_FOUND_COUNT,
  DOM_FOUND_NODES,
  DOM_FRONT,
  DOM_GAPS,
  DOM_LATEST,
  DOM_MARKED,
  DOM_NODES,
  DOM_PAGES,
  DOM_PATH,
  DOM_PLACED,
  DOM_REFUSED,
  DOM_ROOT,
  DOM_ROOT_IN_LINE,
  DOM_SPANS,
  DOM_TAG_COUNTS,
  LINE_FILTER_BITS,
  MODEL_BY_CONTENT,
  MODEL_GAP_BYTES,
  MODEL_GAP_TEXT_BYTES,
  MODEL_NODES,
  MODEL_OCCURRENCES,
  MODEL_PAGES,
  MODEL_POSITIONS,
  MODEL_TRIVIAL_BYTES,
  MODEL_UPPER_OCCURRENCES,
  RECORD_WORDS,
  SEEN_ALONE,
  SEEN_IN_LINE,
  SPAN_END,
  SPAN_GAPS_FROM,
  SPAN_GAPS_TO,
  SPAN_HIGH,
  SPAN_LAST_NODE,
  SPAN_LOW,
  SPAN_MEMBERS,
  SPAN_PAGES,
  SPAN_START,
  SPAN_WORDS,
  STABLE_BY_POSITION,
  STABLE_THROUGHOUT,
} from '../dom-layout.ts';
import {
  COUNTED_HIGH,
  COUNTED_LOW,
  COUNTED_OCCURRENCES,
  COUNTED_PAGES,
  COUNTED_WORDS,
  COUNTER_MASK,
  COUNTER_SLOTS,
  INDEX_FILTER,
  INDEX_SHIFT,
  SKETCH_FILTER,
  SKETCH_SHIFT,
} from '../key-layout.ts';
import {
  PAGE_CONTENT_HIGH,
  PAGE_CONTENT_LOW,
  PAGE_END,
  PAGE_KIND,
  PAGE_LAST,
  PAGE_NAME,
  PAGE_NODE_COUNT,
  PAGE_PARENT,
  PAGE_START,
  PAGE_TEXT_START,
  RESULTS_AT,
} from '../layout.ts';
import { foldHigh, foldLow, mix32 } from './hash';
import { addToFilter, countKey, findCounted, findKey, isInFilter, NONE, sketchKey } from './keys';

const TEXT: u32 = 3;
const COMMENT: u32 = 8;
const DECLARATION: u32 = 10;
const TAG_TITLE: u32 = 45;
/** Ids of foreign names differ from page to page: they count as one tag. Kinds lie above the ids in use. */
const FIRST_FOREIGN_TAG: u32 = 256;
const FOREIGN: u32 = 255;
const FIRST_KIND: u32 = 240;
const NO_PARENT: u32 = 0xffffffff;
const LINE_SHIFT: u32 = 32 - LINE_FILTER_BITS;

function word(base: u32, index: u32): u32 {
  return load<u32>(base + (index << 2));
}

function setWord(base: u32, index: u32, value: u32): void {
  store<u32>(base + (index << 2), value);
}

/** Comments and doctypes do not become templates by themselves. */
function isCandidate(kind: u32): bool {
  return kind !== COMMENT && kind !== DECLARATION;
}

// counting content hashes

/** Counts the content hashes of a page in a sketch. */
export function sketchNodes(page: u32, number: u32, sketch: u32): void {
  const nodeCount = word(page, PAGE_NODE_COUNT);
  const lows = word(page, PAGE_CONTENT_LOW);
  for (let node: u32 = 0; node < nodeCount; node++) sketchKey(sketch, word(lows, node), number);
}

/** Counts the nodes of a page by content hash: those that the sketch says may be frequent, or all when it is 0. */
export function countNodes(page: u32, number: u32, sketch: u32, counter: u32): void {
  const nodeCount = word(page, PAGE_NODE_COUNT);
  const kinds = word(page, PAGE_KIND);
  const lows = word(page, PAGE_CONTENT_LOW);
  const highs = word(page, PAGE_CONTENT_HIGH);
  const filter = sketch === 0 ? 0 : word(sketch, SKETCH_FILTER);
  const shift = sketch === 0 ? 0 : word(sketch, SKETCH_SHIFT);
  for (let node: u32 = 0; node < nodeCount; node++) {
    const low = word(lows, node);
    if (filter !== 0 && !isInFilter(filter, shift, low)) continue;
    if (isCandidate(load<u8>(kinds + node))) countKey(counter, low, word(highs, node), number);
  }
}

// the walk from the root down to frequent nodes

function breaksWords(breaks: u32, tag: u32): bool {
  return tag < FIRST_FOREIGN_TAG && load<u8>(breaks + tag) !== 0;
}

/** Starts on a page: walks it from the root down to nodes in the index. */
function openWalk(scratch: u32, page: u32, index: u32): void {
  const nodeCount = word(page, PAGE_NODE_COUNT);
  memory.fill(word(scratch, DOM_CHANGING), 0, nodeCount);
  memory.fill(word(scratch, DOM_PLACED), 0, nodeCount);
  setWord(word(scratch, DOM_FRONT), 0, 1);
  setWord(word(scratch, DOM_BACK), 0, 2);
  setWord(scratch, DOM_ROOT, 0);
  setWord(scratch, DOM_ROOT_IN_LINE, 0);
  setWord(scratch, DOM_COUNT, 0);
  setWord(scratch, DOM_FOUND_COUNT, 0);
  if (nodeCount === 0) return;
  const at = findKey(index, word(word(page, PAGE_CONTENT_LOW), 0), word(word(page, PAGE_CONTENT_HIGH), 0));
  setWord(word(scratch, DOM_NODES), 0, 0);
  setWord(scratch, DOM_COUNT, 1);
  if (at === NONE) {
    walk(scratch, page, index, 0);
  } else {
    setWord(word(scratch, DOM_FOUND_NODES), 0, 0);
    setWord(word(scratch, DOM_FOUND_AT), 0, at);
    setWord(scratch, DOM_FOUND_COUNT, 1);
  }
}

/** Walks the inside of a node that was found before. */
function enterWalk(scratch: u32, page: u32, index: u32, node: u32, isInLine: bool): void {
  setWord(scratch, DOM_ROOT, node);
  setWord(scratch, DOM_ROOT_IN_LINE, <u32>isInLine);
  setWord(scratch, DOM_COUNT, 0);
  setWord(scratch, DOM_FOUND_COUNT, 0);
  walk(scratch, page, index, node);
}

/** Walks on from a node; notes where text is that is in no frequent node. */
function walk(scratch: u32, page: u32, index: u32, root: u32): void {
  const kinds = word(page, PAGE_KIND);
  const names = word(page, PAGE_NAME);
  const parents = word(page, PAGE_PARENT);
  const lasts = word(page, PAGE_LAST);
  const lows = word(page, PAGE_CONTENT_LOW);
  const highs = word(page, PAGE_CONTENT_HIGH);
  const textStarts = word(page, PAGE_TEXT_START);
  const filter = word(index, INDEX_FILTER);
  const shift = word(index, INDEX_SHIFT);
  const nodes = word(scratch, DOM_NODES);
  const foundNodes = word(scratch, DOM_FOUND_NODES);
  const foundAt = word(scratch, DOM_FOUND_AT);
  const changing = word(scratch, DOM_CHANGING);
  const breaks = word(scratch, DOM_BREAKS);
  const end = word(lasts, root);
  let count = word(scratch, DOM_COUNT);
  let foundCount = word(scratch, DOM_FOUND_COUNT);
  for (let node = root + 1; node < end; ) {
    setWord(nodes, count++, node);
    const low = word(lows, node);
    const kind: u32 = load<u8>(kinds + node);
    if (isInFilter(filter, shift, low) && isCandidate(kind)) {
      const at = findKey(index, low, word(highs, node));
      if (at !== NONE) {
        setWord(foundNodes, foundCount, node);
        setWord(foundAt, foundCount++, at);
        node = word(lasts, node);
        continue;
      }
    }
    if (kind === TEXT && word(textStarts, node + 1) > word(textStarts, node)) {
      let above = word(parents, node);
      for (; above !== NO_PARENT; above = word(parents, above)) {
        if (load<u8>(changing + above) !== 0) break;
        store<u8>(changing + above, 1);
        if (breaksWords(breaks, load<u16>(names + (above << 1)))) break;
      }
    }
    node++;
  }
  setWord(scratch, DOM_COUNT, count);
  setWord(scratch, DOM_FOUND_COUNT, foundCount);
}

/**
 * Whether a node walked last is in a line of changing text: beside it, or in an inline element beside it. A block among
 * changing text is a line of its own.
 */
function isInLine(scratch: u32, page: u32, node: u32): bool {
  const names = word(page, PAGE_NAME);
  const parents = word(page, PAGE_PARENT);
  const changing = word(scratch, DOM_CHANGING);
  const breaks = word(scratch, DOM_BREAKS);
  const root = word(scratch, DOM_ROOT);
  let below = node;
  for (let above = word(parents, node); above !== NO_PARENT; above = word(parents, above)) {
    if (load<u8>(changing + above) !== 0 && !breaksWords(breaks, load<u16>(names + (below << 1))))
      return true;
    if (breaksWords(breaks, load<u16>(names + (above << 1)))) return false;
    if (above === root) return word(scratch, DOM_ROOT_IN_LINE) !== 0;
    below = above;
  }
  return false;
}

// positions and contexts

function tagOf(page: u32, node: u32): u32 {
  const name: u32 = load<u16>(word(page, PAGE_NAME) + (node << 1));
  if (name >= FIRST_FOREIGN_TAG) return FOREIGN;
  return name === 0 ? FIRST_KIND + load<u8>(word(page, PAGE_KIND) + node) : name;
}

/** Sets the positions of the children of a node that has positions. */
function placeChildren(scratch: u32, page: u32, above: u32): void {
  const lasts = word(page, PAGE_LAST);
  const fronts = word(scratch, DOM_FRONT);
  const backs = word(scratch, DOM_BACK);
  const end = word(lasts, above);
  const front = word(fronts, above) * 0x9e3779b1;
  const back = word(backs, above) * 0x85ebca6b;
  const first = above + 1;
  if (first < end && word(lasts, first) === end) {
    // an only child, as half of them are, is the first from both sides
    const step = (tagOf(page, first) << 16) ^ 1;
    setWord(fronts, first, mix32(front ^ step));
    setWord(backs, first, mix32(back ^ step));
    return;
  }
  const counts = word(scratch, DOM_TAG_COUNTS);
  for (let child = first; child < end; child = word(lasts, child)) {
    const tag = tagOf(page, child);
    const count = word(counts, tag) + 1;
    setWord(counts, tag, count);
    setWord(fronts, child, mix32(front ^ (tag << 16) ^ count));
  }
  for (let child = first; child < end; child = word(lasts, child)) {
    const tag = tagOf(page, child);
    const count = word(counts, tag);
    setWord(counts, tag, count - 1);
    setWord(backs, child, mix32(back ^ (tag << 16) ^ count));
  }
}

/** Sets the positions of a node, and of what is needed for that. */
function place(scratch: u32, page: u32, node: u32): void {
  const parents = word(page, PAGE_PARENT);
  const placed = word(scratch, DOM_PLACED);
  const path = word(scratch, DOM_PATH);
  let length: u32 = 0;
  for (let above = word(parents, node); above !== NO_PARENT; above = word(parents, above)) {
    if (load<u8>(placed + above) !== 0) break;
    store<u8>(placed + above, 1);
    setWord(path, length++, above);
  }
  while (length > 0) placeChildren(scratch, page, word(path, --length));
}

/** Sets the positions of all nodes walked last, from the top down. */
function placeAll(scratch: u32, page: u32): void {
  const lasts = word(page, PAGE_LAST);
  const nodes = word(scratch, DOM_NODES);
  const count = word(scratch, DOM_COUNT);
  const foundNodes = word(scratch, DOM_FOUND_NODES);
  const foundCount = word(scratch, DOM_FOUND_COUNT);
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const node = word(nodes, i);
    if (found < foundCount && word(foundNodes, found) === node) found++;
    else if (word(lasts, node) > node + 1) placeChildren(scratch, page, node);
  }
}

function contextOf(page: u32, node: u32): u32 {
  const parents = word(page, PAGE_PARENT);
  const above = word(parents, node);
  if (above === NO_PARENT) return 3;
  const second = word(parents, above);
  const outer = second === NO_PARENT ? 0 : tagOf(page, second);
  return mix32((tagOf(page, above) * 0x9e3779b1) ^ outer);
}

/** The hash of a node together with a position or a context. */
function positionLow(low: u32, position: u32): u32 {
  const a = (low ^ position) * 0x85ebca6b;
  return a ^ (a >> 15);
}

function positionHigh(high: u32, position: u32): u32 {
  const b = (high ^ (position * 0x9e3779b1)) * 0xc2b2ae35;
  return b ^ (b >> 14);
}

// learning which frequent nodes have stable positions

/** Counts a frequent node, by its index, at a position; returns its slot. Nodes share contexts, so both choose the slot. */
function countPosition(counter: u32, index: u32, position: u32, number: u32, seen: u32): u32 {
  const high = position ^ (index * 0x9e3779b1);
  const isNew = word(findCounted(counter, index, high), COUNTED_PAGES) === 0;
  const before = isNew ? 0 : word(findCounted(counter, index, high), COUNTED_OCCURRENCES);
  const slot = countKey(counter, index, high, number);
  setWord(slot, COUNTED_OCCURRENCES, before | seen); // bits instead of a count
  return slot;
}

function positionOf(slot: u32): u32 {
  return word(slot, COUNTED_HIGH) ^ (word(slot, COUNTED_LOW) * 0x9e3779b1);
}

/**
 * Counts the positions and contexts of the outermost frequent nodes of a page. Writes their records, and both positions
 * of every node in a line of changing text to `lines`; the numbers of records and of words are in results 0 and 1. The
 * counter needs three free slots for each node.
 */
export function countPositions(
  scratch: u32,
  page: u32,
  number: u32,
  index: u32,
  counter: u32,
  records: u32,
  lines: u32,
): void {
  openWalk(scratch, page, index);
  placeAll(scratch, page);
  const fronts = word(scratch, DOM_FRONT);
  const backs = word(scratch, DOM_BACK);
  const nodes = word(scratch, DOM_NODES);
  const count = word(scratch, DOM_COUNT);
  let lineCount: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const node = word(nodes, i);
    if (!isInLine(scratch, page, node)) continue;
    setWord(lines, lineCount++, word(fronts, node));
    setWord(lines, lineCount++, word(backs, node));
  }

  const foundNodes = word(scratch, DOM_FOUND_NODES);
  const foundAt = word(scratch, DOM_FOUND_AT);
  const foundCount = word(scratch, DOM_FOUND_COUNT);
  let record = records;
  for (let i: u32 = 0; i < foundCount; i++) {
    const node = word(foundNodes, i);
    const at = word(foundAt, i);
    const context = contextOf(page, node);
    const seen: u32 = isInLine(scratch, page, node) ? SEEN_IN_LINE : SEEN_ALONE;
    setWord(record, 0, node);
    setWord(record, 1, at);
    setWord(record, 2, context);
    record += RECORD_WORDS << 2;
    countPosition(counter, at, word(fronts, node), number, seen);
    countPosition(counter, at, word(backs, node), number, seen);
    countPosition(counter, at, context, number, 0);
  }
  store<u32>(RESULTS_AT, foundCount);
  store<u32>(RESULTS_AT, lineCount, 4);
}

/** Puts into a filter the positions on enough pages that were seen in lines only; returns their number. */
export function selectLinePositions(counter: u32, thresholdPages: u32, filter: u32): u32 {
  const slots = word(counter, COUNTER_SLOTS);
  const end = slots + (word(counter, COUNTER_MASK) + 1) * (COUNTED_WORDS << 2);
  let selected: u32 = 0;
  for (let slot = slots; slot < end; slot += COUNTED_WORDS << 2) {
    if (word(slot, COUNTED_PAGES) < thresholdPages || word(slot, COUNTED_OCCURRENCES) !== SEEN_IN_LINE)
      continue;
    addToFilter(filter, LINE_SHIFT, positionOf(slot));
    selected++;
  }
  return selected;
}

/** Counts the pages with anything at these positions, of positions in lines of a page. */
export function countLinePositions(lines: u32, count: u32, number: u32, filter: u32, counter: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const position = word(lines, i);
    if (isInFilter(filter, LINE_SHIFT, position)) countKey(counter, position, position, number);
  }
}

function keepPosition(kept: u32, lows: u32, highs: u32, index: u32, position: u32): void {
  countKey(kept, positionLow(word(lows, index), position), positionHigh(word(highs, index), position), 0);
}

/**
 * Marks frequent nodes that have a stable position, and keeps those positions. In lines a node needs half of the pages
 * that have anything there.
 */
export function keepStable(
  counter: u32,
  thresholdPages: u32,
  lineCounter: u32,
  lows: u32,
  highs: u32,
  stable: u32,
  kept: u32,
): void {
  const slots = word(counter, COUNTER_SLOTS);
  const end = slots + (word(counter, COUNTER_MASK) + 1) * (COUNTED_WORDS << 2);
  for (let slot = slots; slot < end; slot += COUNTED_WORDS << 2) {
    const pages = word(slot, COUNTED_PAGES);
    const seen = word(slot, COUNTED_OCCURRENCES);
    if (pages === 0 || pages < thresholdPages || seen === 0) continue;
    const position = positionOf(slot);
    if (seen === SEEN_IN_LINE && lineCounter !== 0) {
      if (pages * 2 < word(findCounted(lineCounter, position, position), COUNTED_PAGES)) continue;
    }
    const index = word(slot, COUNTED_LOW);
    store<u8>(stable + index, STABLE_BY_POSITION);
    keepPosition(kept, lows, highs, index, position);
  }
}

/** Marks the nodes inside stable nodes of a page: they are stable too. */
export function markInside(page: u32, records: u32, count: u32, index: u32, stable: u32): void {
  const lasts = word(page, PAGE_LAST);
  const lows = word(page, PAGE_CONTENT_LOW);
  const highs = word(page, PAGE_CONTENT_HIGH);
  for (let i: u32 = 0; i < count; i++) {
    const record = records + i * (RECORD_WORDS << 2);
    const found = word(record, 1);
    if (load<u8>(stable + found) !== STABLE_BY_POSITION) continue;
    store<u8>(stable + found, STABLE_THROUGHOUT);
    const node = word(record, 0);
    const last = word(lasts, node);
    for (let inside = node + 1; inside < last; inside++) {
      const part = findKey(index, word(lows, inside), word(highs, inside));
      if (part !== NONE) store<u8>(stable + part, STABLE_THROUGHOUT); // all but comments
    }
  }
}

/** Keeps the contexts of stable nodes of a page that are on enough pages, and those of all nodes inside stable nodes. */
export function keepContexts(
  page: u32,
  records: u32,
  count: u32,
  counter: u32,
  thresholdPages: u32,
  index: u32,
  frequentLows: u32,
  frequentHighs: u32,
  stable: u32,
  kept: u32,
): void {
  const lasts = word(page, PAGE_LAST);
  const lows = word(page, PAGE_CONTENT_LOW);
  const highs = word(page, PAGE_CONTENT_HIGH);
  for (let i: u32 = 0; i < count; i++) {
    const record = records + i * (RECORD_WORDS << 2);
    const found = word(record, 1);
    if (load<u8>(stable + found) === 0) continue;
    const context = word(record, 2);
    const slot = findCounted(counter, found, context ^ (found * 0x9e3779b1));
    const seen = word(slot, COUNTED_OCCURRENCES);
    if ((seen & CONTEXT_ENTERED) !== 0) continue;
    setWord(slot, COUNTED_OCCURRENCES, seen | CONTEXT_ENTERED);
    if (word(slot, COUNTED_PAGES) >= thresholdPages)
      keepPosition(kept, frequentLows, frequentHighs, found, context);
    const node = word(record, 0);
    const last = word(lasts, node);
    for (let inside = node + 1; inside < last; inside++) {
      const part = findKey(index, word(lows, inside), word(highs, inside));
      if (part === NONE) continue; // a comment
      keepPosition(kept, frequentLows, frequentHighs, part, contextOf(page, inside));
    }
  }
}

// finding the templates of a page

/** Whether a node is trivially small and so frequent that this says nothing. */
function isTrivial(page: u32, model: u32, node: u32, at: u32): bool {
  if (word(word(model, MODEL_OCCURRENCES), at) <= word(model, MODEL_UPPER_OCCURRENCES)) return false;
  const textStarts = word(page, PAGE_TEXT_START);
  if (word(textStarts, word(word(page, PAGE_LAST), node)) !== word(textStarts, node)) return false;
  return (
    word(word(page, PAGE_END), node) - word(word(page, PAGE_START), node) <= word(model, MODEL_TRIVIAL_BYTES)
  );
}

/** Whether a node has a known position or context. Contexts come first: they decide most, and need no positions. */
function hasKnownPosition(scratch: u32, page: u32, model: u32, node: u32, inLine: bool): bool {
  const low = word(word(page, PAGE_CONTENT_LOW), node);
  const high = word(word(page, PAGE_CONTENT_HIGH), node);
  const known = word(model, MODEL_POSITIONS);
  if (!inLine) {
    const context = contextOf(page, node);
    if (findKey(known, positionLow(low, context), positionHigh(high, context)) !== NONE) return true;
  }
  place(scratch, page, node);
  const front = word(word(scratch, DOM_FRONT), node);
  if (findKey(known, positionLow(low, front), positionHigh(high, front)) !== NONE) return true;
  const back = word(word(scratch, DOM_BACK), node);
  return findKey(known, positionLow(low, back), positionHigh(high, back)) !== NONE;
}

/** Judges the nodes found by the last walk: marks templates, stacks the others; returns the new size of the stack. */
function judgeFound(scratch: u32, page: u32, model: u32, refusedCount: u32): u32 {
  const byContent = word(model, MODEL_BY_CONTENT) !== 0;
  const lasts = word(page, PAGE_LAST);
  const foundNodes = word(scratch, DOM_FOUND_NODES);
  const foundAt = word(scratch, DOM_FOUND_AT);
  const foundCount = word(scratch, DOM_FOUND_COUNT);
  for (let i: u32 = 0; i < foundCount; i++) {
    const node = word(foundNodes, i);
    const at = word(foundAt, i);
    const inLine = !byContent && isInLine(scratch, page, node);
    if (
      !isTrivial(page, model, node, at) &&
      (byContent || hasKnownPosition(scratch, page, model, node, inLine))
    ) {
      store<u8>(word(scratch, DOM_MARKED) + node, 1);
      setWord(word(scratch, DOM_PAGES), node, word(word(model, MODEL_PAGES), at));
    } else if (word(lasts, node) > node + 1) {
      setWord(word(scratch, DOM_REFUSED), refusedCount++, (node << 1) | <u32>inLine);
    }
  }
  return refusedCount;
}

/**
 * Finds the template spans of a page: outermost template nodes, siblings joined across small gaps. Spans and gaps are
 * in the scratch; returns the number of spans.
 */
export function findDomSpans(scratch: u32, page: u32, model: u32): u32 {
  const index = word(model, MODEL_NODES);
  const nodeCount = word(page, PAGE_NODE_COUNT);
  memory.fill(word(scratch, DOM_MARKED), 0, nodeCount);
  openWalk(scratch, page, index);
  let refused = judgeFound(scratch, page, model, 0);
  while (refused > 0) {
    const top = word(word(scratch, DOM_REFUSED), --refused);
    enterWalk(scratch, page, index, top >> 1, (top & 1) !== 0);
    refused = judgeFound(scratch, page, model, refused);
  }
  return joinSiblings(scratch, page, model);
}

function joinSiblings(scratch: u32, page: u32, model: u32): u32 {
  const nodeCount = word(page, PAGE_NODE_COUNT);
  const parents = word(page, PAGE_PARENT);
  const lasts = word(page, PAGE_LAST);
  const starts = word(page, PAGE_START);
  const ends = word(page, PAGE_END);
  const lows = word(page, PAGE_CONTENT_LOW);
  const highs = word(page, PAGE_CONTENT_HIGH);
  const pages = word(scratch, DOM_PAGES);
  const marked = word(scratch, DOM_MARKED);
  const latest = word(scratch, DOM_LATEST);
  const spans = word(scratch, DOM_SPANS);
  memory.fill(latest, 0, (nodeCount + 1) << 2);
  let count: u32 = 0;
  let gapCount: u32 = 0;
  for (let node: u32 = 0; node < nodeCount; ) {
    if (load<u8>(marked + node) === 0) {
      node++;
      continue;
    }
    // one more than the number of the latest span with this parent
    const sibling = latest + ((word(parents, node) + 1) << 2);
    const number = load<u32>(sibling);
    const span = spans + (number - 1) * (SPAN_WORDS << 2);
    if (number !== 0 && isSmallGap(page, model, word(span, SPAN_LAST_NODE), node)) {
      // templates found within the gap are part of it, and so are their gaps
      count = number;
      gapCount = addGap(scratch, page, word(span, SPAN_GAPS_TO), word(span, SPAN_LAST_NODE), node);
      setWord(span, SPAN_GAPS_TO, gapCount);
      let low = word(span, SPAN_LOW);
      let high = word(span, SPAN_HIGH);
      const members = word(span, SPAN_MEMBERS);
      if (members === 1) {
        const first = foldLow(0x6a09e667, 0x510e527f, low, high);
        high = foldHigh(first, 0x510e527f, low, high);
        low = first;
      }
      const folded = foldLow(low, high, word(lows, node), word(highs, node));
      setWord(span, SPAN_HIGH, foldHigh(folded, high, word(lows, node), word(highs, node)));
      setWord(span, SPAN_LOW, folded);
      setWord(span, SPAN_MEMBERS, members + 1);
      setWord(span, SPAN_PAGES, min(word(span, SPAN_PAGES), word(pages, node)));
      setWord(span, SPAN_LAST_NODE, node);
      setWord(span, SPAN_END, word(ends, node));
    } else {
      const next = spans + count * (SPAN_WORDS << 2);
      store<u32>(sibling, ++count);
      setWord(next, SPAN_START, word(starts, node));
      setWord(next, SPAN_END, word(ends, node));
      setWord(next, SPAN_MEMBERS, 1);
      setWord(next, SPAN_PAGES, word(pages, node));
      setWord(next, SPAN_LOW, word(lows, node));
      setWord(next, SPAN_HIGH, word(highs, node));
      setWord(next, SPAN_GAPS_FROM, gapCount);
      setWord(next, SPAN_GAPS_TO, gapCount);
      setWord(next, SPAN_LAST_NODE, node);
    }
    node = word(lasts, node);
  }
  return count;
}

/** Whether the content between two siblings is small; a title is never a gap. */
function isSmallGap(page: u32, model: u32, before: u32, after: u32): bool {
  const lasts = word(page, PAGE_LAST);
  const textStarts = word(page, PAGE_TEXT_START);
  const first = word(lasts, before);
  // two spaces separate the gap's text from its neighbours
  if (word(textStarts, after) - word(textStarts, first) > word(model, MODEL_GAP_TEXT_BYTES) + 2) return false;
  let bytes: u32 = 0;
  for (let node = first; node < after; node = word(lasts, node)) {
    if (load<u16>(word(page, PAGE_NAME) + (node << 1)) === TAG_TITLE) return false;
    if (load<u8>(word(page, PAGE_KIND) + node) !== COMMENT) {
      bytes += word(word(page, PAGE_END), node) - word(word(page, PAGE_START), node);
    }
    if (bytes > word(model, MODEL_GAP_BYTES)) return false;
  }
  return true;
}

/** Writes the content between two template nodes as gap number `count`, without comments at its ends; returns the new count. */
function addGap(scratch: u32, page: u32, count: u32, before: u32, after: u32): u32 {
  const lasts = word(page, PAGE_LAST);
  const kinds = word(page, PAGE_KIND);
  let from: u32 = NONE;
  let to: u32 = 0;
  for (let node = word(lasts, before); node < after; node = word(lasts, node)) {
    if (load<u8>(kinds + node) === COMMENT) continue;
    if (from === NONE) from = word(word(page, PAGE_START), node);
    to = word(word(page, PAGE_END), node);
  }
  if (from === NONE) return count;
  const gap = word(scratch, DOM_GAPS) + (count << 3);
  setWord(gap, 0, from);
  setWord(gap, 1, to);
  return count + 1;
}
