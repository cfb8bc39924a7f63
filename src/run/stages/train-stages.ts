/**
 * The stages that make training rows: sites are learnt and labelled, their pages are measured with name statistics from
 * other sites, all rows become one table, and models judge pages of sites that they have not seen.
 */
import { urlHash } from '../../analysis/byte-hash.ts';
import { NearDuplicateIndex } from '../../analysis/shingles.ts';
import type { TrainingTable } from '../../detect/page/fit-classifiers.ts';
import { type Lexicon, LexiconBuilder } from '../../detect/page/lexicon.ts';
import type { LabelRule } from '../../detect/page/site-labels.ts';
import { addByCode } from '../../model/totals.ts';
import { type LabelledSite, readLabelledSites, type UnusedCode } from '../tasks/site-label-task.ts';
import type { CheckModelTask, ModelPlace, Task, TrainTask } from '../tasks/task.ts';
import { type CheckedPages, readCheckedPages, readTrainingRows } from '../tasks/train-tasks.ts';
import { HEAD_WIDTH, ROW_HEAD } from '../tasks/training-rows.ts';
import { inputsOf, type PlannedContext, runOnSamples, runStage, taskName } from './run-stage.ts';

/** The labelled sites of a training, with the tasks that labelled them. */
export interface LabelledSites {
  sites: TrainingSites;
  tasks: string[];
  /** Number of sites and URLs that had fewer pages than required; they were not read. */
  tooSmall: { groups: number; urls: number };
}

/** Learns and labels the sampled pages of every site with enough pages. */
export async function labelAllSites(
  context: PlannedContext,
  {
    minPages,
    labels,
    pages,
    allPages,
  }: { minPages: number; labels: LabelRule; pages: number; allPages: boolean },
): Promise<LabelledSites> {
  const { folder, job, plan } = context;
  const large = new Set<number>();
  const tooSmall = { groups: 0, urls: 0 };
  for (const { group, urls } of plan.groupSizes()) {
    if (urls >= minPages) {
      large.add(group);
      continue;
    }
    tooSmall.groups++;
    tooSmall.urls += urls;
  }
  const work = { kind: 'label-sites' as const, labels, pagesPerGroup: pages, allPages };
  const { names: tasks } = await runOnSamples(context, 'label', work, large);
  function* labelled(): Generator<{ site: LabelledSite; models: ModelPlace }> {
    for (const name of tasks) {
      const sites = readLabelledSites(folder.taskFolder(name));
      for (const [index, site] of sites.entries()) yield { site, models: { task: name, index } };
    }
  }
  return { sites: collectSites(labelled(), job.seed), tasks, tooSmall };
}

interface MeasureOptions extends Pick<TrainTask, 'labels' | 'nodes' | 'width' | 'layout' | 'browser'> {
  /** Name statistics by part, learnt from the sites of the other parts. */
  lexicons: Lexicon[];
  siteRows: number;
  rows: number;
}

/** The training rows of all sites, with the tasks that made them. */
export interface MeasuredSites {
  blocks: RowBlock[];
  tasks: string[];
}

/** Makes the training rows of all pages; the name statistics of each site come from other sites. */
export async function measureAll(
  context: PlannedContext,
  sites: TrainingSites,
  { lexicons, siteRows, rows, labels, nodes, width, layout, browser }: MeasureOptions,
): Promise<MeasuredSites> {
  const { folder, job, plan } = context;
  const { groups, numbers } = sites;
  const parts = lexicons.length;
  const rowsPerGroup = Math.max(1, Math.min(siteRows, Math.floor(rows / groups.length)));
  const chunks = chunkByPages(groups, job.sample);
  const tasks = chunks.map((_, k) => taskName('train', k));
  await runStage(context, 'measure', tasks, async (k): Promise<Task> => {
    const own = groups.slice(chunks[k].first, chunks[k].end);
    const pages = plan.pagesAmong(own.flatMap((group) => group.pages));
    const byNumber = new Map(pages.map((planned) => [planned.page, planned]));
    return {
      kind: 'train',
      name: tasks[k],
      folder: folder.workPath,
      job,
      inputs: inputsOf(context, pages),
      groups: own.map(({ site, models, frequent, pages: wanted }) => ({
        models,
        frequent,
        part: numbers.get(site)! % parts,
        pages: wanted.map((page) => byNumber.get(page)!),
      })),
      lexicons,
      labels,
      nodes,
      width,
      rowsPerGroup,
      layout,
      browser,
    };
  });
  const blocks: RowBlock[] = [];
  for (const [k, { first }] of chunks.entries()) {
    const { rows: all, counts } = readTrainingRows(folder.taskFolder(tasks[k]));
    let at = 0;
    for (const [index, count] of counts.entries()) {
      const end = at + count * (HEAD_WIDTH + width);
      blocks.push({ site: numbers.get(groups[first + index].site)!, rows: all.subarray(at, end) });
      at = end;
    }
  }
  return { blocks, tasks };
}

