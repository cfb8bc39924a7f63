/**
 * The tasks of a run as plain data, so that the caller's thread, a worker or another machine can run them. A task reads
 * inputs and files of earlier tasks, writes to its own folder, commits that folder in one step (store/task-parts.ts)
 * and returns its counts; running it twice is harmless.
 */
import type { LayoutTokens } from '../../analysis/layout-signer.ts';
import type { BrowserLayoutOptions } from '../../browse/browser-layout.ts';
import type { NodeChoice } from '../../detect/page/feature-list.ts';
import type { Lexicon } from '../../detect/page/lexicon.ts';
import type { LabelRule } from '../../detect/page/site-labels.ts';
import type { SkipCode } from '../../model/problem.ts';
import type { PageArena } from '../../parse/page-arena.ts';
import type { FileState, Input } from '../../read/raw-record.ts';
import type { OtherCaptures, PlannedGroup } from '../../store/plan.ts';
import type { PlannedPage } from '../../store/planned-page.ts';
import type { PageSums } from '../../store/run-file.ts';
import type { Job } from '../job.ts';
import type { WantedPages, WantedRows } from '../sinks/page-rows.ts';
import type { Timings } from './task-record.ts';

interface TaskBase {
  /** Pages that brought a thread down before, with the code for skipping them. */
  suspects?: Suspects;
  /** File for the number of the current page, which identifies the page if the process dies. */
  pageFile?: string;
  /** Unique name, such as `label-00012`. */
  name: string;
  /** The work folder of the run: the task commits there and reads the files of committed tasks there. */
  folder: string;
  job: Job;
  /** The inputs that the task reads, by ordinal. */
  inputs: Record<number, Input>;
}

/** Finds the captures of one input and their locations, without reading bodies. */
export interface SurveyTask extends TaskBase {
  kind: 'survey';
  input: number;
  /** Whether the run reads every page, so that the ends of gzip members may be guessed. @default false */
  guess?: boolean;
}

/** Learns the models of some site snapshots from their sampled pages. */
export interface LearnTask extends TaskBase {
  kind: 'learn';
  groups: PlannedGroup[];
  samples: PlannedPage[];
  /** Candidates for detectors that need captures, if the job has any. */
  captureSamples?: PlannedPage[];
}

/** Tries settings of the text detector on the sampled pages of some site snapshots. */
export interface SettingsTask extends TaskBase {
  kind: 'settings';
  groups: PlannedGroup[];
  samples: PlannedPage[];
}

/** Where the models of a group are: the task that learnt them, and the index of the group in it. */
export interface ModelPlace {
  task: string;
  index: number;
}

/** A task was started before a task that it depends on was committed. */
export class TaskNotReady extends Error {
  override name = 'TaskNotReady';

  constructor(needed: string) {
    super(`the task ${needed}, whose result is needed, is not done yet`);
  }
}

/** Labels some pages, in order. */
export interface LabelTask extends TaskBase {
  kind: 'label';
  /** Name of its files in the finished folder. */
  part: string;
  /** A group without `models` has all its pages in this task and is learnt here. */
  groups: (PlannedGroup & { models?: ModelPlace })[];
  /** Candidates for the samples of groups that are learnt here, and for detectors that need captures. */
  samples: PlannedPage[];
  captureSamples?: PlannedPage[];
  pages: PlannedPage[];
  /** Sites of this task that other tasks have pages of too. */
  sharedSites?: string[];
  /** By page: the captures of its URL before and after, if a detector needs them. */
  otherCaptures?: Record<number, OtherCaptures>;
  /** By page: the other task that has its previous capture. */
  earlier?: Record<number, string>;
  output: LabelOutput;
}

/** Digests the fragments of some pages for comparison. */
export interface DigestTask extends TaskBase {
  kind: 'digest';
  pages: PlannedPage[];
  /** Smallest fragment that is kept, in bytes. */
  minBytes: number;
}

/** Signs some pages, for comparing layouts. */
export interface SignTask extends TaskBase {
  kind: 'sign';
  pages: PlannedPage[];
  /** Kinds of tokens; each page gets one signature per kind. */
  tokens: LayoutTokens[];
  permutations: number;
}

/** Learns and labels site snapshots for training a page-level model. */
export interface SiteLabelTask extends TaskBase {
  kind: 'label-sites';
  groups: PlannedGroup[];
  samples: PlannedPage[];
  labels: LabelRule;
  /** Maximum number of pages of each group to train with. */
  pagesPerGroup: number;
  /** Also use near-duplicates, pages without remaining text and sites without templates. */
  allPages: boolean;
}

