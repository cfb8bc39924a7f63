/**
 * Names of the detectors that can be scored, as in tables and floors: all detectors, and variants of some that are
 * compared with each other: `joint-alone`, which judges each page without the other pages of its site, Leśniak's T001 to T007 of `cross`, and three of `page` that differ only in smoothing,
 * without levelling, region and replies: none (`page-basic`), leaves with similar scores merged (`page-merge`),
 * isotonic (`page-smooth`).
 */
import { CROSS_VARIANTS, type CrossVariant } from '../detect/cross/cross-settings.ts';
import type { DetectorName } from '../detect/detector.ts';
import { DETECTOR_NAMES } from '../detect/index.ts';
import type { PageOptions } from '../detect/page/judge-page.ts';
import type { DetectorChoice } from './evaluate.ts';

/** Smoothing of node scores by the name of the variant. */
const PAGE_VARIANTS: Readonly<Record<string, Required<Pick<PageOptions, 'smoothing' | 'levelling'>>>> = {
  'page-basic': { smoothing: 'none', levelling: false },
  'page-merge': { smoothing: 'merge', levelling: false },
  'page-smooth': { smoothing: 'isotonic', levelling: false },
};

/** `joint` on each page alone. */
const ALONE = 'joint-alone';

/** All names that `detectorChoice` accepts. */
export const CHOICE_NAMES: readonly string[] = [
  ...DETECTOR_NAMES,
  ...CROSS_VARIANTS,
  ...Object.keys(PAGE_VARIANTS),
  ALONE,
];

/** Returns a detector or variant by its name, with the user's options for each detector. */
export function detectorChoice(
  name: string,
  detectorOptions: Partial<Record<DetectorName, object>> = {},
): DetectorChoice {
  if (name === ALONE) {
    return { name: 'joint', label: name, options: { ...detectorOptions.joint }, isAlone: true };
  }
  if (isDetector(name)) return { name, options: { ...detectorOptions[name] } };
  if (Object.hasOwn(PAGE_VARIANTS, name)) {
    return { name: 'page', label: name, options: { ...detectorOptions.page, ...PAGE_VARIANTS[name] } };
  }
  if (isCrossVariant(name)) {
    return { name: 'cross', label: name, options: { ...detectorOptions.cross, variant: name } };
  }
  throw new RangeError(`detector must be one of ${CHOICE_NAMES.join(', ')}, not "${name}"`);
}

function isDetector(name: string): name is DetectorName {
  return (DETECTOR_NAMES as string[]).includes(name);
}

function isCrossVariant(name: string): name is CrossVariant {
  return (CROSS_VARIANTS as readonly string[]).includes(name);
}
