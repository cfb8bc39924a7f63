/**
 * From the surveys of all inputs to the pages to label, in the database, so that an archive may be larger
 * than memory: revisits find the capture that holds their body, captures of a site fall into snapshots,
 * every snapshot gets its sample, every page its number.
 *
 * Nothing here depends on the order of the inputs: a sample is the smallest seeded hashes of URLs, numbers
 * follow (site, snapshot, file, offset).
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { CAPTURES_TRIED } from '../analysis/choose-arms.ts';
import type { SkipCode } from '../model/problem.ts';
import { type CandidateOptions, candidateSql } from './candidates.ts';
import { EARLIEST_PAGE } from './capture-order.ts';
import { Database, quote, quoteFile } from './database.ts';
import { KeptPlan } from './kept-plan.ts';
import { choosePages, type PlannedPage } from './planned-page.ts';
import { type SnapshotRule, snapshotSql } from './snapshot-rule.ts';

/** Candidates beyond the sample, for those that turn out to be no pages when their bodies are read. */
const SPARE_SAMPLES = 16;

/** Pages that are taken out of the database and kept, when there are no more: some 10 MB. */
const KEPT_PAGES = 75_000;

/** Memory of the database: enough for a million captures; and what it may take when that is too little. */
const PLAN_MB = 128;
const MOST_PLAN_MB = 1024;

export interface PlanOptions {
  snapshot: SnapshotRule;
  /** Pages to learn a site snapshot from. */
  sample: number;
  /** Most pages to label; the rest is skipped as filtered, but learnt from. */
  limit?: number;
  /** `last`: the newest capture of each page or URL only; those before it are skipped as superseded. @default 'all' */
  captures?: CandidateOptions['captures'];
  /** Which sites are planned; captures of the others are skipped as filtered. @default all */
  sitesChosen?: CandidateOptions['sitesChosen'];
  /** A file of `writeSites` with the site of every page, where it is not the one that the survey names. */
  sites?: string;
}

/** A page as `identities` names it. */
export interface PageIdentity {
  page: number;
  /** Number of the capture among those of the surveys. */
  id: number;
  site: string;
  url: string;
  time: string;
}

/** The pages of a site at about one time: what is learnt and labelled together. */
export interface PlannedGroup {
  group: number;
  site: string;
  snapshot: string;
}

/** The captures of the same page nearest in time. */
export interface OtherCaptures {
  previous?: PlannedPage;
  next?: PlannedPage;
  /** Those before and after that detectors may look at, nearest first, when they want them. */
  earlier?: PlannedPage[];
  later?: PlannedPage[];
  /** Site snapshot and year of the next one, if that is labelled too. */
  nextGroup?: number;
  nextYear?: number;
}

interface CaptureLinks {
  page: number;
  previous: number | null;
  next: number | null;
  next_group: number | null;
  next_year: number | null;
  /** Pages at most `CAPTURES_TRIED` captures away, numbers with spaces between. */
  earlier: string;
  later: string;
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

export class Plan {
  readonly #database: Database;
  /** The pages in order, with all it takes to read them. */
  readonly #file: string;
  /** Pages to work on, numbered from 1; more may be learnt from. */
  pageCount = 0;
  /** Pages of a sample. */
  #sample = 0;
  /** All of it, when there are not too many pages. */
  #kept: KeptPlan | undefined;

  private constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** Plans from the Parquet files of the surveys, given in the order of the inputs; works in `folder`. */
  static async make(
    surveys: string[],
    options: PlanOptions & { folder: string; memoryMb?: number; keptPages?: number },
  ): Promise<Plan> {
    const { folder, memoryMb = PLAN_MB, keptPages = KEPT_PAGES, ...planOptions } = options;
    const spillFolder = join(folder, 'spill');
    const database = await Database.open({ spillFolder, memoryMb, mostMb: MOST_PLAN_MB, threads: 2 });
    const plan = new Plan(database, join(folder, 'plan.parquet'));
    try {
      const pages = await plan.#fill(surveys, planOptions);
      if (pages <= keptPages) plan.#kept = await KeptPlan.read(database, pages);
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
      `SELECT skip, sum(n) AS n FROM (
         SELECT skip, count(*) AS n FROM captures WHERE skip <> '' GROUP BY skip
         UNION ALL SELECT skip, count(*) FROM lost_revisits GROUP BY skip
         UNION ALL SELECT 'superseded', n FROM superseded WHERE n > 0
         UNION ALL SELECT 'filtered', n FROM unchosen WHERE n > 0
         UNION ALL SELECT 'filtered', n FROM beyond_limit WHERE n > 0
       ) GROUP BY skip ORDER BY skip`,
    );
    return Object.fromEntries(rows.map(({ skip, n }) => [skip, n]));
  }

