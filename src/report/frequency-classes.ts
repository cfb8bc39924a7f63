/**
 * Classes of how often a template occurs, and their colours: rare red to frequent purple, as in Gibson,
 * Punera and Tomkins, section 5. The paper steps by tens from 10; on a site of two hundred pages that
 * leaves two classes of six, so smaller sites step more finely and what is on all pages has the last colour
 * on a site of any size. Pages are distinct URLs here, as in the table of templates.
 *
 * The colours keep the rainbow's order but differ in lightness too: dark, middle, light, middle, dark. A
 * test holds them apart for the three kinds of colour blindness.
 */

/** Lower bounds of all classes but the first, by the largest number of pages they are made for. */
const SCALES: [mostPages: number, bounds: readonly number[]][] = [
  [12, [2, 3, 4, 5, 6]],
  [30, [2, 4, 6, 9, 12]],
  [80, [3, 6, 12, 20, 30]],
  [199, [5, 10, 20, 40, 80]],
  [499, [10, 20, 50, 100, 200]],
  [1000, [10, 25, 75, 200, 500]],
  [9999, [10, 30, 100, 300, 1000]],
  [99_999, [10, 100, 500, 2000, 10_000]],
  [Number.POSITIVE_INFINITY, [10, 100, 1000, 10_000, 100_000]],
];

export interface Palette {
  classes: readonly string[];
  content: string;
}

export const LIGHT_PALETTE: Palette = {
  classes: ['#b8001f', '#f5893b', '#fbe45c', '#5dbe7a', '#2c74c4', '#5b2a86'],
  content: '#d3d5d9',
};

export const DARK_PALETTE: Palette = {
  classes: ['#ce1b36', '#f7923f', '#fce86b', '#62c781', '#569cec', '#7a3bb3'],
  content: '#3a3d44',
};

/** The bounds for a site of so many pages. */
export function classBounds(pages: number): readonly number[] {
  // fewer pages than classes: the last ones, and the others stay empty
  if (pages < 6) return [4, 3, 2, 1, 0].map((below) => Math.max(1, pages - below));
  return (SCALES.find(([mostPages]) => pages <= mostPages) ?? SCALES[SCALES.length - 1])[1];
}

/** The class, from 0, of a template on so many pages. */
export function classOf(pages: number, bounds: readonly number[]): number {
  let at = 0;
  while (at < bounds.length && pages >= bounds[at]) at++;
  return at;
}

/** `under 10`, `10–99`, …, `1,000 and more`; a class that nothing can be in has no name. */
export function classNames(bounds: readonly number[]): string[] {
  const format = (count: number): string => count.toLocaleString('en');
  return [
    bounds[0] > 1 ? `under ${format(bounds[0])}` : '',
    ...bounds.slice(0, -1).map((bound, at) => {
      const last = bounds[at + 1] - 1;
      if (last <= bound) return last === bound ? format(bound) : '';
      return `${format(bound)}–${format(last)}`;
    }),
    `${format(bounds[bounds.length - 1])} and more`,
  ];
}
