/**
 * Which windows stand on at least F of some texts, how often, and where: as `countWindows`, for texts of which what
 * may be frequent can be held together. Only stretches that may hold such a window are looked at
 * (likely-stretches.ts). There a text is rolled over up to the first window that was seen before, and from that on
 * compared with what followed it then: the windows of what is the same are the same, and are counted by their
 * numbers. What all pages of a site repeat is so hashed once.
 *
 * Cost: a third of what counting all windows costs or less, the less the more of the texts is on one page only. Five
 * bytes of memory for each of these stretches, 16 MB of which are taken at most, and 28 for each window numbered.
 */
import { isUtf8 } from 'node:buffer';
import type { HashCounts } from './hash-counter.ts';
import { type JoinedStretches, joinStretches, LEAST_WIDTH } from './known-texts.ts';
import { findLikelyStretches } from './likely-stretches.ts';
import type { TextWindows } from './text-windows.ts';
import { WindowNumbers } from './window-numbers.ts';

/** Bytes of all stretches together. */
const MOST_BYTES = 1 << 24;
/** Windows that are rolled over at once: those behind one that was seen before are in vain. */
const AT_ONCE = 8;
/** It pays to follow a text from so many bytes on. */
const WORTH_FOLLOWING = 16;
/** Windows that are numbered though no page shares them, at most as many again as can be frequent, and these. */
const FEW = 1 << 16;

/** Windows that are frequent, and where each begins first among the bytes of stretches. */
export interface ToldWindows {
  counts: HashCounts;
  bytes: Uint8Array;
  firstAt: Int32Array;
}

/** Nothing when the texts share too much, are not UTF-8, or the windows too narrow or kept by density only. */
export function tellWindows(
  texts: readonly Uint8Array[],
  windows: TextWindows,
  minTexts: number,
): ToldWindows | undefined {
  const { width, density } = windows;
  if (density > 1 || width < LEAST_WIDTH || !texts.every(isUtf8)) return undefined;
  const stretches = joinStretches(texts, findLikelyStretches(texts, minTexts, width), MOST_BYTES);
  if (!stretches) return undefined;
  const totalBytes = texts.reduce((sum, text) => sum + text.length, 0);
  const teller = new WindowTeller(stretches, windows);
  if (!teller.tell(FEW + (2 * Math.min(totalBytes, MOST_BYTES)) / minTexts)) return undefined;
  const { counts, firstAt } = teller.numbers.select(minTexts);
  return { counts, bytes: stretches.bytes, firstAt };
}

class WindowTeller {
  readonly numbers = new WindowNumbers();
  readonly #stretches: JoinedStretches;
  readonly #bytes: Uint8Array;
  readonly #windows: TextWindows;
  /** By byte: one more than the number of the window that begins there; 0 where none does. */
  readonly #told: Int32Array;

  constructor(stretches: JoinedStretches, windows: TextWindows) {
    this.#stretches = stretches;
    this.#bytes = stretches.bytes;
    this.#windows = windows;
    this.#told = new Int32Array(stretches.bytes.length);
  }

  /** Numbers the windows of all stretches; false when there are too many different ones. */
  tell(mostNumbers: number): boolean {
    const { begins, upTo } = this.#stretches;
    for (let text = 0, i = 0; text < upTo.length; text++) {
      for (; i < upTo[text]; i++) {
        this.#tellStretch(begins[i], begins[i + 1] - 1, text + 1);
        if (this.numbers.size > mostNumbers) return false;
      }
    }
    return true;
  }

  #tellStretch(from: number, end: number, text: number): void {
    const { numbers } = this;
    const windows = this.#windows;
    const told = this.#told;
    let at = from;
    let isRolling = false;
    while (at < end) {
      if (!isRolling) windows.open(this.#bytes, end, at);
      isRolling = true;
      const count = windows.nextFew(AT_ONCE);
      if (count === 0) return;
      for (let i = 0; i < count; i++) {
        const start = windows.starts[i];
        const seen = numbers.size;
        const number = numbers.numberOf(windows.lows[i], windows.highs[i], start);
        const same =
          number === seen ? 0 : this.#sameUpTo(windows.ends[i], numbers.firstAt[number] - start, end);
        if (same > 0) {
          at = this.#follow(start, same, numbers.firstAt[number] - start, text);
          if (same === end) return;
          isRolling = false;
          break;
        }
        told[start] = number + 1;
        this.#count(number, text);
      }
    }
  }

  #count(number: number, text: number): void {
    const { lastText, texts, occurrences } = this.numbers;
    occurrences[number]++;
    if (lastText[number] === text) return;
    lastText[number] = text;
    texts[number]++;
  }

  /** Up to where the text goes on as it did `shift` bytes from here; 0 when that is hardly at all. */
  #sameUpTo(from: number, shift: number, end: number): number {
    const bytes = this.#bytes;
    let same = from;
    while (same < end && bytes[same] === bytes[same + shift]) same++;
    while (same > from && (bytes[same] & 0xc0) === 0x80) same--;
    return same === end || same - from >= WORTH_FOLLOWING ? same : 0;
  }

  /** Counts all windows from `start` on that end at `same` or before; gives where the next one begins. */
  #follow(start: number, same: number, shift: number, text: number): number {
    const bytes = this.#bytes;
    const told = this.#told;
    const { lastText, texts, occurrences } = this.numbers;
    let after = same;
    for (let i = this.#windows.width; i > 0; i--) {
      after--;
      while ((bytes[after] & 0xc0) === 0x80) after--;
    }
    after++;
    for (let at = start; at < after; at++) {
      const one = told[at + shift];
      if (one === 0) continue; // within a character
      told[at] = one;
      occurrences[one - 1]++;
      if (lastText[one - 1] === text) continue;
      lastText[one - 1] = text;
      texts[one - 1]++;
    }
    while ((bytes[after] & 0xc0) === 0x80) after++;
    return after;
  }
}
