/**
 * A finished output folder, asked in the terms of the domain: what report.html and the terminal summary
 * show. Every answer has a bound, so that an archive of a million pages makes the same small report.
 */
import type { Problem } from '../model/problem.ts';
import type { Label } from '../model/range.ts';
import { Database, quote } from './database.ts';
import { type RunFile, readRunFile } from './run-file.ts';
import { makeViews } from './sql.ts';

export interface SiteSummary {
  site: string;
  /** Labelled pages (captures), and the distinct URLs among them. */
  pages: number;
  urls: number;
  snapshots: number;
  /** ISO times of the earliest and latest page; empty when unknown. */
  firstTime: string;
  lastTime: string;
  htmlBytes: number;
  textBytes: number;
  links: number;
  /** By detector: what lies inside templates. */
  inside: Record<string, { htmlBytes: number; textBytes: number; links: number }>;
  exactPages: number;
  /** Pages that kept their text because a floor held, by the first detector. */
  unsurePages: number;
  /** Pages with a problem. */
  problems: number;
}

/** One page with what lies where on it: only `template` and `unsure` ranges, in order. */
export interface PageBar {
  page: number;
  url: string;
  time: string;
  title: string;
  sizeBytes: number;
  ranges: { start: number; end: number; label: Label; template: string }[];
}

export interface TemplateSummary {
  id: string;
  pages: number;
  occurrences: number;
  sizeBytes: number;
  totalBytes: number;
  firstSeen: string;
  lastSeen: string;
  text: string;
}

export class OutputFolder {
  readonly path: string;
  readonly run: RunFile;
  readonly #database: Database;
  readonly #isEmpty: boolean;

  private constructor(path: string, run: RunFile, database: Database) {
    this.path = path;
    this.run = run;
    this.#database = database;
    this.#isEmpty = run.counts.pages === 0;
  }

  /** Opens a folder; `run` stands in for `run.json` while that is not yet written. */
  static async open(
    path: string,
    { run = readRunFile(path) }: { run?: RunFile } = {},
  ): Promise<OutputFolder> {
    const database = await Database.open({ memoryMb: 512, threads: 2 });
    await makeViews(database, path);
    return new OutputFolder(path, run, database);
  }

  get detectors(): string[] {
    return this.run.options.detectors;
  }

  /** The sites with the most pages, then by name. */
  async sites({ limit = 5000 } = {}): Promise<SiteSummary[]> {
    if (this.#isEmpty) return [];
    const { detectors } = this;
    const sums = detectors.map(
      (name) => `sum(${name}_html_bytes) AS ${name}_html, sum(${name}_text_bytes) AS ${name}_text,
        sum(${name}_links) AS ${name}_links`,
    );
    const rows = await this.#database.rows<Record<string, number> & { site: string }>(
      `SELECT site, count(*) AS pages, count(DISTINCT url) AS urls, count(DISTINCT snapshot) AS snapshots,
         coalesce(min(nullif(time, '')), '') AS "firstTime", max(time) AS "lastTime",
         sum(html_bytes) AS "htmlBytes", sum(text_bytes) AS "textBytes", sum(links) AS links,
         count(*) FILTER (exact) AS "exactPages", count(*) FILTER (${detectors[0]}_unsure) AS "unsurePages",
         count(*) FILTER (problems <> '') AS problems, ${sums.join(', ')}
       FROM pages GROUP BY site ORDER BY pages DESC, site LIMIT ${limit}`,
    );
    return rows.map((row) => {
      const inside: SiteSummary['inside'] = {};
      for (const name of detectors) {
        inside[name] = {
          htmlBytes: row[`${name}_html`],
          textBytes: row[`${name}_text`],
          links: row[`${name}_links`],
        };
        for (const part of ['html', 'text', 'links'])
          delete (row as Record<string, unknown>)[`${name}_${part}`];
      }
      return { ...(row as unknown as SiteSummary), inside };
    });
  }

  /** Pages of a site with their ranges, longest first: all of them, or a sample that does not depend on order. */
  async bars(site: string, detector: string, { limit = 1500 } = {}): Promise<PageBar[]> {
    if (this.#isEmpty) return [];
    const chosen = `SELECT page, url, time, title, html_bytes FROM pages WHERE site = ${quote(site)}
      ORDER BY md5(url || ' ' || time), page LIMIT ${limit}`;
    const bars = new Map<number, PageBar>();
    const pages = await this.#database.rows<Omit<PageBar, 'ranges'>>(
      `SELECT page, url, time, title, html_bytes AS "sizeBytes" FROM (${chosen}) ORDER BY html_bytes DESC, page`,
    );
    for (const page of pages) bars.set(page.page, { ...page, ranges: [] });
    const { from, to } = bounds(bars.keys());
    // a row a page: a row a range would cost more to hand over than to find
    const ranges = this.#database.batches<{ page: number; ranges: string }>(
      `SELECT page, string_agg("start" || ' ' || "end" || ' ' || label || ' ' || template, ',' ORDER BY "start") AS ranges
       FROM ranges WHERE page BETWEEN ${from} AND ${to} AND detector = ${quote(detector)} AND label <> 'content'
         AND page IN (SELECT page FROM (${chosen})) GROUP BY page`,
    );
    for await (const batch of ranges) {
      for (const { page, ranges } of batch) bars.get(page)!.ranges = ranges.split(',').map(readRange);
    }
    return [...bars.values()];
  }

  /** Templates of a site, most pages first. */
  async templates(site: string, detector: string, { limit = 400 } = {}): Promise<TemplateSummary[]> {
    if (this.#isEmpty) return [];
    const where = `site = ${quote(site)} AND detector = ${quote(detector)}`;
    return this.#database.rows<TemplateSummary>(
      `SELECT template AS id, pages, occurrences, size_bytes AS "sizeBytes", total_bytes AS "totalBytes",
         first_seen AS "firstSeen", last_seen AS "lastSeen", text
       FROM templates WHERE ${where} ORDER BY pages DESC, total_bytes DESC, template LIMIT ${limit}`,
    );
  }

  async countTemplates(site: string, detector: string): Promise<number> {
    if (this.#isEmpty) return 0;
    const [{ n }] = await this.#database.rows<{ n: number }>(
      `SELECT count(*) AS n FROM templates WHERE site = ${quote(site)} AND detector = ${quote(detector)}`,
    );
    return n;
  }

  /** The first problems, in the order of `problems.jsonl`. */
  async problems({ limit = 500 } = {}): Promise<Problem[]> {
    const rows = await this.#database.rows<Record<string, unknown>>(`SELECT * FROM problems LIMIT ${limit}`);
    return rows.map((row) => {
      const told = Object.entries(row).filter(([, value]) => value !== null);
      return Object.fromEntries(told) as unknown as Problem;
    });
  }

  close(): void {
    this.#database.close();
  }
}

/** Opens a finished output folder. */
export function openFolder(path: string, options: { run?: RunFile } = {}): Promise<OutputFolder> {
  return OutputFolder.open(path, options);
}

function readRange(row: string): PageBar['ranges'][number] {
  const [start, end, label, template] = row.split(' ');
  return { start: Number(start), end: Number(end), label: label as Label, template };
}

function bounds(pages: Iterable<number>): { from: number; to: number } {
  let from = Number.MAX_SAFE_INTEGER;
  let to = 0;
  for (const page of pages) {
    from = Math.min(from, page);
    to = Math.max(to, page);
  }
  return { from: Math.min(from, to), to };
}
