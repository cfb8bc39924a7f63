/**
 * Finds the spans of a text that frequent windows cover (Gibson et al. §3.2, second pass): overlapping and
 * touching fragments are joined. When only one window in D is kept, two consecutive kept fragments that do
 * not touch are joined if the text from the start of the first to the end of the second is on at least F
 * pages: then the same two fragments have the same text between them. Its hash is looked up in `gaps`.
 *
 * Where a text on many pages is followed by one on far fewer (the header by the menu of a section), the span
 * is cut there; otherwise the header would be a different template in every section. Each piece has at least
 * W characters. The paper does not cut; `cut: 'none'` follows the paper.
 *
 * Cost: one pass over the text, and one lookup for each window that the filter of frequent windows lets
 * through.
 */
import { HashCounter } from '../analysis/hash-tables.ts';
import { FragmentFinder } from '../analysis/known-texts.ts';
import { KernelText, type KernelTexts, type TextSpan, textBytes } from '../analysis/text-windows.ts';
import type { KeyCounts } from '../kernel/key-tables.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { TextCount, TextCut } from './text-settings.ts';

/** The frequent text of a site, as the text detector learns it. */
export interface FrequentText {
  windowCharacters: number;
  density: number;
  wholeWords: boolean;
  /** Where spans are cut. */
  cut: TextCut;
  /** Windows on enough pages. */
  fragments: KeyCounts;
  /**
   * Texts from one kept fragment to the end of the next, on enough pages; empty when every window is kept.
   */
  gaps: KeyCounts;
}

/** A part of a text that is template. */
export interface TemplateSpan {
  /** Offsets in the text, in bytes. */
  start: number;
  end: number;
  /** Minimum over its parts of the number of sampled pages with the part. */
  pages: number;
  /** Hash of its bytes. */
  low: number;
  high: number;
}

/** Page counts that differ by more than this factor belong to two templates. */
const CUT_FACTOR = 2;

/** Finds the template spans of texts. */
export class TemplateSpanFinder {
  readonly #fragments: FragmentFinder;
  /** Numbers of gaps are their indexes in the model. */
  readonly #gaps = new HashCounter();
  readonly #gapPages: Uint32Array;
  readonly #joinsGaps: boolean;
  readonly #wholeWords: boolean;
  readonly #width: number;
  readonly #isCut: boolean;
  readonly #place = new KernelText();

  /** `texts`: texts that contain all fragments, if known. */
  constructor(
    { windowCharacters, density, wholeWords, cut, fragments, gaps }: FrequentText,
    texts: readonly Uint8Array[] = [],
  ) {
    this.#fragments = new FragmentFinder(fragments, { windowCharacters, density }, texts);
    for (const [i, low] of gaps.low.entries()) this.#gaps.add(low, gaps.high[i], 0);
    this.#gapPages = gaps.pages;
    this.#joinsGaps = density > 1;
    this.#wholeWords = wholeWords;
    this.#width = windowCharacters;
    this.#isCut = cut === 'pages';
  }

  /** Returns the spans of a text, which is copied unless it is in the kernel's memory. */
  find(text: Uint8Array, length: number): TemplateSpan[] {
    return this.findIn(this.#place.at(text, length));
  }

  /** Returns the spans of a text in the kernel's memory. */
  findIn(span: TextSpan): TemplateSpan[] {
    const { length } = span;
    const spans: TemplateSpan[] = [];
    const pieces: Piece[] = []; // pieces of the open span; the last one is growing
    let end = -1;
    let most = 0; // pages of the fragment that the last piece began with
    let previousStart = 0; // start of the last frequent fragment

    for (const fragment of this.#fragments.find(span)) {
      const { pages } = fragment;
      let joined = pieces.length > 0 && fragment.start <= end;
      let least = pages;
      if (!joined && pieces.length > 0 && this.#joinsGaps) {
        const gap = this.#findGap(span, previousStart, fragment.end);
        if (gap >= 0) {
          joined = true;
          least = Math.min(pages, this.#gapPages[gap]);
        }
      }
      if (!joined) {
        this.#close(span, pieces, end, spans);
        pieces.push({ start: fragment.start, pages });
        most = pages;
      } else {
        const open = pieces[pieces.length - 1];
        if (this.#isCut && (pages > most * CUT_FACTOR || pages * CUT_FACTOR < most)) {
          // a text on more pages begins with the first window inside it and ends with the last one
          const from = pages > most ? fragment.start : end;
          const at = this.#wordStart(textBytes(span), length, from, open.start);
          pieces.push({ start: at, pages });
          most = pages;
        } else {
          open.pages = Math.min(open.pages, least);
        }
      }
      end = fragment.end;
      previousStart = fragment.start;
    }
    this.#close(span, pieces, end, spans);
    return spans;
  }

  /** Frees the kernel memory of the finder. */
  release(): void {
    this.#fragments.release();
    this.#place.release();
  }

  #findGap(span: TextSpan, start: number, end: number): number {
    const { low, high } = hashPart(span, start, end);
    return this.#gaps.numberOf(low, high);
  }

  /** Returns the start of the word at a cut, but not before `least`. */
  #wordStart(text: Uint8Array, length: number, position: number, least: number): number {
    let at = Math.max(least, position);
    while (this.#wholeWords && at > least && splitsWord(text, at, length)) at--;
    return at;
  }

  /** Closes the open span: moves its pieces to `out`. */
  #close(span: TextSpan, pieces: Piece[], end: number, out: TemplateSpan[]): void {
    if (pieces.length === 0) return;
    const text = textBytes(span);
    const { length } = span;
    this.#joinShort(text, pieces, end);
    for (let k = 0; k < pieces.length; k++) {
      let from = pieces[k].start;
      let to = k + 1 < pieces.length ? pieces[k + 1].start : end;
      if (this.#wholeWords) {
        if (k === 0) while (from < to && (splitsWord(text, from, length) || endsSentence(text, from))) from++;
        while (to > from && splitsWord(text, to, length)) to--;
      }
      while (from < to && text[from] === SPACE) from++;
      while (to > from && text[to - 1] === SPACE) to--;
      if (from === to) continue;
      const { low, high } = hashPart(span, from, to);
      out.push({ start: from, end: to, pages: pieces[k].pages, low, high });
    }
    pieces.length = 0;
  }

