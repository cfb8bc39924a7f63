/**
 * What a page alone says about each of its blocks, as a row of floats: counts and shares of the block, the elements
 * above it, its position, the blocks around it, the smallest elements that hold most of the prose, and how much it
 * shares with the page's title and description. `detect/joint/feature-names.ts` names them in the same order. What is
 * not known is MISSING.
 */
import * as Blocks from '../block-layout.ts';
import { PAGE_KIND, PAGE_NAME, PAGE_NODE_COUNT, PAGE_PARENT } from '../layout.ts';
import { float, ratio, word } from './block-records';
import { countKey, ELEMENT_KIND, elementAt } from './describe-elements';
import { describePage, findWord, runHash, setAt, setSize } from './page-description';

const RECORD_BYTES: u32 = Blocks.BLOCK_RECORD_WORDS << 2;
const ROW_BYTES: u32 = Blocks.ROW_FLOATS << 2;
/** Value of a feature that is unknown, such as counts on a site of one page. */
export const MISSING: f32 = -1;
/** Distances have a sign; a missing one is beyond all of them. */
const FAR: f32 = -9999;
const NONE: u32 = 0xffffffff;

const TAG_ARTICLE: u32 = 71;
const TAG_MAIN: u32 = 77;
const TAG_TABLE: u32 = 17;
const TAG_H1_LEVEL: u32 = 1;
/** Tags whose blocks count for the element around them, when the element with the article is looked for. */
const TAG_P: u32 = 7;
const TAG_LI: u32 = 9;
const TAG_TD: u32 = 14;
const TAG_H2: u32 = 25;
const TAG_H3: u32 = 26;
const TAG_BLOCKQUOTE: u32 = 79;
const TAG_PRE: u32 = 94;

let cursor: u32 = 0;

// of the page
let count: u32 = 0;
let records: u32 = 0;
let totalWords: f32 = 0;
let totalLinkWords: f32 = 0;
let totalProse: f32 = 0;
let mostProse: f32 = 0;
let proseBlocks: f32 = 0;
let largest: u32 = 0;
let candidate: u32 = 0;
let half: u32 = 0;
let mostOf: u32 = 0;
let nearlyAll: u32 = 0;
let articles: f32 = 0;
let mains: f32 = 0;
let tables: f32 = 0;
let headings1: f32 = 0;
let firstH1: u32 = NONE;
let title: u32 = NONE;

function put(value: f32): void {
  store<f32>(cursor, value);
  cursor += 4;
}

function putBool(value: bool): void {
  put(value ? 1 : 0);
}

function recordAt(block: u32): u32 {
  return records + block * RECORD_BYTES;
}

/** Returns the address of the feature row of a block. */
export function rowAt(blocks: u32, block: u32): u32 {
  return word(blocks, Blocks.BLOCKS_ROWS) + block * ROW_BYTES;
}

/** Fills the first part of each block's row. `findBlocks` has found them. */
export function makeBlockFeatures(blocks: u32, page: u32): void {
  records = word(blocks, Blocks.BLOCKS_RECORDS);
  count = word(blocks, Blocks.BLOCKS_COUNT);
  if (count === 0) return;
  describePage(blocks, page);
  addUpPage(blocks, page);
  findCandidate(blocks, page);
  findTitle(blocks);
  let wordsBefore: f32 = 0;
  let proseBefore: f32 = 0;
  let heading: u32 = NONE;
  for (let block: u32 = 0; block < count; block++) {
    const record = recordAt(block);
    cursor = rowAt(blocks, block);
    putOwn(blocks, record);
    putPosition(block, wordsBefore, proseBefore);
    putPage(blocks);
    putRelations(blocks, record, block);
    putDescription(blocks, record, block, heading);
    putAncestors(blocks, record);
    putNeighbours(blocks, record, block);
    putWindows(block);
    put(f32(word(countedText(blocks, record), Blocks.SHAPE_COUNT)));
    const leaf = elementAt(blocks, word(record, Blocks.BLOCK_LEAF));
    put(namesWeight(blocks, page, word(record, Blocks.BLOCK_LEAF), leaf));
    wordsBefore += float(record, Blocks.BLOCK_SIZE);
    proseBefore += float(record, Blocks.BLOCK_PROSE);
    if (word(record, Blocks.BLOCK_HEADING) > 0) heading = block;
  }
}

