/**
 * The first half of making training rows: the sampled pages of each site snapshot are learnt as a site and labelled.
 * The task saves the model, the pages to train with, and the counts of each element name inside templates. Unless the
 * task asks for all pages, it leaves out near-duplicates, pages of which the templates leave nothing, and whole sites
 * in which nothing repeats.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NearDuplicateIndex, Shingler } from '../../analysis/shingles.ts';
import { applyFloors } from '../../detect/confidence-fallback.ts';
import type { Detector, SiteModel } from '../../detect/detector.ts';
import { readNameTokens } from '../../detect/page/lexicon.ts';
import { FrequentTexts, TextCounter } from '../../detect/page/shared-texts.ts';
import { SiteLabeller, type SiteRanges } from '../../detect/page/site-labels.ts';
import type { SkipCode } from '../../model/problem.ts';
import { isSelected, type UrlFilter } from '../../model/url-filter.ts';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import type { PlannedGroup } from '../../store/plan.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { commitTask } from '../../store/task-parts.ts';
import { urlFilterOf } from '../job.ts';
import { type Opened, PageOpener } from '../pages/open-page.ts';
import {
  encodeModels,
  learnGroup,
  MODELS_FILE,
  makeDetectors,
  samplesOf,
  writeModelPart,
} from './learn-task.ts';
import type { SiteLabelTask, TaskContext, TaskCounts } from './task.ts';
import { TaskRecord } from './task-record.ts';

const SITES_FILE = 'labelled-sites.json';
/** Maximum number of names that are kept of one site, those of the most elements first. */
const MAX_NAMES = 4000;

/** Why a readable page is not used for training. */
export type UnusedCode =
  | SkipCode
  | 'near-duplicate'
  | 'no-templates'
  | 'not-sampled'
  | 'nothing-left'
  | 'too-few-pages';

/** The result for one site snapshot. */
export interface LabelledSite {
  site: string;
  /** Pages to train with: page number, and the smallest hashes of the text. */
  pages: { page: number; text: number[] }[];
  /** Numbers of unused pages by reason. */
  unused: Partial<Record<UnusedCode, number>>;
  /** Each name with its number of elements, and how many of them are template. */
  names: [name: string, elements: number, template: number][];
  /** Hashes of the texts that recur on its pages; empty for the rule `html`. */
  frequent: number[];
}

/** Labels the sampled pages of a task's site snapshots; runs a `SiteLabelTask`. */
export async function labelSites(task: SiteLabelTask, context: TaskContext): Promise<TaskCounts> {
  const record = new TaskRecord();
  const labeller = new GroupLabeller(task, context, record);
  await commitTask(task, async (draft) => {
    const sites: LabelledSite[] = [];
    const models: Uint8Array[] = [];
    for (const group of task.groups) {
      const labelled = await labeller.label(group);
      sites.push(labelled.site);
      models.push(...labelled.models);
    }
    record.finish(draft, () => {
      writeModelPart(join(draft, MODELS_FILE), models);
      writeFileSync(join(draft, SITES_FILE), JSON.stringify(sites));
    });
  });
  return record.counts;
}

/** Reads the results of a task, in the order of its groups. */
export function readLabelledSites(folder: string): LabelledSite[] {
  return JSON.parse(readFileSync(join(folder, SITES_FILE), 'utf8')) as LabelledSite[];
}

class GroupLabeller {
  readonly #task: SiteLabelTask;
  readonly #context: TaskContext;
  readonly #record: TaskRecord;
  readonly #opener: PageOpener;
  /** The detector dom, and text for the rule `any`. */
  readonly #detectors: Detector[];
  readonly #names = new NameCounter();
  readonly #shingler = new Shingler();
  /** Selects the pages to train with; the site is learnt from other pages too. */
  readonly #filter: UrlFilter;

  constructor(task: SiteLabelTask, context: TaskContext, record: TaskRecord) {
    this.#task = task;
    this.#context = context;
    this.#record = record;
    this.#opener = new PageOpener({ ...task, clock: record.clock, arena: context.arena });
    this.#detectors = makeDetectors(task.job);
    this.#filter = urlFilterOf(task.job);
  }

