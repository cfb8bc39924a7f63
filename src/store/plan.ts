/**
 * From the surveys of all inputs to the pages to label, in the database, so that an archive may be larger
 * than memory: revisits find the capture that holds their body, captures of a site fall into snapshots,
 * every snapshot gets its sample, every page its number.
 *
 * Nothing here depends on the order of the inputs: a sample is the smallest seeded hashes of URLs, numbers
 * follow (site, snapshot, file, offset).
 */
import type { Capture } from '../model/page.ts';
import type { SkipCode } from '../model/problem.ts';
import { Database, quoteList } from './database.ts';
import { SURVEY_SCHEMA } from './schema.ts';
import { type SnapshotRule, snapshotSql } from './snapshot-rule.ts';

/** Candidates beyond the sample, for those that turn out to be no pages when their bodies are read. */
const SPARE_SAMPLES = 16;

export interface PlanOptions {
  snapshot: SnapshotRule;
  /** Pages to learn a site snapshot from. */
  sample: number;
  /** Most pages to label; the rest is skipped as filtered. */
  limit?: number;
}

/** The pages of a site at about one time: what is learnt and labelled together. */
export interface PlannedGroup {
  group: number;
  site: string;
  snapshot: string;
  pages: number;
}

/** A page to read: the bytes lie at `at` of the input; `as` is set for a revisit, whose body lies elsewhere. */
export interface PlannedPage {
  page: number;
  group: number;
  /** Ordinal of the input that holds the body. */
  input: number;
  at: { file: string; entry?: string; offset: number; length: number };
  url: string;
  time: string;
  as?: Capture;
}

/** A revisit whose original is nowhere in the inputs. */
export interface LostRevisit {
  file: string;
  entry: string;
  offset: number;
  url: string;
  time: string;
  site: string;
}

interface PlanRow {
  page: number;
  group_id: number;
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

export class Plan {
  readonly #database: Database;
  pageCount = 0;

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Plans from the Parquet files of the surveys, given in the order of the inputs. */
  static async make(
    surveys: string[],
    options: PlanOptions & { spillFolder: string; memoryMb?: number },
  ): Promise<Plan> {
    const { spillFolder, memoryMb = 384, ...planOptions } = options;
    const plan = new Plan(await Database.open({ spillFolder, memoryMb, threads: 2 }));
    try {
      await plan.#fill(surveys, planOptions);
    } catch (error) {
      plan.close();
      throw error;
    }
    return plan;
  }

  close(): void {
    this.#database.close();
  }

  /** Captures that the surveys met. */
  async countCaptures(): Promise<number> {
    const [{ n }] = await this.#database.rows<{ n: number }>('SELECT count(*) AS n FROM captures');
    return n;
  }

  /** Captures that give no page, by code, so far as known before bodies are read. */
  async countSkips(): Promise<Partial<Record<SkipCode, number>>> {
    const rows = await this.#database.rows<{ skip: SkipCode; n: number }>(
      `SELECT skip, count(*) AS n FROM (
         SELECT skip FROM captures WHERE skip <> '' UNION ALL SELECT skip FROM lost_revisits
         UNION ALL SELECT 'filtered' AS skip FROM beyond_limit
       ) GROUP BY skip ORDER BY skip`,
    );
    return Object.fromEntries(rows.map(({ skip, n }) => [skip, n]));
  }

