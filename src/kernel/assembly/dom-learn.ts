/**
 * Learns the model of the dom detector from the sampled pages: the frequent content hashes, and which of
 * these nodes have stable positions. detect/dom-evidence.ts has the rules; dom-walk.ts defines positions and
 * contexts.
 */
import * as Dom from '../dom-layout.ts';
import * as Keys from '../key-layout.ts';
import * as Page from '../layout.ts';
import * as Walk from './dom-walk';
import { addToFilter, countKey, findCounted, findKey, isInFilter, NONE, sketchKey } from './keys';

const LINE_SHIFT: u32 = 32 - Dom.LINE_FILTER_BITS;

// counting content hashes

/** Counts the content hashes of a page in a sketch. */
export function sketchNodes(page: u32, number: u32, sketch: u32): void {
  const nodeCount = Walk.word(page, Page.PAGE_NODE_COUNT);
  const lows = Walk.word(page, Page.PAGE_CONTENT_LOW);
  for (let node: u32 = 0; node < nodeCount; node++) sketchKey(sketch, Walk.word(lows, node), number);
}

/**
 * Counts the nodes of a page by content hash: those that may be frequent by the sketch, or all if `sketch` is
 * 0.
 */
export function countNodes(page: u32, number: u32, sketch: u32, counter: u32): void {
  const nodeCount = Walk.word(page, Page.PAGE_NODE_COUNT);
  const kinds = Walk.word(page, Page.PAGE_KIND);
  const lows = Walk.word(page, Page.PAGE_CONTENT_LOW);
  const highs = Walk.word(page, Page.PAGE_CONTENT_HIGH);
  const filter = sketch === 0 ? 0 : Walk.word(sketch, Keys.SKETCH_FILTER);
  const shift = sketch === 0 ? 0 : Walk.word(sketch, Keys.SKETCH_SHIFT);
  for (let node: u32 = 0; node < nodeCount; node++) {
    const low = Walk.word(lows, node);
    if (filter !== 0 && !isInFilter(filter, shift, low)) continue;
    if (Walk.isCandidate(load<u8>(kinds + node))) countKey(counter, low, Walk.word(highs, node), number);
  }
}

// learning which frequent nodes have stable positions

/**
 * Counts a frequent node, by its index, at a position; returns its bucket. Nodes share contexts, so both select
 * the bucket.
 */
function countPosition(counter: u32, index: u32, position: u32, number: u32, seen: u32): u32 {
  const high = position ^ (index * 0x9e3779b1);
  const isNew = Walk.word(findCounted(counter, index, high), Keys.COUNTED_PAGES) === 0;
  const before = isNew ? 0 : Walk.word(findCounted(counter, index, high), Keys.COUNTED_OCCURRENCES);
  const bucket = countKey(counter, index, high, number);
  Walk.setWord(bucket, Keys.COUNTED_OCCURRENCES, before | seen); // bits in place of a count
  return bucket;
}

function positionOf(bucket: u32): u32 {
  return Walk.word(bucket, Keys.COUNTED_HIGH) ^ (Walk.word(bucket, Keys.COUNTED_LOW) * 0x9e3779b1);
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
  Walk.openWalk(scratch, page, index);
  Walk.placeAll(scratch, page);
  const fronts = Walk.word(scratch, Dom.DOM_FRONT);
  const backs = Walk.word(scratch, Dom.DOM_BACK);
  const nodes = Walk.word(scratch, Dom.DOM_NODES);
  const count = Walk.word(scratch, Dom.DOM_COUNT);
  let lineCount: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const node = Walk.word(nodes, i);
    if (!Walk.isInLine(scratch, page, node)) continue;
    Walk.setWord(lines, lineCount++, Walk.word(fronts, node));
    Walk.setWord(lines, lineCount++, Walk.word(backs, node));
  }

  const foundNodes = Walk.word(scratch, Dom.DOM_FOUND_NODES);
  const foundAt = Walk.word(scratch, Dom.DOM_FOUND_AT);
  const foundCount = Walk.word(scratch, Dom.DOM_FOUND_COUNT);
  let record = records;
  for (let i: u32 = 0; i < foundCount; i++) {
    const node = Walk.word(foundNodes, i);
    const at = Walk.word(foundAt, i);
    const context = Walk.contextOf(page, node);
    const seen: u32 = Walk.isInLine(scratch, page, node) ? Dom.SEEN_IN_LINE : Dom.SEEN_ALONE;
    Walk.setWord(record, 0, node);
    Walk.setWord(record, 1, at);
    Walk.setWord(record, 2, context);
    record += Dom.RECORD_WORDS << 2;
    countPosition(counter, at, Walk.word(fronts, node), number, seen);
    countPosition(counter, at, Walk.word(backs, node), number, seen);
    countPosition(counter, at, context, number, 0);
  }
  store<u32>(Page.RESULTS_AT, foundCount);
  store<u32>(Page.RESULTS_AT, lineCount, 4);
}

