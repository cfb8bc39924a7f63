/**
 * Pages judged alone, each by what it looks like and not by its site: what `chaff page` does, one page at a
 * time and in order, and for a single page at hand.
 */
import type { BrowserLayout } from '../../browse/browser-layout.ts';
import { layOutInOrder } from '../../browse/layout-in-order.ts';
import type { ParsedPage } from '../../detect/detector.ts';
import { PageJudge, type PageOptions } from '../../detect/page/judge-page.ts';
import { type PageModel, packagedPageModel } from '../../detect/page/page-model.ts';
import type { Section } from '../../detect/page/sections.ts';
import type { Boxes } from '../../layout/boxes.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem } from '../../model/problem.ts';
import type { Range } from '../../model/range.ts';
import { siteOf } from '../../model/site.ts';
import { Parser } from '../../parse/parser.ts';
import { readTitle } from '../../parse/title.ts';
import type { Tree } from '../../parse/tree.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { measureShares, type Shares } from '../../study/shares.ts';
import { placeOf } from '../../view/node-path.ts';
import { renderText } from '../../view/visible-text.ts';
import { PageParser } from '../pages/page-parser.ts';

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

export interface JudgeOptions extends PageOptions {
  /** @default the model of the package */
  model?: PageModel;
  /** A browser to lay pages out; where it gives no boxes, as without one, they are estimated. */
  layout?: BrowserLayout;
  /** `depth`, `nodes` and `pageMs`, here the time to parse and judge a page; unnamed ones keep their default. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** Called with what is wrong with a page: too deep, not laid out; one with a skip code is left out. */
  onProblem?: (problem: Problem) => void;
}

/** Judges each page. One that cannot be parsed or judged, or not in time, is reported and left out. */
export async function* judgePages(
  pages: AsyncIterable<Page> | Iterable<Page>,
  { model = packagedPageModel(), layout, limits, signal, onProblem, ...options }: JudgeOptions = {},
): AsyncGenerator<JudgedPage> {
  const judge = new PageJudge(model, options);
  const parser = new PageParser(checkReadOptions({ limits }).limits);
  const laidOut = layout ? layOutPages(pages, layout, parser) : withoutBoxes(pages);
  for await (const { page, boxes, problem } of laidOut) {
    signal?.throwIfAborted();
    const tree = parser.open(page, onProblem);
    if (!tree) continue;
    const judged = parser.attempt(page, {
      failure: 'could not be judged',
      work: () => judgeTree(judge, page, tree, boxes),
    });
    if (judged.kind === 'skip') {
      for (const found of judged.problems) onProblem?.(found);
      continue;
    }
    if (problem) onProblem?.(problem);
    yield { page, tree, ...judged.value };
  }
}

interface LaidOutPage {
  page: Page;
  boxes?: Boxes;
  problem?: Problem;
}

async function* withoutBoxes(pages: AsyncIterable<Page> | Iterable<Page>): AsyncGenerator<LaidOutPage> {
  for await (const page of pages) yield { page };
}

async function* layOutPages(
  pages: AsyncIterable<Page> | Iterable<Page>,
  layout: BrowserLayout,
  parser: PageParser,
): AsyncGenerator<LaidOutPage> {
  async function* copies(): AsyncGenerator<Page> {
    // the reader may reuse its buffers, and several pages are in hand at once
    for await (const page of pages) yield { ...page, source: page.source.slice() };
  }
  const parse = (page: Page): ParsedPage | null => {
    const tree = parser.open(page);
    return tree ? { page, tree } : null;
  };
  for await (const { item, laidOut } of layOutInOrder(copies(), { layout, parse })) {
    yield { page: item, boxes: laidOut?.boxes ?? undefined, problem: laidOut?.problem };
  }
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
  const page = pageOf(url, source);
  const judged = judgeTree(new PageJudge(model, pageOptions), page, tree);
  return { ...judged, text: renderText(tree, judged.ranges) };
}

function judgeTree(judge: PageJudge, page: Page, tree: Tree, boxes?: Boxes) {
  const { ranges, sections } = judge.judge({ page, tree }, boxes);
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

function pageOf(url: string, source: Uint8Array): Page {
  return {
    file: '',
    offset: 0,
    length: source.length,
    url,
    time: '',
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    site: siteOf(url),
    charset: 'UTF-8',
    source,
  };
}
