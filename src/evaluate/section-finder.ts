/**
 * Into which sections a detector cuts a page. Only `page` finds sections of its own; what any other detector
 * labels alike in one stretch counts as one.
 */
import type { ParsedPage } from '../detect/detector.ts';
import type { Range } from '../model/range.ts';
import type { DetectorChoice } from './evaluate.ts';
import type { PageLeaves } from './page-leaves.ts';
import { stretchesOfLeaves } from './page-segments.ts';

/** Number of the section of each leaf. */
export type SectionFinder = (parsed: ParsedPage, leaves: PageLeaves, ranges: readonly Range[]) => Int32Array;

export function sectionFinder(_: Pick<DetectorChoice, 'name' | 'options'>): SectionFinder {
  return (_parsed, leaves, ranges) => stretchesOfLeaves(leaves, ranges);
}
