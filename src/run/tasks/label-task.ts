/**
 * Labels pages: each page is read and parsed once, labelled by every detector, measured, rendered and released. Rows go
 * to the parts of an output folder, or to a spool file that a stream reads.
 */
import { checkFloors, type Floors, labelWithFloors } from '../../detect/confidence-fallback.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from '../../detect/detector.ts';
import type { PageFindings } from '../../metadata/read-metadata.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { Page } from '../../model/page.ts';
import type { Problem } from '../../model/problem.ts';
import { holdTree, PageArena } from '../../parse/page-arena.ts';
import type { Tree } from '../../parse/tree.ts';
import { WrongGuess } from '../../read/record-context.ts';
import type { PlannedGroup } from '../../store/plan.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { commitTask } from '../../store/task-parts.ts';
import { type Opened, PageOpener, Pauses, skip } from '../pages/open-page.ts';
import type { LabelSink, SinkPage, Verdict } from '../sinks/label-sink.ts';
import { candidatesOf, type LearnGroupOptions, learnGroup, makeDetectors, readModels } from './learn-task.ts';
import type { LabelTask, TaskContext, TaskCounts } from './task.ts';
import { Clock, TaskRecord } from './task-record.ts';

/** Labels the pages of a task and writes the requested output; runs a `LabelTask`. */
export async function labelPages(task: LabelTask, context: TaskContext): Promise<TaskCounts> {
  const { job, groups, pages } = task;
  const record = new TaskRecord();
  const { clock } = record;
  const opener = new PageOpener({ ...task, clock, reuse: true, arena: context.arena });
  const detectors = makeDetectors(job);
  const models = new CurrentModels(task, { detectors, job, opener, hold: true, clock, context });
  const captures = new CaptureOpener(task);
  const floors = checkFloors({ ...job.floors, page: job.detectorOptions.page });
  const groupOf = new Map(groups.map((group) => [group.group, group]));
  const labelAll = async (draft: string) => {
    const sink = await openSink(task, draft);
    const pauses = new Pauses(context);
    for (const planned of pages) {
      await pauses.beforePage();
      const group = groupOf.get(planned.group)!;
      const current = await models.of(group);
      context.onPage(planned.page);
      clock.start();
      let outcome = captures.hold(planned, opener.open(planned));
      if (outcome.kind === 'page') {
        try {
          const labelled = labelPage(planned, outcome, {
            detectors,
            models: current,
            floors,
            captures: captures.open(planned),
            onPhase: (phase) => clock.lap(phase),
            explains: wantsExplanation(task),
          });
          labelled.snapshot = group.snapshot;
          clock.lap('label');
          outcome = opener.checkTime(planned) ?? outcome;
          if (outcome.kind === 'page') {
            sink.add(labelled, clock);
            record.addProblems(labelled.problems);
            record.countPage(labelled);
            if (labelled.verdicts[0].unsure) record.counts.unsurePages++;
          }
        } catch (error) {
          if (error instanceof WrongGuess) throw error;
          outcome = skip(
            planned,
            'unreadable',
            `could not be labelled: ${(error as Error).message}; skipped`,
          );
        }
      }
      if (outcome.kind === 'skip') {
        record.countSkip(outcome.code);
        record.addProblems(outcome.problems);
      }
    }
    context.onPage(0); // no page is named as suspect while the results of a whole site are written
    record.finish(draft, () => sink.close());
  };
  try {
    await commitTask(task, labelAll);
  } finally {
    captures.release();
    for (const detector of detectors) detector.release?.();
  }
  return record.counts;
}

async function openSink(task: LabelTask, draft: string): Promise<LabelSink> {
  const { output } = task;
  switch (output.kind) {
    case 'folder':
      return new (await import('../sinks/folder-sink.ts')).FolderSink({ draft, task });
    case 'history':
      return new (await import('../sinks/history-sink.ts')).HistorySink({ draft, task });
    case 'changes':
      return new (await import('../sinks/compared-captures.ts')).ComparedCaptures({
        draft,
        task,
        lists: true,
      });
    case 'rows':
      return new (await import('../sinks/row-sink.ts')).RowSink({ draft, output });
    case 'shingles':
      return new (await import('../sinks/shingle-sink.ts')).ShingleSink({ draft, output });
  }
}

interface LabelPageOptions {
  detectors: Detector[];
  models: SiteModel[];
  floors: Floors;
  captures?: PageCaptures;
  onPhase: LabelContext['onPhase'];
  /** Whether to collect the evidence behind the labels. */
  explains: boolean;
}

function wantsExplanation({ output }: LabelTask): boolean {
  return output.kind === 'rows' && output.explain === true;
}

