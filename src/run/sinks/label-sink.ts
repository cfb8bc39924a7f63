/** What becomes of labelled pages: the contract that all sinks keep. */
import type { ParsedPage } from '../../detect/detector.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { Page } from '../../model/page.ts';
import type { Problem } from '../../model/problem.ts';
import type { Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import type { Clock } from '../tasks/task-record.ts';

/** One page with all that was found out about it. The tree holds until the next page. */
export interface LabelledPage {
  planned: PlannedPage;
  page: Page;
  snapshot: string;
  tree: Tree;
  title: string;
  /** By detector, in the order of the job. */
  verdicts: Verdict[];
  problems: Problem[];
  /** Reads the capture of the same URL before, when the task has it; what it gives holds until the next page. */
  previous?: () => ParsedPage | undefined;
}

export interface Verdict {
  detector: string;
  ranges: Range[];
  unsure: boolean;
  /** The evidence, when it is asked for and the detector tells it. */
  explanation?: Explanation;
}

/** Where labelled pages go. */
export interface LabelSink {
  /** Takes a page; throws before anything is kept, or not at all. */
  add(labelled: LabelledPage, clock: Clock): void;
  /** Writes what is left. */
  close(): void;
}
