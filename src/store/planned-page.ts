/** Pages of a plan in the form in which tasks receive and files store them. */
import type { Capture } from '../model/page.ts';
import type { Database } from './database.ts';
import { i64, type RowOf, text, u32, word } from './table.ts';

/**
 * A page to read. Its record is at `at` of the input; `as` is the capture of a revisit, whose body is in another
 * record.
 */
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

/** Columns of the file with the location of every page's record, for exports after the plan is discarded. */
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

/** Yields the pages that a query selects from the file of `Plan.keepPlaces`. */
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
