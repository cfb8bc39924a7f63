/**
 * Fallbacks for detectors that compare pages. On a site of a few near-identical pages, or on a page that is
 * repeated under other URLs, they would label everything template. When a verdict cannot be trusted, the page
 * is judged alone by its looks (page/judge-alone.ts), and a problem reports it. When that leaves no text
 * either, or the caller does not want it, templates become `unsure` and the text is kept.
 *
 * `joint` has no fallback: it always judges the looks of the page too, and its model has learnt how to label
 * without evidence of other pages. `page` needs no site, so only the thresholds on remaining text apply to
 * it.
 *
 * Defaults: below 4 pages, "on three pages" can mean "on all", so nothing separates template from content. A
 * page that would keep under 24 bytes of text and under 5 % has lost its content to a copy of itself, to a
 * listing of it, or to a text that every page carries. Only a short phrase is left then, where a real page
 * has a heading and a sentence. Both conditions must hold, so that short pages are not affected just because
 * they are short.
 */

import { checkChoice, checkNames, checkNumber, withoutUndefined } from '../model/check-option.ts';
import type { Problem } from '../model/problem.ts';
import { isInTemplate, type Range } from '../model/range.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from './detector.ts';
import { judgeAlone } from './page/judge-alone.ts';
import { PAGE_OPTION_NAMES } from './page/judge-page.ts';
import type { PageDetectorOptions } from './page/page-detector.ts';
import { makeRange, textBytesByLabel } from './ranges.ts';

/** Thresholds below which a verdict is replaced, and what replaces it. */
export interface FloorOptions {
  /**
   * Minimum number of pages a site must be learnt from, 0 to 1,000,000; 0 turns this threshold off. @default
   * 4
   */
  minSitePages?: number;
  /** Minimum text that a page must keep, in bytes, from 0. @default 24 */
  minTextBytes?: number;
  /** Minimum share of its text that a page must keep, 0 to 1; 0 turns this threshold off. @default 0.05 */
  minTextShare?: number;
  /**
   * What replaces a verdict below the thresholds: the verdict of the page detector, or `unsure` labels.
   * @default 'page'
   */
  fallback?: Fallback;
  /** Options of the page detector that judges the page alone. @default the packaged model */
  page?: PageDetectorOptions;
}

/** All values of `Fallback`. */
export const FALLBACKS = ['page', 'unsure'] as const;
/** What replaces a verdict that cannot be trusted: the page detector's verdict, or `unsure` labels. */
export type Fallback = (typeof FALLBACKS)[number];

/** `FloorOptions` with defaults filled in. */
export type Floors = Required<Omit<FloorOptions, 'page'>> & Pick<FloorOptions, 'page'>;

/** Default thresholds. */
export const FLOOR_DEFAULTS: Readonly<Floors> = {
  minSitePages: 4,
  minTextBytes: 24,
  minTextShare: 0.05,
  fallback: 'page',
};

/** The ranges of a page after fallbacks. */
export interface FlooredLabels {
  ranges: Range[];
  /** Why the detector's verdict was replaced. */
  problem?: Problem;
  /** What replaced it. */
  usedFallback?: Fallback;
  /** Other problems that the detector reported. */
  notes?: Problem[];
}

/** Labels a page and replaces the verdict when it cannot be trusted. */
export function labelWithFloors<Model extends SiteModel>(
  detector: Detector<Model>,
  parsed: ParsedPage,
  model: Model,
  options: FloorOptions = {},
  context: Omit<LabelContext, 'report'> = {},
): FlooredLabels {
  const notes: Problem[] = [];
  const report: LabelContext['report'] = (code, message) =>
    notes.push({ code, message, ...pageLocation(parsed.page, model.site) });
  const ranges = detector.label(parsed, model, { ...context, report });
  const floored = applyFloors(parsed, model, ranges, options);
  return notes.length === 0 ? floored : { ...floored, notes };
}

