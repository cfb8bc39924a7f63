/**
 * Which windows stand on at least F of some texts, and how often. Most windows of a site stand on one page
 * only, so counting them all exactly would be a few million cache misses for nothing. A first roll keeps
 * one small counter per slot of a sketch, shared by all windows that hash there: it never counts too few
 * texts. A second roll counts exactly those windows whose slot has reached F. The counts are exact; only
 * how many windows are counted in vain depends on chance.
 *
 * Two rolls, and two accesses to a sketch that mostly stays in the second-level cache. Texts with more
 * windows than are taken at once are gone over again for each part of the hashes: memory stays bounded.
 */
import { emptyCounts, HashCounter, type HashCounts } from './hash-counter.ts';
import type { TextWindows } from './text-windows.ts';

/** A slot of the sketch: the last text seen, from 1, above; the texts seen, at most 255, below. */
const TEXT_SHIFT = 8;
const MAX_COUNT = 255;

export interface WindowCountOptions {
  /** Windows taken at once; the sketch has up to 8 bytes for each. @default 8,388,608 */
  windowsAtOnce?: number;
}

/** The windows on at least `minTexts` of the texts, in the order of `HashCounts`. */
export function countWindows(
  texts: readonly Uint8Array[],
  windows: TextWindows,
  minTexts: number,
  { windowsAtOnce = 1 << 23 }: WindowCountOptions = {},
): HashCounts {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const expected = total / Math.max(1, windows.density);
  let partBits = 0;
  while (partBits < 16 && expected / 2 ** partBits > windowsAtOnce) partBits++;

  // slots that reach F by chance are rare already when two windows share one, unless F is tiny
  const perSlot = minTexts < 8 ? 0.5 : 2;
  let slotBits = 8;
  while (slotBits < 30 && 2 ** slotBits < expected / 2 ** partBits / perSlot) slotBits++;
  const sketch = new Uint32Array(2 ** slotBits);

  const parts: HashCounts[] = [];
  for (let part = 0; part < 2 ** partBits; part++) {
    sketch.fill(0);
    const counter = new HashCounter(4096);
    for (let text = 0; text < texts.length; text++) {
      windows.open(texts[text], texts[text].length);
      for (let count = windows.next(); count > 0; count = windows.next()) {
        sketchWindows(windows.highs, count, text, sketch, slotBits, part, partBits);
      }
    }
    for (let text = 0; text < texts.length; text++) {
      windows.open(texts[text], texts[text].length);
      for (let count = windows.next(); count > 0; count = windows.next()) {
        countLikely(windows, count, text, sketch, slotBits, part, partBits, minTexts, counter);
      }
    }
    parts.push(counter.select(minTexts));
  }
  return concatenate(parts);
}

function sketchWindows(
  highs: Int32Array,
  count: number,
  text: number,
  sketch: Uint32Array,
  slotBits: number,
  part: number,
  partBits: number,
): void {
  const slotMask = 2 ** slotBits - 1;
  for (let i = 0; i < count; i++) {
    const high = highs[i];
    if (partBits > 0 && high >>> (32 - partBits) !== part) continue;
    const slot = high & slotMask;
    const seen = sketch[slot];
    if (seen >>> TEXT_SHIFT === text + 1) continue;
    const texts = seen & MAX_COUNT;
    sketch[slot] = ((text + 1) << TEXT_SHIFT) | (texts < MAX_COUNT ? texts + 1 : texts);
  }
}

function countLikely(
  { lows, highs }: TextWindows,
  count: number,
  text: number,
  sketch: Uint32Array,
  slotBits: number,
  part: number,
  partBits: number,
  minTexts: number,
  counter: HashCounter,
): void {
  const slotMask = 2 ** slotBits - 1;
  const enough = Math.min(minTexts, MAX_COUNT);
  for (let i = 0; i < count; i++) {
    const high = highs[i];
    if ((sketch[high & slotMask] & MAX_COUNT) < enough) continue;
    if (partBits > 0 && high >>> (32 - partBits) !== part) continue;
    counter.add(lows[i], high, text);
  }
}

/** Parts in order are hashes in order: they were split by the leading bits. */
function concatenate(parts: readonly HashCounts[]): HashCounts {
  if (parts.length === 1) return parts[0];
  const all = emptyCounts(parts.reduce((sum, part) => sum + part.low.length, 0));
  let at = 0;
  for (const part of parts) {
    all.low.set(part.low, at);
    all.high.set(part.high, at);
    all.pages.set(part.pages, at);
    all.occurrences.set(part.occurrences, at);
    at += part.low.length;
  }
  return all;
}
