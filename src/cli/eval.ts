/** `chaff eval`: compares detectors and other extractors with gold; the gate fails when a figure falls. */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { globSync } from 'tinyglobby';
import type { DetectorName } from '../detect/detector.ts';
import { DETECTOR_NAMES } from '../detect/index.ts';
import { compareContenders } from '../evaluate/compare.ts';
import { CONVENTIONS } from '../evaluate/conventions.ts';
import { CHOICE_NAMES, detectorChoice } from '../evaluate/detector-choice.ts';
import { renderEvalTable, renderLeakTable } from '../evaluate/eval-table.ts';
import { type EvalResult, type EvaluateOptions, evaluate, joinResults } from '../evaluate/evaluate.ts';
import { type ExtractorRows, parseRowsPath, readExtractorRows, stemOf } from '../evaluate/extractor-rows.ts';
import { type Baseline, checkGate, readBaseline, updateFloors, writeBaseline } from '../evaluate/gate.ts';
import type { HostHalf } from '../evaluate/gold.ts';
import { findGoldSets } from '../evaluate/gold-sets.ts';
import { type MetadataScore, renderMetadataTable, scoreMetadata } from '../evaluate/metadata-scores.ts';
import { type CurvePoint, curvePoint, type PagesKnown, renderCurve } from '../evaluate/pages-known.ts';
import { joinLeaks, type LeakResult, measureLeaks } from '../evaluate/site-leaks.ts';
import { LARGE_SITE_PAGES } from '../evaluate/summarise.ts';
import { countOf } from '../model/count-of.ts';
import { isLoss, type Problem } from '../model/problem.ts';
import { DEFAULT_DETECTOR, reportDetectors } from '../run/job.ts';
import {
  addReadOptions,
  addVerbosityOptions,
  type OutputFlags,
  pageReadOptionsOf,
} from './common-options.ts';
import { type Context, DONE_WITH_LOSSES, FAILED, UsageError } from './context.ts';
import { floorsOf } from './detector-options.ts';
import { addJobOptions, type JobFlags, jobOptionsOf } from './job-options.ts';
import { InputOption, OutputOption, overwriteOption } from './path-options.ts';
import { progressLine } from './progress.ts';
import { addRoleOptions, type RoleFlags, withRoles } from './role-options.ts';
import { write } from './streams.ts';
import { printProblem } from './summary.ts';

interface EvalFlags extends JobFlags, OutputFlags, RoleFlags {
  /** False with --no-gold. */
  gold?: string[] | false;
  detectors: string[];
  outputs: string[];
  save?: string;
  conventions: boolean;
  convention?: string;
  against?: string;
  pagesKnown?: PagesKnown[];
  details?: boolean;
  sites?: boolean;
  classes?: boolean;
  crosses?: boolean;
  documents?: boolean;
  templates?: boolean;
  half?: HostHalf;
  metadata?: boolean;
  json?: boolean;
  gate?: string;
  corpus?: string;
  update?: boolean;
  lower?: boolean;
}

