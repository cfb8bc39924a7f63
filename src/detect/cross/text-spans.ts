/**
 * A page's words in stretches: runs of words of one text whose occurrence bits are the same. What the thesis
 * wraps into an element of its own (`dbce`) and classifies is one of these.
 */
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import type { Label } from '../../model/range.ts';

export interface TextStretch {
  /** Id in the tree of the text it lies in. */
  node: number;
  /** Where it lies in `tree.text`. */
  textStart: number;
  textEnd: number;
  words: number;
  /** Arms of the cross it occurs in. */
  bits: number;
  label: Label;
  /** What made it template beside the bits, for its reason; empty when they did. */
  why: string;
  /** Share of the pages known that it stands on, when that made it template, else 0. */
  share: number;
}

/** Cuts the words of a page where the text or the bits change; labels are the caller's to set. */
export function cutStretches(placed: PlacedTokens, bits: Uint8Array): TextStretch[] {
  const { tokenCount, textStart, textEnd, tokenNode } = placed;
  const stretches: TextStretch[] = [];
  let open: TextStretch | undefined;
  for (let token = 0; token < tokenCount; token++) {
    // a start tag ends what was open: the next word is another text's
    if (textStart[token] === textEnd[token]) continue;
    if (open && open.node === tokenNode[token] && open.bits === bits[token]) {
      open.textEnd = textEnd[token];
      open.words++;
      continue;
    }
    open = {
      node: tokenNode[token],
      textStart: textStart[token],
      textEnd: textEnd[token],
      words: 1,
      bits: bits[token],
      label: 'unsure',
      why: '',
      share: 0,
    };
    stretches.push(open);
  }
  return stretches;
}
