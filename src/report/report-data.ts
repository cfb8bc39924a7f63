/**
 * All that report.html shows, as plain data: `renderReport` needs nothing else, and what fills it (the
 * output folder, a test) needs to know nothing about HTML.
 *
 * The size is bounded before anything is read: `barsPerPicture` says how many pages of a site to ask for,
 * so that an archive of a thousand sites makes a file as large as one of ten.
 */
import type { Problem } from '../model/problem.ts';
import type { FragmentFigures } from '../store/fragments/fragment-report.ts';
import type { PageBar, SitePicture, SiteSummary, TemplateSummary } from '../store/open-folder.ts';
import type { Study } from '../store/study/read-study.ts';
import type { Figure } from './figures/figure.ts';

export interface ReportData {
  /** Version of Chaff that labelled the pages. */
  version: string;
  /** What was read, as the user named it: file names without folders, sorted. */
  inputs: { name: string; sizeBytes: number; captures: number }[];
  /** Options of the run that change its result, in the order to show them. */
  options: Record<string, string | number | boolean>;
  /** Names of the detectors that ran, the first is shown first: `['dom', 'text']`. */
  detectors: string[];
  counts: ReportCounts;
  /** Every site, most pages first, then by name. */
  sites: SiteSummary[];
  /** Pictures of the sites that have one (see `MOST_PICTURED_SITES`), one per site and detector. */
  pictures: ReportPicture[];
  problems: ReportProblems;
  /** What templates tell about the sites, with its figures. */
  study?: { study: Study; figures: Figure[] };
  /** When the pages were compared by their fragments; without detectors the report is about these only. */
  fragments?: FragmentFigures;
}

/** The accounting sum: captures = labelled + all of skipped. */
export interface ReportCounts {
  captures: number;
  labelled: number;
  /** Captures that gave no page, by code. */
  skipped: Record<string, number>;
  /** Bytes of HTML of the labelled pages. */
  htmlBytes: number;
  /** Bytes of their detagged text. */
  textBytes: number;
  links: number;
}

/** One site as one detector sees it; at most `barsPerPicture(…)` pages, a sample that does not depend on order. */
export interface ReportPicture extends Omit<SitePicture, 'bars' | 'templates'> {
  /** Pages of the site; more than `bars` when sampled. */
  pages: number;
  bars: ReportBar[];
  /**
   * The templates that the bars name, most pages first, then by id. Text and sample pages are shown of the
   * first `templatesPerPicture(…)`; they may be empty beyond.
   */
  templates: ReportTemplate[];
}

export type ReportBar = Omit<PageBar, 'page'>;

export interface ReportTemplate extends Omit<TemplateSummary, 'totalBytes'> {
  /** URLs of some drawn pages that hold it, at most `MOST_SAMPLE_PAGES`. */
  samplePages: string[];
}

export interface ReportProblems {
  total: number;
  byCode: Record<string, number>;
  /** Up to 500 of them, in the order of problems.jsonl. */
  listed: Problem[];
}

/** Most bars of one picture. */
export const MOST_BARS = 1500;
/** Fewest bars of one picture, however many pictures there are. */
export const FEWEST_BARS = 60;
/** Bars of all pictures together: some 10 MB of HTML at sixty ranges a page. */
export const ALL_BARS = 12_000;
/** Pages listed with each template. */
export const MOST_SAMPLE_PAGES = 5;
/** Sites with pictures; the rest have their row in the table only. */
export const MOST_PICTURED_SITES = 200;
/** Most and fewest templates with a text in one picture, and those of all pictures together. */
export const MOST_TEMPLATES = 400;
export const FEWEST_TEMPLATES = 20;
export const ALL_TEMPLATES = 12_000;
/** Templates a picture knows the page counts of; the rest, on fewest pages, are drawn as the rarest. */
export const MOST_NAMED_TEMPLATES = 5000;
/** Sites in the table. */
export const MOST_SITES = 2000;
/** Problems listed one by one. */
export const MOST_PROBLEMS = 500;

/** How many pages to draw for each picture when there are so many. */
export function barsPerPicture(pictureCount: number): number {
  const fair = Math.floor(ALL_BARS / Math.max(1, pictureCount));
  return Math.max(FEWEST_BARS, Math.min(MOST_BARS, fair));
}

/** How many templates of each picture come with their text. */
export function templatesPerPicture(pictureCount: number): number {
  const fair = Math.floor(ALL_TEMPLATES / Math.max(1, pictureCount));
  return Math.max(FEWEST_TEMPLATES, Math.min(MOST_TEMPLATES, fair));
}
