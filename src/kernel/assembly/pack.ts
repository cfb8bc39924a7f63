/**
 * Parquet's encodings for integers: the hybrid of runs and bit-packed groups (RLE), DELTA_BINARY_PACKED, and
 * bounds. Numbers are `u32`s at an address; functions that write return the address after the last byte. The
 * numbers are followed by room for one group of zeros, which completes the last group.
 */
import { PACK_BLOCK, PACK_GROUP, PACK_QUARTERS, RESULTS_AT } from '../layout.ts';

const GROUP_BYTES: u32 = 4 * PACK_GROUP;
const QUARTER = PACK_BLOCK / PACK_QUARTERS;
/** Differences of a quarter of a block minus the least difference of the block. */
const EXCESS: u32 = <u32>memory.data(4 * QUARTER, 16);
const EXCESS_END: u32 = EXCESS + 4 * QUARTER;

/** Writes a LEB128 varint. */
function writeVarint(value: u32, out: u32): u32 {
  while (value >= 0x80) {
    store<u8>(out++, value | 0x80);
    value >>= 7;
  }
  store<u8>(out, value);
  return out + 1;
}

/** Packs the numbers of [from, to), a multiple of eight, into `width` bits each, lowest bits first. */
export function packGroups(from: u32, to: u32, width: u32, out: u32): u32 {
  if (width === 0) return out;
  let bits: u64 = 0;
  let count: u32 = 0;
  for (; from !== to; from += 4) {
    bits |= u64(load<u32>(from)) << count;
    count += width;
    store<u64>(out, bits); // at most 39 bits are pending; whole bytes are complete
    out += count >> 3;
    bits >>= count & 0x38;
    count &= 7;
  }
  return out;
}

/** Returns the end of the run of equal numbers that begins at `from`, at most `to`. */
function runEnd(from: u32, to: u32): u32 {
  const value = load<u32>(from);
  let end = from + 4;
  for (; end < to; end += 4) if (load<u32>(end) !== value) break;
  return end;
}

/** Writes `count` numbers below 2^width as runs of equal ones and packed groups of others. */
export function packRuns(numbers: u32, count: u32, width: u32, out: u32): u32 {
  const numbersEnd = numbers + 4 * count;
  for (let at = numbers; at < numbersEnd; ) {
    let end = runEnd(at, numbersEnd);
    if (end - at >= GROUP_BYTES) {
      out = writeVarint((end - at) >> 1, out); // bytes / 4 = numbers, shifted left by one
      store<u32>(out, load<u32>(at));
      out += (width + 7) >> 3;
      at = end;
      continue;
    }
    // groups of eight, up to one that begins a run
    end = at + GROUP_BYTES;
    for (; end < numbersEnd; end += GROUP_BYTES) {
      if (runEnd(end, min(end + GROUP_BYTES, numbersEnd)) - end === GROUP_BYTES) break;
    }
    out = writeVarint((((end - at) / GROUP_BYTES) << 1) | 1, out);
    out = packGroups(at, end, width, out);
    at = end;
  }
  return out;
}

function difference(at: u32): i32 {
  return load<i32>(at) - load<i32>(at - 4);
}

/** Writes the blocks of DELTA_BINARY_PACKED for `count` numbers; the first of them is in the header. */
export function packDeltas(numbers: u32, count: u32, out: u32): u32 {
  const numbersEnd = numbers + 4 * count;
  for (let at = numbers + 4; at < numbersEnd; ) {
    const end = min(at + 4 * PACK_BLOCK, numbersEnd);
    let least = i32.MAX_VALUE;
    for (let from = at; from !== end; from += 4) least = min(least, difference(from));

    let widths = writeVarint((least << 1) ^ (least >> 31), out); // zigzag
    store<u32>(widths, 0); // a width per quarter; 0 for quarters after the end
    out = widths + PACK_QUARTERS;
    for (let from = at; from !== end; ) {
      const to = min(from + 4 * QUARTER, end);
      let all: u32 = 0;
      let slot = EXCESS;
      for (; from !== to; from += 4, slot += 4) {
        const excess: u32 = difference(from) - least;
        store<u32>(slot, excess);
        all |= excess;
      }
      for (; slot !== EXCESS_END; slot += 4) store<u32>(slot, 0);
      const width: u32 = 32 - clz(all);
      store<u8>(widths++, width);
      out = packGroups(EXCESS, EXCESS_END, width, out);
    }
    at = end;
  }
  return out;
}

/** Returns the smallest and the largest of `count` numbers in the first two result words. */
export function findBounds(numbers: u32, count: u32): void {
  let least: u32 = u32.MAX_VALUE;
  let largest: u32 = 0;
  const end = numbers + 4 * count;
  for (let at = numbers; at !== end; at += 4) {
    const number = load<u32>(at);
    least = min(least, number);
    largest = max(largest, number);
  }
  store<u32>(RESULTS_AT, least);
  store<u32>(RESULTS_AT, largest, 4);
}
