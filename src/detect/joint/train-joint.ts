/**
 * Trains the joint model on labelled pages, in this order: labels of blocks from the gold text, weights of names, the
 * first trees, the second trees on scores of the first. A later step learns only from an earlier step's results on
 * hosts that the earlier step has not seen (three folds by host); otherwise it would trust them too much. Half of the
 * hosts with several pages are split into small groups, so that the model knows sites of every size.
 */
import * as layout from '../../kernel/block-layout.ts';
import type { BoostedTrees } from '../../learn/boosted-trees.ts';
import { type NamedRow, trainNames } from '../../learn/hashed-names.ts';
import { type BoostedTreesOptions, growBoostedTrees } from '../../learn/train-boosted-trees.ts';
import { TreeBatch } from '../../learn/tree-batch.ts';
import { randomOf } from '../../learn/tree-grower.ts';
import type { WeightedSet } from '../../learn/weighted-set.ts';
import { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';
import { BlockReader, type PageBlocks } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';
import { measureHeldOut } from './held-out.ts';
import type { JointCard, JointModel } from './joint-model.ts';
import {
  FOLDS,
  type LabelledSource,
  labelBySite,
  readLabelledPages,
  type TrainingPage,
} from './read-labelled-pages.ts';
import { SiteEvidence } from './site-evidence.ts';

/** Options of `trainJoint`. */
export interface JointTraining {
  /** Weight of the pages of each set. @default 1 */
  setWeights?: Record<string, number>;
  first?: BoostedTreesOptions;
  second?: BoostedTreesOptions;
  /** Number of features that the trees may use, the best of a first training. @default 90 and 60 */
  firstFeatures?: number;
  secondFeatures?: number;
  /** Overrides fields of the model's card. */
  card?: Partial<Pick<JointCard, 'name' | 'data' | 'date' | 'limits'>>;
  onStep?: (step: string) => void;
  /** Called often with the share of the work that is done; training waits for it, and its error ends the training. */
  onShare?: (share: number) => Promise<void> | void;
}

const CONTEXT = layout.PAGE_FEATURES + layout.SITE_FEATURES;
/** Trees of both stages; the depth is what the kernel scores fast. */
const TREES: BoostedTreesOptions = {
  trees: 100,
  leaves: 31,
  depth: 8,
  learningRate: 0.1,
  minLeafWeight: 0.5,
  l2: 5,
  bins: 63,
  featureShare: 0.35,
  rowShare: 0.5,
  seed: 1,
};
/** Short blocks that are not content are many and similar: a sample is used, weighted to represent all. */
const SHORT_WORDS = 8;
const SHORT_SHARE = 0.3;
/** Sizes in pages of the groups that hosts are split into. */
const GROUP_SIZES = [1, 2, 3, 5, 8];

/** Cumulative shares of the work after each step: reading, evidence, names, trees. */
const READ_SHARE = 0.1;
const ROWS_SHARE = 0.2;
const NAMES_SHARE = 0.3;

/** Trains a joint model on labelled pages; the same pages and options give the same model. */
export async function trainJoint(
  sources: readonly LabelledSource[],
  { setWeights = {}, onStep = () => {}, onShare = () => {}, card, ...options }: JointTraining = {},
): Promise<JointModel> {
  const parser = new Parser();
  const reader = new BlockReader();
  const firstOptions = { ...TREES, ...options.first };
  const secondOptions = { ...TREES, trees: 60, ...options.second };
  const triedOptions = { ...firstOptions, trees: 60, featureShare: 0.2 };
  const treeCount = triedOptions.trees + (FOLDS + 1) * (firstOptions.trees ?? 0) + (secondOptions.trees ?? 0);
  let treesDone = 0;
  const onTree = () => onShare(NAMES_SHARE + ((1 - NAMES_SHARE) * ++treesDone) / treeCount);
  const onRead = (read: number) => onShare((READ_SHARE * read) / sources.length);
  const read = await readLabelledPages(sources, parser, reader, setWeights, onRead);
  onStep(`${read.length} pages read`);

  const groups = groupPages(read);
  const pages = groups.flat();
  for (const [k, group] of groups.entries()) {
    fillRows(group, parser, reader);
    await onShare(READ_SHARE + ((ROWS_SHARE - READ_SHARE) * (k + 1)) / groups.length);
  }
  for (const page of pages)
    if (page.text === undefined && !page.classes) labelBySite(page, setWeights[page.set] ?? 1);
  onStep('evidence counted');
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = namesOf(pages.filter((page) => page.fold !== fold));
    for (const page of pages) if (page.fold === fold) putNames(page, weights);
  }
  const names = namesOf(pages);
  onStep('names weighed');
  await onShare(NAMES_SHARE);

  const all = Array.from({ length: CONTEXT }, (_, column) => column);
  const tried = await train(pages, all, triedOptions, onTree);
  const byGain = all.sort((a, b) => tried.gain[b] - tried.gain[a] || a - b);
  const firstColumns = byGain.slice(0, options.firstFeatures ?? 90).sort((a, b) => a - b);
  const scores = new Map<TrainingPage, Float32Array>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const others = pages.filter((page) => page.fold !== fold);
    const trees = await train(others, firstColumns, firstOptions, onTree);
    const batch = new TreeBatch(trees);
    for (const page of pages) if (page.fold === fold) scores.set(page, scorePage(batch, page));
    batch.release();
    onStep(`first trees, fold ${fold + 1} of ${FOLDS}`);
  }
  const figures = measureHeldOut(pages, scores);
  const first = await train(pages, firstColumns, firstOptions, onTree);
  for (const group of groups) fillContext(group, scores, parser, reader);

  const context = Array.from({ length: layout.CONTEXT_FEATURES }, (_, k) => CONTEXT + k);
  const secondColumns = [...byGain.slice(0, options.secondFeatures ?? 60), ...context].sort((a, b) => a - b);
  const second = await train(pages, secondColumns, secondOptions, onTree);
  onStep('second trees');
  return { names, first, second, card: { ...cardOf(pages, firstOptions), ...card, figures } };
}

