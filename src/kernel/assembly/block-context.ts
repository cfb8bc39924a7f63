/**
 * What the first scores of a page's blocks say about each block: those of its neighbours, of the elements around it, of
 * the heaviest run, and those of its slot and its text on other pages. The second stage learns from these.
 */
import * as Blocks from '../block-layout.ts';
import { ENTRY_SCORE, ENTRY_SCORED_WORDS, SITE_PAGES } from '../evidence-layout.ts';
import { PAGE_KIND, PAGE_NODE_COUNT, PAGE_PARENT } from '../layout.ts';
import { MISSING, rowAt } from './block-features';
import { float, ratio, word } from './block-records';
import { findNearSlot, findSlot, findText } from './count-evidence';
import { ELEMENT_KIND, elementAt } from './describe-elements';

const RECORD_BYTES: u32 = Blocks.BLOCK_RECORD_WORDS << 2;
const FIRST: u32 = (Blocks.PAGE_FEATURES + Blocks.SITE_FEATURES) << 2;
const SCORE_UNITS: f32 = 1024;
const WORD_UNITS: f32 = 8;
/** The scores of this many neighbours on either side are features of their own. */
const REACH: i32 = 4;

let cursor: u32 = 0;
let scores: u32 = 0;
let records: u32 = 0;
let count: u32 = 0;

function put(value: f32): void {
  store<f32>(cursor, value);
  cursor += 4;
}

function scoreOf(block: u32): f32 {
  return load<f32>(scores + (block << 2));
}

function sizeOf(block: u32): f32 {
  return float(records + block * RECORD_BYTES, Blocks.BLOCK_SIZE);
}

/** Adds the scores of a page's blocks to the entries of their slots and texts. `scores` are floats. */
export function countScores(site: u32, blocks: u32, blockScores: u32): void {
  const first = word(blocks, Blocks.BLOCKS_RECORDS);
  const all = word(blocks, Blocks.BLOCKS_COUNT);
  for (let block: u32 = 0; block < all; block++) {
    const record = first + block * RECORD_BYTES;
    const score = load<f32>(blockScores + (block << 2));
    addScore(findSlot(site, blocks, record), score, float(record, Blocks.BLOCK_SIZE));
    addScore(findNearSlot(site, blocks, record), score, float(record, Blocks.BLOCK_SIZE));
    addScore(findText(site, record), score, 1);
  }
}

function addScore(entry: u32, score: f32, weight: f32): void {
  if (entry === 0) return;
  const units = min<f32>(weight, 1000) * WORD_UNITS;
  store<u32>(
    entry,
    word(entry, ENTRY_SCORE) + u32(score * units * (SCORE_UNITS / WORD_UNITS)),
    ENTRY_SCORE << 2,
  );
  store<u32>(entry, word(entry, ENTRY_SCORED_WORDS) + u32(units), ENTRY_SCORED_WORDS << 2);
}

/** Fills the context's part of each row. */
export function addContext(site: u32, blocks: u32, page: u32, blockScores: u32): void {
  scores = blockScores;
  records = word(blocks, Blocks.BLOCKS_RECORDS);
  count = word(blocks, Blocks.BLOCKS_COUNT);
  if (count === 0) return;
  const region = addUpElements(blocks, page);
  let total: f32 = 0;
  let words: f32 = 0;
  for (let block: u32 = 0; block < count; block++) {
    total += scoreOf(block) * sizeOf(block);
    words += sizeOf(block);
  }
  total = max<f32>(1e-6, total);
  findHeaviestRun();
  let before: f32 = 0;
  for (let block: u32 = 0; block < count; block++) {
    const own = scoreOf(block);
    const weight = own * sizeOf(block);
    cursor = rowAt(blocks, block) + FIRST;
    put(own);
    for (let step = -REACH; step <= REACH; step++) {
      const other = <i32>block + step;
      if (step !== 0) put(other < 0 || other >= <i32>count ? MISSING : scoreOf(other));
    }
    putMean(block, 3, 3);
    putMean(block, 8, 8);
    putMean(block, 25, 25);
    put(before / total);
    put((total - before - weight) / total);
    putMean(block, 10, -1);
    putMean(block, -1, 10);
    putElements(blocks, word(records + block * RECORD_BYTES, Blocks.BLOCK_CONTAINER), total);
    const inner = elementAt(blocks, region);
    const isInside =
      <i32>block >= load<i32>(inner, Blocks.ELEMENT_FIRST << 2) &&
      <i32>block <= load<i32>(inner, Blocks.ELEMENT_LAST << 2);
    put(isInside ? 1 : 0);
    put(ratio(float(inner, Blocks.ELEMENT_SCORE), float(inner, Blocks.ELEMENT_WEIGHT)));
    put(block >= runStart && block <= runEnd ? 1 : 0);
    put(block < runStart ? f32(<i32>block - <i32>runStart) : block > runEnd ? f32(block - runEnd) : 0);
    put(total / max<f32>(1, words));
    put(total);
    putSite(site, blocks, block);
    before += weight;
  }
}

