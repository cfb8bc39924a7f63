/**
 * Maps the collapsed text of a page to its source and back. Only text nodes add to the text, so a position
 * belongs to the last node whose text starts at or before it. In a text node without collapsed white space, a
 * subtraction is enough; in others the source is collapsed again up to the position.
 */
import * as Page from '../layout.ts';

const TEXT: u32 = 3;
const SPACE: u32 = 0x20;

function word(base: u32, index: u32): u32 {
  return load<u32>(base + (index << 2));
}

function isSpace(byte: u32): bool {
  return byte === 0x20 || (byte - 9 < 5 && byte !== 0x0b);
}

/** Skips white space and zeros, which are not text. */
function skipSpace(at: u32, end: u32): u32 {
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte !== 0 && !isSpace(byte)) break;
  }
  return at;
}

/** Returns the start of the white space at the end of a text. */
function trimSpace(start: u32, end: u32): u32 {
  for (; end > start; end--) {
    const byte: u32 = load<u8>(end - 1);
    if (byte !== 0 && !isSpace(byte)) break;
  }
  return end;
}

/**
 * Returns the text node that wrote the byte at a position: the last node whose text starts at or before it.
 */
function nodeAt(page: u32, position: u32): u32 {
  const textStarts = word(page, Page.PAGE_TEXT_START);
  let low: u32 = 0;
  let high = word(page, Page.PAGE_NODE_COUNT) - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (word(textStarts, middle) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the start of the source bytes of one byte of a node's text; with `isEnd` their end. */
function walkTo(page: u32, node: u32, position: u32, isEnd: bool): u32 {
  const source = word(page, Page.PAGE_SOURCE);
  const text = word(page, Page.PAGE_TEXT);
  const textStarts = word(page, Page.PAGE_TEXT_START);
  const end = source + word(word(page, Page.PAGE_END), node);
  let t = word(textStarts, node);
  let p = skipSpace(source + word(word(page, Page.PAGE_START), node), end);
  if (load<u8>(text + t) === SPACE) {
    // the space before the first word: a range starts at the word
    if (t === position) return p - source;
    t++;
  }
  // no white space was collapsed
  if (trimSpace(p, end) - p === word(textStarts, node + 1) - t) return p - source + position - t + u32(isEnd);
  while (p < end) {
    const from = p;
    const byte: u32 = load<u8>(p);
    p = isSpace(byte) ? skipSpace(p, end) : p + 1;
    if (byte === 0) continue;
    if (t === position) return (isEnd ? p : from) - source;
    t++;
  }
  return end - source;
}

/**
 * Returns the offset in the source of a position in the text: as a start, the first byte of the character at
 * the position; as an end, one past the last byte of the character before it. A space between blocks has no
 * byte in a text node, and is left out on either side.
 */
export function sourceOffset(page: u32, position: u32, isEnd: bool): u32 {
  const textBytes = word(page, Page.PAGE_TEXT_BYTES);
  if (textBytes === 0) return isEnd ? 0 : word(page, Page.PAGE_SOURCE_BYTES);
  if (position === textBytes) isEnd = true;
  else if (position === 0) isEnd = false;
  if (!isEnd) return walkTo(page, nodeAt(page, position), position, false);
  const text = word(page, Page.PAGE_TEXT);
  const textStarts = word(page, Page.PAGE_TEXT_START);
  for (; position > 0; position--) {
    const node = nodeAt(page, position - 1);
    // a space at the start of a node's text is the gap after the node before
    if (
      word(textStarts, node) !== position - 1 ||
      load<u8>(text + position - 1) !== SPACE ||
      position === 1
    ) {
      return walkTo(page, node, position - 1, true);
    }
  }
  return walkTo(page, nodeAt(page, 0), 0, false);
}

/**
 * Returns the first position of the text whose byte is at or after an offset of the source. `node` is at or
 * before the last node that starts before the offset; `offset` and `position` are the point up to which that
 * node's text has been walked, offset 0 before the walk. Results 0, 1 and 2 are these three for the next
 * call, with an offset that is not smaller.
 */
export function textPosition(page: u32, target: u32, node: u32, offset: u32, position: u32): u32 {
  const nodeCount = word(page, Page.PAGE_NODE_COUNT);
  const starts = word(page, Page.PAGE_START);
  const textStarts = word(page, Page.PAGE_TEXT_START);
  const before = node;
  for (; node + 1 < nodeCount; node++) {
    if (word(starts, node + 1) >= target) break;
  }
  if (node !== before) offset = 0;
  const textStart = word(textStarts, node);
  const next = word(textStarts, node + 1);
  const end = word(word(page, Page.PAGE_END), node);
  store<u32>(Page.RESULTS_AT, node);
  store<u32>(Page.RESULTS_AT, offset, 4);
  store<u32>(Page.RESULTS_AT, position, 8);
  if (load<u8>(word(page, Page.PAGE_KIND) + node) !== TEXT || textStart === next || end <= target)
    return next;

  const source = word(page, Page.PAGE_SOURCE);
  const nodeEnd = source + end;
  const to = source + target;
  let p = source + offset;
  let t = position;
  if (offset === 0) {
    p = skipSpace(source + word(starts, node), nodeEnd);
    t = textStart;
  }
  // the space before the first word is skipped with it
  if (p < to && t === textStart && load<u8>(word(page, Page.PAGE_TEXT) + t) === SPACE) t++;
  while (p < to) {
    const byte: u32 = load<u8>(p);
    if (byte !== 0) t++;
    p = isSpace(byte) ? skipSpace(p, nodeEnd) : p + 1;
  }
  store<u32>(Page.RESULTS_AT, p - source, 4);
  store<u32>(Page.RESULTS_AT, t, 8);
  return min(next, t);
}

/** Returns the first node with text in a subtree; the root of a subtree without text. */
function firstText(page: u32, node: u32): u32 {
  const textStarts = word(page, Page.PAGE_TEXT_START);
  const kinds = word(page, Page.PAGE_KIND);
  const end = word(word(page, Page.PAGE_LAST), node);
  if (word(textStarts, end) === word(textStarts, node)) return node;
  for (let child = node + 1; child < end; child++) {
    if (load<u8>(kinds + child) === TEXT && word(textStarts, child + 1) > word(textStarts, child))
      return child;
  }
  return node;
}

/**
 * Counts the links inside templates. `ranges` has two words for each range, and ranges tile the source: the
 * end of the range, and whether it is in a template. The position of a link is the start of its first text;
 * with `byTag`, or without text, that of its start tag.
 */
export function countTemplateLinks(page: u32, ranges: u32, count: u32, byTag: u32): u32 {
  const source = word(page, Page.PAGE_SOURCE);
  const starts = word(page, Page.PAGE_START);
  const ends = word(page, Page.PAGE_END);
  const linkNodes = word(page, Page.PAGE_LINK_NODE);
  const linkCount = word(page, Page.PAGE_LINK_COUNT);
  const rangesEnd = ranges + (count << 3);
  let links: u32 = 0;
  let range = ranges;
  for (let link: u32 = 0; link < linkCount; link++) {
    const element = word(linkNodes, link);
    const node = byTag !== 0 ? element : firstText(page, element);
    const start = word(starts, node);
    const end = word(ends, node);
    while (range < rangesEnd && load<u32>(range) <= start) range += 8;
    // the part of the text before the end of a range may consist of white space only
    if (range < rangesEnd && load<u32>(range) < end && load<u8>(word(page, Page.PAGE_KIND) + node) === TEXT) {
      let first = start;
      while (first + 1 < end && load<u8>(source + first) <= 0x20) first++;
      while (range < rangesEnd && load<u32>(range) <= first) range += 8;
    }
    if (range === rangesEnd) break;
    if (load<u32>(range, 4) !== 0) links++;
  }
  return links;
}
