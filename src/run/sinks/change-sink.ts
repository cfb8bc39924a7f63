/** Labelled pages compared with their last captures, on their way to the tables of `chaff changes`. */
import type { Problem } from '../../model/problem.ts';
import { ChangePart } from '../../store/change-part.ts';
import { DesignPart } from '../../store/design-part.ts';
import { DesignValueReader } from '../../study/design-values.ts';
import { PageChangeFinder } from '../../study/page-changes.ts';
import type { LabelTask, TaskCounts } from '../tasks/task.ts';
import type { Clock } from '../tasks/timings.ts';
import { designPage } from './design-page.ts';
import type { LabelledPage, LabelSink } from './label-sink.ts';

export class ChangeSink implements LabelSink {
  readonly #task: LabelTask;
  readonly #part: ChangePart;
  readonly #finder = new PageChangeFinder();
  readonly #designs: DesignPart;
  readonly #designValues = new DesignValueReader();

  constructor({ draft, task }: { draft: string; task: LabelTask }) {
    this.#task = task;
    this.#part = new ChangePart({ draft });
    this.#designs = new DesignPart({ draft });
  }

  add(labelled: LabelledPage, clock: Clock): void {
    const { planned, page, tree, previous: openPrevious, snapshot, verdicts } = labelled;
    const { site, url, time } = page;
    const previous = openPrevious?.();
    const found = previous && this.#finder.find({ page, tree }, verdicts[0].ranges, previous);
    // a capture without a time is neither before nor after another
    const values = time === '' ? undefined : this.#designValues.read(tree);
    clock.lap('render');
    const others = this.#task.otherCaptures?.[planned.page];
    if (values && this.#designs.add(designPage(labelled, others), values)) this.#designs.flush();
    if (!previous || !found) return;
    const compared = { page: planned.page, site, snapshot, url, time, previousTime: previous.page.time };
    if (this.#part.add(compared, found)) this.#part.flush();
    clock.lap('write');
  }

  addProblem(problem: Problem): void {
    this.#part.addProblem(problem);
  }

  close(counts: TaskCounts, clock: Clock): void {
    clock.start();
    this.#designs.close();
    this.#part.close(() => {
      clock.lap('write');
      counts.timings = clock.timings();
      return counts;
    });
  }
}