  /** Captures per input, in the order of the inputs. */
  async countByInput(): Promise<Map<number, number>> {
    const rows = await this.#database.rows<{ input: number; n: number }>(
      'SELECT input, count(*) AS n FROM captures GROUP BY input',
    );
    return new Map(rows.map(({ input, n }) => [input, n]));
  }

  /** Revisits whose original is nowhere in the inputs. */
  unresolvedRevisits(): AsyncGenerator<LostRevisit[]> {
    return this.#database.batches<LostRevisit>(
      `SELECT file, entry, "offset", url, time, site FROM captures JOIN lost_revisits USING (id)
       WHERE lost_revisits.skip = 'revisit-unresolved' ORDER BY id`,
    );
  }

  /** Distinct URLs of every site snapshot, in the order of their pages: what cutting into tasks needs. */
  async *groupSizes(): AsyncGenerator<{ group: number; urls: number }> {
    const sql = 'SELECT group_id AS "group", urls FROM groups ORDER BY group_id';
    for await (const batch of this.#database.batches<{ group: number; urls: number }>(sql)) yield* batch;
  }

  /** The site snapshots numbered from `first` up to, not including, `end`. */
  groups(first: number, end: number): Promise<PlannedGroup[]> {
    return this.#database.rows<PlannedGroup>(
      `SELECT group_id AS "group", site, snapshot, pages FROM groups
       WHERE group_id >= ${first} AND group_id < ${end} ORDER BY group_id`,
    );
  }

  /** Group and bytes of every page, in order: what cutting into tasks needs. */
  async *pageSizes(): AsyncGenerator<{ page: number; group: number; bytes: number }> {
    const sql = 'SELECT page, group_id AS "group", at_length AS bytes FROM plan ORDER BY page';
    for await (const batch of this.#database.batches<{ page: number; group: number; bytes: number }>(sql)) {
      yield* batch;
    }
  }

  /** The pages numbered from `first` up to, not including, `end`. */
  async pages(first: number, end: number): Promise<PlannedPage[]> {
    const rows = await this.#database.rows<PlanRow>(
      `SELECT * FROM plan WHERE page >= ${first} AND page < ${end} ORDER BY page`,
    );
    return rows.map(plannedPage);
  }

  /** The candidates of a group's sample: smallest URL hash first, some spare ones last. */
  async samples(firstGroup: number, endGroup: number): Promise<PlannedPage[]> {
    const rows = await this.#database.rows<PlanRow>(
      `SELECT plan.* FROM plan JOIN samples USING (page)
       WHERE samples.group_id >= ${firstGroup} AND samples.group_id < ${endGroup}
       ORDER BY samples.group_id, samples.place`,
    );
    return rows.map(plannedPage);
  }

  async #fill(surveys: string[], { snapshot, sample, limit }: PlanOptions): Promise<void> {
    const database = this.#database;
    await database.run(surveys.length === 0 ? NO_CAPTURES : capturesOf(surveys));
    await this.#resolveRevisits();
    for (const sql of snapshotSql(snapshot)) await database.run(sql);

    // pages in canonical order, numbered from 1
    await database.run(`
      CREATE TABLE numbered AS
      SELECT row_number() OVER (ORDER BY site, snapshot, input, file, entry, "offset", id)::UINTEGER AS page,
        id, site, snapshot, url
      FROM sited`);
    await database.run(`
      CREATE TABLE beyond_limit AS SELECT id FROM numbered ${limit === undefined ? 'LIMIT 0' : `WHERE page > ${limit}`}`);
    if (limit !== undefined) await database.run(`DELETE FROM numbered WHERE page > ${limit}`);
    await database.run(`
      CREATE TABLE groups AS
      SELECT (row_number() OVER (ORDER BY site, snapshot) - 1)::UINTEGER AS group_id, site, snapshot,
        count(*)::UINTEGER AS pages, count(DISTINCT url)::UINTEGER AS urls
      FROM numbered GROUP BY site, snapshot`);
    await database.run(`
      CREATE TABLE plan AS
      SELECT page, group_id, c.* EXCLUDE (id, site, skip, revisit_digest, revisit_url, revisit_time),
        coalesce(o.input, c.input) AS at_input, coalesce(o.file, c.file) AS at_file,
        coalesce(o.entry, c.entry) AS at_entry, coalesce(o."offset", c."offset") AS at_offset,
        coalesce(o.length, c.length) AS at_length
      FROM numbered JOIN groups USING (site, snapshot) JOIN captures c ON c.id = numbered.id
        LEFT JOIN originals ON originals.id = c.id LEFT JOIN captures o ON o.id = originals.original
      ORDER BY page`);

    // one capture stands for a URL: the earliest, as in detect/sample.ts
    await database.run(`
      CREATE TABLE samples AS
      SELECT page, group_id, place FROM (
        SELECT page, group_id, row_number() OVER (PARTITION BY group_id ORDER BY url_hash, url) AS place
        FROM (
          SELECT page, group_id, url_hash, url FROM plan
          QUALIFY row_number() OVER (PARTITION BY group_id, url ORDER BY time, "offset", file, page) = 1
        )
      ) WHERE place <= ${sample + SPARE_SAMPLES} ORDER BY group_id, place`);
    const [{ n }] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM plan');
    this.pageCount = n;
  }

  /**
   * The original of a revisit: same payload digest and URL, else same digest, else the URL and time it
   * refers to. One original per key is picked first, so that no digest that thousands share (that of an
   * empty body) multiplies.
   */
  async #resolveRevisits(): Promise<void> {
    const database = this.#database;
    const [{ n }] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM captures WHERE revisit');
    const found =
      n === 0
        ? 'SELECT NULL::BIGINT AS id, NULL::BIGINT AS original LIMIT 0'
        : `WITH bodies AS (SELECT id, url, time, payload_digest FROM captures WHERE NOT revisit),
             lost AS (SELECT * FROM captures WHERE revisit AND skip = ''),
             by_both AS (SELECT payload_digest, url, min(id) AS original FROM bodies
               WHERE payload_digest <> '' GROUP BY ALL),
             by_digest AS (SELECT payload_digest, min(original) AS original FROM by_both GROUP BY ALL),
             by_url AS (SELECT url, time, min(id) AS original FROM bodies GROUP BY ALL)
           SELECT lost.id, coalesce(a.original, b.original, c.original) AS original FROM lost
             LEFT JOIN by_both a ON a.payload_digest = lost.revisit_digest AND a.url = lost.url
             LEFT JOIN by_digest b ON b.payload_digest = lost.revisit_digest
             LEFT JOIN by_url c ON c.url = lost.revisit_url AND c.time = lost.revisit_time
           WHERE coalesce(a.original, b.original, c.original) IS NOT NULL`;
    await database.run(`CREATE TABLE originals AS ${found}`);
    // a revisit of an image is an image
    await database.run(`
      CREATE TABLE lost_revisits AS
      SELECT r.id, CASE WHEN originals.id IS NULL THEN 'revisit-unresolved' ELSE o.skip END AS skip
      FROM captures r LEFT JOIN originals ON originals.id = r.id LEFT JOIN captures o ON o.id = originals.original
      WHERE r.revisit AND r.skip = '' AND (originals.id IS NULL OR o.skip <> '')`);
    await database.run(`
      CREATE VIEW candidates AS SELECT * FROM captures ANTI JOIN lost_revisits USING (id) WHERE skip = ''`);
  }
}

function capturesOf(surveys: string[]): string {
  return `CREATE TABLE captures AS
    SELECT row_number() OVER (ORDER BY input, file_row_number) AS id, * EXCLUDE (file_row_number)
    FROM read_parquet(${quoteList(surveys)}, file_row_number = true)`;
}

/** When none of the inputs could be opened. */
const NO_CAPTURES = `CREATE TABLE captures (id BIGINT, ${Object.entries(SURVEY_SCHEMA)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')})`;

function plannedPage(row: PlanRow): PlannedPage {
  return {
    page: row.page,
    group: row.group_id,
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
