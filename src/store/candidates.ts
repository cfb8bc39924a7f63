/**
 * SQL that makes the view `candidates` of a plan from the surveys of its inputs: the captures that may give a
 * page, every revisit with the capture that holds its body.
 */
import { LATEST_ID } from './capture-order.ts';
import { quoteFile, quoteFiles } from './database.ts';
import { SURVEY_SCHEMA } from './schema.ts';

export interface CandidateOptions {
  /** Every capture, of each page the newest, however its URL was written, or the newest of each URL. */
  captures: 'all' | 'last' | 'last of URL';
  /** A Parquet file of other sites for some captures, by id. */
  sites?: string;
  /** Only sites of so many pages and more, and of these a sample: those with the smallest seeded hashes. @default all */
  sitesChosen?: SitesChosen;
}

export interface SitesChosen {
  minPages: number;
  /** null: all of them */
  most: number | null;
  seed: number;
}

/** The statements, in order, for surveys given in the order of the inputs. */
export function candidateSql(
  surveys: string[],
  { captures, sites, sitesChosen }: CandidateOptions,
): string[] {
  return [
    ...(surveys.length === 0 ? [NO_CAPTURES] : capturesOf(surveys, sites)),
    ...REVISITS,
    ...chooseSites(sitesChosen),
    ...(captures === 'all' ? ALL_CAPTURES : newestCaptures(captures === 'last' ? 'page_hash' : 'url_hash')),
  ];
}

/** The captures, numbered as the inputs hold them. */
function capturesOf(surveys: string[], sites: string | undefined): string[] {
  const numbered = `
    SELECT (input::BIGINT << 40) + file_row_number AS id, * EXCLUDE (file_row_number)
    FROM read_parquet(${quoteFiles(surveys)}, file_row_number = true)`;
  if (sites === undefined) return [`CREATE VIEW captures AS ${numbered}`];
  return [
    `CREATE TABLE other_sites AS SELECT id, site::VARCHAR AS site FROM read_parquet(${quoteFile(sites)})`,
    `CREATE VIEW captures AS
       SELECT c.* REPLACE (coalesce(o.site, c.site) AS site) FROM (${numbered}) c LEFT JOIN other_sites o USING (id)`,
  ];
}

/** The view `chosen`: the usable captures of the sites that are wanted. */
function chooseSites({ minPages, most, seed }: SitesChosen = { minPages: 1, most: null, seed: 0 }): string[] {
  if (minPages <= 1 && most === null) {
    return ['CREATE VIEW chosen AS FROM usable', 'CREATE TABLE unchosen AS SELECT 0::BIGINT AS n'];
  }
  return [
    `CREATE TABLE chosen_sites AS
       SELECT site FROM usable GROUP BY site HAVING count(DISTINCT page_hash) >= ${minPages}
       ORDER BY md5(site || ' ' || ${seed}), site${most === null ? '' : ` LIMIT ${most}`}`,
    'CREATE VIEW chosen AS FROM usable SEMI JOIN chosen_sites USING (site)',
    'CREATE TABLE unchosen AS SELECT (SELECT count(*) FROM usable) - (SELECT count(*) FROM chosen) AS n',
  ];
}

const ALL_CAPTURES = [
  'CREATE VIEW candidates AS SELECT * FROM chosen',
  'CREATE TABLE superseded AS SELECT 0::BIGINT AS n',
];

/** Of each hash the capture with the latest time; of several at one time the last as the inputs hold them. */
const newestCaptures = (hash: 'page_hash' | 'url_hash'): string[] => [
  `CREATE TABLE newest AS
     SELECT ${LATEST_ID} AS id FROM chosen GROUP BY ${hash}`,
  'CREATE VIEW candidates AS SELECT * FROM chosen SEMI JOIN newest USING (id)',
  `CREATE TABLE superseded AS
     SELECT (SELECT count(*) FROM chosen) - (SELECT count(*) FROM newest) AS n`,
];

/** When none of the inputs could be opened. */
const NO_CAPTURES = `CREATE TABLE captures (id BIGINT, ${Object.entries(SURVEY_SCHEMA)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')})`;

/**
 * The original of a revisit: same payload digest and URL, else same digest, else the URL and time it
 * refers to. One original per key is picked first, so that no digest that thousands share (that of an
 * empty body) multiplies; a revisit of an image is an image. A filter goes by the URL of a capture: an original that one left
 * out still holds the body of a revisit that none did.
 */
const REVISITS = [
  `
     CREATE TABLE revisits AS
     SELECT id, url, revisit_digest, revisit_url, revisit_time FROM captures WHERE revisit AND skip = ''`,
  `
     CREATE TABLE found AS
     WITH by_both AS (
         SELECT payload_digest, url, min(id) AS original FROM captures
         WHERE NOT revisit AND payload_digest <> '' AND payload_digest IN (SELECT revisit_digest FROM revisits)
         GROUP BY ALL),
       by_digest AS (SELECT payload_digest, min(original) AS original FROM by_both GROUP BY ALL),
       by_url AS (
         SELECT url, time, min(id) AS original FROM captures
         WHERE NOT revisit AND url IN (SELECT revisit_url FROM revisits) GROUP BY ALL)
     SELECT r.id, coalesce(a.original, b.original, c.original) AS original FROM revisits r
       LEFT JOIN by_both a ON a.payload_digest = r.revisit_digest AND a.url = r.url
       LEFT JOIN by_digest b ON b.payload_digest = r.revisit_digest
       LEFT JOIN by_url c ON c.url = r.revisit_url AND c.time = r.revisit_time`,
  `
     CREATE TABLE originals AS
     SELECT found.id, o.input, o.file, o.entry, o."offset", o.length, o.skip
     FROM found JOIN captures o ON o.id = found.original`,
  `
     CREATE TABLE lost_revisits AS
     SELECT id, 'revisit-unresolved' AS skip FROM found WHERE original IS NULL
     UNION ALL SELECT id, skip FROM originals WHERE skip NOT IN ('', 'filtered')`,
  `
     CREATE VIEW usable AS SELECT * FROM captures ANTI JOIN lost_revisits USING (id) WHERE skip = ''`,
];
