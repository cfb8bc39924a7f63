/**
 * Learns the model of the dom detector from the sampled pages: the frequent content hashes, and which of
 * these nodes have stable positions. detect/dom-evidence.ts has the rules; dom-walk.ts defines positions and
 * contexts.
 */
import * as Dom from '../dom-layout.ts';
import * as Keys from '../key-layout.ts';
import * as Page from '../layout.ts';
import {
  contextOf,
  isCandidate,
  isInLine,
  openWalk,
  placeAll,
  positionHigh,
  positionLow,
  setWord,
  word,
} from './dom-walk';
import { addToFilter, countKey, findCounted, findKey, isInFilter, NONE, sketchKey } from './keys';

const LINE_SHIFT: u32 = 32 - Dom.LINE_FILTER_BITS;

// counting content hashes

/** Counts the content hashes of a page in a sketch. */
export function sketchNodes(page: u32, number: u32, sketch: u32): void {
  const nodeCount = word(page, Page.PAGE_NODE_COUNT);
  const lows = word(page, Page.PAGE_CONTENT_LOW);
  for (let node: u32 = 0; node < nodeCount; node++) sketchKey(sketch, word(lows, node), number);
}

/**
 * Counts the nodes of a page by content hash: those that may be frequent by the sketch, or all if `sketch` is
 * 0.
 */
export function countNodes(page: u32, number: u32, sketch: u32, counter: u32): void {
  const nodeCount = word(page, Page.PAGE_NODE_COUNT);
  const kinds = word(page, Page.PAGE_KIND);
  const lows = word(page, Page.PAGE_CONTENT_LOW);
  const highs = word(page, Page.PAGE_CONTENT_HIGH);
  const filter = sketch === 0 ? 0 : word(sketch, Keys.SKETCH_FILTER);
  const shift = sketch === 0 ? 0 : word(sketch, Keys.SKETCH_SHIFT);
  for (let node: u32 = 0; node < nodeCount; node++) {
    const low = word(lows, node);
    if (filter !== 0 && !isInFilter(filter, shift, low)) continue;
    if (isCandidate(load<u8>(kinds + node))) countKey(counter, low, word(highs, node), number);
  }
}

// learning which frequent nodes have stable positions

/**
 * Counts a frequent node, by its index, at a position; returns its bucket. Nodes share contexts, so both select
 * the bucket.
 */
function countPosition(counter: u32, index: u32, position: u32, number: u32, seen: u32): u32 {
  const high = position ^ (index * 0x9e3779b1);
  const isNew = word(findCounted(counter, index, high), Keys.COUNTED_PAGES) === 0;
  const before = isNew ? 0 : word(findCounted(counter, index, high), Keys.COUNTED_OCCURRENCES);
  const bucket = countKey(counter, index, high, number);
  setWord(bucket, Keys.COUNTED_OCCURRENCES, before | seen); // bits in place of a count
  return bucket;
}

function positionOf(bucket: u32): u32 {
  return word(bucket, Keys.COUNTED_HIGH) ^ (word(bucket, Keys.COUNTED_LOW) * 0x9e3779b1);
}

/**
 * Counts the positions and contexts of the outermost frequent nodes of a page. Writes their records, and both
 * positions of every node in a line of changing text to `lines`; results 0 and 1 are the numbers of records
 * and of words. The counter needs three free buckets for each node.
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
  const fronts = word(scratch, Dom.DOM_FRONT);
  const backs = word(scratch, Dom.DOM_BACK);
  const nodes = word(scratch, Dom.DOM_NODES);
  const count = word(scratch, Dom.DOM_COUNT);
  let lineCount: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const node = word(nodes, i);
    if (!isInLine(scratch, page, node)) continue;
    setWord(lines, lineCount++, word(fronts, node));
    setWord(lines, lineCount++, word(backs, node));
  }

  const foundNodes = word(scratch, Dom.DOM_FOUND_NODES);
  const foundAt = word(scratch, Dom.DOM_FOUND_AT);
  const foundCount = word(scratch, Dom.DOM_FOUND_COUNT);
  let record = records;
  for (let i: u32 = 0; i < foundCount; i++) {
    const node = word(foundNodes, i);
    const at = word(foundAt, i);
    const context = contextOf(page, node);
    const seen: u32 = isInLine(scratch, page, node) ? Dom.SEEN_IN_LINE : Dom.SEEN_ALONE;
    setWord(record, 0, node);
    setWord(record, 1, at);
    setWord(record, 2, context);
    record += Dom.RECORD_WORDS << 2;
    countPosition(counter, at, word(fronts, node), number, seen);
    countPosition(counter, at, word(backs, node), number, seen);
    countPosition(counter, at, context, number, 0);
  }
  store<u32>(Page.RESULTS_AT, foundCount);
  store<u32>(Page.RESULTS_AT, lineCount, 4);
}

/**
 * Adds the positions to a filter that are on enough pages and were seen in lines only; returns their number.
 */
