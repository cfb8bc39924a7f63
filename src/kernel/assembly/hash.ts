/** Hashes of bytes and of nodes: 64 bits in two lanes of 32. */
import { RESULTS_AT } from '../layout.ts';

/**
 * Hashes the bytes between two addresses, four at a time, and returns both lanes in the first two result
 * words. Up to three bytes after the last one are read and masked out.
 */
export function hashBytes(start: u32, end: u32): void {
  let low: u32 = 0x2545f491;
  let high: u32 = 0x51ed270b;
  const sizeBytes = end - start;
  for (; end >= start + 4; start += 4) {
    const four = load<u32>(start);
    low = rotl<u32>((low ^ four) * 0x85ebca6b, 13);
    high = rotl<u32>((high + four) * 0xc2b2ae35, 17);
  }
  const rest = load<u32>(start) & ((1 << ((end - start) << 3)) - 1);
  low = rotl<u32>((low ^ rest) * 0x85ebca6b, 13);
  high = rotl<u32>((high + rest) * 0xc2b2ae35, 17);
  store<u32>(RESULTS_AT, low);
  store<u32>(RESULTS_AT, high ^ sizeBytes, 4);
}

/** Mixes 32 bits so that every bit of the result depends on every bit of the value (full avalanche). */
export function mix32(value: u32): u32 {
  let x = value ^ (value >> 16);
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ (x >> 16);
}

/**
 * Returns the low lane after folding another hash into the hash of a sequence of hashes
 * (analysis/byte-hash.ts).
 */
export function foldLow(low: u32, high: u32, nextLow: u32, nextHigh: u32): u32 {
  const a = rotl<u32>((low ^ nextLow) * 0x85ebca6b, 13) + nextHigh;
  const b = rotl<u32>((high ^ nextHigh) * 0xc2b2ae35, 15) + nextLow;
  return mix32(a + b * 0x9e3779b1);
}

/** Returns the high lane, given the low lane after folding. */
export function foldHigh(folded: u32, high: u32, nextLow: u32, nextHigh: u32): u32 {
  const b = rotl<u32>((high ^ nextHigh) * 0xc2b2ae35, 15) + nextLow;
  return mix32(b ^ (folded * 0x2c1b3c6d));
}

/**
 * Hashes text byte by byte, in the way of template ids (analysis/byte-hash.ts); results 0 and 1 are the
 * lanes.
 */
export function hashText(start: u32, end: u32): void {
  let a: u32 = 0x3c6ef372;
  let b: u32 = 0x1f83d9ab;
  for (let at = start; at < end; at++) {
    const byte: u32 = load<u8>(at);
    a = (a ^ byte) * 0x01000193;
    b = (b + byte) * 0x5bd1e995;
    b ^= b >> 13;
  }
  const low = mix32((a ^ (end - start)) + b * 0x9e3779b1);
  store<u32>(RESULTS_AT, low);
  store<u32>(RESULTS_AT, mix32(b ^ (low * 0x2c1b3c6d)), 4);
}