  async label({ group, site }: PlannedGroup): Promise<{ site: LabelledSite; models: Uint8Array[] }> {
    const { job, samples, pagesPerGroup } = this.#task;
    const context = this.#context;
    const record = this.#record;
    const { clock } = record;
    const opener = this.#opener;
    const candidates = samplesOf(group, samples);
    const learning = { detectors: this.#detectors, job, opener, hold: true, clock, context };
    const { models, pages: learnt } = await learnGroup(site, { pages: candidates }, learning);
    const evidence: GroupEvidence = { models, seen: new NearDuplicateIndex() };
    const frequent = await this.#countTexts(candidates, learnt);
    if (frequent) evidence.frequent = new FrequentTexts(frequent);
    const labelled: LabelledSite = { site, pages: [], unused: {}, names: [], frequent: frequent ?? [] };
    let left = learnt;
    for (const planned of candidates) {
      if (left === 0 || labelled.pages.length === pagesPerGroup) break;
      context.onPage(planned.page);
      clock.start();
      const opened = opener.open(planned);
      if (opened.kind === 'page') left--;
      if (!isSelected(planned.url, this.#filter)) {
        labelled.unused.filtered = (labelled.unused.filtered ?? 0) + 1;
        continue;
      }
      let unused: UnusedCode | undefined;
      const outcome = opener.attempt(planned, opened, {
        failure: 'could not be labelled',
        work: (parsed) => {
          const verdict = this.#judge(parsed, evidence);
          if (typeof verdict === 'string') unused = verdict;
          else labelled.pages.push({ page: planned.page, text: verdict });
          clock.lap('label');
        },
      });
      record.addProblems(outcome.problems);
      const isUsed = labelled.pages.at(-1)?.page === planned.page;
      if (outcome.kind === 'skip' && !isUsed) record.countSkip((unused = outcome.code));
      if (unused) labelled.unused[unused] = (labelled.unused[unused] ?? 0) + 1;
      else if (opened.kind === 'page') record.countPage(opened);
      await context.pause();
    }
    opener.letGo();
    labelled.names = this.#names.take();
    return { site: labelled, models: encodeModels(this.#detectors, models) };
  }

  /** Hashes of the texts that recur on the sampled pages; undefined when the rule does not need them. */
  async #countTexts(candidates: PlannedPage[], learnt: number): Promise<number[] | undefined> {
    if (this.#task.labels !== 'any') return undefined;
    const context = this.#context;
    const { clock } = this.#record;
    const counter = new TextCounter();
    let left = learnt;
    for (const planned of candidates) {
      if (left === 0) break;
      context.onPage(planned.page);
      clock.start();
      const opened = this.#opener.open(planned);
      if (opened.kind === 'skip') continue;
      left--;
      counter.add(opened.tree);
      clock.lap('learn');
      await context.pause();
    }
    return counter.frequent();
  }

  /** The text hashes of a page, or the reason to leave it out. */
  #judge(
    parsed: Opened & { kind: 'page' },
    { models, seen, frequent }: GroupEvidence,
  ): number[] | UnusedCode {
    const { allPages } = this.#task;
    if (!allPages && models[0].templates.length === 0) return 'no-templates';
    const labels = this.#detectors.map((detector, k) => detector.label(parsed, models[k]));
    const evidence = { dom: labels[0], text: labels[1], frequent };
    if (allPages) {
      this.#names.count(parsed.tree, evidence);
      return [];
    }
    const { ranges, problem } = applyFloors(parsed, models[0], labels[0], {
      minSitePages: 0,
      fallback: 'unsure',
    });
    if (problem) return 'nothing-left';
    const { hashes } = this.#shingler.ofTree(parsed.tree, ranges);
    if (!seen.add({ hashes })) return 'near-duplicate';
    this.#names.count(parsed.tree, evidence);
    return [...hashes];
  }
}

interface GroupEvidence {
  models: SiteModel[];
  seen: NearDuplicateIndex;
  frequent?: FrequentTexts;
}

/** Counts the element names of a site, and how many of those elements are template. */
class NameCounter {
  readonly #labeller = new SiteLabeller();
  #nodes = new Int32Array(0);
  #counts = new Map<string, { elements: number; template: number }>();

  count(tree: Tree, evidence: SiteRanges): void {
    const { nodeCount, kind, last, textStart } = tree;
    if (this.#nodes.length < nodeCount) this.#nodes = new Int32Array(nodeCount * 2);
    let size = 0;
    for (let node = 0; node < nodeCount; node++) {
      if (kind[node] === ELEMENT && textStart[last[node]] > textStart[node]) this.#nodes[size++] = node;
    }
    const classes = this.#labeller.label(tree, evidence, this.#nodes, size);
    for (let k = 0; k < size; k++) {
      for (const name of new Set(readNameTokens(tree, this.#nodes[k]))) {
        let counts = this.#counts.get(name);
        if (!counts) this.#counts.set(name, (counts = { elements: 0, template: 0 }));
        counts.elements++;
        counts.template += classes[k];
      }
    }
  }

  /** Returns the counted names, most elements first, and restarts the count. */
  take(): LabelledSite['names'] {
    const names = [...this.#counts].map(([name, { elements, template }]): LabelledSite['names'][number] => [
      name,
      elements,
      template,
    ]);
    this.#counts = new Map();
    return names.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, MAX_NAMES);
  }
}
