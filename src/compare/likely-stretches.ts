/**
 * Which stretches of some texts can hold a window that stands on at least F of them, before any window is hashed.
 * A window on F texts has all its parts on F texts, so twelve bytes that are on fewer stand in no such window. Not
 * all twelve bytes are counted, only those whose first four hash to a certain value: one in four, the same ones in
 * every text. What is on one page only is ruled out by them, but for the rare window that holds none.
 *
 * Counts are kept in a sketch small enough for the cache, which may count too many texts, never too few. One pass
 * over the bytes, two where texts are so large that their grams are better found again than kept. Memory for these is
 * used again for the next texts: two bytes for each byte of texts up to 8 MB as a rule, twelve at worst.
 */
import { doubled } from '../model/growing-array.ts';

/** In the order of the texts; windows that begin in one of them do not begin in another. */
export interface LikelyStretches {
  count: number;
  /** Where each lies in its text. */
  starts: Int32Array;
  ends: Int32Array;
  /** By text: the stretches up to its last one. */
  upTo: Int32Array;
}

export interface LikelyStretchOptions {
  /** Bytes of all texts together up to which their grams are kept. @default 8,388,608 */
  keepBytes?: number;
}

const GRAM = 12;
/** Leading bits of a hash that are zero when a gram is counted. */
const PICKED_BITS = 2;
/** A slot of the sketch: the last text seen, from 1, above; the texts seen, at most 255, below. */
type Slots = Uint16Array | Uint32Array;
const TEXT_SHIFT = 8;
const MAX_COUNT = 255;
const MOST_SHORT = 255;

/** The stretches, of `width` bytes and more. */
export function findLikelyStretches(
  texts: readonly Uint8Array[],
  minTexts: number,
  width: number,
  { keepBytes = 1 << 23 }: LikelyStretchOptions = {},
): LikelyStretches {
  const found = new StretchList(texts.length, width);
  if (texts.length < minTexts) return found;
  const totalBytes = texts.reduce((sum, text) => sum + text.length, 0);
  const keeps = totalBytes <= keepBytes;
  // slots that reach F by chance are rare already when two grams share one, unless F is tiny
  const wanted = (totalBytes / 2 ** PICKED_BITS) * (minTexts < 8 ? 2 : 0.5);
  let bits = 8;
  while (bits < 24 && 2 ** bits < wanted) bits++;
  const slots = openSlots(2 ** bits, texts.length);
  const grams = PickedGrams.open();
  if (keeps) grams.reserve(totalBytes / 2 ** PICKED_BITS);
  const gramsUpTo = new Int32Array(texts.length);
  for (let text = 0; text < texts.length; text++) {
    if (!keeps) grams.count = 0;
    const from = grams.count;
    grams.pick(texts[text], 32 - bits);
    countText(slots, grams.slots, from, grams.count, text + 1);
    gramsUpTo[text] = grams.count;
  }

  const enough = Math.min(minTexts, MAX_COUNT);
  for (let text = 0, from = 0; text < texts.length; text++) {
    if (!keeps) {
      grams.count = 0;
      grams.pick(texts[text], 32 - bits);
      gramsUpTo[text] = grams.count;
      from = 0;
    }
    cutAtRareGrams(texts[text], slots, { grams, from, to: gramsUpTo[text], enough }, found);
    found.upTo[text] = found.count;
    from = gramsUpTo[text];
  }
  grams.close();
  return found;
}

/** Slots, of at most this many bytes, and grams, at most so many, are kept for the next texts. */
const MOST_SLOT_BYTES = 1 << 23;
const MOST_GRAMS = 3 << 20;
let keptSlots = new ArrayBuffer(0);
let keptGrams: PickedGrams | undefined;

/** A sketch in which nothing is counted yet. */
function openSlots(size: number, texts: number): Slots {
  const Column = texts <= MOST_SHORT ? Uint16Array : Uint32Array;
  const bytes = size * Column.BYTES_PER_ELEMENT;
  if (bytes > MOST_SLOT_BYTES) return new Column(size);
  if (keptSlots.byteLength < bytes) {
    keptSlots = new ArrayBuffer(bytes);
    return new Column(keptSlots, 0, size);
  }
  return new Column(keptSlots, 0, size).fill(0);
}

