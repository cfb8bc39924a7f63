/** Opens the pages of a task and, with a browser, measures the boxes of their nodes. */
import type { BrowserLayout, BrowserLayoutOptions } from '../../browse/browser-layout.ts';
import { layOutInOrder } from '../../browse/layout-in-order.ts';
import type { Boxes } from '../../layout/boxes.ts';
import type { Problem } from '../../model/problem.ts';
import type { Input } from '../../read/raw-record.ts';
import type { ReadOptions } from '../../read/read-options.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import type { TaskContext } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import { lendPage, type Opened, openedPages, type PageOpener } from './open-page.ts';

/** An opened page with its layout. */
export interface LaidOutPage {
  planned: PlannedPage;
  outcome: Opened;
  /** Boxes from a browser; absent when they should be estimated. */
  boxes?: Boxes;
  problem?: Problem;
}

interface Tools {
  context: TaskContext;
  opener: PageOpener;
  clock: Clock;
  layout?: BrowserLayout;
}

/** Opens a browser for pages with the contents of some inputs only. Loads the browser code on demand. */
export async function openLayout(
  inputs: readonly Input[],
  readOptions: ReadOptions,
  options?: BrowserLayoutOptions,
): Promise<BrowserLayout> {
  const { BrowserLayout } = await import('../../browse/browser-layout.ts');
  const { ArchiveResources } = await import('../../browse/resources.ts');
  const resources = inputs.length > 0 ? ArchiveResources.survey(inputs, readOptions) : undefined;
  return BrowserLayout.open({ ...options, resources });
}

/** Every page in order, or the reason for skipping it; its tree is valid until the next page. */
export async function* laidOutPages(
  pages: readonly PlannedPage[],
  { layout, ...tools }: Tools,
): AsyncGenerator<LaidOutPage> {
  if (!layout) {
    yield* openedPages(pages, tools);
    return;
  }
  const { context, opener, clock } = tools;
  const parse = (planned: PlannedPage) => {
    context.onPage(planned.page);
    const opened = opener.open(planned);
    return opened.kind === 'page' ? opened : null;
  };
  for await (const { item: planned, laidOut } of layOutInOrder(pages, { layout, parse })) {
    await context.pause();
    context.onPage(planned.page);
    clock.start();
    const outcome = opener.open(planned);
    yield* lendPage({ planned, outcome, boxes: laidOut?.boxes ?? undefined, problem: laidOut?.problem });
  }
}
