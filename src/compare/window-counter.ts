/**
 * Which windows stand on at least F of some texts, and how often. A first roll over the texts fills a
 * sketch, a second counts exactly those windows that may be frequent. The counts are exact; only how many
 * windows are counted in vain depends on chance. Texts with more windows than are taken at once are gone
 * over again for each part of the hashes: memory stays bounded.
 */
import { emptyCounts, HashCounter, type HashCounts } from './hash-counter.ts';
import { HashSketch } from './hash-sketch.ts';
import type { TextWindows } from './text-windows.ts';

export interface WindowCountOptions {
  /** Windows taken at once; the sketch has up to 16 bytes for each. @default 8,388,608 */
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
  const sketch = new HashSketch(expected / 2 ** partBits, minTexts);

  const parts: HashCounts[] = [];
  for (let part = 0; part < 2 ** partBits; part++) {
    sketch.clear();
    for (let text = 0; text < texts.length; text++) {
      windows.open(texts[text], texts[text].length);
      for (let count = windows.next(); count > 0; count = windows.next()) {
        sketch.add(windows.highs, partBits > 0 ? keepPart(windows, count, part, partBits) : count, text);
      }
    }
    const counter = new HashCounter(4096);
    for (let text = 0; text < texts.length; text++) {
      windows.open(texts[text], texts[text].length);
      for (let count = windows.next(); count > 0; count = windows.next()) {
        const kept = partBits > 0 ? keepPart(windows, count, part, partBits) : count;
        countLikely(windows, kept, text, sketch, counter);
      }
    }
    parts.push(counter.select(minTexts));
  }
  return concatenate(parts);
}

/** Moves the windows of a part to the front of the columns; gives their number. */
function keepPart({ lows, highs }: TextWindows, count: number, part: number, partBits: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (highs[i] >>> (32 - partBits) !== part) continue;
    lows[kept] = lows[i];
    highs[kept++] = highs[i];
  }
  return kept;
}

function countLikely(
  { lows, highs }: TextWindows,
  count: number,
  text: number,
  sketch: HashSketch,
  counter: HashCounter,
): void {
  for (let i = 0; i < count; i++) {
    if (sketch.mayReach(highs[i])) counter.add(lows[i], highs[i], text);
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
