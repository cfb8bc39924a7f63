/**
 * Trains and tunes the packaged model on cached tables (page-tables.ts):
 *
 *     npx tsx bench/page-tuning.ts train MODEL.json TABLES…    labels, lexicon, trees, calibration
 *     npx tsx bench/page-tuning.ts tune MODEL.json TABLES…     settings of smoothing and level on hosts of the even half
 *     npx tsx bench/page-tuning.ts score MODEL.json TABLES…    content F1 by words of the odd half, by set and type
 *
 * Labels come from the sites alone (page-labels.ts). With HOLD_OUT=odd, hosts of that half of the sets with
 * gold are not used for training, so that their gold measures unseen hosts; settings were tuned on a model
 * made with HOLD_OUT=even. F1 is approximate here because rendering is skipped; `chaff eval` gives the final
 * figures.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { mix32 } from '../src/analysis/byte-hash.ts';
import { FEATURE_COLUMN, FEATURES } from '../src/detect/page/feature-list.ts';
import { JUDGING_SETTINGS } from '../src/detect/page/fit-classifiers.ts';
import { ScoreNormalizer } from '../src/detect/page/normalize-scores.ts';
import { HIDE_BELOW } from '../src/detect/page/page-features.ts';
import {
  type AreaClass,
  areaClassOf,
  decodePageModel,
  encodePageModel,
  PAGE_MODEL_VERSION,
  type PageModel,
} from '../src/detect/page/page-model.ts';
import { ReplyShape } from '../src/detect/page/replies.ts';
import { RowScorer } from '../src/detect/page/row-scorer.ts';
import { hostHalf } from '../src/evaluate/gold.ts';
import { scoreTrees } from '../src/learn/boosted-trees.ts';
import { trainCalibration } from '../src/learn/calibration.ts';
import { TreeSmoother } from '../src/learn/smooth-tree.ts';
import { type BoostedTreesOptions, trainBoostedTrees } from '../src/learn/train-boosted-trees.ts';
import type { WeightedSet } from '../src/learn/weighted-set.ts';
import { TREE_DEFAULTS } from '../src/run/train-run.ts';
import { applyLexicon, overlap } from './page-experiment.ts';
import { labelOf, learnNames, learnReplyNames } from './page-labels.ts';
import type { CachedPage } from './page-tables.ts';

const WIDTH = FEATURES.length;
const PARTS = 4;
const ROWS_PER_SITE = Number(process.env.SITE_ROWS ?? 1000);
const TREES: BoostedTreesOptions = {
  ...TREE_DEFAULTS,
  trees: Number(process.env.TREES ?? TREE_DEFAULTS.trees),
};

/** Features that are excluded from training, because they identify a site rather than a node. */
const LEFT_OUT = (process.env.LEFT_OUT ?? '').split(',').filter((name) => name !== '');

const [command, modelFile, ...tables] = process.argv.slice(2);
const pages: CachedPage[] = tables.flatMap((file) => deserialize(readFileSync(file)) as CachedPage[]);
if (command === 'train') writeFileSync(modelFile, encodePageModel(train(pages.filter(isLearntFrom))));
else if (command === 'tune') tune(decodePageModel(readFileSync(modelFile, 'utf8')), pages);
else score(decodePageModel(readFileSync(modelFile, 'utf8')), pages);

interface Row {
  page: CachedPage;
  row: number;
  site: number;
  class: number;
}

function isLearntFrom({ inGoldSet, site }: CachedPage): boolean {
  return inGoldSet !== true || hostHalf(site) !== process.env.HOLD_OUT;
}