/** Where the boxes of nodes come from: an estimate, or Chromium with the contents of the archive. */
export const LAYOUTS = ['estimate', 'browser'] as const;
/** One of `LAYOUTS`. */
export type LayoutKind = (typeof LAYOUTS)[number];

/** Makes training rows from pages of labelled sites. */
export interface TrainTask extends TaskBase {
  kind: 'train';
  groups: {
    models: ModelPlace;
    /** Hashes of the texts that recur on the site, for the rule `any`. */
    frequent: number[];
    /** Index of the lexicon that was made without this site. */
    part: number;
    pages: PlannedPage[];
  }[];
  lexicons: Lexicon[];
  labels: LabelRule;
  /** Number of features of a row: the first ones of the list. */
  width: number;
  /** Nodes of a page that become rows: `all`, or only blocks with words. */
  nodes: NodeChoice;
  rowsPerGroup: number;
  layout: LayoutKind;
  /** Only with layout `browser`. */
  browser?: BrowserLayoutOptions;
}

/** Judges pages of sites by a model that has not seen these sites. */
export interface CheckModelTask extends TaskBase {
  kind: 'check-model';
  groups: {
    /** Index of the model that was trained without this site. */
    part: number;
    pages: PlannedPage[];
  }[];
  /** Models as JSON texts; null for a part without a model. */
  models: (string | null)[];
  layout: LayoutKind;
  /** Only with layout `browser`. */
  browser?: BrowserLayoutOptions;
}

interface FinishTask extends TaskBase {
  /** Folder for database contents that exceed memory. */
  spill: string;
}

/** Makes the tables of sites with pages in several label tasks. */
export interface StudyTask extends FinishTask {
  kind: 'study';
  sites: {
    site: string;
    /** Folders of the site's label tasks, and the published tables of their pages, in order. */
    labelFolders: string[];
    pageFiles: string[];
  }[];
}

/** Makes the tables of `history/`. */
export interface HistoryTask extends FinishTask {
  kind: 'history';
  /** Folders of the committed label tasks, in order. */
  labelFolders: string[];
  /** The output folder with the parts of all pages. */
  output: string;
  years: { fromYear: number; toYear: number };
}

/**
 * Output of a label task: files of an output folder, the same with history, rows for a stream, changes since the last
 * capture of each URL, or shingles.
 */
export type LabelOutput =
  | { kind: 'folder' }
  | { kind: 'history' }
  | RowsOutput
  | { kind: 'changes' }
  | ShinglesOutput;

/** Rows that the stream parses again, or rows that it passes on as bytes. */
export type RowsOutput = { kind: 'rows' } & (WantedRows | WantedPages);

/** The smallest hashes of the shingles outside templates. */
export interface ShinglesOutput {
  kind: 'shingles';
  /** Words of a shingle. */
  words: number;
  /** Number of hashes that are kept per page. */
  hashes: number;
}

/** Pages to skip, by page number, with the code for the skip. */
export type Suspects = Record<number, 'unreadable' | 'too-slow'>;

/** A task of any kind; `kind` decides which. */
export type Task =
  | SurveyTask
  | LearnTask
  | SettingsTask
  | LabelTask
  | DigestTask
  | SignTask
  | SiteLabelTask
  | TrainTask
  | CheckModelTask
  | StudyTask
  | HistoryTask;

/** The counts of a task, saved beside its files, so that a continued run can sum them. */
export interface TaskCounts extends PageSums {
  pages: number;
  skipped: Partial<Record<SkipCode, number>>;
  timings: Timings;
  /** Seconds of learning by settings. */
  settingsSeconds?: Record<string, number>;
  /** SHA-256 of the input; only of a survey. */
  inputDigest?: string;
  /** State of the input file when its survey began; absent if a checksum in it is wrong. */
  checked?: FileState;
  /** Whether the survey guessed ends of gzip members. */
  guessed?: boolean;
  /** Whether a guess was wrong; the task has then committed nothing. */
  wrongGuess?: boolean;
}

/** What the tasks of one thread share, and how they report where they are. */
export interface TaskContext {
  /** Memory for the pages that a task keeps; a thread runs one task at a time. */
  arena: PageArena;
  /** Called with the number of each page before it is opened, so that the page is known if the thread dies. */
  onPage(page: number): void;
  /** Yields to other work of the thread; throws when the run is stopped. */
  pause(): Promise<void>;
}
