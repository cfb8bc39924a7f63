/**
 * The 20 features of Leśniak 2017, Table 2.1, of a text stretch and its neighbours, and of its parent and
 * its parent's parent when two or three layers are asked for. Densities are Kohlschütter's: link density is
 * the share of text in links, text density the words per line of 80 characters. Text is measured in bytes. A
 * node that is missing is all zeros.
 *
 * Rows are written one at a time: a page of a million texts needs few of them at once.
 */
import { readAttribute } from '../../parse/attributes.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import type { NodeStatistics } from './node-statistics.ts';
import type { TextStretch } from './text-stretches.ts';

/** Name, class, densities, words, text, tags of the node and its two neighbours, and a ratio. */
export const FEATURES_PER_LAYER = 20;
/** The name of a stretch of text among the names of elements. */
const STRETCH_NAME = 1;
const LINE_CHARACTERS = 80;

/** Writes the `layers × 20` numbers of a stretch into `rows`, from `at`. */
export type FeatureWriter = (stretch: number, rows: Float64Array, at: number) => void;

export function featureWriter(
  tree: Tree,
  stretches: readonly TextStretch[],
  statistics: NodeStatistics,
  layers: number,
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
    // the stretch itself: its neighbours are the stretches of its text, then those of the text
    const before = stretches[i - 1]?.node === stretch.node ? stretches[i - 1] : undefined;
    const after = stretches[i + 1]?.node === stretch.node ? stretches[i + 1] : undefined;
    if (before) writeStretch(rows, at, 0, before);
    else writeNode(rows, at, 0, tree, statistics, statistics.previous[stretch.node]);
    writeStretch(rows, at, 1, stretch);
    if (after) writeStretch(rows, at, 2, after);
    else writeNode(rows, at, 2, tree, statistics, statistics.next[stretch.node]);
    finishLayer(rows, at, 0);
    let node = stretch.node;
    for (let layer = 1; layer < layers; layer++) {
      node = node > 0 ? tree.parent[node] : -1;
      const from = at + layer * FEATURES_PER_LAYER;
      if (node <= 0) {
        node = 0;
        continue;
      }
      writeNode(rows, from, 0, tree, statistics, statistics.previous[node]);
      writeNode(rows, from, 1, tree, statistics, node);
      writeNode(rows, from, 2, tree, statistics, statistics.next[node]);
      finishLayer(rows, from, classOf(node));
    }
  };
}

// a layer: names (3), link densities (3), text densities (3), words (3), text (3), tags (3), class, ratio
const CLASS_AT = 18;
const RATIO_AT = 19;

function writeStretch(rows: Float64Array, from: number, place: number, stretch: TextStretch): void {
  const bytes = stretch.textEnd - stretch.textStart;
  write(rows, from, place, STRETCH_NAME, 0, bytes, stretch.words, 0);
}

function writeNode(
  rows: Float64Array,
  from: number,
  place: number,
  tree: Tree,
  { words, textBytes, linkBytes, tags }: NodeStatistics,
  node: number,
): void {
  if (node < 0) return;
  const name = tree.kind[node] === ELEMENT ? tree.name[node] : STRETCH_NAME;
  write(rows, from, place, name, linkBytes[node], textBytes[node], words[node], tags[node]);
}

function write(
  rows: Float64Array,
  from: number,
  place: number,
  name: number,
  linkBytes: number,
  textBytes: number,
  words: number,
  tags: number,
): void {
  rows[from + place] = name;
  rows[from + 3 + place] = textBytes > 0 ? linkBytes / textBytes : 0;
  rows[from + 6 + place] = words / Math.max(1, Math.ceil(textBytes / LINE_CHARACTERS));
  rows[from + 9 + place] = words;
  rows[from + 12 + place] = textBytes;
  rows[from + 15 + place] = tags;
}

function finishLayer(rows: Float64Array, from: number, classHash: number): void {
  rows[from + CLASS_AT] = classHash;
  rows[from + RATIO_AT] = rows[from + 13] / Math.max(1, rows[from + 16]);
}

/** The names of a class attribute, sorted, as a number up to 9,999; 0 for none. */
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
