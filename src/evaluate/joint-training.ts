/**
 * Trains the joint model on archives: pages of gold sets with their labels, and pages of whole sites, which are
 * labelled automatically. The same pages and labels give the same bytes: pages of a gold file are in the order of
 * its rows, sites in the order of their names, and each site contributes the pages with the lowest URL hashes.
 */
import { resolve } from 'node:path';
import type { JointModel } from '../detect/joint/joint-model.ts';
import { type LabelledSource, TELLING_PAGES } from '../detect/joint/read-labelled-pages.ts';
import { type JointTraining, trainJoint } from '../detect/joint/train-joint.ts';
import { checkNumber, checkWhole } from '../model/check-option.ts';
import { countOf } from '../model/count-of.ts';
import type { Page } from '../model/page.ts';
import { type Accounts, Totals } from '../model/totals.ts';
import type { ReadOptions } from '../read/read-options.ts';
import { openArchive } from '../run/library/open-archive.ts';
import type { ProblemOptions, RunningOptions } from '../run/session.ts';
import { TrainingError } from '../run/train-run.ts';
import type { HostHalf } from './gold.ts';
import { type GoldFile, GoldPages, SITES, SitePages } from './training-pages.ts';

/** Archives, gold and settings of a training. */
export interface JointTrainingOptions
  extends ReadOptions,
    Omit<RunningOptions, 'workers' | 'onProgress'>,
    ProblemOptions {
  gold?: readonly GoldFile[];
  /** Labelled pages that are not in an archive, with their weight; see scripts/generated-pages.ts. */
  made?: { pages: readonly LabelledSource[]; weight: number };
  /** Weight of pages of whole sites. @default 0.7 */
  siteWeight?: number;
  /** Maximum number of pages of each whole site. @default 60 */
  pages?: number;
  /** Minimum number of pages of a whole site. @default 11 */
  minPages?: number;
  /** Minimum number of whole sites for training without gold. @default 4 */
  minSites?: number;
  /** Seed that chooses the pages of sites, and the rows and features of each tree. @default 0 */
  seed?: number;
  /** Use only gold pages of hosts in this half. @default both */
  half?: HostHalf;
  card?: JointTraining['card'];
  /** Settings of the first and second trees (train-joint.ts), which tests reduce. */
  first?: JointTraining['first'];
  second?: JointTraining['second'];
  onProgress?: (progress: {
    stage: string;
    done: number;
    total: number;
    pages: number;
    bytes: number;
  }) => void;
  onStep?: (step: string) => void;
}

/** Defaults of `JointTrainingOptions`. */
export const JOINT_TRAINING_DEFAULTS = {
  siteWeight: 0.7,
  pages: 60,
  // the page, and other pages as evidence
  minPages: TELLING_PAGES + 1,
  minSites: 4,
};

/** Trained model and the pages that were used. */
export interface JointTrainingResult extends Accounts {
  model: JointModel;
  /** Number of whole sites, and of sites with too few pages. */
  sites: number;
  sitesTooSmall: number;
  sets: TrainedSet[];
}

/** Counts of one gold set. */
interface TrainedSet {
  name: string;
  file: string;
  /** Rows with labels in the chosen half, and pages found for them. */
  rows: number;
  pages: number;
  /** Number of rows without text, keep, drop or attributes. */
  unlabelled: number;
}

/**
 * Trains a model on the sites of the inputs (names, globs, folders, `-`) and on gold. The order of gold files
 * affects the result, so give them in a fixed order for the same bytes.
 */
export async function trainOnArchives(
  inputs: string[],
  options: JointTrainingOptions,
): Promise<JointTrainingResult> {
  const settings = checkSettings(options);
  const { gold = [], seed = 0, signal, onProgress } = options;
  const totals = new Totals();
  const sets: GoldPages[] = [];
  for (const file of gold) sets.push(await GoldPages.read(file, options));
  checkSetNames(sets);
  for (const problem of sets.flatMap(({ problems }) => problems)) {
    totals.addProblem(problem);
    options.onProblem?.(problem);
  }
  const sites = new SitePages({ ...settings, seed });
  await readPages(inputs, sets, sites, totals, options);
  for (const set of sets) checkFound(set);
  const whole = sites.take();
  if (gold.length === 0) checkSites(whole, sites.tooSmall, settings);

  const labelled = [...sets.flatMap((set) => set.take()), ...whole.flatMap(({ pages }) => pages)];
  totals.pages = new Set(labelled.map(({ capture }) => capture)).size;
  if (sites.pagesTooFew > 0) totals.skipped['too-few-pages'] = sites.pagesTooFew;
  totals.check('not-sampled');
  const { made = { pages: [], weight: 1 } } = options;
  const sources = [...labelled.map(({ source }) => source), ...made.pages];
  const weights = sets.map(({ name, weight }): [string, number] => [name, weight]);
  for (const set of new Set(made.pages.map((page) => page.set))) weights.push([set, made.weight]);
  const model = await trainJoint(sources, {
    first: { seed: 1 + seed, ...options.first },
    second: { seed: 1 + seed, ...options.second },
    setWeights: { ...Object.fromEntries(weights), [SITES]: settings.siteWeight },
    card: options.card,
    onStep: options.onStep,
    onShare: breather((share) => {
      signal?.throwIfAborted();
      onProgress?.({ stage: 'train', done: share, total: 1, pages: sources.length, bytes: 0 });
    }),
  });
  if (model.first.roots.length === 0) {
    throw new TrainingError(
      `no model can be trained on ${countOf(sources.length, 'page')}: all of their blocks are content, or none, or no label fits its page`,
    );
  }
  const { captures, pages, skipped, problems } = totals;
  return {
    ...{ captures, pages, skipped, problems, model },
    sites: whole.length,
    sitesTooSmall: sites.tooSmall,
    sets: sets.map(({ name, file, rows, unlabelled, found }) => ({
      ...{ name, file, unlabelled },
      rows: rows.length,
      pages: found.size,
    })),
  };
}