/** Declares the command `eval`. */
export function evalCommand(context: Context): Command {
  const command = new Command('eval')
    .summary('score methods and other extractors against pages that people have labelled')
    .description(
      'Labels the pages of the inputs and compares their clean text with gold rows (docs/research/evaluation.md). ' +
        'Gold is NAME.jsonl beside NAME.warc.gz unless --gold names it; each such pair is a set of its own.',
    );
  addReadOptions(command, { besides: goldBeside });
  command
    // takes several values, for globs of the shell; no input may follow it
    .addOption(
      new InputOption(
        '--gold <file...>',
        'after the inputs; gold rows: JSON lines with url and text, keep, drop, blocks or labels',
      ),
    )
    .option(
      '--no-gold',
      'measure whole sites without gold: lines that repeat, unique paragraphs that are kept',
    )
    .addOption(
      new Option(
        '--detectors <name...>',
        'detectors to score, besides none; T001 to T007 are variants of cross, page-basic, page-merge and page-smooth of page; joint-alone judges each page without its site',
      )
        .choices(CHOICE_NAMES)
        .default(reportDetectors(DEFAULT_DETECTOR)),
    )
    .addOption(
      new InputOption(
        '--outputs <path...>',
        'texts of other extractors: JSON lines with url and text, as [NAME=]FILE, or a folder of SET/NAME.jsonl',
        (value) => [parseRowsPath(value).path],
      ).default([]),
    )
    .addOption(
      new OutputOption('--save <folder>', 'keep the texts of detectors, as SET/NAME.jsonl', {
        also: savedTexts,
      }),
    )
    .addOption(overwriteOption())
    .option('--no-conventions', 'compare texts as they are, whatever a set counts as content')
    .addOption(
      new Option(
        '--convention <set>',
        'score every page by what this set counts as content; scrapinghub is the article-extraction benchmark: body text alone',
      ).choices(Object.keys(CONVENTIONS)),
    )
    .option('--against <name>', 'the contender whose lead over the others is shown; by default the first')
    .option(
      '--pages-known <n,…>',
      'figures for hosts of ten pages and more when only this many of their pages are known; `all` for all',
      pageCounts,
    )
    .option('--details', 'a row per group and contender with every figure')
    .option('--sites', 'add a row per site')
    .option('--classes', 'accuracy, and precision, recall and F1 of content and of boilerplate')
    .option(
      '--crosses',
      'add a row per fullness of the cross: which of the page, up, down, previous and next exist',
    )
    .option('--documents', 'add a row per page: true and false positives and negatives, in words')
    .option('--templates', 'template text, anchor text and links found; adjusted Rand index of sections')
    .addOption(new Option('--half <name>', 'score only hosts of one half').choices(['even', 'odd']))
    .option('--metadata', 'title, author, day, language and page type, on the gold rows that have them')
    .option('--json', 'write JSON instead of tables')
    .addOption(new OutputOption('--gate <file>', 'fail when a figure is under its floor in this file'))
    .option(
      '--corpus <name>',
      'with --gate: the name of this corpus in the file; by default that of each set',
    )
    .option('--update', 'with --gate: raise the floors to what was measured')
    .option('--lower', 'with --update: let floors fall and the corpus change');
  addJobOptions(command, { limit: false, detectorsOf: () => DETECTOR_NAMES });
  addRoleOptions(command);
  addVerbosityOptions(command);
  return command
    .addHelpText(
      'after',
      `
Examples:
  chaff eval gold/news.warc.gz
  chaff eval gold/*.warc.gz --detectors page dom --half odd
  chaff eval sites/*.warc.gz --no-gold --detectors page dom
  chaff eval gold/news.warc.gz --detectors dom --pages-known 1,2,5,all
  chaff eval gold/news.warc.gz --convention scrapinghub
  chaff eval gold/news.warc.gz --detectors page page-basic page-merge --templates
  chaff eval gold/*.warc.gz --detectors page --gate floors.json --update`,
    )
    .action((inputs: string[], flags: EvalFlags) => runEval(context, inputs, flags));
}

/** The gold rows beside an archive, or beside those of a folder. */
function goldBeside(input: string): string[] {
  try {
    return findGoldSets([input]).map(({ gold }) => gold);
  } catch {
    return []; // the command will say what is missing
  }
}

/** Texts in a folder of `--save`, which may be written again. */
function savedTexts(folder: string): string[] {
  return globSync('{*,*/*}.jsonl', { cwd: folder }).map((name) => join(folder, name));
}

async function runEval(context: Context, inputs: string[], flags: EvalFlags): Promise<void> {
  if (flags.gate !== undefined && flags.half !== undefined) {
    throw new UsageError('--half cannot go with --gate: floors are for all hosts');
  }
  if (flags.convention !== undefined && !flags.conventions) {
    throw new UsageError('--convention cannot go with --no-conventions');
  }
  if (flags.gold === false) return runWithoutGold(context, inputs, flags);
  if (Array.isArray(flags.gold)) {
    if (flags.gate !== undefined && flags.corpus === undefined) {
      throw new UsageError('--gate needs --corpus: the name of this corpus in the file');
    }
    const set = { name: '', archives: inputs, gold: flags.gold };
    return runWithGold(context, [set], flags);
  }
  const sets = findGoldSets(inputs).map(({ name, archive, gold }) => ({
    name,
    archives: [archive],
    gold: [gold],
  }));
  return runWithGold(context, sets, flags);
}

