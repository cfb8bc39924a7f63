/**
 * Data of report.html, as plain objects: `renderReport` needs nothing else, and the code that fills them (from an
 * output folder, in a test) needs no HTML.
 *
 * The size is limited before anything is read: `barsPerPicture` gives the number of pages to read for a site, so
 * that an archive of a thousand sites makes a file as large as one of ten.
 */
import type { Problem } from '../model/problem.ts';
import type { FragmentFigures } from '../store/fragments/fragment-report.ts';
import type { History } from '../store/history/read-history.ts';
import type { PageBar, SitePicture, SiteSummary, TemplateSummary } from '../store/open-folder.ts';
import type { Wireframe } from '../store/read-wireframes.ts';
import type { Study } from '../store/study/read-study.ts';
import type { Figure } from './figures/figure.ts';

/** All data of a report. */
export interface ReportData {
  /** Version of Chaff that labelled the pages. */
  version: string;
  /** Inputs as the user named them: file names without folders, sorted. */
  inputs: { name: string; sizeBytes: number; captures: number }[];
  /** Options of the run that affect its result, in display order. */
  options: Record<string, string | number | boolean>;
  /** Names of the detectors that ran, such as `['dom', 'text']`; the first is shown first. */
  detectors: string[];
  counts: ReportCounts;
  /** All sites, most pages first, equal ones by name. */
  sites: SiteSummary[];
  /** Pictures of the sites with a picture (see `MAX_PICTURED_SITES`), one per site and detector. */
  pictures: ReportPicture[];
  problems: ReportProblems;
  /**
   * Bytes of all captures that are saved by keeping each template of two pages or more once, by the first detector.
   */
  savedBytes: number;
  /** Wireframes of pages of the pictured sites. */
  wireframes: Wireframe[];
  /** Numbers of the pages with an annotated view beside the report. */
  annotated: ReadonlySet<number>;
  /** History, when captures of several times were compared. */
  history?: History;
  /** Figures about the templates of the sites. */
  study?: { study: Study; figures: Figure[] };
  /** Figures of shared fragments, when they were analysed; without detectors the report has only these. */
  fragments?: FragmentFigures;
}

/** Accounts of the captures: captures = labelled + all of skipped. */
interface ReportCounts {
  captures: number;
  labelled: number;
  /** Captures that gave no page, by skip code. */
  skipped: Record<string, number>;
  /** Bytes of HTML of the labelled pages. */
  htmlBytes: number;
  /** Bytes of text of the labelled pages. */
  textBytes: number;
  links: number;
}

/** Picture of one site by one detector; at most `barsPerPicture(…)` pages, a sample that does not depend on order. */
export interface ReportPicture extends Omit<SitePicture, 'bars' | 'templates'> {
  /** Number of pages of the site, which exceeds the number of `bars` when they are a sample. */
  pages: number;
  bars: ReportBar[];
  /**
   * Templates that the bars refer to, most pages first, then by id. Text and sample pages are shown for the
   * `templatesPerPicture(…)` that save the most; they may be empty for others.
   */
  templates: ReportTemplate[];
}

/** One page of a picture, with its ranges. */
export type ReportBar = PageBar;

/** A template of a picture, with sample pages. */
export interface ReportTemplate extends Omit<TemplateSummary, 'totalBytes'> {
  /** Some drawn pages with the template, at most `MAX_SAMPLE_PAGES`. */
  samplePages: { page: number; url: string }[];
}

/** Number of problems, by code and in total, and the first of them. */
interface ReportProblems {
  total: number;
  byCode: Record<string, number>;
  /** Up to 500 problems, in the order of problems.jsonl. */
  listed: Problem[];
}

/** Maximum number of bars of one picture. */
const MAX_BARS = 1500;
/** Minimum number of bars of one picture, however many pictures there are. */
const MIN_BARS = 60;
/** Maximum number of bars of all pictures together: some 10 MB of HTML at sixty ranges per page. */
const ALL_BARS = 12_000;
/** Maximum number of pages listed with each template. */
export const MAX_SAMPLE_PAGES = 5;
/** Maximum number of sites with pictures; others are only in the table. */
export const MAX_PICTURED_SITES = 200;
/** Maximum number of templates with a text in one picture. */
const MAX_TEMPLATES = 400;
/** Minimum number of templates with a text in one picture, however many pictures there are. */
const MIN_TEMPLATES = 20;
/** Maximum number of templates with a text in all pictures together. */
const ALL_TEMPLATES = 12_000;
/**
 * Maximum number of templates with a page count in a picture; others, on the fewest pages, are drawn as the rarest
 * class.
 */
export const MAX_NAMED_TEMPLATES = 5000;
/** Maximum number of sites in the table. */
export const MAX_SITES = 2000;
/** Maximum number of problems that are listed. */
export const MAX_PROBLEMS = 500;

/** Returns the number of pages to draw per picture, for this many pictures. */
export function barsPerPicture(pictureCount: number): number {
  const fair = Math.floor(ALL_BARS / Math.max(1, pictureCount));
  return Math.max(MIN_BARS, Math.min(MAX_BARS, fair));
}

/** Returns the number of templates with a text per picture, for this many pictures. */
export function templatesPerPicture(pictureCount: number): number {
  const fair = Math.floor(ALL_TEMPLATES / Math.max(1, pictureCount));
  return Math.max(MIN_TEMPLATES, Math.min(MAX_TEMPLATES, fair));
}
