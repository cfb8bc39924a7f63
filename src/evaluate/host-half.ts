/**
 * Two halves of the hosts of a corpus: settings are chosen on the even one, figures told of the odd one. A
 * host falls into its half by its name alone, so that all its pages go together, and the halves stay the
 * same whatever else is in the corpus.
 */
import { createHash } from 'node:crypto';

export type HostHalf = 'even' | 'odd';

/** The half of a site (a host as `siteOf` gives it): whether the first byte of its SHA-256 is even or odd. */
export function hostHalf(site: string): HostHalf {
  return createHash('sha256').update(site).digest()[0] % 2 === 0 ? 'even' : 'odd';
}
