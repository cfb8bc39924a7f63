/**
 * Shades by the share of a site's pages that have a template: one hue, darker from few pages to many on a light
 * page and brighter on a dark page. Content has the colour of the page. A test checks that neighbours differ for
 * the three kinds of colour blindness.
 */

/** Lower bounds of all classes but the first, as shares of the pages. */
const SHARES = [0.1, 0.25, 0.5, 0.75, 0.95] as const;

/** Names of the classes in a legend. */
export const CLASS_NAMES = ['under 10 %', '10–25 %', '25–50 %', '50–75 %', '75–95 %', '95 % and more'].map(
  (name) => name.replaceAll(' %', '\u00a0%'),
);

/** Colours of one theme, as `#rrggbb`. */
export interface Palette {
  classes: readonly string[];
  content: string;
  /** Text colours on the first and on the last classes. */
  onFew: string;
  onMany: string;
}

/** Palette of a light page. */
export const LIGHT_PALETTE: Palette = {
  classes: ['#d2e2f3', '#a9c9e8', '#78a9d8', '#3d78b6', '#1d568f', '#0a2f5c'],
  content: '#ffffff',
  onFew: '#10243a',
  onMany: '#ffffff',
};

/** Palette of a dark page. */
export const DARK_PALETTE: Palette = {
  classes: ['#1d3450', '#274d7a', '#3a6da6', '#6799d0', '#9bc2ec', '#d9ebff'],
  content: '#101215',
  onFew: '#ffffff',
  onMany: '#0a1a2c',
};

/** Returns the number of pages at which each class but the first begins, on a site of `pages` pages. */
export function classBounds(pages: number): readonly number[] {
  return SHARES.map((share) => Math.max(1, Math.round(1000 * share * pages) / 1000));
}

/** Returns the class, from 0, of a template on `pages` pages. */
export function classOf(pages: number, bounds: readonly number[]): number {
  let at = 0;
  while (at < bounds.length && pages >= bounds[at]) at++;
  return at;
}
