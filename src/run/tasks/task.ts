/**
 * The tasks of a run as plain data, so that the caller's thread, a worker or another machine can carry them. A
 * task reads inputs and files of earlier tasks, writes into its own folder, commits that by one rename and returns
 * what it counted; done twice it does no harm.
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
  /** Pages that brought a thread down before, with the code to skip them under. */
  suspects?: Suspects;
  /** `label-00012`: names the folder it commits. */
  name: string;
  /** Where it commits. */
  folder: string;
  job: Job;
  /** By ordinal; only those the task reads. */
  inputs: Record<number, Input>;
}

/** One input: its captures with where they lie, bodies untouched. */
export interface SurveyTask extends TaskBase {
  kind: 'survey';
  input: number;
  /** Whether the run reads every page that is found, so that ends of members may be guessed. @default false */
  guess?: boolean;
}

/** Models of some site snapshots from their sampled pages. */
export interface LearnTask extends TaskBase {
  kind: 'learn';
  groups: PlannedGroup[];
  samples: PlannedPage[];
  /** Candidates for detectors that want captures, when there are any. */
  captureSamples?: PlannedPage[];
}

/** Settings of the text detector to be tried on the sampled pages of some site snapshots. */
export interface SettingsTask extends TaskBase {
  kind: 'settings';
  groups: PlannedGroup[];
  samples: PlannedPage[];
}

/** Where the models of a group lie: which file, and which of the groups in it. */
export interface ModelPlace {
  file: string;
  index: number;
}

/** Labels for some pages, in order. */
export interface LabelTask extends TaskBase {
  kind: 'label';
  /** Name of its parts in the finished folder. */
  part: string;
  /** A group whose pages all lie in this task has no models yet: it is learnt here. */
  groups: (PlannedGroup & { models?: ModelPlace })[];
  /** Candidates for the samples of the groups that are learnt here, and for detectors that want captures. */
  samples: PlannedPage[];
  captureSamples?: PlannedPage[];
  pages: PlannedPage[];
  /** Sites of it that other tasks have pages of too. */
  sharedSites?: string[];
  /** By page: its URL's captures before and after, when a detector wants them. */
  otherCaptures?: Record<number, OtherCaptures>;
  /** By page of another task that was captured before one of these: the folder which that task commits. */
  earlier?: Record<number, string>;
  output: LabelOutput;
}

/** What comparing the fragments of some pages takes. */
export interface DigestTask extends TaskBase {
  kind: 'digest';
  pages: PlannedPage[];
  /** Smallest fragment that is kept. */
  minBytes: number;
}

/** Signatures of some pages, by which layouts are compared. */
export interface SignTask extends TaskBase {
  kind: 'sign';
  pages: PlannedPage[];
  /** What is signed; a signature of each. */
  tokens: LayoutTokens[];
  permutations: number;
}

/** Site snapshots learnt and labelled, to train a page-level model with. */
export interface SiteLabelTask extends TaskBase {
  kind: 'label-sites';
  groups: PlannedGroup[];
  samples: PlannedPage[];
  labels: LabelRule;
  /** Pages of each group to train with. */
  pagesPerGroup: number;
  /** Also those that repeat another, those of which nothing is left and those of sites without templates. */
  allPages: boolean;
}

/** Where the nodes of a page stand: an estimate, or Chromium with what the archive holds. */
export const LAYOUTS = ['estimate', 'browser'] as const;
export type LayoutKind = (typeof LAYOUTS)[number];

/** Training rows of some pages of labelled sites. */
export interface TrainTask extends TaskBase {
  kind: 'train';
  groups: {
    models: ModelPlace;
    /** Hashes of the texts that recur on the site, for the rule `any`. */
    frequent: number[];
    /** Which of the lexicons knows nothing of this site. */
    part: number;
    pages: PlannedPage[];
  }[];
  lexicons: Lexicon[];
  labels: LabelRule;
  /** Features of a row: the first of all. */
  width: number;
  /** Nodes of a page that become rows: `all`, or those that stand apart and have words. */
  nodes: NodeChoice;
  rowsPerGroup: number;
  layout: LayoutKind;
  /** With layout `browser`. */
  browser?: BrowserLayoutOptions;
}

/** Pages of sites judged by a model that has not seen these sites. */
export interface CheckModelTask extends TaskBase {
  kind: 'check-model';
  groups: {
    /** Which of the models has not seen the site. */
    part: number;
    pages: PlannedPage[];
  }[];
  /** JSON texts; null for a part that has none. */
  models: (string | null)[];
  layout: LayoutKind;
  /** With layout `browser`. */
  browser?: BrowserLayoutOptions;
}

interface FinishTask extends TaskBase {
  /** Where its database may put what is too much for its memory. */
  spill: string;
}

/** Tables of sites whose pages lie in several label tasks. */
export interface StudyTask extends FinishTask {
  kind: 'study';
  sites: {
    site: string;
    /** Folders of its label tasks, and the published tables of their pages, in order. */
    labelFolders: string[];
    pageFiles: string[];
  }[];
}

/** The tables of `history/`. */
export interface HistoryTask extends FinishTask {
  kind: 'history';
  /** Folders of the committed label tasks, in order. */
  labelFolders: string[];
  /** The folder in whose place the parts of all pages are. */
  output: string;
  years: { fromYear: number; toYear: number };
}

/** Parts of an output folder, the same with their history, rows to stream, what changed since the last capture of each URL, or shingles. */
export type LabelOutput =
  | { kind: 'folder' }
  | { kind: 'history' }
  | RowsOutput
  | { kind: 'changes' }
  | ShinglesOutput;

/** Rows for the stream to read again, or to pass on as they are. */
export type RowsOutput = { kind: 'rows' } & (WantedRows | WantedPages);

/** The smallest hashes of the windows of what is not template. */
export interface ShinglesOutput {
  kind: 'shingles';
  /** Words of a window. */
  words: number;
  /** Hashes that are kept. */
  hashes: number;
}

export type Suspects = Record<number, 'unreadable' | 'too-slow'>;

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

/** What a task counted; kept beside its files, so that a run that goes on can add it up. */
export interface TaskCounts extends PageSums {
  pages: number;
  skipped: Partial<Record<SkipCode, number>>;
  timings: Timings;
  /** Seconds that learning took by each of the settings that were tried. */
  settingsSeconds?: Record<string, number>;
  /** SHA-256 of the input, from its survey. */
  inputDigest?: string;
  /** The input when its survey began, unless a checksum in it is wrong. */
  checked?: FileState;
  /** Whether its survey has guessed where members end. */
  guessed?: boolean;
  /** Whether such a guess was found to be wrong: then the task has committed nothing. */
  wrongGuess?: boolean;
}

/** What tasks of one thread share, and how they say where they are. */
export interface TaskContext {
  /** For the pages that a task holds; tasks of a thread follow each other. */
  arena: PageArena;
  /** Called with the number of each page before it is touched: names the culprit should the thread die. */
  onPage(page: number): void;
  /** Lets the thread breathe and notice that it should stop. */
  pause(): Promise<void>;
}
