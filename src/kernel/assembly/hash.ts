/** Hashes of bytes and of nodes: 64 bits in two lanes of 32. */
import { RESULTS_AT } from '../layout.ts';

/**
 * Hashes the bytes between two addresses, four at a time, and leaves both lanes in the first two result words. Up to
 * three bytes after the last one are read and masked out.
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
