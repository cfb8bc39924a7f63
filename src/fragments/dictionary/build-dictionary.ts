/**
 * The dictionary of a site: the bytes of its shared fragments, each byte once, those on the most pages last.
 *
 * A fragment comes from one page and may differ on others (a structural one in its texts and values, a
 * complete one in nothing), and fragments of different classes repeat each other's parts. So fragments only
 * propose. How much a stretch is worth is counted: on how many of the site's pages its windows stand. A window
 * that an earlier, more shared fragment brought is not brought again. Stretches on one page only are left out,
 * the others are taken from the most shared down until the dictionary is full. The most shared come last, where
 * the distances to them are shortest, for encoders that pay for distance.
 *
 * Cost: linear in the bytes of fragments and pages; memory 40 bytes for each byte of the fragments.
 */
import { HashCounter } from '../../compare/hash-counter.ts';
import { DICTIONARY_TAIL } from './brotli-dictionary.ts';
import { hashWindows, WINDOW_BYTES } from './window-hashes.ts';

export interface DictionaryMaterial {
  /** Bytes of shared fragments, the most valuable first. */
  fragments: readonly Uint8Array[];
  /** Pages on which stretches are counted. */
  pages: readonly Uint8Array[];
}

/** Bytes that belong together: of one fragment, on about as many pages. */
interface Stretch {
  fragment: number;
  start: number;
  end: number;
  /** Stretches of a higher level are on more pages: a level for each factor of the square root of two. */
  level: number;
}

/** A piece shorter than this stays with what stands before it, whatever its worth. */
const MIN_STRETCH_BYTES = 24;
const MIN_PAGES = 2;

/** At most `maxBytes` bytes, DICTIONARY_TAIL last; none when the pages share nothing. */
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

/** Of each window of the fragments, the pages that hold it; one more than there are. */
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

function cutStretches(pagesOf: Uint32Array, fragment: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let start = 0; start < pagesOf.length; ) {
    const level = levelOf(pagesOf[start]);
    let end = start + 1;
    while (end < pagesOf.length && levelOf(pagesOf[end]) === level) end++;
    const before = stretches.at(-1);
    if (level >= 0) {
      if (before !== undefined && before.end === start && end - start < MIN_STRETCH_BYTES) before.end = end;
      else stretches.push({ fragment, start, end, level });
    }
    start = end;
  }
  return stretches;
}

function levelOf(pages: number): number {
  return pages < MIN_PAGES ? -1 : Math.floor(2 * Math.log2(pages));
}

/** As many as fit, the last one cut to fit; in the order of the dictionary. */
function takeMostShared(stretches: readonly Stretch[], maxBytes: number): Stretch[] {
  const sorted = [...stretches].sort(
    (a, b) => b.level - a.level || a.fragment - b.fragment || a.start - b.start,
  );
  const chosen: Stretch[] = [];
  let left = maxBytes;
  for (const stretch of sorted) {
    if (left <= 0) break;
    const end = Math.min(stretch.end, stretch.start + left);
    chosen.push({ ...stretch, end });
    left -= end - stretch.start;
  }
  return chosen.sort((a, b) => a.level - b.level || a.fragment - b.fragment || a.start - b.start);
}
