/**
 * The library's `label` and `strip`: pages in, each with its ranges or its clean text out, one at a time and
 * in order, by models learnt before. What a crawler calls on a page it has just fetched.
 */
import type { Detector, DetectorName } from '../detect/detector.ts';
import { applyFloors, checkFloors, type FloorOptions, labelWithFloors } from '../detect/floors.ts';
import { type DetectorOptions, makeDetector } from '../detect/index.ts';
import type { Page } from '../model/page.ts';
import type { Problem, ProblemCode } from '../model/problem.ts';
import type { Range } from '../model/range.ts';
import { Parser } from '../parse/parser.ts';
import { readTitle } from '../parse/title.ts';
import type { Tree } from '../parse/tree.ts';
import { renderMarkdown } from '../view/markdown.ts';
import { type TextRow, textRow } from '../view/rows.ts';
import { renderText } from '../view/visible-text.ts';
import { parseWithinLimits } from './learn-pages.ts';
import type { SiteModels } from './site-models.ts';

export interface LabelOptions {
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** When a site has too few pages, or a page too little left, to be sure. */
  floors?: FloorOptions;
  signal?: AbortSignal;
  /** Called with what is wrong with a page: too few pages of its site, nothing left, too many nodes. */
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
}

/** Labels each page by the model of its site; a page of an unknown site is judged alone, or `unsure`. */
export async function* label(
  pages: AsyncIterable<Page> | Iterable<Page>,
  models: SiteModels,
  { detectorOptions = {}, floors, signal, onProblem }: LabelOptions = {},
): AsyncGenerator<LabelledPage> {
  const parser = new Parser();
  const allFloors = checkFloors({ page: detectorOptions.page, ...floors });
  const detectors = new Map<DetectorName, Detector>();
  for await (const page of pages) {
    signal?.throwIfAborted();
    const tree = parseWithinLimits(parser, page.source);
    if (!tree) {
      onProblem?.(problemOf(page, 'too-many-nodes', 'more nodes than the limit allows; skipped'));
      continue;
    }
    const model = models.find(page.site, page.time);
    if (!model) {
      // a model that knows nothing of the site: below every floor
      const unknown = { detector: 'dom' as const, site: page.site, pagesLearnt: -1 };
      const { ranges, fellBack } = applyFloors(
        { page, tree },
        unknown,
        unsure(page.source.length),
        allFloors,
      );
      const what = fellBack === 'page' ? 'the page-level verdict was used' : 'the page is kept';
      onProblem?.(problemOf(page, 'too-few-pages', `no model knows the site ${page.site}; ${what}`));
      yield { page, tree, ranges };
      continue;
    }
    let detector = detectors.get(model.detector);
    if (!detector) {
      detector = makeDetector(model.detector, detectorOptions[model.detector]);
      detectors.set(model.detector, detector);
    }
    const { ranges, problem, notes = [] } = labelWithFloors(detector, { page, tree }, model, allFloors);
    if (problem) onProblem?.(problem);
    for (const note of notes) onProblem?.(note);
    yield { page, tree, ranges };
  }
}

/** The clean text of each page, with all it takes to find the page again. */
export async function* strip(
  pages: AsyncIterable<Page> | Iterable<Page>,
  models: SiteModels,
  { markdown = false, ...options }: StripOptions = {},
): AsyncGenerator<TextRow> {
  for await (const { page, tree, ranges } of label(pages, models, options)) {
    yield textRow(page, {
      title: readTitle(tree),
      text: renderText(tree, ranges),
      ...(markdown ? { markdown: renderMarkdown(tree, ranges, page) } : {}),
    });
  }
}

function unsure(sizeBytes: number): Range[] {
  if (sizeBytes === 0) return [];
  return [
    { start: 0, end: sizeBytes, label: 'unsure', score: 0.5, template: '', reason: 'no model of this site' },
  ];
}

function problemOf(page: Page, code: ProblemCode, message: string): Problem {
  const { file, entry, offset, url, time, site } = page;
  return { code, message, file, ...(entry === undefined ? {} : { entry }), offset, url, time, site };
}