  /**
   * Undoes cuts that leave fewer than W characters: such a piece is joined with the previous one, the first
   * with the next.
   */
  #joinShort(text: Uint8Array, pieces: Piece[], end: number): void {
    for (let k = pieces.length - 1; k > 0; k--) {
      const to = k + 1 < pieces.length ? pieces[k + 1].start : end;
      const isShort = (from: number, upTo: number) => !hasCharacters(text, from, upTo, this.#width);
      if (!isShort(pieces[k].start, to) && (k > 1 || !isShort(pieces[0].start, pieces[1].start))) continue;
      pieces[k - 1].pages = Math.min(pieces[k - 1].pages, pieces[k].pages);
      pieces.splice(k, 1);
    }
  }
}

/** A part of a span, up to the start of the next one. */
interface Piece {
  start: number;
  /** Minimum over its parts of the number of sampled pages with the part. */
  pages: number;
}

/** Returns whether UTF-8 text has at least `count` characters. */
function hasCharacters(text: Uint8Array, from: number, to: number, count: number): boolean {
  let left = count;
  for (let at = from; at < to && left > 0; at++) if ((text[at] & 0xc0) !== 0x80) left--;
  return left === 0;
}

/**
 * Counts the pages with the text that two consecutive frequent fragments and the gap between them form; it
 * decides whether the gap is template.
 */
export function countGaps(
  texts: KernelTexts,
  settings: { windowCharacters: number; density: number },
  fragments: KeyCounts,
  minTexts: number,
  count: TextCount = 'pages',
): KeyCounts {
  const finder = new FragmentFinder(fragments, settings);
  const counter = new HashCounter();
  for (const [index, span] of texts.spans.entries()) {
    let previousStart = -1;
    let previousEnd = -1;
    for (const { start, end } of finder.find(span)) {
      if (previousStart >= 0 && start > previousEnd) {
        const { low, high } = hashPart(span, previousStart, end);
        counter.add(low, high, index);
      }
      previousStart = start;
      previousEnd = end;
    }
  }
  finder.release();
  return counter.select(minTexts, count);
}

/** Returns the hash of a part of a text. */
function hashPart({ address }: TextSpan, start: number, end: number): { low: number; high: number } {
  const { functions, results } = threadKernel();
  functions.hashText(address + start, address + end);
  return { low: results[0], high: results[1] };
}

const SPACE = 0x20;

/** Returns whether an edge at `position` would split a word, a number or a character reference. */
function splitsWord(text: Uint8Array, position: number, length: number): boolean {
  if (position <= 0 || position >= length) return false;
  if ((text[position] & 0xc0) === 0x80) return true; // inside a code point
  if (!isWordByte(text[position]) || !isWordByte(text[position - 1])) return false;
  if (text[position] < 0x80 && text[position - 1] < 0x80) return true;
  return (
    !needsNoSpace(codePointAt(text, position)) &&
    !needsNoSpace(codePointAt(text, startBefore(text, position)))
  );
}

/** Returns whether the character at `position` ends the sentence or clause before it. */
function endsSentence(text: Uint8Array, position: number): boolean {
  if (position === 0 || text[position - 1] === SPACE) return false;
  return CLOSING.has(codePointAt(text, position));
}

const CLOSING = new Set(
  [...'.,:!?)]}"”’»…。、，！？：；）」』'].map((character) => character.codePointAt(0)!),
);

/**
 * Returns whether a byte is part of a word or character reference; true for every byte of non-ASCII
 * characters.
 */
function isWordByte(byte: number): boolean {
  if (byte >= 0x80) return true;
  if (byte >= 0x30 && byte <= 0x39) return true;
  if (byte === 0x26 || byte === 0x23 || byte === 0x3b || byte === 0x27 || byte === 0x5f) return true;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x7a;
}

/**
 * Returns whether a character is punctuation, or of a script without spaces between words: an edge beside it
 * splits nothing.
 */
function needsNoSpace(character: number): boolean {
  if (character < 0x80) return false;
  if (character < 0xc0 || (character >= 0x2000 && character <= 0x2bff)) return true;
  if (character >= 0x0e00 && character <= 0x0eff) return true; // Thai, Lao
  if (character >= 0x1000 && character <= 0x109f) return true; // Burmese
  if (character >= 0x1780 && character <= 0x17ff) return true; // Khmer
  if (character >= 0x2e80 && character <= 0xabff) return true; // Chinese, kana and their punctuation
  return (character >= 0xf900 && character <= 0xfaff) || character >= 0xfe30;
}

function startBefore(text: Uint8Array, position: number): number {
  let start = position - 1;
  while (start > 0 && (text[start] & 0xc0) === 0x80) start--;
  return start;
}

function codePointAt(text: Uint8Array, position: number): number {
  const first = text[position];
  if (first < 0xc0) return first;
  const more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  let character = first & (0x3f >> more);
  for (let i = 1; i <= more; i++) character = (character << 6) | (text[position + i] & 0x3f);
  return character;
}
