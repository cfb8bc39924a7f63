/**
 * Labelled pages compared with their last captures, for what shows redesigns in a history. The capture before was
 * labelled by this task or an earlier one, which has kept what it is compared by; where that is missing (its task
 * is still at work, it gave no page there) the capture is read and parsed again.
 */
import { ChangePart } from '../store/change-part.ts';
import { DesignPart } from '../store/design-part.ts';
import { EarlierTokens, TokenPart } from '../store/history/token-part.ts';
import type { CaptureTokens } from '../study/redesign-sums.ts';
import { designPage } from './design-page.ts';
import type { HistoryReaders } from './history-readers.ts';
import type { LabelledPage } from './label-task.ts';
import type { LabelTask } from './task.ts';
import type { Clock } from './timings.ts';

export class HistoryChanges {
  readonly #task: LabelTask;
  readonly #part: ChangePart;
  readonly #designs: DesignPart;
  readonly #readers: HistoryReaders;
  readonly #own: TokenPart;
  readonly #earlier = new EarlierTokens();

  constructor({ draft, task, readers }: { draft: string; task: LabelTask; readers: HistoryReaders }) {
    this.#task = task;
    this.#readers = readers;
    this.#part = new ChangePart({ draft });
    this.#designs = new DesignPart({ draft });
    const { pages } = task;
    this.#own = new TokenPart({ draft, firstPage: pages[0].page, endPage: pages[pages.length - 1].page + 1 });
  }

  add(labelled: LabelledPage, clock: Clock): void {
    const { planned, page, tree, snapshot, verdicts } = labelled;
    const { site, url, time } = page;
    const { counter, tags, designValues } = this.#readers;
    const others = this.#task.otherCaptures?.[planned.page];
    const older = this.#olderTokens(labelled);
    tags.read(tree);
    // the only capture of its URL is compared with none
    const own = others && counter.read(tree, older, tags);
    const sums = older && counter.count(verdicts[0].ranges);
    // a capture without a time is neither before nor after another
    const values = time === '' ? undefined : designValues.read(tree, tags);
    clock.lap('render');
    // the last capture of its URL is compared with no later one
    if (own && others.nextGroup !== undefined) this.#own.add(planned.page, own);
    if (values && this.#designs.add(designPage(labelled, this.#task), values)) this.#designs.flush();
    if (sums) {
      const previousTime = others!.previous!.time;
      this.#part.addSums({ page: planned.page, site, snapshot, url, time, previousTime }, sums);
    }
    clock.lap('write');
  }

  #olderTokens({ planned, previous }: LabelledPage): CaptureTokens | undefined {
    const before = this.#task.otherCaptures?.[planned.page]?.previous;
    if (!before) return undefined;
    const folder = this.#task.earlier?.[before.page];
    const kept = folder === undefined ? this.#own.find(before.page) : this.#earlier.find(folder, before.page);
    if (kept) return kept;
    const parsed = previous?.();
    return parsed && this.#readers.counter.readOlder(parsed.tree);
  }

  close(): void {
    this.#own.close();
    this.#earlier.close();
    this.#designs.close();
    this.#part.closeTables();
  }
}
