/** A thread of `PageThreads`: does one work at a time. */
import { serve } from '../run/executors/serve.ts';
import { doPageWork, type ThreadWork, type WorkContext } from './page-work.ts';

serve((work: ThreadWork, { onPage, checkStop }, { jointModel }: Pick<WorkContext, 'jointModel'>) =>
  doPageWork(work, {
    jointModel,
    onPage(page) {
      checkStop();
      onPage(page);
    },
  }),
);
