/** The pages of a task, opened one after the other, with pauses in which a thread notices that it should stop. */
import type { PlannedPage } from '../../store/planned-page.ts';
import type { TaskContext } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import type { Opened, PageOpener } from './open-page.ts';

/** Pages between two pauses. */
const PAUSE_PAGES = 16;

/** Pauses now and then, called before each page. */
export class Pauses {
  readonly #context: TaskContext;
  #sincePause = 0;

  constructor(context: TaskContext) {
    this.#context = context;
  }

  async beforePage(): Promise<void> {
    if (++this.#sincePause < PAUSE_PAGES) return;
    this.#sincePause = 0;
    await this.#context.pause();
  }
}

/** Every page as it was opened, or why it is skipped; its tree holds until the next. */
export async function* openedPages(
  pages: readonly PlannedPage[],
  { context, opener, clock }: { context: TaskContext; opener: PageOpener; clock: Clock },
): AsyncGenerator<{ planned: PlannedPage; outcome: Opened }> {
  const pauses = new Pauses(context);
  for (const planned of pages) {
    await pauses.beforePage();
    context.onPage(planned.page);
    clock.start();
    yield { planned, outcome: opener.open(planned) };
  }
}
