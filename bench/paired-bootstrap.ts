/**
 * How sure a difference is: the mean over pages of what one extractor scores more than another on the same page, with
 * the interval that holds 95 % of such means when hosts are drawn anew, as many as there are, each with all its
 * pages. Pages of one host succeed and fail together, so that drawing pages would promise too much.
 */
import { mix32 } from '../src/analysis/byte-hash.ts';

export interface PairedDifference {
  host: string;
  difference: number;
}

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

export function pairedBootstrap(
  pages: readonly PairedDifference[],
  { rounds = 4000, share = 0.95, seed = 1 } = {},
): Interval {
  const hosts = new Map<string, { pages: number; sum: number }>();
  for (const { host, difference } of pages) {
    const known = hosts.get(host) ?? { pages: 0, sum: 0 };
    hosts.set(host, { pages: known.pages + 1, sum: known.sum + difference });
  }
  const all = [...hosts.values()];
  const means = new Float64Array(rounds);
  let draw = 0;
  for (let round = 0; round < rounds; round++) {
    let sum = 0;
    let count = 0;
    for (let k = 0; k < all.length; k++) {
      const host = all[Math.floor((random(seed, draw++) / 2 ** 32) * all.length)];
      sum += host.sum;
      count += host.pages;
    }
    means[round] = sum / count;
  }
  means.sort();
  const cut = Math.floor(((1 - share) / 2) * rounds);
  const total = pages.reduce((sum, { difference }) => sum + difference, 0);
  return { mean: total / pages.length, low: means[cut], high: means[rounds - 1 - cut] };
}

/** The same for the same seed on every machine. */
function random(seed: number, draw: number): number {
  return mix32(Math.imul(draw + 1, 0x9e3779b1) ^ mix32(seed)) >>> 0;
}
