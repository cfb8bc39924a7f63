/**
 * The words of texts that were met before. Captures of a page, and pages of a site, have most of their paragraphs and
 * menus in common, letter for letter: a piece of text is known by a 64-bit hash, taken four bytes at a time, and its
 * words are copied from where they were kept. Pieces are cut before texts that are long enough to be met again by
 * themselves, at a space, which no word reaches across: what is found is what `scanWords` finds.
 *
 * Words are numbered, so that one that is kept takes four bytes and words are told apart without looking them up. All
 * are forgotten when there are too many.
 */

import { hashQuickly, type Lanes } from '../analysis/byte-hash.ts';
import { HashCounter } from '../analysis/hash-tables.ts';
import { scanWords, WordList } from '../analysis/word-scanner.ts';
import { doubled, withRoom } from '../model/growing-array.ts';
import type { Tree } from '../parse/tree.ts';

/** Bytes of a text that begins a piece, and of the shortest piece that is kept. */
const LEAST_BYTES = 32;
/** Words and pieces that are kept but for those of the last page, and words that are numbered: some MB, of every thread. */
const MOST_WORDS = 1 << 19;
const MOST_PIECES = 1 << 15;
const MOST_NUMBERS = 1 << 16;

const SPACE = 0x20;

/** Numbers of words in order: the first `count` hold. Keeps its memory when it is emptied. */
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

export class WordCache {
  /** By number: the hash of the word. */
  low = new Int32Array(1024);
  high = new Int32Array(1024);
  readonly #numbers = new HashCounter();
  readonly #pieces = new HashCounter();
  /** By piece: where its words end; they begin where those of the piece before end. */
  #ends = new Int32Array(1024);
  readonly #words = new NumberList();
  readonly #scanned = new WordList();
  readonly #lanes: Lanes = { low: 0, high: 0 };
  #view: DataView = new DataView(new ArrayBuffer(0));
  #node = 0;

  /** Words that have a number. */
  get count(): number {
    return this.#numbers.size;
  }

  /** Begins a page, whose stretches then come in order; false when all words have got other numbers. */
  open({ text }: Tree): boolean {
    this.#view = new DataView(text.buffer, text.byteOffset, text.byteLength);
    this.#node = 0;
    const isFull =
      this.#pieces.size > MOST_PIECES || this.#words.count > MOST_WORDS || this.#numbers.size > MOST_NUMBERS;
    if (!isFull) return true;
    this.#pieces.clear();
    this.#numbers.clear();
    this.#words.count = 0;
    return false;
  }

  /** Adds the words of a stretch of the page's text. */
  scan({ text, textStart, nodeCount }: Tree, start: number, end: number, out: NumberList): void {
    let node = this.#node;
    while (node < nodeCount && textStart[node] <= start) node++;
    for (let from = start; from < end; ) {
      while (node < nodeCount && textStart[node] < end && !beginsPiece(text, textStart, node)) node++;
      const to = node < nodeCount && textStart[node] < end ? textStart[node++] : end;
      if (to - from < LEAST_BYTES) this.#scan(text, from, to, out);
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

/** Whether a node's text is long and stands apart from what is before it. */
function beginsPiece(text: Uint8Array, textStart: Int32Array, node: number): boolean {
  const start = textStart[node];
  return textStart[node + 1] - start >= LEAST_BYTES && text[start] === SPACE;
}