  /** Captures of each input, by its ordinal. */
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

  /** Distinct URLs of every site snapshot, those of one page as one, in the order of their pages: what cutting into tasks needs. */
  async *groupSizes(): AsyncGenerator<{ group: number; urls: number }> {
    const sql = `SELECT group_id AS "group", urls FROM group_urls WHERE first_page <= ${this.pageCount} ORDER BY group_id`;
    for await (const batch of this.#database.batches<{ group: number; urls: number }>(sql)) yield* batch;
  }

  /** The site snapshots numbered from `first` up to, not including, `end`. */
  async groups(first: number, end: number): Promise<PlannedGroup[]> {
    if (this.#kept) return this.#kept.groups(first, end);
    return this.#database.rows<PlannedGroup>(
      `SELECT group_id AS "group", site, snapshot FROM groups
       WHERE group_id >= ${first} AND group_id < ${end} ORDER BY group_id`,
    );
  }

  /** Group and bytes of every page, in order: what cutting into tasks needs. */
  async *pageSizes(): AsyncGenerator<{ page: number; group: number; bytes: number }> {
    if (this.#kept) {
      yield* this.#kept.sizes(this.pageCount);
      return;
    }
    const sql = `SELECT page, group_id AS "group", at_length AS bytes FROM plan WHERE page <= ${this.pageCount}`;
    for await (const batch of this.#database.batches<{ page: number; group: number; bytes: number }>(sql)) {
      yield* batch;
    }
  }

  /** The pages numbered from `first` up to, not including, `end`. */
  async pages(first: number, end: number): Promise<PlannedPage[]> {
    if (this.#kept) return this.#kept.pages(first, end);
    return choosePages(this.#database, `page >= ${first} AND page < ${end}`);
  }

  /** What identifies every page, in order: the pages of a site follow each other. */
  async *identities(): AsyncGenerator<PageIdentity> {
    const sql = `SELECT page, id, site, url, time FROM plan WHERE page <= ${this.pageCount} ORDER BY page`;
    for await (const batch of this.#database.batches<PageIdentity>(sql)) yield* batch;
  }

  /** Some pages, in order of their numbers. */
  async pagesAmong(numbers: readonly number[]): Promise<PlannedPage[]> {
    if (numbers.length === 0) return [];
    const kept = this.#kept;
    if (kept) return [...new Set(numbers)].sort((a, b) => a - b).map((page) => kept.page(page));
    return choosePages(this.#database, `page IN (${numbers.join(', ')})`);
  }

  /**
   * The captures of the same page, however its URL is written, before and after each of the pages from `first` up to, not
   * including, `end`; those that are the only capture of a page are left out. Captures of one time are no order.
   * With `next`, also those further away.
   */
  async otherCaptures(
    first: number,
    end: number,
    { next: wantsNext = true } = {},
  ): Promise<Record<number, OtherCaptures>> {
    await this.#makeTimeline(wantsNext);
    const links = await this.#database.rows<CaptureLinks>(
      `SELECT page, previous, ${wantsNext ? "next, array_to_string(earlier, ' ') AS earlier, array_to_string(later, ' ') AS later" : "NULL::UINTEGER AS next, '' AS earlier, '' AS later"},
         CASE WHEN next <= ${this.pageCount} THEN next_group END AS next_group,
         CASE WHEN next <= ${this.pageCount} THEN next_year END AS next_year
       FROM timeline
       WHERE page >= ${first} AND page < ${end}
         AND ${wantsNext ? '(len(earlier) > 0 OR len(later) > 0)' : '(previous IS NOT NULL OR next IS NOT NULL)'}
       ORDER BY page`,
    );
    const numbersOf = (list: string) => (list === '' ? [] : list.split(' ').map(Number));
    const numbers = new Set(
      links.flatMap(({ previous, next, earlier, later }) => [
        previous,
        next,
        ...numbersOf(earlier),
        ...numbersOf(later),
      ]),
    );
    const others = await this.pagesAmong([...numbers].filter((page) => page !== null));
    const byNumber = new Map(others.map((planned) => [planned.page, planned]));
    const pagesOf = (list: string) => numbersOf(list).flatMap((page) => byNumber.get(page) ?? []);
    const found: Record<number, OtherCaptures> = {};
    for (const { page, previous, next, next_group, next_year, earlier, later } of links) {
      found[page] = {
        previous: previous === null ? undefined : byNumber.get(previous),
        next: next === null ? undefined : byNumber.get(next),
        ...(wantsNext && { earlier: pagesOf(earlier), later: pagesOf(later) }),
        nextGroup: next_group ?? undefined,
        nextYear: next_year ?? undefined,
      };
    }
    return found;
  }

  #timeline: Promise<void> | undefined;

  /** Numbers only, so that it fits in memory; made when first asked for, which is always with the same. */
  #makeTimeline(wantsNear: boolean): Promise<void> {
    this.#timeline ??= this.#database.run(`
      CREATE TABLE timeline AS
      SELECT page,
        CASE WHEN lag(seconds) OVER w < seconds THEN lag(page) OVER w END AS previous,
        CASE WHEN lead(seconds) OVER w > seconds THEN lead(page) OVER w END AS next,
        CASE WHEN lead(seconds) OVER w > seconds THEN lead(group_id) OVER w END AS next_group,
        CASE WHEN lead(seconds) OVER w > seconds THEN lead(year) OVER w END AS next_year
        ${wantsNear ? `, ${nearCaptures('lag', '<')} AS earlier, ${nearCaptures('lead', '>')} AS later` : ''}
      FROM (
        SELECT page, group_id, page_hash, epoch(try_cast(time AS TIMESTAMP)) AS seconds,
          try_cast(left(time, 4) AS USMALLINT) AS year
        FROM plan)
      WHERE seconds IS NOT NULL
      WINDOW w AS (PARTITION BY page_hash ORDER BY seconds, page)`);
    return this.#timeline;
  }

  /**
   * Candidates for the captures that detectors with captures learn some groups from: of the pages of the samples, first
   * one capture of each, then a second one, and so on (detect/cross/kept-captures.ts), as many as the samples have
   * pages; some spare ones last. Groups in order.
   */
  async captureSamples(
    firstGroup: number,
    endGroup: number,
    atHand: readonly PlannedPage[] = [],
  ): Promise<PlannedPage[]> {
    const rows = await this.#database.rows<{ page: number }>(`
      SELECT page FROM (
        SELECT group_id, page,
          row_number() OVER (PARTITION BY group_id ORDER BY round, page_place, page) AS place
        FROM (
          SELECT p.group_id, p.page, s.place AS page_place,
            row_number() OVER (PARTITION BY p.group_id, p.page_hash ORDER BY md5(p.url || ' ' || p.time), p.page) AS round
          FROM plan p JOIN samples s ON s.group_id = p.group_id AND s.page_hash = p.page_hash
          WHERE p.group_id >= ${firstGroup} AND p.group_id < ${endGroup}))
      WHERE place <= ${this.#sample + SPARE_SAMPLES} ORDER BY group_id, place`);
    return this.#pagesInOrder(
      rows.map(({ page }) => page),
      atHand,
    );
  }

  /** Keeps where the bytes of every page lie, to be read by `readPlannedPages` when the plan is gone. */
  keepPlaces(path: string): void {
    copyFileSync(this.#file, path);
  }

  /**
   * The candidates of the samples of some groups: smallest URL hash first, some spare ones last. Those among
   * pages that are at hand are not read again.
   */
  async samples(
    firstGroup: number,
    endGroup: number,
    atHand: readonly PlannedPage[] = [],
  ): Promise<PlannedPage[]> {
    const numbers = this.#kept?.samples(firstGroup, endGroup) ?? (await this.#samples(firstGroup, endGroup));
    return this.#pagesInOrder(numbers, atHand);
  }

  async #pagesInOrder(numbers: readonly number[], atHand: readonly PlannedPage[]): Promise<PlannedPage[]> {
    const byNumber = new Map(atHand.map((planned) => [planned.page, planned]));
    const missing = numbers.filter((page) => !byNumber.has(page));
    for (const planned of await this.pagesAmong(missing)) byNumber.set(planned.page, planned);
    return numbers.map((page) => byNumber.get(page)!);
  }

  async #samples(firstGroup: number, endGroup: number): Promise<number[]> {
    const rows = await this.#database.rows<{ page: number }>(
      `SELECT page FROM samples WHERE group_id >= ${firstGroup} AND group_id < ${endGroup} ORDER BY group_id, place`,
    );
    return rows.map(({ page }) => page);
  }

  /**
   * Wide columns stay on disk, in the surveys and in the plan; what is joined and sorted in memory is
   * numbers where it can be. No window runs over pages: those do not spill. Returns how many pages there are.
   */
  async #fill(surveys: string[], options: PlanOptions): Promise<number> {
    const { snapshot, sample, limit, captures = 'all', sites, sitesChosen } = options;
    this.#sample = sample;
    const database = this.#database;
    for (const sql of candidateSql(surveys, { captures, sites, sitesChosen })) await database.run(sql);
    for (const sql of snapshotSql(snapshot)) await database.run(sql);
    await database.run(`
      CREATE TABLE groups AS
      SELECT (row_number() OVER (ORDER BY site, snapshot) - 1)::UINTEGER AS group_id, site, snapshot
      FROM (SELECT DISTINCT site, snapshot FROM sited)`);
    const pages = await this.#writePages(limit);

    // one capture stands for a page: of its URLs the one with the smallest hash, of that the earliest, as in detect/sample.ts
    await database.run(`
      CREATE TABLE distinct_pages AS
      SELECT row_number() OVER () AS place, * FROM (
        SELECT group_id, page_hash, min(url_hash) AS url_hash, min(first_page) AS first_page,
          arg_min(page, url_hash) AS page
        FROM (
          SELECT group_id, page_hash, url_hash, min(page) AS first_page, ${EARLIEST_PAGE} AS page
          FROM plan GROUP BY group_id, page_hash, url_hash)
        GROUP BY group_id, page_hash ORDER BY group_id, url_hash, first_page)`);
    await database.run(`
      CREATE TABLE group_urls AS
      SELECT group_id, min(place) AS first_place, min(first_page) AS first_page, count(*)::UINTEGER AS urls
      FROM distinct_pages GROUP BY group_id`);
    await database.run(`
      CREATE TABLE samples AS
      SELECT group_id, page, page_hash, place - first_place AS place FROM distinct_pages JOIN group_urls USING (group_id)
      WHERE place - first_place < ${sample + SPARE_SAMPLES}`);
    await database.run('DROP TABLE distinct_pages');
    return pages;
  }