/** Maximum number of pages of all sites that are judged again to check a model. */
const CHECKED_PAGES = 400;

/** Judges pages of every site by a model that has not seen the site, and counts those left without text. */
export async function checkHeldOut(
  context: PlannedContext,
  { groups, numbers }: TrainingSites,
  { models, layout, browser }: Pick<CheckModelTask, 'models' | 'layout' | 'browser'>,
): Promise<CheckedPages> {
  const { folder, job, plan } = context;
  const pagesPerGroup = Math.max(1, Math.floor(CHECKED_PAGES / groups.length));
  const some = groups.map((group) => ({ ...group, pages: group.pages.slice(0, pagesPerGroup) }));
  const chunks = chunkByPages(some, job.sample);
  const tasks = chunks.map((_, k) => taskName('check', k));
  await runStage(context, 'check', tasks, async (k): Promise<Task> => {
    const own = some.slice(chunks[k].first, chunks[k].end);
    const pages = plan.pagesAmong(own.flatMap((group) => group.pages));
    const byNumber = new Map(pages.map((planned) => [planned.page, planned]));
    return {
      kind: 'check-model',
      name: tasks[k],
      folder: folder.workPath,
      job,
      inputs: inputsOf(context, pages),
      groups: own.map(({ site, pages: wanted }) => ({
        part: numbers.get(site)! % models.length,
        pages: wanted.map((page) => byNumber.get(page)!),
      })),
      models,
      layout,
      browser,
    };
  });
  const checked: CheckedPages = { pages: 0, empty: 0 };
  for (const name of tasks) {
    const { pages, empty } = readCheckedPages(folder.taskFolder(name));
    checked.pages += pages;
    checked.empty += empty;
  }
  return checked;
}

/** Joins adjacent groups into tasks of about as many pages as one sample. */
function chunkByPages(groups: readonly TrainingGroup[], pages: number): { first: number; end: number }[] {
  const chunks: { first: number; end: number }[] = [];
  let size = pages;
  for (const [index, group] of groups.entries()) {
    if (size + group.pages.length > pages) {
      chunks.push({ first: index, end: index });
      size = 0;
    }
    chunks.at(-1)!.end = index + 1;
    size += group.pages.length;
  }
  return chunks;
}

/** A site snapshot with the pages to train with. */
interface TrainingGroup {
  site: string;
  models: ModelPlace;
  /** Page numbers. */
  pages: number[];
  frequent: number[];
}

/** All sites with pages to train with. */
export interface TrainingSites {
  /** Groups with pages, in the order of the plan. */
  groups: TrainingGroup[];
  /** Number of each site with pages, from 0, assigned by a hash of its name. */
  numbers: Map<string, number>;
  /** Pages that were read but not used, by reason. */
  unused: Partial<Record<UnusedCode, number>>;
  /** Number of sites in which nothing repeats. */
  withoutTemplates: number;
  names: SiteNames;
}

/** By site and name: number of elements, and how many of them are template. */
type SiteNames = Map<string, Map<string, { elements: number; template: number }>>;

