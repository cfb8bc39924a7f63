/**
 * Hashes of nodes in two lanes of 32 bits. The lanes use different constants and different steps, so that
 * together they are as good as 64 bits. parse/hashes.ts has the same functions for the host.
 */

/** Low lane of an element's hash before its first child. */
export const EMPTY_LOW: u32 = 0x3c6ef372;
/** High lane of an element's hash before its first child. */
export const EMPTY_HIGH: u32 = 0x1b873593;

/** Low lane of every text in a shape hash, which ignores words. */
export const TEXT_SHAPE_LOW: u32 = 0x27d4eb2f;
/** High lane of every text in a shape hash. */
export const TEXT_SHAPE_HIGH: u32 = 0x165667b1;

/** Initial value of the running hash of a name (FNV-1a). */
export const NAME_BASIS: u32 = 0x811c9dc5;
/** Factor of the running hash of a name (FNV-1a). */
export const NAME_PRIME: u32 = 0x01000193;

/** Returns the low lane of a name, made from its running hash. */
export function nameLow(hash: u32): u32 {
  const mixed = (hash ^ (hash >> 15)) * 0x2c1b3c6d;
  return mixed ^ (mixed >> 13);
}

/** Returns the high lane of a name, made from its running hash and its length in bytes. */
export function nameHigh(hash: u32, sizeBytes: u32): u32 {
  const mixed = ((hash + sizeBytes) ^ (hash >> 14)) * 0x297a2d39;
  return mixed ^ (mixed >> 15);
}

/**
 * Returns the low lane of a mixed pair of lanes. `mixLow`, then `mixHigh` of its result, map pairs of lanes
 * one to one.
 */
export function mixLow(low: u32, high: u32): u32 {
  let x = low + high * 0x9e3779b1;
  x = (x ^ (x >> 16)) * 0x85ebca6b;
  x = (x ^ (x >> 13)) * 0xc2b2ae35;
  return x ^ (x >> 16);
}

/** Returns the high lane of a mixed pair of lanes, from the result of `mixLow` and the old high lane. */
export function mixHigh(mixedLow: u32, high: u32): u32 {
  let x = high ^ (mixedLow * 0x7feb352d);
  x = (x ^ (x >> 15)) * 0x2c1b3c6d;
  x = (x ^ (x >> 12)) * 0x297a2d39;
  return x ^ (x >> 15);
}

/** Adds the lanes of a child to those at an address. */
export function fold(lanes: u32, low: u32, high: u32): void {
  const oldHigh = load<u32>(lanes, 4);
  store<u32>(lanes, rotl<u32>((load<u32>(lanes) ^ low) * 0x85ebca6b, 13) + high);
  store<u32>(lanes, rotl<u32>((oldHigh + high) * 0xc2b2ae35, 15) ^ low, 4);
}

/** An odd factor that spreads the bits of sixteen bytes, taken as two integers, over the low lane. */
export const LOW_FACTOR: u64 = ((<u64>0x9e3779b9) << 32) | 0x7f4a7c15;
/** The same for the high lane. */
export const HIGH_FACTOR: u64 = ((<u64>0xc2b2ae3d) << 32) | 0x27d4eb4f;
