/**
 * Reads and parses a planned page, or returns the code for skipping it. An error with one page, even a bug in Chaff,
 * affects only that page. Pages that are needed more than once, such as those of a sample, are kept in memory up to a
 * bound; others are read and parsed again.
 */
import type { Page } from '../../model/page.ts';
import type { Problem, SkipCode } from '../../model/problem.ts';
import { heldBytes, holdTree, lend, PageArena } from '../../parse/page-arena.ts';
import type { Tree } from '../../parse/tree.ts';
import { threadPageMemory } from '../../read/inflate-stream.ts';
import type { Input } from '../../read/raw-record.ts';
import { readPageAt } from '../../read/read-captures.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { WrongGuess } from '../../read/record-context.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { type Job, readOptionsOfJob } from '../job.ts';
import type { Suspects, TaskContext } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import { messageOf, type PageLocation, PageParser, type SkippedPage, skipPage } from './page-parser.ts';

/** A parsed page, or the reason for skipping it. */
export type Opened =
  | { kind: 'page'; page: Page; tree: Tree; problems: Problem[]; kept: boolean }
  | SkippedPage;

/** A page that was read but not parsed, or the reason for skipping it. */
export type ReadOutcome = { kind: 'page'; page: Page; problems: Problem[] } | SkippedPage;

/** Maximum bytes of trees and sources that are kept. */
const HELD_BYTES = 64 * 1024 * 1024;

/** Options of `PageOpener`. */
export interface PageOpenerOptions {
  job: Job;
  inputs: Record<number, Input>;
  clock: Clock;
  suspects?: Suspects;
  /**
   * Inflate pages in place: a page is valid until an opener with this option reads the next one in this thread. Kept
   * pages have their own memory. @default false
   */
  reuse?: boolean;
  /** Memory for kept pages, used by only one opener at a time. @default an arena of its own */
  arena?: PageArena;
}

/** Reads and parses planned pages, and keeps some in memory. */
export class PageOpener {
  readonly #options: PageOpenerOptions;
  readonly #readOptions;
  readonly #parser: PageParser;
  readonly #held = new Map<number, Opened & { kind: 'page' }>();
  readonly #arena: PageArena;
  #heldBytes = 0;

  constructor(options: PageOpenerOptions) {
    this.#options = options;
    this.#arena = options.arena ?? new PageArena();
    this.#arena.reset();
    const memory = options.reuse ? threadPageMemory() : undefined;
    this.#readOptions = checkReadOptions({ ...readOptionsOfJob(options.job), memory });
    this.#parser = new PageParser(options.job.limits);
  }

  /** Opens a page; with `hold`, keeps a copy for later calls while there is room. */
  open(planned: PlannedPage, { hold = false } = {}): Opened {
    const held = this.#held.get(planned.page);
    if (held) {
      this.#parser.start();
      return held;
    }
    const read = this.read(planned);
    const opened = read.kind === 'skip' ? read : this.parse(planned, read);
    return hold && opened.kind === 'page' ? this.#hold(planned, opened) : opened;
  }

  /** Releases the kept pages. */
  letGo(): void {
    this.#held.clear();
    this.#arena.reset();
    this.#heldBytes = 0;
  }

