/**
 * What comparing the fragments of some pages takes: each page is read and parsed once, the fragments that are
 * large enough become rows of numbers, and the page is forgotten.
 */
import { FragmentDigest } from '../../fragments/digest.ts';
import { FragmentPart } from '../../store/fragments/fragment-part.ts';
import { commitTask } from '../../store/run-folder.ts';
import { PageOpener } from '../pages/open-page.ts';
import { openedPages } from '../pages/opened-pages.ts';
import { countPage, countSkip, emptyCounts } from './counts.ts';
import type { DigestTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

export async function digestPages(task: DigestTask, context: TaskContext): Promise<TaskCounts> {
  const { folder, pages, minBytes } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock, reuse: true });
  const digest = new FragmentDigest({ minBytes });
  await commitTask(folder, async (draft) => {
    const part = new FragmentPart({ draft });
    for await (const { planned, outcome } of openedPages(pages, { context, opener, clock })) {
      const digested = opener.attempt(planned, outcome, {
        failure: 'its fragments could not be read',
        work: ({ tree }) => {
          digest.read(tree);
          clock.lap('digest');
        },
      });
      for (const problem of digested.problems) part.addProblem(problem);
      if (digested.kind === 'skip') {
        countSkip(counts, digested.code);
        continue;
      }
      const { page, tree } = digested;
      const { page: number } = planned;
      const row = { ...page, page: number, entry: page.entry ?? '', htmlBytes: page.source.length };
      if (part.addPage(row, digest)) part.flush();
      clock.lap('write');
      countPage(counts, page, tree);
    }
    clock.start();
    part.close(() => {
      clock.lap('write');
      counts.timings = clock.timings();
      return counts;
    });
  });
  return counts;
}