/** Replaces a verdict that cannot be trusted, for ranges that exist already. */
export function applyFloors(
  parsed: ParsedPage,
  model: Pick<SiteModel, 'detector' | 'site' | 'pagesLearnt'>,
  ranges: Range[],
  options: FloorOptions = {},
): FlooredLabels {
  const checked = checkFloors(options);
  const { detector, site, pagesLearnt } = model;
  const { minSitePages } = checked;
  if (detector === 'joint' || detector === 'none') return { ranges };
  if (pagesLearnt < minSitePages && detector !== 'page') {
    const message = `${detector} knows only ${pagesLearnt} of the at least ${minSitePages} pages it needs of ${site}`;
    return replaceVerdict(parsed, model, ranges, checked, {
      code: 'too-few-pages',
      message,
      why: 'the site has too few pages',
    });
  }
  const left = textLeft(parsed, ranges, checked);
  if (left.isEnough) return { ranges };
  const message = `${detector} would leave ${left.bytes} of ${left.ofBytes} bytes of text`;
  return replaceVerdict(parsed, model, ranges, checked, {
    code: 'nothing-left',
    message,
    why: 'nothing else would be left',
  });
}

const checkedFloors = new WeakSet<object>();

/**
 * Returns the options with defaults filled in; throws a RangeError that names an invalid one. Checked options
 * are returned as they are.
 */
export function checkFloors(options: FloorOptions): Floors {
  if (checkedFloors.has(options)) return options as Floors;
  checkNames(options, [...Object.keys(FLOOR_DEFAULTS), 'page'], 'floors');
  const checked = { ...FLOOR_DEFAULTS, ...withoutUndefined(options) };
  const { minSitePages, minTextBytes, minTextShare, fallback } = checked;
  checkNumber('minSitePages', minSitePages, { min: 0, max: 1_000_000, whole: true });
  checkNumber('minTextBytes', minTextBytes, { min: 0, max: 1_000_000, whole: true });
  checkNumber('minTextShare', minTextShare, { min: 0, max: 1 });
  checkChoice('fallback', fallback, FALLBACKS);
  if (checked.page !== undefined) checkNames(checked.page, ['model', ...PAGE_OPTION_NAMES], 'floors.page');
  checkedFloors.add(checked);
  return checked;
}

/** Measures how much text of a page a verdict keeps, and whether that is enough. */
function textLeft(
  { tree }: ParsedPage,
  ranges: Range[],
  { minTextBytes, minTextShare }: Floors,
): { isEnough: boolean; bytes: number; ofBytes: number } {
  if (!ranges.some(({ label }) => label === 'template')) return { isEnough: true, bytes: 0, ofBytes: 0 };
  const { template, slot, content, unsure } = textBytesByLabel(tree, ranges);
  // slots alone, such as a date, are not the content of a page
  const bytes = content + unsure;
  const ofBytes = bytes + template + slot;
  return {
    isEnough: template === 0 || bytes >= minTextBytes || bytes >= minTextShare * ofBytes,
    bytes,
    ofBytes,
  };
}

interface FallbackCause {
  code: 'too-few-pages' | 'nothing-left';
  message: string;
  why: string;
}

function replaceVerdict(
  parsed: ParsedPage,
  { detector, site }: Pick<SiteModel, 'detector' | 'site'>,
  ranges: Range[],
  floors: Floors,
  { code, message, why }: FallbackCause,
): FlooredLabels {
  const where = pageLocation(parsed.page, site);
  if (floors.fallback === 'page' && detector !== 'page') {
    const alone = judgeAlone(parsed, floors.page);
    if (textLeft(parsed, alone, floors).isEnough) {
      const problem: Problem = { code, message: `${message}: the page-level verdict was used`, ...where };
      return { ranges: alone, problem, usedFallback: 'page' };
    }
  }
  const problem: Problem = { code, message: `${message}: templates are labelled unsure`, ...where };
  return { ranges: asUnsure(ranges, why), problem, usedFallback: 'unsure' };
}

function pageLocation({ file, offset, entry, url, time }: ParsedPage['page'], site: string) {
  return { file, offset, ...(entry === undefined ? {} : { entry }), url, time, site };
}

function asUnsure(ranges: readonly Range[], why: string): Range[] {
  return ranges.map((range) => {
    if (!isInTemplate(range.label)) return range;
    const { start, end, score, template, reason } = range;
    return makeRange(start, end, 'unsure', Math.min(score, 0.5), template, `${reason}, but ${why}`);
  });
}
