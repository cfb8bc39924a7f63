/**
 * The library's `label` and `strip`: pages in, each with its ranges or its clean text out, one at a time and
 * in order, by models learnt before. What a crawler calls on a page it has just fetched.
 */
import {
  applyFloors,
  checkFloors,
  type FlooredLabels,
  type FloorOptions,
  type Floors,
  labelWithFloors,
} from '../../detect/confidence-fallback.ts';
import type { Detector, DetectorName, ParsedPage } from '../../detect/detector.ts';
import { type DetectorOptions, makeDetector } from '../../detect/index.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Range } from '../../model/range.ts';
import { readTitle } from '../../parse/title.ts';
import type { Tree } from '../../parse/tree.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { type TextRow, textRow } from '../../view/rows.ts';
import { PageParser } from '../pages/page-parser.ts';
import {
  newTemplateRows,
  pageRow,
  renderContent,
  type StreamRow,
  type WantedRows,
} from '../sinks/page-rows.ts';
import { SiteModels } from './learn-pages.ts';
import { Archive } from './open-archive.ts';

export interface LabelOptions {
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** When a site has too few pages, or a page too little left, to be sure. */
  floors?: FloorOptions;
  /** `depth`, `nodes` and `pageMs`, here the time to parse and label a page; unnamed ones keep their default. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** Also tell the evidence behind the labels, where the detector can. @default false */
  explain?: boolean;
  /** Called with what is wrong with a page: too few pages of its site, nothing left; one with a skip code is left out. */
  onProblem?: (problem: Problem) => void;
}

export interface StripOptions extends LabelOptions {
  /** Add Markdown to each row. @default false */
  markdown?: boolean;
}

export interface LabelledPage {
  page: Page;
  /** Ordered, disjoint, tiling the page's source. */
  ranges: Range[];
  /** Holds until the next page is asked for. */
  tree: Tree;
  /** With the option `explain`. */
  explanation?: Explanation;
}

/** Labels each page by the model of its site; a page of an unknown site is judged alone, or `unsure`. */
export function label(
  pages: AsyncIterable<Page> | Iterable<Page>,
  models: SiteModels,
  options: LabelOptions = {},
): AsyncGenerator<LabelledPage> {
  checkModels(models, pages);
  const { detectorOptions = {}, floors, limits } = options;
  const parser = new PageParser(checkReadOptions({ limits }).limits);
  const allFloors = checkFloors({ page: detectorOptions.page, ...floors });
  return labelEach(pages, models, { ...options, detectorOptions, parser, allFloors });
}

async function* labelEach(
  pages: AsyncIterable<Page> | Iterable<Page>,
  models: SiteModels,
  {
    detectorOptions,
    parser,
    allFloors,
    signal,
    explain: explains = false,
    onProblem,
  }: LabelOptions & { detectorOptions: Partial<DetectorOptions>; parser: PageParser; allFloors: Floors },
): AsyncGenerator<LabelledPage> {
  const detectors = new Map<DetectorName, Detector>();
  for await (const page of pages) {
    signal?.throwIfAborted();
    const tree = parser.open(page, onProblem);
    if (!tree) continue;
    const model = models.find(page.site, page.time);
    let detector = model && detectors.get(model.detector);
    if (model && !detector) {
      detector = makeDetector(model.detector, detectorOptions[model.detector]);
      detectors.set(model.detector, detector);
    }
    let explanation: Explanation | undefined;
    const explain = explains ? (told: Explanation) => (explanation = told) : undefined;
    const labelled = parser.attempt(page, {
      failure: 'could not be labelled',
      work: () =>
        model && detector
          ? labelWithFloors(detector, { page, tree }, model, allFloors, { explain })
          : labelUnknown({ page, tree }, allFloors),
    });
    if (labelled.kind === 'skip') {
      for (const problem of labelled.problems) onProblem?.(problem);
      continue;
    }
    const { ranges, problem, notes = [] } = labelled.value;
    if (problem) onProblem?.(problem);
    for (const note of notes) onProblem?.(note);
    yield explanation ? { page, tree, ranges, explanation } : { page, tree, ranges };
  }
}

/** The clean text of each page, with all it takes to find the page again. */
export function strip(
  pages: AsyncIterable<Page> | Iterable<Page>,
  models: SiteModels,
  { markdown = false, ...options }: StripOptions = {},
): AsyncGenerator<TextRow> {
  return stripEach(label(pages, models, options), markdown);
}

async function* stripEach(labelled: AsyncIterable<LabelledPage>, markdown: boolean): AsyncGenerator<TextRow> {
  for await (const { page, tree, ranges } of labelled) {
    yield textRow(page, {
      title: readTitle(tree),
      ...renderContent({ page, tree, ranges }, markdown ? ['text', 'markdown'] : ['text']),
    });
  }
}

function checkModels(models: SiteModels, pages: AsyncIterable<Page> | Iterable<Page>): void {
  if (!(models instanceof SiteModels)) {
    throw new TypeError(
      `models must be the SiteModels that learn gives or SiteModels.decode reads, not ${String(models)}`,
    );
  }
  if (pages instanceof Archive && pages.siteRule !== models.siteRule) {
    throw new RangeError(
      `the models are of sites by ${models.siteRule}: open the archive with that rule, not ${pages.siteRule}`,
    );
  }
}

/** A page of a site that no model knows: as by a model of it that is below every floor. */
function labelUnknown(parsed: ParsedPage, floors: Floors): FlooredLabels {
  const { page } = parsed;
  const unknown = { detector: 'dom' as const, site: page.site, pagesLearnt: -1 };
  const { ranges, usedFallback } = applyFloors(parsed, unknown, unsure(parsed.tree.source.length), floors);
  const what = usedFallback === 'page' ? 'the page-level verdict was used' : 'the page is kept';
  const problem = problemOf(page, 'too-few-pages', `no model knows the site ${page.site}; ${what}`);
  return { ranges, problem };
}

function unsure(sizeBytes: number): Range[] {
  if (sizeBytes === 0) return [];
  return [
    { start: 0, end: sizeBytes, label: 'unsure', score: 0.5, template: '', reason: 'no model of this site' },
  ];
}

function problemOf(page: ParsedPage['page'], code: ProblemCode, message: string): Problem {
  const { file, entry, offset, url, time, site } = page;
  return { code, message, file, ...(entry === undefined ? {} : { entry }), offset, url, time, site };
}

export interface ModelRowsOptions extends LabelOptions, WantedRows {
  /** Most pages to label; no more are read then. @default all */
  limit?: number;
}

export async function* labelRows(
  pages: AsyncIterable<Page>,
  models: SiteModels,
  { want, mark, dropSlots, limit, ...options }: ModelRowsOptions,
): AsyncGenerator<StreamRow> {
  const seen = new Set<string>();
  let number = 0;
  for await (const { page, tree, ranges, explanation } of label(pages, models, options)) {
    const detector = models.find(page.site, page.time)?.detector ?? 'none';
    const labelled = {
      page,
      tree,
      title: readTitle(tree),
      number: ++number,
      snapshot: '',
      verdicts: [{ detector, ranges, explanation }],
    };
    if (want.includes('templates')) yield* newTemplateRows(labelled, seen);
    yield pageRow(labelled, { want, mark, dropSlots });
    if (number === limit) return;
  }
}
