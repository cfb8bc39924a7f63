/**
 * Finds the windows on at least F of some texts, with the number of their occurrences and the position of the
 * first.
 *
 * `findFrequentWindows` hashes only the spans of the texts that may hold such a window (candidate spans), and
 * of these only bytes that were not seen before. It rolls over a text up to the first window that was seen,
 * and from there compares the text with the bytes after the earlier occurrence, so that the common part of a
 * site's pages is hashed once. It takes five bytes of memory per byte of candidate spans, of which there may
 * be 16 MB, and 24 per distinct window.
 *
 * `countWindows` counts every window and is used if `findFrequentWindows` cannot be: a first roll over the
 * texts fills a sketch, a second counts exactly those windows that may be frequent. Texts with more windows
 * than fit at once are read again for each part of the hashes.
 */

import { isUtf8 } from 'node:buffer';
import { Block } from '../kernel/heap.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { KeyCounter, type KeyCounts, KeySketch } from '../kernel/key-tables.ts';
import { PADDING_BYTES } from '../kernel/layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import * as layout from '../kernel/window-layout.ts';
import { type KernelTexts, textBytes, type WindowRoll } from './text-windows.ts';

/**
 * Minimum width of windows, in characters: a narrower one need not contain a whole gram of known texts
 * (known-texts.ts).
 */
export const MIN_WIDTH = 2 * layout.KNOWN_GRAM - 1;
/** Maximum bytes of all candidate spans together. */
const MAX_SPAN_BYTES = 1 << 24;
/** Number of windows beyond twice the possible number of frequent ones that may get a number. */
const SPARE_NUMBERS = 1 << 16;
/** Logarithm (base 2) of the maximum number of buckets of the gram sketch. */
const MAX_SKETCH_BITS = 24;
const MAX_GRAM_COUNT = 255;

/** Options of `countWindows`. */
export interface WindowCountOptions {
  /** Windows counted at once; the sketch has up to 16 bytes for each. @default 8,388,608 */
  windowsAtOnce?: number;
  /** What is counted: texts with a window, or its occurrences. @default 'pages' */
  count?: 'pages' | 'occurrences';
}

/** Frequent windows with their counts, and the first occurrence of each in the bytes of joined spans. */
export interface FrequentWindows {
  counts: KeyCounts;
  /** The joined spans, each followed by a byte that is in no text. */
  bytes: Uint8Array;
  /** Offset in `bytes` of the first occurrence of each window. */
  firstAt: Int32Array;
}

/**
 * Finds the windows on at least `minTexts` texts; undefined if the texts share too much or are not UTF-8, or
 * if windows are narrow or sampled by density.
 */
export function findFrequentWindows(
  texts: KernelTexts,
  roll: WindowRoll,
  minTexts: number,
): FrequentWindows | undefined {
  const isSuitable = roll.density <= 1 && roll.width >= MIN_WIDTH;
  if (!isSuitable || !texts.spans.every((span) => isUtf8(textBytes(span)))) return undefined;
  const spans = new CandidateSpans(texts, minTexts, roll.width);
  try {
    if (spans.totalBytes > MAX_SPAN_BYTES) return undefined;
    const numbers = new NumberedWindows(spans, roll);
    try {
      const maxNumbers = SPARE_NUMBERS + (2 * Math.min(texts.totalBytes, MAX_SPAN_BYTES)) / minTexts;
      return numbers.count(maxNumbers) ? numbers.select(minTexts) : undefined;
    } finally {
      numbers.release();
    }
  } finally {
    spans.release();
  }
}

/**
 * The spans of texts, of at least `width` bytes, that may hold a window on enough texts; two may overlap at
 * their ends.
 */
export class CandidateSpans {
  /** By text: number of spans up to its last one. */
  readonly upTo: number[] = [];
  readonly #kernel: Kernel = threadKernel();
  readonly #spans = new Block(this.#kernel);

