/**
 * Reads the ranges of some pages of the template map. The first tiles of a site are read by queries; meanwhile all
 * its ranges are loaded into memory, 18 bytes each, and later tiles take a millisecond. The ranges of very large
 * sites stay on disk.
 */
import { ROLES } from '../../model/role.ts';
import { quote } from '../database.ts';
import type { ExploreStore } from './explore-store.ts';
import { LARGEST_FIRST, MAX_TEMPLATES } from './map-rows.ts';

/** Ranges of some pages as columns. */
export interface TileColumns {
  /** The ranges of bar k are at `[offsets[k], offsets[k + 1])` of the other columns. */
  offsets: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
  /** Index of the template in the map's list; -1 when it is not listed. */
  templates: Int32Array;
  labels: Uint8Array;
  roles: Uint8Array;
}

/** Site and detector of a tile. */
export interface TileKey {
  site: string;
  detector: string;
}

/** Returns the ranges of some pages by one detector, in the order of `pages`; content only when it has a role. */
export async function readTile(store: ExploreStore, key: TileKey, pages: Uint32Array): Promise<TileColumns> {
  if (pages.length === 0) return cutTile(pages, NO_ROWS);
  // use the ranges in memory only if they are loaded already
  const held = await Promise.race([holdRanges(store, key), undefined]);
  return cutTile(pages, held ?? (await readRows(store, key, `page IN (${pages.join(', ')})`)));
}

/** Ranges ordered by page and start. */
interface RangeRows {
  page: Uint32Array;
  start: Uint32Array;
  end: Uint32Array;
  template: Int32Array;
  label: Uint8Array;
  role: Uint8Array;
}

const NO_ROWS: RangeRows = {
  page: new Uint32Array(),
  start: new Uint32Array(),
  end: new Uint32Array(),
  template: new Int32Array(),
  label: new Uint8Array(),
  role: new Uint8Array(),
};

/** Maximum number of ranges of a site in memory: 360 MB. */
const MAX_HELD = 20_000_000;
/** Sites and detectors with ranges in memory, the most recently used. */
const MAX_HOLDERS = 2;

const holders = new WeakMap<ExploreStore, Map<string, Promise<RangeRows | undefined>>>();

function holdRanges(store: ExploreStore, key: TileKey): Promise<RangeRows | undefined> {
  const kept = holders.get(store) ?? new Map<string, Promise<RangeRows | undefined>>();
  holders.set(store, kept);
  const name = `${key.detector} ${key.site}`;
  const rows = kept.get(name) ?? store.soon(() => readAll(store, key)).catch(() => undefined);
  kept.delete(name);
  kept.set(name, rows);
  if (kept.size > MAX_HOLDERS) kept.delete(kept.keys().next().value!);
  return rows;
}

async function readAll(store: ExploreStore, key: TileKey): Promise<RangeRows | undefined> {
  const ofSite = `page IN (SELECT page FROM pages WHERE site = ${quote(key.site)})`;
  const [{ n }] = await store.rows<{ n: number }>(
    `SELECT count(*) AS n FROM ranges WHERE ${condition(key, ofSite)}`,
  );
  return n > MAX_HELD ? undefined : readRows(store, key, ofSite);
}

function condition({ detector }: TileKey, pages: string): string {
  return `detector = ${quote(detector)} AND (label <> 'content' OR role <> '') AND ${pages}`;
}

const quotedRoles = `[${ROLES.map(quote).join(', ')}]`;

async function readRows(store: ExploreStore, key: TileKey, pages: string): Promise<RangeRows> {
  const [page, start, end, template, label, role] = await store.columns(
    `WITH listed AS (
       SELECT template, (row_number() OVER (${LARGEST_FIRST}) - 1)::INTEGER AS place FROM templates
       WHERE site = ${quote(key.site)} AND detector = ${quote(key.detector)})
     SELECT page, "start", "end", (CASE WHEN place < ${MAX_TEMPLATES} THEN place ELSE -1 END)::INTEGER AS template,
       (list_position(['template', 'slot', 'unsure', 'content'], label) - 1)::UTINYINT AS label,
       coalesce(list_position(${quotedRoles}, role), 0)::UTINYINT AS role
     FROM (SELECT page, "start", "end", label, role, template FROM ranges WHERE ${condition(key, pages)})
       LEFT JOIN listed USING (template)
     ORDER BY page, "start"`,
  );
  if (!page) return NO_ROWS;
  return { page, start, end, template, label, role } as RangeRows;
}

function cutTile(pages: Uint32Array, rows: RangeRows): TileColumns {
  const firsts = new Uint32Array(pages.length);
  const offsets = new Uint32Array(pages.length + 1);
  for (let bar = 0; bar < pages.length; bar++) {
    firsts[bar] = firstRow(rows.page, pages[bar]);
    offsets[bar + 1] = offsets[bar] + firstRow(rows.page, pages[bar] + 1) - firsts[bar];
  }
  const count = offsets[pages.length];
  const tile: TileColumns = {
    offsets,
    starts: new Uint32Array(count),
    ends: new Uint32Array(count),
    templates: new Int32Array(count),
    labels: new Uint8Array(count),
    roles: new Uint8Array(count),
  };
  for (let bar = 0; bar < pages.length; bar++) {
    const [from, to] = [firsts[bar], firsts[bar] + offsets[bar + 1] - offsets[bar]];
    tile.starts.set(rows.start.subarray(from, to), offsets[bar]);
    tile.ends.set(rows.end.subarray(from, to), offsets[bar]);
    tile.templates.set(rows.template.subarray(from, to), offsets[bar]);
    tile.labels.set(rows.label.subarray(from, to), offsets[bar]);
    tile.roles.set(rows.role.subarray(from, to), offsets[bar]);
  }
  return tile;
}

/** Returns the first row of a page, or of a later one, in a sorted column. */
function firstRow(column: Uint32Array, page: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle] < page) low = middle + 1;
    else high = middle;
  }
  return low;
}
