/**
 * A set of hashes that may say yes for one that is not in it, never no for one that is: a bit for each value
 * of the leading bits of the low lane. Small enough for the cache, so that what is not in the set costs one
 * load. Loops that cannot afford a call read `words` and `shift` themselves.
 */

export class HashFilter {
  /** 32 bits a word. */
  readonly words: Uint32Array;
  /** What a low lane is shifted by, without sign, to become the number of its bit. */
  readonly shift: number;

  /** `bits`: 2 to the power of this many, 5 to 28. */
  constructor(bits: number) {
    this.words = new Uint32Array(2 ** (bits - 5));
    this.shift = 32 - bits;
  }

  add(low: number): void {
    this.addBit(low >>> this.shift);
  }

  addBit(bit: number): void {
    this.words[bit >>> 5] |= 1 << (bit & 31);
  }

  mayHold(low: number): boolean {
    const bit = low >>> this.shift;
    return ((this.words[bit >>> 5] >>> (bit & 31)) & 1) === 1;
  }
}

/** Lets everything through. */
export const ALL_HASHES = new HashFilter(5);
ALL_HASHES.words.fill(0xffffffff);
