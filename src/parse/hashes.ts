/**
 * Hashes in two 32-bit lanes. The lanes use different constants and different steps, so that together they
 * are as good as 64 bits; no BigInt, no string, no allocation. Bytes are hashed in WebAssembly (`hash` of scan-code.ts).
 */

export const NAME_BASIS = 0x811c9dc5 | 0;
export const NAME_PRIME = 0x01000193;

/** Lanes before the first child of an element. */
export const EMPTY_LOW = 0x3c6ef372;
export const EMPTY_HIGH = 0x1b873593;

/** What a text is in a shape hash. */
export const TEXT_SHAPE_LOW = 0x27d4eb2f;
export const TEXT_SHAPE_HIGH = 0x165667b1;

/** Hash of a tag name, lower case: the scanner computes the same while it looks for the name's end. */
export function hashName(name: string): number {
  let hash = NAME_BASIS;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), NAME_PRIME);
  return hash;
}

/** Lanes of a name from its running hash. */
export function nameLow(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

export function nameHigh(hash: number, sizeBytes: number): number {
  const mixed = Math.imul((hash + sizeBytes) ^ (hash >>> 14), 0x297a2d39);
  return mixed ^ (mixed >>> 15);
}

/**
 * `mixLow` then `mixHigh` of its result turn a pair of lanes into another one, every bit depending on every
 * bit, one to one: nothing is lost.
 */
export function mixLow(low: number, high: number): number {
  let x = (low + Math.imul(high, 0x9e3779b1)) | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}

export function mixHigh(mixedLow: number, high: number): number {
  let x = high ^ Math.imul(mixedLow, 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return x ^ (x >>> 15);
}

/** `foldLow` and `foldHigh`, both of the old lanes, add a child's hash to those of the children before it. */
export function foldLow(low: number, childLow: number, childHigh: number): number {
  const x = Math.imul(low ^ childLow, 0x85ebca6b);
  return (((x << 13) | (x >>> 19)) + childHigh) | 0;
}

export function foldHigh(high: number, childLow: number, childHigh: number): number {
  const x = Math.imul((high + childHigh) | 0, 0xc2b2ae35);
  return ((x << 15) | (x >>> 17)) ^ childLow;
}
