/**
 * Inflates a raw deflate stream from a byte source, piece by piece and synchronously, in constant memory.
 * node:zlib inflates synchronously only as a whole: it gives neither the part before a fault nor the end of
 * a stream that is too large to keep. This one does, at a third of the speed, and is used for just that:
 * damaged, cut-off and oversized gzip members, and what must be spooled. RFC 1951.
 */

import {
  CODE_LENGTH_ORDER,
  DISTANCE_BASE,
  DISTANCE_EXTRA,
  FIXED_LENGTHS,
  LENGTH_BASE,
  LENGTH_EXTRA,
} from '../model/deflate-values.ts';
import type { ByteSource } from './byte-source.ts';

export interface InflateEnd {
  /** `done`: the stream ended; `cut`: the source ended first; `bad`: not deflate; `stopped`: by the sink. */
  status: 'done' | 'cut' | 'bad' | 'stopped';
  /** Compressed bytes read, up to the end of the stream or the fault. */
  consumedBytes: number;
  producedBytes: number;
}

const HISTORY_BYTES = 32 * 1024;
const PIECE_BYTES = 128 * 1024;
const INPUT_BYTES = 64 * 1024;
const MAX_BITS = 15;

/** Thrown inside to leave all loops at once; never leaves this file. */
class Stop extends Error {
  readonly status: InflateEnd['status'];
  constructor(status: InflateEnd['status']) {
    super(status);
    this.status = status;
  }
}

/** Hands pieces of the output to `sink` (valid during the call) until it returns false or the stream ends. */
export function inflateFrom(
  source: ByteSource,
  offset: number,
  sink: (piece: Uint8Array, consumedBytes: number) => boolean,
): InflateEnd {
  const inflater = new Inflater(source, offset, sink);
  const status = inflater.run();
  return { status, consumedBytes: inflater.consumedBytes, producedBytes: inflater.producedBytes };
}

class Inflater {
  producedBytes = 0;
  readonly #source: ByteSource;
  readonly #sink: (piece: Uint8Array, consumedBytes: number) => boolean;
  readonly #start: number;
  #input: Uint8Array = new Uint8Array(0);
  #inputAt = 0;
  #inputOffset: number; // of #input[0] in the source
  #bits = 0;
  #bitCount = 0;
  // history, then the piece that is being written
  readonly #out = new Uint8Array(HISTORY_BYTES + PIECE_BYTES);
  #outAt = HISTORY_BYTES;
  readonly #literals = new Uint16Array(1 << MAX_BITS);
  readonly #distances = new Uint16Array(1 << MAX_BITS);

  constructor(
    source: ByteSource,
    offset: number,
    sink: (piece: Uint8Array, consumedBytes: number) => boolean,
  ) {
    this.#source = source;
    this.#start = offset;
    this.#inputOffset = offset;
    this.#sink = sink;
  }

  get consumedBytes(): number {
    return this.#inputOffset + this.#inputAt - this.#start - (this.#bitCount >> 3);
  }

  run(): InflateEnd['status'] {
    let status: InflateEnd['status'] = 'done';
    try {
      for (let last = false; !last; ) {
        last = this.#take(1) === 1;
        const type = this.#take(2);
        if (type === 0) this.#copyStored();
        else if (type === 1) this.#inflateFixed();
        else if (type === 2) this.#inflateDynamic();
        else throw new Stop('bad');
      }
    } catch (stop) {
      if (!(stop instanceof Stop)) throw stop;
      status = stop.status;
    }
    if (status !== 'stopped' && this.#outAt > HISTORY_BYTES && !this.#emit()) return 'stopped';
    return status;
  }

  /** The next byte of input, or -1 past its end. */
  #nextByte(): number {
    if (this.#inputAt === this.#input.length) {
      this.#inputOffset += this.#inputAt;
      // copied: the sink may read from the same source
      this.#input = this.#source.view(this.#inputOffset, INPUT_BYTES).slice(0, INPUT_BYTES);
      this.#inputAt = 0;
      if (this.#input.length === 0) return -1;
    }
    return this.#input[this.#inputAt++];
  }

  #take(count: number): number {
    while (this.#bitCount < count) {
      const byte = this.#nextByte();
      if (byte < 0) throw new Stop('cut');
      this.#bits |= byte << this.#bitCount;
      this.#bitCount += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#bitCount -= count;
    return value;
  }

  #emit(): boolean {
    const piece = this.#out.subarray(HISTORY_BYTES, this.#outAt);
    this.producedBytes += piece.length;
    const goOn = this.#sink(piece, this.consumedBytes);
    this.#out.copyWithin(0, this.#outAt - HISTORY_BYTES, this.#outAt);
    this.#outAt = HISTORY_BYTES;
    return goOn;
  }

  #copyStored(): void {
    // to the byte boundary; whole bytes already in the bit buffer come first
    this.#take(this.#bitCount & 7);
    const size = this.#take(8) | (this.#take(8) << 8);
    const check = this.#take(8) | (this.#take(8) << 8);
    if ((size ^ check) !== 0xffff) throw new Stop('bad');
    for (let left = size; left > 0; left--) {
      if (this.#outAt === this.#out.length && !this.#emit()) throw new Stop('stopped');
      this.#out[this.#outAt++] = this.#bitCount > 0 ? this.#take(8) : this.#byteOrCut();
    }
  }

