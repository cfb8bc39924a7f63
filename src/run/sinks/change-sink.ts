/** Labelled pages compared with their last captures, on their way to the tables of `chaff changes`. */
import type { Problem } from '../../model/problem.ts';
import type { LabelTask, TaskCounts } from '../tasks/task.ts';
import type { Clock } from '../tasks/timings.ts';
import { ComparedCaptures } from './compared-captures.ts';
import type { LabelledPage, LabelSink } from './label-sink.ts';

export class ChangeSink implements LabelSink {
  readonly #compared: ComparedCaptures;

  constructor({ draft, task }: { draft: string; task: LabelTask }) {
    this.#compared = new ComparedCaptures({ draft, task, lists: true });
  }

  add(labelled: LabelledPage, clock: Clock): void {
    this.#compared.add(labelled, clock);
  }

  addProblem(problem: Problem): void {
    this.#compared.part.addProblem(problem);
  }

  close(counts: TaskCounts, clock: Clock): void {
    clock.start();
    this.#compared.close();
    this.#compared.part.close(() => {
      clock.lap('write');
      counts.timings = clock.timings();
      return counts;
    });
  }
}
