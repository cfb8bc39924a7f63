/**
 * How a block of deflate tells its codes: the lengths of both, run by run, in a code of their own (RFC 1951, section
 * 3.2.7).
 */
import { CODE_LENGTH_ORDER } from '../../model/deflate-values.ts';
import { codeLengths, makeCodes } from './huffman-code.ts';

const SYMBOLS = CODE_LENGTH_ORDER.length;
const MOST_BITS = 7;
/** Symbols from here on are runs, and have bits for how long. */
const REPEAT_LAST = 16;
const REPEAT_ZERO = 17;
const REPEAT_MANY_ZEROS = 18;
const RUN_BITS = [2, 3, 7];

/** Least lengths that are written, of each code. */
const LEAST_LITERALS = 257;
const LEAST_DISTANCES = 1;
const LEAST_SYMBOLS = 4;
const MOST_LENGTHS = 286 + 30;

export class DeflateHeader {
  readonly #lengths = new Uint8Array(MOST_LENGTHS);
  #literals = 0;
  #distances = 0;
  /** Symbols that are written, and how much longer than the shortest each run is. */
  readonly #symbols = new Uint8Array(MOST_LENGTHS);
  readonly #runs = new Uint8Array(MOST_LENGTHS);
  #size = 0;
  readonly #counts = new Uint32Array(SYMBOLS);
  readonly #symbolLengths = new Uint8Array(SYMBOLS);
  readonly #codes = new Uint16Array(SYMBOLS);
  #symbolsUsed = 0;

  /** Takes the lengths of both codes, and gives the bits it takes to write them. */
  take(literalLengths: Uint8Array, distanceLengths: Uint8Array): number {
    this.#literals = countUsed(literalLengths, LEAST_LITERALS);
    this.#distances = countUsed(distanceLengths, LEAST_DISTANCES);
    this.#lengths.set(literalLengths.subarray(0, this.#literals));
    this.#lengths.set(distanceLengths.subarray(0, this.#distances), this.#literals);
    this.#findRuns();
    codeLengths(this.#counts, this.#symbolLengths, MOST_BITS);
    makeCodes(this.#symbolLengths, this.#codes);

    this.#symbolsUsed = SYMBOLS;
    while (
      this.#symbolsUsed > LEAST_SYMBOLS &&
      this.#symbolLengths[CODE_LENGTH_ORDER[this.#symbolsUsed - 1]] === 0
    ) {
      this.#symbolsUsed--;
    }
    let bits = 5 + 5 + 4 + 3 * this.#symbolsUsed;
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      const runBits = symbol < REPEAT_LAST ? 0 : RUN_BITS[symbol - REPEAT_LAST];
      bits += this.#counts[symbol] * (this.#symbolLengths[symbol] + runBits);
    }
    return bits;
  }

  write(put: (value: number, bits: number) => void): void {
    put(this.#literals - LEAST_LITERALS, 5);
    put(this.#distances - LEAST_DISTANCES, 5);
    put(this.#symbolsUsed - LEAST_SYMBOLS, 4);
    for (let k = 0; k < this.#symbolsUsed; k++) put(this.#symbolLengths[CODE_LENGTH_ORDER[k]], 3);
    for (let k = 0; k < this.#size; k++) {
      const symbol = this.#symbols[k];
      put(this.#codes[symbol], this.#symbolLengths[symbol]);
      if (symbol >= REPEAT_LAST) put(this.#runs[k], RUN_BITS[symbol - REPEAT_LAST]);
    }
  }

  #findRuns(): void {
    const lengths = this.#lengths;
    const total = this.#literals + this.#distances;
    this.#counts.fill(0);
    this.#size = 0;
    for (let at = 0; at < total; ) {
      const length = lengths[at];
      let end = at + 1;
      while (end < total && lengths[end] === length) end++;
      if (length > 0) {
        this.#add(length, 0);
        at = this.#addRuns(REPEAT_LAST, at + 1, end, 3, 6);
      } else {
        at = this.#addRuns(REPEAT_MANY_ZEROS, at, end, 11, 138);
        at = this.#addRuns(REPEAT_ZERO, at, end, 3, 10);
      }
      for (; at < end; at++) this.#add(length, 0);
    }
  }

  /** Adds runs while one of at least `least` is left, and gives where the rest begins. */
  #addRuns(symbol: number, start: number, end: number, least: number, most: number): number {
    let at = start;
    while (end - at >= least) {
      const run = Math.min(end - at, most);
      this.#add(symbol, run - least);
      at += run;
    }
    return at;
  }

  #add(symbol: number, beyond: number): void {
    this.#counts[symbol]++;
    this.#symbols[this.#size] = symbol;
    this.#runs[this.#size++] = beyond;
  }
}

function countUsed(lengths: Uint8Array, least: number): number {
  let used = lengths.length;
  while (used > least && lengths[used - 1] === 0) used--;
  return used;
}
