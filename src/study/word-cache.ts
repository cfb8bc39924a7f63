/**
 * Caches the words of texts. Captures of a page, and pages of a site, share most of their paragraphs and
 * menus letter for letter. A piece of text is identified by a 64-bit hash, computed four bytes at a time, and
 * its words are copied from the cache. A piece begins at a text node that is long enough to recur by itself
 * and follows a space, so no word crosses the boundary between pieces: the words are those that `scanWords`
 * finds.
 *
 * Words are numbered, so that a cached word takes four bytes and words are compared without a lookup. The
 * cache is emptied when it is full.
 */

import { hashQuickly, type Lanes } from '../analysis/byte-hash.ts';
import { HashCounter } from '../analysis/hash-tables.ts';
import { scanWords, WordList } from '../analysis/word-scanner.ts';
import { doubled, withRoom } from '../model/growing-array.ts';
import type { Tree } from '../parse/tree.ts';

/** Minimum bytes of a text that begins a piece, and of a piece that is cached. */
const MIN_BYTES = 32;
/** Maximum numbers of words and pieces in the cache before the last page is added: some MB per thread. */
const MAX_WORDS = 1 << 19;
const MAX_PIECES = 1 << 15;
const MAX_NUMBERS = 1 << 16;

const SPACE = 0x20;

/** A growing list of word numbers; the first `count` are valid. It keeps its memory when it is emptied. */
export class NumberList {
  numbers = new Int32Array(1024);
  count = 0;

  /** Adds `source[start, end)`. */
  append(source: Int32Array, start: number, end: number): void {
    this.numbers = withRoom(this.numbers, this.count + end - start);
    const { numbers } = this;
    let at = this.count;
    for (let k = start; k < end; k++) numbers[at++] = source[k];
    this.count = at;
  }
}

/** Reads the words of texts as numbers, and caches the words of pieces of text. */
export class WordCache {
  /** By number: the hash of the word, in two halves of 32 bits. */
  low = new Int32Array(1024);
  high = new Int32Array(1024);
  readonly #numbers = new HashCounter();
  readonly #pieces = new HashCounter();
  /** By piece: the end of its words; they begin at the end of the previous piece. */
  #ends = new Int32Array(1024);
  readonly #words = new NumberList();
  readonly #scanned = new WordList();
  readonly #lanes: Lanes = { low: 0, high: 0 };
  #view: DataView = new DataView(new ArrayBuffer(0));
  #node = 0;

  /** Number of words that have a number. */
  get count(): number {
    return this.#numbers.size;
  }

  /**
   * Begins a page, whose spans must then come in order. Returns false when the cache was emptied and numbers
   * changed.
   */
  open({ text }: Tree): boolean {
    this.#view = new DataView(text.buffer, text.byteOffset, text.byteLength);
    this.#node = 0;
    const isFull =
      this.#pieces.size > MAX_PIECES || this.#words.count > MAX_WORDS || this.#numbers.size > MAX_NUMBERS;
    if (!isFull) return true;
    this.#pieces.clear();
    this.#numbers.clear();
    this.#words.count = 0;
    return false;
  }

  /** Adds the words of a span of the page's text to `out`. */
  scan({ text, textStart, nodeCount }: Tree, start: number, end: number, out: NumberList): void {
    let node = this.#node;
    while (node < nodeCount && textStart[node] <= start) node++;
    for (let from = start; from < end; ) {
      while (node < nodeCount && textStart[node] < end && !beginsPiece(text, textStart, node)) node++;
      const to = node < nodeCount && textStart[node] < end ? textStart[node++] : end;
      if (to - from < MIN_BYTES) this.#scan(text, from, to, out);
      else this.#addPiece(text, from, to, out);
      from = to;
    }
    this.#node = node;
  }

  #addPiece(text: Uint8Array, from: number, to: number, out: NumberList): void {
    const words = this.#words;
    const { low, high } = hashQuickly(this.#view, from, to, this.#lanes);
    const known = this.#pieces.size;
    const piece = this.#pieces.add(low, high, 0);
    const first = piece === 0 ? 0 : this.#ends[piece - 1];
    if (piece === known) {
      this.#scan(text, from, to, words);
      if (this.#ends.length <= piece) this.#ends = doubled(this.#ends);
      this.#ends[piece] = words.count;
    }
    out.append(words.numbers, first, this.#ends[piece]);
  }

  #scan(text: Uint8Array, from: number, to: number, out: NumberList): void {
    const scanned = this.#scanned;
    scanned.count = 0;
    scanWords(text, from, to, scanned);
    const { low, high, count } = scanned;
    out.numbers = withRoom(out.numbers, out.count + count);
    for (let word = 0; word < count; word++) {
      out.numbers[out.count++] = this.#numberOf(low[word], high[word]);
    }
  }

  #numberOf(low: number, high: number): number {
    const known = this.#numbers.size;
    const number = this.#numbers.add(low, high, 0);
    if (number === known) {
      if (this.low.length <= number) {
        this.low = doubled(this.low);
        this.high = doubled(this.high);
      }
      this.low[number] = low;
      this.high[number] = high;
    }
    return number;
  }
}

/** Returns whether a node's text is long and separated by a space from the text before it. */
function beginsPiece(text: Uint8Array, textStart: Int32Array, node: number): boolean {
  const start = textStart[node];
  return textStart[node + 1] - start >= MIN_BYTES && text[start] === SPACE;
}
