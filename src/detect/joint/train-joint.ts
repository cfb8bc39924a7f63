/**
 * Trains the joint model on labelled pages. In turn: labels of blocks from the gold text, weights of names, the first
 * trees, the second trees on the first ones' scores. What a later step learns from an earlier one is always told of
 * pages whose hosts the earlier one has not seen (three folds by host), or it would trust it too much. Half of the hosts
 * with several pages are cut into small groups, so that the model knows sites of every size.
 */
import { createHash } from 'node:crypto';
import { segmentWords } from '../../analysis/word-scanner.ts';
import * as layout from '../../kernel/block-layout.ts';
import type { BoostedTrees } from '../../learn/boosted-trees.ts';
import { type NamedRow, trainNames } from '../../learn/hashed-names.ts';
import { type BoostedTreesOptions, trainBoostedTrees } from '../../learn/train-boosted-trees.ts';
import { TreeBatch } from '../../learn/tree-batch.ts';
import { randomOf } from '../../learn/tree-grower.ts';
import type { WeightedSet } from '../../learn/weighted-set.ts';
import { decodeReferences } from '../../parse/character-references.ts';
import { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';
import { alignBlocks } from './align-gold.ts';
import { BlockReader, type PageBlocks } from './block-reader.ts';
import { FEATURE } from './feature-names.ts';
import type { JointCard, JointModel } from './joint-model.ts';
import { SiteEvidence } from './site-evidence.ts';

/** A page with its gold. */
export interface LabelledSource {
  url: string;
  site: string;
  set: string;
  source: Uint8Array;
  /** The main content. */
  text: string;
}

export interface JointTraining {
  /** How much the pages of a set count. @default 1 */
  setWeights?: Record<string, number>;
  first?: BoostedTreesOptions;
  second?: BoostedTreesOptions;
  /** Features that the trees may use, the best of a first try. @default 90 and 60 */
  firstFeatures?: number;
  secondFeatures?: number;
  onStep?: (step: string) => void;
}

const FOLDS = 3;
const CONTEXT = layout.PAGE_FEATURES + layout.SITE_FEATURES;
/** Trees of both stages; depth is what the kernel scores fast. */
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
/** A page whose gold its blocks cannot make is no example: text that is not on the page, or a wrong page. */
const LEAST_CEILING = 0.6;
const LEAST_GOLD_WORDS = 5;
/** Short blocks that are not content are many and alike: some are enough, and count for all. */
const SHORT_WORDS = 8;
const SHORT_SHARE = 0.3;
/** Sizes of the groups that hosts are cut into. */
const GROUP_SIZES = [1, 2, 3, 5, 8];
const MOST_BUCKETS = 4096;

interface TrainingPage extends LabelledSource {
  fold: number;
  count: number;
  /** By block: words, share that is gold, weight, buckets of its names. */
  words: Int32Array;
  labels: Float32Array;
  weights: Float32Array;
  buckets: Uint16Array[];
  rows: Float32Array;
}

export function trainJoint(
  sources: Iterable<LabelledSource>,
  { setWeights = {}, onStep = () => {}, ...options }: JointTraining = {},
): JointModel {
  const parser = new Parser();
  const reader = new BlockReader();
  const pages = readPages(sources, parser, reader, setWeights);
  onStep(`${pages.length} pages read`);

  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = namesOf(pages.filter((page) => page.fold !== fold));
    for (const page of pages) if (page.fold === fold) page.weighNames = weights;
  }
  const names = namesOf(pages);
  onStep('names weighed');
  const groups = groupPages(pages);
  for (const group of groups) fillRows(group, parser, reader);
  onStep('evidence counted');

  const firstOptions = { ...TREES, ...options.first };
  const all = Array.from({ length: CONTEXT }, (_, column) => column);
  const tried = train(pages, all, { ...firstOptions, trees: 60, featureShare: 0.2 });
  const byGain = all.sort((a, b) => tried.gain[b] - tried.gain[a] || a - b);
  const firstColumns = byGain.slice(0, options.firstFeatures ?? 90).sort((a, b) => a - b);
  const scores = new Map<TrainingPage, Float32Array>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const trees = train(
      pages.filter((page) => page.fold !== fold),
      firstColumns,
      firstOptions,
    );
    const batch = new TreeBatch(trees);
    for (const page of pages) if (page.fold === fold) scores.set(page, scorePage(batch, page));
    batch.release();
    onStep(`first trees, fold ${fold + 1} of ${FOLDS}`);
  }
  const first = train(pages, firstColumns, firstOptions);
  for (const group of groups) fillContext(group, scores, parser, reader);

  const context = Array.from({ length: layout.CONTEXT_FEATURES }, (_, k) => CONTEXT + k);
  const secondColumns = [...byGain.slice(0, options.secondFeatures ?? 60), ...context].sort((a, b) => a - b);
  const second = train(pages, secondColumns, { ...TREES, trees: 60, ...options.second });
  onStep('second trees');
  return { names, first, second, card: cardOf(pages, firstOptions) };
}

