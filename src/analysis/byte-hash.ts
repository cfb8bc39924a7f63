/**
 * 64-bit hashes of byte strings, sequences and URLs, in two 32-bit lanes, and their form as template ids.
 * They distinguish texts and are not cryptographic. About 1 ns per byte.
 */

/**
 * A hash in two lanes of 32 bits. Functions write it to an object of the caller, since returning two numbers
 * would allocate.
 */
export interface Lanes {
  low: number;
  high: number;
}

/** Hashes text[start, end) into `out`. */
export function hashBytes(text: Uint8Array, start: number, end: number, out: Lanes): Lanes {
  let a = 0x3c6ef372;
  let b = 0x1f83d9ab;
  for (let i = start; i < end; i++) {
    const byte = text[i];
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b + byte, 0x5bd1e995);
    b ^= b >>> 13;
  }
  return finish(a ^ (end - start), b, out);
}

/**
 * Hashes bytes [start, end) four at a time, at a fifth of the cost of `hashBytes` and with other values. For
 * lookups within a run; never written to files.
 */
export function hashQuickly(view: DataView, start: number, end: number, out: Lanes): Lanes {
  let a = 0x3c6ef372;
  let b = 0x1f83d9ab;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const four = view.getInt32(at, true);
    a = Math.imul(((a << 13) | (a >>> 19)) ^ four, 0x9e3779b1);
    b = Math.imul(((b << 17) | (b >>> 15)) + four, 0x85ebca6b);
  }
  let rest = 0;
  for (; at < end; at++) rest = (rest << 8) | view.getUint8(at);
  a = Math.imul(((a << 13) | (a >>> 19)) ^ rest, 0x9e3779b1);
  b = Math.imul(((b << 17) | (b >>> 15)) + rest, 0x85ebca6b);
  return finish(a ^ (end - start), b, out);
}

/** Hashes a sequence of hashes, each given by its index. */
export function foldHashes(
  { low, high }: { low: Int32Array; high: Int32Array },
  numbers: Int32Array,
  count: number,
  out: Lanes,
): Lanes {
  let foldedLow = 0x6a09e667;
  let foldedHigh = 0x510e527f;
  for (let k = 0; k < count; k++) {
    const ownLow = low[numbers[k]];
    const ownHigh = high[numbers[k]];
    const a = Math.imul(foldedLow ^ ownLow, 0x85ebca6b);
    const b = Math.imul(foldedHigh ^ ownHigh, 0xc2b2ae35);
    const mixedB = ((b << 15) | (b >>> 17)) + ownLow;
    foldedLow = mix32(((a << 13) | (a >>> 19)) + ownHigh + Math.imul(mixedB, 0x9e3779b1));
    foldedHigh = mix32(mixedB ^ Math.imul(foldedLow, 0x2c1b3c6d));
  }
  out.low = foldedLow;
  out.high = foldedHigh;
  return out;
}

/** Mixes 32 bits so that every bit of the result depends on every bit of the value (full avalanche). */
export function mix32(value: number): number {
  let x = value ^ (value >>> 16);
  x = Math.imul(x, 0x7feb352d);
  x ^= x >>> 15;
  x = Math.imul(x, 0x846ca68b);
  return x ^ (x >>> 16);
}

/**
 * Returns a hash as 16 hexadecimal digits, high lane first. Made in one call, because ids are made by the
 * million.
 */
// biome-ignore format: a row per lane
export function hashId(low: number, high: number): string {
  return String.fromCharCode(
    digit(high >>> 28), digit(high >>> 24), digit(high >>> 20), digit(high >>> 16),
    digit(high >>> 12), digit(high >>> 8), digit(high >>> 4), digit(high),
    digit(low >>> 28), digit(low >>> 24), digit(low >>> 20), digit(low >>> 16),
    digit(low >>> 12), digit(low >>> 8), digit(low >>> 4), digit(low),
  );
}

/** Returns the last four bits as a hexadecimal digit in ASCII. */
function digit(bits: number): number {
  const value = bits & 15;
  return value < 10 ? value + 0x30 : value + 0x57;
}

/** Reads a template id back into its lanes; throws a RangeError for any other text. */
export function parseHashId(id: string): Lanes {
  if (!/^[0-9a-f]{16}$/.test(id)) throw new RangeError(`a template id is 16 hexadecimal digits, not "${id}"`);
  return { low: Number.parseInt(id.slice(8), 16) | 0, high: Number.parseInt(id.slice(0, 8), 16) | 0 };
}

function finish(a: number, b: number, out: Lanes): Lanes {
  const low = mix32(a + Math.imul(b, 0x9e3779b1));
  out.low = low;
  out.high = mix32(b ^ Math.imul(low, 0x2c1b3c6d));
  return out;
}

/**
 * Returns the inverse of an odd number modulo 2^32, by Newton's iteration: each step doubles the number of
 * correct bits.
 */
export function inverseOf(odd: number): number {
  let inverse = odd;
  for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

/** Returns base^exponent modulo 2^32. */
export function power(base: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent; i++) result = Math.imul(result, base);
  return result;
}

/**
 * Returns the hash that draws samples, as an unsigned 64-bit bigint for sorting and for databases: the sample
 * of a site is the pages whose URLs have the lowest hashes. The same URL and seed give the same hash
 * everywhere, so the sample depends on neither order nor machine.
 */
export function urlHash(url: string, seed = 0): bigint {
  const { low, high } = urlHashLanes(url, seed);
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** Returns the same 64 bits as `urlHash` in two lanes. */
export function urlHashLanes(url: string, seed = 0): Lanes {
  let a = mix32(seed ^ 0x243f6a88);
  let b = mix32(Math.imul(seed, 0x9e3779b1) ^ 0x13198a2e);
  for (let i = 0; i < url.length; i++) {
    const unit = url.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    a ^= a >>> 15;
    b = Math.imul(b + unit, 0x5bd1e995);
    b ^= b >>> 13;
  }
  const low = mix32(a ^ b);
  return { low, high: mix32(b + Math.imul(low, 0x9e3779b1)) };
}