/** Combines the site snapshots of the tasks; near-duplicate pages of a site are used once. */
export function collectSites(
  labelled: Iterable<{ site: LabelledSite; models: ModelPlace }>,
  seed: number,
): TrainingSites {
  const groups: TrainingGroup[] = [];
  const unused: TrainingSites['unused'] = {};
  const names: SiteNames = new Map();
  const plain = new Set<string>();
  let seen = new NearDuplicateIndex();
  let name = '';
  for (const { site, models } of labelled) {
    // the snapshots of a site are consecutive
    if (site.site !== name) seen = new NearDuplicateIndex();
    name = site.site;
    addByCode(unused, site.unused);
    if (site.unused['no-templates']) plain.add(name);
    const fresh = site.pages.filter(({ text }) => seen.add({ hashes: Float64Array.from(text) }));
    const repeated = site.pages.length - fresh.length;
    if (repeated > 0) unused['near-duplicate'] = (unused['near-duplicate'] ?? 0) + repeated;
    if (fresh.length === 0) continue;
    groups.push({ site: name, models, frequent: site.frequent, pages: fresh.map(({ page }) => page) });
    addNames(names, site);
  }
  const used = new Set(groups.map(({ site }) => site));
  const withoutTemplates = [...plain].filter((site) => !used.has(site)).length;
  return { groups, unused, names, numbers: numberSites([...used], seed), withoutTemplates };
}

function addNames(names: SiteNames, { site, names: counted }: LabelledSite): void {
  let own = names.get(site);
  if (!own) names.set(site, (own = new Map()));
  for (const [name, elements, template] of counted) {
    const counts = own.get(name);
    if (counts) {
      counts.elements += elements;
      counts.template += template;
    } else own.set(name, { elements, template });
  }
}

function numberSites(sites: string[], seed: number): Map<string, number> {
  const hashed = sites.map((site) => ({ site, hash: urlHash(site, seed) }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : a.site < b.site ? -1 : 1));
  return new Map(hashed.map(({ site }, number) => [site, number]));
}

/** Name statistics of all sites; with `without`, only of the sites of the other parts. */
export function makeLexicon(
  { names, numbers }: Pick<TrainingSites, 'names' | 'numbers'>,
  without?: { part: number; parts: number },
): Lexicon {
  const builder = new LexiconBuilder();
  for (const [site, number] of numbers) {
    if (without && number % without.parts === without.part) continue;
    for (const [name, { elements, template }] of names.get(site)!) builder.add([name], template / elements);
    builder.endSite();
  }
  return builder.build();
}

/** Some training rows of one site. */
export interface RowBlock {
  /** Number of the site. */
  site: number;
  /** Each row consists of its head and its features. */
  rows: Float32Array;
}

/** What has equal weight in training. */
export const WEIGHTINGS = ['sites', 'nodes'] as const;
/** One of `WEIGHTINGS`. */
export type Weighting = (typeof WEIGHTINGS)[number];

/** Options of `makeTable`. */
export interface TrainingTableOptions {
  /** Number of features of a row. */
  width: number;
  siteCount: number;
  areaClassOf: (area: number) => number;
  /** @default 'sites' */
  weights?: Weighting;
}

/** Makes one training table of all rows, with classes and weights. */
export function makeTable(
  blocks: readonly RowBlock[],
  { width, siteCount, areaClassOf, weights = 'sites' }: TrainingTableOptions,
): TrainingTable {
  const stride = HEAD_WIDTH + width;
  const count = blocks.reduce((sum, { rows }) => sum + rows.length / stride, 0);
  const table: TrainingTable = {
    width,
    siteCount,
    rows: new Float32Array(count * width),
    classes: new Uint8Array(count),
    weights: new Float64Array(count).fill(1),
    site: new Uint32Array(count),
    areaClass: new Uint8Array(count),
  };
  const rowsOf = new Float64Array(siteCount);
  let row = 0;
  for (const { site, rows } of blocks) {
    rowsOf[site] += rows.length / stride;
    for (let at = 0; at < rows.length; at += stride, row++) {
      table.rows.set(rows.subarray(at + HEAD_WIDTH, at + stride), row * width);
      table.classes[row] = rows[at + ROW_HEAD.class];
      table.areaClass[row] = areaClassOf(rows[at + ROW_HEAD.area]);
      table.site[row] = site;
    }
  }
  if (weights === 'nodes') return table;
  const perSite = count / rowsOf.reduce((sites, rows) => sites + (rows > 0 ? 1 : 0), 0);
  for (row = 0; row < count; row++) table.weights[row] = perSite / rowsOf[table.site[row]];
  return table;
}
