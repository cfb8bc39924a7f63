/** The settings of the dom detector. */
import { checkChoice, checkNames, checkNumber } from '../model/check-option.ts';

export interface DomOptions {
  /** Lower threshold: share of the sampled pages that must hold a node, 0 to 1. @default 0.1 */
  lowerShare?: number;
  /** The lower threshold is never fewer pages than this, 2 to 1,000,000. @default 3 */
  minPages?: number;
  /**
   * Upper threshold: occurrences on the sampled pages, as a multiple of their number, above which a
   * trivially small node is no template, from 0. @default 1
   */
  upperShare?: number;
  /**
   * `small-nodes`: both thresholds as above, the upper one for trivially small nodes only. `every-node`: as in the
   * paper, the occurrences of each node on the sampled pages must lie between both. Goes with evidence `content`.
   * @default 'small-nodes'
   */
  bounds?: DomBounds;
  /** A node without text and of at most so many bytes is trivially small, 0 to 10,000. @default 64 */
  trivialBytes?: number;
  /**
   * `content`: a node counts wherever it stands, as in the paper. `place`: it must also stand at one place
   * on enough pages; see dom-evidence.ts. @default 'place'
   */
  evidence?: Evidence;
  /** Sibling templates become one across changing content of up to so many bytes of source, 0 to 100,000. @default 64 */
  gapBytes?: number;
  /** … and of up to so many bytes of text, 0 to 100,000. @default 16 */
  gapTextBytes?: number;
  /** P: pages to sample, 2 to 1,000,000. @default 200 */
  samplePages?: number;
}

export const DOM_BOUNDS = ['small-nodes', 'every-node'] as const;
export type DomBounds = (typeof DOM_BOUNDS)[number];

export type Evidence = 'content' | 'place';

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

/** Checks every option and fills in the defaults. */
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
    throw new RangeError('bounds of every-node need evidence content: a place is counted in pages');
  }
  return checked;
}

/** The lower threshold, in pages or occurrences, for a sample of this many pages. */
export function lowerPages(pages: number, { lowerShare, minPages }: Required<DomOptions>): number {
  // the small number undoes what binary fractions add: 0.1 · 30 is 3, not 3.0000000000000004
  return Math.max(minPages, Math.ceil(pages * lowerShare - 1e-9));
}
