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
import type { Detector, DetectorName, ParsedPage, SiteModel } from '../../detect/detector.ts';
import { type DetectorOptions, makeDetector } from '../../detect/index.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { Page } from '../../model/page.ts';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Range } from '../../model/range.ts';
import { readTitle } from '../../parse/title.ts';
import type { Tree } from '../../parse/tree.ts';
import { type TextRow, textRow } from '../../view/rows.ts';
import { DEFAULT_DETECTOR } from '../job.ts';
import { renderContent } from '../sinks/page-rows.ts';
import { SiteModels } from './learn-pages.ts';
import { Archive } from './open-archive.ts';
import type { AnyPage, ExtraOf, Pages } from './page-input.ts';
import { PageRun, type PageRunOptions } from './page-run.ts';

export interface LabelOptions extends PageRunOptions {
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** When a site has too few pages, or a page too little left, to be sure. */
  floors?: FloorOptions;
  /** Also tell the evidence behind the labels, where the detector can. @default false */
  explain?: boolean;
}

export interface StripOptions extends LabelOptions {
  /** Add Markdown to each row. @default false */
  markdown?: boolean;
}

export interface LabelledPage {
  page: Page;
  /** Ordered, disjoint, tiling the page's source. */
  ranges: Range[];
  /** The detector of the model; `none` when no model knows the site. */
  detector: DetectorName;
  /** Holds until the next page is asked for. */
  tree: Tree;
  /** With the option `explain`. */
  explanation?: Explanation;
}

/**
 * Labels each page by the model of its site. A page of an unknown site is judged by itself: by `joint` where that made
 * the models, or by the floors.
 */
export function label(
  pages: Pages,
  models: SiteModels,
  options: LabelOptions = {},
): AsyncGenerator<LabelledPage> {
  return labelRun(pages, models, options)[Symbol.asyncIterator]();
}

/** The same for at most `limit` pages, with accounts. */
export function labelRun(
  pages: Pages,
  models: SiteModels,
  { detectorOptions = {}, floors, explain: explains = false, ...options }: LabelOptions & { limit?: number },
): PageRun<Pick<LabelledPage, 'ranges' | 'detector' | 'explanation'>> {
  checkModels(models, pages);
  const allFloors = checkFloors({ page: detectorOptions.page, ...floors });
  const names = new Set([...models].map(({ detector }) => detector));
  if (names.size === 0) names.add(DEFAULT_DETECTOR);
  const detectors = new Map(
    [...names].map((name): [string, Detector] => [name, makeDetector(name, detectorOptions[name])]),
  );
  let unknownSite: SiteModel | undefined;
  const work = (parsed: ParsedPage) => {
    let model = models.find(parsed.page.site, parsed.page.time);
    if (!model) {
      unknownSite ??= detectors.get('joint')?.learn('', []);
      model = unknownSite;
    }
    let explanation: Explanation | undefined;
    const explain = explains ? (told: Explanation) => (explanation = told) : undefined;
    const {
      ranges,
      problem,
      notes = [],
    } = model
      ? labelWithFloors(detectors.get(model.detector)!, parsed, model, allFloors, { explain })
      : labelUnknown(parsed, allFloors);
    const { detector = 'none' } = model ?? {};
    return {
      result: explanation ? { ranges, detector, explanation } : { ranges, detector },
      problems: problem ? [problem, ...notes] : notes,
    };
  };
  const end = () => {
    for (const detector of detectors.values()) detector.release?.();
  };
  const { siteRule } = models;
  return new PageRun(pages, { ...options, siteRule }, { failure: 'could not be labelled', work, end });
}

/**
 * The clean text of each page, with all it takes to find the page again. Keys of a page that mean nothing here (`id`,
 * `lang`) come back on its row.
 */
export function strip<Input extends AnyPage>(
  pages: Pages<Input>,
  models: SiteModels,
  { markdown = false, ...options }: StripOptions = {},
): AsyncGenerator<TextRow & ExtraOf<Input>> {
  const rows: AsyncGenerator<unknown> = stripEach(label(pages, models, options), markdown);
  return rows as AsyncGenerator<TextRow & ExtraOf<Input>>;
}

async function* stripEach(labelled: AsyncIterable<LabelledPage>, markdown: boolean): AsyncGenerator<TextRow> {
  for await (const { page, tree, ranges } of labelled) {
    yield textRow(page, {
      title: readTitle(tree),
      ...renderContent({ page, tree, ranges }, markdown ? ['text', 'markdown'] : ['text']),
    });
  }
}

function checkModels(models: SiteModels, pages: Pages): void {
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