/** The grams that are counted: where they begin, and the slots of the sketch they fall into. */
class PickedGrams {
  count = 0;
  starts = new Int32Array(0);
  slots = new Int32Array(0);

  static open(): PickedGrams {
    const grams = keptGrams ?? new PickedGrams();
    keptGrams = undefined;
    grams.count = 0;
    return grams;
  }

  close(): void {
    if (this.starts.length <= MOST_GRAMS) keptGrams = this;
  }

  /** Takes the grams of one text; a slot is what is left of a hash that is shifted. */
  pick(text: Uint8Array, shift: number): void {
    this.reserve(text.length);
    const { starts, slots } = this;
    const view = new DataView(text.buffer, text.byteOffset, text.length);
    const last = text.length - GRAM;
    const from = this.count;
    let count = from;
    // no branch: nobody could tell beforehand whether a gram is picked
    for (let at = 0; at <= last; at++) {
      const hash = Math.imul(view.getInt32(at, true), 0x9e3779b1);
      starts[count] = at;
      count += ((hash >>> (32 - PICKED_BITS)) - 1) >>> 31;
    }
    for (let i = from; i < count; i++) {
      const at = starts[i];
      const sum =
        Math.imul(view.getInt32(at, true), 0x9e3779b1) +
        Math.imul(view.getInt32(at + 4, true), 0x85ebca6b) +
        Math.imul(view.getInt32(at + 8, true), 0x846ca68b);
      slots[i] = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> shift;
    }
    this.count = count;
  }

  /** Room for so many more, and for one that is not picked. */
  reserve(more: number): void {
    const { starts, slots, count } = this;
    if (count + more < starts.length) return;
    const size = Math.ceil(1.25 * (count + more + 1));
    this.starts = new Int32Array(size);
    this.slots = new Int32Array(size);
    this.starts.set(starts.subarray(0, count));
    this.slots.set(slots.subarray(0, count));
  }
}

function countText(slots: Slots, grams: Int32Array, from: number, to: number, text: number): void {
  for (let i = from; i < to; i++) {
    const seen = slots[grams[i]];
    if (seen >>> TEXT_SHIFT === text) continue;
    const count = seen & MAX_COUNT;
    slots[grams[i]] = (text << TEXT_SHIFT) | (count < MAX_COUNT ? count + 1 : count);
  }
}

function cutAtRareGrams(
  text: Uint8Array,
  slots: Slots,
  { grams, from, to, enough }: { grams: PickedGrams; from: number; to: number; enough: number },
  found: StretchList,
): void {
  const { starts, slots: slotOf } = grams;
  const { width } = found;
  let start = 0;
  for (let gram = from; gram < to; gram++) {
    if ((slots[slotOf[gram]] & MAX_COUNT) >= enough) continue;
    // a window that does not hold the gram ends before its last byte or begins behind its first
    const at = starts[gram];
    if (at + GRAM - 1 - start >= width) found.add(text, start, at + GRAM - 1);
    start = at + 1;
  }
  if (text.length - start >= width) found.add(text, start, text.length);
}

class StretchList implements LikelyStretches {
  count = 0;
  starts: Int32Array = new Int32Array(1024);
  ends: Int32Array = new Int32Array(1024);
  readonly upTo: Int32Array;
  readonly width: number;

  constructor(texts: number, width: number) {
    this.upTo = new Int32Array(texts);
    this.width = width;
  }

  /** Takes what whole characters there are in a stretch. */
  add(text: Uint8Array, from: number, to: number): void {
    let start = from;
    let end = to;
    while (start < end && (text[start] & 0xc0) === 0x80) start++;
    if (end < text.length) while (end > start && (text[end] & 0xc0) === 0x80) end--;
    if (end - start < this.width) return;
    if (this.count === this.starts.length) {
      this.starts = doubled(this.starts);
      this.ends = doubled(this.ends);
    }
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }
}
