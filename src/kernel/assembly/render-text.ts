/**
 * The visible text of a page, as JSON-escaped or plain UTF-8. `view/visible-text.ts` says what belongs to it. One loop
 * over the nodes; texts are cut where ranges start and end. Bytes are copied 16 at a time up to the next byte that
 * needs a look; a separator is written before the next character and none after the last.
 */
import {
  PAGE_END,
  PAGE_KIND,
  PAGE_LAST,
  PAGE_NAME,
  PAGE_NODE_COUNT,
  PAGE_OPEN_END,
  PAGE_PARENT,
  PAGE_SOURCE,
  PAGE_SOURCE_BYTES,
  PAGE_START,
  RESULTS_AT,
} from '../layout.ts';
import {
  CLOSING_BRACKET,
  DECODED_BYTES_AT,
  DISPLAY_APART,
  DISPLAY_BLOCK,
  DISPLAY_BREAK,
  DISPLAY_CELL,
  DISPLAY_HIDDEN,
  DISPLAY_PRE,
  DISPLAY_SUBSCRIPT,
  DISPLAY_SUPERSCRIPT,
  DISPLAY_TAGS,
  LONG_REFERENCE_AT,
  LONGEST_REFERENCE,
  LONGEST_SCRIPT,
  RANGE_BRACKET_SHIFT,
  RANGE_KEPT,
  RANGE_WORDS,
  REFERENCE_BYTES_AT,
  REFERENCE_SLOT_BYTES,
  REFERENCE_SLOTS,
  REFERENCE_SLOTS_AT,
} from '../text-layout.ts';

const ELEMENT: u32 = 1;
const TEXT: u32 = 3;
const TAG_XMP: u32 = 55;
const TAG_PLAINTEXT: u32 = 56;

/** Separators that may be pending, the stronger ones last. */
const SPACE: u32 = 1;
const TAB: u32 = 2;
const NEWLINE: u32 = 3;

const RANGE_BYTES: u32 = RANGE_WORDS << 2;
/** No byte to stop at. */
const NO_BYTE: u32 = 256;

// the renderer's state: it holds between two calls for one page
const STATE_BYTES: u32 = 112;
const STATE: u32 = <u32>memory.data(112, 16);
/** The separator before the next character. */
const PENDING: u32 = 0;
/** Where the next byte is written, and where the output starts. */
const OUT: u32 = 4;
const OUT_START: u32 = 8;
/** Open elements whose white space counts, where the text of the outermost starts, where its output ends if it ends here. */
const PRE_DEPTH: u32 = 12;
const PRE_START: u32 = 16;
const PRE_END: u32 = 20;
/** The range that was looked up last. */
const RANGE: u32 = 24;
const SOURCE_END: u32 = 28;
const IS_JSON: u32 = 32;
/** The bracket that is open, and the one that the current text needs; 0 is none. */
const OPEN_BRACKET: u32 = 36;
const BRACKET: u32 = 40;
/** Where the walk goes on after an unknown reference. */
const NODE: u32 = 44;
const OPEN: u32 = 48;
const POSITION: u32 = 52;
const TABLES: u32 = 56;
/** Open superscripts and subscripts, and where the output of the outer ones starts, for as many as are written. */
const SCRIPT_DEPTH: u32 = 60;
const SCRIPT_STARTS: u32 = 64;
const DEEPEST_SCRIPT: u32 = 8;

function get(field: u32): u32 {
  return load<u32>(STATE + field);
}

function set(field: u32, value: u32): void {
  store<u32>(STATE + field, value);
}

function separate(separator: u32): void {
  if (get(PENDING) < separator) set(PENDING, separator);
}

function isSpace(byte: u32): bool {
  return byte === 0x20 || (byte - 9 < 5 && byte !== 0x0b);
}

/** Letters, digits and `#`: the bytes of a reference between `&` and `;`. */
function isReferenceByte(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10 || byte === 0x23;
}

function writeByte(byte: u32): void {
  const out = get(OUT);
  store<u8>(out, byte);
  set(OUT, out + 1);
}

