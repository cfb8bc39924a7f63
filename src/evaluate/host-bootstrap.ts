/**
 * Computes the confidence interval of a mean over pages: it holds 95 % of the means when hosts are drawn with
 * replacement, each with all its pages. Pages of one host succeed and fail together, so drawing pages would give
 * too narrow an interval. Differences are paired: both contenders are scored on the same pages, and the difference
 * on each page is drawn. Seeded: the same pages give the same interval everywhere.
 */
import { mix32 } from '../analysis/byte-hash.ts';

/** Value of one page, and the host of the page. */
export interface HostValue {
  host: string;
  value: number;
}

/** Mean with the bounds of its interval, and the number of hosts. */
export interface Interval {
  mean: number;
  low: number;
  high: number;
  hosts: number;
}

/**
 * Returns the interval with this share of the means of `rounds` draws; undefined without values. With one host, the
 * bounds equal the mean.
 */
export function hostInterval(
  values: readonly HostValue[],
  { rounds = 2000, share = 0.95, seed = 1 } = {},
): Interval | undefined {
  if (values.length === 0) return undefined;
  const byHost = new Map<string, { pages: number; sum: number }>();
  let total = 0;
  for (const { host, value } of values) {
    total += value;
    const known = byHost.get(host);
    if (known) {
      known.pages++;
      known.sum += value;
    } else byHost.set(host, { pages: 1, sum: value });
  }
  const hosts = [...byHost.values()];
  const pages = Float64Array.from(hosts, (host) => host.pages);
  const sums = Float64Array.from(hosts, (host) => host.sum);
  const means = new Float64Array(rounds);
  const start = mix32(seed);
  for (let round = 0, draw = 0; round < rounds; round++) {
    let sum = 0;
    let count = 0;
    for (let k = 0; k < hosts.length; k++) {
      const random = mix32(Math.imul(++draw, 0x9e3779b1) ^ start) >>> 0;
      const host = Math.floor((random / 2 ** 32) * hosts.length);
      sum += sums[host];
      count += pages[host];
    }
    means[round] = sum / count;
  }
  means.sort();
  const cut = Math.floor(((1 - share) / 2) * rounds);
  return { mean: total / values.length, low: means[cut], high: means[rounds - 1 - cut], hosts: hosts.length };
}