/** The verdicts of all detectors on one page. */
function labelPage(
  planned: PlannedPage,
  { page, tree, problems }: { page: Page; tree: Tree; problems: Problem[] },
  { detectors, models, floors, captures, onPhase, explains }: LabelPageOptions,
): SinkPage {
  const parsed: ParsedPage = { page, tree };
  const all = [...problems];
  let findings: PageFindings | undefined;
  const verdicts = detectors.map((detector, k): Verdict => {
    let explanation: Explanation | undefined;
    const floored = labelWithFloors(detector, parsed, models[k], floors, {
      ...(detector.wantsCaptures && { earlier: captures?.earlier, later: captures?.later }),
      ...(explains && { explain: (found: Explanation) => (explanation = found) }),
      ...(k === 0 && { onFindings: (found: PageFindings) => (findings = found) }),
      onPhase,
    });
    const { ranges, problem, usedFallback, notes } = floored;
    // when joint comes first, the other detectors only list templates: their fallbacks do not change the text
    if (problem && (k === 0 || detectors[0].name !== 'joint')) all.push(siteWide(problem));
    if (notes) all.push(...notes);
    return {
      detector: detector.name,
      ranges,
      unsure: usedFallback === 'unsure',
      explanation,
    };
  });
  const previous = captures?.previous;
  const { names } = models[0];
  return { planned, page, snapshot: '', tree, names, findings, verdicts, problems: all, previous };
}

/** Removes the page from a problem of the whole site, so that it is reported once. */
function siteWide(problem: Problem): Problem {
  if (problem.code !== 'too-few-pages') return problem;
  const { code, message, site } = problem;
  return { code, message, site };
}

interface PageCaptures extends Pick<LabelContext, 'earlier' | 'later'> {
  /** The previous capture; valid until `earlier` is iterated again. */
  previous(): ParsedPage | undefined;
}

/**
 * Reads the other captures of a page on demand. The page and one capture of each side are kept in memory because they
 * are compared. Unreadable captures are skipped.
 */
class CaptureOpener {
  readonly #task: LabelTask;
  readonly #arena = new PageArena();
  #before: SideOpener | undefined;
  #after: SideOpener | undefined;

  constructor(task: LabelTask) {
    this.#task = task;
  }

  /** Returns the page; a copy if other captures of it may be opened. */
  hold({ page }: PlannedPage, opened: Opened): Opened {
    if (opened.kind === 'skip' || opened.kept || !this.#task.otherCaptures?.[page]) return opened;
    const { tree } = holdPage(opened, this.#arena);
    return { ...opened, page: { ...opened.page, source: tree.source }, tree };
  }

  /** Frees all memory. */
  release(): void {
    this.#arena.release();
    this.#before?.release();
    this.#after?.release();
  }

  open({ page }: PlannedPage): PageCaptures | undefined {
    const { otherCaptures, job, inputs, suspects } = this.#task;
    const others = otherCaptures?.[page];
    if (!others) return undefined;
    const options = { job, inputs, suspects, clock: new Clock() };
    this.#before ??= new SideOpener(new PageOpener(options));
    this.#after ??= new SideOpener(new PageOpener(options));
    const before = this.#before;
    return {
      earlier: before.each(others.earlier ?? []),
      later: this.#after.each(others.later ?? []),
      previous: () => others.previous && before.open(others.previous),
    };
  }
}

/** Copies a page into an arena for one page. */
function holdPage({ page, tree }: ParsedPage, arena: PageArena): ParsedPage {
  arena.reset();
  return { page, tree: holdTree(tree, arena) };
}

/** Opens the captures of one side; keeps the last opened one, which is not read again. */
class SideOpener {
  readonly #opener: PageOpener;
  readonly #arena = new PageArena();
  #page = 0;
  #opened: ParsedPage | undefined;

  constructor(opener: PageOpener) {
    this.#opener = opener;
  }

  open(planned: PlannedPage): ParsedPage | undefined {
    if (planned.page !== this.#page) {
      const opened = this.#opener.open(planned);
      this.#page = planned.page;
      this.#opened = opened.kind === 'page' ? holdPage(opened, this.#arena) : undefined;
    }
    return this.#opened;
  }

  release(): void {
    this.#arena.release();
  }

  /** The captures; may be iterated several times. */
  each(captures: readonly PlannedPage[]): Iterable<ParsedPage> {
    const open = (planned: PlannedPage) => this.open(planned);
    return {
      *[Symbol.iterator]() {
        for (const planned of captures) {
          const opened = open(planned);
          if (opened) yield opened;
        }
      },
    };
  }
}

/** The models of the current group; pages come group by group. A group without saved models is learnt here. */
class CurrentModels {
  readonly #task: LabelTask;
  readonly #options: LearnGroupOptions;
  #group = -1;
  #models: SiteModel[] = [];

  constructor(task: LabelTask, options: LearnGroupOptions) {
    this.#task = task;
    this.#options = options;
  }

  async of(group: LabelTask['groups'][number]): Promise<SiteModel[]> {
    if (group.group === this.#group) return this.#models;
    this.#group = group.group;
    const { detectors, opener } = this.#options;
    // the sampled pages stay in memory until the last page of their group
    opener.letGo();
    this.#models = group.models
      ? readModels({ ...group.models, folder: this.#task.folder }, detectors)
      : await this.#learn(group);
    return this.#models;
  }

  async #learn({ group, site }: PlannedGroup): Promise<SiteModel[]> {
    const { models } = await learnGroup(site, candidatesOf(group, this.#task), this.#options);
    return models;
  }
}
