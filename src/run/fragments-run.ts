/**
 * The analysis of shared fragments: archives in, the classes of fragments that pages share out, as tables in
 * a folder. Reading and parsing run in parallel tasks; finding classes and merging neighbours run over what
 * those have left. A run that was stopped goes on where it was when it is started again with the same
 * inputs, options and folder.
 */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describeFragment, type FragmentResult } from '../fragments/shared-page.ts';
import type { Problem } from '../model/problem.ts';
import { version } from '../model/version.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { Database } from '../store/database.ts';
import { analyseFragments, type FragmentAnalysis } from '../store/fragments/fragment-analysis.ts';
import { FragmentFolder, PLACES_FILE } from '../store/fragments/fragment-folder.ts';
import type { Plan } from '../store/plan.ts';
import { mergeProblems, PROBLEMS_FILE } from '../store/problem-parts.ts';
import { type FragmentCounts, type FragmentRunFile, readRunFile } from '../store/run-file.ts';
import { RunFolder } from '../store/run-folder.ts';
import { localExecutor } from './executors/local.ts';
import { fingerprintOf } from './fingerprint.ts';
import { checkFragmentJob, type FragmentJob, type FragmentJobOptions } from './fragment-job.ts';
import { PageOpener } from './pages/open-page.ts';
import { type ReadCounts, type ReadSharedPagesOptions, visitSharedPages } from './read-shared-pages.ts';
import { checkAccounts, countCaptures, describeInputs, roundAll, unresolvedRevisit } from './run-accounts.ts';
import { openScratchFolder } from './scratch-folder.ts';
import { runOnPages } from './stages/run-on-pages.ts';
import { type Progress, type StageContext, sumCounts } from './stages/run-stage.ts';
import { surveyAndPlan, surveyNames } from './stages/stages.ts';
import { Clock, StageWatch } from './tasks/timings.ts';

export interface FragmentRunOptions extends FragmentJobOptions {
  /** The folder to write. @default a temporary one, gone when the run is done */
  output?: string;
  /** Start afresh whatever an earlier run left there. @default false */
  overwrite?: boolean;
  /** Worker threads; 0 runs in the caller's thread. @default the number of cores */
  workers?: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** What `-` among the inputs stands for. */
  stdin?: Readable;
  /** Called with the finished result, while the folder is there and the archive can be read again: exports. */
  useResult?: (result: FragmentResult, run: FragmentRunFile) => Promise<void>;
  /** Filled with what reading the pages for exports has cost. */
  exportReads?: ReadCounts;
}

export interface FragmentRunResult {
  run: FragmentRunFile;
  /** Whether committed tasks of an earlier run were used. */
  resumed: boolean;
}

/** Memory of the database that sorts the fragments; what exceeds it goes to disk. */
const ANALYSIS_DATABASE_MB = 512;
/** Pages asked of the plan at a time. */
const DESCRIBE_PAGES = 256;

/** Where the tables lie in the output folder. */
const FRAGMENTS = 'fragments';

/** Finds the maximal shared fragments of all pages of the inputs (names, globs, folders, `-`). */
export async function runFragments(
  names: string[],
  options: FragmentRunOptions = {},
): Promise<FragmentRunResult> {
  const { output, overwrite, workers, signal, onProgress, stdin, useResult, exportReads, ...jobOptions } =
    options;
  const job = checkFragmentJob(jobOptions);
  signal?.throwIfAborted();
  const { inputs, problems } = await openInputs(names, { stdin, limits: job.limits });
  const scratch = output === undefined ? openScratchFolder() : undefined;
  try {
    const fingerprint = fingerprintOf(job, inputs);
    const folder = scratch?.folder ?? RunFolder.open(output!, { fingerprint, overwrite });
    let run: FragmentRunFile;
    if (folder.finished) run = readRunFile(folder.path) as unknown as FragmentRunFile;
    else {
      const executor = await localExecutor({ workers, signal });
      const context = { folder, inputs, job, executor, signal, onProgress };
      try {
        run = await runStages(context, { fingerprint, problems });
      } finally {
        await executor.release();
      }
    }
    if (useResult) {
      const counts = exportReads ?? { passes: 0, pages: 0, parses: 0 };
      await useResult(await resultOf(folder.path, { job, inputs, signal, counts, run }), run);
    }
    return { run, resumed: folder.resumed };
  } finally {
    scratch?.remove();
    await closeInputs(inputs);
  }
}

/** A folder that is finished, as exports get it. */
async function resultOf(
  path: string,
  { run, ...reading }: ReadSharedPagesOptions & { run: FragmentRunFile },
): Promise<FragmentResult> {
  const fragments = join(path, FRAGMENTS);
  const folder = await FragmentFolder.open(fragments);
  try {
    return {
      folder: path,
      classes: await folder.classes(),
      pageCount: run.counts.pages,
      visitPages: (visit) => visitSharedPages(fragments, reading, visit),
    };
  } finally {
    folder.close();
  }
}

type FragmentContext = StageContext & { job: FragmentJob };

