/**
 * The dictionary of a site: the bytes of its shared fragments, nothing long in it twice, those on the most pages
 * last.
 *
 * A fragment comes from one page and may differ on others (a structural one in its texts and values, a
 * complete one in nothing), and fragments of different classes repeat each other's parts. So fragments only
 * propose. How much a byte is worth is counted: on how many of the site's pages the windows over it stand. A
 * window that an earlier, more shared fragment brought is worth nothing again, nor is one on a single page.
 * Fragments are cut only where more than 512 bytes on end are worth nothing: a copy that is broken in two costs
 * more than a few bytes too many (cutting at every such byte doubled what pages weigh). What is left is taken
 * from the most shared down until the dictionary is full. The most shared comes last, where the distances to it
 * are shortest, for encoders that pay for distance.
 *
 * Cost: linear in the bytes of fragments and pages; memory 40 bytes for each byte of the fragments.
 */
import { HashCounter } from '../../analysis/hash-counter.ts';
import { DICTIONARY_TAIL } from './brotli-dictionary.ts';
import { hashWindows, WINDOW_BYTES } from './window-hashes.ts';

export interface DictionaryMaterial {
  /** Bytes of shared fragments, the most valuable first. */
  fragments: readonly Uint8Array[];
  /** Pages on which stretches are counted. */
  pages: readonly Uint8Array[];
}

/** Bytes that stay together: of one fragment, nearly all of them shared. */
interface Stretch {
  fragment: number;
  start: number;
  end: number;
  /** Pages that an average byte of it stands on. */
  pages: number;
}

/** Bytes that are not worth a place but whose loss would break a copy in two: they stay. */
const MAX_GAP_BYTES = 512;
/** A stretch shorter than this saves too little. */
const MIN_STRETCH_BYTES = 32;
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

/** Cuts a fragment where nothing is worth keeping for longer than a gap. */
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
