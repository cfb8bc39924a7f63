/**
 * Reads the pages of a fragment analysis with their shared fragments, for exports. One pass reads the archive in page
 * order together with the table of members, which has the same order. A page is parsed only if a visitor needs its
 * tree. Memory holds one page and a batch of members, however large the collection is.
 */
import type { FragmentMember, PageVisitor } from '../fragments/shared-page.ts';
import type { Tree } from '../parse/tree.ts';
import type { Input } from '../read/raw-record.ts';
import { FragmentFolder, type PageMember } from '../store/fragments/fragment-folder.ts';
import type { Job } from './job.ts';
import { PageOpener } from './pages/open-page.ts';
import type { SkippedPage } from './pages/page-parser.ts';
import { Clock } from './tasks/task-record.ts';

/** Options of `visitSharedPages`. */
export interface ReadSharedPagesOptions {
  job: Job;
  inputs: Input[];
  signal?: AbortSignal;
  counts: ReadCounts;
}

/** Pages between two checks of the signal, which also let other work run. */
const PAGES_PER_YIELD = 16;

/** The cost of reading pages so far. */
export interface ReadCounts {
  passes: number;
  pages: number;
  parses: number;
}

/** Calls `visit` with every page of the analysis at `path`, in page order; adds to `counts`. */
export async function visitSharedPages(
  path: string,
  { job, inputs, signal, counts }: ReadSharedPagesOptions,
  visit: PageVisitor,
): Promise<void> {
  counts.passes++;
  const folder = await FragmentFolder.open(path);
  const beside = await FragmentFolder.open(path);
  const members = new MemberCursor(beside.members());
  try {
    const opener = new PageOpener({
      job: { ...job, bodies: true },
      inputs: { ...inputs },
      clock: new Clock(),
    });
    let sinceYield = 0;
    for await (const planned of folder.pages()) {
      if (++sinceYield === PAGES_PER_YIELD) {
        sinceYield = 0;
        await new Promise<void>((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      }
      const found = await members.of(planned.page);
      const read = opener.read(planned);
      if (read.kind === 'skip') throw unreadable(planned.url, read);
      counts.pages++;
      let tree: Tree | undefined;
      await visit({
        number: planned.page,
        page: read.page,
        members: found,
        get tree() {
          if (tree === undefined) {
            const parsed = opener.parse(planned, read);
            if (parsed.kind === 'skip') throw unreadable(planned.url, parsed);
            counts.parses++;
            tree = parsed.tree;
          }
          return tree;
        },
      });
    }
  } finally {
    await members.close();
    folder.close();
    beside.close();
  }
}

function unreadable(url: string, { problems, code }: SkippedPage): Error {
  return new Error(`${url} could not be read again: ${problems[0]?.message ?? code}`);
}

/** Returns the members of one page after the other. */
class MemberCursor {
  readonly #batches: AsyncGenerator<PageMember[]>;
  #batch: PageMember[] = [];
  #next = 0;

  constructor(batches: AsyncGenerator<PageMember[]>) {
    this.#batches = batches;
  }

  /** The members of a page, which must come after the previously requested one. */
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