/** Texts were counted by `addUpPage`: this finds the bucket and leaves its count as it is. */
function countedText(blocks: u32, record: u32): u32 {
  const bucket = countKey(blocks, word(record, Blocks.BLOCK_TEXT) ^ 0x5bd1e995);
  store<u32>(bucket, word(bucket, Blocks.SHAPE_COUNT) - 1, Blocks.SHAPE_COUNT << 2);
  return bucket;
}

function addUpPage(blocks: u32, page: u32): void {
  totalWords = totalLinkWords = totalProse = mostProse = proseBlocks = 0;
  largest = 0;
  headings1 = 0;
  firstH1 = NONE;
  for (let block: u32 = 0; block < count; block++) {
    const record = recordAt(block);
    const prose = float(record, Blocks.BLOCK_PROSE);
    totalWords += float(record, Blocks.BLOCK_SIZE);
    totalLinkWords += float(record, Blocks.BLOCK_LINK_SIZE);
    totalProse += prose;
    if (prose > 0) proseBlocks++;
    if (prose > mostProse) {
      mostProse = prose;
      largest = block;
    }
    countKey(blocks, word(record, Blocks.BLOCK_TEXT) ^ 0x5bd1e995);
    if (word(record, Blocks.BLOCK_HEADING) === TAG_H1_LEVEL) {
      headings1++;
      if (firstH1 === NONE) firstH1 = block;
    }
  }
  totalWords = max<f32>(1, totalWords);
  totalProse = max<f32>(1e-6, totalProse);

  articles = mains = tables = 0;
  half = mostOf = nearlyAll = 0;
  const kinds = word(page, PAGE_KIND);
  const names = word(page, PAGE_NAME);
  const nodes = word(page, PAGE_NODE_COUNT);
  for (let node: u32 = 1; node < nodes; node++) {
    if (load<u8>(kinds + node) !== ELEMENT_KIND) continue;
    const tag: u32 = load<u16>(names + (node << 1));
    if (tag === TAG_ARTICLE) articles++;
    else if (tag === TAG_MAIN) mains++;
    else if (tag === TAG_TABLE) tables++;
    const element = elementAt(blocks, node);
    if (word(element, Blocks.ELEMENT_SHAPE) === 0) continue;
    // the deepest elements that hold these shares of the prose
    const prose = float(element, Blocks.ELEMENT_PROSE);
    if (prose >= <f32>0.51 * totalProse) half = node;
    if (prose >= <f32>0.7 * totalProse) mostOf = node;
    if (prose >= <f32>0.9 * totalProse) nearlyAll = node;
  }
  // the elements around the largest block are numbered from it outwards
  let step: u32 = 1;
  for (let node = word(recordAt(largest), Blocks.BLOCK_CONTAINER); node !== 0; step++) {
    const element = elementAt(blocks, node);
    store<u32>(element, step, Blocks.ELEMENT_WEIGHT << 2);
    node = word(element, Blocks.ELEMENT_PARENT);
  }
}

