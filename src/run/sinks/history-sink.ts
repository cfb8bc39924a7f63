/** The sink of an output folder with a history. */
import { ValuePart } from '../../store/history/value-part.ts';
import type { LabelTask } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import { ComparedCaptures, captureReaders } from './compared-captures.ts';
import { FolderSink } from './folder-sink.ts';
import type { LabelSink, SinkPage } from './label-sink.ts';

/** Writes labelled pages to the tables of an output folder and of its history. */
export class HistorySink implements LabelSink {
  readonly #folder: FolderSink;
  readonly #compared: ComparedCaptures;
  readonly #values: ValuePart;
  readonly #readers = captureReaders();

  constructor({ draft, task }: { draft: string; task: LabelTask }) {
    this.#folder = new FolderSink({ draft, task });
    this.#compared = new ComparedCaptures({ draft, task, lists: false, years: task.job.history! });
    this.#values = new ValuePart({ draft });
  }

  add(labelled: SinkPage, clock: Clock): void {
    const { planned, page, tree, verdicts } = labelled;
    const values = this.#readers.values.read(tree, verdicts[0].ranges);
    this.#folder.add(labelled, clock);
    this.#values.add(planned.page, this.#readers.keys.of(page.url), values);
    this.#compared.add(labelled, clock);
  }

  close(): void {
    this.#values.close();
    this.#compared.close();
    this.#folder.close();
  }
}
