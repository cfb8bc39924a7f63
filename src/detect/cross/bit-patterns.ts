/**
 * The bit patterns of Leśniak 2017, appendix B: what it means that a text of a page occurs in some of the
 * captures of its cross and not in others. A cross has up to four arms: two similar pages of other URLs (up,
 * down), the captures of the same URL before and after (previous, next). What similar pages share is
 * template; what stays with the URL over time but is on no similar page is content; what changes with every
 * capture is template too (dates, counters, advertisements), where the tables say so. Patterns that are in
 * no table are unsure.
 */
import { urlHash } from '../../analysis/byte-hash.ts';
import type { ExplainedArm, ExplainedCross, ExplainedStretch, Explanation } from '../../model/explanation.ts';
import type { Label } from '../../model/range.ts';
import { sourceOffset } from '../../parse/source-map.ts';
import type { Tree } from '../../parse/tree.ts';
import type { Arm, Cross } from './build-cross.ts';
import type { TextStretch } from './cross-ranges.ts';

/** The arms of a cross, as bits; the page itself is always there. */
export const UP = 1;
export const DOWN = 2;
export const PREVIOUS = 4;
export const NEXT = 8;
export const ARM_COUNT = 4;

const CONTENT = 1;
const TEMPLATE = 2;

/** By cross and occurrence: `16 * cross + bits`; 0 is in no table. */
const PATTERNS = new Uint8Array(256);

// B.1
say(UP, { content: [0], template: [UP] });
// B.2
say(UP | DOWN, { content: [0], template: [DOWN, UP, UP | DOWN] });
// B.3
say(UP | NEXT, { content: [NEXT], template: [0, UP, UP | NEXT] });
say(UP | PREVIOUS, { content: [PREVIOUS], template: [0, UP, UP | PREVIOUS] });
// B.4
say(UP | PREVIOUS | NEXT, {
  content: [PREVIOUS | NEXT],
  template: [0, NEXT, PREVIOUS, UP, UP | NEXT, UP | PREVIOUS, UP | PREVIOUS | NEXT],
});
// B.5
say(UP | DOWN | NEXT, { content: [NEXT], template: [UP | DOWN | NEXT] });
say(UP | DOWN | PREVIOUS, { content: [PREVIOUS], template: [UP | DOWN | PREVIOUS] });
say(UP | DOWN | PREVIOUS | NEXT, { content: [PREVIOUS | NEXT], template: [UP | DOWN | PREVIOUS | NEXT] });

/** The table of the thesis that has the patterns of a cross. */
const TABLES = new Map([
  [UP, 'B.1'],
  [UP | DOWN, 'B.2'],
  [UP | NEXT, 'B.3'],
  [UP | PREVIOUS, 'B.3'],
  [UP | PREVIOUS | NEXT, 'B.4'],
  [UP | DOWN | NEXT, 'B.5'],
  [UP | DOWN | PREVIOUS, 'B.5'],
  [UP | DOWN | PREVIOUS | NEXT, 'B.5'],
]);

/** Arms as the thesis writes them: `11010` is the page, up and previous. */
export function spellBits(bits: number): string {
  return `1${[UP, DOWN, PREVIOUS, NEXT].map((arm) => (bits & arm ? '1' : '0')).join('')}`;
}

/** `B.3 11010/10010`: the table, the bits of the cross and those of the text; empty when it is in no table. */
export function patternName(cross: number, bits: number): string {
  if (PATTERNS[16 * cross + bits] === 0) return '';
  return `${TABLES.get(cross)} ${spellBits(cross)}/${spellBits(bits)}`;
}

/** What the tables say about a text that occurs in `bits` of the arms of `cross`. */
export function classifyBits(cross: number, bits: number): Label {
  switch (PATTERNS[16 * cross + bits]) {
    case CONTENT:
      return 'content';
    case TEMPLATE:
      return 'template';
    default:
      return 'unsure';
  }
}

function say(cross: number, { content, template }: { content: number[]; template: number[] }): void {
  for (const bits of content) PATTERNS[16 * cross + bits] = CONTENT;
  for (const bits of template) PATTERNS[16 * cross + bits] = TEMPLATE;
}

/** The cross of a page and what it says about every text, for `label --explain`. */
const ARMS: readonly ExplainedArm['arm'][] = ['up', 'down', 'previous', 'next'];
/** Characters of the text of a stretch. */
const TEXT_CHARACTERS = 200;

export function explainCross(
  page: { url: string; time: string },
  tree: Tree,
  stretches: readonly TextStretch[],
  crosses: readonly Cross[],
): Explanation {
  const decoder = new TextDecoder();
  const only = crosses.length === 1 ? crosses[0].bits : undefined;
  return {
    crosses: crosses.map((cross) => explainArms(page, cross)),
    stretches: stretches.map(({ textStart, textEnd, bits, label, why }): ExplainedStretch => {
      const text = decoder.decode(tree.text.subarray(textStart, textEnd));
      return {
        start: sourceOffset(tree, textStart, 'start'),
        end: sourceOffset(tree, textEnd, 'end'),
        text: text.length > TEXT_CHARACTERS ? `${text.slice(0, TEXT_CHARACTERS)}…` : text,
        bits: only === undefined ? '' : spellBits(bits),
        pattern: only === undefined ? '' : patternName(only, bits),
        patternLabel: only === undefined ? label : classifyBits(only, bits),
        label,
        why,
      };
    }),
  };
}

function explainArms(page: { url: string; time: string }, { arms, bits }: Cross): ExplainedCross {
  const known = arms.flatMap((arm, k) => (arm ? [{ name: ARMS[k], arm }] : []));
  return {
    id: [page, ...known.map(({ arm }) => arm)].map(idOf).join('-'),
    bits: spellBits(bits),
    arms: known.map(({ name, arm }) => explainArm(name, arm)),
  };
}

function explainArm(arm: ExplainedArm['arm'], { url, time, similarity }: Arm): ExplainedArm {
  return { arm, url, time, similarity };
}

function idOf({ url, time }: { url: string; time: string }): string {
  return urlHash(`${url} ${time}`).toString(16).padStart(16, '0');
}