/** The element that Readability would choose: paragraphs count for the element around them, and half for the next. */
function findCandidate(blocks: u32, page: u32): void {
  for (let block: u32 = 0; block < count; block++) {
    const record = recordAt(block);
    const characters = f32(word(record, Blocks.BLOCK_CHARACTERS)) + f32(word(record, Blocks.BLOCK_SPACELESS));
    if (characters < 25) continue;
    const points = f32(word(record, Blocks.BLOCK_COMMAS)) + 1 + min<f32>(characters / 100, 3);
    let node = word(record, Blocks.BLOCK_CONTAINER);
    const tag = word(elementAt(blocks, node), Blocks.ELEMENT_TAG) >> 8;
    const isPart =
      tag === TAG_P ||
      tag === TAG_PRE ||
      tag === TAG_TD ||
      tag === TAG_BLOCKQUOTE ||
      tag === TAG_H2 ||
      tag === TAG_H3 ||
      tag === TAG_LI;
    if (isPart && word(elementAt(blocks, node), Blocks.ELEMENT_PARENT) !== 0)
      node = word(elementAt(blocks, node), Blocks.ELEMENT_PARENT);
    let share = points;
    for (let step: u32 = 0; step < 3 && node !== 0; step++) {
      const element = elementAt(blocks, node);
      store<f32>(element, float(element, Blocks.ELEMENT_CANDIDATE) + share, Blocks.ELEMENT_CANDIDATE << 2);
      share = step === 0 ? points / 2 : points / 6;
      node = word(element, Blocks.ELEMENT_PARENT);
    }
  }
  candidate = 0;
  let best: f32 = 0;
  const kinds = word(page, PAGE_KIND);
  const nodes = word(page, PAGE_NODE_COUNT);
  for (let node: u32 = 1; node < nodes; node++) {
    if (load<u8>(kinds + node) !== ELEMENT_KIND) continue;
    const element = elementAt(blocks, node);
    const points = float(element, Blocks.ELEMENT_CANDIDATE);
    if (points === 0) continue;
    const value =
      points *
      (1 -
        ratio(float(element, Blocks.ELEMENT_LINK_WORDS), max<f32>(1, float(element, Blocks.ELEMENT_WORDS))));
    if (value > best) {
      best = value;
      candidate = node;
    }
  }
}

/** Words of a block in a set, each once, as a share of the set; `wordShare` is the share of the block's words. */
let wordShare: f32 = 0;

function coverage(set: u32, record: u32, stamp: u32): f32 {
  const size = setSize(set);
  const words = word(record, Blocks.BLOCK_WORD_COUNT);
  wordShare = 0;
  if (size === 0 || words === 0) return 0;
  let distinct: u32 = 0;
  let all: u32 = 0;
  let at = word(record, Blocks.BLOCK_WORD_START);
  for (let k: u32 = 0; k < words; k++, at += 4) {
    const bucket = findWord(set, load<u32>(at));
    if (bucket === 0) continue;
    all++;
    if (load<u32>(bucket, 4) === stamp) continue;
    store<u32>(bucket, stamp, 4);
    distinct++;
  }
  wordShare = f32(all) / f32(words);
  return f32(distinct) / f32(size);
}

/** Runs of three words of a block in a set. */
function runsIn(set: u32, record: u32): f32 {
  const words = word(record, Blocks.BLOCK_WORD_COUNT);
  if (setSize(set) === 0) return 0;
  let found: u32 = 0;
  let at = word(record, Blocks.BLOCK_WORD_START);
  for (let k: u32 = 2; k < words; k++, at += 4) if (findWord(set, runHash(at)) !== 0) found++;
  return f32(found);
}

/** The block that is most like the title, before the end of the page. */
function findTitle(blocks: u32): void {
  title = NONE;
  let best: f32 = 0.3;
  let before: f32 = 0;
  const set = setAt(blocks, Blocks.SET_TITLE);
  for (let block: u32 = 0; block < count; block++) {
    const record = recordAt(block);
    const covered = coverage(set, record, 2 * block + 1);
    const likeness = covered * wordShare * (word(record, Blocks.BLOCK_HEADING) > 0 ? <f32>1.3 : <f32>1);
    if (likeness > best && before < <f32>0.7 * totalWords) {
      best = likeness;
      title = block;
    }
    before += float(record, Blocks.BLOCK_SIZE);
  }
}

function linkShare(record: u32): f32 {
  return ratio(float(record, Blocks.BLOCK_LINK_SIZE), float(record, Blocks.BLOCK_SIZE));
}

function tagOf(blocks: u32, node: u32): f32 {
  return f32(word(elementAt(blocks, node), Blocks.ELEMENT_TAG) & 255);
}

