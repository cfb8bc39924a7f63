/**
 * Reclassification (Leśniak 2017, section 2.3): a small classifier is trained on the stretches that the bit
 * patterns classified, on this page alone, and then classifies all stretches. Rows that differ only in class
 * are dropped from training. If training has a single class, that class is the answer.
 */
import type { PlacedTokens } from '../../analysis/page-tokens.ts';
import { randomForest } from '../../learn/random-forest.ts';
import {
  balance,
  type Classifier,
  dropConflicts,
  limitRows,
  type TrainingSet,
} from '../../learn/training-set.ts';
import { readAttribute } from '../../parse/attributes.ts';
import { TAG } from '../../parse/tag-names.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import { LINE_CHARACTERS, LineDensity } from '../../research/thesis/line-density.ts';
import type { LabelPhase } from '../detector.ts';
import type { TextStretch } from './cross-ranges.ts';
import type { CrossOptions } from './cross-settings.ts';

/** Maximum number of classified stretches searched for conflicts, taken evenly from a page that has more. */
const MAX_KNOWN = 20_000;
/**
 * Maximum comparisons (rows times stretches) per training row; a page of a million texts trains on fewer
 * rows.
 */
const COMPARISONS_PER_ROW = 20_000;
/** Maximum comparisons of a page, which take about 20 seconds. */
const MAX_COMPARISONS = 400_000_000;
const MIN_ROWS = 50;

/** How texts are measured and classifiers are trained, in all variants. */
export interface TrainingOptions
  extends Pick<Required<CrossOptions>, 'seed' | 'lengths' | 'trainingRows' | 'neighbours' | 'trees'> {
  /** Called when a classifier has been trained, and when it has classified all stretches. */
  onPhase?: (phase: LabelPhase) => void;
}

/** Options of `voteForContent`. */
export interface ReclassifyOptions extends TrainingOptions {
  layers: 1 | 2 | 3;
  /** Trains the classifier. @default growForest */
  train?: (set: TrainingSet, options: TrainingOptions) => Classifier;
  /** Whether to train on equally many stretches of both classes. @default false */
  balanced?: boolean;
  /** Which classified stretches to train on. @default all */
  trains?: (stretch: TextStretch) => boolean;
  /**
   * Whether to classify only stretches without a class; the others get 0 or 1 by their class. @default false
   */
  unsureOnly?: boolean;
}

/**
 * Returns for each stretch the share of votes for content, in [0, 1]; undefined when there is nothing to
 * train on.
 */
export function voteForContent(
  tree: Tree,
  placed: PlacedTokens,
  stretches: readonly TextStretch[],
  options: ReclassifyOptions,
): Float64Array | undefined {
  const { layers, train = growForest, balanced = false, trains, unsureOnly = false, onPhase } = options;
  const { lengths, trainingRows } = options;
  const width = layers * FEATURES_PER_LAYER;
  const lines = lengths === 'characters' ? new LineDensity(tree, placed) : undefined;
  const writeFeatures = featureWriter(tree, stretches, measureNodes(tree, placed), { layers, lines });
  let known: number[] = [];
  let asked = 0;
  for (let i = 0; i < stretches.length; i++) {
    if (!unsureOnly || stretches[i].label === 'unsure') asked++;
    if (stretches[i].label !== 'unsure' && (trains?.(stretches[i]) ?? true)) known.push(i);
  }
  const step = Math.ceil(known.length / Math.max(MAX_KNOWN, trainingRows));
  if (step > 1) known = known.filter((_, i) => i % step === 0);
  const training = new Float64Array(known.length * width);
  for (let i = 0; i < known.length; i++) writeFeatures(known[i], training, i * width);
  const classes = Uint8Array.from(known, (i) => (stretches[i].label === 'content' ? 1 : 0));
  let set = dropConflicts({ rows: training, width, classes });
  if (set.classes.length === 0) return undefined;
  if (balanced) set = balance(set);
  const comparisons = Math.min(MAX_COMPARISONS, COMPARISONS_PER_ROW * trainingRows);
  set = limitRows(set, Math.min(trainingRows, Math.max(MIN_ROWS, Math.floor(comparisons / asked))));
  const model = train(set, options);
  onPhase?.('train');
  const row = new Float64Array(width);
  const votes = Float64Array.from(stretches, ({ label }, i) => {
    if (unsureOnly && label !== 'unsure') return label === 'content' ? 1 : 0;
    writeFeatures(i, row, 0);
    return model.vote(row, 0);
  });
  onPhase?.('reclassify');
  return votes;
}

