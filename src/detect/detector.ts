/**
 * The contract of all detectors: learn from the pages of a site, then label a page with ranges. A model
 * is plain data: it can be saved, sent to a worker and applied to tomorrow's page. Whatever comes after
 * `label` reads ranges and knows no detector.
 */
import type { Boxes } from '../layout/boxes.ts';
import type { Explanation } from '../model/explanation.ts';
import type { Page } from '../model/page.ts';
import type { ProblemCode } from '../model/problem.ts';
import type { Range, Template } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';

/**
 * A page with its tree. Unless it is kept, the tree's columns are the parser's: use them before asking for the
 * next page.
 */
export interface ParsedPage {
  page: Omit<Page, 'source'>;
  tree: Tree;
  /** Whether the tree is nobody's to refill. @default false */
  kept?: boolean;
}

/** What every model knows, whatever its detector. */
export interface SiteModel {
  detector: DetectorName;
  site: string;
  /** Distinct URLs it was learnt from. */
  pagesLearnt: number;
  /** Time of the earliest and the latest of them; empty when unknown. */
  firstTime: string;
  lastTime: string;
  /** The templates found on those pages, most pages first. */
  templates: Template[];
}

export type DetectorName = 'joint' | 'dom' | 'text' | 'cross' | 'page' | 'none';

/** The phases of labelling a page that the cross detector tells apart, as Leśniak 2017 does (section 4.3). */
export type LabelPhase = 'annotate' | 'classify' | 'propagate' | 'train' | 'reclassify';

/** What may come with a page that is labelled. */
export interface LabelContext {
  /**
   * Captures of the same page before and after it, nearest in time first, for detectors that want them. They are read
   * as they are asked for; each holds until the next one of its side is taken.
   */
  earlier?: Iterable<ParsedPage>;
  later?: Iterable<ParsedPage>;
  /** Where its nodes stand when a browser shows it, for detectors that would estimate it otherwise. */
  boxes?: Boxes;
  /** Hears what stands in the way of a sure verdict. */
  report?: (code: ProblemCode, message: string) => void;
  /** Called at the end of each phase. */
  onPhase?: (phase: LabelPhase) => void;
  /** Called with the evidence behind the labels, by detectors that can tell it. */
  explain?: (explanation: Explanation) => void;
}

export interface Detector<Model extends SiteModel = SiteModel> {
  readonly name: DetectorName;
  /**
   * Pages of the sample that it learns from, those with the smallest hashes, where its options say so: a larger
   * sample is for other detectors. @default all of it
   */
  readonly samplePages?: number;
  /** Whether labels depend on the captures of the same URL before and after. @default false */
  readonly wantsCaptures?: boolean;
  /** Whether it learns from several captures of a URL; others learn from one. @default false */
  readonly learnsCaptures?: boolean;
  /**
   * Learns a site from its sampled pages, given in any order: the model does not depend on it. The pages
   * are taken one at a time and may be the same object refilled.
   */
  learn(site: string, pages: Iterable<ParsedPage>): Model;
  /** Labels a page: ordered, disjoint ranges that tile its source. */
  label(page: ParsedPage, model: Model, context?: LabelContext): Range[];
  /** Gives back the memory of the kernel that labelling holds; it is taken again by the next page. */
  release?(): void;
  /** The model as compact bytes, and back. */
  encode(model: Model): Uint8Array;
  decode(bytes: Uint8Array): Model;
}
