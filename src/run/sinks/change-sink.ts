/** The sink of `chaff changes`: compares labelled pages with their previous captures. */
import type { LabelTask } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import { ComparedCaptures } from './compared-captures.ts';
import type { LabelSink, SinkPage } from './label-sink.ts';

/** Writes the changes of labelled pages to the tables of `chaff changes`. */
export class ChangeSink implements LabelSink {
  readonly #compared: ComparedCaptures;

  constructor({ draft, task }: { draft: string; task: LabelTask }) {
    this.#compared = new ComparedCaptures({ draft, task, lists: true });
  }

  add(labelled: SinkPage, clock: Clock): void {
    this.#compared.add(labelled, clock);
  }

  close(): void {
    this.#compared.close();
  }
}
