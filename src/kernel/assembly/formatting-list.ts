/**
 * The list of active formatting elements: b, i, font, a and similar that were started and not yet ended by
 * their own end tag. One that is no longer open is opened again, as an implied element, before the next text.
 * Markers (tag 0) separate cells, captions, objects and templates from the content around them; one marker is
 * below the oldest entry.
 *
 * An entry has 32 bytes and is identified by its address:
 *
 *    0  tag; 0 for a marker
 *    4  the open element, 0 if it is closed, MARKER for a marker
 *    8  hash of the start tag, for clones: content lanes, shape lanes
 */
import { ELEMENT_BYTES, FORMAT_BYTES } from '../layout.ts';
import { b, ELEMENT } from './builder.ts';
import { addNode } from './insert-nodes.ts';
import { currentFlags, FORMAT, holder, nodeOf, push, TAG_HASH } from './open-elements.ts';
import { flagsOf, TABLE_PART } from './tag-table.ts';

/** Offset in an entry of its open element. */
export const ELEMENT_OF: usize = 4;
const HASH: usize = 8;
/** Value in place of an element for markers, which never need opening; it is not an address. */
const MARKER: u32 = 1;
/** Maximum number of equal elements after the last marker that stay in the list. */
const EQUAL_ENTRIES: u32 = 3;
/** Maximum number of entries after a marker, so that searching them is cheap on any page. */
const MAX_ENTRIES: u32 = 256;

/** Returns the tag of an entry; 0 for a marker. */
export function formatTag(format: u32): u32 {
  return load<u32>(format);
}
/** Returns the open element of an entry; 0 if it is closed. */
export function elementOf(format: u32): u32 {
  return load<u32>(format, ELEMENT_OF);
}

/** Whether the newest entry is closed, so that text must open it again. */
export function needsOpening(): bool {
  return elementOf(b.newestFormat) === 0;
}

/** Appends a marker. */
export function insertMarker(): void {
  b.newestFormat += FORMAT_BYTES;
  store<u32>(b.newestFormat, 0);
  store<u32>(b.newestFormat, MARKER, ELEMENT_OF);
}

/** Removes entries up to and including the last marker; the marker below the oldest entry stays. */
export function clearToMarker(): void {
  while (b.newestFormat > b.oldestFormat) {
    b.newestFormat -= FORMAT_BYTES;
    if (!formatTag(b.newestFormat + FORMAT_BYTES)) return;
  }
}

/** Returns the newest entry of a tag after the last marker, or 0. */
export function findFormat(tag: u32): u32 {
  for (let format = b.newestFormat; formatTag(format); format -= FORMAT_BYTES) {
    if (formatTag(format) === tag) return format;
  }
  return 0;
}

/**
 * Returns the entry to remove before one is appended, or 0: the earliest of three equal ones, or of too many.
 */
function findSurplus(tag: u32, contentLow: u32, contentHigh: u32): u32 {
  let equal: u32 = 0;
  let seen: u32 = 0;
  for (let format = b.newestFormat; formatTag(format); format -= FORMAT_BYTES) {
    if (++seen === MAX_ENTRIES) return format;
    if (formatTag(format) !== tag) continue;
    if (load<u32>(format, HASH) !== contentLow || load<u32>(format, HASH + 4) !== contentHigh) continue;
    if (++equal === EQUAL_ENTRIES) return format;
  }
  return 0;
}

/** Appends the element just opened. */
export function appendFormat(): void {
  const element = b.top;
  const surplus = findSurplus(b.tag, load<u32>(element, TAG_HASH), load<u32>(element, TAG_HASH + 4));
  if (surplus) removeFormat(surplus);
  const format = b.newestFormat + FORMAT_BYTES;
  b.newestFormat = format;
  store<u32>(format, b.tag);
  store<u32>(format, element, ELEMENT_OF);
  v128.store(format, v128.load(element, TAG_HASH), HASH);
  store<u32>(element, format, FORMAT);
}

/** Removes an entry; its element stays as it is. */
export function removeFormat(format: u32): void {
  const element = elementOf(format);
  if (element > MARKER) store<u32>(element, 0, FORMAT);
  cutFormat(format);
  renumberFormats(format);
}

/** Removes an entry from memory only. */
export function cutFormat(format: u32): void {
  memory.copy(format, format + FORMAT_BYTES, b.newestFormat - format);
  b.newestFormat -= FORMAT_BYTES;
}

/** Inserts a copy of an entry at `at`. */
export function duplicateFormat(format: u32, at: u32): void {
  b.newestFormat += FORMAT_BYTES;
  memory.copy(at + FORMAT_BYTES, at, b.newestFormat - at);
  memory.copy(at, format >= at ? format + FORMAT_BYTES : format, FORMAT_BYTES);
}

/** Updates the open elements with the addresses of their entries, from `from` on. */
export function renumberFormats(from: u32): void {
  for (let format = from; format <= b.newestFormat; format += FORMAT_BYTES) {
    const element = elementOf(format);
    if (element > MARKER) store<u32>(element, format, FORMAT);
  }
}

/** Opens formatting elements again that a block closed before their end tag. */
export function reopenFormats(at: u32): void {
  if (!needsOpening()) return;
  let first = b.newestFormat;
  while (elementOf(first - FORMAT_BYTES) === 0) first -= FORMAT_BYTES;
  for (let format = first; format <= b.newestFormat; format += FORMAT_BYTES) {
    if (b.clonesLeft-- <= 0) {
      clearToMarker();
      return;
    }
    openClone(format, at);
  }
}

/** Opens the clone of an entry's element, and makes it the entry's element. */
function openClone(format: u32, at: u32): void {
  const tag = formatTag(format);
  if (b.fostering && currentFlags() & TABLE_PART) b.fosteredCount++;
  const offset = at - b.source;
  const node = addNode(ELEMENT, tag, nodeOf(holder()), offset, offset);
  copyHash(format, b.top + ELEMENT_BYTES);
  push(node, tag, flagsOf(tag));
  store<u32>(b.top, format, FORMAT);
  store<u32>(format, b.top, ELEMENT_OF);
}

/** Copies the tag hash of an entry to an open element. */
export function copyHash(format: u32, element: u32): void {
  v128.store(element, v128.load(format, HASH), TAG_HASH);
}