/** Mean weight that rows are scaled to. */
const MEAN_WEIGHT = 0.03;

function namesOf(pages: readonly TrainingPage[]): Int8Array {
  const groups = pages.map(({ buckets, labels, weights }) =>
    buckets.map(
      (own, block): NamedRow => ({
        buckets: own,
        label: labels[block] > 0.5 ? 1 : 0,
        weight: weights[block] / MEAN_WEIGHT,
      }),
    ),
  );
  return trainNames(groups, { unit: layout.NAME_WEIGHT_UNIT, buckets: 2 ** layout.NAME_BUCKET_BITS });
}

/**
 * Groups of pages that are judged together: whole sites, all pages of a host, or a few of them. A page labelled by reading is
 * in two groups: its whole site, and a few pages.
 */
function groupPages(pages: TrainingPage[]): TrainingPage[][] {
  const sites = new Map<string, TrainingPage[]>();
  const hosts = new Map<string, TrainingPage[]>();
  const add = (to: Map<string, TrainingPage[]>, key: string, page: TrainingPage) => {
    const group = to.get(key);
    if (group) group.push(page);
    else to.set(key, [page]);
  };
  for (const page of pages) {
    const { set, site } = page;
    if (page.text === undefined) add(sites, site, page);
    if (page.classes) add(hosts, `${set} ${site}`, { ...page, set: `${set}, few pages` });
    else if (page.text !== undefined) add(hosts, `${set} ${site}`, page);
  }
  const random = randomOf(7);
  const groups = [...sites.values()];
  for (const host of hosts.values()) {
    if (!host[0].classes && (host.length < 4 || random() < 0.5)) {
      groups.push(host);
      continue;
    }
    const size = GROUP_SIZES[Math.floor(random() * GROUP_SIZES.length)];
    const left = [...host];
    while (left.length > 0) {
      const group: TrainingPage[] = [];
      while (group.length < size && left.length > 0) {
        group.push(...left.splice(Math.floor(random() * left.length), 1));
      }
      groups.push(group);
    }
  }
  return groups;
}

/** Counts the pages of a group, then calls `use` for each page with the reader filled. */
function withEvidence(
  group: readonly TrainingPage[],
  parser: Parser,
  reader: BlockReader,
  ...uses: ((page: TrainingPage, tree: Tree, blocks: PageBlocks, evidence: SiteEvidence) => void)[]
): void {
  const evidence = new SiteEvidence(reader);
  const each = (use: (page: TrainingPage, tree: Tree, blocks: PageBlocks) => void) => {
    for (const page of group) {
      const tree = parser.parse(page.source);
      use(page, tree, reader.read(tree, page.url));
    }
  };
  each((_, tree, blocks) => evidence.count(tree, blocks));
  evidence.finish();
  for (const use of uses) each((page, tree, blocks) => use(page, tree, blocks, evidence));
  evidence.release();
}

function fillRows(group: readonly TrainingPage[], parser: Parser, reader: BlockReader): void {
  withEvidence(group, parser, reader, (page, tree, blocks, evidence) => {
    evidence.addTo(tree, blocks, true);
    page.rows = blocks.rows.slice();
  });
}