function train(cached: CachedPage[]): PageModel {
  const sites = new Map<string, CachedPage[]>();
  for (const page of cached) {
    const name = `${page.set} ${page.site}`;
    if (!sites.has(name)) sites.set(name, []);
    sites.get(name)!.push(page);
  }
  const groups = [...sites].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);

  // names are looked up in a lexicon trained without their site
  for (let part = 0; part < PARTS; part++) {
    const lexicon = learnNames(groups, (site) => site % PARTS === part);
    for (const [site, group] of groups.entries()) {
      if (site % PARTS === part) for (const page of group) applyLexicon(page, lexicon);
    }
  }
  const rows = groups.flatMap((group, site) => drawRows(group, site));
  // trees split by area themselves, so one model for all classes is better than four with less data each
  const judging = JUDGING_SETTINGS.trees;
  const { areaBounds } = judging;
  const classes = Array.from({ length: areaBounds.length + 1 }, (_, areaClass) =>
    fit(rows.filter(({ page, row }) => areaClassOf(page.area[row], areaBounds) === areaClass)),
  );
  const importance = new Float64Array(WIDTH);
  for (const { classifier } of classes) {
    if (classifier.kind !== 'trees') continue;
    for (const [k, gain] of classifier.model.gain.entries()) importance[k] += gain;
  }
  const all = importance.reduce((sum, gain) => sum + gain, 0);
  return {
    version: PAGE_MODEL_VERSION,
    features: FEATURES.map(({ name }) => name),
    hideBelow: HIDE_BELOW,
    classes,
    lexicon: learnNames(groups, () => false),
    replies: learnReplyNames(groups),
    ...judging,
    importance: Array.from(importance, (gain) => rounded(gain / all)),
    templateMean: meansOf(rows, 1),
    contentMean: meansOf(rows, 0),
    card: {
      name: 'page',
      date: new Date().toISOString().slice(0, 10),
      data: 'Site-level labels of 31 archived sites (blogs, news, shops, forums, wikis, government, documentation; 8 of them over years) and of the hosts with at least 2 pages in public research sets of news, blogs, catalogues and the web of today. No gold, no human labels.',
      sites: groups.length,
      pages: cached.length,
      rows: rows.length,
      settings: {
        labels:
          'dom, text or equal texts on a tenth of the pages, of sites under 8 pages equal texts on two; 85 % of the text',
        rowsPerSite: ROWS_PER_SITE,
        ...(TREES as Record<string, number>),
      },
      figures: {},
      limits:
        'Trained on HTML of 1996 to 2026, mostly English, with German, French, Russian, Greek, Polish, Chinese and others. Pages that scripts fill are judged by what their HTML holds. Listings and shops are harder than articles.',
    },
  };
}

/** Returns the rows of a site with the smallest hashes. */
function drawRows(group: CachedPage[], site: number): Row[] {
  const drawn: { row: Row; key: number }[] = [];
  for (const [number, page] of group.entries()) {
    for (let row = 0; row < page.rowCount; row++) {
      const label = labelOf(page, row);
      if (label < 0) continue;
      const key = mix32(Math.imul(number + 1, 0x9e3779b1) ^ mix32(row + site * 65_537)) >>> 0;
      drawn.push({ row: { page, row, site, class: label }, key });
    }
  }
  return drawn
    .sort((a, b) => a.key - b.key)
    .slice(0, ROWS_PER_SITE)
    .map(({ row }) => row);
}

function fit(rows: Row[]): AreaClass {
  const held = { scores: [] as number[], classes: [] as number[], weights: [] as number[] };
  // sites of one part are scored by trees trained without them
  const trees = trainBoostedTrees(toSet(rows.filter(({ site }) => site % PARTS !== 0)), TREES);
  const rest = rows.filter(({ site }) => site % PARTS === 0);
  const set = toSet(rest);
  for (let k = 0; k < rest.length; k++) {
    held.scores.push(scoreTrees(trees, set.rows, k * WIDTH));
    held.classes.push(set.classes[k]);
    held.weights.push(set.weights[k]);
  }
  return {
    classifier: { kind: 'trees', model: trainBoostedTrees(toSet(rows), TREES) },
    calibration: trainCalibration(held.scores, held.classes, held.weights, { method: 'platt' }),
  };
}

/** Weights sites by the root of their number of rows, and both classes equally. */
function toSet(rows: Row[]): WeightedSet {
  const ofSite = new Map<number, number>();
  for (const { site } of rows) ofSite.set(site, (ofSite.get(site) ?? 0) + 1);
  const set: WeightedSet = {
    width: WIDTH,
    rows: new Float32Array(rows.length * WIDTH),
    classes: Uint8Array.from(rows, (row) => row.class),
    weights: Float64Array.from(rows, ({ site }) => 20 / Math.sqrt(ofSite.get(site)!)),
  };
  const sums = [0, 0];
  for (const [k, { page, row }] of rows.entries()) {
    set.rows.set(page.values.subarray(row * WIDTH, (row + 1) * WIDTH), k * WIDTH);
    for (const name of LEFT_OUT) set.rows[k * WIDTH + FEATURE_COLUMN[name]] = 0;
    sums[set.classes[k]] += set.weights[k];
  }
  for (let k = 0; k < rows.length; k++) set.weights[k] *= (sums[0] + sums[1]) / 2 / sums[set.classes[k]];
  return set;
}

function meansOf(rows: Row[], wanted: number): number[] {
  const sums = new Float64Array(WIDTH);
  let count = 0;
  for (const { page, row, class: own } of rows) {
    if (own !== wanted) continue;
    count++;
    for (let k = 0; k < WIDTH; k++) sums[k] += page.values[row * WIDTH + k];
  }
  return Array.from(sums, (sum) => rounded(sum / Math.max(1, count)));
}