/** Sums of the scores by element; returns the deepest element with 70 % of them. */
function addUpElements(blocks: u32, page: u32): u32 {
  const kinds = word(page, PAGE_KIND);
  const parents = word(page, PAGE_PARENT);
  const nodes = word(page, PAGE_NODE_COUNT);
  for (let node: u32 = 0; node < nodes; node++) {
    if (node !== 0 && load<u8>(kinds + node) !== ELEMENT_KIND) continue;
    const element = elementAt(blocks, node);
    store<f32>(element, 0, Blocks.ELEMENT_SCORE << 2);
    store<f32>(element, 0, Blocks.ELEMENT_WEIGHT << 2);
  }
  for (let block: u32 = 0; block < count; block++) {
    addUp(
      elementAt(blocks, word(records + block * RECORD_BYTES, Blocks.BLOCK_CONTAINER)),
      scoreOf(block) * sizeOf(block),
      sizeOf(block),
    );
  }
  for (let node = nodes - 1; node > 0; node--) {
    if (load<u8>(kinds + node) !== ELEMENT_KIND) continue;
    const element = elementAt(blocks, node);
    if (float(element, Blocks.ELEMENT_WEIGHT) === 0) continue;
    const parent = elementAt(blocks, load<u32>(parents + (node << 2)));
    addUp(parent, float(element, Blocks.ELEMENT_SCORE), float(element, Blocks.ELEMENT_WEIGHT));
  }
  const least = <f32>0.7 * float(elementAt(blocks, 0), Blocks.ELEMENT_SCORE);
  let region: u32 = 0;
  for (let node: u32 = 1; node < nodes; node++) {
    if (load<u8>(kinds + node) !== ELEMENT_KIND) continue;
    const element = elementAt(blocks, node);
    if (word(element, Blocks.ELEMENT_SHAPE) !== 0 && float(element, Blocks.ELEMENT_SCORE) >= least)
      region = node;
  }
  return region;
}

function addUp(element: u32, score: f32, weight: f32): void {
  store<f32>(element, float(element, Blocks.ELEMENT_SCORE) + score, Blocks.ELEMENT_SCORE << 2);
  store<f32>(element, float(element, Blocks.ELEMENT_WEIGHT) + weight, Blocks.ELEMENT_WEIGHT << 2);
}

let runStart: u32 = 0;
let runEnd: u32 = 0;

/** The run of blocks with the largest sum of (score - 1/2) · words. */
function findHeaviestRun(): void {
  let best: f32 = -1e9;
  let sum: f32 = 0;
  let start: u32 = 0;
  runStart = runEnd = 0;
  for (let block: u32 = 0; block < count; block++) {
    if (sum <= 0) {
      sum = 0;
      start = block;
    }
    sum += (scoreOf(block) - <f32>0.5) * sizeOf(block);
    if (sum > best) {
      best = sum;
      runStart = start;
      runEnd = block;
    }
  }
}

/** The mean score of the blocks around, weighed by words; a reach of -1 leaves that side and the block itself out. */
function putMean(block: u32, back: i32, ahead: i32): void {
  const from = max<i32>(0, <i32>block - back);
  const to = min<i32>(<i32>count - 1, <i32>block + ahead);
  let sum: f32 = 0;
  let words: f32 = 0;
  for (let other = from; other <= to; other++) {
    sum += scoreOf(other) * sizeOf(other);
    words += sizeOf(other);
  }
  put(ratio(sum, words));
}

/** 9 features of the five block-level elements around: their mean score, and their share of all scores but the first's. */
function putElements(blocks: u32, container: u32, total: f32): void {
  let node = container;
  for (let level = 0; level < 5; level++) {
    const element = elementAt(blocks, node);
    put(ratio(float(element, Blocks.ELEMENT_SCORE), float(element, Blocks.ELEMENT_WEIGHT)));
    if (level > 0) put(float(element, Blocks.ELEMENT_SCORE) / total);
    const parent = load<i32>(element, Blocks.ELEMENT_PARENT << 2);
    if (parent > 0) node = parent;
  }
}

/** 3 features: mean scores of the slot, of the near slot and of the text on the pages of the site. */
function putSite(site: u32, blocks: u32, block: u32): void {
  if (site === 0 || word(site, SITE_PAGES) < 2) {
    for (let k = 0; k < 3; k++) put(MISSING);
    return;
  }
  const record = records + block * RECORD_BYTES;
  putScore(findSlot(site, blocks, record));
  putScore(findNearSlot(site, blocks, record));
  putScore(findText(site, record));
}

function putScore(entry: u32): void {
  const words = entry === 0 ? 0 : word(entry, ENTRY_SCORED_WORDS);
  put(words === 0 ? MISSING : f32(word(entry, ENTRY_SCORE)) / SCORE_UNITS / (f32(words) / WORD_UNITS));
}
