/** The plan against the same rules written as queries of the database, on generated surveys. */

import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ColumnBuffer } from '../../test/column-buffer.ts';
import { urlHash } from '../analysis/byte-hash.ts';
import { CAPTURES_TRIED } from '../analysis/choose-arms.ts';
import { pageKey } from '../model/page-key.ts';
import { siteOf } from '../model/site.ts';
import { Database } from './database.ts';
import { Plan, type PlanOptions } from './plan.ts';
import type { SnapshotRule } from './snapshot-rule.ts';
import { SURVEY_FILE, SurveyPart, type SurveyRow } from './survey-part.ts';

const SAMPLE = 1;
const SPARE = 16;

const digests = fc.constantFrom('', 'sha1:A', 'sha1:B', 'sha1:C');
const urls = fc
  .tuple(
    fc.constantFrom('a.example', 'b.example', 'www.a.example', '😀.example', '\uf8ff.example'),
    fc.integer({ min: 0, max: 30 }),
    fc.constantFrom(
      '',
      '?PHPSESSID=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1',
      '?PHPSESSID=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa2',
    ),
  )
  .map(([site, path, session]) => `http://${site}/${path}${session}`);
const times = fc.constantFrom(
  '',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2019-12-31T10:00:00Z',
  '2020-01-10T10:00:00Z',
  '2020-01-10T11:00:00Z',
  '2020-03-01T00:00:00Z',
  '2020-06-30T00:00:00Z',
);
const rows = fc.record({
  url: urls,
  time: times,
  digest: digests,
  skip: fc.constantFrom<SurveyRow['skip']>('', '', '', '', '', 'not-html', 'filtered'),
  revisit: fc.option(fc.record({ payloadDigest: digests, url: urls, time: times }), {
    nil: undefined,
    freq: 5,
  }),
});
const plans = fc.record({
  inputs: fc.array(fc.array(rows, { maxLength: 60 }), { minLength: 1, maxLength: 3 }),
  snapshot: fc.constantFrom<SnapshotRule>('all', 'year', 'month', 'day', 'gap:30', 'gap:90'),
  captures: fc.constantFrom('all' as const, 'last' as const, 'last of URL' as const),
  limit: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  sitesChosen: fc.record({
    minPages: fc.constantFrom(1, 1, 5),
    most: fc.constantFrom(null, null, 2),
    seed: fc.integer({ min: 0, max: 3 }),
  }),
});
type Case = typeof plans extends fc.Arbitrary<infer T> ? T : never;

function surveyRows(inputs: Case['inputs']): SurveyRow[][] {
  return inputs.map((list, input) =>
    list.map(({ url, time, digest, skip, revisit }, k) => ({
      capture: {
        file: `${input}.warc`,
        ...(k % 2 && { entry: `e${k % 3}` }),
        offset: k * 100,
        length: 100 + k,
        url,
        time,
        status: 200,
        mime: 'text/html',
        recordId: `id-${k}`,
        payloadDigest: digest,
      },
      site: siteOf(url),
      urlHash: urlHash(url),
      pageHash: urlHash(pageKey(url)),
      skip,
      revisit,
    })),
  );
}

function makePlan(inputs: SurveyRow[][], options: Omit<PlanOptions, 'sample'>): Plan {
  const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
  const surveys = inputs.map((list, input) => {
    const draft = join(folder, String(input));
    mkdirSync(draft);
    const part = new SurveyPart({ draft, input });
    list.forEach((row, k) => {
      if (part.add(row) || k % 20 === 19) part.flush();
    });
    part.close();
    return join(draft, SURVEY_FILE);
  });
  return Plan.make(surveys, { ...options, sample: SAMPLE });
}

