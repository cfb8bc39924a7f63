/**
 * Trains gradient-boosted trees for the logistic loss on binned features, as LightGBM and scikit-learn's
 * HistGradientBoostingClassifier do (`tree-grower.ts` has the method).
 *
 * Deterministic: rows and features are sampled by the seed, and ties of gain go to the first feature and the
 * lowest threshold. At best O(rows · features · log leaves) per tree; memory: a byte for each feature of each
 * row, and a histogram for each leaf.
 */
import { type BoostedTrees, naturalLog } from './boosted-trees.ts';
import { type GrownNode, TreeGrower } from './tree-grower.ts';
import { checkWeightedSet, type WeightedSet, weighClasses } from './weighted-set.ts';

/** Options of `trainBoostedTrees`. */
export interface BoostedTreesOptions {
  /** @default 100 */
  trees?: number;
  /** Maximum number of leaves of a tree. @default 31 */
  leaves?: number;
  /** Maximum number of steps from the root to a leaf, 1 to 30. @default 6 */
  depth?: number;
  /** @default 0.1 */
  learningRate?: number;
  /** Minimum sum of weight · p · (1 - p) over the rows of a leaf, above zero. @default 1 */
  minLeafWeight?: number;
  /** Added to that sum when the value of a leaf is computed. @default 1 */
  l2?: number;
  /** Maximum number of bins of a feature, 2 to 255. @default 255 */
  bins?: number;
  /** Share of the features that a tree may use. @default 1 */
  featureShare?: number;
  /** Share of the rows that a tree is grown on. @default 1 */
  rowShare?: number;
  /** @default 0 */
  seed?: number;
}

/**
 * Trains a model. Without rows it gives probability 0.5. With rows of a single class it has no trees, and the
 * bias is that of the class with half a row of the other class added.
 */
export function trainBoostedTrees(set: WeightedSet, options: BoostedTreesOptions = {}): BoostedTrees {
  const growing = growTrees(set, options);
  for (;;) {
    const step = growing.next();
    if (step.done) return step.value;
  }
}

/**
 * Trains the same trees and awaits a callback after each one, so that other work can run. An exception of the
 * callback ends the training.
 */
export async function growBoostedTrees(
  set: WeightedSet,
  options: BoostedTreesOptions,
  onTree: () => Promise<void> | void,
): Promise<BoostedTrees> {
  const growing = growTrees(set, options);
  for (;;) {
    const step = growing.next();
    if (step.done) return step.value;
    await onTree();
  }
}

function* growTrees(set: WeightedSet, options: BoostedTreesOptions): Generator<void, BoostedTrees> {
  const checked = checkOptions(options);
  checkWeightedSet(set);
  const [zeros, ones] = weighClasses(set);
  const parted = zeros > 0 && ones > 0;
  const bias = zeros === ones ? 0 : naturalLog(parted ? ones / zeros : (ones + 0.5) / (zeros + 0.5));
  const forest = new ForestBuilder(set.width, Number(bias.toPrecision(6)));
  if (parted) {
    const grower = new TreeGrower(set, forest.bias, checked);
    for (let tree = 0; tree < checked.trees; tree++) {
      forest.add(grower.grow(), grower);
      yield;
    }
  }
  return forest.finish();
}

function checkOptions(options: BoostedTreesOptions): Required<BoostedTreesOptions> {
  const { trees = 100, leaves = 31, depth = 6, learningRate = 0.1, minLeafWeight = 1, l2 = 1 } = options;
  const { bins = 255, featureShare = 1, rowShare = 1, seed = 0 } = options;
  const check = (name: string, value: number, holds: boolean, expected: string) => {
    if (!holds) throw new RangeError(`${name}: ${expected} expected, not ${value}`);
  };
  check('trees', trees, Number.isInteger(trees) && trees >= 0, 'a count');
  check('leaves', leaves, Number.isInteger(leaves) && leaves >= 2, '2 or more');
  check('depth', depth, Number.isInteger(depth) && depth >= 1 && depth <= 30, '1 to 30');
  check('learningRate', learningRate, learningRate > 0 && learningRate <= 1, 'above 0 to 1');
  check('minLeafWeight', minLeafWeight, minLeafWeight > 0, 'above zero');
  check('l2', l2, l2 >= 0 && Number.isFinite(l2), 'zero or more');
  check('bins', bins, Number.isInteger(bins) && bins >= 2 && bins <= 255, '2 to 255');
  check('featureShare', featureShare, featureShare > 0 && featureShare <= 1, 'above 0 to 1');
  check('rowShare', rowShare, rowShare > 0 && rowShare <= 1, 'above 0 to 1');
  check('seed', seed, Number.isInteger(seed), 'an integer');
  return { trees, leaves, depth, learningRate, minLeafWeight, l2, bins, featureShare, rowShare, seed };
}

/** Writes trees into flat arrays, level by level. */
class ForestBuilder {
  readonly bias: number;
  readonly #width: number;
  readonly #roots: number[] = [];
  readonly #depths: number[] = [];
  readonly #feature: number[] = [];
  readonly #threshold: number[] = [];
  readonly #child: number[] = [];
  readonly #value: number[] = [];
  readonly #gain: Float64Array;

  constructor(width: number, bias: number) {
    this.bias = bias;
    this.#width = width;
    this.#gain = new Float64Array(width);
  }

  /**
   * Adds a tree, even if it is a single leaf: its value is small, but later trees were fitted on top of it.
   */
  add(root: GrownNode, grower: TreeGrower): void {
    const first = this.#feature.length;
    this.#roots.push(first);
    let deepest = 0;
    const nodes = [root];
    for (let i = 0; i < nodes.length; i++) {
      const { children, feature, value, gain, depth } = nodes[i];
      deepest = Math.max(deepest, depth);
      this.#feature.push(children ? feature : 0);
      this.#threshold.push(children ? grower.thresholdOf(nodes[i]) : Number.POSITIVE_INFINITY);
      this.#child.push(first + (children ? nodes.length : i));
      this.#value.push(children ? 0 : value);
      if (!children) continue;
      nodes.push(...children);
      this.#gain[feature] += gain / 2;
    }
    this.#depths.push(deepest);
  }

  finish(): BoostedTrees {
    return {
      width: this.#width,
      bias: this.bias,
      roots: Int32Array.from(this.#roots),
      depths: Uint8Array.from(this.#depths),
      feature: Int16Array.from(this.#feature),
      threshold: Float32Array.from(this.#threshold),
      child: Int32Array.from(this.#child),
      value: Float32Array.from(this.#value),
      gain: this.#gain,
    };
  }
}
