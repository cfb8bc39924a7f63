/** The two ways to analyse shared fragments, over the same pages and with results that can be compared. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FragmentDigest } from '../src/fragments/digest.ts';
import type { Composites } from '../src/fragments/shared-page.ts';
import type { Page } from '../src/model/page.ts';
import { Parser } from '../src/parse/parser.ts';
import { type Database, quote } from '../src/store/database.ts';
import { analyseFragments } from '../src/store/fragments/fragment-analysis.ts';
import { FragmentPart } from '../src/store/fragments/fragment-part.ts';
import { analysePages } from './analyse-pages.ts';

export interface Settings {
  minBytes: number;
  minShared?: number;
  composites?: Composites;
  /** Pages of a part. @default 2 */
  partPages?: number;
}

/** Classes with their members and sums, a line each and sorted, by way of the database. */
export async function analyseInDatabase(
  database: Database,
  pages: Page[],
  folder: string,
  settings: Settings,
): Promise<string[]> {
  await writeTables(database, pages, folder, settings);
  const rows = await database.rows<Record<string, never>>(
    `SELECT class, c.relation, kind, parts, pages, members, sites, avg_bytes, avg_complete_bytes, structural_bytes, saved_bytes, c.page, c.url,
       string_agg(concat(m.page, ': ', concat_ws(' ', node, sibling, parent, "start", "end", complete_bytes, start_line,
         start_column, end_line, end_column)), ', ' ORDER BY m.page, node) AS list
     FROM read_parquet(${quote(join(folder, 'classes.parquet'))}) c
     JOIN read_parquet(${quote(join(folder, 'members.parquet'))}) m USING (relation, class)
     GROUP BY ALL`,
  );
  return rows.map((row) => Object.values(row).slice(1).join(' | ')).sort();
}

/** Writes the parts of pages and the tables of their analysis. */
export async function writeTables(
  into: Database,
  pages: Page[],
  folder: string,
  { minBytes, minShared, composites, partPages }: Settings,
): Promise<void> {
  const parts = writeParts(pages, folder, { minBytes, partPages });
  const analysis = await analyseFragments(into, { folders: parts, minBytes, minShared, composites });
  await analysis.write(folder);
  await analysis.drop();
}

/** Writes the digests of pages; the folders of the parts. */
export function writeParts(pages: Page[], folder: string, { minBytes, partPages = 2 }: Settings): string[] {
  mkdirSync(folder, { recursive: true });
  const parser = new Parser();
  const digest = new FragmentDigest({ minBytes });
  const parts: string[] = [];
  for (let from = 0; from < pages.length; from += partPages) {
    const draft = join(folder, `part-${from}`);
    mkdirSync(draft, { recursive: true });
    const part = new FragmentPart({ draft });
    for (let number = from; number < Math.min(pages.length, from + partPages); number++) {
      const page = pages[number];
      digest.read(parser.parse(page.source));
      const row = { ...page, page: number, entry: '', htmlBytes: page.source.length };
      part.addPage(row, digest);
    }
    part.close();
    parts.push(draft);
  }
  return parts;
}

/** The same lines by way of the definitions. */
export async function analyseInMemory(pages: Page[], settings: Settings): Promise<string[]> {
  const { classes, readPages } = analysePages(pages, settings);
  const lists = new Map<string, string[]>(classes.map(({ id }) => [id, []]));
  for await (const { number, members } of readPages()) {
    for (const { relation: _, classId, ...member } of members) {
      lists.get(classId)?.push(`${number}: ${Object.values(member).join(' ')}`);
    }
  }
  return classes
    .map((found) =>
      [
        found.relation,
        found.kind,
        found.parts,
        found.pages,
        found.members,
        found.sites,
        found.avgBytes,
        found.avgCompleteBytes,
        found.structuralBytes,
        found.savedBytes,
        found.page,
        found.url,
        lists.get(found.id)?.join(', '),
      ].join(' | '),
    )
    .sort();
}

/** Pages of these sources, numbered from 0, two a site. */
export function pagesOf(sources: string[]): Page[] {
  return sources.map((html, k) => ({
    url: `http://site${Math.floor(k / 2)}.example/${k}`,
    time: '2005-04-01T00:00:00Z',
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    file: 'pages.warc',
    offset: k,
    length: 1,
    site: `site${Math.floor(k / 2)}.example`,
    charset: 'UTF-8',
    source: new TextEncoder().encode(html),
  }));
}
