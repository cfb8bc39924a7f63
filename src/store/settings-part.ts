/** Settings of the text detector as they were tried on sites: the part of a task, and the table `settings` of all. */
import { ColumnBuffer, copyToParquet, type Schema } from './column-buffer.ts';
import { type Database, quoteFiles } from './database.ts';

export const SETTINGS_FILE = 'settings.parquet';

const SETTINGS_SCHEMA = {
  site: 'VARCHAR',
  snapshot: 'VARCHAR',
  /** Place among those that were asked for. */
  place: 'UINTEGER',
  settings: 'VARCHAR',
  pages: 'UINTEGER',
  windows: 'BIGINT',
  text_share: 'FLOAT',
} as const satisfies Schema;

export interface SettingsRow {
  site: string;
  snapshot: string;
  place: number;
  settings: string;
  pages: number;
  windows: number;
  textShare: number;
}

export function writeSettingsPart(rows: readonly SettingsRow[], file: string): void {
  const buffer = new ColumnBuffer(SETTINGS_SCHEMA);
  for (const { site, snapshot, place, settings, pages, windows, textShare } of rows) {
    buffer.add(site, snapshot, place, settings, pages, windows, textShare);
  }
  buffer.toParquet(file);
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