/**
 * Adds the positions to a filter that are on enough pages and were seen in lines only; returns their number.
 */
export function selectLinePositions(counter: u32, thresholdPages: u32, filter: u32): u32 {
  const buckets = Walk.word(counter, Keys.COUNTER_BUCKETS);
  const end = buckets + (Walk.word(counter, Keys.COUNTER_MASK) + 1) * (Keys.COUNTED_WORDS << 2);
  let selected: u32 = 0;
  for (let bucket = buckets; bucket < end; bucket += Keys.COUNTED_WORDS << 2) {
    if (
      Walk.word(bucket, Keys.COUNTED_PAGES) < thresholdPages ||
      Walk.word(bucket, Keys.COUNTED_OCCURRENCES) !== Dom.SEEN_IN_LINE
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
    const position = Walk.word(lines, i);
    if (isInFilter(filter, LINE_SHIFT, position)) countKey(counter, position, position, number);
  }
}

function keepPosition(kept: u32, lows: u32, highs: u32, index: u32, position: u32): void {
  countKey(
    kept,
    Walk.positionLow(Walk.word(lows, index), position),
    Walk.positionHigh(Walk.word(highs, index), position),
    0,
  );
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
  const buckets = Walk.word(counter, Keys.COUNTER_BUCKETS);
  const end = buckets + (Walk.word(counter, Keys.COUNTER_MASK) + 1) * (Keys.COUNTED_WORDS << 2);
  for (let bucket = buckets; bucket < end; bucket += Keys.COUNTED_WORDS << 2) {
    const pages = Walk.word(bucket, Keys.COUNTED_PAGES);
    const seen = Walk.word(bucket, Keys.COUNTED_OCCURRENCES);
    if (pages === 0 || pages < thresholdPages || seen === 0) continue;
    const position = positionOf(bucket);
    if (seen === Dom.SEEN_IN_LINE && lineCounter !== 0) {
      if (pages * 2 < Walk.word(findCounted(lineCounter, position, position), Keys.COUNTED_PAGES)) continue;
    }
    const index = Walk.word(bucket, Keys.COUNTED_LOW);
    store<u8>(stable + index, Dom.STABLE_BY_POSITION);
    keepPosition(kept, lows, highs, index, position);
  }
}

/** Marks the nodes inside stable nodes of a page as stable. */
export function markInside(page: u32, records: u32, count: u32, index: u32, stable: u32): void {
  const lasts = Walk.word(page, Page.PAGE_LAST);
  const lows = Walk.word(page, Page.PAGE_CONTENT_LOW);
  const highs = Walk.word(page, Page.PAGE_CONTENT_HIGH);
  for (let i: u32 = 0; i < count; i++) {
    const record = records + i * (Dom.RECORD_WORDS << 2);
    const found = Walk.word(record, 1);
    if (load<u8>(stable + found) !== Dom.STABLE_BY_POSITION) continue;
    store<u8>(stable + found, Dom.STABLE_THROUGHOUT);
    const node = Walk.word(record, 0);
    const last = Walk.word(lasts, node);
    for (let inside = node + 1; inside < last; inside++) {
      const part = findKey(index, Walk.word(lows, inside), Walk.word(highs, inside));
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
  const lasts = Walk.word(page, Page.PAGE_LAST);
  const lows = Walk.word(page, Page.PAGE_CONTENT_LOW);
  const highs = Walk.word(page, Page.PAGE_CONTENT_HIGH);
  for (let i: u32 = 0; i < count; i++) {
    const record = records + i * (Dom.RECORD_WORDS << 2);
    const found = Walk.word(record, 1);
    if (load<u8>(stable + found) === 0) continue;
    const context = Walk.word(record, 2);
    const bucket = findCounted(counter, found, context ^ (found * 0x9e3779b1));
    const seen = Walk.word(bucket, Keys.COUNTED_OCCURRENCES);
    if ((seen & Dom.CONTEXT_ENTERED) !== 0) continue;
    Walk.setWord(bucket, Keys.COUNTED_OCCURRENCES, seen | Dom.CONTEXT_ENTERED);
    if (Walk.word(bucket, Keys.COUNTED_PAGES) >= thresholdPages)
      keepPosition(kept, frequentLows, frequentHighs, found, context);
    const node = Walk.word(record, 0);
    const last = Walk.word(lasts, node);
    for (let inside = node + 1; inside < last; inside++) {
      const part = findKey(index, Walk.word(lows, inside), Walk.word(highs, inside));
      if (part === NONE) continue; // a comment
      keepPosition(kept, frequentLows, frequentHighs, part, Walk.contextOf(page, inside));
    }
  }
}
