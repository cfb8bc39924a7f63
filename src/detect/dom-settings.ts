/** Settings of the dom detector. */
import { checkChoice, checkNames, checkNumber } from '../model/check-option.ts';

/** Options of the dom detector. */
export interface DomOptions {
  /** Lower threshold: share of the sampled pages that must have a node, 0 to 1. @default 0.1 */
  lowerShare?: number;
  /** Minimum of the lower threshold in pages, 2 to 1,000,000. @default 3 */
  minPages?: number;
  /**
   * Upper threshold: a trivially small node with more occurrences than this multiple of the sampled pages is
   * no template, from 0. @default 1
   */
  upperShare?: number;
  /**
   * `small-nodes`: the upper threshold applies to trivially small nodes only. `every-node`: the occurrences
   * of each node on the sampled pages must be between both thresholds, as in the paper; this requires
   * evidence `content`. @default 'small-nodes'
   */
  bounds?: DomBounds;
  /** A node without text and with at most this many bytes is trivially small, 0 to 10,000. @default 64 */
  trivialBytes?: number;
  /**
   * `content`: a node counts at every position, as in the paper. `place`: it must also be at one position on
   * enough pages; see dom-evidence.ts. @default 'place'
   */
  evidence?: Evidence;
  /**
   * Sibling templates are joined across changing content of at most this many bytes of source, 0 to 100,000.
   * @default 64
   */
  gapBytes?: number;
  /**
   * Sibling templates are joined across changing content of at most this many bytes of text, 0 to 100,000.
   * @default 16
   */
  gapTextBytes?: number;
  /** Number of pages to sample (P in the paper), 2 to 1,000,000. @default 200 */
  samplePages?: number;
}

/** All values of `DomBounds`. */
export const DOM_BOUNDS = ['small-nodes', 'every-node'] as const;
/** Nodes to which the upper threshold applies. */
type DomBounds = (typeof DOM_BOUNDS)[number];

/** Evidence by which nodes become template: their content alone, or also their position. */
export type Evidence = 'content' | 'place';

/** Default options. */
export const DOM_DEFAULTS: Readonly<Required<DomOptions>> = {
  lowerShare: 0.1,
  minPages: 3,
  upperShare: 1,
  bounds: 'small-nodes',
  trivialBytes: 64,
  evidence: 'place',
  gapBytes: 64,
  gapTextBytes: 16,
  samplePages: 200,
};

/** Returns the options with defaults filled in; throws a RangeError that names an invalid one. */
export function checkDomOptions(options: DomOptions): Required<DomOptions> {
  checkNames(options, Object.keys(DOM_DEFAULTS));
  const checked = { ...DOM_DEFAULTS, ...options };
  checkNumber('lowerShare', checked.lowerShare, { min: 0, max: 1 });
  checkNumber('minPages', checked.minPages, { min: 2, max: 1_000_000, whole: true });
  checkNumber('upperShare', checked.upperShare, { min: 0, max: 1_000_000 });
  checkNumber('trivialBytes', checked.trivialBytes, { min: 0, max: 10_000, whole: true });
  checkNumber('gapBytes', checked.gapBytes, { min: 0, max: 100_000, whole: true });
  checkNumber('gapTextBytes', checked.gapTextBytes, { min: 0, max: 100_000, whole: true });
  checkNumber('samplePages', checked.samplePages, { min: 2, max: 1_000_000, whole: true });
  checkChoice('evidence', checked.evidence, ['content', 'place']);
  checkChoice('bounds', checked.bounds, DOM_BOUNDS);
  if (checked.bounds === 'every-node' && checked.evidence !== 'content') {
    throw new RangeError(
      'bounds every-node require evidence content, because positions are counted in pages',
    );
  }
  return checked;
}

/** Returns the lower threshold for a sample of `pages` pages, in pages or occurrences. */
export function lowerPages(pages: number, { lowerShare, minPages }: Required<DomOptions>): number {
  // subtracts the rounding of binary fractions: 0.1 · 30 is 3, not 3.0000000000000004
  return Math.max(minPages, Math.ceil(pages * lowerShare - 1e-9));
}
