/**
 * Analyses shared fragments: reads archives and writes the classes of fragments that pages share, as tables in a
 * folder. Tasks read and parse the pages in parallel; then classes are found and neighbours merged from the files of
 * the tasks. A stopped run continues when it is started again with the same inputs, options and folder.
 */

import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  COMPOSITES,
  type Composites,
  DEFAULT_COMPOSITES,
  DEFAULT_MIN_BYTES,
  DEFAULT_MIN_SHARED,
  describeFragment,
  type FragmentResult,
  RELATIONS,
  type Relation,
  type SharingOptions,
} from '../fragments/shared-page.ts';
import { checkChoice } from '../model/check-option.ts';
import { Database } from '../store/database.ts';
import { analyseFragments, type FragmentAnalysis } from '../store/fragments/fragment-analysis.ts';
import { FragmentFolder, PLACES_FILE } from '../store/fragments/fragment-folder.ts';
import { mergeProblems } from '../store/problem-parts.ts';
import { type FragmentCounts, type FragmentRunFile, readRunFile } from '../store/run-file.ts';
import { checkJob, checkWholeOption, type Job, type JobOptions } from './job.ts';
import { PageOpener } from './pages/open-page.ts';
import { type ReadCounts, type ReadSharedPagesOptions, visitSharedPages } from './read-shared-pages.ts';
import { type FolderOptions, type RunningOptions, Session } from './session.ts';
import { runOnPages } from './stages/run-stage.ts';
import { Clock } from './tasks/task-record.ts';

/** Options of `runFragments`. */
export interface FragmentRunOptions extends FragmentJobOptions, RunningOptions, FolderOptions {
  /** Called with the finished result for exports, while the folder and the archive can still be read. */
  useResult?: (result: FragmentResult, run: FragmentRunFile) => Promise<void>;
  /** Receives the cost of reading the pages for exports. */
  exportReads?: ReadCounts;
}

/** The result of `runFragments`. */
export interface FragmentRunResult {
  run: FragmentRunFile;
  /** Whether committed tasks of an earlier run were used. */
  resumed: boolean;
}

/** Memory of the database that sorts the fragments; larger data spills to disk. */
const ANALYSIS_DATABASE_MB = 512;
/** Pages that are requested from the plan at a time. */
const DESCRIBE_PAGES = 256;

/** Name of the tables' folder in the output folder. */
const FRAGMENTS = 'fragments';

/** Finds the maximal shared fragments of all pages of the inputs (names, globs, folders, `-`). */
export async function runFragments(
  names: string[],
  options: FragmentRunOptions = {},
): Promise<FragmentRunResult> {
  const { signal, useResult, exportReads } = options;
  const job = checkFragmentJob(options);
  const session = await Session.open(names, job, { ...options, captures: job.captures });
  try {
    const { folder, inputs } = session;
    const run = folder.finished
      ? (readRunFile(folder.path) as unknown as FragmentRunFile)
      : await session.run(() => runStages(session, job));
    if (useResult) {
      const counts = exportReads ?? { passes: 0, pages: 0, parses: 0 };
      await useResult(await resultOf(folder.path, { job, inputs, signal, counts, run }), run);
    }
    // written last: a folder with run.json is complete
    if (!folder.finished) folder.finish(run);
    return { run, resumed: folder.resumed };
  } finally {
    await session.close();
  }
}

/** A folder with all tables, as exports receive it. */
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

async function runStages(session: Session, job: FragmentJob): Promise<FragmentRunFile> {
  const { folder, plan, watch, onProgress } = session;
  const { minBytes, relations } = job;
  const tasks = await runOnPages(session, 'digest', { kind: 'digest', minBytes });
  watch.lap('transform');
  const draft = folder.workFolder(FRAGMENTS);
  await analyse(session, job, { tasks, draft });

  onProgress?.({ stage: 'finish', done: 0, total: 1, pages: 0, bytes: 0 });
  const { unsurePages: _, ...counted } = session.countCaptures({ names: tasks });
  const counts = { ...counted, problems: writeProblems(session, tasks), ...(await countShared(draft)) };
  plan.keepPlaces(join(draft, PLACES_FILE));
  const run: FragmentRunFile = { ...session.describe(), options: { ...job, relations }, counts };
  rmSync(join(folder.path, FRAGMENTS), { recursive: true, force: true });
  renameSync(draft, join(folder.path, FRAGMENTS));
  watch.lap('finish');
  run.timings.wallSeconds = watch.seconds();
  run.timings.cpuSeconds = watch.cpuSeconds();
  run.timings.stepSeconds = session.stepSeconds({ transform: tasks });
  onProgress?.({ stage: 'finish', done: 1, total: 1, pages: counts.pages, bytes: counts.htmlBytes });
  return run;
}