  #byteOrCut(): number {
    const byte = this.#nextByte();
    if (byte < 0) throw new Stop('cut');
    return byte;
  }

  #inflateFixed(): void {
    const literalBits = buildTable(FIXED_LENGTHS.subarray(0, 288), this.#literals);
    const distanceBits = buildTable(FIXED_LENGTHS.subarray(288), this.#distances);
    this.#inflateBlock(literalBits, distanceBits);
  }

  #inflateDynamic(): void {
    const literalCount = this.#take(5) + 257;
    const distanceCount = this.#take(5) + 1;
    const codeCount = this.#take(4) + 4;
    if (literalCount > 286 || distanceCount > 30) throw new Stop('bad');
    const codeLengths = new Uint8Array(19);
    for (let i = 0; i < codeCount; i++) codeLengths[CODE_LENGTH_ORDER[i]] = this.#take(3);
    const codeBits = buildTable(codeLengths, this.#literals, { mayBeIncomplete: false });
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let i = 0; i < lengths.length; ) {
      const symbol = this.#decode(this.#literals, codeBits);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) throw new Stop('bad');
      const value = symbol === 16 ? lengths[i - 1] : 0;
      const count =
        symbol === 16 ? 3 + this.#take(2) : symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7);
      if (i + count > lengths.length) throw new Stop('bad');
      lengths.fill(value, i, i + count);
      i += count;
    }
    if (lengths[256] === 0) throw new Stop('bad'); // no end of block
    const literalBits = buildTable(lengths.subarray(0, literalCount), this.#literals);
    const distanceBits = buildTable(lengths.subarray(literalCount), this.#distances);
    this.#inflateBlock(literalBits, distanceBits);
  }

  #decode(table: Uint16Array, tableBits: number): number {
    while (this.#bitCount < tableBits) {
      const byte = this.#nextByte();
      if (byte < 0) break; // the last code may be shorter than the table is wide
      this.#bits |= byte << this.#bitCount;
      this.#bitCount += 8;
    }
    const code = table[this.#bits & ((1 << tableBits) - 1)];
    const length = code & 15;
    if (length > this.#bitCount) throw new Stop('cut');
    if (length === 0) throw new Stop('bad');
    this.#bits >>>= length;
    this.#bitCount -= length;
    return code >> 4;
  }

  #inflateBlock(literalBits: number, distanceBits: number): void {
    const out = this.#out;
    const literals = this.#literals;
    for (;;) {
      // room for the longest match: no check while copying
      if (this.#outAt + 258 > out.length && !this.#emit()) throw new Stop('stopped');
      const symbol = this.#decode(literals, literalBits);
      if (symbol < 256) {
        out[this.#outAt++] = symbol;
        continue;
      }
      if (symbol === 256) return;
      if (symbol > 285) throw new Stop('bad');
      const length = LENGTH_BASE[symbol - 257] + this.#take(LENGTH_EXTRA[symbol - 257]);
      const distanceSymbol = this.#decode(this.#distances, distanceBits);
      if (distanceSymbol > 29) throw new Stop('bad');
      const distance = DISTANCE_BASE[distanceSymbol] + this.#take(DISTANCE_EXTRA[distanceSymbol]);
      let at = this.#outAt;
      if (distance > this.producedBytes + at - HISTORY_BYTES) throw new Stop('bad');
      const end = at + length;
      for (let from = at - distance; at < end; ) out[at++] = out[from++];
      this.#outAt = at;
    }
  }
}

/**
 * Fills a table that maps the next bits to `symbol << 4 | length`, 0 where no code begins so; returns how
 * many bits index it. Throws Stop where zlib refuses the lengths: they describe more codes than there are, or
 * fewer. A block may have a single literal or distance code of one bit, and no distance code at all.
 */
function buildTable(lengths: Uint8Array, table: Uint16Array, { mayBeIncomplete = true } = {}): number {
  const counts = new Uint16Array(MAX_BITS + 1);
  for (const length of lengths) counts[length]++;
  counts[0] = 0;
  let tableBits = MAX_BITS;
  while (tableBits > 1 && counts[tableBits] === 0) tableBits--;
  const next = new Uint16Array(MAX_BITS + 2);
  let code = 0;
  for (let bits = 1; bits <= MAX_BITS; bits++) {
    code = (code + counts[bits - 1]) << 1;
    next[bits] = code;
    if (code + counts[bits] > 1 << bits) throw new Stop('bad');
  }
  const isComplete = code + counts[MAX_BITS] === 1 << MAX_BITS;
  if (!isComplete && !(mayBeIncomplete && tableBits === 1)) throw new Stop('bad');
  const size = 1 << tableBits;
  table.fill(0, 0, size);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    // codes come with their first bit lowest
    let reversed = 0;
    for (let bit = 0, from = next[length]++; bit < length; bit++, from >>= 1)
      reversed = (reversed << 1) | (from & 1);
    for (let slot = reversed; slot < size; slot += 1 << length) table[slot] = (symbol << 4) | length;
  }
  return tableBits;
}
