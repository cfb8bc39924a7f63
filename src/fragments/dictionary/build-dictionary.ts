/**
 * The dictionary of a site: the bytes of its shared fragments, no long stretch twice, those on the most pages last.
 *
 * A fragment comes from one page and may differ on others (a structural one in its texts and values, a complete one in
 * nothing), and fragments of different classes repeat each other's parts. So fragments only propose bytes. The value
 * of a byte is the number of the site's pages that have the windows over it. A window that an earlier, more shared
 * fragment has already brought is worth nothing, and so is a window on a single page. Fragments are cut only where more
 * than 512 consecutive bytes are worth nothing: breaking a copy in two costs more than a few bytes too many (cutting at
 * every such byte doubled the compressed size of pages). Stretches are taken from the most shared down until the
 * dictionary is full. The most shared comes last, where distances to it are shortest, for encoders that pay for
 * distance.
 *
 * Cost: linear in the bytes of fragments and pages; memory 40 bytes for each byte of the fragments.
 */
import { mix32, power } from '../../analysis/byte-hash.ts';
import { HashCounter } from '../../analysis/hash-tables.ts';
import { DICTIONARY_TAIL } from './brotli-dictionary.ts';

export interface DictionaryMaterial {
  /** Bytes of shared fragments, the most valuable first. */
  fragments: readonly Uint8Array[];
  /** Pages on which stretches are counted. */
  pages: readonly Uint8Array[];
}

/** Consecutive bytes of one fragment, nearly all of them shared. */
interface Stretch {
  fragment: number;
  start: number;
  end: number;
  /** Mean over its bytes of the pages that have the byte. */
  pages: number;
}

/** Worthless bytes within a stretch that are kept, since their loss would break a copy in two. */
const MAX_GAP_BYTES = 512;
/** A stretch shorter than this saves too little. */
const MIN_STRETCH_BYTES = 32;
const MIN_PAGES = 2;

/** At most `maxBytes` bytes, DICTIONARY_TAIL last; empty when the pages share nothing. */
export function buildDictionary({ fragments, pages }: DictionaryMaterial, maxBytes: number): Uint8Array {
  const windows = countOnPages(fragments, pages);
  const taken = new HashCounter(4096);
  const stretches = fragments.flatMap((bytes, fragment) =>
    cutStretches(pagesOfBytes(bytes, windows, taken), fragment),
  );
  const chosen = takeMostShared(stretches, maxBytes - DICTIONARY_TAIL.length);
  if (chosen.length === 0) return new Uint8Array(0);
  const parts = chosen.map(({ fragment, start, end }) => fragments[fragment].subarray(start, end));
  return new Uint8Array(Buffer.concat([...parts, DICTIONARY_TAIL]));
}

/** Counts, for each window of the fragments, the pages that have it, plus one for the fragments themselves. */
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

/** For each byte, the pages of the most shared window over it that was not taken yet; takes these windows. */
function pagesOfBytes(bytes: Uint8Array, windows: HashCounter, taken: HashCounter): Uint32Array {
  const pagesOf = new Uint32Array(bytes.length);
  const { count, low, high } = hashWindows(bytes);
  for (let i = 0; i < count; i++) {
    if (taken.pagesOf(low[i], high[i]) > 0) continue;
    const pages = windows.pagesOf(low[i], high[i]) - 1; // less the fragments themselves
    if (pages < MIN_PAGES) continue;
    taken.add(low[i], high[i], 0);
    for (let at = i; at < i + WINDOW_BYTES; at++) if (pagesOf[at] < pages) pagesOf[at] = pages;
  }
  return pagesOf;
}

/** Cuts a fragment at gaps that are too long. */
function cutStretches(pagesOf: Uint32Array, fragment: number): Stretch[] {
  const stretches: Stretch[] = [];
  let start = -1;
  let end = 0; // one past the last byte worth keeping
  let sum = 0;
  const close = (): void => {
    if (start >= 0 && end - start >= MIN_STRETCH_BYTES) {
      stretches.push({ fragment, start, end, pages: sum / (end - start) });
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
  return stretches;
}

/** As many as fit, the last one cut to fit; in the order of the dictionary. */
function takeMostShared(stretches: readonly Stretch[], maxBytes: number): Stretch[] {
  const inOrder = (a: Stretch, b: Stretch): number => a.fragment - b.fragment || a.start - b.start;
  const sorted = [...stretches].sort((a, b) => b.pages - a.pages || inOrder(a, b));
  const chosen: Stretch[] = [];
  let left = maxBytes;
  for (const stretch of sorted) {
    if (left <= 0) break;
    const end = Math.min(stretch.end, stretch.start + left);
    chosen.push({ ...stretch, end });
    left -= end - stretch.start;
  }
  return chosen.sort((a, b) => a.pages - b.pages || inOrder(a, b));
}

/** A stretch shorter than this is not worth a copy from a dictionary by much. */
export const WINDOW_BYTES = 16;

const BASE_A = 0x2c1b3c6d;
const BASE_B = 0x5851f42d;

/** Two lanes a window; window i is bytes [i, i + WINDOW_BYTES). */
export interface WindowHashes {
  count: number;
  low: Int32Array;
  high: Int32Array;
}

/**
 * Hashes each window by two polynomials that roll over the bytes: two texts with a stretch of at least `WINDOW_BYTES` in
 * common have equal hashes. About 3 ns a byte.
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
    // the first byte leaves
    a = (a - Math.imul(POWER_A, bytes[start] + 1)) | 0;
    b = (b - Math.imul(POWER_B, bytes[start] + 1)) | 0;
  }
  return { count, low, high };
}

const POWER_A = power(BASE_A, WINDOW_BYTES - 1);
const POWER_B = power(BASE_B, WINDOW_BYTES - 1);