function flag(record: u32, bit: u32): bool {
  return (word(record, Blocks.BLOCK_FLAGS) & bit) !== 0;
}

/** 25 features of the block itself, 23 of the tags above it. */
function putOwn(blocks: u32, record: u32): void {
  const size = float(record, Blocks.BLOCK_SIZE);
  const characters = f32(word(record, Blocks.BLOCK_CHARACTERS));
  const stops = f32(word(record, Blocks.BLOCK_STOPS));
  const commas = f32(word(record, Blocks.BLOCK_COMMAS));
  put(size);
  put(characters);
  put(linkShare(record));
  put(size - float(record, Blocks.BLOCK_LINK_SIZE));
  put(f32(word(record, Blocks.BLOCK_END_LINK) - word(record, Blocks.BLOCK_FIRST_LINK)));
  put(stops);
  put(commas);
  put(ratio(stops, max<f32>(1, size)));
  put(ratio(commas, max<f32>(1, size)));
  put(ratio(f32(word(record, Blocks.BLOCK_DIGITS)), characters));
  put(ratio(f32(word(record, Blocks.BLOCK_CAPITALS)), characters));
  put(ratio(f32(word(record, Blocks.BLOCK_SPACELESS)), characters));
  putBool(flag(record, Blocks.BLOCK_ENDS));
  put(f32(word(record, Blocks.BLOCK_DATES)));
  putBool(flag(record, Blocks.BLOCK_PRICE));
  put(f32(word(record, Blocks.BLOCK_BULLETS)));
  put(ratio(characters, f32(word(record, Blocks.BLOCK_WORD_COUNT))));
  putBool(flag(record, Blocks.BLOCK_HIDDEN));
  put(f32(word(record, Blocks.BLOCK_INLINE)));
  putBool(flag(record, Blocks.BLOCK_BOLD));
  putBool(flag(record, Blocks.BLOCK_TIME));
  put(tagOf(blocks, word(record, Blocks.BLOCK_CONTAINER)));
  put(tagOf(blocks, word(record, Blocks.BLOCK_LEAF)));
  put(f32(word(elementAt(blocks, word(record, Blocks.BLOCK_CONTAINER)), Blocks.ELEMENT_DEPTH)));
  put(f32(word(record, Blocks.BLOCK_HEADING)));
  const above = word(elementAt(blocks, word(record, Blocks.BLOCK_LEAF)), Blocks.ELEMENT_ABOVE);
  for (let bit: u32 = 0; bit < <u32>Blocks.ABOVE_HIDDEN; bit++) put(f32((above >> bit) & 1));
}

/** 5 features. */
function putPosition(block: u32, wordsBefore: f32, proseBefore: f32): void {
  put(f32(block) / f32(count));
  put(wordsBefore / totalWords);
  put(proseBefore / totalProse);
  put(f32(count - block));
  put(f32(block));
}

/** 17 features that all blocks of a page share. */
function putPage(blocks: u32): void {
  const types = word(blocks, Blocks.BLOCKS_LD_TYPES);
  put(totalWords);
  put(f32(count));
  put(totalLinkWords / totalWords);
  put(totalProse / totalWords);
  put(mostProse);
  put(proseBlocks);
  putBool(articles > 0);
  putBool(mains > 0);
  put(min<f32>(30, articles));
  put(tables);
  putBool((types & Blocks.LD_ARTICLE) !== 0);
  putBool((types & Blocks.LD_PRODUCT) !== 0);
  putBool((types & Blocks.LD_LIST) !== 0);
  putBool((types & Blocks.LD_FORUM) !== 0);
  put(f32(word(blocks, Blocks.BLOCKS_OG_TYPE)));
  const path = word(blocks, Blocks.BLOCKS_PATH);
  const end = word(blocks, Blocks.BLOCKS_PATH_END);
  let steps: u32 = 0;
  for (let at = path; at < end; at++) if (load<u8>(at) === 0x2f) steps++;
  put(f32(steps));
  put(f32(end - path));
}

