/**
 * The first stages of every run: they find the captures of the inputs and plan which pages are learnt from and
 * labelled.
 */
import { join } from 'node:path';
import { DEFAULT_PERMUTATIONS } from '../../analysis/minhash.ts';
import { readLayoutRule } from '../../model/site.ts';
import { isSelected } from '../../model/url-filter.ts';
import type { Input } from '../../read/raw-record.ts';
import { SiteChanges } from '../../store/capture-columns.ts';
import { Plan, type PlanOptions } from '../../store/plan.ts';
import { SURVEY_FILE } from '../../store/survey-part.ts';
import { layoutSite, numberLayouts } from '../../study/layout-groups.ts';
import { drawnPages, type Job, readsUnselected, urlFilterOf } from '../job.ts';
import type { Task } from '../tasks/task.ts';
import { readCounts, runStage, type StageContext, taskName } from './run-stage.ts';
import { readSignatures, type SignOptions, signAll } from './site-signatures.ts';

/** Options of `surveyAndPlan`. */
export interface SurveyOptions extends Pick<PlanOptions, 'captures'> {
  /**
   * Guess where gzip members of pages end, which saves inflating them. Only for a run that reads every planned page and
   * restarts without guesses when a stage throws a `WrongGuess`. @default false
   */
  guess?: boolean;
}

/** Surveys every input and plans the pages. */
export async function surveyAndPlan(
  context: StageContext,
  { captures, guess = false }: SurveyOptions,
): Promise<Plan> {
  const { folder, inputs, job, signal, onProgress } = context;
  const names = surveyNames(inputs);
  const tasks = inputs.map(
    (input, ordinal) => (): Task => ({
      kind: 'survey',
      name: names[ordinal],
      folder: folder.workPath,
      job,
      inputs: { [ordinal]: input },
      input: ordinal,
      guess,
    }),
  );
  await runStage(context, 'survey', names, (k) => tasks[k](), {
    bytesOf: (k) => inputs[k].sizeBytes,
    largestFirst: (k) => inputs[k].sizeBytes,
  });
  signal?.throwIfAborted();
  for (const [ordinal, input] of inputs.entries()) {
    const { checked, guessed } = readCounts(folder, names[ordinal]);
    input.checked = checked;
    input.guessed = guessed;
  }
  onProgress?.({ stage: 'plan', done: 0, total: 1, pages: 0, bytes: 0 });
  const surveys = names.map((name) => join(folder.taskFolder(name), SURVEY_FILE));
  const options: PlanOptions = {
    snapshot: job.snapshot,
    sample: drawnPages(job),
    // a limit counts selected pages: see selected-pages.ts
    limit: readsUnselected(job) ? undefined : (job.limit ?? undefined),
    captures,
    sitesChosen: { minPages: job.minSitePages, most: job.drawSites, seed: job.seed },
  };
  const sites = await splitByLayout(context, surveys, options);
  const plan = Plan.make(surveys, { ...options, sites });
  onProgress?.({ stage: 'plan', done: 1, total: 1, pages: plan.pageCount, bytes: 0 });
  return plan;
}

/** Names of the survey tasks, one per input. */
export function surveyNames(inputs: Input[]): string[] {
  return inputs.map((_, ordinal) => taskName('survey', ordinal));
}

/**
 * Applies the site rule `layout`. Before the plan is made, all pages are signed, and those of a host are grouped by
 * layout. Each group becomes a site: `host#1` has the most pages, then `host#2`. Unreadable pages stay with `host#1`;
 * the label stage skips and reports them. A limit applies to labelling: groups are made of all pages. Returns undefined
 * for other site rules.
 */
async function splitByLayout(
  context: StageContext,
  surveys: string[],
  options: PlanOptions,
): Promise<SiteChanges | undefined> {
  const { job } = context;
  const rule = readLayoutRule(job.site);
  if (!rule) return undefined;
  const signing: SignOptions = { tokens: ['paths'], permutations: DEFAULT_PERMUTATIONS };
  const plan = Plan.make(surveys, { ...options, limit: undefined });
  const planned = { ...context, plan };
  const tasks = await signAll(planned, signing);
  const sites = new SiteChanges();
  for await (const { site, pages, unsigned, signed } of readSignatures(planned, tasks, signing)) {
    const { numberOf } = numberLayouts(signed[0], { ...rule, weighted: true });
    for (let k = 0; k < pages.length; k++) sites.set(pages[k].id, layoutSite(site, numberOf[k]));
    for (const { id } of unsigned) sites.set(id, layoutSite(site, 1));
  }
  return sites;
}

/** The planned pages that `include`, `exclude` and `limit` select for labelling. */
export class SelectedPages {
  /** Numbers of the selected pages, ascending. */
  readonly numbers: readonly number[];
  /** Number of planned pages that are not selected. */
  readonly leftOut: number;
  readonly #isSelected: Uint8Array;

  private constructor(numbers: number[], pageCount: number) {
    this.numbers = numbers;
    this.leftOut = pageCount - numbers.length;
    this.#isSelected = new Uint8Array(pageCount + 1);
    for (const page of numbers) this.#isSelected[page] = 1;
  }

  /** The selection of a job; undefined when all planned pages are labelled. */
  static of(plan: Plan, job: Job): SelectedPages | undefined {
    if (!readsUnselected(job)) return undefined;
    const filter = urlFilterOf(job);
    const most = job.limit ?? Number.POSITIVE_INFINITY;
    const numbers: number[] = [];
    for (const { page, url } of plan.identities()) {
      if (numbers.length < most && isSelected(url, filter)) numbers.push(page);
    }
    return new SelectedPages(numbers, plan.pageCount);
  }

  /** The selected pages from `first` to `end` (exclusive). */
  between(first: number, end: number): number[] {
    return this.numbers.filter((page) => page >= first && page < end);
  }

  has(page: number): boolean {
    return this.#isSelected[page] === 1;
  }

  /** Group and bytes of each selected page, in order. */
  *sizes(plan: Plan): ReturnType<Plan['pageSizes']> {
    for (const size of plan.pageSizes()) if (this.has(size.page)) yield size;
  }
}
