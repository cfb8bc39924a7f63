/**
 * Tasks that process pages independently: each page is read and parsed once, reduced to numbers that are compared later
 * (digests of its fragments, or a signature of its layout), and released.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LayoutSigner } from '../../analysis/layout-signer.ts';
import type { ParsedPage } from '../../detect/detector.ts';
import { FragmentDigest } from '../../fragments/digest.ts';
import type { Page } from '../../model/page.ts';
import { FragmentPart } from '../../store/fragments/fragment-part.ts';
import { commitTask } from '../../store/task-parts.ts';
import { openedPages, PageOpener } from '../pages/open-page.ts';
import type { DigestTask, SignTask, TaskContext, TaskCounts } from './task.ts';
import { type Clock, TaskRecord } from './task-record.ts';

/** Digests the fragments of a task's pages; runs a `DigestTask`. */
export async function digestPages(task: DigestTask, context: TaskContext): Promise<TaskCounts> {
  const digest = new FragmentDigest({ minBytes: task.minBytes });
  return takePages(task, context, (draft, clock) => {
    const part = new FragmentPart({ draft });
    return {
      failure: 'its fragments could not be read',
      work: ({ tree }) => digest.read(tree),
      keep: ({ page, htmlBytes }) => {
        part.addPage({ ...page, entry: page.entry ?? '', htmlBytes }, digest);
        clock.lap('write');
      },
      finish: () => part.close(),
    };
  });
}

/** Signs the layouts of a task's pages; runs a `SignTask`. */
export async function signPages(task: SignTask, context: TaskContext): Promise<TaskCounts> {
  const { pages, tokens, permutations } = task;
  const signer = new LayoutSigner({ permutations });
  return takePages(task, context, (draft) => {
    const part = new SignaturePart(pages.length, tokens.length, permutations);
    return {
      failure: 'could not be signed',
      work: ({ tree }) => {
        for (const [k, kind] of tokens.entries()) signer.sign(tree, kind, part.signatures[k], part.next);
      },
      keep: ({ page }) => part.commit(page.page),
      finish: () => writeFileSync(join(draft, SIGNATURES_FILE), part.encode()),
    };
  });
}

interface PageWork {
  /** Message for a page on which the work throws. */
  failure: string;
  work(opened: ParsedPage): void;
  /** Saves the result for a page. */
  keep(kept: { page: Omit<Page, 'source'> & { page: number }; htmlBytes: number }): void;
  finish(): void;
}

async function takePages(
  task: DigestTask | SignTask,
  context: TaskContext,
  start: (draft: string, clock: Clock) => PageWork,
): Promise<TaskCounts> {
  const record = new TaskRecord();
  const { clock } = record;
  const opener = new PageOpener({ ...task, clock, reuse: true });
  await commitTask(task, async (draft) => {
    const { failure, work, keep, finish } = start(draft, clock);
    for await (const { planned, outcome } of openedPages(task.pages, { context, opener, clock })) {
      const done = opener.attempt(planned, outcome, {
        failure,
        work: (opened) => {
          work(opened);
          clock.lap('digest');
        },
      });
      record.addProblems(done.problems);
      if (done.kind === 'skip') {
        record.countSkip(done.code);
        continue;
      }
      const { source, ...page } = done.page;
      keep({ page: { ...page, page: planned.page }, htmlBytes: source.length });
      record.countPage(done);
    }
    record.finish(draft, finish);
  });
  return record.counts;
}

/*
 * Signatures as a task leaves them, all numbers of 32 bits, as they lie in memory:
 *
 *   count · kinds · permutations · page numbers · signatures of the first kind · of the second …
 */

/** Name of the signature file in a task's folder. */
export const SIGNATURES_FILE = 'signatures.bin';
const HEAD = 3;

/** Collects signatures for a file. */
export class SignaturePart {
  /** By kind of token, page after page; `next` is the offset for the next page. */
  readonly signatures: Uint32Array[];
  readonly #pages: Uint32Array;
  readonly #permutations: number;
  #count = 0;

  constructor(mostPages: number, kinds: number, permutations: number) {
    this.signatures = Array.from({ length: kinds }, () => new Uint32Array(mostPages * permutations));
    this.#pages = new Uint32Array(mostPages);
    this.#permutations = permutations;
  }

  /** Offset at which the signature of the next page begins. */
  get next(): number {
    return this.#count * this.#permutations;
  }

  /** Adds the values after `next` as the signature of a page. */
  commit(page: number): void {
    this.#pages[this.#count++] = page;
  }

  encode(): Uint8Array {
    const parts = [
      Uint32Array.of(this.#count, this.signatures.length, this.#permutations),
      this.#pages.subarray(0, this.#count),
      ...this.signatures.map((column) => column.subarray(0, this.next)),
    ];
    return Buffer.concat(
      parts.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength)),
    );
  }
}

/** The signatures of a task: one array of page numbers, and one of signatures per kind of token. */
export interface DecodedSignatures {
  pages: Uint32Array;
  permutations: number;
  signatures: Uint32Array[];
}

/** Decodes a signature file; throws when it is damaged. */
export function decodeSignatures(bytes: Uint8Array): DecodedSignatures {
  // copy the bytes so that 32-bit numbers are aligned
  const words = new Uint32Array(new Uint8Array(bytes).buffer);
  const [count, kinds, permutations] = words;
  if (words.length !== HEAD + count * (1 + kinds * permutations))
    throw new Error('a signature part is damaged');
  const first = HEAD + count;
  const size = count * permutations;
  return {
    pages: words.subarray(HEAD, first),
    permutations,
    signatures: Array.from({ length: kinds }, (_, k) =>
      words.subarray(first + k * size, first + (k + 1) * size),
    ),
  };
}
