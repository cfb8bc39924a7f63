/**
 * Finite state entropy as zstd writes it (RFC 8878, 4.1): the table of shares, and symbols by two states in
 * turn. Written for the few hundred symbols of a Huffman table: the encoder looks its next state up in the
 * decoder's table, which is right by construction.
 */

export interface FseTable {
  /** The shares add up to 2^accuracyLog. */
  accuracyLog: number;
  /** Of each symbol, none of them 0; -1 is "less than one". */
  shares: readonly number[];
}

/**
 * The shares in as few bits as what is left to share out needs (RFC 8878, 4.1.1). Values below `short` are one
 * bit shorter: together the shorter and longer ones are just as many as can occur.
 */
export function writeFseTable({ accuracyLog, shares }: FseTable): Uint8Array {
  const bits = new BitWriter();
  bits.write(accuracyLog - 5, 4);
  let left = 2 ** accuracyLog + 1;
  let threshold = 2 ** accuracyLog;
  let width = accuracyLog + 1;
  for (const share of shares) {
    const short = 2 * threshold - 1 - left;
    let value = share + 1;
    left -= Math.abs(share);
    if (value >= threshold) value += short;
    bits.write(value, value < short ? width - 1 : width);
    while (left < threshold) {
      width--;
      threshold /= 2;
    }
  }
  return bits.bytes();
}

/**
 * At least two symbols. A decoder reads from the end: both states, then the bits that lead each from symbol to
 * symbol. It stops where it would read past the start, which is after the last but one.
 */
export function writeFseSymbols(symbols: readonly number[], table: FseTable): Uint8Array {
  const decoder = buildDecoder(table);
  const fields: { value: number; count: number }[] = []; // in the order of writing: the last read first
  const states = [0, 0];
  for (let i = symbols.length - 1; i >= 0; i--) {
    const which = i & 1;
    const after = i >= symbols.length - 2 ? -1 : states[which];
    const state = decoder.findIndex(
      ({ symbol, bits, base }) =>
        symbol === symbols[i] && (after < 0 ? bits > 0 : after >= base && after < base + 2 ** bits),
    );
    if (after >= 0) fields.push({ value: after - decoder[state].base, count: decoder[state].bits });
    states[which] = state;
  }
  const bits = new BitWriter();
  for (const { value, count } of fields) bits.write(value, count);
  bits.write(states[1], table.accuracyLog);
  bits.write(states[0], table.accuracyLog);
  bits.write(1, 1); // marks the end, where reading starts
  return bits.bytes();
}

/** In this state the symbol is given; the next state is `base` and as many bits more. */
interface DecoderState {
  symbol: number;
  bits: number;
  base: number;
}

function buildDecoder({ accuracyLog, shares }: FseTable): DecoderState[] {
  const size = 2 ** accuracyLog;
  const symbolOf = new Int32Array(size).fill(-1);
  let end = size;
  shares.forEach((share, symbol) => {
    if (share === -1) symbolOf[--end] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  shares.forEach((share, symbol) => {
    for (let i = 0; i < share; i++) {
      symbolOf[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at >= end);
    }
  });
  const next = shares.map((share) => Math.abs(share));
  return Array.from(symbolOf, (symbol) => {
    const rank = next[symbol]++;
    const bits = accuracyLog - Math.floor(Math.log2(rank));
    return { symbol, bits, base: rank * 2 ** bits - size };
  });
}

/** The first bit written is the lowest of the first byte. */
class BitWriter {
  readonly #bits: number[] = [];

  write(value: number, count: number): void {
    for (let i = 0; i < count; i++) this.#bits.push((value >> i) & 1);
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#bits.length / 8));
    this.#bits.forEach((bit, i) => {
      bytes[i >> 3] |= bit << (i & 7);
    });
    return bytes;
  }
}
