/**
 * Huffman codes of limited length, as deflate wants them (RFC 1951, section 3.2.2).
 *
 * Lengths are found in the place of the sorted counts (Moffat and Katajainen, In-place calculation of
 * minimum-redundancy codes, 1995). Where some are too long others give up their place, as zlib does it: nearly as
 * short, and rare. Cost: a sort of the symbols that occur.
 */

/** Bits a code may have. */
export const MOST_CODE_BITS = 15;
/** A sort key is a count and, in its low bits, the symbol. */
const SYMBOL_BITS = 9;
const MOST_SYMBOLS = 1 << SYMBOL_BITS;

const keys = new Uint32Array(MOST_SYMBOLS);
const work = new Uint32Array(MOST_SYMBOLS);

/**
 * Sets `lengths` to the bits of each symbol's code, 0 for symbols that do not occur. There are two codes at least, since
 * not all readers take fewer: where less than two symbols occur, the first ones get a code too. The sum of all counts
 * is below 2^23.
 */
export function codeLengths(counts: Uint32Array, lengths: Uint8Array, mostBits: number): void {
  lengths.fill(0);
  let symbols = 0;
  for (let symbol = 0; symbol < counts.length; symbol++) {
    if (counts[symbol] > 0) keys[symbols++] = (counts[symbol] << SYMBOL_BITS) | symbol;
  }
  if (symbols < 2) {
    const only = symbols === 0 ? 0 : keys[0] & (MOST_SYMBOLS - 1);
    lengths[only] = 1;
    lengths[only === 0 ? 1 : 0] = 1;
    return;
  }
  const sorted = keys.subarray(0, symbols).sort();
  for (let k = 0; k < symbols; k++) work[k] = sorted[k] >>> SYMBOL_BITS;
  makeDepths(symbols);

  // how many codes have each length; those too long count as the longest
  const ofLength = new Uint32Array(mostBits + 1);
  for (let k = 0; k < symbols; k++) ofLength[Math.min(work[k], mostBits)]++;
  makeFit(ofLength, mostBits);

  // the rarest symbols have the longest codes
  for (let bits = mostBits, k = 0; bits > 0; bits--) {
    for (let left = ofLength[bits]; left > 0; left--) lengths[sorted[k++] & (MOST_SYMBOLS - 1)] = bits;
  }
}

/** Turns the counts in `work`, rising, into depths in a Huffman tree, falling. */
function makeDepths(symbols: number): void {
  // sums of two, then for each inner node its parent
  work[0] += work[1];
  let leaf = 2;
  let root = 0;
  for (let next = 1; next < symbols - 1; next++) {
    let sum: number;
    if (leaf >= symbols || work[root] < work[leaf]) {
      sum = work[root];
      work[root++] = next;
    } else {
      sum = work[leaf++];
    }
    if (leaf >= symbols || (root < next && work[root] < work[leaf])) {
      sum += work[root];
      work[root++] = next;
    } else {
      sum += work[leaf++];
    }
    work[next] = sum;
  }

  // depths of inner nodes
  work[symbols - 2] = 0;
  for (let next = symbols - 3; next >= 0; next--) work[next] = work[work[next]] + 1;

  // depths of leaves: places at a depth that no inner node takes
  let places = 1;
  let inner = symbols - 2;
  for (let next = symbols - 1, depth = 0; places > 0; depth++) {
    let taken = 0;
    while (inner >= 0 && work[inner] === depth) {
      taken++;
      inner--;
    }
    for (; places > taken; places--) work[next--] = depth;
    places = 2 * taken;
  }
}

/** Makes codes longer until there is a code for each. */
function makeFit(ofLength: Uint32Array, mostBits: number): void {
  let used = 0;
  for (let bits = 1; bits <= mostBits; bits++) used += ofLength[bits] << (mostBits - bits);
  const room = 1 << mostBits;
  while (used > room) {
    // the longest code that can grow does so, and gives half of its place to one of the longest
    let bits = mostBits - 1;
    while (ofLength[bits] === 0) bits--;
    ofLength[bits]--;
    ofLength[bits + 1] += 2;
    ofLength[mostBits]--;
    used--;
  }
}

/** Sets `codes` to the codes of these lengths, first bit lowest, as deflate writes them. */
export function makeCodes(lengths: Uint8Array, codes: Uint16Array): void {
  const next = new Uint32Array(MOST_CODE_BITS + 2);
  for (const bits of lengths) next[bits + 1]++;
  next[1] = 0;
  for (let bits = 2; bits < next.length; bits++) next[bits] = (next[bits] + next[bits - 1]) << 1;
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const bits = lengths[symbol];
    if (bits > 0) codes[symbol] = reverse(next[bits]++, bits);
  }
}

function reverse(code: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((code >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}
