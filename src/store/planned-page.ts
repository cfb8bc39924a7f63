/** The pages of a plan as tasks get them. */
import type { Capture } from '../model/page.ts';
import type { Schema } from './column-buffer.ts';
import type { Database } from './database.ts';

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
export const PLACE_SCHEMA = {
  page: 'UINTEGER',
  group_id: 'UINTEGER',
  site: 'WORD',
  input: 'UINTEGER',
  file: 'WORD',
  entry: 'WORD',
  offset: 'BIGINT',
  length: 'BIGINT',
  url: 'VARCHAR',
  time: 'VARCHAR',
  /** The capture of a revisit as JSON; empty for other pages. */
  revisit: 'VARCHAR',
} as const satisfies Schema;

interface PlaceRow {
  page: number;
  group_id: number;
  site: string;
  input: number;
  file: string;
  entry: string;
  offset: number;
  length: number;
  url: string;
  time: string;
  revisit: string;
}

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
