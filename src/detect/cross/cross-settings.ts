/** Options of the cross detector, and the variants of the thesis by name. */
import { LAYOUT_TOKENS, type LayoutTokens } from '../../compare/layout-signer.ts';
import { DEFAULT_PERMUTATIONS } from '../../compare/minhash.ts';
import { checkNames, checkNumber } from '../check-option.ts';

/**
 * T001: the bit patterns alone. T002: what they leave unsure is template. T003, T004, T005: every text is
 * classified again by its five nearest neighbours among those that the patterns classified, by the features
 * of one, two and three layers. T006: by a random forest of ten trees over three layers. T007 is ours: see
 * refine.ts.
 */
export const CROSS_VARIANTS = ['T001', 'T002', 'T003', 'T004', 'T005', 'T006', 'T007'] as const;
export type CrossVariant = (typeof CROSS_VARIANTS)[number];

export interface CrossOptions {
  /** @default 'T007' */
  variant?: CrossVariant;
  /** Least similarity of layouts that makes a neighbour, 0 to 1. @default 0.6 */
  threshold?: number;
  /** Sampled pages kept to compare with, 2 to 1000. @default 100 */
  neighbourPages?: number;
  /**
   * What layouts are compared by: numbered layers, as in the thesis, or paths of tags and classes, which do
   * not change with the length of a page. @default 'layers' for T001 to T006, 'paths' for T007
   */
  tokens?: LayoutTokens;
  /**
   * Compares a page within each LSH bucket it falls into and merges what they say, as the thesis proposes for
   * clusters, rather than with the most similar pages of all; T001 to T006 only. @default false
   */
  buckets?: boolean;
  /** Seed of the random forest. @default 0 */
  seed?: number;
}

export const CROSS_DEFAULTS: Readonly<Required<Omit<CrossOptions, 'tokens'>>> = {
  variant: 'T007',
  threshold: 0.6,
  neighbourPages: 100,
  buckets: false,
  seed: 0,
};

/** Places of the signatures that layouts are compared by. */
export const SIGNATURE_PLACES = DEFAULT_PERMUTATIONS;

export function checkCrossOptions(options: CrossOptions): Required<CrossOptions> {
  checkNames(options, [...Object.keys(CROSS_DEFAULTS), 'tokens']);
  const { variant = CROSS_DEFAULTS.variant } = options;
  const tokens: LayoutTokens = variant === 'T007' ? 'paths' : 'layers';
  const checked = { ...CROSS_DEFAULTS, tokens, ...options };
  if (!LAYOUT_TOKENS.includes(checked.tokens)) {
    throw new RangeError(`tokens must be one of ${LAYOUT_TOKENS.join(', ')}, not "${checked.tokens}"`);
  }
  if (!CROSS_VARIANTS.includes(checked.variant)) {
    throw new RangeError(`variant must be one of ${CROSS_VARIANTS.join(', ')}, not "${checked.variant}"`);
  }
  if (typeof checked.buckets !== 'boolean') {
    throw new RangeError(`buckets must be true or false, not ${checked.buckets}`);
  }
  if (checked.buckets && checked.variant === 'T007') {
    throw new RangeError('buckets must be false for T007, which weighs the pages of the whole site');
  }
  if (checked.buckets && !(checked.threshold > 0 && checked.threshold < 1)) {
    throw new RangeError(`threshold must be between 0 and 1 for buckets, not ${checked.threshold}`);
  }
  checkNumber('threshold', checked.threshold, { min: 0, max: 1 });
  checkNumber('neighbourPages', checked.neighbourPages, { min: 2, max: 1000, whole: true });
  checkNumber('seed', checked.seed, { min: 0, max: 2 ** 31, whole: true });
  return checked;
}
