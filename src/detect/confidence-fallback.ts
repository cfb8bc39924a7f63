/**
 * The floors under detectors that compare pages: a site of a few near-identical pages, and a page that repeats on
 * other URLs, would be all template. Where a verdict cannot be trusted, the page is judged alone, by what it
 * looks like (page/judge-alone.ts), and a problem says so. When that leaves nothing either, or the caller does
 * not want it, templates become `unsure` and the text is kept.
 *
 * `joint` has no floor: it always judges what the page looks like too, and its model knows what it means that the
 * evidence of other pages is missing. `page` needs no site and has only the floor under the text that is left.
 *
 * Defaults. Below 4 pages, "on three pages" can mean "on all": nothing tells template from content.
 * A page of which under 24 bytes of text and under 5 % would be left has lost its content to a copy of
 * itself, a listing of it, or a text that every page carries: one short phrase is left where a page of its
 * own has a heading and a sentence. Both must hold, so that short pages are not suspected for being short.
 */

import { checkChoice, checkNumber } from '../model/check-option.ts';
import type { Problem } from '../model/problem.ts';
import { isInTemplate, type Range } from '../model/range.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from './detector.ts';
import { judgeAlone } from './page/judge-alone.ts';
import type { PageDetectorOptions } from './page/page-detector.ts';
import { makeRange, textBytesByLabel } from './ranges.ts';

export interface FloorOptions {
  /** Pages a site must have been learnt from, 0 to 1,000,000; 0 switches the floor off. @default 4 */
  minSitePages?: number;
  /** Text that must be left of a page, in bytes, from 0. @default 24 */
  minTextBytes?: number;
  /** … or as a share of its text, 0 to 1; 0 switches the floor off. @default 0.05 */
  minTextShare?: number;
  /** What decides below the floors: the page-level verdict, or nobody, and all is kept. @default 'page' */
  fallback?: Fallback;
  /** How a page is judged alone. @default by the package's model */
  page?: PageDetectorOptions;
}

export const FALLBACKS = ['page', 'unsure'] as const;
export type Fallback = (typeof FALLBACKS)[number];

export type Floors = Required<Omit<FloorOptions, 'page'>> & Pick<FloorOptions, 'page'>;

export const FLOOR_DEFAULTS: Readonly<Floors> = {
  minSitePages: 4,
  minTextBytes: 24,
  minTextShare: 0.05,
  fallback: 'page',
};

export interface FlooredLabels {
  ranges: Range[];
  /** Why the detector's verdict does not hold. */
  problem?: Problem;
  /** Whose does instead. */
  usedFallback?: Fallback;
  /** What else the detector had to say. */
  notes?: Problem[];
}

/** Labels a page and takes back what cannot be trusted. */
export function labelWithFloors<Model extends SiteModel>(
  detector: Detector<Model>,
  parsed: ParsedPage,
  model: Model,
  options: FloorOptions = {},
  context: Omit<LabelContext, 'report'> = {},
): FlooredLabels {
  const notes: Problem[] = [];
  const report: LabelContext['report'] = (code, message) =>
    notes.push({ code, message, ...whereabouts(parsed.page, model.site) });
  const ranges = detector.label(parsed, model, { ...context, report });
  const floored = applyFloors(parsed, model, ranges, options);
  return notes.length === 0 ? floored : { ...floored, notes };
}

/** The same for ranges that were made before. */
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
    return fallBack(parsed, model, ranges, checked, {
      code: 'too-few-pages',
      message,
      why: 'the site has too few pages',
    });
  }
  const left = textLeft(parsed, ranges, checked);
  if (left.isEnough) return { ranges };
  const message = `${detector} would leave ${left.bytes} of ${left.ofBytes} bytes of text`;
  return fallBack(parsed, model, ranges, checked, {
    code: 'nothing-left',
    message,
    why: 'nothing else would be left',
  });
}

const checkedFloors = new WeakSet<object>();

/** The options with defaults filled in; throws a RangeError that names what is wrong. Checked ones pass as they are. */
export function checkFloors(options: FloorOptions): Floors {
  if (checkedFloors.has(options)) return options as Floors;
  const checked = { ...FLOOR_DEFAULTS, ...options };
  const { minSitePages, minTextBytes, minTextShare, fallback } = checked;
  checkNumber('minSitePages', minSitePages, { min: 0, max: 1_000_000, whole: true });
  checkNumber('minTextBytes', minTextBytes, { min: 0, max: 1_000_000, whole: true });
  checkNumber('minTextShare', minTextShare, { min: 0, max: 1 });
  checkChoice('fallback', fallback, FALLBACKS);
  checkedFloors.add(checked);
  return checked;
}

/** What a verdict leaves of the text of a page, and whether that is enough. */
function textLeft(
  { tree }: ParsedPage,
  ranges: Range[],
  { minTextBytes, minTextShare }: Floors,
): { isEnough: boolean; bytes: number; ofBytes: number } {
  if (!ranges.some(({ label }) => label === 'template')) return { isEnough: true, bytes: 0, ofBytes: 0 };
  const { template, slot, content, unsure } = textBytesByLabel(tree, ranges);
  // slots alone, a date say, are not what a page is about
  const bytes = content + unsure;
  const ofBytes = bytes + template + slot;
  return {
    isEnough: template === 0 || bytes >= minTextBytes || bytes >= minTextShare * ofBytes,
    bytes,
    ofBytes,
  };
}

interface Fall {
  code: 'too-few-pages' | 'nothing-left';
  message: string;
  why: string;
}

function fallBack(
  parsed: ParsedPage,
  { detector, site }: Pick<SiteModel, 'detector' | 'site'>,
  ranges: Range[],
  floors: Floors,
  { code, message, why }: Fall,
): FlooredLabels {
  const where = whereabouts(parsed.page, site);
  if (floors.fallback === 'page' && detector !== 'page') {
    const alone = judgeAlone(parsed, floors.page);
    if (textLeft(parsed, alone, floors).isEnough) {
      const problem: Problem = { code, message: `${message}: the page-level verdict was used`, ...where };
      return { ranges: alone, problem, usedFallback: 'page' };
    }
  }
  const problem: Problem = { code, message: `${message}: templates are labelled unsure`, ...where };
  return { ranges: doubt(ranges, why), problem, usedFallback: 'unsure' };
}

function whereabouts({ file, offset, entry, url, time }: ParsedPage['page'], site: string) {
  return { file, offset, ...(entry === undefined ? {} : { entry }), url, time, site };
}

function doubt(ranges: readonly Range[], why: string): Range[] {
  return ranges.map((range) => {
    if (!isInTemplate(range.label)) return range;
    const { start, end, score, template, reason } = range;
    return makeRange(start, end, 'unsure', Math.min(score, 0.5), template, `${reason}, but ${why}`);
  });
}
