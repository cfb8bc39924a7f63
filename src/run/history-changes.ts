/**
 * Labelled pages compared with their last captures, for what shows redesigns in a history. The capture before was
 * labelled by this task or an earlier one, which has kept what it is compared by; where that is missing (its task
 * is still at work, it gave no page there) the capture is read and parsed again.
 */
import { ChangePart } from '../store/change-part.ts';
import { DesignPart } from '../store/design-part.ts';
import { EarlierTokens, TokenPart } from '../store/history/token-part.ts';
import { DesignValueReader } from '../study/design-values.ts';
import { type CaptureTokens, RedesignCounter } from '../study/redesign-sums.ts';
import { designPage } from './design-page.ts';
import type { LabelledPage } from './label-task.ts';
import type { LabelTask } from './task.ts';
import type { Clock } from './timings.ts';

export class HistoryChanges {
  readonly #task: LabelTask;
  readonly #part: ChangePart;
  readonly #designs: DesignPart;
  readonly #designValues = new DesignValueReader();
  readonly #counter = new RedesignCounter();
  readonly #own: TokenPart;
  readonly #earlier = new EarlierTokens();

  constructor({ draft, task }: { draft: string; task: LabelTask }) {
    this.#task = task;
    this.#part = new ChangePart({ draft });
    this.#designs = new DesignPart({ draft });
    const { pages } = task;
    this.#own = new TokenPart({ draft, firstPage: pages[0].page, endPage: pages[pages.length - 1].page + 1 });
  }

  add(labelled: LabelledPage, clock: Clock): void {
    const { planned, page, tree, snapshot, verdicts } = labelled;
    const { site, url, time } = page;
    const older = this.#olderTokens(labelled);
    // the only capture of its URL is compared with none
    const isAlone = this.#task.otherCaptures?.[planned.page] === undefined;
    const own = isAlone ? undefined : this.#counter.read(tree, older);
    const sums = older && this.#counter.count(verdicts[0].ranges, older);
    // a capture without a time is neither before nor after another
    const values = time === '' ? undefined : this.#designValues.read(tree);
    clock.lap('render');
    if (own) this.#own.add(planned.page, own);
    if (values && this.#designs.add(designPage(labelled, this.#task), values)) this.#designs.flush();
    if (sums) {
      const previousTime = this.#previousOf(planned.page)!.time;
      this.#part.addSums({ page: planned.page, site, snapshot, url, time, previousTime }, sums);
    }
    clock.lap('write');
  }

  #previousOf(page: number) {
    return this.#task.otherCaptures?.[page]?.previous;
  }

  #olderTokens({ planned, previous }: LabelledPage): CaptureTokens | undefined {
    const before = this.#previousOf(planned.page);
    if (!before) return undefined;
    const folder = this.#task.earlier?.[before.page];
    const kept = folder === undefined ? this.#own.find(before.page) : this.#earlier.find(folder, before.page);
    if (kept) return kept;
    const parsed = previous?.();
    return parsed && this.#counter.readOlder(parsed.tree);
  }

  close(): void {
    this.#own.close();
    this.#earlier.close();
    this.#designs.close();
    this.#part.closeTables();
  }
}
