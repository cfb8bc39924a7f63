/**
 * The four ways to treat templates that Chakrabarti, Kumar and Punera compare in their sections 6.2 and 6.3:
 * kept (FULLTEXT), removed by repetition on the site (SITELEVEL: our `dom`), removed page by page by the
 * classifier alone (PAGELEVEL Basic) and with smoothed scores (PAGELEVEL Smooth).
 *
 *     --model FILE   a page-level model of `chaff train` instead of the packaged one
 *     --paper        the packaged model of the paper, with the options of the preset chakrabarti-2007
 *
 * Basic and Smooth differ only in the smoothing; neither normalises scores. For the packaged model the
 * default verdict is measured too.
 */
import { readFileSync } from 'node:fs';
import { chakrabarti2007 } from '../../src/cli/presets/papers.ts';
import { labelWithFloors } from '../../src/detect/confidence-fallback.ts';
import { domDetector } from '../../src/detect/dom-detector.ts';
import { PageJudge, type PageOptions } from '../../src/detect/page/judge-page.ts';
import {
  decodePageModel,
  type PageModel,
  packagedPageModel,
  paperPageModel,
} from '../../src/detect/page/page-model.ts';
import type { Page } from '../../src/model/page.ts';
import type { Range } from '../../src/model/range.ts';
import { Parser } from '../../src/parse/parser.ts';
import type { Tree } from '../../src/parse/tree.ts';

/** Options of the preset chakrabarti-2007. */
export const PAPER_OPTIONS = {
  levelling: false,
  levels: 0,
  unsureBand: 0,
  delta: chakrabarti2007.pageDelta,
} as const satisfies PageOptions;

/** Receives the pages of one site in order, with their ranges; the tree is valid until the next page. */
export type TakePage = (index: number, tree: Tree, ranges: Range[] | undefined) => void;

/** A way to treat templates. */
export interface Removal {
  name: string;
  label(site: string, pages: readonly Page[], take: TakePage): void;
}

/** Number of pages from which a site is learnt, as in a run. */
const SAMPLE_PAGES = 200;

/** Returns the ways to treat templates, those of the paper first. */
export function templateRemovals(): Removal[] {
  const removals: Removal[] = [
    {
      name: 'FULLTEXT',
      label: (_, pages, take) => withTrees(pages, (index, tree) => take(index, tree, undefined)),
    },
    { name: 'site-level (dom)', label: labelBySite },
  ];
  const model = pageModel();
  if (!model) return removals;
  const options = process.argv.includes('--paper') ? PAPER_OPTIONS : { levelling: false };
  removals.push(
    { name: 'page-level basic', label: byPage(model, { ...options, smoothing: 'none' }) },
    { name: 'page-level smoothed', label: byPage(model, { ...options, smoothing: 'isotonic' }) },
  );
  if (model.level) removals.push({ name: 'page', label: byPage(model, {}) });
  return removals;
}

function pageModel(): PageModel | undefined {
  const at = process.argv.indexOf('--model');
  if (at >= 0) return decodePageModel(readFileSync(process.argv[at + 1], 'utf8'));
  if (process.argv.includes('--paper')) return paperPageModel();
  try {
    return packagedPageModel();
  } catch (error) {
    console.error(`no page-level model, its columns are left out: ${(error as Error).message}`);
    return undefined;
  }
}

function labelBySite(site: string, pages: readonly Page[], take: TakePage): void {
  const detector = domDetector();
  const parser = new Parser();
  // evenly spread, which equals a random sample when pages have no order
  const step = Math.max(1, pages.length / SAMPLE_PAGES);
  const sample = pages.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  const model = detector.learn(
    site,
    (function* () {
      for (const page of sample) yield { page, tree: parser.parse(page.source) };
    })(),
  );
  withTrees(pages, (index, tree, page) => {
    take(index, tree, labelWithFloors(detector, { page, tree }, model).ranges);
  });
}

function byPage(model: PageModel, options: PageOptions): Removal['label'] {
  const judge = new PageJudge(model, options);
  return (_, pages, take) =>
    withTrees(pages, (index, tree, page) => take(index, tree, judge.judge({ page, tree }).ranges));
}

function withTrees(pages: readonly Page[], take: (index: number, tree: Tree, page: Page) => void): void {
  const parser = new Parser();
  for (const [index, page] of pages.entries()) take(index, parser.parse(page.source), page);
}
