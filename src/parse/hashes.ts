/**
 * Hashes of nodes in two 32-bit lanes. The lanes use different constants and different steps, so that
 * together they are as good as 64 bits, without BigInt, strings or allocation. The kernel computes the same
 * hashes (assembly/node-hashes.ts).
 */

/** Initial value of the running hash of a name (FNV-1a). */
export const NAME_BASIS = 0x811c9dc5 | 0;
/** Factor of the running hash of a name (FNV-1a). */
export const NAME_PRIME = 0x01000193;

/** Low lane of an element's hash before its first child. */
export const EMPTY_LOW = 0x3c6ef372;
/** High lane of an element's hash before its first child. */
export const EMPTY_HIGH = 0x1b873593;

/**
 * Returns the running hash of a lower-case tag name. The scanner computes the same hash while it looks for
 * the end of the name.
 */
export function hashName(name: string): number {
  let hash = NAME_BASIS;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), NAME_PRIME);
  return hash;
}

/** Returns the low lane of a name, made from its running hash. */
export function nameLow(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

/** Returns the high lane of a name, made from its running hash and its length in bytes. */
export function nameHigh(hash: number, sizeBytes: number): number {
  const mixed = Math.imul((hash + sizeBytes) ^ (hash >>> 14), 0x297a2d39);
  return mixed ^ (mixed >>> 15);
}

/**
 * Returns the low lane of a mixed pair of lanes. `mixLow`, then `mixHigh` of its result, map pairs of lanes
 * one to one, so that every bit of the result depends on every bit of the argument.
 */
export function mixLow(low: number, high: number): number {
  let x = (low + Math.imul(high, 0x9e3779b1)) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

/** Returns the high lane of a mixed pair of lanes, from the result of `mixLow` and the old high lane. */
export function mixHigh(mixedLow: number, high: number): number {
  let x = high ^ Math.imul(mixedLow, 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return x ^ (x >>> 15);
}

/**
 * Returns the low lane of a parent's hash with another child added. `foldLow` and `foldHigh` both take the
 * old lanes.
 */
export function foldLow(low: number, childLow: number, childHigh: number): number {
  const x = Math.imul(low ^ childLow, 0x85ebca6b);
  return (((x << 13) | (x >>> 19)) + childHigh) | 0;
}

/** Returns the high lane of a parent's hash with another child added. */
export function foldHigh(high: number, childLow: number, childHigh: number): number {
  const x = Math.imul((high + childHigh) | 0, 0xc2b2ae35);
  return ((x << 15) | (x >>> 17)) ^ childLow;
}