test('a plan equals the result of SQL queries with its rules', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ inputs, ...options }) => {
      const surveyed = surveyRows(inputs);
      const plan = makePlan(surveyed, options);
      const expected = await queryPlan(surveyed, options);
      const all = plan.pages(1, 1000);
      expect(plan.groups(0, 1000)).toEqual(expected.groups);
      expect(
        all.map(({ page, group, input, at, url, time, as }) => [
          page,
          group,
          input,
          at.file,
          at.entry ?? '',
          at.offset,
          at.length,
          url,
          time,
          as?.recordId ?? '',
        ]),
      ).toEqual(expected.pages);
      expect([...plan.identities()].map(({ id }) => id)).toEqual(expected.ids.slice(0, plan.pageCount));
      expect(plan.countSkips()).toEqual(expected.skips);
      expect(plan.unresolvedRevisits().map(({ file, offset }) => [file, offset])).toEqual(
        expected.unresolved,
      );
      expect([...plan.groupSizes()]).toEqual(
        expected.groupSizes
          .filter(({ first_page }) => first_page <= plan.pageCount)
          .map(({ group, urls }) => ({ group, urls })),
      );
      expect(plan.samples(0, 1000).map(({ page }) => page)).toEqual(expected.samples);
      expect(plan.captureSamples(0, expected.groups.length).map(({ page }) => page)).toEqual(
        expected.captureSamples,
      );
      const others = plan.otherCaptures(1, 1000);
      const links = Object.entries(others).map(([page, { previous, next, earlier = [], later = [] }]) => [
        Number(page),
        previous?.page ?? 0,
        next?.page ?? 0,
        earlier.map((other) => other.page).join(' '),
        later.map((other) => other.page).join(' '),
      ]);
      expect(links).toEqual(expected.links);
    }),
    { numRuns: 12 },
  );
});

