/**
 * Which windows stand on at least F of some texts, and how often. A first roll over the texts fills a
 * sketch, a second counts exactly those windows that may be frequent. The counts are exact; only how many
 * windows are counted in vain depends on chance. Texts with more windows than are taken at once are gone
 * over again for each part of the hashes, so that the sketch stays bounded; the table of those that may be
 * frequent is one for all parts. Texts that can be held together are counted faster (window-teller.ts).
 */
import { HashCounter, type HashCounts } from './hash-counter.ts';
import { HashSketch } from './hash-sketch.ts';
import type { TextWindows } from './text-windows.ts';

export interface WindowCountOptions {
  /** Windows taken at once; the sketch has up to 16 bytes for each. @default 8,388,608 */
  windowsAtOnce?: number;
  /** What is counted: texts that hold a window, or its occurrences. @default 'pages' */
  count?: 'pages' | 'occurrences';
}

/** The windows on at least `minTexts` of the texts, or with so many occurrences, in the order of `HashCounts`. */
export function countWindows(
  texts: readonly Uint8Array[],
  windows: TextWindows,
  minTexts: number,
  { windowsAtOnce = 1 << 23, count: counted = 'pages' }: WindowCountOptions = {},
): HashCounts {
  const counter = new HashCounter(4096);
  const byPages = counted === 'pages';
  if (byPages && texts.length < minTexts) return counter.select(minTexts); // one huge page shares nothing
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const expected = total / Math.max(1, windows.density);
  let partBits = 0;
  while (partBits < 16 && expected / 2 ** partBits > windowsAtOnce) partBits++;
  const sketch = new HashSketch(expected / 2 ** partBits, minTexts);

  for (let part = 0; part < 2 ** partBits; part++) {
    sketch.clear();
    for (let text = 0; text < texts.length; text++) {
      windows.open(texts[text], texts[text].length);
      for (let count = windows.nextLows(); count > 0; count = windows.nextLows()) {
        const kept = keepPart(windows, count, part, partBits);
        if (byPages) sketch.add(windows.lows, kept, text);
        else sketch.addOccurrences(windows.lows, kept);
      }
    }
    const likely = sketch.likely();
    for (let text = 0; text < texts.length; text++) {
      windows.open(texts[text], texts[text].length);
      for (let count = windows.next(likely); count > 0; count = windows.next(likely)) {
        addAll(windows, keepPart(windows, count, part, partBits), text, counter);
      }
    }
  }
  return counter.select(minTexts, counted);
}

/**
 * Moves the windows of a part to the front of the columns; gives their number. The sketch goes by the leading
 * bits of the low lane, so the parts go by others: those of a multiple of it.
 */
function keepPart({ lows, highs }: TextWindows, count: number, part: number, partBits: number): number {
  if (partBits === 0) return count;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (Math.imul(lows[i], 0x9e3779b1) >>> (32 - partBits) !== part) continue;
    lows[kept] = lows[i];
    highs[kept++] = highs[i];
  }
  return kept;
}

function addAll({ lows, highs }: TextWindows, count: number, text: number, counter: HashCounter): void {
  for (let i = 0; i < count; i++) counter.add(lows[i], highs[i], text);
}
