/**
 * The layouts of every site of some archives and, when asked for, the cross of each page. Sites are handed
 * out one by one, in order, as soon as all pages are signed.
 */
import { join } from 'node:path';
import { type Crosses, findCrosses } from '../compare/cross.ts';
import { DEFAULT_THRESHOLD } from '../compare/group-signatures.ts';
import { chooseBands } from '../compare/lsh.ts';
import { checkPermutations, countEqual, DEFAULT_PERMUTATIONS } from '../compare/minhash.ts';
import type { SignedPages } from '../compare/signed-pages.ts';
import type { Problem } from '../model/problem.ts';
import { readLayoutRule } from '../model/site.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { Database } from '../store/database.ts';
import type { PageIdentity, Plan } from '../store/plan.ts';
import { readProblems } from '../store/problem-parts.ts';
import { PROBLEMS_FILE } from '../store/survey-part.ts';
import { findLayouts, type Layouts } from '../study/layout-groups.ts';
import { checkJob, type JobOptions } from './job.ts';
import type { StreamSummary } from './label-stream.ts';
import { localExecutor } from './local.ts';
import type { RunOptions } from './report-run.ts';
import { checkAccounts, countCaptures, unresolvedRevisit } from './run-accounts.ts';
import { withScratchFolder } from './scratch-folder.ts';
import type { TokenKind } from './sign-task.ts';
import { readSignatures, type SignOptions, signAll } from './site-signatures.ts';
import { type StageContext, surveyAndPlan, surveyNames } from './stages.ts';

export interface GroupsRunOptions
  extends Pick<JobOptions, 'site' | 'include' | 'exclude' | 'limit' | 'limits' | 'partPages'>,
    Pick<RunOptions, 'workers' | 'signal' | 'onProgress' | 'stdin'> {
  /** Similarity that joins two pages, in (0, 1). @default 0.6 */
  threshold?: number;
  /** Places of a signature, 16 to 1024. @default 128 */
  permutations?: number;
  /** What groups are made by: `paths`, ours, or `layers`, the thesis'. @default 'paths' */
  tokens?: TokenKind;
  /** Whether to find the cross of each page; always by `layers`. @default false */
  crosses?: boolean;
  /** Called with every site, in order. */
  onSite: (site: SiteLayouts) => void | Promise<void>;
  /** Called with every problem, in canonical order, at the end. */
  onProblem?: (problem: Problem) => void;
}

/** The layouts of one site; columns go by `pages`. */
export interface SiteLayouts extends Layouts {
  site: string;
  pages: PageIdentity[];
  /** Estimated similarity of a page to the typical one of its group. */
  similarityToTypical(page: number): number;
  crosses?: Crosses & {
    /** Estimated similarity of two pages by layers. */
    similarity(a: number, b: number): number;
  };
}

/** Finds the layouts of all sites of the inputs (names, globs, folders, `-`). */
export async function runGroups(names: string[], options: GroupsRunOptions): Promise<StreamSummary> {
  const { threshold = DEFAULT_THRESHOLD, permutations = DEFAULT_PERMUTATIONS, tokens = 'paths' } = options;
  const { crosses = false, onSite, onProblem, workers, signal, onProgress, stdin } = options;
  const { site, include, exclude, limit, limits, partPages } = options;
  checkPermutations(permutations);
  chooseBands({ threshold, permutations });
  if (site !== undefined && readLayoutRule(site)) {
    throw new RangeError('groups are the layouts of a site: site must be host, domain or path:N');
  }
  const jobOptions = { site, include, exclude, limit, limits, partPages };
  // pages of all times are compared; detectors have no part in it
  const job = checkJob({ ...jobOptions, detectors: ['none'], snapshot: 'all', sample: 1 });
  const kinds: TokenKind[] = crosses && tokens !== 'layers' ? [tokens, 'layers'] : [tokens];
  const signing: SignOptions = { tokens: kinds, permutations };
  signal?.throwIfAborted();
  const { inputs, problems } = await openInputs(names, { stdin, limits: job.limits });
  try {
    return await withScratchFolder(async (folder) => {
      const executor = await localExecutor({ workers, signal });
      const context: StageContext = { folder, inputs, job, executor, signal, onProgress };
      let plan: Plan | undefined;
      try {
        plan = await surveyAndPlan(context);
        const tasks = await signAll(context, plan, signing);
        for await (const { site, pages, signed } of readSignatures(context, plan, tasks, signing)) {
          if (pages.length === 0) continue;
          const layouts = findLayouts(signed[0], { threshold, telling: tokens === 'paths' });
          await onSite({
            site,
            pages,
            ...layouts,
            similarityToTypical: (page) =>
              similarity(signed[0], page, layouts.groups[layouts.numberOf[page] - 1].typical),
            crosses: crosses ? crossesOf(signed.at(-1)!, threshold) : undefined,
          });
        }
        return await sumUp(context, { plan, tasks, problems, onProblem });
      } finally {
        plan?.close();
        await executor.close();
      }
    });
  } finally {
    await closeInputs(inputs);
  }
}

function crossesOf(signed: SignedPages, threshold: number): NonNullable<SiteLayouts['crosses']> {
  return { ...findCrosses(signed, { threshold }), similarity: (a, b) => similarity(signed, a, b) };
}

function similarity({ signatures, permutations }: SignedPages, a: number, b: number): number {
  return countEqual(signatures, a * permutations, b * permutations, permutations) / permutations;
}

async function sumUp(
  context: StageContext,
  {
    plan,
    tasks,
    problems,
    onProblem,
  }: { plan: Plan; tasks: string[]; problems: Problem[]; onProblem?: (problem: Problem) => void },
): Promise<StreamSummary> {
  for await (const batch of plan.unresolvedRevisits()) problems.push(...batch.map(unresolvedRevisit));
  const { captures, pages, skipped, htmlBytes } = await countCaptures(context, plan, tasks);
  checkAccounts({ captures, pages, skipped });
  const parts = [...surveyNames(context.inputs), ...tasks].map((name) =>
    join(context.folder.taskFolder(name), PROBLEMS_FILE),
  );
  const counts: Record<string, number> = {};
  const database = await Database.open();
  try {
    for await (const problem of readProblems(database, parts, problems)) {
      counts[problem.code] = (counts[problem.code] ?? 0) + 1;
      onProblem?.(problem);
    }
  } finally {
    database.close();
  }
  return { captures, pages, skipped, problems: counts, htmlBytes };
}
