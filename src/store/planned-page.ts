/** The pages of a plan, and the rows of its file that they are read from. */
import type { Capture } from '../model/page.ts';
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

/** A row of the plan's file. */
export interface PlanRow {
  page: number;
  group_id: number;
  site: string;
  at_input: number;
  at_file: string;
  at_entry: string;
  at_offset: number;
  at_length: number;
  file: string;
  entry: string;
  offset: number;
  length: number;
  url: string;
  time: string;
  status: number;
  mime: string;
  record_id: string;
  payload_digest: string;
  revisit: boolean;
}

/** Pages from rows that a query gives of what `keepPlaces` has kept. */
export async function* readPlannedPages(database: Database, query: string): AsyncGenerator<PlannedPage> {
  for await (const batch of database.batches<PlanRow>(query)) yield* batch.map(plannedPage);
}

export function plannedPage(row: PlanRow): PlannedPage {
  return {
    page: row.page,
    group: row.group_id,
    site: row.site,
    input: row.at_input,
    at: { ...place(row.at_file, row.at_entry), offset: row.at_offset, length: row.at_length },
    url: row.url,
    time: row.time,
    ...(row.revisit ? { as: revisitCapture(row) } : {}),
  };
}

function revisitCapture(row: PlanRow): Capture {
  return {
    ...place(row.file, row.entry),
    offset: row.offset,
    length: row.length,
    url: row.url,
    time: row.time,
    status: row.status,
    mime: row.mime,
    recordId: row.record_id,
    payloadDigest: row.payload_digest,
  };
}

function place(file: string, entry: string): { file: string; entry?: string } {
  return entry === '' ? { file } : { file, entry };
}
