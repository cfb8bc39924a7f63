/**
 * The hash that draws samples: the pages of a site whose URLs hash lowest are its sample. The same URL
 * and seed give the same hash everywhere, so the sample depends on neither order nor machine.
 */
import { type Lanes, mix32 } from './byte-hash.ts';

/** 64 bits as an unsigned bigint, for sorting and for databases. */
export function urlHash(url: string, seed = 0): bigint {
  const { low, high } = urlHashLanes(url, seed);
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}

/** The same 64 bits in two lanes. */
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
