/**
 * What comparing the fragments of some pages takes: each page is read and parsed once, the fragments that are
 * large enough become rows of numbers, and the page is forgotten.
 */
import { FragmentDigest } from '../fragments/digest.ts';
import { FragmentPart } from '../store/fragment-part.ts';
import { commitTask } from '../store/run-folder.ts';
import { emptyCounts } from './counts.ts';
import { PageOpener, skip } from './open-page.ts';
import type { DigestTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

/** Pages between two pauses. */
const PAUSE_PAGES = 16;

export async function digestPages(task: DigestTask, context: TaskContext): Promise<TaskCounts> {
  const { folder, pages, minBytes } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock });
  const digest = new FragmentDigest({ minBytes });
  await commitTask(folder, async (draft) => {
    const part = new FragmentPart(context.database, { draft });
    let sincePause = 0;
    for (const planned of pages) {
      if (++sincePause === PAUSE_PAGES) {
        sincePause = 0;
        await context.pause();
      }
      context.onPage(planned.page);
      clock.start();
      let outcome = opener.open(planned);
      if (outcome.kind === 'page') {
        try {
          digest.read(outcome.tree);
          clock.lap('digest');
          outcome = opener.checkTime(planned) ?? outcome;
        } catch (error) {
          const message = `its fragments could not be read: ${(error as Error).message}; skipped`;
          outcome = skip(planned, 'unreadable', message);
        }
      }
      for (const problem of outcome.problems) part.addProblem(problem);
      if (outcome.kind === 'skip') {
        counts.skipped[outcome.code] = (counts.skipped[outcome.code] ?? 0) + 1;
        continue;
      }
      const { page, tree } = outcome;
      const { page: number } = planned;
      const row = { ...page, page: number, entry: page.entry ?? '', htmlBytes: page.source.length };
      if (part.addPage(row, digest)) await part.flush();
      clock.lap('write');
      counts.pages++;
      counts.htmlBytes += page.source.length;
      counts.textBytes += tree.textLength;
      counts.links += tree.linkCount;
      counts.nodes += tree.nodeCount;
      if (tree.exact) counts.exactPages++;
    }
    clock.start();
    await part.close(() => {
      clock.lap('write');
      counts.timings = clock.timings();
      return counts;
    });
  });
  return counts;
}
