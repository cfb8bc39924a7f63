/**
 * Pages judged alone, each by what it looks like and not by its site: what `chaff page` does, one page at a
 * time and in order; and the same for a single page.
 */
import type { BrowserLayout } from '../../browse/browser-layout.ts';
import type { ParsedPage } from '../../detect/detector.ts';
import { PageJudge, type PageOptions } from '../../detect/page/judge-page.ts';
import { type PageModel, packagedPageModel } from '../../detect/page/page-model.ts';
import type { Section } from '../../detect/page/sections.ts';
import type { Boxes } from '../../layout/boxes.ts';
import type { Page } from '../../model/page.ts';
import type { Range } from '../../model/range.ts';
import { siteOf } from '../../model/site.ts';
import { Parser } from '../../parse/parser.ts';
import { readTitle } from '../../parse/title.ts';
import type { Tree } from '../../parse/tree.ts';
import { measureShares, type Shares } from '../../study/shares.ts';
import { placeOf } from '../../view/node-path.ts';
import { renderText } from '../../view/visible-text.ts';
import { makeInputPage, type Pages } from './page-input.ts';
import { PageRun, type PageRunOptions } from './page-run.ts';

/** A region of a page with one score; sections may lie in others, and the innermost holds. */
export interface PlacedSection extends Omit<Section, 'node'> {
  /** Where it stands: `html > body > div#nav`. */
  place: string;
}

export interface JudgedPage {
  page: Page;
  title: string;
  /** Ordered, disjoint, tiling the page's source. */
  ranges: Range[];
  sections: PlacedSection[];
  shares: Shares;
  /** Holds until the next page is asked for. */
  tree: Tree;
}

export interface JudgeOptions extends PageOptions, PageRunOptions {
  /** @default the model of the package */
  model?: PageModel;
  /** A browser to lay pages out; where it gives no boxes, as without one, they are estimated. */
  layout?: BrowserLayout;
}

/** Judges each page. One that cannot be parsed or judged, or not in time, is reported and left out. */
export function judgePages(pages: Pages, options: JudgeOptions = {}): AsyncGenerator<JudgedPage> {
  return judgeRun(pages, options)[Symbol.asyncIterator]();
}

/** The same for at most `limit` pages, with accounts. */
export function judgeRun(
  pages: Pages,
  options: JudgeOptions & { limit?: number },
): PageRun<Omit<JudgedPage, 'page' | 'tree'>> {
  const { model = packagedPageModel(), layout, limits, signal, onProblem, limit, ...pageOptions } = options;
  const judge = new PageJudge(model, pageOptions);
  return new PageRun(
    pages,
    { layout, limits, signal, onProblem, limit },
    {
      failure: 'could not be judged',
      work: (parsed, boxes) => ({ result: judgeTree(judge, parsed, boxes) }),
    },
  );
}

export interface JudgePageOptions extends Omit<JudgeOptions, 'layout' | 'signal' | 'onProblem'> {
  /** Where the page is from: tells links to its own site from others. */
  url?: string;
}

export interface PageJudgement {
  title: string;
  /** What the page says. */
  text: string;
  ranges: Range[];
  sections: PlacedSection[];
  shares: Shares;
}

/** Judges one page: HTML as text or as UTF-8 bytes. */
export function judgePage(html: string | Uint8Array, options: JudgePageOptions = {}): PageJudgement {
  const { model = packagedPageModel(), url = '', limits, ...pageOptions } = options;
  const source = typeof html === 'string' ? new TextEncoder().encode(html) : html;
  const tree = new Parser({ limits }).parse(source);
  const page = makeInputPage(url, { site: siteOf(url), charset: 'UTF-8', source });
  const judged = judgeTree(new PageJudge(model, pageOptions), { page, tree });
  return { ...judged, text: renderText(tree, judged.ranges) };
}

function judgeTree(judge: PageJudge, parsed: ParsedPage, boxes?: Boxes) {
  const { ranges, sections } = judge.judge(parsed, boxes);
  const { tree } = parsed;
  const steps = new Map<number, string>();
  return {
    title: readTitle(tree),
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