async function queryPlan(
  inputs: SurveyRow[][],
  { snapshot, captures, sitesChosen, limit }: Omit<PlanOptions, 'sample'>,
) {
  const database = await Database.open();
  const table = new ColumnBuffer({
    id: 'UINTEGER',
    input: 'UINTEGER',
    file: 'VARCHAR',
    entry: 'VARCHAR',
    offset: 'UINTEGER',
    length: 'UINTEGER',
    url: 'VARCHAR',
    site: 'VARCHAR',
    time: 'VARCHAR',
    record_id: 'VARCHAR',
    payload_digest: 'VARCHAR',
    url_hash: 'UBIGINT',
    page_hash: 'UBIGINT',
    skip: 'VARCHAR',
    revisit: 'BOOLEAN',
    revisit_digest: 'VARCHAR',
    revisit_url: 'VARCHAR',
    revisit_time: 'VARCHAR',
  });
  let id = 0;
  for (const [input, list] of inputs.entries()) {
    for (const { capture: c, site, urlHash, pageHash, skip, revisit: r } of list) {
      table.add(
        id++,
        input,
        c.file,
        c.entry ?? '',
        c.offset,
        c.length,
        c.url,
        site,
        c.time,
        c.recordId,
        c.payloadDigest,
        urlHash,
        pageHash,
        skip,
        r !== undefined,
        r?.payloadDigest ?? '',
        r?.url ?? '',
        r?.time ?? '',
      );
    }
  }
  await table.toTable(database, 'captures');
  const { minPages, most, seed } = sitesChosen!;
  const hash = captures === 'last' ? 'page_hash' : 'url_hash';
  const seconds = 'coalesce(epoch(try_cast(time AS TIMESTAMP)), -1e15)';
  const gap = snapshot.startsWith('gap:') ? Number(snapshot.slice(4)) : undefined;
  const digits = snapshot === 'year' ? 4 : snapshot === 'month' ? 7 : 10;
  for (const sql of [
    `CREATE TABLE revisits AS FROM captures WHERE revisit AND skip = ''`,
    `CREATE TABLE originals AS FROM captures WHERE NOT revisit`,
    `CREATE TABLE found AS SELECT r.id, coalesce(
         (SELECT min(o.id) FROM originals o WHERE o.payload_digest <> '' AND o.payload_digest = r.revisit_digest AND o.url = r.url),
         (SELECT min(o.id) FROM originals o WHERE o.payload_digest <> '' AND o.payload_digest = r.revisit_digest),
         (SELECT min(o.id) FROM originals o WHERE o.url = r.revisit_url AND o.time = r.revisit_time)) AS original FROM revisits r`,
    `CREATE TABLE lost AS SELECT f.id, coalesce(o.skip, 'revisit-unresolved') AS skip
       FROM found f LEFT JOIN captures o ON o.id = f.original WHERE o.id IS NULL OR o.skip NOT IN ('', 'filtered')`,
    `CREATE TABLE usable AS SELECT * FROM captures ANTI JOIN lost USING (id) WHERE skip = ''`,
    `CREATE TABLE chosen AS FROM usable SEMI JOIN (
       SELECT site FROM usable GROUP BY site HAVING count(DISTINCT page_hash) >= ${minPages}
       ORDER BY md5(site || ' ' || ${seed}), site ${most === null ? '' : `LIMIT ${most}`}) USING (site)`,
    captures === 'all'
      ? 'CREATE TABLE candidates AS FROM chosen'
      : `CREATE TABLE candidates AS FROM chosen QUALIFY row_number() OVER (PARTITION BY ${hash} ORDER BY ${seconds} DESC, id DESC) = 1`,
    `CREATE TABLE days AS SELECT DISTINCT site, left(time, 10) AS day FROM candidates WHERE time <> ''`,
    gap === undefined
      ? `CREATE TABLE dated AS SELECT site, day, left(day, ${digits}) AS snapshot FROM days`
      : `CREATE TABLE dated AS SELECT site, day, max(first_day) OVER (PARTITION BY site ORDER BY day) AS snapshot FROM (
           SELECT site, day, CASE WHEN before IS NULL OR day::DATE - before::DATE > ${gap} THEN day END AS first_day
           FROM (SELECT site, day, lag(day) OVER (PARTITION BY site ORDER BY day) AS before FROM days))`,
    `CREATE TABLE undated AS SELECT site, any_value(snapshot) AS snapshot FROM dated GROUP BY site HAVING count(DISTINCT snapshot) = 1`,
    `CREATE TABLE sited AS SELECT c.*, ${
      snapshot === 'all'
        ? `'all'`
        : `CASE WHEN c.time <> '' THEN dated.snapshot ELSE coalesce(undated.snapshot, 'undated') END`
    } AS snapshot FROM candidates c LEFT JOIN dated ON dated.site = c.site AND dated.day = left(c.time, 10)
       LEFT JOIN undated ON undated.site = c.site`,
    `CREATE TABLE groups AS SELECT row_number() OVER (ORDER BY site, snapshot) - 1 AS group_id, site, snapshot
       FROM (SELECT DISTINCT site, snapshot FROM sited)`,
    `CREATE TABLE plan AS SELECT row_number() OVER (ORDER BY g.group_id, c.id)::INTEGER AS page, g.group_id, c.*, o AS original
       FROM sited c JOIN groups g ON g.site = c.site AND g.snapshot = c.snapshot
         LEFT JOIN found ON found.id = c.id LEFT JOIN captures o ON o.id = found.original`,
    `CREATE TABLE drawn AS SELECT *, row_number() OVER (PARTITION BY group_id ORDER BY url_hash, first_page) - 1 AS place FROM (
       SELECT group_id, page_hash, url_hash, page, min(page) OVER (PARTITION BY group_id, page_hash) AS first_page FROM plan
       QUALIFY row_number() OVER (PARTITION BY group_id, page_hash ORDER BY url_hash, ${seconds}, page) = 1)`,
  ])
    await database.run(sql);
  const values = async <T>(sql: string): Promise<T[]> =>
    (await database.rows<Record<string, T>>(sql)).flatMap((row) => Object.values(row));
  const lists = async (sql: string) => (await database.rows(sql)).map((row) => Object.values(row));
  const at = (name: string) => `coalesce(original.${name}, "${name}")`;
  const near = (step: 'lag' | 'lead', order: '<' | '>') =>
    `array_to_string(list_filter([${Array.from(
      { length: CAPTURES_TRIED },
      (_, k) =>
        `CASE WHEN ${step}(seconds, ${k + 1}) OVER w ${order} seconds THEN ${step}(page, ${k + 1}) OVER w END`,
    ).join(', ')}], x -> x IS NOT NULL), ' ')`;
  const [pageCount] = await values<number>('SELECT count(*) FROM plan');
  const beyond = limit === undefined ? 0 : Math.max(0, pageCount - limit);
  const skips = await database.rows<{ skip: string; n: number }>(`SELECT skip, sum(n) AS n FROM (
    SELECT skip, count(*) AS n FROM captures WHERE skip <> '' GROUP BY skip
    UNION ALL SELECT skip, count(*) FROM lost GROUP BY skip
    UNION ALL SELECT 'superseded', (SELECT count(*) FROM chosen) - (SELECT count(*) FROM candidates)
    UNION ALL SELECT 'filtered', (SELECT count(*) FROM usable) - (SELECT count(*) FROM chosen) + ${beyond})
    GROUP BY skip HAVING sum(n) > 0 ORDER BY skip`);
  const result = {
    groups: await database.rows('SELECT group_id AS "group", site, snapshot FROM groups ORDER BY group_id'),
    pages:
      await lists(`SELECT page, group_id, ${at('input')}, ${at('file')}, ${at('entry')}, ${at('offset')}, ${at('length')}, url, time,
      CASE WHEN revisit THEN record_id ELSE '' END FROM plan ORDER BY page`),
    ids: await values<number>('SELECT id FROM plan ORDER BY page'),
    skips: Object.fromEntries(skips.map(({ skip, n }) => [skip, n])),
    unresolved: await lists(
      `SELECT file, "offset" FROM captures JOIN lost USING (id) WHERE lost.skip = 'revisit-unresolved' ORDER BY id`,
    ),
    groupSizes: await database.rows<{ group: number; urls: number; first_page: number }>(
      'SELECT group_id AS "group", count(*) AS urls, min(first_page) AS first_page FROM drawn GROUP BY group_id ORDER BY group_id',
    ),
    samples: await values<number>(
      `SELECT page FROM drawn WHERE place < ${SAMPLE + SPARE} ORDER BY group_id, place`,
    ),
    captureSamples: await values<number>(`SELECT page FROM (
      SELECT group_id, page, row_number() OVER (PARTITION BY group_id ORDER BY round, page_place, page) AS place FROM (
        SELECT p.group_id, p.page, s.place AS page_place,
          row_number() OVER (PARTITION BY p.group_id, p.page_hash ORDER BY md5(p.url || ' ' || p.time), p.page) AS round
        FROM plan p JOIN drawn s ON s.group_id = p.group_id AND s.page_hash = p.page_hash WHERE s.place < ${SAMPLE + SPARE}))
      WHERE place <= ${SAMPLE + SPARE} ORDER BY group_id, place`),
    links: await lists(`SELECT page, previous, next, earlier, later FROM (SELECT page,
        coalesce(CASE WHEN lag(seconds) OVER w < seconds THEN lag(page) OVER w END, 0) AS previous,
        coalesce(CASE WHEN lead(seconds) OVER w > seconds THEN lead(page) OVER w END, 0) AS next,
        ${near('lag', '<')} AS earlier, ${near('lead', '>')} AS later
      FROM (SELECT page, page_hash, epoch(try_cast(time AS TIMESTAMP)) AS seconds FROM plan) WHERE seconds IS NOT NULL
      WINDOW w AS (PARTITION BY page_hash ORDER BY seconds, page)) WHERE earlier <> '' OR later <> '' ORDER BY page`),
  };
  database.close();
  return result;
}
