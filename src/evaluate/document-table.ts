/** A row per page and detector, with the columns of Leśniak 2017, appendix D; words are counted, not elements. */
import { toClassFigures } from './class-counts.ts';
import type { EvalResult } from './evaluate.ts';

const HEAD = [
  'page',
  'time',
  'detector',
  'cross',
  'tp',
  'fn',
  'fp',
  'tn',
  'acc',
  'bp P',
  'con P',
  'bp R',
  'con R',
  'bp F1',
  'con F1',
];

export const DOCUMENT_NOTE =
  'tp, fn: words of the gold text that were kept, and lost; fp, tn: other words of the page that were kept, and gone; ' +
  'cross: the page, up, down, previous, next; the rest in %';

/** The head and the rows; pages without gold text have none. */
export function documentRows({ detectors }: Pick<EvalResult, 'detectors'>): string[][] {
  const rows: string[][] = [];
  for (let page = 0; page < detectors[0].pages.length; page++) {
    for (const { label, pages } of detectors) {
      const { url, time = '-', cross = '-', classes } = pages[page];
      const figures = classes && toClassFigures([classes]);
      if (!figures) continue;
      const { contentKept, contentLost, boilerplateKept, boilerplateGone } = figures.counts;
      const { accuracy, content, boilerplate } = figures;
      const shares = [
        accuracy,
        boilerplate.precision,
        content.precision,
        boilerplate.recall,
        content.recall,
        boilerplate.f1,
        content.f1,
      ];
      rows.push([
        url,
        time,
        label,
        cross,
        ...[contentKept, contentLost, boilerplateKept, boilerplateGone].map(String),
        ...shares.map((share) => (100 * share).toFixed(1)),
      ]);
    }
  }
  return [HEAD, ...rows];
}
