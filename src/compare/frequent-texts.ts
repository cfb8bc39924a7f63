/**
 * The texts that all frequent windows of a site stand in, each window once. A model takes them along, so that whoever
 * labels by it has known texts at hand (known-texts.ts) and need not roll over every page: a byte or so for a window,
 * where its hash takes nine. Made from known texts, and known texts from them, by one roll over what is template.
 */
import { isUtf8 } from 'node:buffer';
import { MOST_KNOWN } from './fragment-code.ts';
import type { HashCounts } from './hash-counter.ts';
import { HashTable } from './hash-table.ts';
import {
  gramsOf,
  type JoinedStretches,
  joinStretches,
  type KnownTexts,
  LEAST_WIDTH,
  windowEnd,
} from './known-texts.ts';
import type { LikelyStretches } from './likely-stretches.ts';
import { characterAfter, TextWindows } from './text-windows.ts';
import type { ToldWindows } from './window-teller.ts';

/** What the first occurrences of all frequent windows of `width` characters cover. */
export function frequentTexts(
  { bytes, firstAt }: Pick<ToldWindows, 'bytes' | 'firstAt'>,
  width: number,
): Uint8Array[] {
  const texts: Uint8Array[] = [];
  let from = 0;
  let end = 0;
  let beside = -1; // where the window after the last one begins
  for (const start of firstAt.slice().sort()) {
    if (start > end) {
      if (end > from) texts.push(bytes.slice(from, end));
      from = start;
    }
    end = start === beside ? characterAfter(bytes, end) : windowEnd(bytes, start, width);
    beside = characterAfter(bytes, start);
  }
  if (end > from) texts.push(bytes.slice(from, end));
  return texts;
}

/** Known texts of these; nothing when a window is in none of them, or too narrow to be told so. */
export function knowTexts(
  texts: readonly Uint8Array[],
  fragments: HashCounts,
  { windowCharacters: width, density }: { windowCharacters: number; density: number },
): KnownTexts | undefined {
  if (density > 1 || width < LEAST_WIDTH || !texts.every(isUtf8)) return undefined;
  const stretches = joinStretches(texts, wholeTexts(texts), MOST_KNOWN);
  if (!stretches) return undefined;
  const { bytes, begins, count } = stretches;
  const table = new HashTable(fragments.low, fragments.high);
  const windows = new TextWindows(width, density);
  const told = new Int32Array(bytes.length); // the place of the window among all, from 1
  const firstAt = new Int32Array(fragments.low.length).fill(-1);
  for (let text = 0; text < count; text++) {
    windows.open(bytes, begins[text + 1] - 1, begins[text]);
    for (let found = windows.next(table.filter); found > 0; found = windows.next(table.filter)) {
      for (let i = 0; i < found; i++) {
        const place = table.find(windows.lows[i], windows.highs[i]);
        if (place < 0) continue;
        told[windows.starts[i]] = place + 1;
        if (firstAt[place] < 0) firstAt[place] = windows.starts[i];
      }
    }
  }
  if (firstAt.includes(-1)) return undefined;
  const { runs, runPages, runEnds } = toRuns(told, stretches, { width, pages: fragments.pages });
  const grams = gramsOf(bytes, firstAt.slice().sort(), width);
  return { bytes, runs, runPages, runEnds, firstAt, grams };
}

function wholeTexts(texts: readonly Uint8Array[]): LikelyStretches {
  return {
    count: texts.length,
    starts: new Int32Array(texts.length),
    ends: Int32Array.from(texts, (text) => text.length),
    upTo: Int32Array.from(texts, (_, index) => index + 1),
  };
}

/** From the place of the window that begins at a byte to the run it is in; so for all bytes of a character. */
function toRuns(
  told: Int32Array,
  { bytes, begins, count }: JoinedStretches,
  { width, pages: pagesOf }: { width: number; pages: Uint32Array },
): Pick<KnownTexts, 'runs' | 'runPages' | 'runEnds'> {
  const runPages = new Int32Array(bytes.length);
  const runEnds = new Int32Array(bytes.length);
  let run = -1;
  for (let i = 0; i < count; i++) {
    const last = begins[i + 1] - 1 - width;
    let pages = -1; // a text begins with a run of its own
    for (let at = begins[i]; at <= last; at++) {
      if ((bytes[at] & 0xc0) !== 0x80) {
        const here = told[at] === 0 ? 0 : pagesOf[told[at] - 1];
        if (here !== pages) {
          if (pages >= 0) runEnds[run] = at;
          runPages[++run] = here;
          pages = here;
        }
      }
      told[at] = run;
    }
    if (pages >= 0) runEnds[run] = last + 1;
  }
  return { runs: told, runPages: runPages.slice(0, run + 1), runEnds: runEnds.slice(0, run + 1) };
}
