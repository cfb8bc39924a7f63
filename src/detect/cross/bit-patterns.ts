/**
 * The bit patterns of Leśniak 2017, appendix B: they classify a text of a page by the captures of its cross
 * in which the text occurs. A cross has up to four arms: two similar pages of other URLs (up, down) and the
 * captures of the same URL before and after (previous, next). Text shared with similar pages is template.
 * Text that stays with the URL over time and is on no similar page is content. Text that changes with every
 * capture (dates, counters, advertisements) is template too, where the tables list it. Patterns outside all
 * tables are unsure.
 */
import { urlHash } from '../../analysis/byte-hash.ts';
import type { ExplainedArm, ExplainedCross, ExplainedStretch, Explanation } from '../../model/explanation.ts';
import type { Label } from '../../model/range.ts';
import { sourceOffset } from '../../parse/source-map.ts';
import type { Tree } from '../../parse/tree.ts';
import type { Arm, Cross } from './build-cross.ts';
import type { TextStretch } from './cross-ranges.ts';

/** Bit of the arm up, a similar page; the page itself has no bit because it is always present. */
export const UP = 1;
/** Bit of the arm down, a second similar page. */
export const DOWN = 2;
/** Bit of the arm previous, the capture before. */
export const PREVIOUS = 4;
/** Bit of the arm next, the capture after. */
export const NEXT = 8;
/** Number of arms of a cross. */
export const ARM_COUNT = 4;

const CONTENT = 1;
const TEMPLATE = 2;

/** Classes by cross and occurrence, at `16 * cross + bits`; 0 is in no table. */
const PATTERNS = new Uint8Array(256);

// B.1
addPatterns(UP, { content: [0], template: [UP] });
// B.2
addPatterns(UP | DOWN, { content: [0], template: [DOWN, UP, UP | DOWN] });
// B.3
addPatterns(UP | NEXT, { content: [NEXT], template: [0, UP, UP | NEXT] });
addPatterns(UP | PREVIOUS, { content: [PREVIOUS], template: [0, UP, UP | PREVIOUS] });
// B.4
addPatterns(UP | PREVIOUS | NEXT, {
  content: [PREVIOUS | NEXT],
  template: [0, NEXT, PREVIOUS, UP, UP | NEXT, UP | PREVIOUS, UP | PREVIOUS | NEXT],
});
// B.5
addPatterns(UP | DOWN | NEXT, { content: [NEXT], template: [UP | DOWN | NEXT] });
addPatterns(UP | DOWN | PREVIOUS, { content: [PREVIOUS], template: [UP | DOWN | PREVIOUS] });
addPatterns(UP | DOWN | PREVIOUS | NEXT, {
  content: [PREVIOUS | NEXT],
  template: [UP | DOWN | PREVIOUS | NEXT],
});

/** Name of the table in the thesis for each cross. */
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

/** Returns arms as the thesis writes them: `11010` is the page, up and previous. */
export function spellBits(bits: number): string {
  return `1${[UP, DOWN, PREVIOUS, NEXT].map((arm) => (bits & arm ? '1' : '0')).join('')}`;
}

/**
 * Returns a name like `B.3 11010/10010`: table, bits of the cross, bits of the text; empty when no table has
 * the pattern.
 */
export function patternName(cross: number, bits: number): string {
  if (PATTERNS[16 * cross + bits] === 0) return '';
  return `${TABLES.get(cross)} ${spellBits(cross)}/${spellBits(bits)}`;
}

/** Returns the label of a text that occurs in the arms `bits` of a cross with the arms `cross`. */
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

function addPatterns(cross: number, { content, template }: { content: number[]; template: number[] }): void {
  for (const bits of content) PATTERNS[16 * cross + bits] = CONTENT;
  for (const bits of template) PATTERNS[16 * cross + bits] = TEMPLATE;
}

/** The arms in the order of their bits. */
const ARMS: readonly ExplainedArm['arm'][] = ['up', 'down', 'previous', 'next'];
/** Maximum length of the text of a stretch, in characters. */
const TEXT_CHARACTERS = 200;

/** Returns the cross of a page and the evidence for each of its texts, for `label --explain`. */
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
