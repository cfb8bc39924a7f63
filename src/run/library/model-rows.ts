/** Rows of pages labelled by models learnt before: one page in, its row out. */
import type { Page } from '../../model/page.ts';
import { readTitle } from '../../parse/title.ts';
import { newTemplateRows, pageRow, type StreamRow } from '../sinks/page-row.ts';
import type { WantedRows } from '../sinks/row-formats.ts';
import { type LabelOptions, label } from './label-pages.ts';
import type { SiteModels } from './site-models.ts';

export interface ModelRowsOptions extends LabelOptions, WantedRows {
  /** Most pages to label; no more are read then. @default all */
  limit?: number;
}

export async function* labelRows(
  pages: AsyncIterable<Page>,
  models: SiteModels,
  { want, mark, dropSlots, limit, ...options }: ModelRowsOptions,
): AsyncGenerator<StreamRow> {
  const seen = new Set<string>();
  let number = 0;
  for await (const { page, tree, ranges, explanation } of label(pages, models, options)) {
    const detector = models.find(page.site, page.time)?.detector ?? 'none';
    const labelled = {
      page,
      tree,
      title: readTitle(tree),
      number: ++number,
      snapshot: '',
      verdicts: [{ detector, ranges, explanation }],
    };
    if (want.includes('templates')) yield* newTemplateRows(labelled, seen);
    yield pageRow(labelled, { want, mark, dropSlots });
    if (number === limit) return;
  }
}