function isInside(blocks: u32, node: u32, block: u32): bool {
  const element = elementAt(blocks, node);
  return (
    <i32>block >= load<i32>(element, Blocks.ELEMENT_FIRST << 2) &&
    <i32>block <= load<i32>(element, Blocks.ELEMENT_LAST << 2)
  );
}

/** Blocks to the nearest one inside an element, below zero before it. */
function distanceTo(blocks: u32, node: u32, block: u32): f32 {
  const element = elementAt(blocks, node);
  const first = load<i32>(element, Blocks.ELEMENT_FIRST << 2);
  const last = load<i32>(element, Blocks.ELEMENT_LAST << 2);
  if (<i32>block < first) return f32(<i32>block - first);
  return <i32>block > last ? f32(<i32>block - last) : 0;
}

/** 14 features. */
function putRelations(blocks: u32, record: u32, block: u32): void {
  put(ratio(float(record, Blocks.BLOCK_PROSE) + 1, mostProse + 1));
  const distance = f32(<i32>block - <i32>largest);
  put(distance);
  put(abs(distance));
  let up: f32 = 0;
  let node = word(record, Blocks.BLOCK_CONTAINER);
  while (node !== 0 && word(elementAt(blocks, node), Blocks.ELEMENT_WEIGHT) === 0) {
    node = word(elementAt(blocks, node), Blocks.ELEMENT_PARENT);
    up++;
  }
  put(up);
  put(node === 0 ? 99 : f32(word(elementAt(blocks, node), Blocks.ELEMENT_WEIGHT) - 1));
  putBool(isInside(blocks, candidate, block));
  putBool(isInside(blocks, half, block));
  putBool(isInside(blocks, mostOf, block));
  putBool(isInside(blocks, nearlyAll, block));
  const region = elementAt(blocks, mostOf);
  put(float(region, Blocks.ELEMENT_WORDS) / totalWords);
  put(ratio(float(region, Blocks.ELEMENT_LINK_WORDS), float(region, Blocks.ELEMENT_WORDS)));
  put(float(elementAt(blocks, candidate), Blocks.ELEMENT_WORDS) / totalWords);
  put(distanceTo(blocks, candidate, block));
  put(distanceTo(blocks, half, block));
}

/** 13 features. */
function putDescription(blocks: u32, record: u32, block: u32, heading: u32): void {
  const stamp = 2 * block + 2;
  put(coverage(setAt(blocks, Blocks.SET_TITLE), record, stamp));
  put(wordShare);
  put(coverage(setAt(blocks, Blocks.SET_OG_TITLE), record, stamp));
  coverage(setAt(blocks, Blocks.SET_PATH), record, stamp);
  put(wordShare);
  const description = setAt(blocks, Blocks.SET_DESCRIPTION);
  put(ratio(runsIn(description, record), f32(setSize(description))));
  const linked = setAt(blocks, Blocks.SET_LD_TEXT);
  const words = word(record, Blocks.BLOCK_WORD_COUNT);
  put(setSize(linked) === 0 ? MISSING : ratio(runsIn(linked, record), f32(max<u32>(3, words) - 2)));
  put(f32(setSize(description)));
  put(title === NONE ? FAR : f32(<i32>block - <i32>title));
  putBool(block === title);
  put(firstH1 === NONE ? FAR : f32(<i32>block - <i32>firstH1));
  put(min<f32>(20, headings1));
  put(heading === NONE ? MISSING : f32(block - heading));
  put(heading === NONE ? 0 : f32(word(recordAt(heading), Blocks.BLOCK_HEADING)));
}

