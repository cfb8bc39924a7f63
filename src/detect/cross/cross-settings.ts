/** Options of the cross detector, and the variants of the thesis by name. */
import { DOWN_RULES, type DownRule } from '../../analysis/choose-arms.ts';
import { LAYOUT_TOKENS, type LayoutTokens } from '../../analysis/layout-signer.ts';
import { DEFAULT_PERMUTATIONS } from '../../analysis/minhash.ts';
import { checkChoice, checkNames, checkNumber } from '../../model/check-option.ts';

/**
 * The variants. T001: the bit patterns alone. T002: unsure patterns are template. T003, T004, T005: every
 * text is classified again by its five nearest neighbours among the texts that the patterns classified, by
 * the features of one, two and three layers. T006: by a random forest of ten trees over three layers. T007 is
 * our own: see refine.ts.
 */
export const CROSS_VARIANTS = ['T001', 'T002', 'T003', 'T004', 'T005', 'T006', 'T007'] as const;
/** Name of a variant. */
export type CrossVariant = (typeof CROSS_VARIANTS)[number];

/** How pages are compared: by Chaff's diff of tags and words (`chaff`), or as lxml does (`lxml`). */
export const CROSS_DIFFS = ['chaff', 'lxml'] as const;
/** Name of a way to compare pages. */
export type CrossDiff = (typeof CROSS_DIFFS)[number];

/**
 * Units in which lengths of texts are counted; they also decide how text density is computed (reclassify.ts).
 */
export const CROSS_LENGTHS = ['bytes', 'characters'] as const;
/** Name of a unit of text lengths. */
type CrossLengths = (typeof CROSS_LENGTHS)[number];

/** Options of the cross detector. */
export interface CrossOptions {
  /** @default 'T007' */
  variant?: CrossVariant;
  /** Minimum similarity of the layouts of neighbours, 0 to 1. @default 0.6 */
  threshold?: number;
  /**
   * Thresholds of single sites, by site key; layouts of a site (`host#1`) have the threshold of the site.
   * @default none
   */
  siteThresholds?: Readonly<Record<string, number>>;
  /** Maximum number of sampled captures in a model, 2 to 1000. @default 100 */
  neighbourPages?: number;
  /**
   * Whether the arm down is of another page than up if possible, or any capture, as in the thesis. @default
   * 'page'
   */
  down?: DownRule;
  /** @default 'chaff' */
  diff?: CrossDiff;
  /**
   * Text features in bytes, or in characters with Kohlschütter's text density as printed. @default 'bytes'
   */
  lengths?: CrossLengths;
  /**
   * Maximum number of texts of a page that train a classifier, 10 to 100,000; more are thinned evenly.
   * @default 1000
   */
  trainingRows?: number;
  /** Number of nearest neighbours that vote in T003 to T005, 1 to 1000. @default 5 */
  neighbours?: number;
  /** Number of trees of the random forest in T006 and T007, 1 to 1000. @default 10 */
  trees?: number;
  /**
   * Tokens by which layouts are compared: numbered layers, as in the thesis, or paths of tags and classes,
   * which do not change with the length of a page. @default 'layers' for T001 to T006, 'paths' for T007
   */
  tokens?: LayoutTokens;
  /**
   * Whether a page is compared within each LSH bucket that it falls into and the results are merged, as the
   * thesis proposes for clusters, instead of with the most similar pages of all. T001 to T006 only. @default
   * false
   */
  buckets?: boolean;
  /** Seed of the random forest. @default 0 */
  seed?: number;
}

/** Default options; the default of `tokens` depends on the variant. */
export const CROSS_DEFAULTS: Readonly<Required<Omit<CrossOptions, 'tokens'>>> = {
  variant: 'T007',
  threshold: 0.6,
  siteThresholds: {},
  neighbourPages: 100,
  down: 'page',
  diff: 'chaff',
  lengths: 'bytes',
  trainingRows: 1000,
  neighbours: 5,
  trees: 10,
  buckets: false,
  seed: 0,
};

/** Number of components of the signatures by which layouts are compared. */
export const SIGNATURE_PLACES = DEFAULT_PERMUTATIONS;

/** Returns the options with defaults filled in; throws a RangeError that names an invalid one. */
export function checkCrossOptions(options: CrossOptions): Required<CrossOptions> {
  checkNames(options, [...Object.keys(CROSS_DEFAULTS), 'tokens']);
  const { variant = CROSS_DEFAULTS.variant } = options;
  const tokens: LayoutTokens = variant === 'T007' ? 'paths' : 'layers';
  const checked = { ...CROSS_DEFAULTS, tokens, ...options };
  checkChoice('tokens', checked.tokens, LAYOUT_TOKENS);
  checkChoice('variant', checked.variant, CROSS_VARIANTS);
  checkChoice('down', checked.down, DOWN_RULES);
  checkChoice('diff', checked.diff, CROSS_DIFFS);
  checkChoice('lengths', checked.lengths, CROSS_LENGTHS);
  if (typeof checked.buckets !== 'boolean') {
    throw new RangeError(`buckets must be true or false, not ${checked.buckets}`);
  }
  if (checked.buckets && checked.variant === 'T007') {
    throw new RangeError('buckets must be false for T007, which weighs the pages of the whole site');
  }
  for (const threshold of [checked.threshold, ...Object.values(checked.siteThresholds)]) {
    if (checked.buckets && !(threshold > 0 && threshold < 1)) {
      throw new RangeError(`threshold must be between 0 and 1 for buckets, not ${threshold}`);
    }
  }
  checkNumber('threshold', checked.threshold, { min: 0, max: 1 });
  for (const [site, threshold] of Object.entries(checked.siteThresholds)) {
    checkNumber(`threshold of ${site}`, threshold, { min: 0, max: 1 });
  }
  checkNumber('neighbourPages', checked.neighbourPages, { min: 2, max: 1000, whole: true });
  checkNumber('trainingRows', checked.trainingRows, { min: 10, max: 100_000, whole: true });
  checkNumber('neighbours', checked.neighbours, { min: 1, max: 1000, whole: true });
  checkNumber('trees', checked.trees, { min: 1, max: 1000, whole: true });
  checkNumber('seed', checked.seed, { min: 0, max: 2 ** 31, whole: true });
  return checked;
}

/** Returns the threshold of a site. */
export function thresholdOf(
  site: string,
  { threshold, siteThresholds }: Pick<Required<CrossOptions>, 'threshold' | 'siteThresholds'>,
): number {
  for (const key of [site, site.split('#')[0]]) {
    if (Object.hasOwn(siteThresholds, key)) return siteThresholds[key];
  }
  return threshold;
}

/**
 * Reads thresholds of single sites from CSV, one `site,threshold` per line (Leśniak 2017 has 0.3 for one
 * site). Throws a RangeError that names the line.
 */
export function parseSiteThresholds(text: string): Record<string, number> {
  const thresholds: Record<string, number> = {};
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '') continue;
    const [site, value, ...rest] = line.split(',').map((cell) => cell.trim());
    if (index === 0 && value === 'threshold') continue;
    const threshold = Number(value);
    if (!site || !value || rest.length > 0 || !(threshold >= 0 && threshold <= 1)) {
      throw new RangeError(`line ${index + 1} must be a site and a number from 0 to 1, not "${line}"`);
    }
    if (Object.hasOwn(thresholds, site))
      throw new RangeError(`line ${index + 1}: ${site} has a threshold already`);
    thresholds[site] = threshold;
  }
  return thresholds;
}
