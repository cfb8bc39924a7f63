/**
 * The cost for a node to begin a section: the penalty γᵢ of the smoothing. Chakrabarti, Kumar and Punera
 * (2007, section 5.3) tried three functions and all their combinations, each with a constant c:
 *
 *     area    c·A/Aᵢ, the area of the page over that of the node (the one they chose, with c = 0.01)
 *     nodes   c·N/Nᵢ, the nodes of the page over those of the subtree
 *     parent  c·A(parent)/Aᵢ, the area of the parent over that of the node
 *
 * The paper does not say how functions are combined; here their values are added.
 */
import type { Tree } from '../../parse/tree.ts';
import type { FeatureTable } from './feature-list.ts';

/** All values of `PenaltyKind`. */
export const PENALTY_KINDS = [
  'area',
  'nodes',
  'parent',
  'area+nodes',
  'area+parent',
  'nodes+parent',
  'area+nodes+parent',
] as const;
/** A function of the paper, or a sum of several. */
export type PenaltyKind = (typeof PENALTY_KINDS)[number];

/** Options of `fillPenalties`. */
export interface PenaltyOptions {
  kind: PenaltyKind;
  /** The constant c. */
  factor: number;
  /** Minimum area in square pixels, above 0; smaller areas count as this. */
  leastArea: number;
}

/**
 * Writes the penalty of each row. The parent of a row is its nearest judged ancestor; row 0 is its own
 * parent.
 */
export function fillPenalties(
  penalty: Float32Array,
  { last, nodeCount }: Pick<Tree, 'last' | 'nodeCount'>,
  { rowCount, node, parent, area }: Pick<FeatureTable, 'rowCount' | 'node' | 'parent' | 'area'>,
  { kind, factor, leastArea }: PenaltyOptions,
): void {
  const terms = kind.split('+');
  const byArea = terms.includes('area');
  const byNodes = terms.includes('nodes');
  const byParent = terms.includes('parent');
  const pageArea = Math.max(area[0], leastArea);
  for (let row = 0; row < rowCount; row++) {
    const ownArea = Math.max(area[row], leastArea);
    let sum = 0;
    if (byArea) sum += (factor * pageArea) / ownArea;
    if (byNodes) sum += (factor * nodeCount) / (last[node[row]] - node[row]);
    if (byParent) sum += (factor * Math.max(area[Math.max(0, parent[row])], leastArea)) / ownArea;
    penalty[row] = sum;
  }
}
