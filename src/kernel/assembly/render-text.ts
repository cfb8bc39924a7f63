/**
 * The visible text of a page, as plain UTF-8, escaped for JSON, or as the stream that Markdown is made from.
 * `view/visible-text.ts` says what belongs to the text, `text-layout.ts` what the stream adds: events, which are entries
 * for elements and images. One loop visits the nodes; texts are cut where ranges start and end. Bytes are copied 16 at a
 * time up to the next byte that is not copied as it is. A separator is written before the next character, so that there
 * is none after the last.
 */
import * as Page from '../layout.ts';
import * as Texts from '../text-layout.ts';
import { copy, copyCollapsed, copyPre } from './copy-text';
import * as Text from './text-state';
import { isUnseen } from './unseen-elements';
import { closeScript, openScript } from './write-scripts';

const ELEMENT: u32 = 1;
const TEXT: u32 = 3;
const TAG_A: u32 = 8;
const TAG_LI: u32 = 9;
const TAG_IMG: u32 = 12;
const TAG_XMP: u32 = 55;
const TAG_PLAINTEXT: u32 = 56;

const RANGE_BYTES: u32 = Texts.RANGE_WORDS << 2;
const REPLACEMENT_BYTES: u32 = Texts.REPLACEMENT_WORDS << 2;
/** Above all bytes: copying stops at none. */
const NO_BYTE: u32 = 256;

/** Skips the line feed right after `<pre>`: it is markup. */
function skipFirstLineFeed(start: u32): u32 {
  if (Text.get(Text.PRE_DEPTH) === 0 || start !== Text.get(Text.PRE_START)) return start;
  if (load<u8>(start) === 0x0a) return start + 1;
  return load<u16>(start) === 0x0a0d ? start + 2 : start;
}

/**
 * The bucket of the reference between two addresses, or the free bucket for it. `hash` is the hash of its bytes after
 * `&`; the highest 11 bits of its product select one of the 2,048 buckets.
 */
function findReference(start: u32, end: u32, hash: u32): u32 {
  const first = Text.get(Text.TABLES) + Texts.REFERENCE_BUCKETS_AT;
  const last = first + (Texts.REFERENCE_BUCKETS - 1) * Texts.REFERENCE_BUCKET_BYTES;
  const sizeBytes = end - start;
  let bucket = first + ((hash * 0x9e3779b1) >> 21) * Texts.REFERENCE_BUCKET_BYTES;
  while (true) {
    const size = load<u32>(bucket);
    if (size === 0) return bucket;
    if (size === sizeBytes) {
      let same: u32 = 0;
      for (; same < size; same++) {
        if (load<u8>(start + same) !== load<u8>(bucket + same, Texts.REFERENCE_BYTES_AT)) break;
      }
      if (same === size) return bucket;
    }
    bucket = bucket === last ? first : bucket + Texts.REFERENCE_BUCKET_BYTES;
  }
}

/** Results for a reference that is not in the table; `renderText` returns them. */
function unknownReference(start: u32, end: u32, bucket: u32): u32 {
  store<u32>(Page.RESULTS_AT, end, 4);
  store<u32>(Page.RESULTS_AT, bucket, 8);
  return start;
}

/** Writes a text that is kept; returns 0, or the address of a reference that is not in the table. */
function writeText(start: u32, end: u32, stop: u32): u32 {
  let at = copy(skipFirstLineFeed(start), end, stop);
  while (at < end) {
    let next = at + 1;
    let hash: u32 = 0;
    for (; next < end; next++) {
      const byte: u32 = load<u8>(next);
      if (!Text.isReferenceByte(byte)) {
        if (byte === 0x3b /* ; */) next++;
        break;
      }
      hash = hash * 31 + byte;
    }
    Text.set(Text.NEXT_BYTE, next < end ? <u32>load<u8>(next) : 0);
    if (next - at > <u32>Texts.LONGEST_REFERENCE) {
      const known = Text.get(Text.TABLES) + Texts.LONG_REFERENCE_AT;
      if (load<u32>(known) !== at) return unknownReference(at, next, known);
      copy(load<u32>(known, 4), load<u32>(known, 8), NO_BYTE);
    } else {
      const bucket = findReference(at, next, hash);
      if (load<u32>(bucket) === 0) return unknownReference(at, next, bucket);
      const decoded = bucket + Texts.DECODED_BYTES_AT;
      copy(decoded, decoded + load<u32>(bucket, 4), NO_BYTE);
    }
    Text.set(Text.NEXT_BYTE, 0);
    at = copy(next, end, stop);
  }
  return 0;
}

