/**
 * The floors under every detector: a site of a few near-identical pages, and a page that repeats on other
 * URLs, would be all template. Where a verdict cannot be trusted, its templates become `unsure`, the text is
 * kept, and a problem says so.
 *
 * Defaults. Below 4 pages, "on three pages" can mean "on all": nothing tells template from content.
 * A page of which under 24 bytes of text and under 5 % would be left has lost its content to a copy of
 * itself, a listing of it, or a text that every page carries: one short phrase is left where a page of its
 * own has a heading and a sentence. Both must hold, so that short pages are not suspected for being short.
 */
import type { Problem } from '../model/problem.ts';
import type { Range } from '../model/range.ts';
import { checkNumber } from './check-option.ts';
import type { Detector, LabelContext, ParsedPage, SiteModel } from './detector.ts';
import { textBytesByLabel } from './range-text.ts';
import { makeRange } from './ranges.ts';

export interface FloorOptions {
  /** Pages a site must have been learnt from, 0 to 1,000,000; 0 switches the floor off. @default 4 */
  minSitePages?: number;
  /** Text that must be left of a page, in bytes, from 0. @default 24 */
  minTextBytes?: number;
  /** … or as a share of its text, 0 to 1; 0 switches the floor off. @default 0.05 */
  minTextShare?: number;
}

export const FLOOR_DEFAULTS: Readonly<Required<FloorOptions>> = {
  minSitePages: 4,
  minTextBytes: 24,
  minTextShare: 0.05,
};

export interface FlooredLabels {
  ranges: Range[];
  /** Why templates were taken back. */
  problem?: Problem;
  /** What else the detector had to say. */
  notes?: Problem[];
}

/** Labels a page and takes back what cannot be trusted. */
export function labelWithFloors<Model extends SiteModel>(
  detector: Detector<Model>,
  parsed: ParsedPage,
  model: Model,
  options: FloorOptions = {},
  captures: Pick<LabelContext, 'previous' | 'next'> = {},
): FlooredLabels {
  const notes: Problem[] = [];
  const report: LabelContext['report'] = (code, message) =>
    notes.push({ code, message, ...whereabouts(parsed.page, model.site) });
  const ranges = detector.label(parsed, model, { ...captures, report });
  const floored = applyFloors(parsed, model, ranges, options);
  return notes.length === 0 ? floored : { ...floored, notes };
}

/** The same for ranges at hand. */
export function applyFloors(
  { page, tree }: ParsedPage,
  model: Pick<SiteModel, 'detector' | 'site' | 'pagesLearnt'>,
  ranges: Range[],
  options: FloorOptions = {},
): FlooredLabels {
  const { minSitePages, minTextBytes, minTextShare } = { ...FLOOR_DEFAULTS, ...options };
  checkNumber('minSitePages', minSitePages, { min: 0, max: 1_000_000, whole: true });
  checkNumber('minTextBytes', minTextBytes, { min: 0, max: 1_000_000, whole: true });
  checkNumber('minTextShare', minTextShare, { min: 0, max: 1 });
  const where = whereabouts(page, model.site);

  // the detector that never cuts has nothing to take back
  if (model.pagesLearnt < minSitePages && model.detector !== 'none') {
    const message = `${model.detector} knows only ${model.pagesLearnt} of the at least ${minSitePages} pages it needs of ${model.site}: templates are labelled unsure`;
    return {
      ranges: doubt(ranges, 'the site has too few pages'),
      problem: { code: 'too-few-pages', message, ...where },
    };
  }
  if (!ranges.some(({ label }) => label === 'template')) return { ranges };
  const { template, content, unsure } = textBytesByLabel(tree, ranges, minTextBytes);
  const left = content + unsure;
  if (template === 0 || left >= minTextBytes || left >= minTextShare * (left + template)) return { ranges };
  const message = `${model.detector} would leave ${left} of ${left + template} bytes of text: templates are labelled unsure`;
  return {
    ranges: doubt(ranges, 'nothing else would be left'),
    problem: { code: 'nothing-left', message, ...where },
  };
}

function whereabouts({ file, offset, entry, url, time }: ParsedPage['page'], site: string) {
  return { file, offset, ...(entry === undefined ? {} : { entry }), url, time, site };
}

function doubt(ranges: readonly Range[], why: string): Range[] {
  return ranges.map((range) => {
    if (range.label !== 'template') return range;
    const { start, end, score, template, reason } = range;
    return makeRange(start, end, 'unsure', Math.min(score, 0.5), template, `${reason}, but ${why}`);
  });
}
