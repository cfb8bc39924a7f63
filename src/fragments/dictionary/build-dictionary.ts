/**
 * Builds the dictionary of a site from the bytes of its shared fragments, without long repetitions, most
 * shared bytes last.
 *
 * A fragment comes from one page and may differ on others (a structural one in its texts and values, a
 * complete one in nothing), and fragments of different classes repeat parts of each other. So fragments only
 * propose bytes. The value of a byte is the number of the site's pages with the windows over it. A window
 * that an earlier, more shared fragment has already contributed has no value, and neither has a window on a
 * single page. Fragments are cut only where more than 512 consecutive bytes have no value: splitting a copy
 * costs more than a few superfluous bytes (cutting at every such byte doubled the compressed size of pages).
 * Spans are taken from the most shared down until the dictionary is full. The most shared one comes last,
 * where distances to it are shortest, for encoders that pay for distance.
 *
 * Cost: linear in the bytes of fragments and pages; memory 40 bytes for each byte of the fragments.
 */
import { mix32, power } from '../../analysis/byte-hash.ts';
import { HashCounter } from '../../analysis/hash-tables.ts';
import { DICTIONARY_TAIL } from './brotli-dictionary.ts';

/** Fragments and pages that the dictionary of a site is built from. */
export interface DictionaryMaterial {
  /** Bytes of shared fragments, the most valuable first. */
  fragments: readonly Uint8Array[];
  /** Pages on which windows are counted. */
  pages: readonly Uint8Array[];
}

/** Consecutive bytes of one fragment, almost all of them shared. */
interface SharedSpan {
  fragment: number;
  start: number;
  end: number;
  /** Mean over its bytes of the number of pages with the byte. */
  pages: number;
}

/** Maximum gap without value inside a span; longer gaps split it. */
const MAX_GAP_BYTES = 512;
/** Minimum length of a span; shorter ones save too little. */
const MIN_SPAN_BYTES = 32;
const MIN_PAGES = 2;

/**
 * Returns a dictionary of at most `maxBytes` bytes that ends in DICTIONARY_TAIL; empty when the pages share
 * nothing.
 */
export function buildDictionary({ fragments, pages }: DictionaryMaterial, maxBytes: number): Uint8Array {
  const windows = countOnPages(fragments, pages);
  const taken = new HashCounter(4096);
  const spans = fragments.flatMap((bytes, fragment) =>
    cutSpans(pagesOfBytes(bytes, windows, taken), fragment),
  );
  const chosen = takeMostShared(spans, maxBytes - DICTIONARY_TAIL.length);
  if (chosen.length === 0) return new Uint8Array(0);
  const parts = chosen.map(({ fragment, start, end }) => fragments[fragment].subarray(start, end));
  return new Uint8Array(Buffer.concat([...parts, DICTIONARY_TAIL]));
}

/** Counts for each window of the fragments the pages with it, plus one for the fragments themselves. */
function countOnPages(fragments: readonly Uint8Array[], pages: readonly Uint8Array[]): HashCounter {
  const total = fragments.reduce((sum, { length }) => sum + length, 0);
  const counter = new HashCounter(Math.min(total, 1 << 20));
  for (const fragment of fragments) {
    const { count, low, high } = hashWindows(fragment);
    for (let i = 0; i < count; i++) counter.add(low[i], high[i], 0);
  }
  pages.forEach((page, number) => {
    const { count, low, high } = hashWindows(page);
    for (let i = 0; i < count; i++) {
      if (counter.pagesOf(low[i], high[i]) > 0) counter.add(low[i], high[i], number + 1);
    }
  });
  return counter;
}

/**
 * Returns for each byte the pages of the most shared window over it that was not taken before, and takes
 * these windows.
 */
function pagesOfBytes(bytes: Uint8Array, windows: HashCounter, taken: HashCounter): Uint32Array {
  const pagesOf = new Uint32Array(bytes.length);
  const { count, low, high } = hashWindows(bytes);
  for (let i = 0; i < count; i++) {
    if (taken.pagesOf(low[i], high[i]) > 0) continue;
    const pages = windows.pagesOf(low[i], high[i]) - 1; // minus one for the fragments themselves
    if (pages < MIN_PAGES) continue;
    taken.add(low[i], high[i], 0);
    for (let at = i; at < i + WINDOW_BYTES; at++) if (pagesOf[at] < pages) pagesOf[at] = pages;
  }
  return pagesOf;
}

/** Splits a fragment at gaps that are too long. */
function cutSpans(pagesOf: Uint32Array, fragment: number): SharedSpan[] {
  const spans: SharedSpan[] = [];
  let start = -1;
  let end = 0; // position after the last byte with a value
  let sum = 0;
  const close = (): void => {
    if (start >= 0 && end - start >= MIN_SPAN_BYTES) {
      spans.push({ fragment, start, end, pages: sum / (end - start) });
    }
    start = -1;
    sum = 0;
  };
  for (let at = 0; at < pagesOf.length; at++) {
    if (pagesOf[at] === 0) continue;
    if (start >= 0 && at - end > MAX_GAP_BYTES) close();
    if (start < 0) start = at;
    end = at + 1;
    sum += pagesOf[at];
  }
  close();
  return spans;
}

/** Returns as many spans as fit, the last one cut to size, in the order of the dictionary. */
function takeMostShared(spans: readonly SharedSpan[], maxBytes: number): SharedSpan[] {
  const inOrder = (a: SharedSpan, b: SharedSpan): number => a.fragment - b.fragment || a.start - b.start;
  const sorted = [...spans].sort((a, b) => b.pages - a.pages || inOrder(a, b));
  const chosen: SharedSpan[] = [];
  let left = maxBytes;
  for (const span of sorted) {
    if (left <= 0) break;
    const end = Math.min(span.end, span.start + left);
    chosen.push({ ...span, end });
    left -= end - span.start;
  }
  return chosen.sort((a, b) => a.pages - b.pages || inOrder(a, b));
}

/** Length of a window in bytes; shorter copies from a dictionary hardly pay. */
export const WINDOW_BYTES = 16;

const BASE_A = 0x2c1b3c6d;
const BASE_B = 0x5851f42d;

/** Two hash lanes per window; window i is bytes [i, i + WINDOW_BYTES). */
export interface WindowHashes {
  count: number;
  low: Int32Array;
  high: Int32Array;
}

/**
 * Hashes each window by two rolling polynomials, so that two texts with `WINDOW_BYTES` bytes in common have
 * equal hashes. About 3 ns per byte.
 */
export function hashWindows(bytes: Uint8Array): WindowHashes {
  const count = Math.max(0, bytes.length - WINDOW_BYTES + 1);
  const low = new Int32Array(count);
  const high = new Int32Array(count);
  let a = 0;
  let b = 0;
  for (let i = 0; i < bytes.length; i++) {
    a = (Math.imul(a, BASE_A) + bytes[i] + 1) | 0;
    b = (Math.imul(b, BASE_B) + bytes[i] + 1) | 0;
    const start = i - WINDOW_BYTES + 1;
    if (start < 0) continue;
    low[start] = mix32(a);
    high[start] = mix32(b);
    // remove the first byte
    a = (a - Math.imul(POWER_A, bytes[start] + 1)) | 0;
    b = (b - Math.imul(POWER_B, bytes[start] + 1)) | 0;
  }
  return { count, low, high };
}

const POWER_A = power(BASE_A, WINDOW_BYTES - 1);
const POWER_B = power(BASE_B, WINDOW_BYTES - 1);
