/** Why no redesign of a part is told of some sites: what is usual for a site takes two steps from snapshot to snapshot. */
import { PART_MIN_SNAPSHOTS } from '../store/redesigns.ts';
import { formatCount } from './format-numbers.ts';

/** How many of the sites have too few snapshots. */
export function sitesWithFewSnapshots(snapshots: readonly { site: string }[]): number {
  const counts = new Map<string, number>();
  for (const { site } of snapshots) counts.set(site, (counts.get(site) ?? 0) + 1);
  return [...counts.values()].filter((count) => count < PART_MIN_SNAPSHOTS).length;
}

/** The sentence, without the full stop at its end. */
export function tellFewSnapshots(sites: number): string {
  const who = sites === 1 ? '1 site has' : `${formatCount(sites)} sites have`;
  const it = sites === 1 ? 'it usually changes' : 'they usually change';
  return `${who} fewer than three snapshots: what ${it} is not known, so redesigns of a part are not looked for there`;
}
