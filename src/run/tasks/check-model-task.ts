/**
 * Pages of training sites, judged by models that have not seen these sites. A model that calls whole pages template is
 * of no use, whatever its figures by node are; that shows only on pages, after the smoothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyFloors } from '../../detect/confidence-fallback.ts';
import { PageJudge } from '../../detect/page/judge-page.ts';
import { decodePageModel } from '../../detect/page/page-model.ts';
import { commitTask } from '../../store/run-folder.ts';
import { COUNTS_FILE } from '../../store/survey-part.ts';
import { laidOutPages, openLayout } from '../pages/laid-out-pages.ts';
import { PageOpener } from '../pages/open-page.ts';
import { emptyCounts } from './counts.ts';
import type { CheckModelTask, TaskContext, TaskCounts } from './task.ts';
import { Clock } from './timings.ts';

const CHECKED_FILE = 'checked-pages.json';

const NO_SITE = { detector: 'page', site: '', pagesLearnt: 0 } as const;

/** Pages with text, and those of them of which almost nothing is left by the rule of floors.ts. */
export interface CheckedPages {
  pages: number;
  empty: number;
}

export async function checkModel(task: CheckModelTask, context: TaskContext): Promise<TaskCounts> {
  const { folder, job, groups, models, inputs } = task;
  const counts = emptyCounts();
  const clock = new Clock();
  const opener = new PageOpener({ ...task, clock });
  const judges = models.map((text) => (text === null ? undefined : new PageJudge(decodePageModel(text))));
  const layout = task.layout === 'browser' ? await openLayout(inputs, job, task.browser) : undefined;
  const checked: CheckedPages = { pages: 0, empty: 0 };
  await commitTask(folder, async (draft) => {
    for (const { part, pages } of groups) {
      const judge = judges[part];
      if (!judge) continue;
      for await (const { planned, outcome, boxes } of laidOutPages(pages, {
        context,
        opener,
        clock,
        layout,
      })) {
        opener.attempt(planned, outcome, {
          failure: 'could not be judged',
          work: (opened) => {
            const { tree } = opened;
            if (tree.textStart[tree.nodeCount] === 0) return;
            checked.pages++;
            const { ranges } = judge.judge(opened, boxes);
            if (applyFloors(opened, NO_SITE, ranges, { fallback: 'unsure' }).problem) checked.empty++;
          },
        });
      }
    }
    writeFileSync(join(draft, CHECKED_FILE), JSON.stringify(checked));
    counts.timings = clock.timings();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts));
  }).finally(() => layout?.close());
  return counts;
}

export function readCheckedPages(folder: string): CheckedPages {
  return JSON.parse(readFileSync(join(folder, CHECKED_FILE), 'utf8')) as CheckedPages;
}
