/**
 * The list of active formatting elements: b, i, font, a and their like that were started and not yet ended by their own
 * end tag. One that is no longer open is opened again, as an implied element, before the next text. Markers (tag 0) fence
 * off cells, captions, objects and templates; one lies below the oldest entry.
 *
 * An entry has 32 bytes and is known by its address:
 *
 *    0  tag; 0 for a marker
 *    4  the open element, 0 when it is closed, MARKER for a marker
 *    8  hash of the start tag, for clones: content lanes, shape lanes
 */
import { ELEMENT_BYTES, FORMAT_BYTES } from '../layout.ts';
import { b, ELEMENT } from './builder.ts';
import { addNode } from './insert-nodes.ts';
import { currentFlags, FORMAT, holder, nodeOf, push, TAG_HASH } from './open-elements.ts';
import { flagsOf, TABLE_PART } from './tag-table.ts';

export const ELEMENT_OF: usize = 4;
const HASH: usize = 8;
/** Not an address of an element; a marker never has to be opened. */
const MARKER: u32 = 1;
/** Of equal elements after the last marker only this many stay in the list. */
const EQUAL_ENTRIES: u32 = 3;
/** Bound on the entries after a marker: looking through them is cheap whatever the page does. */
const MAX_ENTRIES: u32 = 256;

export function formatTag(format: u32): u32 {
  return load<u32>(format);
}
export function elementOf(format: u32): u32 {
  return load<u32>(format, ELEMENT_OF);
}

/** Whether the newest entry is closed, so that text must open it again. */
export function needsOpening(): bool {
  return elementOf(b.newestFormat) === 0;
}

export function insertMarker(): void {
  b.newestFormat += FORMAT_BYTES;
  store<u32>(b.newestFormat, 0);
  store<u32>(b.newestFormat, MARKER, ELEMENT_OF);
}

/** Drops entries up to and including the last marker; the one below the oldest entry stays. */
export function clearToMarker(): void {
  while (b.newestFormat > b.oldestFormat) {
    b.newestFormat -= FORMAT_BYTES;
    if (!formatTag(b.newestFormat + FORMAT_BYTES)) return;
  }
}

/** The newest entry of a tag after the last marker, or 0. */
export function findFormat(tag: u32): u32 {
  for (let format = b.newestFormat; formatTag(format); format -= FORMAT_BYTES) {
    if (formatTag(format) === tag) return format;
  }
  return 0;
}

/** The entry to drop before one is appended, or 0: the earliest of three equal ones, or of too many. */
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

/** Tells open elements their entry, from `from` on. */
export function renumberFormats(from: u32): void {
  for (let format = from; format <= b.newestFormat; format += FORMAT_BYTES) {
    const element = elementOf(format);
    if (element > MARKER) store<u32>(element, format, FORMAT);
  }
}

/** Opens formatting elements again that a block closed before their end tag came. */
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

/** Opens the clone of an entry, and makes it the entry's element. */
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

/** Gives an open element the tag hash of an entry. */
export function copyHash(format: u32, element: u32): void {
  v128.store(element, v128.load(format, HASH), TAG_HASH);
}