interface SetToScore {
  /** Name of the set; empty if the gold rows name their sets. */
  name: string;
  archives: string[];
  gold: string[];
}

async function runWithGold(context: Context, sets: SetToScore[], flags: EvalFlags): Promise<void> {
  const { stdout } = context.streams;
  if (flags.metadata) return runMetadata(context, sets, flags);
  const scoreSets = async (options: Partial<EvaluateOptions> = {}) => {
    const results: EvalResult[] = [];
    for (const set of sets) results.push(await scoreSet(context, set, flags, options));
    return results;
  };
  if (flags.pagesKnown) {
    const curve: CurvePoint[] = [];
    for (const pagesKnown of flags.pagesKnown) {
      const limit = pagesKnown === 'all' ? {} : { pagesKnown };
      const results = await scoreSets({ ...limit, leastSitePages: LARGE_SITE_PAGES, extractors: [] });
      curve.push(curvePoint(pagesKnown, joinResults(results)));
    }
    return write(stdout, `${flags.json ? JSON.stringify(curve) : renderCurve(curve)}\n`);
  }
  const results = await scoreSets();
  const result = joinResults(results);
  if (flags.json) {
    const comparison = compareContenders(result.detectors, { base: flags.against });
    await write(stdout, `${JSON.stringify({ ...result, comparison })}\n`);
  } else await write(stdout, `${renderEvalTable(result, flags).trimEnd()}\n`);
  printEvalProblems(context, result.problems, flags, result.missing.length);
  if (flags.gate !== undefined) await passGates(context, sets, results, { ...flags, gate: flags.gate });
}

async function scoreSet(
  context: Context,
  { name, archives, gold }: SetToScore,
  flags: EvalFlags,
  options: Partial<EvaluateOptions>,
): Promise<EvalResult> {
  const line = progressLine(context.streams.stderr, flags);
  return evaluate({
    ...detectorOptionsOf(context, flags),
    archives,
    gold,
    set: name === '' ? undefined : name,
    extractors: extractorsOf(flags, name),
    conventions: flags.conventions,
    convention: flags.convention,
    learnFrom: flags.learnFrom,
    templates: flags.templates,
    half: flags.half,
    onProgress: ({ scored, goldPages }) =>
      line.update({ stage: 'score', done: scored, total: goldPages, pages: scored, bytes: 0 }),
    onText: textSaver(flags.save, name),
    ...options,
  }).finally(line.clear);
}

async function runMetadata(context: Context, sets: SetToScore[], flags: EvalFlags): Promise<void> {
  if (flags.gate !== undefined) throw new UsageError('--metadata has no floors: it does not go with --gate');
  const scores: MetadataScore[] = [];
  const problems: Problem[] = [];
  for (const { name, archives, gold } of sets) {
    const extractors = readExtractorRows(flags.outputs.map(parseRowsPath), name);
    const onProblem = (problem: Problem) => problems.push(problem);
    const { half } = flags;
    scores.push(
      ...(await scoreMetadata({
        archives,
        gold,
        set: name,
        half,
        extractors,
        signal: context.signal,
        onProblem,
      })),
    );
  }
  await write(
    context.streams.stdout,
    `${flags.json ? JSON.stringify(scores) : renderMetadataTable(scores)}\n`,
  );
  printEvalProblems(context, problems, flags);
}

async function runWithoutGold(context: Context, inputs: string[], flags: EvalFlags): Promise<void> {
  const line = progressLine(context.streams.stderr, flags);
  const results: LeakResult[] = [];
  for (const archive of inputs) {
    const name = stemOf(archive);
    const result = await measureLeaks({
      ...detectorOptionsOf(context, flags),
      archives: [archive],
      extractors: extractorsOf(flags, name),
      onProgress: ({ scored }) =>
        line.update({ stage: 'score', done: scored, total: scored, pages: scored, bytes: 0 }),
      onText: textSaver(flags.save, name),
    }).finally(line.clear);
    results.push(result);
  }
  const result = joinLeaks(results);
  const text = flags.json ? JSON.stringify(result) : renderLeakTable(result, flags);
  await write(context.streams.stdout, `${text}\n`);
  printEvalProblems(context, result.problems, flags);
}