async function runStages(
  context: FragmentContext,
  { fingerprint, problems }: { fingerprint: string; problems: Problem[] },
): Promise<FragmentRunFile> {
  const { folder, inputs, job, executor, onProgress } = context;
  const { minBytes, captures, relations } = job;
  const watch = new StageWatch();
  const plan = await surveyAndPlan(context, { captures });
  watch.lap('survey and plan');
  const tasks = await runOnPages(context, plan, 'digest', { kind: 'digest', minBytes });
  watch.lap('transform');
  const draft = folder.workFolder(FRAGMENTS);
  await analyse(context, { plan, tasks, draft, watch });

  onProgress?.({ stage: 'finish', done: 0, total: 1, pages: 0, bytes: 0 });
  for (const revisit of plan.unresolvedRevisits()) problems.push(unresolvedRevisit(revisit));
  const surveys = surveyNames(inputs);
  const { unsurePages: _, ...counted } = await countCaptures(context, plan, tasks);
  const counts = {
    ...counted,
    problems: await writeProblems(folder, [...surveys, ...tasks], problems),
    ...(await countShared(draft)),
  };
  checkAccounts(counts);
  plan.keepPlaces(join(draft, PLACES_FILE));
  const run: FragmentRunFile = {
    version,
    fingerprint,
    options: { ...job, relations },
    inputs: await describeInputs(context, plan, surveys),
    counts,
    timings: { workers: executor.width, resumed: folder.resumed, wallSeconds: {}, stepSeconds: {} },
  };
  rmSync(join(folder.path, FRAGMENTS), { recursive: true, force: true });
  renameSync(draft, join(folder.path, FRAGMENTS));
  watch.lap('finish');
  run.timings.wallSeconds = watch.seconds();
  run.timings.cpuSeconds = watch.cpuSeconds();
  run.timings.stepSeconds = {
    survey: roundAll(sumCounts(folder, surveys).timings),
    transform: roundAll(sumCounts(folder, tasks).timings),
  };
  folder.finish(run);
  onProgress?.({ stage: 'finish', done: 1, total: 1, pages: counts.pages, bytes: counts.htmlBytes });
  return run;
}

/** Leaves the tables of classes, members and pages in the draft. */
async function analyse(
  context: FragmentContext,
  { plan, tasks, draft, watch }: { plan: Plan; tasks: string[]; draft: string; watch: StageWatch },
): Promise<void> {
  const { folder, job, signal, onProgress } = context;
  const { minShared, minBytes, composites, relations } = job;
  let done = 0;
  const total = 4 * relations.length + 3;
  const step = (stage?: string) => {
    if (stage !== undefined) watch.lap(stage);
    signal?.throwIfAborted();
    onProgress?.({ stage: 'analyse', done: done++, total, pages: 0, bytes: 0 });
  };
  step();
  const database = await Database.open({
    spillFolder: folder.workFolder('analysis-spill'),
    memoryMb: ANALYSIS_DATABASE_MB,
    threads: 2,
  });
  try {
    const analysis = await analyseFragments(database, {
      folders: tasks.map((name) => folder.taskFolder(name)),
      minShared,
      minBytes,
      composites,
      relations,
      onStep: (name) => step(ANALYSIS_STAGES[name]),
    });
    await describeClasses(context, plan, analysis);
    step('describe');
    await analysis.write(draft);
    step('tables');
  } finally {
    database.close();
  }
}

/** The steps of the analysis in the words of the paper's Table 1, and our own. */
const ANALYSIS_STAGES = { sweep: 'analysis', composites: 'composites', members: 'tables' };

/** Reads the pages of the first members of the classes that save the most once more, for place and text. */
async function describeClasses(
  { inputs, job, signal }: FragmentContext,
  plan: Plan,
  analysis: FragmentAnalysis,
): Promise<void> {
  const members = analysis.firstMembers(job.described);
  const numbers = [...new Set(members.map(({ page }) => page))];
  const opener = new PageOpener({ job, inputs: { ...inputs }, clock: new Clock() });
  let next = 0;
  for (let from = 0; from < numbers.length; from += DESCRIBE_PAGES) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    for (const planned of plan.pagesAmong(numbers.slice(from, from + DESCRIBE_PAGES))) {
      const opened = opener.open(planned);
      for (; next < members.length && members[next].page === planned.page; next++) {
        // a page that was read before and cannot be now leaves its classes undescribed
        if (opened.kind === 'skip') continue;
        const { node, sibling } = members[next];
        analysis.describe(members[next], describeFragment(opened.tree, node, sibling));
      }
    }
  }
}

async function countShared(
  draft: string,
): Promise<Pick<FragmentCounts, 'complete' | 'structural' | 'sites'>> {
  const folder = await FragmentFolder.open(draft);
  try {
    return {
      sites: await folder.countSites(),
      complete: await folder.count('complete'),
      structural: await folder.count('structural'),
    };
  } finally {
    folder.close();
  }
}

function writeProblems(folder: RunFolder, tasks: string[], problems: Problem[]) {
  const draft = folder.work('problems.jsonl');
  const parts = tasks.map((name) => join(folder.taskFolder(name), PROBLEMS_FILE));
  const counts = mergeProblems(parts, problems, draft);
  renameSync(draft, join(folder.path, 'problems.jsonl'));
  return counts;
}