/** Writes a space, a tab or a line feed. */
function writeSpace(byte: u32): void {
  if (get(IS_JSON) !== 0 && byte !== 0x20) {
    writeByte(0x5c);
    writeByte(byte === 0x0a ? 0x6e /* n */ : 0x74 /* t */);
  } else {
    writeByte(byte);
  }
}

function closeBracket(): void {
  if (get(OPEN_BRACKET) === 0) return;
  writeByte(CLOSING_BRACKET);
  set(PRE_END, get(OUT));
  set(OPEN_BRACKET, 0);
}

/** Writes what belongs before the next character: the end of a bracket, the separator, a new bracket. */
function flush(opensBracket: bool): void {
  const pending = get(PENDING);
  if (get(OPEN_BRACKET) !== get(BRACKET) || pending === NEWLINE) closeBracket();
  // the first character has no separator before it
  if (pending !== 0 && get(OUT) !== get(OUT_START)) {
    writeSpace(pending === NEWLINE ? 0x0a : pending === TAB ? 0x09 : 0x20);
  }
  set(PENDING, 0);
  if (!opensBracket || get(OPEN_BRACKET) === get(BRACKET)) return;
  set(OPEN_BRACKET, get(BRACKET));
  writeByte(get(BRACKET));
}

/**
 * Copies the bytes between two addresses, white space collapsed, up to the byte `stop`; returns its address, or `to`.
 */
function copyCollapsed(from: u32, to: u32, stop: u32): u32 {
  const isJson = get(IS_JSON) !== 0;
  const spaces = i8x16.splat(0x20);
  const ampersands = i8x16.splat(0x26);
  const quotes = isJson ? i8x16.splat(0x22) : ampersands;
  const backslashes = isJson ? i8x16.splat(0x5c) : ampersands;
  while (from < to) {
    const byte: u32 = load<u8>(from);
    const isEscaped = isJson && (byte === 0x22 || byte === 0x5c);
    if (byte > 0x20 && byte !== 0x26 && byte !== 0x7f && byte !== 0xc2 && !isEscaped) {
      // words: up to white space other than a single space, a control, a reference, a byte to escape
      flush(true);
      let out = get(OUT);
      let count: u32;
      do {
        const sixteen = v128.load(from);
        const ends = v128.or(
          v128.or(
            v128.or(
              i8x16.lt_u(sixteen, spaces),
              v128.and(i8x16.eq(sixteen, spaces), i8x16.eq(v128.load(from - 1), spaces)),
            ),
            v128.or(i8x16.eq(sixteen, quotes), i8x16.eq(sixteen, ampersands)),
          ),
          v128.or(
            v128.or(i8x16.eq(sixteen, backslashes), i8x16.eq(sixteen, i8x16.splat(0x7f))),
            i8x16.eq(sixteen, i8x16.splat(<i8>0xc2)),
          ),
        );
        count = ctz<u32>(i8x16.bitmask(ends) | 0x10000);
        if (to - from < count) count = to - from;
        v128.store(out, sixteen);
        from += count;
        out += count;
      } while (count === 16);
      // the last space waits for the next word
      const endsInSpace = load<u8>(out - 1) === 0x20;
      set(OUT, endsInSpace ? out - 1 : out);
      if (endsInSpace) set(PENDING, SPACE);
      continue;
    }
    if (byte === stop) return from;
    const next: u32 = load<u8>(from, 1);
    if (isEscaped) {
      flush(true);
      writeByte(0x5c);
      writeByte(byte);
      from++;
    } else if (byte === 0x26 || (byte === 0xc2 && next > 0xa0)) {
      flush(true);
      writeByte(byte);
      from++;
    } else if (byte === 0xc2) {
      // U+0080 to U+009F are controls; U+00A0 is a space, and so is U+0085, an old line end
      if (next === 0xa0 || next === 0x85) separate(SPACE);
      from += 2;
    } else {
      // controls are dropped
      if (isSpace(byte)) separate(SPACE);
      from++;
    }
  }
  return to;
}