/** Writes the tables of classes, members and pages to the draft. */
async function analyse(
  session: Session,
  job: FragmentJob,
  { tasks, draft }: { tasks: string[]; draft: string },
): Promise<void> {
  const { folder, watch, signal, onProgress } = session;
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
    await describeClasses(session, job.described, analysis);
    step('describe');
    await analysis.write(draft);
    step('tables');
  } finally {
    database.close();
  }
}

/** The steps of the analysis, with our names for the steps of the paper's Table 1. */
const ANALYSIS_STAGES = { sweep: 'analysis', composites: 'composites', members: 'tables' };

/** Reads the first members of the classes that save the most again, for their place and text. */
async function describeClasses(
  { inputs, job, plan, signal }: Session,
  described: number,
  analysis: FragmentAnalysis,
): Promise<void> {
  const members = analysis.firstMembers(described);
  const numbers = [...new Set(members.map(({ page }) => page))];
  const opener = new PageOpener({ job, inputs: { ...inputs }, clock: new Clock() });
  let next = 0;
  for (let from = 0; from < numbers.length; from += DESCRIBE_PAGES) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    for (const planned of plan.pagesAmong(numbers.slice(from, from + DESCRIBE_PAGES))) {
      const opened = opener.open(planned);
      for (; next < members.length && members[next].page === planned.page; next++) {
        // a page that became unreadable leaves its classes without description
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
      sites: (await folder.countPages()).sites,
      complete: await folder.count('complete'),
      structural: await folder.count('structural'),
    };
  } finally {
    folder.close();
  }
}

function writeProblems(session: Session, tasks: string[]): Record<string, number> {
  const { folder } = session;
  const draft = folder.work('problems.jsonl');
  const counts = mergeProblems(session.problemParts(tasks), session.ownProblems(), draft);
  renameSync(draft, join(folder.path, 'problems.jsonl'));
  return counts;
}

/** Options of a fragment analysis that change its result. */
interface FragmentJobOptions
  extends SharingOptions,
    Pick<
      JobOptions,
      'site' | 'include' | 'exclude' | 'statuses' | 'waczPages' | 'limit' | 'limits' | 'partPages' | 'preset'
    > {
  /** Kinds of fragments to find. @default both */
  relations?: readonly Relation[];
  /** The newest capture of each page, however its URL is written, or all captures as separate pages. @default 'last' */
  captures?: 'last' | 'all';
  /**
   * Number of classes of each relation whose place and text are looked up, those that save the most bytes first; their
   * pages are read again. @default 1000
   */
  described?: number;
}

/** A checked job with the options of the fragment analysis. */
interface FragmentJob extends Job {
  minShared: number;
  minBytes: number;
  composites: Composites;
  relations: Relation[];
  captures: 'last' | 'all';
  described: number;
}

/** Default of `described`: classes of each relation whose place and text are looked up. */
export const DEFAULT_DESCRIBED = 1000;

/** Fills in all defaults; throws a RangeError that names the option and what it accepts. */
function checkFragmentJob(options: FragmentJobOptions = {}): FragmentJob {
  const {
    minShared = DEFAULT_MIN_SHARED,
    minBytes = DEFAULT_MIN_BYTES,
    composites = DEFAULT_COMPOSITES,
    relations = RELATIONS,
    captures = 'last',
    described = DEFAULT_DESCRIBED,
    ...jobOptions
  } = options;
  checkWholeOption('minShared', minShared, 2);
  checkWholeOption('minBytes', minBytes, 1);
  checkWholeOption('described', described, 0);
  checkChoice('composites', composites, COMPOSITES);
  if (captures !== 'last' && captures !== 'all') {
    throw new RangeError(`captures must be last or all, not "${captures}"`);
  }
  const asked = RELATIONS.filter((relation) => relations.includes(relation));
  if (asked.length === 0 || asked.length !== new Set(relations).size) {
    throw new RangeError(`relations must be some of ${RELATIONS.join(', ')}, not "${relations.join(', ')}"`);
  }
  // pages of all times form one collection; detectors are not used
  const job = checkJob({
    ...jobOptions,
    detectors: ['none'],
    snapshot: 'all',
    sample: 1,
    learnFrom: 'selected',
  });
  return { ...job, minShared, minBytes, composites, relations: asked, captures, described };
}
