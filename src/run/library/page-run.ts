/**
 * A run without a plan: pages are parsed, processed and returned one by one in their order. A page that cannot be
 * parsed or processed in time is reported and left out. The library's `label` and `judgePages`, the option `--model`
 * and `chaff page` are such runs; all others are a `Session`.
 */
import type { BrowserLayout } from '../../browse/browser-layout.ts';
import { layOutInOrder } from '../../browse/layout-in-order.ts';
import type { ParsedPage } from '../../detect/detector.ts';
import type { Boxes } from '../../layout/boxes.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem } from '../../model/problem.ts';
import type { SiteRule } from '../../model/site.ts';
import { type Accounts, Totals } from '../../model/totals.ts';
import { lend } from '../../parse/page-arena.ts';
import type { Tree } from '../../parse/tree.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { PageParser, type SkippedPage } from '../pages/page-parser.ts';
import type { Archive } from './open-archive.ts';
import { type Pages, type ReadInput, readInputPages } from './page-input.ts';

/** Options of every run without a plan. */
export interface PageRunOptions {
  /** `depth`, `nodes` and `pageMs` (time to parse and process a page); missing limits keep their default. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** Called with every problem of a page. A page with a problem that has a skip code is left out. */
  onProblem?: (problem: Problem) => void;
}

interface BoundedOptions extends PageRunOptions {
  /** Maximum number of pages to return; reading then stops. @default all */
  limit?: number;
  /** Site rule of pages that are not from an archive. @default 'host' */
  siteRule?: SiteRule;
  /** A browser for the layout of pages. @default none: the work gets no boxes */
  layout?: BrowserLayout;
}

/** The work of a run on each page. */
export interface PageWork<Result> {
  /** Message for a page on which the work throws. */
  failure: string;
  work(parsed: ParsedPage, boxes?: Boxes): { result: Result; problems?: readonly Problem[] };
  /** Called after the last requested page. */
  end?(): void;
}

interface LaidOutPage {
  page: Page;
  boxes?: Boxes;
  problem?: Problem;
}

type Done<Result> = ParsedPage & { page: Page } & Result;

/** An async iterable of the results for each page, with accounts. */
export class PageRun<Result extends object> implements AsyncIterable<Done<Result>> {
  readonly #pages: AsyncIterable<ReadInput>;
  readonly #options: BoundedOptions;
  readonly #work: PageWork<Result>;
  readonly #parser: PageParser;
  readonly #totals = new Totals();

  constructor(pages: Pages, options: BoundedOptions, work: PageWork<Result>) {
    const { limits } = checkReadOptions({ limits: options.limits });
    this.#pages = readInputPages(pages, { siteRule: options.siteRule, limits });
    this.#options = options;
    this.#work = work;
    this.#parser = new PageParser(limits);
  }

  /** Each tree is valid until the next page is requested. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Done<Result>> {
    const { signal, layout, limit } = this.#options;
    try {
      for await (const laidOut of layout ? this.#layOut(layout) : this.#withoutBoxes()) {
        signal?.throwIfAborted();
        this.#parser.start();
        const opened = this.#parser.parse(laidOut.page);
        if (opened.kind === 'skip') {
          this.#skip(opened);
          continue;
        }
        // other calls may parse pages while the caller has this one, and so may its callbacks
        const giveBack = lend(opened.tree);
        try {
          const done = this.#take(laidOut, opened);
          if (!done) continue;
          this.#totals.pages++;
          yield done;
          if (this.#totals.pages === limit) return;
        } finally {
          giveBack();
        }
      }
    } finally {
      this.#work.end?.();
    }
  }

  /** The accounts of a run over all pages of an archive. */
  summarize(archive: Archive): Accounts {
    this.#totals.addReading(archive);
    // a browser reads ahead, beyond the limit
    this.#totals.check(this.#options.layout ? 'filtered' : undefined);
    return this.#totals;
  }

  #take(
    { page, boxes, problem }: LaidOutPage,
    { tree, problems: found }: { tree: Tree; problems: Problem[] },
  ): Done<Result> | undefined {
    this.#report(found);
    const { failure, work } = this.#work;
    const done = this.#parser.attempt(page, { failure, work: () => work({ page, tree }, boxes) });
    if (done.kind === 'skip') return this.#skip(done);
    const { result, problems = [] } = done.value;
    this.#report(problem ? [problem, ...problems] : problems);
    return { page, tree, ...result };
  }

  #skip({ code, problems }: SkippedPage): undefined {
    this.#totals.addSkip(code);
    this.#report(problems);
  }

  #report(problems: readonly Problem[]): void {
    for (const problem of problems) {
      this.#totals.addProblem(problem);
      this.#options.onProblem?.(problem);
    }
  }

  async *#layOut(layout: BrowserLayout): AsyncGenerator<LaidOutPage> {
    const pages = this.#read();
    async function* copies(): AsyncGenerator<Page> {
      // copy the page: the reader may reuse its buffers, and the browser has several pages at once
      for await (const page of pages) yield { ...page, source: page.source.slice() };
    }
    const parse = (page: Page): ParsedPage | null => {
      const tree = this.#parser.open(page);
      return tree ? { page, tree } : null;
    };
    for await (const { item, laidOut } of layOutInOrder(copies(), { layout, parse })) {
      yield { page: item, boxes: laidOut?.boxes ?? undefined, problem: laidOut?.problem };
    }
  }

  async *#withoutBoxes(): AsyncGenerator<LaidOutPage> {
    for await (const page of this.#read()) yield { page };
  }

  /** The readable pages; others are counted. */
  async *#read(): AsyncGenerator<Page> {
    for await (const read of this.#pages) {
      if (read.kind === 'skip') {
        this.#skip(read);
        continue;
      }
      this.#report(read.problems);
      yield read.page;
    }
  }
}
