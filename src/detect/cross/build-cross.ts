/**
 * The cross of a page from the captures that a model keeps and those that come with the page. The rules are those of
 * analysis/choose-arms.ts, which `groups --crosses` follows as well.
 */
import { ArmChooser, type DownRule, leastEqual, timeOf, UNDATED } from '../../analysis/choose-arms.ts';
import { pageKey } from '../../model/page-key.ts';
import type { ParsedPage } from '../detector.ts';
import { DOWN, NEXT, PREVIOUS, UP } from './bit-patterns.ts';
import type { KeptPage } from './cross-model.ts';
import { SIGNATURE_PLACES } from './cross-settings.ts';
import type { Arm, Cross } from './page-comparer.ts';

/** The nearest similar captures that came with the page; where none came on a side, those of the model serve. */
export interface Captures {
  previous?: Arm;
  next?: Arm;
  /** Whether captures before, or after, came at all. */
  hasEarlier?: boolean;
  hasLater?: boolean;
}

export interface CrossRules {
  /** Least similarity of all four arms. */
  threshold: number;
  down: DownRule;
}

export function buildCross(
  { url, time }: ParsedPage['page'],
  signature: Uint32Array,
  pages: readonly KeptPage[],
  captures: Captures,
  { threshold, down: downRule }: CrossRules,
): Cross {
  const key = pageKey(url);
  const timeMs = timeOf(time);
  const least = leastEqual(threshold, SIGNATURE_PLACES);
  const chooser = new ArmChooser(downRule);
  chooser.start(timeMs);
  let before: Arm | undefined;
  let after: Arm | undefined;
  let beforeMs = Number.NEGATIVE_INFINITY;
  let afterMs = Number.POSITIVE_INFINITY;
  for (const [k, page] of pages.entries()) {
    const equal = countEqualPlaces(page.signature, signature);
    if (equal < least) continue;
    if (page.key !== key) {
      chooser.offer({ capture: k, page: page.number, time: page.timeMs, equal });
      continue;
    }
    // a capture of the same page at another time
    if (page.timeMs === UNDATED || timeMs === UNDATED) continue;
    if (page.timeMs < timeMs && page.timeMs > beforeMs) {
      before = toArm(page, equal);
      beforeMs = page.timeMs;
    } else if (page.timeMs > timeMs && page.timeMs < afterMs) {
      after = toArm(page, equal);
      afterMs = page.timeMs;
    }
  }
  const { up, down } = chooser;
  const arms = [
    up && toArm(pages[up.capture], up.equal),
    down && toArm(pages[down.capture], down.equal),
    captures.hasEarlier ? captures.previous : before,
    captures.hasLater ? captures.next : after,
  ];
  let bits = 0;
  for (const [k, bit] of [UP, DOWN, PREVIOUS, NEXT].entries()) if (arms[k]) bits |= bit;
  return { arms, bits };
}

function toArm(page: KeptPage, equal: number): Arm {
  return { url: page.url, time: page.time, similarity: equal / SIGNATURE_PLACES, tokens: page };
}

export function countEqualPlaces(one: Uint32Array, other: Uint32Array): number {
  let equal = 0;
  for (let i = 0; i < SIGNATURE_PLACES; i++) if (one[i] === other[i]) equal++;
  return equal;
}