export function selectLinePositions(counter: u32, thresholdPages: u32, filter: u32): u32 {
  const buckets = word(counter, Keys.COUNTER_BUCKETS);
  const end = buckets + (word(counter, Keys.COUNTER_MASK) + 1) * (Keys.COUNTED_WORDS << 2);
  let selected: u32 = 0;
  for (let bucket = buckets; bucket < end; bucket += Keys.COUNTED_WORDS << 2) {
    if (
      word(bucket, Keys.COUNTED_PAGES) < thresholdPages ||
      word(bucket, Keys.COUNTED_OCCURRENCES) !== Dom.SEEN_IN_LINE
    )
      continue;
    addToFilter(filter, LINE_SHIFT, positionOf(bucket));
    selected++;
  }
  return selected;
}

/** Counts the pages that have any node at these positions, from the positions in lines of a page. */
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
 * Marks frequent nodes that have a stable position, and keeps those positions. In a line, a node needs half
 * of the pages that have any node there.
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
  const buckets = word(counter, Keys.COUNTER_BUCKETS);
  const end = buckets + (word(counter, Keys.COUNTER_MASK) + 1) * (Keys.COUNTED_WORDS << 2);
  for (let bucket = buckets; bucket < end; bucket += Keys.COUNTED_WORDS << 2) {
    const pages = word(bucket, Keys.COUNTED_PAGES);
    const seen = word(bucket, Keys.COUNTED_OCCURRENCES);
    if (pages === 0 || pages < thresholdPages || seen === 0) continue;
    const position = positionOf(bucket);
    if (seen === Dom.SEEN_IN_LINE && lineCounter !== 0) {
      if (pages * 2 < word(findCounted(lineCounter, position, position), Keys.COUNTED_PAGES)) continue;
    }
    const index = word(bucket, Keys.COUNTED_LOW);
    store<u8>(stable + index, Dom.STABLE_BY_POSITION);
    keepPosition(kept, lows, highs, index, position);
  }
}

/** Marks the nodes inside stable nodes of a page as stable. */
export function markInside(page: u32, records: u32, count: u32, index: u32, stable: u32): void {
  const lasts = word(page, Page.PAGE_LAST);
  const lows = word(page, Page.PAGE_CONTENT_LOW);
  const highs = word(page, Page.PAGE_CONTENT_HIGH);
  for (let i: u32 = 0; i < count; i++) {
    const record = records + i * (Dom.RECORD_WORDS << 2);
    const found = word(record, 1);
    if (load<u8>(stable + found) !== Dom.STABLE_BY_POSITION) continue;
    store<u8>(stable + found, Dom.STABLE_THROUGHOUT);
    const node = word(record, 0);
    const last = word(lasts, node);
    for (let inside = node + 1; inside < last; inside++) {
      const part = findKey(index, word(lows, inside), word(highs, inside));
      // the index has all nodes except comments
      if (part !== NONE) store<u8>(stable + part, Dom.STABLE_THROUGHOUT);
    }
  }
}

/**
 * Keeps the contexts of stable nodes of a page that are on enough pages, and those of all nodes inside stable
 * nodes.
 */
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
  const lasts = word(page, Page.PAGE_LAST);
  const lows = word(page, Page.PAGE_CONTENT_LOW);
  const highs = word(page, Page.PAGE_CONTENT_HIGH);
  for (let i: u32 = 0; i < count; i++) {
    const record = records + i * (Dom.RECORD_WORDS << 2);
    const found = word(record, 1);
    if (load<u8>(stable + found) === 0) continue;
    const context = word(record, 2);
    const bucket = findCounted(counter, found, context ^ (found * 0x9e3779b1));
    const seen = word(bucket, Keys.COUNTED_OCCURRENCES);
    if ((seen & Dom.CONTEXT_ENTERED) !== 0) continue;
    setWord(bucket, Keys.COUNTED_OCCURRENCES, seen | Dom.CONTEXT_ENTERED);
    if (word(bucket, Keys.COUNTED_PAGES) >= thresholdPages)
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
