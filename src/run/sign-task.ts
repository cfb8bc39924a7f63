/** Signatures of some pages: each is read and parsed once, signed and forgotten. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LayerTokens } from '../compare/layer-tokens.ts';
import { MinHash } from '../compare/minhash.ts';
import { PathTokens } from '../compare/path-tokens.ts';
import { ProblemBuffer } from '../store/problem-parts.ts';
import { commitTask } from '../store/run-folder.ts';
import { COUNTS_FILE, PROBLEMS_FILE } from '../store/survey-part.ts';
import { emptyCounts } from './counts.ts';
import { PageOpener, skip } from './open-page.ts';
import { SIGNATURES_FILE, SignaturePart } from './signature-part.ts';
import type { SignTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

/** `paths`: compare/path-tokens.ts, for groups; `layers`: compare/layer-tokens.ts, as the thesis has them. */
export const TOKEN_KINDS = ['paths', 'layers'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Pages between two pauses. */
const PAUSE_PAGES = 16;

export async function signPages(task: SignTask, context: TaskContext): Promise<TaskCounts> {
  const { folder, pages, tokens, permutations } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock });
  const makers = tokens.map((kind) => (kind === 'layers' ? new LayerTokens() : new PathTokens()));
  const hasher = new MinHash({ permutations });
  await commitTask(folder, async (draft) => {
    const part = new SignaturePart(pages.length, tokens.length, permutations);
    const problems = new ProblemBuffer();
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
          for (let k = 0; k < makers.length; k++) {
            makers[k].make(outcome.tree);
            hasher.sign(makers[k].tokens, makers[k].count, part.signatures[k], part.next);
          }
          clock.lap('digest');
          outcome = opener.checkTime(planned) ?? outcome;
        } catch (error) {
          outcome = skip(planned, 'unreadable', `could not be signed: ${(error as Error).message}; skipped`);
        }
      }
      for (const problem of outcome.problems) problems.add(problem);
      if (outcome.kind === 'skip') {
        counts.skipped[outcome.code] = (counts.skipped[outcome.code] ?? 0) + 1;
        continue;
      }
      part.commit(planned.page);
      counts.pages++;
      counts.htmlBytes += outcome.page.source.length;
      counts.textBytes += outcome.tree.textLength;
      counts.links += outcome.tree.linkCount;
      counts.nodes += outcome.tree.nodeCount;
      if (outcome.tree.exact) counts.exactPages++;
    }
    clock.start();
    writeFileSync(join(draft, SIGNATURES_FILE), part.encode());
    await problems.toParquet(context.database, join(draft, PROBLEMS_FILE));
    clock.lap('write');
    counts.timings = clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts));
  });
  return counts;
}