  constructor(texts: KernelTexts, minTexts: number, width: number) {
    const { spans } = texts;
    if (spans.length < minTexts) return;
    const kernel = this.#kernel;
    const { functions } = kernel;
    // buckets that reach F by chance are rare even if two grams share one, unless F is tiny
    const wanted = (texts.totalBytes / 2 ** layout.SPAN_GRAM_BITS) * (minTexts < 8 ? 2 : 0.5);
    let bits = 8;
    while (bits < MAX_SKETCH_BITS && 2 ** bits < wanted) bits++;
    const isWide = Number(spans.length > layout.MAX_NARROW_TEXTS);
    const sketchBytes = 2 ** bits * (isWide === 1 ? 4 : 2);
    const sketch = kernel.heap.take(sketchBytes);
    kernel.bytes.fill(0, sketch, sketch + sketchBytes);
    for (const [i, { address, length }] of spans.entries()) {
      functions.countGrams(address, address + length, i + 1, sketch, 32 - bits, isWide);
    }
    const enough = Math.min(minTexts, MAX_GRAM_COUNT);
    let count = 0;
    for (const { address, length } of spans) {
      // consecutive spans start at least a width minus a gram apart
      const room =
        4 * layout.CANDIDATE_WORDS * (count + 2 + Math.ceil(length / (width - layout.SPAN_GRAM + 2)));
      const list = this.#spans.room(room, 4 * layout.CANDIDATE_WORDS * count);
      const to = list + 4 * layout.CANDIDATE_WORDS * count;
      count += functions.cutSpans(address, address + length, sketch, 32 - bits, isWide, width, enough, to);
      this.upTo.push(count);
    }
    kernel.heap.release(sketch);
  }

  /** Number of spans of all texts. */
  get count(): number {
    return this.upTo.at(-1) ?? 0;
  }

  /** Start and end of each span, as addresses. */
  get list(): Int32Array {
    const from = this.#spans.room(0) >> 2;
    return this.#kernel.words.subarray(from, from + layout.CANDIDATE_WORDS * this.count);
  }

  /** Bytes of all spans joined, each followed by one byte that ends it. */
  get totalBytes(): number {
    const { list } = this;
    let total = 0;
    for (let at = 0; at < list.length; at += layout.CANDIDATE_WORDS) total += list[at + 1] - list[at] + 1;
    return total;
  }

  /**
   * Copies all spans to an address, one after the other, and writes their offsets and the end to `starts`.
   */
  join(out: number, starts: number): void {
    this.#kernel.functions.joinSpans(this.#spans.room(0), this.count, out, starts);
  }

  /** Frees the spans' memory. */
  release(): void {
    this.#spans.release();
  }
}

/** The distinct windows of joined spans, numbered in the order of their first occurrence. */
class NumberedWindows {
  readonly #kernel: Kernel = threadKernel();
  readonly #roll: WindowRoll;
  readonly #upTo: readonly number[];
  readonly #address: number;
  /** Address of the joined bytes, followed by a word for each and by the starts of the spans. */
  readonly #bytes: number;
  readonly #totalBytes: number;
  readonly #starts: Int32Array;
  readonly #buckets = new Block(this.#kernel);
  readonly #entries = new Block(this.#kernel);
  #bucketCount = 0;