function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** Returns the smoothed scores of each page. */
function smoothAll(
  model: PageModel,
  some: CachedPage[],
  penalty: number,
  weighting: 'nodes' | 'one',
): Float64Array[] {
  const scorer = new RowScorer(model);
  const smoother = new TreeSmoother();
  return some.map((page) => {
    const { rowCount, area, parent, values } = page;
    const table = { ...page, width: WIDTH, node: parent };
    const scores = scorer.score(table);
    if (penalty < 0) return scores.slice(0, rowCount);
    const gamma = Float32Array.from(
      area,
      (own) => (penalty * Math.max(area[0], HIDE_BELOW)) / Math.max(own, HIDE_BELOW),
    );
    const weight = Float32Array.from(page.weight, (nodes, row) =>
      values[row * WIDTH + FEATURE_COLUMN.words] === 0 ? 0 : weighting === 'nodes' ? nodes : 1,
    );
    return smoother
      .smooth({ count: rowCount, parent, score: scores, weight, penalty: gamma })
      .smoothed.slice(0, rowCount);
  });
}

type Means = Map<string, { pages: number; f1: number; precision: number; recall: number }>;

function measure(some: CachedPage[], scores: Float64Array[], model: PageModel): Means {
  const leveller = new ScoreNormalizer();
  const shape = new ReplyShape();
  const replyNames = new Set(model.replies?.words);
  const means: Means = new Map();
  for (const [k, page] of some.entries()) {
    const table = { ...page, width: WIDTH, node: page.parent };
    const replies = shape.find(table, (row) =>
      page.names[row].split(' ').some((name) => replyNames.has(name)),
    );
    const levelled = model.level ? leveller.normalize(table, scores[k], model.level, replies) : scores[k];
    const figures = overlap(page, (row) => levelled[row] < model.threshold);
    for (const name of ['all', page.set, ...(page.type === '' ? [] : [`${page.set}: ${page.type}`])]) {
      const mean = means.get(name) ?? { pages: 0, f1: 0, precision: 0, recall: 0 };
      mean.pages++;
      mean.f1 += figures.f1;
      mean.precision += figures.precision;
      mean.recall += figures.recall;
      means.set(name, mean);
    }
  }
  for (const mean of means.values()) {
    mean.f1 /= mean.pages;
    mean.precision /= mean.pages;
    mean.recall /= mean.pages;
  }
  return means;
}

/** Returns the mean over the sets, with equal weight for each page type of wcxb. */
function objective(means: Means): number {
  const mean = (names: string[]) => names.reduce((sum, name) => sum + means.get(name)!.f1, 0) / names.length;
  const types = [...means.keys()].filter((name) => name.includes(': '));
  const sets = [...means.keys()].filter((name) => name !== 'all' && name !== 'wcxb' && !types.includes(name));
  return (mean(types) + sets.reduce((sum, name) => sum + means.get(name)!.f1, 0)) / (sets.length + 1);
}

function tune(model: PageModel, cached: CachedPage[]): void {
  const some = cached.filter(({ site }) => hostHalf(site) === 'even');
  for (const page of some) applyLexicon(page, model.lexicon);
  const tried: { value: number; settings: string }[] = [];
  const { level } = JUDGING_SETTINGS.trees;
  const region = level!.region!;
  const levels = [
    level!,
    ...[1.5, 2].map((margin) => ({ ...level!, margin })),
    ...[0.06, 0.1].map((least) => ({ ...level!, least })),
    ...[0, 0.8, 2].map((links) => ({ ...level!, links })),
    ...[0.6, 0.8].map((share) => ({ ...level!, region: { ...region, share } })),
    ...[0.6, 1.8].map((inside) => ({ ...level!, region: { ...region, inside } })),
    ...[0.4, 1.2].map((outside) => ({ ...level!, region: { ...region, outside } })),
  ];
  for (const penalty of [-1, 0.0002, 0.0005, 0.001]) {
    const scores = smoothAll(model, some, penalty, 'one');
    for (const one of penalty === 0.0005 ? levels : [level!]) {
      const value = objective(measure(some, scores, { ...model, level: one }));
      tried.push({ value, settings: JSON.stringify({ penalty, level: one }) });
    }
  }
  tried.sort((a, b) => b.value - a.value);
  for (const { value, settings } of tried.slice(0, 10)) console.log(value.toFixed(4), settings);
}

function score(model: PageModel, cached: CachedPage[]): void {
  const some = cached.filter(
    ({ site }) => process.env.HALF === 'all' || hostHalf(site) === (process.env.HALF ?? 'odd'),
  );
  for (const page of some) applyLexicon(page, model.lexicon);
  const means = measure(some, smoothAll(model, some, model.penalty, model.weighting ?? 'nodes'), model);
  for (const [name, { pages: count, f1, precision, recall }] of [...means].sort()) {
    console.log(`| ${name} | ${count} | ${f1.toFixed(3)} | ${precision.toFixed(3)} | ${recall.toFixed(3)} |`);
  }
  console.log(`mean of sets and types: ${objective(means).toFixed(4)}`);
}