/** The range that holds an address of the source. The search starts at the last range, so it is fast from left to right. */
function seekRange(at: u32): u32 {
  let range = Text.get(Text.RANGE);
  while (at < load<u32>(range)) range -= RANGE_BYTES;
  while (at >= load<u32>(range, 4)) range += RANGE_BYTES;
  Text.set(Text.RANGE, range);
  return range;
}

/** The first address from `cut` on that is not inside a UTF-8 sequence or a character reference. */
function characterEdge(cut: u32, start: u32): u32 {
  const sourceEnd = Text.get(Text.SOURCE_END);
  let edge = cut;
  while (edge < sourceEnd && (load<u8>(edge) & 0xc0) === 0x80) edge++;
  for (let back = edge - 1; back >= start && edge - back < <u32>Texts.LONGEST_REFERENCE; back--) {
    const byte: u32 = load<u8>(back);
    if (byte === 0x26 /* & */) {
      let ahead = edge;
      while (
        ahead < sourceEnd &&
        ahead - back < <u32>Texts.LONGEST_REFERENCE &&
        Text.isReferenceByte(load<u8>(ahead))
      )
        ahead++;
      return load<u8>(ahead) === 0x3b /* ; */ ? ahead + 1 : edge;
    }
    if (!Text.isReferenceByte(byte)) break;
  }
  return edge;
}

/**
 * White space between nodes is not a node: `<b>a</b> <b>b</b>` are two words. Steps over the tags between two addresses.
 */
function passGap(from: u32, to: u32): void {
  for (let at = from; at < to; ) {
    // more white space changes nothing
    if (Text.get(Text.PENDING) !== 0 && Text.get(Text.PRE_DEPTH) === 0) return;
    const byte: u32 = load<u8>(at);
    if (byte === 0x3c /* < */) {
      while (at < to && load<u8>(at) !== 0x3e /* > */) at++;
      at++;
      continue;
    }
    if (!Text.isSpace(byte)) {
      at++;
      continue;
    }
    const first = at;
    while (at < to && Text.isSpace(load<u8>(at))) at++;
    const isKept = Text.get(Text.PRE_DEPTH) !== 0 && keepsText(seekRange(first));
    if (isKept) copyPre(skipFirstLineFeed(first), at, NO_BYTE);
    else Text.separate(Text.SPACE);
  }
}

/** Returns whether the text of a range is kept; if so, the next text needs the bracket of this range. */
function keepsText(range: u32): bool {
  const bits = load<u32>(range, 8);
  if ((bits & Texts.RANGE_KEPT) === 0) return false;
  Text.set(Text.BRACKET, bits >> Texts.RANGE_BRACKET_SHIFT);
  return true;
}

/** The display of a tag and its bits (text-layout.ts); unknown tags are inline, without bits. */
function displayOf(tables: u32, tag: u32): u32 {
  return tag < <u32>Texts.DISPLAY_TAGS ? load<u8>(tables + tag) : 0;
}

function isLine(display: u32): bool {
  return display === Texts.DISPLAY_BLOCK || display === Texts.DISPLAY_BREAK || display === Texts.DISPLAY_PRE;
}

function separateElement(display: u32): void {
  if (display === Texts.DISPLAY_BREAK) Text.breakLine();
  else if (isLine(display)) Text.separate(Text.NEWLINE);
  else if (display === Texts.DISPLAY_CELL) Text.separate(Text.TAB);
  else if (display === Texts.DISPLAY_APART) Text.separate(Text.SPACE);
}

