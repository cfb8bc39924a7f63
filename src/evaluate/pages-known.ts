/**
 * Measures the gain from more pages of a host: the same pages of large hosts, scored when a detector has learnt
 * from one page of the host, from two, and so on. On articles the curve is nearly flat, on catalogues it is steep.
 */
import type { EvalResult } from './evaluate.ts';
import type { Figures } from './summarise.ts';
import { layOut, percentOrDash } from './text-table.ts';

/** Number of pages of a host that a detector learns from, with the scored page. */
export type PagesKnown = number | 'all';

/** Figures by set and contender for one number of pages. */
export interface CurvePoint {
  pagesKnown: PagesKnown;
  contenders: { label: string; sets: Record<string, CurveFigures> }[];
}

/** Figures that a curve shows. */
type CurveFigures = Pick<Figures, 'pages' | 'words' | 'keepRate' | 'cutShare'>;

/** Returns one point of the curve; `all pages` means all sets together. */
export function curvePoint(pagesKnown: PagesKnown, { detectors }: EvalResult): CurvePoint {
  return {
    pagesKnown,
    contenders: detectors
      .filter(({ name }) => name !== 'none')
      .map(({ label, summary }) => ({
        label,
        sets: { 'all pages': toPoint(summary.all), ...mapValues(summary.bySet, toPoint) },
      })),
  };
}

/** Returns a table per figure as text: a row per set and contender, a column per number of pages. */
export function renderCurve(curve: readonly CurvePoint[]): string {
  const figures: [title: string, value: (figures: CurveFigures) => number | undefined][] = [
    ['words F1', ({ words }) => words?.f1],
    ['values kept', ({ keepRate, words }) => (words ? undefined : keepRate)],
    ['text cut', ({ cutShare, words }) => (words ? undefined : cutShare)],
  ];
  const sets = [...new Set(curve[0].contenders.flatMap((contender) => Object.keys(contender.sets)))];
  const tables = figures.map(([title, figureIn]) => {
    const rows = sets.flatMap((set) =>
      curve[0].contenders.flatMap(({ label, sets: own }, index) => {
        const values = curve.map(({ contenders }) => {
          const point = contenders[index].sets[set];
          return point && figureIn(point);
        });
        if (values.every((value) => value === undefined)) return [];
        return [[set, label, String(own[set].pages), ...values.map(percentOrDash)]];
      }),
    );
    const counts = curve.map(({ pagesKnown }) => String(pagesKnown));
    return rows.length === 0
      ? ''
      : layOut([[title, 'pages known of the host:', 'pages', ...counts], ...rows], 2);
  });
  return tables.filter((table) => table !== '').join('\n\n');
}

function toPoint({ pages, words, keepRate, cutShare }: Figures): CurveFigures {
  return { pages, words, keepRate, cutShare };
}

function mapValues<A, B>(record: Record<string, A>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
