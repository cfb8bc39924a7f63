/**
 * The contract of all detectors: learn a model from the pages of a site, then label a page with ranges. A
 * model is plain data: it can be saved, sent to a worker and applied to tomorrow's page. Code after `label`
 * reads ranges and does not depend on detectors.
 */
import type { Boxes } from '../layout/boxes.ts';
import type { PageFindings } from '../metadata/read-metadata.ts';
import type { Explanation } from '../model/explanation.ts';
import type { SiteNames } from '../model/metadata.ts';
import type { Page } from '../model/page.ts';
import type { ProblemCode } from '../model/problem.ts';
import type { Range, Template } from '../model/range.ts';
import type { Tree } from '../parse/tree.ts';

/**
 * A page with its tree. Unless `kept` is true, the tree's columns belong to the parser and are valid only
 * until the next page is requested.
 */
export interface ParsedPage {
  page: Omit<Page, 'source'>;
  tree: Tree;
  /** Whether the tree stays valid, because no parser reuses its memory. @default false */
  kept?: boolean;
}

/** Fields that every model has, whatever its detector. */
export interface SiteModel {
  detector: DetectorName;
  site: string;
  /** Number of distinct URLs it was learnt from. */
  pagesLearnt: number;
  /** Times of the earliest and the latest of these pages; empty when unknown. */
  firstTime: string;
  lastTime: string;
  /** Common beginnings and ends of the titles of these pages. */
  names: SiteNames;
  /** Templates found on these pages, most pages first. */
  templates: Template[];
}

/** Name of a detector. */
export type DetectorName = 'joint' | 'dom' | 'text' | 'cross' | 'page' | 'none';

/** Phases of labelling a page that the cross detector reports, as in Leśniak 2017 (section 4.3). */
export type LabelPhase = 'annotate' | 'classify' | 'propagate' | 'train' | 'reclassify';

/** Optional data that a page is labelled with, and callbacks. */
export interface LabelContext {
  /**
   * Captures of the same page before and after it, nearest in time first, for detectors that want them. They
   * are read on demand; each is valid until the next one of its side is taken.
   */
  earlier?: Iterable<ParsedPage>;
  later?: Iterable<ParsedPage>;
  /** Boxes of the nodes as a browser shows them, for detectors that would estimate them otherwise. */
  boxes?: Boxes;
  /** Called with each reason why the verdict is uncertain. */
  report?: (code: ProblemCode, message: string) => void;
  /** Called at the end of each phase. */
  onPhase?: (phase: LabelPhase) => void;
  /** Called with findings about the page besides its ranges, by detectors that have them. */
  onFindings?: (findings: PageFindings) => void;
  /** Called with the evidence behind the labels, by detectors that have it. */
  explain?: (explanation: Explanation) => void;
}

/** An algorithm that learns models of sites and labels pages by them. */
export interface Detector<Model extends SiteModel = SiteModel> {
  readonly name: DetectorName;
  /**
   * Number of pages that it learns from when the sample is larger: those with the smallest hashes. @default
   * the whole sample
   */
  readonly samplePages?: number;
  /** Whether labels depend on the captures of the same URL before and after. @default false */
  readonly wantsCaptures?: boolean;
  /** Whether it learns from several captures of a URL; other detectors learn from one. @default false */
  readonly learnsCaptures?: boolean;
  /**
   * Learns a site from its sampled pages, in any order; the model does not depend on the order. The pages are
   * taken one at a time, and may be the same object with new contents.
   */
  learn(site: string, pages: Iterable<ParsedPage>): Model;
  /** Labels a page with ordered, disjoint ranges that tile its source. */
  label(page: ParsedPage, model: Model, context?: LabelContext): Range[];
  /** Releases the kernel memory that labelling holds; the next page allocates it again. */
  release?(): void;
  /** Encodes a model as compact bytes, and decodes it. */
  encode(model: Model): Uint8Array;
  decode(bytes: Uint8Array): Model;
}
