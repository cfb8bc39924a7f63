/**
 * The library's door: an archive as an async iterable of pages. It can be iterated again (each time it is
 * read anew), stops at an AbortSignal, and keeps count of what gave no page and why.
 */
import { DEFAULT_LIMITS } from '../model/limits.ts';
import type { Page } from '../model/page.ts';
import type { Problem, SkipCode } from '../model/problem.ts';
import type { Input } from '../read/input.ts';
import { closeInputs, openInputs } from '../read/open-inputs.ts';
import { readPages } from '../read/read-captures.ts';
import type { ReadOptions } from '../read/read-options.ts';

export interface ArchiveOptions extends ReadOptions {
  signal?: AbortSignal;
  /** Called with every fault of the input as it is met; nothing is printed. */
  onProblem?: (problem: Problem) => void;
}

/** Pages between two looks at the signal and at the rest of the program. */
const BREATH_PAGES = 16;

/** Opens files, globs, folders: whatever `chaff` reads. */
export function openArchive(names: string | string[], options: ArchiveOptions = {}): Archive {
  return new Archive(typeof names === 'string' ? [names] : names, options);
}

export class Archive implements AsyncIterable<Page> {
  readonly #names: string[];
  readonly #options: ArchiveOptions;
  /** Captures of the latest iteration that gave no page, by code. */
  skipped: Partial<Record<SkipCode, number>> = {};
  /** Captures of the latest iteration: pages and skipped ones. */
  captureCount = 0;

  constructor(names: string[], options: ArchiveOptions) {
    this.#names = names;
    this.#options = { ...options, limits: { ...DEFAULT_LIMITS, ...options.limits } };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page> {
    const { signal, onProblem } = this.#options;
    this.skipped = {};
    this.captureCount = 0;
    signal?.throwIfAborted();
    const { inputs, problems } = await openInputs(this.#names);
    try {
      for (const problem of problems) onProblem?.(problem);
      for (const input of inputs) yield* this.#pagesOf(input);
    } finally {
      closeInputs(inputs);
    }
  }

  async *#pagesOf(input: Input): AsyncGenerator<Page> {
    const { signal, onProblem } = this.#options;
    let sinceBreath = 0;
    for (const event of readPages(input, this.#options)) {
      if (++sinceBreath === BREATH_PAGES) {
        sinceBreath = 0;
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      }
      if (event.kind === 'problem') {
        onProblem?.(event.problem);
        continue;
      }
      this.captureCount++;
      for (const problem of event.problems) onProblem?.(problem);
      if (event.kind === 'page') yield event.page;
      else this.skipped[event.code] = (this.skipped[event.code] ?? 0) + 1;
    }
  }
}