/** Trains a random forest. */
export function growForest(set: TrainingSet, { seed, trees }: TrainingOptions): Classifier {
  return randomForest(set, { seed, trees });
}

/**
 * Computes the 20 features of Leśniak 2017, Table 2.1, of a text stretch and its neighbours, and with two or
 * three layers also of its parent and its parent's parent. Link density is the share of text in links, in
 * bytes. Text density is in bytes: words per started line of 80 bytes; in characters: that of Kohlschütter
 * (line-density.ts). A missing node has zeros.
 *
 * Rows are written one at a time, because a page of a million texts needs few of them at once.
 */

/**
 * Number of features per layer: name, class, densities, words, text, tags of the node and its two neighbours,
 * and a ratio.
 */
export const FEATURES_PER_LAYER = 20;
/** Number that represents a stretch of text among the names of elements. */
const STRETCH_NAME = 1;

/** Writes the `layers × 20` features of a stretch into `rows` at index `at`. */
export type FeatureWriter = (stretch: number, rows: Float64Array, at: number) => void;

/** Options of `featureWriter`. */
export interface StretchFeatureOptions {
  /** Number of layers, 1 to 3: the stretch alone, its parent, its parent's parent. */
  layers: number;
  /** Set to measure lengths and densities in characters instead of bytes. */
  lines?: LineDensity;
}

/** Returns a function that writes the features of the stretches of a page. */
export function featureWriter(
  tree: Tree,
  stretches: readonly TextStretch[],
  statistics: NodeStatistics,
  { layers, lines }: StretchFeatureOptions,
): FeatureWriter {
  const width = layers * FEATURES_PER_LAYER;
  const classHashes = new Map<number, number>();
  const classOf = (node: number): number => {
    let hash = classHashes.get(node);
    if (hash === undefined) classHashes.set(node, (hash = hashClass(tree, node)));
    return hash;
  };
  return (i, rows, at) => {
    const stretch = stretches[i];
    rows.fill(0, at, at + width);
    // the neighbours of the stretch are other stretches of its text, otherwise the neighbours of the text
    const before = stretches[i - 1]?.node === stretch.node ? stretches[i - 1] : undefined;
    const after = stretches[i + 1]?.node === stretch.node ? stretches[i + 1] : undefined;
    if (before) writeStretch(rows, at, 0, before);
    else writeNode(rows, at, 0, statistics.previous[stretch.node]);
    writeStretch(rows, at, 1, stretch);
    if (after) writeStretch(rows, at, 2, after);
    else writeNode(rows, at, 2, statistics.next[stretch.node]);
    finishLayer(rows, at, 0);
    let node = stretch.node;
    for (let layer = 1; layer < layers; layer++) {
      node = node > 0 ? tree.parent[node] : -1;
      const from = at + layer * FEATURES_PER_LAYER;
      if (node <= 0) {
        node = 0;
        continue;
      }
      writeNode(rows, from, 0, statistics.previous[node]);
      writeNode(rows, from, 1, node);
      writeNode(rows, from, 2, statistics.next[node]);
      finishLayer(rows, from, classOf(node));
    }
  };

  function writeStretch(
    rows: Float64Array,
    from: number,
    place: number,
    { textStart, textEnd, words }: TextStretch,
  ): void {
    const length = lines ? lines.characters(textStart, textEnd) : textEnd - textStart;
    const density = lines?.of(textStart, textEnd);
    write(rows, from, place, { name: STRETCH_NAME, linkDensity: 0, length, words, tags: 0, density });
  }

  function writeNode(rows: Float64Array, from: number, place: number, node: number): void {
    if (node < 0) return;
    const { words, textBytes, linkBytes, tags } = statistics;
    const textStart = tree.textStart[node];
    const textEnd = tree.textStart[tree.last[node]];
    write(rows, from, place, {
      name: tree.kind[node] === ELEMENT ? tree.name[node] : STRETCH_NAME,
      linkDensity: textBytes[node] > 0 ? linkBytes[node] / textBytes[node] : 0,
      length: lines ? lines.characters(textStart, textEnd) : textBytes[node],
      words: words[node],
      tags: tags[node],
      density: lines?.of(textStart, textEnd),
    });
  }
}

