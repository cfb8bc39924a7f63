/** Signatures of some pages: each is read and parsed once, signed and forgotten. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LayoutSigner } from '../../analysis/layout-signer.ts';
import { ProblemBuffer } from '../../store/problem-parts.ts';
import { commitTask } from '../../store/run-folder.ts';
import { COUNTS_FILE } from '../../store/survey-part.ts';
import { PageOpener } from '../pages/open-page.ts';
import { openedPages } from '../pages/opened-pages.ts';
import { countPage, countSkip, emptyCounts } from './counts.ts';
import { SIGNATURES_FILE, SignaturePart } from './signature-part.ts';
import type { SignTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

export async function signPages(task: SignTask, context: TaskContext): Promise<TaskCounts> {
  const { folder, pages, tokens, permutations } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock, reuse: true });
  const signer = new LayoutSigner({ permutations });
  await commitTask(folder, async (draft) => {
    const part = new SignaturePart(pages.length, tokens.length, permutations);
    const problems = new ProblemBuffer();
    for await (const { planned, outcome } of openedPages(pages, { context, opener, clock })) {
      const signed = opener.attempt(planned, outcome, {
        failure: 'could not be signed',
        work: ({ tree }) => {
          for (const [k, kind] of tokens.entries()) signer.sign(tree, kind, part.signatures[k], part.next);
          clock.lap('digest');
        },
      });
      for (const problem of signed.problems) problems.add(problem);
      if (signed.kind === 'skip') {
        countSkip(counts, signed.code);
        continue;
      }
      part.commit(planned.page);
      countPage(counts, signed.page, signed.tree);
    }
    clock.start();
    writeFileSync(join(draft, SIGNATURES_FILE), part.encode());
    problems.write(draft);
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts));
  });
  return counts;
}