function putNames({ count, buckets, rows }: TrainingPage, weights: Int8Array): void {
  for (let block = 0; block < count; block++) {
    let sum = 0;
    for (const bucket of buckets[block]) sum += weights[bucket];
    rows[block * layout.ROW_FLOATS + FEATURE.names] = sum * layout.NAME_WEIGHT_UNIT;
  }
}

/** Adds the features that come from the first scores. */
function fillContext(
  group: readonly TrainingPage[],
  scores: Map<TrainingPage, Float32Array>,
  parser: Parser,
  reader: BlockReader,
): void {
  const { kernel } = reader;
  const most = group.reduce((count, page) => Math.max(count, page.count), 1);
  const at = kernel.heap.take(4 * most);
  const load = (page: TrainingPage) => {
    new Float32Array(kernel.memory.buffer, at, page.count).set(scores.get(page)!);
  };
  withEvidence(
    group,
    parser,
    reader,
    (page, _tree, _blocks, evidence) => {
      load(page);
      evidence.countScores(at);
    },
    (page, tree, blocks, evidence) => {
      load(page);
      kernel.functions.addContext(evidence.address, reader.address, tree.address, at);
      for (let block = 0; block < page.count; block++) {
        const from = block * layout.ROW_FLOATS + CONTEXT;
        page.rows.set(blocks.rows.subarray(from, from + layout.CONTEXT_FEATURES), from);
      }
    },
  );
  kernel.heap.release(at);
}

function scorePage(batch: TreeBatch, { count, rows }: TrainingPage): Float32Array {
  const scores = new Float64Array(count);
  const offsets = Int32Array.from({ length: count }, (_, block) => block * layout.ROW_FLOATS);
  batch.score(rows, offsets, count, scores);
  return Float32Array.from(scores);
}

/** Trains trees on some columns of the rows; the trees refer to columns of a whole row. */
async function train(
  pages: readonly TrainingPage[],
  columns: number[],
  options: BoostedTreesOptions,
  onTree: () => Promise<void> | void,
): Promise<BoostedTrees> {
  const trees = await growBoostedTrees(trainingSet(pages, columns), options, onTree);
  const gain = new Float64Array(layout.FEATURE_FLOATS);
  for (const [k, column] of columns.entries()) gain[column] = trees.gain[k];
  return { ...trees, width: layout.FEATURE_FLOATS, feature: trees.feature.map((k) => columns[k]), gain };
}

function trainingSet(pages: readonly TrainingPage[], columns: number[]): WeightedSet {
  const random = randomOf(1);
  const examples: { page: TrainingPage; block: number; label: number; weight: number }[] = [];
  for (const page of pages) {
    for (let block = 0; block < page.count; block++) {
      const label = page.labels[block];
      let weight = page.weights[block];
      if (weight === 0) continue;
      if (page.words[block] < SHORT_WORDS && label < 0.5) {
        if (random() >= SHORT_SHARE) continue;
        weight /= SHORT_SHARE;
      }
      // a partly gold block is an example of both classes
      if (label > 0.04) examples.push({ page, block, label: 1, weight: weight * (label < 0.96 ? label : 1) });
      if (label < 0.96)
        examples.push({ page, block, label: 0, weight: weight * (label > 0.04 ? 1 - label : 1) });
    }
  }
  const width = columns.length;
  const rows = new Float32Array(examples.length * width);
  for (const [k, { page, block }] of examples.entries()) {
    const from = block * layout.ROW_FLOATS;
    for (let column = 0; column < width; column++)
      rows[k * width + column] = page.rows[from + columns[column]];
  }
  return {
    rows,
    width,
    classes: Uint8Array.from(examples, ({ label }) => label),
    weights: Float64Array.from(examples, ({ weight }) => weight),
  };
}

function cardOf(pages: readonly TrainingPage[], { trees = 0, leaves = 0 }: BoostedTreesOptions): JointCard {
  const sets = [...new Set(pages.map(({ set }) => set))].sort();
  return {
    name: 'joint',
    data: `labelled pages of ${sets.join(', ')}`,
    pages: pages.length,
    hosts: new Set(pages.map(({ site }) => site)).size,
    rows: pages.reduce((sum, { count }) => sum + count, 0),
    settings: { folds: FOLDS, trees, leaves },
    limits:
      'Most labelled pages are news and blogs in European languages, one column of prose. Forums, shops and listings are fewer, and scripts without spaces are few.',
  };
}
