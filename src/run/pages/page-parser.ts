/**
 * Parses pages within the limits, or returns the code for skipping a page. An error with one page, even a bug in Chaff,
 * affects only that page.
 */
import type { ParsedPage } from '../../detect/detector.ts';
import type { Boxes } from '../../layout/boxes.ts';
import { DEFAULT_LIMITS, type Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem, SkipCode } from '../../model/problem.ts';
import { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';

/** The fields of a page that its problems contain. */
export type PageLocation = Pick<Page, 'url' | 'time'> &
  Partial<Pick<Page, 'file' | 'entry' | 'offset' | 'site'>>;

/** The reason for skipping a page. */
export type SkippedPage = { kind: 'skip'; code: SkipCode; problems: Problem[] };

/** What a run does with each page. */
export interface PageWork<Result> {
  /** Message for a page on which the work throws. */
  failure: string;
  work(parsed: ParsedPage, boxes?: Boxes): { result: Result; problems?: readonly Problem[] };
}

/** A page with the result of the work on it. Its tree is valid until the next page. */
export interface DonePage<Result> {
  kind: 'done';
  tree: Tree;
  result: Result;
  problems: Problem[];
}

/** Parses one page at a time and measures its time. */
export class PageParser {
  readonly #limits: Limits;
  readonly #parser: Parser;
  #startedMs = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#parser = new Parser({ limits });
  }

  /** Starts the time of a page. */
  start(): void {
    this.#startedMs = performance.now();
  }

  /** Parses a page; the tree is valid until the next page. `where` names the page in problems. */
  parse(
    page: Page,
    where: PageLocation = page,
  ): { kind: 'page'; tree: Tree; problems: Problem[] } | SkippedPage {
    try {
      const late = this.checkTime(where);
      if (late) return late;
      const tree = this.#parser.parse(page.source);
      const problems = tree.depthCapped ? [depthCapped(page, this.#limits.depth)] : [];
      return this.checkTime(where) ?? { kind: 'page', tree, problems };
    } catch (error) {
      const code = (error as { code?: string }).code === 'too-many-nodes' ? 'too-many-nodes' : 'unreadable';
      return skipPage(where, code, `could not be parsed: ${messageOf(error)}; skipped`);
    }
  }

  /** Parses a page and does the work on it; its problems are those of both. */
  process<Result>(
    page: Page,
    { failure, work }: PageWork<Result>,
    boxes?: Boxes,
  ): DonePage<Result> | SkippedPage {
    this.start();
    const opened = this.parse(page);
    if (opened.kind === 'skip') return opened;
    const { tree } = opened;
    const done = this.attempt(page, { failure, work: () => work({ page, tree }, boxes) });
    if (done.kind === 'skip') return { ...done, problems: [...opened.problems, ...done.problems] };
    const { result, problems = [] } = done.value;
    return { kind: 'done', tree, result, problems: [...opened.problems, ...problems] };
  }

  /** Starts the time of a page and parses it; undefined when the page is skipped. */
  open(page: Page): Tree | undefined {
    this.start();
    const parsed = this.parse(page);
    return parsed.kind === 'page' ? parsed.tree : undefined;
  }

  /** Does work on a page; a page on which it throws, or that exceeds its time, is skipped. */
  attempt<T>(
    where: PageLocation,
    { failure, work }: { failure: string; work: () => T },
  ): { kind: 'done'; value: T } | SkippedPage {
    try {
      const value = work();
      return this.checkTime(where) ?? { kind: 'done', value };
    } catch (error) {
      return skipPage(where, 'unreadable', `${failure}: ${messageOf(error)}; skipped`);
    }
  }

  /** A skip if the page's time is over; called between the steps of its work. */
  checkTime(where: PageLocation): SkippedPage | undefined {
    const { pageMs } = this.#limits;
    if (performance.now() - this.#startedMs <= pageMs) return undefined;
    return skipPage(where, 'too-slow', `took longer than ${pageMs} ms; skipped`);
  }
}

/** Makes the result for a skipped page, with its problem. */
export function skipPage(where: PageLocation, code: SkipCode, message: string): SkippedPage {
  return { kind: 'skip', code, problems: [{ code, message, ...placeIn(where) } as Problem] };
}

/** The message of a caught value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function depthCapped(page: Page, depth: number): Problem {
  const message = `elements deeper than ${depth} were taken as siblings`;
  return { code: 'depth-capped', message, ...placeIn(page) };
}

function placeIn({ file, entry, offset, url, time, site }: PageLocation): Partial<Problem> {
  return {
    file,
    ...(entry === undefined ? {} : { entry }),
    offset,
    url,
    time,
    ...(site === undefined ? {} : { site }),
  };
}