function isScript(display: u32): bool {
  return display === Texts.DISPLAY_SUPERSCRIPT || display === Texts.DISPLAY_SUBSCRIPT;
}

/** Writes the separator and the events of the start of an element; the caller handles `pre`. */
function beginElement(node: u32, tag: u32, bits: u32, range: u32): void {
  const display = bits & Texts.DISPLAY_MASK;
  const isMarkdown = Text.get(Text.MODE) === Texts.MODE_MARKDOWN;
  if (display === Texts.DISPLAY_BREAK && Text.get(Text.PRE_DEPTH) !== 0) {
    Text.flush(false);
    Text.closeBracket();
    Text.writeSpace(0x0a);
  } else if (isScript(display) && !isMarkdown) {
    openScript();
  } else if (isWrapped(display)) {
    if (!keepsText(range)) return;
    Text.writeAdded(display === Texts.DISPLAY_QUOTE ? 0x22 : 0x28);
    Text.set(Text.PENDING, Text.BEGINNING);
  } else {
    separateElement(display);
    if (display === Texts.DISPLAY_ADJACENT) {
      if (Text.get(Text.ENDED_TAG) === tag && Text.get(Text.PENDING) === 0) Text.set(Text.IS_ADJACENT, 1);
      Text.set(Text.ENDED_TAG, 0);
    }
  }
  if (!isMarkdown || (bits & Texts.HAS_EVENT) === 0) return;
  if ((bits & Texts.IS_POINT) !== 0) {
    if (!keepsText(range)) return;
    if (display === Texts.DISPLAY_BLOCK) Text.listBlock(node << 1);
    else if (tag === TAG_IMG) Text.listImage(node << 1);
    else Text.listOpening(node << 1);
  } else if (isOpened(display)) {
    Text.listOpening(node << 1);
    if ((bits & Texts.IS_CODE) !== 0) Text.set(Text.CODE_DEPTH, Text.get(Text.CODE_DEPTH) + 1);
    if (tag === TAG_A) Text.set(Text.LINK_DEPTH, Text.get(Text.LINK_DEPTH) + 1);
  } else {
    Text.listBlock(node << 1);
  }
}

function endElement(node: u32, tag: u32, bits: u32, range: u32): void {
  const display = bits & Texts.DISPLAY_MASK;
  const isMarkdown = Text.get(Text.MODE) === Texts.MODE_MARKDOWN;
  if (display === Texts.DISPLAY_PRE) {
    const depth = Text.get(Text.PRE_DEPTH) - 1;
    Text.set(Text.PRE_DEPTH, depth);
    if (depth === 0) Text.set(Text.OUT, Text.get(Text.PRE_END));
  }
  if (isScript(display) && !isMarkdown) closeScript(display === Texts.DISPLAY_SUPERSCRIPT);
  else if (isWrapped(display)) {
    if (!keepsText(range)) return;
    Text.set(Text.PENDING, 0);
    Text.writeAdded(display === Texts.DISPLAY_QUOTE ? 0x22 : 0x29);
  } else if (display === Texts.DISPLAY_ADJACENT) {
    if (Text.get(Text.PENDING) === 0) Text.set(Text.ENDED_TAG, tag);
  } else if (display !== Texts.DISPLAY_BREAK) separateElement(display);
  if (!isMarkdown || (bits & (Texts.HAS_EVENT | Texts.IS_POINT)) !== Texts.HAS_EVENT) return;
  if (isOpened(display)) {
    if ((bits & Texts.IS_CODE) !== 0) Text.set(Text.CODE_DEPTH, Text.get(Text.CODE_DEPTH) - 1);
    if (tag === TAG_A) Text.set(Text.LINK_DEPTH, Text.get(Text.LINK_DEPTH) - 1);
    Text.listEnding((node << 1) | 1);
  } else {
    Text.listBlock((node << 1) | 1);
  }
}

