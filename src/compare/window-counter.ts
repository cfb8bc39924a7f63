/**
 * Which windows stand on at least F of some texts. Counting every window of 200 pages is a few million
 * random accesses; so the windows are first dealt out into parts by their leading bits, each small enough
 * for a table that stays in the cache (three times faster than one large table). Texts too large for that
 * in one go are rolled over again for each group of parts: memory stays bounded, the counts exact.
 */
import { emptyCounts, HashCounter, type HashCounts } from './hash-counter.ts';
import type { TextWindows } from './text-windows.ts';

const WINDOWS_PER_PART = 32_768;

export interface WindowCountOptions {
  /** Windows held at once, 12 bytes each. @default 4,194,304 */
  windowsAtOnce?: number;
}

/** The windows on at least `minTexts` of the texts, with their counts. */
export function countWindows(
  texts: readonly Uint8Array[],
  windows: TextWindows,
  minTexts: number,
  { windowsAtOnce = 1 << 22 }: WindowCountOptions = {},
): HashCounts {
  const expected = texts.reduce((sum, text) => sum + text.length, 0) / Math.max(1, windows.density);
  let bits = 0;
  while (bits < 16 && expected / 2 ** bits > WINDOWS_PER_PART) bits++;
  const counter = new HashCounter(Math.min(WINDOWS_PER_PART, expected));
  const selected: HashCounts[] = [];
  if (bits === 0) {
    countPart(texts, windows, bits, 0, counter, minTexts, selected);
    return selected[0];
  }
  const partSizes = measureParts(texts, windows, bits);

  for (let first = 0; first < partSizes.length; ) {
    let last = first + 1;
    let held = partSizes[first];
    while (last < partSizes.length && held + partSizes[last] <= windowsAtOnce) held += partSizes[last++];
    if (held > windowsAtOnce) countPart(texts, windows, bits, first, counter, minTexts, selected);
    else
      countParts(texts, windows, bits, partSizes.subarray(first, last), first, counter, minTexts, selected);
    first = last;
  }
  return concatenate(selected);
}

function measureParts(texts: readonly Uint8Array[], windows: TextWindows, bits: number): Uint32Array {
  const sizes = new Uint32Array(2 ** bits);
  const { highs } = windows;
  for (const text of texts) {
    windows.open(text, text.length);
    for (let count = windows.next(); count > 0; count = windows.next()) {
      for (let i = 0; i < count; i++) sizes[partOf(highs[i], bits)]++;
    }
  }
  return sizes;
}

/** Deals the windows of several parts out, then counts part by part. */
function countParts(
  texts: readonly Uint8Array[],
  windows: TextWindows,
  bits: number,
  sizes: Uint32Array,
  firstPart: number,
  counter: HashCounter,
  minTexts: number,
  selected: HashCounts[],
): void {
  const ends = new Uint32Array(sizes.length + 1);
  for (let part = 0; part < sizes.length; part++) ends[part + 1] = ends[part] + sizes[part];
  const held = ends[sizes.length];
  const next = ends.slice(0, sizes.length);
  const low = new Int32Array(held);
  const high = new Int32Array(held);
  const textOf = new Uint32Array(held);
  const { lows, highs } = windows;
  const partCount = sizes.length;

  // within a part the windows keep the order of the texts, as the counter needs
  for (let index = 0; index < texts.length; index++) {
    windows.open(texts[index], texts[index].length);
    for (let count = windows.next(); count > 0; count = windows.next()) {
      for (let i = 0; i < count; i++) {
        const part = partOf(highs[i], bits) - firstPart;
        if (part < 0 || part >= partCount) continue;
        const at = next[part]++;
        low[at] = lows[i];
        high[at] = highs[i];
        textOf[at] = index;
      }
    }
  }
  for (let part = 0; part < partCount; part++) {
    counter.clear();
    for (let i = ends[part]; i < ends[part + 1]; i++) counter.add(low[i], high[i], textOf[i]);
    selected.push(counter.select(minTexts));
  }
}

/** Counts one part as it comes: the only one, or one too large to hold because some window fills it. */
function countPart(
  texts: readonly Uint8Array[],
  windows: TextWindows,
  bits: number,
  part: number,
  counter: HashCounter,
  minTexts: number,
  selected: HashCounts[],
): void {
  const { lows, highs } = windows;
  counter.clear();
  for (let index = 0; index < texts.length; index++) {
    windows.open(texts[index], texts[index].length);
    for (let count = windows.next(); count > 0; count = windows.next()) {
      for (let i = 0; i < count; i++)
        if (partOf(highs[i], bits) === part) counter.add(lows[i], highs[i], index);
    }
  }
  selected.push(counter.select(minTexts));
}

/** The leading bits of the high lane; parts in order are hashes in order. */
function partOf(high: number, bits: number): number {
  return bits === 0 ? 0 : high >>> (32 - bits);
}

function concatenate(parts: readonly HashCounts[]): HashCounts {
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