/** 41 features of the block-level elements around it: steps 1, 2, 3, 4 and 6. */
function putAncestors(blocks: u32, record: u32): void {
  let node = word(record, Blocks.BLOCK_CONTAINER);
  for (let step: u32 = 1; step <= 6; step++) {
    if (step !== 5) {
      const element = elementAt(blocks, node);
      const words = float(element, Blocks.ELEMENT_WORDS);
      put(words);
      put(ratio(float(element, Blocks.ELEMENT_LINK_WORDS), words));
      put(float(element, Blocks.ELEMENT_PROSE) / totalProse);
      put(f32(word(element, Blocks.ELEMENT_BLOCKS)));
      put(ratio(float(element, Blocks.ELEMENT_PROSE), words));
      if (step <= 4) {
        const shape = word(element, Blocks.ELEMENT_SHAPE);
        put(shape === 0 ? 0 : min<f32>(99, f32(word(shape, Blocks.SHAPE_COUNT))));
        put(shape === 0 ? 0 : float(shape, Blocks.SHAPE_WORDS) / totalWords);
        put(shape === 0 ? 0 : ratio(float(shape, Blocks.SHAPE_LINK_WORDS), float(shape, Blocks.SHAPE_WORDS)));
        put(tagOf(blocks, node));
      }
    }
    const parent = load<i32>(elementAt(blocks, node), Blocks.ELEMENT_PARENT << 2);
    if (parent > 0) node = parent;
  }
}

/** 36 features of the three blocks before and the three after. */
function putNeighbours(blocks: u32, record: u32, block: u32): void {
  for (let step = -3; step <= 3; step++) {
    if (step === 0) continue;
    const other = <i32>block + step;
    const isThere = other >= 0 && other < <i32>count;
    const near = step === -1 || step === 1;
    if (!isThere) {
      const missing = near ? 8 : 5;
      for (let k = 0; k < missing; k++) put(MISSING);
      continue;
    }
    const neighbour = recordAt(other);
    put(float(neighbour, Blocks.BLOCK_SIZE));
    put(linkShare(neighbour));
    put(tagOf(blocks, word(neighbour, Blocks.BLOCK_CONTAINER)));
    put(f32(word(neighbour, Blocks.BLOCK_STOPS)));
    putBool(word(neighbour, Blocks.BLOCK_CONTAINER) === word(record, Blocks.BLOCK_CONTAINER));
    if (!near) continue;
    put(f32(word(neighbour, Blocks.BLOCK_HEADING)));
    put(ratio(f32(word(neighbour, Blocks.BLOCK_DIGITS)), f32(word(neighbour, Blocks.BLOCK_CHARACTERS))));
    putBool(flag(neighbour, Blocks.BLOCK_ENDS));
  }
}

/** 15 features: means over 3, 8 and 20 blocks on either side. */
function putWindows(block: u32): void {
  putWindow(block, 3);
  putWindow(block, 8);
  putWindow(block, 20);
}

function putWindow(block: u32, reach: u32): void {
  const from = block > reach ? block - reach : 0;
  const to = min(count, block + reach + 1);
  let words: f32 = 0;
  let links: f32 = 0;
  let before: f32 = 0;
  let after: f32 = 0;
  for (let other = from; other < to; other++) {
    const record = recordAt(other);
    words += float(record, Blocks.BLOCK_SIZE);
    links += float(record, Blocks.BLOCK_LINK_SIZE);
    const prose = float(record, Blocks.BLOCK_PROSE);
    if (other < block) before += prose;
    else if (other > block) after += prose;
  }
  const own = float(recordAt(block), Blocks.BLOCK_PROSE);
  put(words / f32(to - from));
  put(ratio(links, words));
  put(ratio(before + own + after, words));
  put(after);
  put(before);
}

/** What the names above a block weigh: those of its own block-level element and the next one count apart, too. */
function namesWeight(blocks: u32, page: u32, leaf: u32, element: u32): f32 {
  let sum = float(element, Blocks.ELEMENT_NAMES);
  const parents = word(page, PAGE_PARENT);
  let level: u32 = 0;
  for (let node = leaf; node !== 0 && level < 2; node = load<u32>(parents + (node << 2))) {
    const above = elementAt(blocks, node);
    sum += level === 0 ? float(above, Blocks.ELEMENT_OWN_NAMES) : float(above, Blocks.ELEMENT_PARENT_NAMES);
    if (word(above, Blocks.ELEMENT_SHAPE) !== 0) level++;
  }
  return sum;
}