/** Does the same where white space counts. */
function copyPre(from: u32, to: u32, stop: u32): u32 {
  const isJson = get(IS_JSON) !== 0;
  for (; from < to; from++) {
    const byte: u32 = load<u8>(from);
    if (byte === stop) return from;
    if (byte === 0x0a || byte === 0x20 || byte === 0x09) {
      // white space opens no bracket, and the end of a line closes the one that is open
      flush(false);
      if (byte === 0x0a) closeBracket();
      writeSpace(byte);
    } else if (byte === 0xc2 && load<u8>(from, 1) < 0xa0 && from + 1 !== get(SOURCE_END)) {
      from++;
    } else if (byte > 0x20 && byte !== 0x7f) {
      flush(true);
      if (isJson && (byte === 0x22 || byte === 0x5c)) writeByte(0x5c);
      writeByte(byte);
      set(PRE_END, get(OUT));
    }
  }
  return to;
}

function copy(from: u32, to: u32, stop: u32): u32 {
  return get(PRE_DEPTH) !== 0 ? copyPre(from, to, stop) : copyCollapsed(from, to, stop);
}

/** Skips the line feed right after `<pre>`: it is markup. */
function skipFirstLineFeed(start: u32): u32 {
  if (get(PRE_DEPTH) === 0 || start !== get(PRE_START)) return start;
  if (load<u8>(start) === 0x0a) return start + 1;
  return load<u16>(start) === 0x0a0d ? start + 2 : start;
}

/** The slot of the reference between two addresses, or the free slot for it. `hash` is that of its bytes after `&`. */
function findReference(start: u32, end: u32, hash: u32): u32 {
  const first = get(TABLES) + REFERENCE_SLOTS_AT;
  const last = first + (REFERENCE_SLOTS - 1) * REFERENCE_SLOT_BYTES;
  const sizeBytes = end - start;
  let slot = first + ((hash * 0x9e3779b1) >> 21) * REFERENCE_SLOT_BYTES;
  while (true) {
    const size = load<u32>(slot);
    if (size === 0) return slot;
    if (size === sizeBytes) {
      let same: u32 = 0;
      for (; same < size; same++) {
        if (load<u8>(start + same) !== load<u8>(slot + same, REFERENCE_BYTES_AT)) break;
      }
      if (same === size) return slot;
    }
    slot = slot === last ? first : slot + REFERENCE_SLOT_BYTES;
  }
}

function unknownReference(start: u32, end: u32, slot: u32): u32 {
  store<u32>(RESULTS_AT, end, 4);
  store<u32>(RESULTS_AT, slot, 8);
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
      if (!isReferenceByte(byte)) {
        if (byte === 0x3b /* ; */) next++;
        break;
      }
      hash = hash * 31 + byte;
    }
    if (next - at > <u32>LONGEST_REFERENCE) {
      const known = get(TABLES) + LONG_REFERENCE_AT;
      if (load<u32>(known) !== at) return unknownReference(at, next, known);
      copy(load<u32>(known, 4), load<u32>(known, 8), NO_BYTE);
    } else {
      const slot = findReference(at, next, hash);
      if (load<u32>(slot) === 0) return unknownReference(at, next, slot);
      const decoded = slot + DECODED_BYTES_AT;
      copy(decoded, decoded + load<u32>(slot, 4), NO_BYTE);
    }
    at = copy(next, end, stop);
  }
  return 0;
}

/** The range that holds an address of the source. Fast from left to right. */
function seekRange(at: u32): u32 {
  let range = get(RANGE);
  while (at < load<u32>(range)) range -= RANGE_BYTES;
  while (at >= load<u32>(range, 4)) range += RANGE_BYTES;
  set(RANGE, range);
  return range;
}

/** The first address from `cut` on that is not inside a UTF-8 sequence or a character reference. */
function characterEdge(cut: u32, start: u32): u32 {
  const sourceEnd = get(SOURCE_END);
  let edge = cut;
  while (edge < sourceEnd && (load<u8>(edge) & 0xc0) === 0x80) edge++;
  for (let back = edge - 1; back >= start && edge - back < <u32>LONGEST_REFERENCE; back--) {
    const byte: u32 = load<u8>(back);
    if (byte === 0x26 /* & */) {
      let ahead = edge;
      while (ahead < sourceEnd && ahead - back < <u32>LONGEST_REFERENCE && isReferenceByte(load<u8>(ahead)))
        ahead++;
      return load<u8>(ahead) === 0x3b /* ; */ ? ahead + 1 : edge;
    }
    if (!isReferenceByte(byte)) break;
  }
  return edge;
}

