/** Types of the server's answers to the views Page and Labelling, for server and browser. */
import type { Label, Range } from '../model/range.ts';
import type { Role } from '../model/role.ts';
import type { PageCaptureRow } from '../store/explore/read-pages.ts';
import type { PageChange } from '../study/compare-captures.ts';

/** One page with the ranges of each detector. */
export interface PageAnswer {
  row: PageCaptureRow;
  /** '' when the page can be read again, else the reason why not. */
  archive: string;
  detectors: DetectorAnswer[];
  /** Captures of the same URL, including this one, by time. */
  captures: Pick<PageCaptureRow, 'page' | 'time' | 'url' | 'htmlBytes'>[];
}

/** Labels of a page by one detector. */
export interface DetectorAnswer {
  detector: string;
  ranges: RangeAnswer[];
  /** Bytes of source and characters of text by label; characters are 0 without the archive. */
  bytes: Record<Label, number>;
  text: Record<Label, number>;
}

/** A range with its text. */
export interface RangeAnswer extends Range {
  /** Beginning of its text on one line; '' without text or archive. */
  excerpt: string;
  /** Size of its text in bytes. */
  textBytes: number;
}

/** Class of a change between two captures. */
export type PairClass = 'template' | 'slot' | 'content';

/** A change between two captures, with its class. */
export interface ClassedChange extends PageChange {
  class: PairClass;
  /** Number of compared URLs with the same change; for a slot, with different text at the same place. */
  urls: number;
}

/** Changes between two captures of a page. */
export interface PairAnswer {
  older: PageCaptureRow;
  newer: PageCaptureRow;
  /** Number of compared URLs, including this one. */
  compared: number;
  changes: ClassedChange[];
  /** Words that appeared and disappeared, by class. */
  words: Record<PairClass, { came: number; went: number }>;
}

/** Label that a person can give to a block. */
export type Mark = 'content' | 'template' | 'slot' | 'comment';

/** A block of text of the joint verdict (detect/joint/judged-blocks.ts), and the suggested mark. */
interface LabelBlock {
  text: string;
  words: number;
  /** Probability of content, from 0 to 1. */
  score: number;
  role?: Role;
  suggestion: Mark;
}

/** An element with the blocks `[first, last)`, which differ from those of its parent group. */
export interface BlockGroup {
  /** Index of its parent group; -1 for the outermost. */
  parent: number;
  first: number;
  last: number;
  /** Name of the element, such as `div#main.article`. */
  name: string;
  /** Id of the element within the frame. */
  anchor: string;
}

/** A page offered for labelling. */
export interface QueuedPage {
  page: number;
  url: string;
  time: string;
  title: string;
  /** Share of its words (0 to 1) that the verdict expects to label wrongly. */
  uncertainty: number;
  blocks: number;
  /** Number of blocks that the person has marked. */
  marked: number;
}

/** Pages of a site offered for labelling. */
export interface QueueAnswer {
  site: string;
  /** Pages, least certain first. */
  pages: QueuedPage[];
  /** Number of pages that could not be read, and the reason for the first. */
  unread: number;
  reason: string;
}

/** Blocks, groups and marks of one page. */
export interface LabelAnswer {
  row: PageCaptureRow;
  blocks: LabelBlock[];
  groups: BlockGroup[];
  marks: (Mark | null)[];
  version: string;
}

/** Files of labels and their annotators. */
export interface LabelFolderAnswer {
  annotators: string[];
  /** Folder of the files of labels. */
  folder: string;
  /** Archives of the labelled pages. */
  inputs: string[];
}

/** Cohen's kappa of two annotators. */
export interface Kappa {
  /** 1 for full agreement, 0 for chance; null when there are no common marks or only one label. */
  kappa: number | null;
  /** Share of equal marks, from 0 to 1. */
  observed: number;
  /** Number of compared blocks, or of their characters. */
  units: number;
}

/** Agreement of two annotators. */
export interface Agreement {
  /** Number of pages with marks of both. */
  pages: number;
  byBlock: Kappa;
  byCharacter: Kappa;
  /** Number of blocks by the mark of the first person, then by that of the second. */
  confusion: Record<Mark, Record<Mark, number>>;
  /** Pages with different marks, most characters first. */
  differences: PageDifference[];
}

/** A page with blocks that two annotators mark differently. */
export interface PageDifference {
  /** Number of the page; absent when the folder lacks it. */
  page?: number;
  site: string;
  url: string;
  time: string;
  blocks: number;
  characters: number;
}
