/**
 * Which stretches of some texts can hold a window that stands on at least F of them, before any window is hashed.
 * A window on F texts has all its parts on F texts, so twelve bytes that are on fewer stand in no such window. Not
 * all twelve bytes are counted, only those whose first four hash to a certain value: one in four, the same ones in
 * every text. What is on one page only is ruled out by them, but for the rare window that holds none.
 *
 * Counts are kept in a sketch small enough for the cache, which may count too many texts, never too few. One pass
 * over the bytes; two bytes of memory for each byte of the texts as a rule, twelve at worst.
 */

/** Texts one after the other, each followed by a byte that is none of its own. */
export interface JoinedTexts {
  bytes: Uint8Array;
  /** Where each text ends: the byte after its last. */
  ends: Int32Array;
}

/** Ordered; windows that begin in one of them do not begin in another. */
export interface LikelyStretches {
  count: number;
  starts: Int32Array;
  ends: Int32Array;
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
export function findLikelyStretches(texts: JoinedTexts, minTexts: number, width: number): LikelyStretches {
  const { bytes, ends } = texts;
  // slots that reach F by chance are rare already when two grams share one, unless F is tiny
  const wanted = (bytes.length / 2 ** PICKED_BITS) * (minTexts < 8 ? 2 : 0.5);
  let bits = 8;
  while (bits < 24 && 2 ** bits < wanted) bits++;
  const slots: Slots = new (ends.length <= MOST_SHORT ? Uint16Array : Uint32Array)(2 ** bits);
  const picked = new PickedGrams(bytes.length >> 2);
  for (let text = 0, start = 0; text < ends.length; text++) {
    picked.reserve(ends[text] - start);
    const from = picked.count;
    picked.pick(bytes, start, ends[text], 32 - bits);
    countText(slots, picked.slots, from, picked.count, text + 1);
    start = ends[text] + 1;
  }
  return cutAtRareGrams(texts, slots, picked, Math.min(minTexts, MAX_COUNT), width);
}

/** The grams that are counted: where they begin, and the slots of the sketch they fall into. */
class PickedGrams {
  count = 0;
  starts: Int32Array;
  slots: Int32Array;

  constructor(expected: number) {
    this.starts = new Int32Array(expected);
    this.slots = new Int32Array(expected);
  }

  reserve(more: number): void {
    if (this.count + more <= this.starts.length) return;
    const size = Math.ceil(1.5 * (this.count + more));
    const { starts, slots } = this;
    this.starts = new Int32Array(size);
    this.slots = new Int32Array(size);
    this.starts.set(starts.subarray(0, this.count));
    this.slots.set(slots.subarray(0, this.count));
  }

  /** Takes the grams of one text; a slot is what is left of a hash that is shifted. */
  pick(bytes: Uint8Array, start: number, textEnd: number, shift: number): void {
    const { starts, slots } = this;
    const last = textEnd - GRAM;
    let count = this.count;
    let four = 0;
    for (let at = start; at < start + 3 && at < textEnd; at++) four = (four << 8) | bytes[at];
    for (let at = start; at <= last; at++) {
      four = (four << 8) | bytes[at + 3];
      const hash = Math.imul(four, 0x9e3779b1);
      if (hash >>> (32 - PICKED_BITS) !== 0) continue;
      const middle = (bytes[at + 4] << 24) | (bytes[at + 5] << 16) | (bytes[at + 6] << 8) | bytes[at + 7];
      const end = (bytes[at + 8] << 24) | (bytes[at + 9] << 16) | (bytes[at + 10] << 8) | bytes[at + 11];
      const sum = hash + Math.imul(middle, 0x85ebca6b) + Math.imul(end, 0x846ca68b);
      starts[count] = at;
      slots[count++] = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d) >>> shift;
    }
    this.count = count;
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
  { bytes, ends }: JoinedTexts,
  slots: Slots,
  { count, starts, slots: slotOf }: PickedGrams,
  enough: number,
  width: number,
): LikelyStretches {
  const found = new StretchList(bytes, width);
  let gram = 0;
  let from = 0;
  for (const end of ends) {
    for (; gram < count && starts[gram] < end; gram++) {
      if ((slots[slotOf[gram]] & MAX_COUNT) >= enough) continue;
      // a window that does not hold the gram ends before its last byte or begins behind its first
      const at = starts[gram];
      if (at + GRAM - 1 - from >= width) found.add(from, at + GRAM - 1);
      from = at + 1;
    }
    if (end - from >= width) found.add(from, end);
    from = end + 1;
  }
  return found;
}

class StretchList implements LikelyStretches {
  count = 0;
  starts: Int32Array = new Int32Array(1024);
  ends: Int32Array = new Int32Array(1024);
  readonly #bytes: Uint8Array;
  readonly #width: number;

  constructor(bytes: Uint8Array, width: number) {
    this.#bytes = bytes;
    this.#width = width;
  }

  /** Takes what whole characters there are in a stretch. */
  add(from: number, to: number): void {
    const bytes = this.#bytes;
    let start = from;
    let end = to;
    while (start < end && (bytes[start] & 0xc0) === 0x80) start++;
    while (end > start && (bytes[end] & 0xc0) === 0x80) end--;
    if (end - start < this.#width) return;
    if (this.count === this.starts.length) {
      this.starts = doubled(this.starts);
      this.ends = doubled(this.ends);
    }
    this.starts[this.count] = start;
    this.ends[this.count++] = end;
  }
}

function doubled(column: Int32Array): Int32Array {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
}
