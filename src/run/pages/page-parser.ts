/**
 * Parses pages within the limits: a tree, or the code to skip the page under. Whatever goes wrong with one
 * page, a bug of ours included, costs that page and no other.
 */
import { DEFAULT_LIMITS, type Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem, SkipCode } from '../../model/problem.ts';
import { Parser } from '../../parse/parser.ts';
import type { Tree } from '../../parse/tree.ts';

/** What problems of a page say of it. */
export type Whereabouts = Pick<Page, 'url' | 'time'> &
  Partial<Pick<Page, 'file' | 'entry' | 'offset' | 'site'>>;

export type SkippedPage = { kind: 'skip'; code: SkipCode; problems: Problem[] };

export class PageParser {
  readonly #limits: Limits;
  readonly #parser: Parser;
  #startedMs = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#parser = new Parser({ limits });
  }

  /** A page's time runs from here. */
  start(): void {
    this.#startedMs = performance.now();
  }

  /** The tree holds until the next page. Problems of a skipped page name it as `where` does. */
  parse(
    page: Page,
    where: Whereabouts = page,
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

  /** The tree of a page whose time runs from here, its problems told; undefined when the page is skipped. */
  open(page: Page, onProblem?: (problem: Problem) => void): Tree | undefined {
    this.start();
    const parsed = this.parse(page);
    for (const problem of parsed.problems) onProblem?.(problem);
    return parsed.kind === 'page' ? parsed.tree : undefined;
  }

  /** Does work on a page; one on which it throws, or that has had its time then, is skipped. */
  attempt<T>(
    where: Whereabouts,
    { failure, work }: { failure: string; work: () => T },
  ): { kind: 'done'; value: T } | SkippedPage {
    try {
      const value = work();
      return this.checkTime(where) ?? { kind: 'done', value };
    } catch (error) {
      return skipPage(where, 'unreadable', `${failure}: ${messageOf(error)}; skipped`);
    }
  }

  /** A skip once the page has had its time; asked between the steps of its work. */
  checkTime(where: Whereabouts): SkippedPage | undefined {
    const { pageMs } = this.#limits;
    if (performance.now() - this.#startedMs <= pageMs) return undefined;
    return skipPage(where, 'too-slow', `took longer than ${pageMs} ms; skipped`);
  }
}

export function skipPage(where: Whereabouts, code: SkipCode, message: string): SkippedPage {
  return { kind: 'skip', code, problems: [{ code, message, ...placeIn(where) } as Problem] };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function depthCapped(page: Page, depth: number): Problem {
  const message = `elements deeper than ${depth} were taken as siblings`;
  return { code: 'depth-capped', message, ...placeIn(page) };
}

function placeIn({ file, entry, offset, url, time, site }: Whereabouts): Partial<Problem> {
  return {
    file,
    ...(entry === undefined ? {} : { entry }),
    offset,
    url,
    time,
    ...(site === undefined ? {} : { site }),
  };
}
