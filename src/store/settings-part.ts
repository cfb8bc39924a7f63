/** Settings of the text detector as they were tried on sites: the part of a task, and the table `settings` of all. */
import { type Database, quoteFiles } from './database.ts';
import { type RowOf, u32 } from './table.ts';
import { copyToParquet, TableRows } from './table-rows.ts';
import { SETTINGS } from './tables.ts';

export const SETTINGS_FILE = 'settings.parquet';

/** With its place among those that were asked for. */
const PLACED_COLUMNS = { ...SETTINGS.columns, place: u32() };

export type SettingsRow = RowOf<typeof PLACED_COLUMNS>;

export function writeSettingsPart(rows: readonly SettingsRow[], file: string): void {
  const table = new TableRows(PLACED_COLUMNS);
  for (const row of rows) table.add(row);
  table.toParquet(file);
}

/** One table of all parts, by site, snapshot and the order in which the settings were given. */
export async function joinSettingsParts(
  database: Database,
  parts: readonly string[],
  file: string,
): Promise<void> {
  await copyToParquet(
    database,
    `SELECT * EXCLUDE (place) FROM read_parquet(${quoteFiles(parts)}) ORDER BY site, snapshot, place`,
    file,
  );
}