// columns of a layer: names (3), link densities (3), text densities (3), words (3), text (3), tags (3),
// class, ratio
const CLASS_AT = 18;
const RATIO_AT = 19;

interface NodeNumbers {
  name: number;
  linkDensity: number;
  length: number;
  words: number;
  tags: number;
  /** Words per line; computed from words and length when it is absent. */
  density?: number;
}

function write(rows: Float64Array, from: number, place: number, numbers: NodeNumbers): void {
  const { name, linkDensity, length, words, tags } = numbers;
  rows[from + place] = name;
  rows[from + 3 + place] = linkDensity;
  rows[from + 6 + place] = numbers.density ?? words / Math.max(1, Math.ceil(length / LINE_CHARACTERS));
  rows[from + 9 + place] = words;
  rows[from + 12 + place] = length;
  rows[from + 15 + place] = tags;
}

function finishLayer(rows: Float64Array, from: number, classHash: number): void {
  rows[from + CLASS_AT] = classHash;
  rows[from + RATIO_AT] = rows[from + 13] / Math.max(1, rows[from + 16]);
}

/** Returns a number up to 9,999 for the sorted names of a class attribute; 0 without any. */
function hashClass(tree: Tree, node: number): number {
  const value = tree.kind[node] === ELEMENT ? readAttribute(tree, node, 'class') : undefined;
  if (!value) return 0;
  let hash = 0x811c9dc5;
  for (const name of value.split(/\s+/).filter(Boolean).sort()) {
    for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ 32, 0x01000193);
  }
  return 1 + ((hash >>> 0) % 9999);
}

/** Counts per node that the features are computed from, over the node's subtree. */
export interface NodeStatistics {
  words: Int32Array;
  textBytes: Int32Array;
  /** Bytes of text inside links. */
  linkBytes: Int32Array;
  /** Number of elements, including the node itself. */
  tags: Int32Array;
  /** Previous and next sibling that is an element or has text; -1 for none. */
  previous: Int32Array;
  next: Int32Array;
}

/** Counts words, text, links and tags inside every node, in one pass. */
export function measureNodes(tree: Tree, placed: PlacedTokens): NodeStatistics {
  const { nodeCount, kind, name, parent, last, textStart } = tree;
  const words = new Int32Array(nodeCount);
  const textBytes = new Int32Array(nodeCount);
  const linkBytes = new Int32Array(nodeCount);
  const tags = new Int32Array(nodeCount);
  const previous = new Int32Array(nodeCount).fill(-1);
  const next = new Int32Array(nodeCount).fill(-1);
  for (let i = 0; i < placed.nodeCount; i++) words[placed.treeNode[i]] = placed.wordCount[i];
  const lastChild = new Int32Array(nodeCount).fill(-1);
  for (let node = 1; node < nodeCount; node++) {
    textBytes[node] = textStart[last[node]] - textStart[node];
    if (kind[node] !== ELEMENT && textBytes[node] === 0) continue;
    const before = lastChild[parent[node]];
    previous[node] = before;
    if (before >= 0) next[before] = node;
    lastChild[parent[node]] = node;
  }
  for (let node = nodeCount - 1; node > 0; node--) {
    if (kind[node] === ELEMENT) {
      tags[node]++;
      if (name[node] === TAG.a) linkBytes[node] = textBytes[node];
    }
    tags[parent[node]] += tags[node];
    linkBytes[parent[node]] += linkBytes[node];
  }
  return { words, textBytes, linkBytes, tags, previous, next };
}
