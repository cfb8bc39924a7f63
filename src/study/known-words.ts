/**
 * The words of texts that were met before. Captures of a page, and pages of a site, have most of their paragraphs and
 * menus in common, letter for letter: a piece of text is known by a 64-bit hash, taken four bytes at a time, and its
 * words are copied from where they were kept. Pieces are cut before texts that are long enough to be met again by
 * themselves, at a space, which no word reaches across: what is found is what `scanWords` finds. Eight bytes a word that
 * is kept; all are forgotten when there are too many.
 */

import { hashQuickly, type Lanes } from '../compare/byte-hash.ts';
import { HashCounter } from '../compare/hash-counter.ts';
import { scanWords, WordList } from '../compare/word-scanner.ts';
import { doubled } from '../model/growing-array.ts';
import type { Tree } from '../parse/tree.ts';

/** Bytes of a text that begins a piece, and of the shortest piece that is kept. */
const LEAST_BYTES = 32;
/** Words and pieces that are kept, but for those of the last page: some MB, of every thread. */
const MOST_WORDS = 1 << 18;
const MOST_PIECES = 1 << 15;

const SPACE = 0x20;

export class KnownWords {
  readonly #pieces = new HashCounter();
  /** By piece: where its words end; they begin where those of the piece before end. */
  #ends = new Int32Array(1024);
  readonly #words = new WordList();
  readonly #lanes: Lanes = { low: 0, high: 0 };
  #view: DataView = new DataView(new ArrayBuffer(0));
  #node = 0;

  /** Begins a page, whose stretches then come in order. */
  open({ text }: Tree): void {
    this.#view = new DataView(text.buffer, text.byteOffset, text.byteLength);
    this.#node = 0;
    if (this.#pieces.size > MOST_PIECES || this.#words.count > MOST_WORDS) {
      this.#pieces.clear();
      this.#words.count = 0;
    }
  }

  /** Adds the words of a stretch of the page's text. */
  scan({ text, textStart, nodeCount }: Tree, start: number, end: number, out: WordList): void {
    let node = this.#node;
    while (node < nodeCount && textStart[node] <= start) node++;
    for (let from = start; from < end; ) {
      while (node < nodeCount && textStart[node] < end && !beginsPiece(text, textStart, node)) node++;
      const to = node < nodeCount && textStart[node] < end ? textStart[node++] : end;
      if (to - from < LEAST_BYTES) scanWords(text, from, to, out);
      else this.#addPiece(text, from, to, out);
      from = to;
    }
    this.#node = node;
  }

  #addPiece(text: Uint8Array, from: number, to: number, out: WordList): void {
    const words = this.#words;
    const { low, high } = hashQuickly(this.#view, from, to, this.#lanes);
    const known = this.#pieces.size;
    const piece = this.#pieces.add(low, high, 0);
    const first = piece === 0 ? 0 : this.#ends[piece - 1];
    if (piece === known) {
      scanWords(text, from, to, words);
      if (this.#ends.length <= piece) this.#ends = doubled(this.#ends);
      this.#ends[piece] = words.count;
    }
    out.append(words, first, this.#ends[piece]);
  }
}

/** Whether a node's text is long and stands apart from what is before it. */
function beginsPiece(text: Uint8Array, textStart: Int32Array, node: number): boolean {
  const start = textStart[node];
  return textStart[node + 1] - start >= LEAST_BYTES && text[start] === SPACE;
}
