/**
 * The library's door: an archive as an async iterable of pages. It can be iterated again (each time it is
 * read anew), stops at an AbortSignal, and keeps count of what gave no page and why.
 */
import type { Readable } from 'node:stream';
import type { Page } from '../../model/page.ts';
import { isOfInput, type Problem, type ProblemCode, type SkipCode } from '../../model/problem.ts';
import { readLayoutRule, type SiteRule } from '../../model/site.ts';
import { Totals } from '../../model/totals.ts';
import { readJsonlStream, startsWithJson } from '../../read/jsonl.ts';
import { closeInputs, openInputs } from '../../read/open-inputs.ts';
import type { ReadEvent } from '../../read/raw-record.ts';
import { readInputs } from '../../read/read-captures.ts';
import { checkReadOptions, type ReadOptions } from '../../read/read-options.ts';

export interface ArchiveOptions extends ReadOptions {
  signal?: AbortSignal;
  /**
   * Called with every fault of the input as it is met; nothing is printed. Without it, an archive of which nothing
   * could be opened throws when it is iterated; `unread` names what could not be.
   */
  onProblem?: (problem: Problem) => void;
  /** What `-` stands for. @default process.stdin */
  stdin?: Readable;
}

const OPTION_NAMES: Record<keyof ArchiveOptions, true> = {
  limits: true,
  site: true,
  include: true,
  exclude: true,
  statuses: true,
  digests: true,
  bodies: true,
  as: true,
  memory: true,
  signal: true,
  onProblem: true,
  stdin: true,
};

/** Captures between two looks at the signal and at the rest of the program. */
const BREATH_CAPTURES = 16;

/** Opens files, globs, folders and `-`, in any format that is read. */
export function openArchive(names: string | string[], options: ArchiveOptions = {}): Archive {
  checkOptionNames(options);
  checkArchiveOptions(options);
  const list = typeof names === 'string' ? [names] : names;
  return new Archive(() => readAll(list, options), options);
}

/** Opens a pipe. */
export function openPipe(stdin: Readable, options: ArchiveOptions = {}): Archive {
  checkArchiveOptions(options);
  return new Archive(() => readPipe(stdin, options), options);
}

/** Rows of JSON are read as they come, anything else once it is all there. */
export async function* readPipe<Options extends ArchiveOptions>(
  stdin: Readable,
  options: Options,
  read: (names: string[], options: Options) => AsyncGenerator<ReadEvent> = readAll,
): AsyncGenerator<ReadEvent> {
  if (await startsWithJson(stdin)) yield* readJsonlStream(stdin, options);
  else yield* read(['-'], { ...options, stdin });
}

export class Archive implements AsyncIterable<Page> {
  readonly #read: () => AsyncIterable<ReadEvent>;
  readonly #options: ArchiveOptions;
  #totals = new Totals();
  /** What the latest iteration could not read at all: inputs that are missing or hold no archive. */
  unread: Problem[] = [];

  constructor(read: () => AsyncIterable<ReadEvent>, options: ArchiveOptions) {
    this.#read = read;
    this.#options = options;
  }

  /** Captures of the latest iteration that gave no page, by code. */
  get skipped(): Partial<Record<SkipCode, number>> {
    return this.#totals.skipped;
  }

  /** Captures of the latest iteration: pages and skipped ones. */
  get captureCount(): number {
    return this.#totals.captures;
  }

  /** Faults met by the latest iteration, by code. */
  get problems(): Partial<Record<ProblemCode, number>> {
    return this.#totals.problems;
  }

  /** What makes the sites of its pages. */
  get siteRule(): SiteRule {
    return checkReadOptions(this.#options).site;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page> {
    const { signal } = this.#options;
    const totals = new Totals();
    this.#totals = totals;
    this.unread = [];
    signal?.throwIfAborted();
    for await (const event of this.#read()) {
      if (event.kind === 'problem') {
        this.#note(event.problem);
        continue;
      }
      totals.captures++;
      if (event.kind === 'page') totals.pages++;
      else totals.addSkip(event.code);
      for (const problem of event.problems) this.#note(problem);
      if (event.kind === 'page') yield event.page;
      signal?.throwIfAborted();
    }
    totals.check();
  }

  #note(problem: Problem): void {
    this.#totals.addProblem(problem);
    if (isOfInput(problem)) this.unread.push(problem);
    this.#options.onProblem?.(problem);
  }
}

function checkOptionNames(options: ArchiveOptions): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(OPTION_NAMES, name)) continue;
    throw new TypeError(
      `an option of openArchive must be one of ${Object.keys(OPTION_NAMES).join(', ')}, not "${name}"`,
    );
  }
}

/** Sites by layout are refused: they are made of all pages at once. */
export function checkArchiveOptions(options: ArchiveOptions): void {
  if (readLayoutRule(checkReadOptions(options).site)) {
    throw new RangeError(
      'sites by layout need all pages first: pages that come one by one have a site of host, domain or path:N',
    );
  }
}

/** Everything that files, globs, folders and `-` hold. */
export async function* readAll(names: string[], options: ArchiveOptions): AsyncGenerator<ReadEvent> {
  const { inputs, problems } = await openInputs(names, { stdin: options.stdin, limits: options.limits });
  try {
    if (inputs.length === 0 && problems.length > 0 && !options.onProblem) {
      const told = problems.map(({ file, message }) => `${file}: ${message}`);
      throw new Error(`nothing could be opened: ${told.join('; ')}`);
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
