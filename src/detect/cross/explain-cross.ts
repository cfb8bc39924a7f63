/** The cross of a page and what it says about every text, for `label --explain`. */
import { urlHash } from '../../analysis/url-hash.ts';
import type { ExplainedArm, ExplainedCross, ExplainedStretch, Explanation } from '../../model/explanation.ts';
import { sourceOffset } from '../../parse/text.ts';
import type { Tree } from '../../parse/tree.ts';
import { classifyBits, patternName, spellBits } from './bit-patterns.ts';
import type { Arm, Cross } from './page-comparer.ts';
import type { TextStretch } from './text-spans.ts';

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
