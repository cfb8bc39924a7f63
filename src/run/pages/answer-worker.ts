/** A thread that answers the pages that are handed to it. */
import { serve } from '../executors/serve.ts';
import { answerPages, type HandedPages, type PageSetup } from './answer-pages.ts';

serve((work: HandedPages, { onPage, checkStop }, { setup }: { setup: PageSetup }) =>
  answerPages(work, setup, (page) => {
    checkStop();
    onPage(page);
  }),
);
