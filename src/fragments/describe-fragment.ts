/**
 * What a person knows a fragment by: where it stands (`html > body > div#nav`) and the beginning of its text.
 * Both are bounded whatever the page holds. Cost: linear in the depth of the node and the length of the line.
 */
import type { Tree } from '../parse/tree.ts';
import { lineOfText, placeOf } from '../view/node-place.ts';

export interface FragmentDescription {
  /** The element and those it stands in, outermost first; `…` for those left out in the middle. */
  place: string;
  /** The beginning of its text on one line, references decoded; empty when it has none. */
  text: string;
}

/** Characters of text. */
const TEXT_CHARACTERS = 160;

/** Describes the nodes `[node, sibling)`: an element, or adjacent siblings of which it is the first. */
export function describeFragment(tree: Tree, node: number, sibling: number): FragmentDescription {
  const { textStart } = tree;
  return {
    place: placeOf(tree, node),
    text: lineOfText(tree, textStart[node], textStart[sibling], TEXT_CHARACTERS),
  };
}
