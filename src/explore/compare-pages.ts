/**
 * Compares two captures of a page, with changes classed as template, slot or content. Blocks are compared as by
 * `chaff changes` (study/compare-captures.ts), and the classes have the same rule (store/change-rows.ts): text that
 * appeared on or disappeared from several URLs is a change of the template, text that differs at one place of each
 * is a slot. So some other URLs with captures in the same two snapshots are compared as well.
 */
import { type PageCaptureRow, readPairs, readRanges } from '../store/explore/read-pages.ts';
import type { PageChange } from '../study/compare-captures.ts';
import { ArchiveError } from './folder-archive.ts';
import type { ClassedChange, PairAnswer } from './page-answers.ts';
import type { PageViews } from './page-views.ts';

/** Maximum number of other URLs that are compared. */
const OTHER_URLS = 12;
/** Thresholds of store/change-rows.ts. */
const WIDE_MIN_URLS = 3;
const SLOT_WORDS = 12;

/** Returns the classed changes from the page `older` to the page `newer`, by page number. */
export async function comparePages(views: PageViews, older: number, newer: number): Promise<PairAnswer> {
  const [olderRow, newerRow] = [await views.row(older), await views.row(newer)];
  if (olderRow.urlKey !== newerRow.urlKey || olderRow.site !== newerRow.site) {
    throw new RangeError('two captures of one URL can be compared, not two pages');
  }
  // labels are those of the first detector
  const compare = async (before: PageCaptureRow, after: PageCaptureRow) => {
    const [{ ranges }] = await readRanges(views.tables, after.page);
    return views.work('compare', [before, after], { ranges });
  };
  const own = await compare(olderRow, newerRow);
  const others: PageChange[][] = [];
  for (const [before, after] of await readPairs(views.tables, olderRow, newerRow, { limit: OTHER_URLS })) {
    try {
      others.push(await compare(before, after));
    } catch (error) {
      // skip a pair that cannot be read
      if (!(error instanceof ArchiveError)) throw error;
    }
  }
  const changes = classifyChange(own, others);
  const none = () => ({ came: 0, went: 0 });
  const words = { template: none(), slot: none(), content: none() };
  for (const change of changes) {
    words[change.class].came += change.newWords;
    words[change.class].went += change.lostWords;
  }
  return { older: olderRow, newer: newerRow, compared: others.length + 1, changes, words };
}

/** Returns the classes of the changes of a page, given the changes of other URLs between the same snapshots. */
export function classifyChange(
  own: readonly PageChange[],
  others: readonly (readonly PageChange[])[],
): ClassedChange[] {
  const pages = [own, ...others];
  const withText = new Map<string, number>();
  const atPlace = new Map<string, { urls: number; texts: Set<string> }>();
  for (const changes of pages) {
    for (const text of new Set(changes.map(textName))) withText.set(text, (withText.get(text) ?? 0) + 1);
    const places = new Set<string>();
    for (const change of changes.filter(isShort)) {
      const place = placeName(change);
      const known = atPlace.get(place) ?? { urls: 0, texts: new Set<string>() };
      if (!places.has(place)) known.urls++;
      places.add(place);
      known.texts.add(change.newKey);
      atPlace.set(place, known);
    }
  }
  return own.map((change) => {
    const wide = change.kind === 'more' ? 0 : (withText.get(textName(change)) ?? 0);
    const spot = isShort(change) ? atPlace.get(placeName(change)) : undefined;
    const isSlot =
      spot !== undefined &&
      spot.urls >= WIDE_MIN_URLS &&
      spot.texts.size >= WIDE_MIN_URLS &&
      2 * wide < spot.urls;
    if (isSlot) return { ...change, class: 'slot', urls: spot.urls };
    if (wide >= WIDE_MIN_URLS) return { ...change, class: 'template', urls: wide };
    return { ...change, class: change.label === 'content' ? 'content' : 'slot', urls: 1 };
  });
}

function isShort({ kind, words }: PageChange): boolean {
  return kind === 'changed' && words <= SLOT_WORDS;
}

function textName({ kind, oldKey, newKey }: PageChange): string {
  return kind === 'removed' ? `- ${oldKey}` : `+ ${newKey}`;
}

function placeName({ place }: PageChange): string {
  return place.replace(/[0-9]{2,}/g, '*');
}
