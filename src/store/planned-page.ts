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

/** Columns of the plan's file that tell where a page lies. */
const PLACE_COLUMNS = [
  'page',
  'group_id',
  'site',
  'at_input',
  'at_file',
  'at_entry',
  'at_offset',
  'at_length',
  'url',
  'time',
  'revisit',
] as const satisfies (keyof PlaceRow)[];
/** Those that a revisit has besides, being another capture than the one at that place. */
const REVISIT_COLUMNS = [
  'page',
  'file',
  'entry',
  'offset',
  'length',
  'status',
  'mime',
  'record_id',
  'payload_digest',
] as const satisfies ('page' | keyof RevisitRow)[];

interface PlaceRow {
  page: number;
  group_id: number;
  site: string;
  at_input: number;
  at_file: string;
  at_entry: string;
  at_offset: number;
  at_length: number;
  url: string;
  time: string;
  revisit: boolean;
}

interface RevisitRow {
  file: string;
  entry: string;
  offset: number;
  length: number;
  status: number;
  mime: string;
  record_id: string;
  payload_digest: string;
}

/** Pages from rows that a query gives of what `keepPlaces` has kept. */
export async function* readPlannedPages(database: Database, query: string): AsyncGenerator<PlannedPage> {
  for await (const batch of database.batches<PlaceRow & RevisitRow>(query)) {
    yield* batch.map((row) => plannedPage(row, row));
  }
}

/**
 * Pages of the plan in order; `condition` chooses them. Most columns are for revisits alone, and text costs more to
 * hand over than to find, so that they are asked for when there are any.
 */
export async function choosePages(database: Database, condition = 'true'): Promise<PlannedPage[]> {
  const rows = await readRows<PlaceRow>(database, PLACE_COLUMNS, condition);
  const revisits = new Map<number, RevisitRow>();
  if (rows.some(({ revisit }) => revisit)) {
    type Row = { page: number } & RevisitRow;
    for (const row of await readRows<Row>(database, REVISIT_COLUMNS, `revisit AND (${condition})`)) {
      revisits.set(row.page, row);
    }
  }
  rows.sort((a, b) => a.page - b.page);
  return rows.map((row) => plannedPage(row, revisits.get(row.page)));
}

/** Rows of the plan in any order. */
async function readRows<T extends object>(
  database: Database,
  columns: readonly (keyof T & string)[],
  condition: string,
): Promise<T[]> {
  return (await readValues<T[keyof T][]>(database, columns, condition)).map((values) => {
    const row = {} as T;
    for (let k = 0; k < columns.length; k++) row[columns[k]] = values[k] as T[keyof T & string];
    return row;
  });
}

/**
 * Values of some columns of the plan, a list for each row, in any order. They come as one text of JSON: value by
 * value it takes four times as long.
 */
export async function readValues<T extends unknown[]>(
  database: Database,
  columns: readonly string[],
  condition: string,
): Promise<T[]> {
  const [{ json }] = await database.rows<{ json: string | null }>(
    `SELECT string_agg(json_array(${columns.map((name) => `"${name}"`).join(', ')})::VARCHAR, ',') AS json
     FROM plan WHERE ${condition}`,
  );
  return json === null ? [] : (JSON.parse(`[${json}]`) as T[]);
}

function plannedPage(row: PlaceRow, revisit: RevisitRow | undefined): PlannedPage {
  return {
    page: row.page,
    group: row.group_id,
    site: row.site,
    input: row.at_input,
    at: { ...place(row.at_file, row.at_entry), offset: row.at_offset, length: row.at_length },
    url: row.url,
    time: row.time,
    ...(row.revisit && revisit ? { as: revisitCapture(row, revisit) } : {}),
  };
}

function revisitCapture({ url, time }: PlaceRow, row: RevisitRow): Capture {
  return {
    ...place(row.file, row.entry),
    offset: row.offset,
    length: row.length,
    url,
    time,
    status: row.status,
    mime: row.mime,
    recordId: row.record_id,
    payloadDigest: row.payload_digest,
  };
}

function place(file: string, entry: string): { file: string; entry?: string } {
  return entry === '' ? { file } : { file, entry };
}
