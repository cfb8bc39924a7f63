/** The cross of a page from the pages that a model keeps and the captures that come with it. */
import type { PageTokens } from '../../compare/page-tokens.ts';
import { pageKey } from '../../model/page-key.ts';
import type { ParsedPage } from '../detector.ts';
import { DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import type { NeighbourPage } from './cross-model.ts';
import { SIGNATURE_PLACES } from './cross-settings.ts';
import type { Cross } from './page-comparer.ts';

export interface Captures {
  previous?: PageTokens;
  next?: PageTokens;
}

/** Up and down: the most similar of the other pages; ties go to the page that comes first. */
export function buildCross(
  { url, time }: ParsedPage['page'],
  signature: Uint32Array,
  pages: readonly NeighbourPage[],
  { previous, next }: Captures,
  threshold: number,
): Cross {
  const key = pageKey(url);
  let before = previous;
  let after = next;
  for (const candidate of pages) {
    if (candidate.key !== key) continue;
    // a capture of the same page at another time
    if (candidate.time !== '' && candidate.time < time) before ??= candidate;
    else if (time !== '' && candidate.time > time) after ??= candidate;
  }
  const { up, down } = findSimilar(key, signature, pages, threshold);
  const bits = (up ? UP : 0) | (down ? DOWN : 0) | (before ? PREVIOUS : 0) | (after ? NEXT : 0);
  return { arms: [up, down, before, after], bits };
}

function findSimilar(
  key: string,
  signature: Uint32Array,
  pages: readonly NeighbourPage[],
  threshold: number,
): { up?: NeighbourPage; down?: NeighbourPage } {
  const least = threshold * SIGNATURE_PLACES;
  let up: NeighbourPage | undefined;
  let down: NeighbourPage | undefined;
  let upEqual = 0;
  let downEqual = 0;
  for (const candidate of pages) {
    if (candidate.key === key) continue;
    let equal = 0;
    for (let i = 0; i < SIGNATURE_PLACES; i++) if (candidate.signature[i] === signature[i]) equal++;
    if (equal < least || equal <= downEqual) continue;
    if (equal > upEqual) {
      down = up;
      downEqual = upEqual;
      up = candidate;
      upEqual = equal;
    } else {
      down = candidate;
      downEqual = equal;
    }
  }
  return { up, down };
}