/** White space between nodes is no node: `<b>a</b> <b>b</b>` are two words. Steps over the tags between two addresses. */
function passGap(from: u32, to: u32): void {
  for (let at = from; at < to; ) {
    // more white space changes nothing
    if (get(PENDING) !== 0 && get(PRE_DEPTH) === 0) return;
    const byte: u32 = load<u8>(at);
    if (byte === 0x3c /* < */) {
      while (at < to && load<u8>(at) !== 0x3e /* > */) at++;
      at++;
      continue;
    }
    if (!isSpace(byte)) {
      at++;
      continue;
    }
    const first = at;
    while (at < to && isSpace(load<u8>(at))) at++;
    const isKept = get(PRE_DEPTH) !== 0 && keepsText(seekRange(first));
    if (isKept) copyPre(skipFirstLineFeed(first), at, NO_BYTE);
    else separate(SPACE);
  }
}

/** Whether the text of a range is kept; its bracket is the one that text needs from now on. */
function keepsText(range: u32): bool {
  const bits = load<u32>(range, 8);
  if ((bits & RANGE_KEPT) === 0) return false;
  set(BRACKET, bits >> RANGE_BRACKET_SHIFT);
  return true;
}

/** How an element of this tag shows; tags that are not HTML's are inline. */
function displayOf(tables: u32, tag: u32): u32 {
  return tag < <u32>DISPLAY_TAGS ? load<u8>(tables + tag) : 0;
}

function isLine(display: u32): bool {
  return display === DISPLAY_BLOCK || display === DISPLAY_BREAK || display === DISPLAY_PRE;
}

function separateElement(display: u32): void {
  if (isLine(display)) set(PENDING, NEWLINE);
  else if (display === DISPLAY_CELL) separate(TAB);
  else if (display === DISPLAY_APART) separate(SPACE);
}

function isScript(display: u32): bool {
  return display === DISPLAY_SUPERSCRIPT || display === DISPLAY_SUBSCRIPT;
}

function openScript(): void {
  const depth = get(SCRIPT_DEPTH);
  if (depth < DEEPEST_SCRIPT) set(SCRIPT_STARTS + (depth << 2), get(OUT));
  set(SCRIPT_DEPTH, depth + 1);
}

/** Characters that were read from a script, in this order: their scripts are in the same places below. */
const SCRIPT_CHARACTERS: u32 = <u32>(
  memory.data<u8>([
    0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x2b, 0x2d, 0x3d, 0x28, 0x29, 0x69, 0x6e,
    0x61, 0x65, 0x68, 0x6a, 0x6b, 0x6c, 0x6d, 0x6f, 0x70, 0x72, 0x73, 0x74, 0x75, 0x76, 0x78,
  ])
);
const SUPERSCRIPT_COUNT: u32 = 17;
const SUBSCRIPT_COUNT: u32 = 32;
/** 0 to 9 + - = ( ) i n */
const SUPERSCRIPTS: u32 = <u32>(
  memory.data<u16>([
    0x2070, 0x00b9, 0x00b2, 0x00b3, 0x2074, 0x2075, 0x2076, 0x2077, 0x2078, 0x2079, 0x207a, 0x207b, 0x207c,
    0x207d, 0x207e, 0x2071, 0x207f,
  ])
);
/** 0 to 9 + - = ( ) i n a e h j k l m o p r s t u v x */
const SUBSCRIPTS: u32 = <u32>(
  memory.data<u16>([
    0x2080, 0x2081, 0x2082, 0x2083, 0x2084, 0x2085, 0x2086, 0x2087, 0x2088, 0x2089, 0x208a, 0x208b, 0x208c,
    0x208d, 0x208e, 0x1d62, 0x2099, 0x2090, 0x2091, 0x2095, 0x2c7c, 0x2096, 0x2097, 0x2098, 0x2092, 0x209a,
    0x1d63, 0x209b, 0x209c, 0x1d64, 0x1d65, 0x2093,
  ])
);
const SCRIPT_SCRATCH: u32 = <u32>memory.data(128, 16);