/** Reads the archives of gold, then the inputs; each page belongs to a gold set or to its site. */
async function readPages(
  inputs: string[],
  sets: readonly GoldPages[],
  sites: SitePages,
  totals: Totals,
  options: JointTrainingOptions,
): Promise<void> {
  const {
    limits,
    site,
    include,
    exclude,
    statuses,
    waczPages,
    signal,
    stdin,
    remote,
    onProblem,
    onProgress,
  } = options;
  const reading = {
    limits,
    site,
    include,
    exclude,
    statuses,
    waczPages,
    signal,
    stdin,
    remote,
    onProblem: onProblem ?? (() => {}),
  };
  let read = 0;
  let bytes = 0;
  const eachPage = async (names: string[], take: (page: Page) => void) => {
    const archive = openArchive(names, reading);
    for await (const page of archive) {
      take(page);
      bytes += page.source.length;
      onProgress?.({ stage: 'read', done: 0, total: 0, pages: ++read, bytes });
    }
    totals.addReading(archive);
  };
  const archives = new Set<string>();
  for (const set of sets) {
    if (set.archive === undefined) continue;
    archives.add(resolve(set.archive));
    await eachPage([set.archive], (page) => {
      if (!set.offer(page)) totals.addSkip('without-gold');
    });
  }
  if (inputs.length === 0) return;
  const ofInputs = sets.filter(({ archive }) => archive === undefined);
  await eachPage(inputs, (page) => {
    if (archives.has(resolve(page.file))) return totals.addSkip('in-gold-set');
    // every set with a row for the page gets it
    const isGold = ofInputs.map((set) => set.offer(page)).includes(true);
    if (!isGold) sites.add(page);
  });
}

/** Yields to other work, at most ten times per second, after calling `report`. */
function breather(report: (share: number) => void): (share: number) => Promise<void> | void {
  let breathedMs = performance.now();
  return (share) => {
    if (performance.now() - breathedMs < 100) return;
    report(share);
    return new Promise((done) => {
      setImmediate(() => {
        breathedMs = performance.now();
        done();
      });
    });
  };
}

type Settings = typeof JOINT_TRAINING_DEFAULTS;

function checkSettings({ siteWeight, pages, minPages, minSites }: JointTrainingOptions): Settings {
  const defaults = JOINT_TRAINING_DEFAULTS;
  return {
    siteWeight: checkNumber('siteWeight', siteWeight ?? defaults.siteWeight, { min: 0, max: 1000 }),
    pages: checkWhole('pages', pages ?? defaults.pages, 1),
    minPages: checkWhole('minPages', minPages ?? defaults.minPages, 2),
    minSites: checkWhole('minSites', minSites ?? defaults.minSites, 2),
  };
}

/** Checks that set names differ, because weights are by name. */
function checkSetNames(sets: readonly GoldPages[]): void {
  for (const [k, { name, file }] of sets.entries()) {
    const other = sets.slice(0, k).find((set) => set.name === name);
    if (other) throw new TrainingError(`gold files must have different names: ${other.file} and ${file}`);
    if (name === SITES)
      throw new TrainingError(`${file}: the name "${SITES}" is reserved for whole sites; rename the file`);
  }
}

function checkFound({ file, rows, unlabelled, found, archive }: GoldPages): void {
  if (found.size > 0) return;
  const reason =
    rows.length > 0
      ? `none of its ${countOf(rows.length, 'row')} is of a page in ${archive ?? 'the inputs'}`
      : unlabelled > 0
        ? `none of its ${countOf(unlabelled, 'row')} has text, keep, drop or attributes`
        : 'it has no rows';
  throw new TrainingError(`${file}: ${reason}`);
}

function checkSites(whole: readonly unknown[], tooSmall: number, { minPages, minSites }: Settings): void {
  if (whole.length >= minSites) return;
  const small = tooSmall > 0 ? `; ${countOf(tooSmall, 'site')} had fewer (--min-pages)` : '';
  const override = whole.length >= 2 ? `; --min-sites ${whole.length} trains on them anyway` : '';
  throw new TrainingError(
    `without gold a model is trained on at least ${minSites} sites of ${minPages} pages and more, and there ` +
      `${whole.length === 1 ? 'is' : 'are'} ${whole.length}${small}${override}`,
  );
}
