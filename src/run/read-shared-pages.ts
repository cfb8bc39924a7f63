/**
 * The pages of an analysis with the shared fragments on them, for exports: the archive is read again in the
 * order of pages, and the members, which lie in the same order, are read beside it. Memory holds one page
 * and a batch of members whatever the size of the collection.
 */
import type { FragmentMember, SharedPage } from '../fragments/shared-page.ts';
import type { Input } from '../read/input.ts';
import { FragmentFolder, type PageMember } from '../store/fragments/fragment-folder.ts';
import type { Job } from './job.ts';
import { PageOpener } from './pages/open-page.ts';
import { Clock } from './tasks/timings.ts';

export interface ReadSharedPagesOptions {
  job: Job;
  inputs: Input[];
  signal?: AbortSignal;
}

/** Pages between two looks at the signal and at the rest of the program. */
const BREATH_PAGES = 16;

export async function* readSharedPages(
  path: string,
  { job, inputs, signal }: ReadSharedPagesOptions,
): AsyncGenerator<SharedPage> {
  const folder = await FragmentFolder.open(path);
  const beside = await FragmentFolder.open(path);
  const members = new MemberCursor(beside.members());
  try {
    const opener = new PageOpener({
      job: { ...job, bodies: true },
      inputs: { ...inputs },
      clock: new Clock(),
    });
    let sinceBreath = 0;
    for await (const planned of folder.pages()) {
      if (++sinceBreath === BREATH_PAGES) {
        sinceBreath = 0;
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      }
      const found = await members.of(planned.page);
      const opened = opener.open(planned);
      if (opened.kind === 'skip') {
        throw new Error(
          `${planned.url} could not be read again: ${opened.problems[0]?.message ?? opened.code}`,
        );
      }
      yield { number: planned.page, page: opened.page, tree: opened.tree, members: found };
    }
  } finally {
    await members.close();
    folder.close();
    beside.close();
  }
}

/** Hands out the members of one page after the other. */
class MemberCursor {
  readonly #batches: AsyncGenerator<PageMember[]>;
  #batch: PageMember[] = [];
  #next = 0;

  constructor(batches: AsyncGenerator<PageMember[]>) {
    this.#batches = batches;
  }

  /** Those of a page, which must come after the one asked for last. */
  async of(page: number): Promise<FragmentMember[]> {
    const found: FragmentMember[] = [];
    for (;;) {
      for (; this.#next < this.#batch.length; this.#next++) {
        const { page: at, ...member } = this.#batch[this.#next];
        if (at > page) return found;
        if (at === page) found.push(member);
      }
      const more = await this.#batches.next();
      if (more.done) return found;
      this.#batch = more.value;
      this.#next = 0;
    }
  }

  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }
}
