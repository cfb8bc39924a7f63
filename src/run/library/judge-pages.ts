/**
 * Judges pages without other pages of their site, one page at a time and in order, as `chaff page` does; also for a
 * single page.
 */
import type { BrowserLayout } from '../../browse/browser-layout.ts';
import type { ParsedPage } from '../../detect/detector.ts';
import { PAGE_OPTION_NAMES, PageJudge, type PageOptions } from '../../detect/page/judge-page.ts';
import { type PageModel, packagedPageModel } from '../../detect/page/page-model.ts';
import type { Section } from '../../detect/page/sections.ts';
import type { Boxes } from '../../layout/boxes.ts';
import { readMetadata } from '../../metadata/read-metadata.ts';
import { checkOptions, type OptionKinds } from '../../model/check-option.ts';
import type { PageMetadata } from '../../model/metadata.ts';
import type { Page } from '../../model/page.ts';
import type { Range } from '../../model/range.ts';
import { siteOf } from '../../model/site.ts';
import { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { measureShares, type Shares } from '../../study/shares.ts';
import { placeOf } from '../../view/node-path.ts';
import { renderText } from '../../view/visible-text.ts';
import type { PageWork } from '../pages/page-parser.ts';
import { checkHtml, checkPageUrl, makeInputPage, type Pages } from './page-input.ts';
import { type PageRunOptions, runPages } from './page-run.ts';

/** A section with its score; sections may be nested, and the innermost one applies. */
export interface PlacedSection extends Omit<Section, 'node'> {
  /** Path of its element: `html > body > div#nav`. */
  place: string;
}

/** A page with its page-level verdict. */
export interface JudgedPage {
  page: Page;
  /** Ordered, disjoint ranges that tile the page's source. */
  ranges: Range[];
  sections: PlacedSection[];
  shares: Shares;
  /** Valid until the next page is requested. */
  tree: Tree;
}

/** Options of `judgePages`. */
export interface JudgeOptions extends PageOptions, PageRunOptions {
  /** @default the model of the package */
  model?: PageModel;
  /** A browser for the layout of pages; without it, or if it returns no boxes, boxes are estimated. */
  layout?: BrowserLayout;
}

/** `PageJudge` checks the values. */
const PAGE_OPTION_KINDS = Object.fromEntries(
  ['model', ...PAGE_OPTION_NAMES].map((name) => [name, 'any']),
) as OptionKinds<PageOptions & Pick<JudgeOptions, 'model'>>;

/** Judges each page. A page that cannot be parsed or judged in time is reported and left out. */
export function judgePages(pages: Pages, options: JudgeOptions = {}): AsyncGenerator<JudgedPage> {
  checkOptions(options, {
    ...{ layout: 'object', limits: 'any', signal: 'signal', onProblem: 'function' },
    ...PAGE_OPTION_KINDS,
  });
  const { layout, limits, signal, onProblem, ...judging } = options;
  return runPages(pages, { layout, limits, signal, onProblem }, judgeWork(judging));
}

/** The judgement of a page. */
export function judgeWork({
  model = packagedPageModel(),
  ...options
}: PageOptions & { model?: PageModel }): PageWork<Omit<JudgedPage, 'page' | 'tree'>> {
  const judge = new PageJudge(model, options);
  return {
    failure: 'could not be judged',
    work: (parsed, boxes) => ({ result: judgeTree(judge, parsed, boxes) }),
  };
}

/** Options of `judgePage`. */
export interface JudgePageOptions extends Omit<JudgeOptions, 'layout' | 'signal' | 'onProblem'> {
  /** URL of the page, which distinguishes links to its own site. */
  url?: string;
}

/** The page-level verdict on a single page, with its text. */
export interface PageJudgement {
  title: string;
  metadata: PageMetadata;
  /** The main text. */
  text: string;
  ranges: Range[];
  sections: PlacedSection[];
  shares: Shares;
}

/** Judges one page, given as text or as UTF-8 bytes. */
export function judgePage(html: string | Uint8Array, options: JudgePageOptions = {}): PageJudgement {
  checkHtml(html);
  checkOptions(options, { url: 'any', limits: 'any', ...PAGE_OPTION_KINDS });
  const { model = packagedPageModel(), url = '', limits, ...pageOptions } = options;
  checkPageUrl(url);
  const source = typeof html === 'string' ? new TextEncoder().encode(html) : html;
  const tree = new Parser(checkReadOptions({ limits })).parse(source);
  const page = makeInputPage(url, { site: siteOf(url), charset: 'UTF-8', source });
  const judged = judgeTree(new PageJudge(model, pageOptions), { page, tree });
  const { ranges } = judged;
  return { ...readMetadata({ page, tree, ranges }), ...judged, text: renderText(tree, ranges) };
}

function judgeTree(judge: PageJudge, parsed: ParsedPage, boxes?: Boxes) {
  const { ranges, sections } = judge.judge(parsed, boxes);
  const { tree } = parsed;
  const steps = new Map<number, string>();
  return {
    ranges,
    sections: sections.map(({ node, start, end, score, label, words }) => ({
      start,
      end,
      score,
      label,
      words,
      place: placeOf(tree, node, steps),
    })),
    shares: measureShares(tree, ranges),
  };
}
