/**
 * A run of the library: pages are parsed and processed in the caller's thread, one by one in their order. A page that
 * cannot be parsed, or takes too long, is reported and left out. Nothing can end a page that never ends: commands hand
 * their pages to threads (page-stream.ts).
 */
import type { BrowserLayout } from '../../browse/browser-layout.ts';
import { layOutInOrder } from '../../browse/layout-in-order.ts';
import type { ParsedPage } from '../../detect/detector.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem } from '../../model/problem.ts';
import type { SiteRule } from '../../model/site.ts';
import { lend } from '../../parse/page-arena.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import type { HandedPage } from '../pages/answer-pages.ts';
import { PageParser, type PageWork } from '../pages/page-parser.ts';
import { type Pages, type ReadInput, readInputPages } from './page-input.ts';

/** Options of every run that takes pages as they come. */
export interface PageRunOptions {
  /** `depth`, `nodes` and `pageMs` (time to parse and process a page); missing limits keep their default. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** Called with every problem of a page. A page with a problem that has a skip code is left out. */
  onProblem?: (problem: Problem) => void;
}

interface RunOptions extends PageRunOptions {
  /** Site rule of pages that are not from an archive. @default 'host' */
  siteRule?: SiteRule;
  /** A browser for the layout of pages. @default none: the work gets no boxes */
  layout?: BrowserLayout;
  /** Called after the last requested page. */
  onEnd?: () => void;
}

/** The results for each page; each tree is valid until the next page is requested. */
export function runPages<Result extends object>(
  pages: Pages,
  { limits: given, siteRule, signal, layout, onProblem, onEnd }: RunOptions,
  work: PageWork<Result>,
): AsyncGenerator<ParsedPage & { page: Page } & Result> {
  const { limits } = checkReadOptions({ limits: given });
  const inputs = readInputPages(pages, { siteRule, limits });
  const parser = new PageParser(limits);
  const report = (problems: readonly Problem[]) => {
    if (onProblem) for (const problem of problems) onProblem(problem);
  };
  async function* run() {
    try {
      for await (const { capture: page, boxes, problem } of layOutPages(
        readable(inputs, report),
        limits,
        layout,
      )) {
        signal?.throwIfAborted();
        const done = parser.process(page, work, boxes);
        // other calls may parse pages while the caller has this one, and so may its callbacks
        const giveBack = done.kind === 'done' ? lend(done.tree) : undefined;
        try {
          report(problem ? [problem, ...done.problems] : done.problems);
          if (done.kind === 'done') yield { page, tree: done.tree, ...done.result };
        } finally {
          giveBack?.();
        }
      }
    } finally {
      onEnd?.();
    }
  }
  return run();
}

async function* readable(
  inputs: AsyncIterable<ReadInput>,
  report: (problems: readonly Problem[]) => void,
): AsyncGenerator<Page> {
  for await (const read of inputs) {
    report(read.problems);
    if (read.kind === 'page') yield read.page;
  }
}

/** The pages with the boxes that a browser measures, if there is one; the browser has several pages at once. */
export async function* layOutPages(
  pages: AsyncIterable<Page>,
  limits: Limits,
  layout: BrowserLayout | undefined,
): AsyncGenerator<Omit<HandedPage, 'page'>> {
  if (!layout) {
    for await (const capture of pages) yield { capture };
    return;
  }
  const parser = new PageParser(limits);
  const parse = (page: Page): ParsedPage | null => {
    const tree = parser.open(page);
    return tree ? { page, tree } : null;
  };
  async function* copies(): AsyncGenerator<Page> {
    // the reader may reuse its buffers
    for await (const page of pages) yield { ...page, source: page.source.slice() };
  }
  for await (const { item: capture, laidOut } of layOutInOrder(copies(), { layout, parse })) {
    yield { capture, boxes: laidOut?.boxes ?? undefined, problem: laidOut?.problem };
  }
}