  constructor(spans: CandidateSpans, roll: WindowRoll) {
    const kernel = this.#kernel;
    this.#roll = roll;
    this.#upTo = spans.upTo;
    this.#totalBytes = spans.totalBytes;
    this.#address = kernel.heap.take(4 * layout.NUMBERS_WORDS);
    const numberAt = align(this.#totalBytes + PADDING_BYTES);
    const startsAt = numberAt + 4 * this.#totalBytes;
    this.#bytes = kernel.heap.take(startsAt + 4 * (spans.count + 1));
    kernel.bytes.fill(0, this.#bytes + numberAt, this.#bytes + startsAt);
    spans.join(this.#bytes, this.#bytes + startsAt);
    const starts = (this.#bytes + startsAt) >> 2;
    this.#starts = kernel.words.slice(starts, starts + spans.count + 1);
    const header = this.#address >> 2;
    kernel.words[header + layout.NUMBERS_BYTES] = this.#bytes;
    kernel.words[header + layout.NUMBERS_AT] = this.#bytes + numberAt;
    kernel.words[header + layout.NUMBERS_SIZE] = 0;
  }

  get #size(): number {
    return this.#kernel.words[(this.#address >> 2) + layout.NUMBERS_SIZE];
  }

  /** Counts the windows of all spans; false if there are too many distinct ones. */
  count(maxNumbers: number): boolean {
    const starts = this.#starts;
    for (let text = 0, i = 0; text < this.#upTo.length; text++) {
      for (; i < this.#upTo[text]; i++) {
        const end = starts[i + 1] - 1;
        this.#reserve(end - starts[i]);
        this.#kernel.functions.numberWindows(this.#address, this.#roll.address, starts[i], end, text + 1);
        if (this.#size > maxNumbers) return false;
      }
    }
    return true;
  }

  /** Makes room for this many more numbers. */
  #reserve(more: number): void {
    const kernel = this.#kernel;
    const size = this.#size;
    const entryBytes = 4 * layout.NUMBERED_WORDS;
    const entries = this.#entries.room(entryBytes * (size + more), entryBytes * size);
    const header = this.#address >> 2;
    kernel.words[header + layout.NUMBERS_ENTRIES] = entries;
    if (2 * (size + more) <= this.#bucketCount) return;
    this.#bucketCount = Math.max(8192, this.#bucketCount);
    while (this.#bucketCount < 2 * (size + more)) this.#bucketCount *= 2;
    const buckets = this.#buckets.room(4 * this.#bucketCount);
    kernel.bytes.fill(0, buckets, buckets + 4 * this.#bucketCount);
    kernel.words[header + layout.NUMBERS_BUCKETS] = buckets;
    kernel.words[header + layout.NUMBERS_MASK] = this.#bucketCount - 1;
    kernel.functions.refillNumbers(this.#address);
  }

  /** Returns the windows on at least `minTexts` texts. */
  select(minTexts: number): FrequentWindows {
    const { functions, heap, memory } = this.#kernel;
    this.#reserve(1);
    const count = functions.selectNumbered(this.#address, minTexts, 0);
    const block = heap.take(28 * count);
    functions.selectNumbered(this.#address, minTexts, block);
    new BigUint64Array(memory.buffer, block, count).sort();
    const columns = block + 8 * count;
    functions.readNumbered(this.#address, block, count, columns);
    const column = (index: number) =>
      new Int32Array(memory.buffer, columns + 4 * count * index, count).slice();
    const counts = {
      low: column(0),
      high: column(1),
      pages: Uint32Array.from(column(2)),
      occurrences: Uint32Array.from(column(3)),
    };
    const firstAt = column(4);
    heap.release(block);
    const bytes = this.#kernel.bytes.slice(this.#bytes, this.#bytes + this.#totalBytes);
    return { counts, bytes, firstAt };
  }

  release(): void {
    this.#buckets.release();
    this.#entries.release();
    this.#kernel.heap.release(this.#bytes);
    this.#kernel.heap.release(this.#address);
  }
}

function align(sizeBytes: number): number {
  return 4 * Math.ceil(sizeBytes / 4);
}

/** Maximum number of windows that one kernel call counts; the counter has room for as many. */
const COUNTED_AT_ONCE = 1 << 16;

/** Counts the windows on at least `minTexts` texts, or with at least this many occurrences. */
export function countWindows(
  texts: KernelTexts,
  roll: WindowRoll,
  minTexts: number,
  { windowsAtOnce = 1 << 23, count: counted = 'pages' }: WindowCountOptions = {},
): KeyCounts {
  const byPages = counted === 'pages';
  const counter = new KeyCounter(4096);
  try {
    // fewer texts than needed share nothing, even if one is huge
    if (byPages && texts.spans.length < minTexts) return counter.select(minTexts);
    const expected = texts.totalBytes / Math.max(1, roll.density);
    let partBits = 0;
    while (partBits < 16 && expected / 2 ** partBits > windowsAtOnce) partBits++;
    const sketch = new KeySketch(expected / 2 ** partBits, minTexts);
    for (let part = 0; part < 2 ** partBits; part++) {
      sketch.clear();
      const options = { sketch: sketch.address, byPages, part, partBits };
      countPass(texts, roll, options);
      countPass(texts, roll, options, counter);
    }
    sketch.release();
    return counter.select(minTexts, counted);
  } finally {
    counter.release();
  }
}

interface CountPass {
  sketch: number;
  byPages: boolean;
  part: number;
  partBits: number;
}

function countPass(
  texts: KernelTexts,
  roll: WindowRoll,
  { sketch, byPages, part, partBits }: CountPass,
  counter?: KeyCounter,
): void {
  const { functions } = threadKernel();
  for (const [number, span] of texts.spans.entries()) {
    roll.open(span);
    for (let count = COUNTED_AT_ONCE; count === COUNTED_AT_ONCE; ) {
      counter?.reserve(COUNTED_AT_ONCE);
      count = functions.countTextWindows(
        roll.address,
        number,
        sketch,
        counter?.address ?? 0,
        Number(!byPages),
        part,
        partBits,
        COUNTED_AT_ONCE,
      );
    }
  }
}