  read(planned: PlannedPage): ReadOutcome {
    const { inputs, suspects, clock } = this.#options;
    this.#parser.start();
    const suspect = suspects?.[planned.page];
    // the page is not read, so the guess of its member's end is not checked
    if (suspect && inputs[planned.input].guessed) throw new WrongGuess();
    if (suspect) return skipSuspect(whereIs(planned), suspect);
    try {
      const options = planned.as
        ? checkReadOptions({ ...this.#readOptions, as: planned.as })
        : this.#readOptions;
      const event = readPageAt(inputs[planned.input], planned.at, options);
      // the plan may assign another site than the URL does
      if (event.kind === 'page') {
        event.page.site = planned.site;
        return event;
      }
      if (event.kind === 'skip') return { kind: 'skip', code: event.code, problems: event.problems };
      return { kind: 'skip', code: 'unreadable', problems: [event.problem] };
    } catch (error) {
      if (error instanceof WrongGuess) throw error;
      return skip(planned, 'unreadable', `could not be read: ${messageOf(error)}; skipped`);
    } finally {
      clock.lap('read');
    }
  }

  parse(planned: PlannedPage, { page, problems }: { page: Page; problems: Problem[] }): Opened {
    const parsed = this.#parser.parse(page, whereIs(planned));
    this.#options.clock.lap('parse');
    if (parsed.kind === 'skip') return parsed;
    return {
      kind: 'page',
      page,
      tree: parsed.tree,
      problems: [...problems, ...parsed.problems],
      kept: false,
    };
  }

  /** The kept copy of a page; the page itself when there is no room. */
  #hold(planned: PlannedPage, opened: Opened & { kind: 'page' }): Opened {
    const bytes = heldBytes(opened.tree);
    if (this.#heldBytes + bytes > HELD_BYTES) return opened;
    this.#heldBytes += bytes;
    const { kind, tree, problems } = opened;
    const copy = holdTree(tree, this.#arena);
    const page = { ...opened.page, source: copy.source };
    const held: Opened & { kind: 'page' } = { kind, page, tree: copy, problems, kept: true };
    this.#held.set(planned.page, held);
    this.#options.clock.lap('parse');
    return held;
  }

  /** Does work on an opened page; a page on which it throws, or takes too long, is skipped. */
  attempt(
    planned: PlannedPage,
    opened: Opened,
    { failure, work }: { failure: string; work: (page: Opened & { kind: 'page' }) => void },
  ): Opened {
    if (opened.kind === 'skip') return opened;
    const done = this.#parser.attempt(whereIs(planned), { failure, work: () => work(opened) });
    return done.kind === 'skip' ? done : opened;
  }

  /** A skip if the page's time is over; called between the steps of its work. */
  checkTime(planned: PlannedPage): SkippedPage | undefined {
    return this.#parser.checkTime(whereIs(planned));
  }
}

/** A page that brought a thread down is skipped, with its problem. */
export function skipSuspect(where: PageLocation, code: Suspects[number]): SkippedPage {
  const message =
    code === 'too-slow' ? 'took longer than the limit; skipped' : 'brought the reader down; skipped';
  return skipPage(where, code, message);
}

/** A planned page that is skipped, with its problem. */
export function skip(planned: PlannedPage, code: SkipCode, message: string): SkippedPage {
  return skipPage(whereIs(planned), code, message);
}

function whereIs(planned: PlannedPage): PageLocation {
  const { file, entry, offset } = planned.as ?? planned.at;
  const { url, time } = planned;
  return { file, entry, offset, url, time };
}

/** Pages between two pauses of the thread. */
const PAUSE_PAGES = 16;

/** Pauses regularly; called before each page. */
export class Pauses {
  readonly #context: TaskContext;
  #sincePause = 0;

  constructor(context: TaskContext) {
    this.#context = context;
  }

  async beforePage(): Promise<void> {
    if (++this.#sincePause < PAUSE_PAGES) return;
    this.#sincePause = 0;
    await this.#context.pause();
  }
}

/** Every opened page, or the reason for skipping it; its tree is valid until the next page. */
export async function* openedPages(
  pages: readonly PlannedPage[],
  { context, opener, clock }: { context: TaskContext; opener: PageOpener; clock: Clock },
): AsyncGenerator<{ planned: PlannedPage; outcome: Opened }> {
  const pauses = new Pauses(context);
  for (const planned of pages) {
    await pauses.beforePage();
    context.onPage(planned.page);
    clock.start();
    const outcome = opener.open(planned);
    yield* lendPage({ planned, outcome });
  }
}

/** Yields an opened page whose tree stays valid until the caller goes on, also when another run parses pages. */
export function* lendPage<Item extends { outcome: Opened }>(item: Item): Generator<Item, void> {
  const giveBack = item.outcome.kind === 'page' ? lend(item.outcome.tree) : undefined;
  try {
    yield item;
  } finally {
    giveBack?.();
  }
}
