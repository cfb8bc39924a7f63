/**
 * Computes the context of the rows: parents, siblings, tags and names above them. Rows are in document order,
 * so values are passed down in one walk forward and passed up in one walk back.
 */
import * as Features from '../feature-layout.ts';
import * as Page from '../layout.ts';
import { names, readNames } from './element-names';
import { Row, rowRecord, tagBits, word } from './feature-records';
import { mix32 } from './hash';

/** Minimum share of the page's prose that the main row has. */
const MAIN_SHARE: f64 = 0.5;
const MAX_STEPS: f32 = 12;

/**
 * Rows with the same parent and shape: address of the first (0 in a free bucket), their number, and their
 * words.
 */
@unmanaged
export class ShapeBucket {
  first: u32;
  count: u32;
  words: f32;
}

/** Fills the context of the rows, whose sums must be complete. */
export function fillContext(features: u32, page: u32, rowCount: u32): void {
  const first = changetype<u32>(rowRecord(features, 0));
  const end = first + rowCount * Features.ROW_RECORD_BYTES;
  findSiblings(features, page, first, end);
  findNearest(first, end);
  passDown(features, page, first, end);
  passUpNames(first, end);
}

function findSiblings(features: u32, page: u32, first: u32, end: u32): void {
  let bucketCount: u32 = 16;
  while (bucketCount * Features.ROW_RECORD_BYTES < 2 * (end - first)) bucketCount *= 2;
  memory.fill(word(features, Features.FEATURES_SHAPES), 0, bucketCount * Features.SHAPE_BUCKET_BYTES);
  for (let at = first; at < end; at += Features.ROW_RECORD_BYTES) {
    const row = changetype<Row>(at);
    row.anchorShare = row.words > 0 ? <f32>(row.linkWords / row.words) : 0;
    row.ownWords += <f32>row.words;
    row.shape = shapeBucket(features, page, at, bucketCount - 1);
    const shape = changetype<ShapeBucket>(row.shape);
    shape.count++;
    shape.words += <f32>row.words;
    if (at === first) continue;
    const parent = changetype<Row>(row.parent);
    parent.ownWords -= <f32>row.words;
    parent.children++;
    row.previous = parent.lastChild;
    if (row.previous) changetype<Row>(row.previous).next = at;
    parent.lastChild = at;
  }
}

/** Returns the bucket that counts the rows with a row's parent and shape. */
function shapeBucket(features: u32, page: u32, at: u32, mask: u32): u32 {
  const buckets = word(features, Features.FEATURES_SHAPES);
  const lows = word(page, Page.PAGE_SHAPE_LOW);
  const highs = word(page, Page.PAGE_SHAPE_HIGH);
  const row = changetype<Row>(at);
  const low = word(lows, row.node);
  const high = word(highs, row.node);
  let index = mix32(low ^ (row.parent * 0x9e3779b1)) & mask;
  let bucket = buckets + index * Features.SHAPE_BUCKET_BYTES;
  while (changetype<ShapeBucket>(bucket).first !== 0) {
    const other = changetype<Row>(changetype<ShapeBucket>(bucket).first);
    const isSame = word(lows, other.node) === low && word(highs, other.node) === high;
    if (isSame && other.parent === row.parent) return bucket;
    index = (index + 1) & mask;
    bucket = buckets + index * Features.SHAPE_BUCKET_BYTES;
  }
  changetype<ShapeBucket>(bucket).first = at;
  return bucket;
}

/** Finds the nearest rows with words of their own that are neither inside the row nor around it. */
function findNearest(first: u32, end: u32): void {
  let latest: f32 = 0;
  for (let at = first; at < end; at += Features.ROW_RECORD_BYTES) {
    const row = changetype<Row>(at);
    row.nearestBefore = latest;
    if (row.ownWords > 0) latest = row.ownWords;
    // the row after the subtree is the next sibling, or the row after the parent's subtree
    row.after = at === first ? end : row.next ? row.next : changetype<Row>(row.parent).after;
  }
  latest = 0;
  for (let at = end - Features.ROW_RECORD_BYTES; at >= first; at -= Features.ROW_RECORD_BYTES) {
    const row = changetype<Row>(at);
    row.nearestAfter = row.after < end ? changetype<Row>(row.after).nearest : 0;
    // models were trained with whole words here
    if (row.ownWords > 0) latest = floor<f32>(row.ownWords);
    row.nearest = latest;
  }
}

function passDown(features: u32, page: u32, first: u32, end: u32): void {
  const source = word(page, Page.PAGE_SOURCE);
  const starts = word(page, Page.PAGE_START);
  const openEnds = word(page, Page.PAGE_OPEN_END);
  const tags = word(page, Page.PAGE_NAME);
  const weights = word(features, Features.FEATURES_NAMES);
  const pageProse = changetype<Row>(first).proseWords;
  for (let at = first; at < end; at += Features.ROW_RECORD_BYTES) {
    const row = changetype<Row>(at);
    const node = row.node;
    readNames(weights, source + word(starts, node), source + word(openEnds, node));
    row.ownTags = row.tags =
      tagBits(features, load<u16>(tags + (node << 1))) & ((1 << Features.TAG_BITS) - 1);
    row.ownName = row.pathName = <f32>names.sum;
    row.highestName = <f32>names.most;
    row.lowestName = <f32>names.least;
    if (at === first) continue;
    const parent = changetype<Row>(row.parent);
    row.depth = parent.depth + 1;
    row.tags |= parent.tags;
    row.highestName = max<f32>(row.highestName, parent.highestName);
    row.lowestName = min<f32>(row.lowestName, parent.lowestName);
    row.pathName = <f32>(<f64>parent.pathName + names.sum);
    const isMain = pageProse > 0 && row.proseWords >= pageProse * MAIN_SHARE;
    row.stepsToProse = isMain ? 0 : min<f32>(MAX_STEPS, parent.stepsToProse + 1);
  }
}

/** Averages the weights of the names inside each row, weighted by the words of their elements. */
function passUpNames(first: u32, end: u32): void {
  for (let at = end - Features.ROW_RECORD_BYTES; at > first; at -= Features.ROW_RECORD_BYTES) {
    const row = changetype<Row>(at);
    const parent = changetype<Row>(row.parent);
    const inside = <f64>row.innerName + <f64>row.ownName * row.words;
    parent.innerName = <f32>(<f64>parent.innerName + inside);
  }
  for (let at = first; at < end; at += Features.ROW_RECORD_BYTES) {
    const row = changetype<Row>(at);
    if (row.words > 0) row.innerName = <f32>(<f64>row.innerName / row.words);
  }
}
