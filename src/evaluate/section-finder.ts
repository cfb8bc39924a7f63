/**
 * Into which sections a detector cuts a page. Only `page` finds sections of its own; what any other detector
 * labels alike in one stretch counts as one.
 */
import type { ParsedPage } from '../detect/detector.ts';
import { PageJudge } from '../detect/page/judge-page.ts';
import type { PageDetectorOptions } from '../detect/page/page-detector.ts';
import { packagedPageModel } from '../detect/page/page-model.ts';
import type { Range } from '../model/range.ts';
import type { DetectorChoice } from './evaluate.ts';
import type { PageLeaves } from './page-leaves.ts';
import { sectionsOfLeaves, stretchesOfLeaves } from './page-segments.ts';

/** Number of the section of each leaf. */
export type SectionFinder = (parsed: ParsedPage, leaves: PageLeaves, ranges: readonly Range[]) => Int32Array;

export function sectionFinder({
  name,
  options = {},
}: Pick<DetectorChoice, 'name' | 'options'>): SectionFinder {
  if (name !== 'page') return (_, leaves, ranges) => stretchesOfLeaves(leaves, ranges);
  const { model, ...rest } = options as PageDetectorOptions;
  // ranges do not tell sections apart that have one label, so the page is judged once more
  let judge: PageJudge | undefined;
  return (parsed, leaves) => {
    judge ??= new PageJudge(model ?? packagedPageModel(), rest);
    return sectionsOfLeaves(leaves, judge.judge(parsed).sections);
  };
}
