/** The pages of a plan as tasks get them. */
import type { Capture } from '../model/page.ts';
import type { Database } from './database.ts';
import { i64, type RowOf, text, u32, word } from './table.ts';

/** A page to read: the bytes lie at `at` of the input; `as` is set for a revisit, whose body lies elsewhere. */
export interface PlannedPage {
  page: number;
  group: number;
  site: string;
  /** Ordinal of the input that holds the body. */
  input: number;
  at: { file: string; entry?: string; offset: number; length: number };
  url: string;
  time: string;
  as?: Capture;
}

/** Where the bytes of a page lie: a file that exports read when the plan is gone. */
export const PLACE_COLUMNS = {
  page: u32(),
  group_id: u32(),
  site: word(),
  input: u32(),
  file: word(),
  entry: word(),
  offset: i64(),
  length: i64(),
  url: text(),
  time: text(),
  /** The capture of a revisit as JSON; empty for other pages. */
  revisit: text(),
};

type PlaceRow = { [Name in keyof typeof PLACE_COLUMNS]: Exclude<RowOf<typeof PLACE_COLUMNS>[Name], bigint> };

/** Pages from rows that a query gives of what `Plan.keepPlaces` has kept. */
export async function* readPlannedPages(database: Database, query: string): AsyncGenerator<PlannedPage> {
  for await (const batch of database.batches<PlaceRow>(query)) yield* batch.map(plannedPage);
}

function plannedPage(row: PlaceRow): PlannedPage {
  const { page, group_id: group, site, input, file, entry, offset, length, url, time, revisit } = row;
  const at = { file, offset, length };
  const planned: PlannedPage = {
    page,
    group,
    site,
    input,
    at: entry === '' ? at : { ...at, entry },
    url,
    time,
  };
  if (revisit !== '') planned.as = JSON.parse(revisit) as Capture;
  return planned;
}
