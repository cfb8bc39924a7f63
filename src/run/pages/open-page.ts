/**
 * A planned page, read and parsed, or the code to skip it under. Whatever goes wrong with one page, a bug of
 * ours included, costs that page and no other. Pages that are needed more than once, those of a sample, can be
 * held up to a bound; what is beyond is read and parsed again.
 */
import type { Page } from '../../model/page.ts';
import type { Problem, SkipCode } from '../../model/problem.ts';
import { heldBytes, holdTree, PageArena } from '../../parse/page-arena.ts';
import type { Tree } from '../../parse/tree.ts';
import { threadPageMemory } from '../../read/inflate-stream.ts';
import type { Input } from '../../read/raw-record.ts';
import { readPageAt } from '../../read/read-captures.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { WrongGuess } from '../../read/record-context.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import { type Job, readOptionsOf } from '../job.ts';
import type { Suspects, TaskContext } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import { messageOf, PageParser, type SkippedPage, skipPage, type Whereabouts } from './page-parser.ts';

export type Opened =
  | { kind: 'page'; page: Page; tree: Tree; problems: Problem[]; kept: boolean }
  | SkippedPage;

export type ReadOutcome = { kind: 'page'; page: Page; problems: Problem[] } | SkippedPage;

/** Trees and sources that are held. */
const HELD_BYTES = 64 * 1024 * 1024;

export interface PageOpenerOptions {
  job: Job;
  inputs: Record<number, Input>;
  clock: Clock;
  suspects?: Suspects;
  /**
   * Inflate pages in place: a page holds until the next one is read in this thread by an opener with this option;
   * those that are held have memory of their own. @default false
   */
  reuse?: boolean;
  /** Where pages are held; only this opener may use it meanwhile. @default an arena of its own */
  arena?: PageArena;
}

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
    this.#readOptions = checkReadOptions({ ...readOptionsOf(options.job), memory });
    this.#parser = new PageParser(options.job.limits);
  }

  /** The page; with `hold`, a copy is kept for when it is asked for again, while there is room. */
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

  /** Forgets the pages that are held: their memory is for the next. */
  letGo(): void {
    this.#held.clear();
    this.#arena.reset();
    this.#heldBytes = 0;
  }

  read(planned: PlannedPage): ReadOutcome {
    const { inputs, suspects, clock } = this.#options;
    this.#parser.start();
    const suspect = suspects?.[planned.page];
    // the page is not read, so nothing would check the guess where its member ends
    if (suspect && inputs[planned.input].guessed) throw new WrongGuess();
    if (suspect) {
      const message =
        suspect === 'too-slow' ? 'took longer than the limit; skipped' : 'brought the reader down; skipped';
      return skip(planned, suspect, message);
    }
    try {
      const options = planned.as
        ? checkReadOptions({ ...this.#readOptions, as: planned.as })
        : this.#readOptions;
      const event = readPageAt(inputs[planned.input], planned.at, options);
      // the plan may know better what belongs together than the URL
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

  /** The page as it is held; as it was when there is no room. */
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

  /** Does work on an opened page; one on which it throws, or takes too long, is skipped. */
  attempt(
    planned: PlannedPage,
    opened: Opened,
    { failure, work }: { failure: string; work: (page: Opened & { kind: 'page' }) => void },
  ): Opened {
    if (opened.kind === 'skip') return opened;
    const done = this.#parser.attempt(whereIs(planned), { failure, work: () => work(opened) });
    return done.kind === 'skip' ? done : opened;
  }

  /** A skip once the page has had its time; asked between the steps of its work. */
  checkTime(planned: PlannedPage): SkippedPage | undefined {
    return this.#parser.checkTime(whereIs(planned));
  }
}

export function skip(planned: PlannedPage, code: SkipCode, message: string): SkippedPage {
  return skipPage(whereIs(planned), code, message);
}

function whereIs(planned: PlannedPage): Whereabouts {
  const { file, entry, offset } = planned.as ?? planned.at;
  const { url, time } = planned;
  return { file, entry, offset, url, time };
}

/** Pages between two pauses. */
const PAUSE_PAGES = 16;

/** Pauses now and then, called before each page. */
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

/** Every page as it was opened, or why it is skipped; its tree holds until the next. */
export async function* openedPages(
  pages: readonly PlannedPage[],
  { context, opener, clock }: { context: TaskContext; opener: PageOpener; clock: Clock },
): AsyncGenerator<{ planned: PlannedPage; outcome: Opened }> {
  const pauses = new Pauses(context);
  for (const planned of pages) {
    await pauses.beforePage();
    context.onPage(planned.page);
    clock.start();
    yield { planned, outcome: opener.open(planned) };
  }
}