/** Whether quotes or parentheses are written around the text of an element. */
function isWrapped(display: u32): bool {
  return display === Texts.DISPLAY_QUOTE || display === Texts.DISPLAY_RUBY;
}

/** Whether an element with an event is inline. */
function isOpened(display: u32): bool {
  return !isLine(display) && display !== Texts.DISPLAY_CELL;
}

function column(page: u32, word: u32): u32 {
  return load<u32>(page + (word << 2));
}

/**
 * Renders a page to the address `out`. `ranges` tile the source. `tables` has the display of tags and the known
 * references. `replacements` are in the order of their nodes. The events of the stream for Markdown, in which each replacement is
 * one, are listed at the address `events`. Returns 0 when the page is done, with the end of the output in result 0 and that of the events in result 3;
 * otherwise the address of a reference that is not in the table, with its end in result 1 and its bucket in
 * result 2. Called again with that address as `resumed` and the reference in its bucket, it goes on from there.
 */
export function renderText(
  page: u32,
  ranges: u32,
  tables: u32,
  out: u32,
  mode: u32,
  replacements: u32,
  events: u32,
  resumed: u32,
): u32 {
  const source = column(page, Page.PAGE_SOURCE);
  const nodeCount = column(page, Page.PAGE_NODE_COUNT);
  const kinds = column(page, Page.PAGE_KIND);
  const names = column(page, Page.PAGE_NAME);
  const parents = column(page, Page.PAGE_PARENT);
  const lasts = column(page, Page.PAGE_LAST);
  const starts = column(page, Page.PAGE_START);
  const openEnds = column(page, Page.PAGE_OPEN_END);
  const ends = column(page, Page.PAGE_END);
  let node: u32;
  let open: u32; // the innermost element that is open; the document, 0, is not entered
  let position: u32; // the address up to which all bytes have been looked at
  if (resumed === 0) {
    memory.fill(Text.STATE, 0, Text.STATE_BYTES);
    Text.set(Text.PENDING, Text.BEGINNING);
    Text.set(Text.OUT, out);
    Text.set(Text.OUT_START, out);
    Text.set(Text.RANGE, ranges);
    Text.set(Text.SOURCE_END, source + column(page, Page.PAGE_SOURCE_BYTES));
    Text.set(Text.MODE, mode);
    Text.set(Text.TABLES, tables);
    Text.set(Text.REPLACEMENT, replacements);
    Text.set(Text.EVENTS, events);
    node = 1;
    open = 0;
    position = source;
  } else {
    node = Text.get(Text.NODE);
    open = Text.get(Text.OPEN);
    position = Text.get(Text.POSITION);
  }

  let range = Text.get(Text.RANGE);
  while (true) {
    if (resumed === 0) {
      // end the elements that end before this node
      while (open !== 0 && load<u32>(lasts + (open << 2)) <= node) {
        const end = source + load<u32>(ends + (open << 2));
        if (position < end) {
          passGap(position, end);
          position = end;
        }
        const tag: u32 = load<u16>(names + (open << 1));
        const bits = displayOf(tables, tag);
        if (bits !== 0) {
          const isRange = isWrapped(bits & Texts.DISPLAY_MASK);
          const at = isRange ? seekRange(source + load<u32>(starts + (open << 2))) : 0;
          endElement(open, tag, bits, at);
        }
        open = load<u32>(parents + (open << 2));
      }
      if (node >= nodeCount) break;
      const start = source + load<u32>(starts + (node << 2));
      if (position < start) {
        passGap(position, start);
        position = start;
      }
    }

    const kind: u32 = load<u8>(kinds + node);
    const end = source + load<u32>(ends + (node << 2));
    if (kind === ELEMENT) {
      const replacement = Text.get(Text.REPLACEMENT);
      if (node >= load<u32>(replacement)) {
        // a replacement inside another one is skipped
        Text.set(Text.REPLACEMENT, replacement + REPLACEMENT_BYTES);
        if (node > load<u32>(replacement)) continue;
        range = seekRange(source + load<u32>(starts + (node << 2)));
        if (load<u32>(replacement, 12) === load<u32>(replacement, 16) || !keepsText(range))
          Text.separate(Text.SPACE);
        else if (mode === Texts.MODE_MARKDOWN) Text.listFormula(node << 1);
        else if (Text.get(Text.PRE_DEPTH) !== 0)
          copyPre(load<u32>(replacement, 12), load<u32>(replacement, 16), NO_BYTE);
        else copyCollapsed(load<u32>(replacement, 12), load<u32>(replacement, 16), NO_BYTE);
        node = load<u32>(replacement, 4);
        if (position < load<u32>(replacement, 8)) position = load<u32>(replacement, 8);
        continue;
      }
      const tag: u32 = load<u16>(names + (node << 1));
      const bits = displayOf(tables, tag);
      const display = bits & Texts.DISPLAY_MASK;
      range = seekRange(source + load<u32>(starts + (node << 2)));
      // a block that is dropped as a whole ends the line, whatever is in it
      const isDropped =
        isLine(display) &&
        Text.get(Text.PRE_DEPTH) === 0 &&
        end <= load<u32>(range, 4) &&
        (load<u32>(range, 8) & Texts.RANGE_KEPT) === 0;
      // formulas have hidden twins, one of which is written
      const isLeftOut =
        display === Texts.DISPLAY_GONE ||
        (!isDropped &&
          display !== Texts.DISPLAY_HIDDEN &&
          load<u32>(replacement) >= load<u32>(lasts + (node << 2)) &&
          isUnseen(page, node));
      if (display === Texts.DISPLAY_HIDDEN || isLeftOut || isDropped) {
        if (isDropped) Text.separate(Text.NEWLINE);
        else if (isLeftOut) Text.separate(isLine(display) ? Text.NEWLINE : Text.SPACE);
        // a dropped item still counts in the numbers of its list
        if (isDropped && tag === TAG_LI && mode === Texts.MODE_MARKDOWN) {
          Text.listBlock(node << 1);
          Text.listBlock((node << 1) | 1);
        }
        if (position < end) position = end;
        node = load<u32>(lasts + (node << 2));
        continue;
      }
      if (bits !== 0) beginElement(node, tag, bits, range);
      const openEnd = source + load<u32>(openEnds + (node << 2));
      if (display === Texts.DISPLAY_PRE) {
        const depth = Text.get(Text.PRE_DEPTH);
        if (depth === 0) {
          Text.set(Text.PRE_END, Text.get(Text.OUT));
          Text.set(Text.PRE_START, openEnd);
        }
        Text.set(Text.PRE_DEPTH, depth + 1);
      }
      if (position < openEnd) position = openEnd;
      open = node++;
      continue;
    }
    if (kind === TEXT) {
      // references are not decoded in some elements
      const tag: u32 = load<u16>(names + (load<u32>(parents + (node << 2)) << 1));
      const stop: u32 = tag === TAG_XMP || tag === TAG_PLAINTEXT ? NO_BYTE : 0x26;
      let from = resumed === 0 ? source + load<u32>(starts + (node << 2)) : resumed;
      resumed = 0;
      while (from < end) {
        if (from < load<u32>(range) || from >= load<u32>(range, 4)) range = seekRange(from);
        let to = end;
        if (load<u32>(range, 4) < end) {
          const edge = characterEdge(load<u32>(range, 4), from);
          if (edge < end) to = edge;
        }
        if (keepsText(range)) {
          const unknown = writeText(from, to, stop);
          if (unknown !== 0) {
            Text.set(Text.NODE, node);
            Text.set(Text.OPEN, open);
            Text.set(Text.POSITION, position);
            return unknown;
          }
        } else {
          // the characters on both sides of dropped text never were one word
          Text.separate(Text.SPACE);
        }
        from = to;
      }
    }
    if (position < end) position = end;
    node++;
  }
  Text.closeBracket();
  store<u32>(Page.RESULTS_AT, Text.get(Text.OUT));
  store<u32>(Page.RESULTS_AT, Text.get(Text.EVENTS), 12);
  return 0;
}