/** Saved texts of extractors, without those of detectors that run now. */
function extractorsOf({ outputs, detectors }: EvalFlags, set: string): ExtractorRows[] {
  return readExtractorRows(outputs.map(parseRowsPath), set, { except: [...detectors, 'none'] });
}

/** Options for running detectors, used by both ways of measuring. */
function detectorOptionsOf(context: Context, flags: EvalFlags) {
  const job = jobOptionsOf(flags);
  // other detectors give no roles and run unchanged beside it
  const detectors: DetectorName[] = flags.detectors.includes('joint') ? ['joint'] : ['dom'];
  const { detectorOptions = {}, sample, seed } = withRoles({ ...job, detectors }, flags);
  return {
    ...pageReadOptionsOf(flags),
    detectors: flags.detectors.map((name) => detectorChoice(name, detectorOptions)),
    samplePages: sample,
    seed,
    floors: { ...floorsOf(flags), page: detectorOptions.page },
    signal: context.signal,
  };
}

/** Returns a function that writes texts to FOLDER/SET/LABEL.jsonl; existing files are overwritten. */
function textSaver(folder: string | undefined, set: string): EvaluateOptions['onText'] {
  if (folder === undefined) return undefined;
  const begun = new Set<string>();
  return (label, row) => {
    const file = join(folder, set, `${label}.jsonl`);
    if (!begun.has(file)) {
      mkdirSync(join(folder, set), { recursive: true });
      writeFileSync(file, '');
      begun.add(file);
    }
    appendFileSync(file, `${JSON.stringify(row)}\n`);
  };
}

function printEvalProblems(
  context: Context,
  problems: readonly Problem[],
  { quiet, verbose, strict }: EvalFlags,
  missing = 0,
): void {
  const { stderr } = context.streams;
  if (!quiet) {
    for (const problem of verbose ? problems : []) printProblem(stderr, problem);
    const lacking = [countOf(missing, 'gold page'), countOf(problems.length, 'problem')];
    if (missing + problems.length > 0) stderr.write(`missing ${lacking.join('; ')}\n`);
  }
  if (problems.some(({ code }) => isLoss(code))) context.exitCode = strict ? FAILED : DONE_WITH_LOSSES;
}

/**
 * Checks the figures against floors. Sets found beside their gold have floors under their names; others form one
 * corpus.
 */
async function passGates(
  context: Context,
  sets: readonly SetToScore[],
  results: readonly EvalResult[],
  flags: EvalFlags & { gate: string },
): Promise<void> {
  const { stderr } = context.streams;
  const { gate, corpus, update, lower } = flags;
  const baseline: Baseline = existsSync(gate) ? await readBaseline(gate) : {};
  const corpora: [name: string, result: EvalResult][] =
    corpus !== undefined
      ? [[corpus, joinResults(results)]]
      : sets.map(({ name }, index) => [name, results[index]]);
  for (const [name, result] of corpora) {
    if (update) {
      baseline[name] = updateFloors(result, baseline[name], { lower });
      await writeBaseline(gate, baseline);
      stderr.write(`floors of ${name} written to ${gate}\n`);
      continue;
    }
    if (!baseline[name]) throw new UsageError(`${gate} has no floors for "${name}"; --update writes them`);
    const { verdict, checked, reasons } = checkGate(result, baseline[name]);
    for (const reason of reasons) stderr.write(`${reason}\n`);
    stderr.write(`gate ${verdict}: ${countOf(checked, 'floor')} of ${name} checked\n`);
    if (verdict !== 'passed') context.exitCode = FAILED;
  }
}

/** Parses `1,2,5,all`. */
function pageCounts(text: string): PagesKnown[] {
  return text.split(',').map((part) => {
    if (part === 'all') return 'all';
    const count = Number(part);
    if (!Number.isInteger(count) || count < 1) {
      throw new InvalidArgumentError(
        `must be whole numbers from 1, or all, separated by commas, not "${text}".`,
      );
    }
    return count;
  });
}