type WeighedPage = TrainingPage & { weighNames?: Int8Array };

function readPages(
  sources: Iterable<LabelledSource>,
  parser: Parser,
  reader: BlockReader,
  setWeights: Record<string, number>,
): WeighedPage[] {
  const numbers = new Map<string, number>();
  const pages: WeighedPage[] = [];
  const pagesOfHost = new Map<string, number>();
  for (const source of sources) {
    const tree = parser.parse(source.source);
    const blocks = reader.read(tree, source.url);
    const words = blockWords(tree, blocks).map((text) => numberWords(text, numbers));
    const gold = numberWords(source.text, numbers);
    const labels = alignBlocks(words, gold);
    const host = `${source.set} ${source.site}`;
    pagesOfHost.set(host, (pagesOfHost.get(host) ?? 0) + 1);
    pages.push({
      ...source,
      fold: createHash('sha256').update(source.site).digest().readUInt32BE(0) % FOLDS,
      count: blocks.count,
      words: Int32Array.from(words, ({ length }) => length),
      labels,
      weights: weigh(words, labels, gold),
      buckets: listBuckets(tree, blocks, reader),
      rows: new Float32Array(0),
    });
  }
  for (const page of pages) {
    // many pages of a host are alike
    const factor = (pagesOfHost.get(`${page.set} ${page.site}`) ?? 1) ** -0.5 * (setWeights[page.set] ?? 1);
    for (let block = 0; block < page.count; block++) page.weights[block] *= factor;
  }
  return pages;
}

const decoder = new TextDecoder();

/** The texts of a page's blocks. */
export function blockWords(tree: Tree, { count, records }: PageBlocks): string[] {
  return Array.from({ length: count }, (_, block) => {
    const record = block * layout.BLOCK_RECORD_WORDS;
    const start = tree.textStart[records[record + layout.BLOCK_FIRST_TEXT]];
    const end = tree.textStart[records[record + layout.BLOCK_LAST_TEXT] + 1];
    return decodeReferences(decoder.decode(tree.text.subarray(start, end)));
  });
}

function numberWords(text: string, numbers: Map<string, number>): Int32Array {
  return Int32Array.from(segmentWords(text), (word) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  });
}

/** A block weighs as much as its words are of the gold text; a page with little gold weighs at most 6. */
function weigh(words: readonly Int32Array[], labels: Float32Array, gold: Int32Array): Float32Array {
  const weights = Float32Array.from(words, ({ length }) => (1.5 * (length + 1)) / (gold.length + 30));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let right = 0;
  let kept = 0;
  for (const [block, { length }] of words.entries()) {
    if (labels[block] <= 0.5) continue;
    kept += length;
    right += length * labels[block];
  }
  const ceiling = (2 * right) / Math.max(1, kept + gold.length);
  if (ceiling < LEAST_CEILING || gold.length < LEAST_GOLD_WORDS) return weights.fill(0);
  return sum > 6 ? weights.map((weight) => (weight * 6) / sum) : weights;
}

