/**
 * Opens archives as async iterables of pages. An archive can be iterated repeatedly (each time it is read again), stops
 * at an AbortSignal, and counts the captures that gave no page, by reason.
 */
import type { Readable } from 'node:stream';
import { checkOptions, describeValue, type OptionKinds } from '../../model/check-option.ts';
import type { Page } from '../../model/page.ts';
import { isOfInput, type Problem, type ProblemCode, type SkipCode } from '../../model/problem.ts';
import { readLayoutRule, type SiteRule } from '../../model/site.ts';
import { Totals } from '../../model/totals.ts';
import { readJsonlStream, startsWithJson } from '../../read/jsonl.ts';
import { closeInputs, openInputs, type RemoteInputOptions } from '../../read/open-inputs.ts';
import type { ReadEvent } from '../../read/raw-record.ts';
import { readInputs } from '../../read/read-captures.ts';
import { checkReadOptions, type ReadOptions } from '../../read/read-options.ts';

/** Options of `openArchive`. */
export interface ArchiveOptions extends ReadOptions {
  signal?: AbortSignal;
  /**
   * Called with every fault of the input as it is found; nothing is printed. Without it, iterating throws when no input
   * could be opened; `unread` lists the inputs that could not.
   */
  onProblem?: (problem: Problem) => void;
  /** Stream that is read for the input `-`. @default process.stdin */
  stdin?: Readable;
  /** Options for fetching archives on the web: rate, retries, and the location of archives that an index names. */
  remote?: RemoteInputOptions;
}

/** The kinds of the options of `openArchive`. */
export const ARCHIVE_OPTION_KINDS: OptionKinds<ArchiveOptions> = {
  ...{ limits: 'any', site: 'any', include: 'any', exclude: 'any', statuses: 'any', waczPages: 'any' },
  ...{ digests: 'boolean', bodies: 'boolean', as: 'object', memory: 'object' },
  ...{ signal: 'signal', onProblem: 'function', stdin: 'any', remote: 'object' },
};

/** Captures between two checks of the signal, which also let other work run. */
const BREATH_CAPTURES = 16;

/** Opens files, globs, folders and `-`, in any supported format. */
export function openArchive(names: string | string[], options: ArchiveOptions = {}): Archive {
  checkOptions(options, ARCHIVE_OPTION_KINDS);
  checkArchiveOptions(options);
  const list = typeof names === 'string' ? [names] : names;
  checkInputNames(list);
  return new Archive(() => readAll(list, options), options);
}

/** Opens a pipe as an archive. */
export function openPipe(stdin: Readable, options: ArchiveOptions = {}): Archive {
  checkArchiveOptions(options);
  return new Archive(() => readPipe(stdin, options), options);
}

/** Reads a pipe: JSON rows as they arrive, other formats after their end. */
export async function* readPipe<Options extends ArchiveOptions>(
  stdin: Readable,
  options: Options,
  read: (names: string[], options: Options) => AsyncGenerator<ReadEvent> = readAll,
): AsyncGenerator<ReadEvent> {
  if (await startsWithJson(stdin)) yield* readJsonlStream(stdin, options);
  else yield* read(['-'], { ...options, stdin });
}

/** The pages of some inputs as an async iterable, with counts of the latest iteration. */
export class Archive implements AsyncIterable<Page> {
  readonly #read: () => AsyncIterable<ReadEvent>;
  readonly #options: ArchiveOptions;
  #totals = new Totals();
  /** Problems of inputs that the latest iteration could not read: they are missing or not an archive. */
  unread: Problem[] = [];

  constructor(read: () => AsyncIterable<ReadEvent>, options: ArchiveOptions) {
    this.#read = read;
    this.#options = options;
  }

  /** Number of captures without a page in the latest iteration, by code. */
  get skipped(): Partial<Record<SkipCode, number>> {
    return this.#totals.skipped;
  }

  /** Number of captures in the latest iteration: pages and skipped ones. */
  get captureCount(): number {
    return this.#totals.captures;
  }

  /** Number of faults in the latest iteration, by code. */
  get problems(): Partial<Record<ProblemCode, number>> {
    return this.#totals.problems;
  }

  /** Rule that assigns its pages to sites. */
  get siteRule(): SiteRule {
    return checkReadOptions(this.#options).site;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page> {
    const { signal, onProblem } = this.#options;
    // its own counts, which another iteration at the same time does not change
    const totals = new Totals();
    const unread: Problem[] = [];
    this.#totals = totals;
    this.unread = unread;
    const note = (problem: Problem) => {
      totals.addProblem(problem);
      if (isOfInput(problem)) unread.push(problem);
      onProblem?.(problem);
    };
    signal?.throwIfAborted();
    for await (const event of this.#read()) {
      if (event.kind === 'problem') {
        note(event.problem);
        continue;
      }
      totals.captures++;
      if (event.kind === 'page') totals.pages++;
      else totals.addSkip(event.code);
      for (const problem of event.problems) note(problem);
      if (event.kind === 'page') yield event.page;
      signal?.throwIfAborted();
    }
    totals.check();
  }
}

/** Throws for names of inputs that are not a list of texts. */
export function checkInputNames(names: string[]): void {
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return;
  throw new TypeError(
    `names must be the names of files, globs, folders or URLs, not ${describeValue(names)}`,
  );
}

/** Checks the options. The site rule `layout` is refused because it needs all pages at once. */
export function checkArchiveOptions(options: ArchiveOptions): void {
  const { stdin } = options;
  if (stdin !== undefined && typeof (stdin as Readable | null)?.iterator !== 'function') {
    throw new TypeError(`stdin must be a stream, not ${describeValue(stdin)}`);
  }
  if (readLayoutRule(checkReadOptions(options).site)) {
    throw new RangeError(
      'sites by layout need all pages first: pages that come one by one have a site of host, domain or path:N',
    );
  }
}

/** Reads all captures of files, globs, folders and `-`. */
export async function* readAll(names: string[], options: ArchiveOptions): AsyncGenerator<ReadEvent> {
  const { inputs, problems } = await openInputs(names, {
    stdin: options.stdin,
    limits: options.limits,
    remote: { ...options.remote, signal: options.signal },
  });
  try {
    if (inputs.length === 0 && problems.length > 0 && !options.onProblem) {
      const messages = problems.map(({ file, message }) => `${file}: ${message}`);
      throw new Error(`nothing could be opened: ${messages.join('; ')}`);
    }
    for (const problem of problems) yield { kind: 'problem', problem };
    let sinceBreath = 0;
    for (const event of readInputs(inputs, options)) {
      yield event;
      if (++sinceBreath < BREATH_CAPTURES) continue;
      sinceBreath = 0;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } finally {
    closeInputs(inputs);
  }
}