/** The code point for a byte in a superscript or subscript; 0 when Unicode has none. */
function scriptOf(byte: u32, isSuperscript: bool): u32 {
  const count = isSuperscript ? SUPERSCRIPT_COUNT : SUBSCRIPT_COUNT;
  for (let k: u32 = 0; k < count; k++) {
    if (load<u8>(SCRIPT_CHARACTERS + k) === byte)
      return load<u16>((isSuperscript ? SUPERSCRIPTS : SUBSCRIPTS) + (k << 1));
  }
  return 0;
}

/** Rewrites the output of the superscript or subscript that ends here; view/script-text.ts has the rules. */
function closeScript(isSuperscript: bool): void {
  const depth = get(SCRIPT_DEPTH) - 1;
  set(SCRIPT_DEPTH, depth);
  if (depth >= DEEPEST_SCRIPT) return;
  const before = get(SCRIPT_STARTS + (depth << 2));
  const isJson = get(IS_JSON) !== 0;
  const end = get(OUT);
  // the separator and the bracket before the first character
  let start = before;
  while (start < end && load<u8>(start) <= 0x20) start++;
  if (isJson && start < end && isEscapedSpace(start)) start += 2;
  if (start >= end || end - start > <u32>LONGEST_SCRIPT) return;
  if (get(PRE_DEPTH) !== 0 && get(PRE_END) !== end) return;

  let out = SCRIPT_SCRATCH;
  let characters: u32 = 0;
  let letters: u32 = 0;
  let digits: u32 = 0;
  let others: u32 = 0;
  let hasAll = true;
  for (let at = start; at < end; characters++) {
    let byte: u32 = load<u8>(at);
    if (byte < 0x20 || (isJson && isEscapedSpace(at))) return;
    let size: u32 = 1;
    if (byte >= 0xc0) size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    else if (isJson && byte === 0x5c) size = 2;
    const three = load<u32>(at) & 0xffffff;
    // the minus sign and the en dash
    if (three === 0x9288e2 || three === 0x9380e2) byte = 0x2d;
    at += size;
    // letters, and beyond ASCII all characters but U+0080 to U+00BF and U+2000 to U+2FFF, which are signs
    if (byte - 0x30 < 10) digits++;
    else if ((byte | 0x20) - 0x61 < 26 || (byte >= 0xc3 && byte !== 0xe2)) letters++;
    else if (byte !== 0x20 && byte !== 0x27 && byte !== 0x2c && byte !== 0x2e) others++;
    const code = hasAll ? scriptOf(byte, isSuperscript) : 0;
    if (code === 0) hasAll = false;
    else if (code < 0x100) {
      store<u8>(out, 0xc2);
      store<u8>(out, code, 1);
      out += 2;
    } else {
      store<u8>(out, 0xe0 | (code >> 12));
      store<u8>(out, 0x80 | ((code >> 6) & 0x3f), 1);
      store<u8>(out, 0x80 | (code & 0x3f), 2);
      out += 3;
    }
  }
  // words stay as they are
  if (digits + others === 0 && characters > 1) return;
  if (hasAll) {
    memory.copy(start, SCRIPT_SCRATCH, out - SCRIPT_SCRATCH);
    set(OUT, start + (out - SCRIPT_SCRATCH));
  } else {
    const isApart = start === get(OUT_START) || load<u8>(start - 1) <= 0x20 || start !== before;
    const isBracketed = load<u8>(start) === 0x5b /* [ */ && load<u8>(end - 1) === 0x5d; /* ] */
    if (isApart || isBracketed || characters === 1 || letters + digits === 0) return;
    memory.copy(start + 2, start, end - start);
    store<u8>(start, isSuperscript ? 0x5e : 0x5f);
    store<u8>(start, 0x28, 1);
    store<u8>(end, 0x29, 2);
    set(OUT, end + 3);
  }
  if (get(PRE_DEPTH) !== 0) set(PRE_END, get(OUT));
}

/** Whether the output at an address is a line feed or a tab, escaped for JSON. */
function isEscapedSpace(at: u32): bool {
  const two: u32 = load<u16>(at);
  return two === 0x6e5c || two === 0x745c;
}

