/** A labelled page as the counts of designs want it: when it is of, and which snapshots its URL has before and after. */
import type { DesignPage } from '../../store/design-part.ts';
import type { OtherCaptures } from '../../store/plan.ts';
import type { LabelledPage } from './label-sink.ts';

export function designPage(
  { planned, page, snapshot }: LabelledPage,
  others: OtherCaptures | undefined,
): DesignPage {
  return {
    group: planned.group,
    site: page.site,
    snapshot,
    time: page.time,
    previousGroup: others?.previous?.group,
    nextGroup: others?.nextGroup,
  };
}
