/**
 * The library's `label` and `strip`: they label pages by saved models, one page at a time and in order, and return
 * ranges or clean text. A crawler can call them on each page that it fetches.
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
import { checkDetectorOptions, type DetectorOptions, makeDetector } from '../../detect/index.ts';
import { type PageFindings, readMetadata } from '../../metadata/read-metadata.ts';
import { checkOptions, type OptionKinds } from '../../model/check-option.ts';
import type { Explanation } from '../../model/explanation.ts';
import { NO_SITE_NAMES, type SiteNames } from '../../model/metadata.ts';
import type { Page } from '../../model/page.ts';
import type { Problem, ProblemCode } from '../../model/problem.ts';
import type { Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import { type TextRow, textRow } from '../../view/rows.ts';
import { DEFAULT_DETECTOR } from '../job.ts';
import type { PageWork } from '../pages/page-parser.ts';
import { renderContent } from '../sinks/page-rows.ts';
import { SiteModels } from './learn-pages.ts';
import { Archive } from './open-archive.ts';
import type { AnyPage, ExtraOf, Pages } from './page-input.ts';
import { type PageRunOptions, runPages } from './page-run.ts';

/** Options of `label`. */
export interface LabelOptions extends PageRunOptions {
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** Minimum number of pages of a site and minimum remaining text of a page for trusting a verdict. */
  floors?: FloorOptions;
  /** Add the evidence behind the labels, if the detector gives it. @default false */
  explain?: boolean;
}

/** Options of `strip`. */
export interface StripOptions extends LabelOptions {
  /** Add Markdown to each row. @default false */
  markdown?: boolean;
}

const LABEL_OPTION_KINDS: OptionKinds<LabelOptions> = {
  ...{ limits: 'any', signal: 'signal', onProblem: 'function' },
  ...{ detectorOptions: 'any', floors: 'any', explain: 'boolean' },
};

/** A page with its ranges. */
export interface LabelledPage {
  page: Page;
  /** Ordered, disjoint ranges that tile the page's source. */
  ranges: Range[];
  /** The detector of the model; `none` for a site without a model. */
  detector: DetectorName;
  /** What the titles of its site share. */
  names: SiteNames;
  /** Facts about the page that the detector adds to its ranges. */
  findings?: PageFindings;
  /** Valid until the next page is requested. */
  tree: Tree;
  /** Only with the option `explain`. */
  explanation?: Explanation;
}

/**
 * Labels each page by the model of its site. A page of an unknown site is judged by itself: by `joint` if that made the
 * models, otherwise by the floors.
 */
export function label(
  pages: Pages,
  models: SiteModels,
  options: LabelOptions = {},
): AsyncGenerator<LabelledPage> {
  checkModels(models, pages);
  checkOptions(options, LABEL_OPTION_KINDS);
  const { detectorOptions, floors, explain, ...running } = options;
  const { end: onEnd, ...work } = labelWork(models, { detectorOptions, floors, explain });
  return runPages(pages, { ...running, siteRule: models.siteRule, onEnd }, work);
}

/** The labelling of a page by the models; `end` frees the memory of the detectors. */
export function labelWork(
  models: SiteModels,
  {
    detectorOptions = {},
    floors,
    explain: explains = false,
  }: Pick<LabelOptions, 'detectorOptions' | 'floors' | 'explain'>,
): PageWork<Omit<LabelledPage, 'page' | 'tree'>> & { end(): void } {
  checkDetectorOptions(detectorOptions);
  if (floors !== undefined) checkFloors(floors);
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
    let findings: PageFindings | undefined;
    const explain = explains ? (found: Explanation) => (explanation = found) : undefined;
    const onFindings = (found: PageFindings) => {
      findings = found;
    };
    const {
      ranges,
      problem,
      notes = [],
    } = model
      ? labelWithFloors(detectors.get(model.detector)!, parsed, model, allFloors, { explain, onFindings })
      : labelUnknown(parsed, allFloors);
    const { detector = 'none', names = NO_SITE_NAMES } = model ?? {};
    return {
      result: explanation
        ? { ranges, detector, names, findings, explanation }
        : { ranges, detector, names, findings },
      problems: problem ? [problem, ...notes] : notes,
    };
  };
  const end = () => {
    for (const detector of detectors.values()) detector.release?.();
  };
  return { failure: 'could not be labelled', work, end };
}

/**
 * Returns the clean text of each page, with everything needed to find the page again. Unknown keys of a page (`id`,
 * `lang`) are copied to its row.
 */
export function strip<Input extends AnyPage>(
  pages: Pages<Input>,
  models: SiteModels,
  given: StripOptions = {},
): AsyncGenerator<TextRow & ExtraOf<Input>> {
  checkOptions(given, { ...LABEL_OPTION_KINDS, markdown: 'boolean' });
  const { markdown = false, ...options } = given;
  const rows: AsyncGenerator<unknown> = stripEach(label(pages, models, options), markdown);
  return rows as AsyncGenerator<TextRow & ExtraOf<Input>>;
}

async function* stripEach(labelled: AsyncIterable<LabelledPage>, markdown: boolean): AsyncGenerator<TextRow> {
  for await (const { page, tree, ranges, names, findings } of labelled) {
    yield textRow(page, {
      ...readMetadata({ page, tree, ranges, site: names, findings }),
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

/** Labels a page of an unknown site as if its model were below every floor. */
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