function listBuckets(
  tree: Tree,
  { count, records }: PageBlocks,
  { kernel, address }: BlockReader,
): Uint16Array[] {
  const out = kernel.heap.take(4 * MOST_BUCKETS);
  const byLeaf = new Map<number, Uint16Array>();
  const lists = Array.from({ length: count }, (_, block) => {
    const leaf = records[block * layout.BLOCK_RECORD_WORDS + layout.BLOCK_LEAF];
    const known = byLeaf.get(leaf);
    if (known) return known;
    const size = kernel.functions.listNameBuckets(address, tree.address, leaf, out, MOST_BUCKETS);
    const list = Uint16Array.from(new Uint32Array(kernel.memory.buffer, out, size));
    byLeaf.set(leaf, list);
    return list;
  });
  kernel.heap.release(out);
  return lists;
}

/** Weights of rows are of the order of one here. */
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

/** Pages that are judged together: those of a host, or a few of them. */
function groupPages(pages: WeighedPage[]): WeighedPage[][] {
  const hosts = new Map<string, WeighedPage[]>();
  for (const page of pages) {
    const host = `${page.set} ${page.site}`;
    hosts.set(host, [...(hosts.get(host) ?? []), page]);
  }
  const random = randomOf(7);
  const groups: WeighedPage[][] = [];
  for (const host of hosts.values()) {
    if (host.length < 4 || random() < 0.5) {
      groups.push(host);
      continue;
    }
    const size = GROUP_SIZES[Math.floor(random() * GROUP_SIZES.length)];
    const left = [...host];
    while (left.length > 0) {
      const group: WeighedPage[] = [];
      while (group.length < size && left.length > 0) {
        group.push(...left.splice(Math.floor(random() * left.length), 1));
      }
      groups.push(group);
    }
  }
  return groups;
}

/** Counts the pages of a group, then calls `use` for each with the reader filled. */
function withEvidence(
  group: readonly WeighedPage[],
  parser: Parser,
  reader: BlockReader,
  ...uses: ((page: WeighedPage, tree: Tree, blocks: PageBlocks, evidence: SiteEvidence) => void)[]
): void {
  const evidence = new SiteEvidence(reader);
  const each = (use: (page: WeighedPage, tree: Tree, blocks: PageBlocks) => void) => {
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

function fillRows(group: readonly WeighedPage[], parser: Parser, reader: BlockReader): void {
  withEvidence(group, parser, reader, (page, tree, blocks, evidence) => {
    evidence.addTo(tree, true);
    page.rows = blocks.rows.slice();
    for (let block = 0; block < page.count; block++) {
      let sum = 0;
      for (const bucket of page.buckets[block]) sum += page.weighNames![bucket];
      page.rows[block * layout.ROW_FLOATS + FEATURE.names] = sum * layout.NAME_WEIGHT_UNIT;
    }
  });
}

/** Adds what the first scores tell. */
function fillContext(
  group: readonly WeighedPage[],
  scores: Map<TrainingPage, Float32Array>,
  parser: Parser,
  reader: BlockReader,
): void {
  const { kernel } = reader;
  const most = group.reduce((count, page) => Math.max(count, page.count), 1);
  const at = kernel.heap.take(4 * most);
  const load = (page: WeighedPage) => {
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

/** Trains trees on some columns of the rows; the model's features are columns of a whole row. */
function train(
  pages: readonly TrainingPage[],
  columns: number[],
  options: BoostedTreesOptions,
): BoostedTrees {
  const trees = trainBoostedTrees(trainingSet(pages, columns), options);
  const gain = new Float64Array(layout.ROW_FLOATS);
  for (const [k, column] of columns.entries()) gain[column] = trees.gain[k];
  return { ...trees, width: layout.ROW_FLOATS, feature: trees.feature.map((k) => columns[k]), gain };
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
      // a block that is partly gold is an example of both
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
