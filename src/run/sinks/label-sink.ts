/** The contract of sinks, which receive labelled pages. */
import type { ParsedPage } from '../../detect/detector.ts';
import type { PageFindings } from '../../metadata/read-metadata.ts';
import type { Explanation } from '../../model/explanation.ts';
import type { SiteNames } from '../../model/metadata.ts';
import type { Page } from '../../model/page.ts';
import type { Problem } from '../../model/problem.ts';
import type { Range } from '../../model/range.ts';
import type { Tree } from '../../parse/tree.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import type { Clock } from '../tasks/task-record.ts';

/** One page with all results about it. The tree is valid until the next page. */
export interface SinkPage {
  planned: PlannedPage;
  page: Page;
  snapshot: string;
  tree: Tree;
  /** What the titles of its site share. */
  names?: SiteNames;
  findings?: PageFindings;
  /** Verdicts by detector, in the order of the job. */
  verdicts: Verdict[];
  problems: Problem[];
  /** Reads the previous capture of the same URL, if the task has it; valid until the next page. */
  previous?: () => ParsedPage | undefined;
}

/** The verdict of one detector on a page. */
export interface Verdict {
  detector: string;
  ranges: Range[];
  unsure: boolean;
  /** The evidence, if requested and given by the detector. */
  explanation?: Explanation;
}

/** Receives the labelled pages of a task. */
export interface LabelSink {
  /** Adds a page; if it throws, nothing of the page was kept. */
  add(labelled: SinkPage, clock: Clock): void;
  /** Writes remaining data. */
  close(): void;
}