function column(page: u32, word: u32): u32 {
  return load<u32>(page + (word << 2));
}

/**
 * Renders a page to the address `out`. `ranges` tile the source. `tables` has the display of tags and the known
 * references. Returns 0 when the page is done, with the end of the output in
 * result 0; otherwise the address of a reference that is not in the table, with its end in result 1 and its slot in
 * result 2. Called again with that address as `resumed` and the reference in its slot, it goes on from there.
 */
export function renderText(page: u32, ranges: u32, tables: u32, out: u32, isJson: u32, resumed: u32): u32 {
  const source = column(page, PAGE_SOURCE);
  const nodeCount = column(page, PAGE_NODE_COUNT);
  const kinds = column(page, PAGE_KIND);
  const names = column(page, PAGE_NAME);
  const parents = column(page, PAGE_PARENT);
  const lasts = column(page, PAGE_LAST);
  const starts = column(page, PAGE_START);
  const openEnds = column(page, PAGE_OPEN_END);
  const ends = column(page, PAGE_END);
  let node: u32;
  let open: u32; // the innermost element that is open; the document, 0, is not entered
  let position: u32; // the address up to which all bytes have been looked at
  if (resumed === 0) {
    memory.fill(STATE, 0, STATE_BYTES);
    set(PENDING, NEWLINE);
    set(OUT, out);
    set(OUT_START, out);
    set(RANGE, ranges);
    set(SOURCE_END, source + column(page, PAGE_SOURCE_BYTES));
    set(IS_JSON, isJson);
    set(TABLES, tables);
    node = 1;
    open = 0;
    position = source;
  } else {
    node = get(NODE);
    open = get(OPEN);
    position = get(POSITION);
  }

  let range = get(RANGE);
  while (true) {
    if (resumed === 0) {
      // elements that end before this node
      while (open !== 0 && load<u32>(lasts + (open << 2)) <= node) {
        const end = source + load<u32>(ends + (open << 2));
        if (position < end) {
          passGap(position, end);
          position = end;
        }
        const display = displayOf(tables, load<u16>(names + (open << 1)));
        if (display === DISPLAY_PRE) {
          const depth = get(PRE_DEPTH) - 1;
          set(PRE_DEPTH, depth);
          if (depth === 0) set(OUT, get(PRE_END));
        }
        if (isScript(display)) closeScript(display === DISPLAY_SUPERSCRIPT);
        else if (display !== DISPLAY_BREAK) separateElement(display);
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
      const display = displayOf(tables, load<u16>(names + (node << 1)));
      range = seekRange(source + load<u32>(starts + (node << 2)));
      // a block that is dropped as a whole ends the line, whatever is in it
      const isDropped =
        isLine(display) &&
        get(PRE_DEPTH) === 0 &&
        end <= load<u32>(range, 4) &&
        (load<u32>(range, 8) & RANGE_KEPT) === 0;
      if (display === DISPLAY_HIDDEN || isDropped) {
        if (isDropped) set(PENDING, NEWLINE);
        if (position < end) position = end;
        node = load<u32>(lasts + (node << 2));
        continue;
      }
      if (display === DISPLAY_BREAK && get(PRE_DEPTH) !== 0) {
        flush(false);
        closeBracket();
        writeSpace(0x0a);
      } else if (isScript(display)) {
        openScript();
      } else {
        separateElement(display);
      }
      const openEnd = source + load<u32>(openEnds + (node << 2));
      if (display === DISPLAY_PRE) {
        const depth = get(PRE_DEPTH);
        if (depth === 0) {
          set(PRE_END, get(OUT));
          set(PRE_START, openEnd);
        }
        set(PRE_DEPTH, depth + 1);
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
            set(NODE, node);
            set(OPEN, open);
            set(POSITION, position);
            return unknown;
          }
        } else {
          // the characters on both sides of dropped text never were one word
          separate(SPACE);
        }
        from = to;
      }
    }
    if (position < end) position = end;
    node++;
  }
  closeBracket();
  store<u32>(RESULTS_AT, get(OUT));
  return 0;
}