  /** Writes the pages in canonical order, numbered from 1, and counts them; those beyond the limit are there to learn from. */
  async #writePages(limit: number | undefined): Promise<number> {
    const database = this.#database;
    // each thread sorts in memory of its own, and rows are wide here
    await database.run('SET threads = 1');
    await database.run(`
      COPY (
        SELECT (row_number() OVER ())::UINTEGER AS page, * FROM (
          SELECT g.group_id, g.site, c.id, c.file, c.entry, c."offset", c.length, c.url, c.time, c.status, c.mime,
            c.record_id, c.payload_digest, c.url_hash, c.page_hash, c.revisit,
            coalesce(o.input, c.input) AS at_input, coalesce(o.file, c.file) AS at_file,
            coalesce(o.entry, c.entry) AS at_entry, coalesce(o."offset", c."offset") AS at_offset,
            coalesce(o.length, c.length) AS at_length
          FROM sited c JOIN groups g ON g.site = c.site AND g.snapshot = c.snapshot
            LEFT JOIN originals o ON o.id = c.id
          ORDER BY g.group_id, c.id)
      ) TO ${quote(this.#file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 8192)`);
    await database.run('SET threads = 2');
    await database.run(`CREATE VIEW plan AS SELECT * FROM read_parquet(${quoteFile(this.#file)})`);
    const [{ n }] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM plan');
    this.pageCount = Math.min(n, limit ?? n);
    await database.run(`CREATE TABLE beyond_limit AS SELECT ${n - this.pageCount} AS n`);
    return n;
  }
}

/** A list of the pages up to `CAPTURES_TRIED` places away in the window `w` whose time is before or after. */
function nearCaptures(step: 'lag' | 'lead', order: '<' | '>'): string {
  const places = Array.from({ length: CAPTURES_TRIED }, (_, k) => k + 1);
  const pages = places.map(
    (k) => `CASE WHEN ${step}(seconds, ${k}) OVER w ${order} seconds THEN ${step}(page, ${k}) OVER w END`,
  );
  return `list_filter([${pages.join(', ')}], x -> x IS NOT NULL)`;
}
