/**
 * The classes of elements from those of the texts in them, deepest layer first (Leśniak 2017, section 2.3):
 * an element whose children all have one class has that class; nodes without text have none and do not
 * matter. One walk backwards over the nodes.
 */
import type { Label } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import type { TextStretch } from './text-spans.ts';

export const NO_CLASS = 0;
export const CONTENT_CLASS = 1;
export const TEMPLATE_CLASS = 2;
export const UNSURE_CLASS = 3;
/** Of several classes. */
export const MIXED_CLASS = 4;

const CLASS_OF: Record<Label, number> = {
  content: CONTENT_CLASS,
  template: TEMPLATE_CLASS,
  slot: TEMPLATE_CLASS,
  unsure: UNSURE_CLASS,
};

/** The class of every node of the tree. */
export function propagateClasses({ nodeCount, parent }: Tree, stretches: readonly TextStretch[]): Uint8Array {
  const classes = new Uint8Array(nodeCount);
  for (const { node, label } of stretches) classes[node] = joinClasses(classes[node], CLASS_OF[label]);
  for (let node = nodeCount - 1; node > 0; node--) {
    if (classes[node] !== NO_CLASS) classes[parent[node]] = joinClasses(classes[parent[node]], classes[node]);
  }
  return classes;
}

function joinClasses(one: number, other: number): number {
  return one === NO_CLASS || one === other ? other : MIXED_CLASS;
}
