/**
 * What report.html shows of shared fragments, asked of the tables in `fragments/`: sums, the classes that save
 * the most, and the four distributions of Ma and Gu's Figure 3. Bounded: of a distribution at most
 * `MOST_POINTS` points are kept, every one of them exact, and the same ones on every run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompressionFigures } from '../../fragments/dictionary/measure.ts';
import { type FragmentClass, RELATIONS, type Relation } from '../../fragments/shared-page.ts';
import { scratchPath } from '../../model/scratch.ts';
import { Database, quote, quoteFile } from '../database.ts';
import { CLASSES_FILE, PAGES_FILE } from './fragment-folder.ts';

/** What the fragments of one relation come to. */
export interface RelationFigures {
  relation: Relation;
  classes: number;
  composites: number;
  members: number;
  /** Bytes of source that keeping one copy of each class would save. */
  savedBytes: number;
  /** Pages with any shared fragment, and bytes of source in them. */
  sharedPages: number;
  sharedBytes: number;
}

/** A cumulative distribution: of `total` things, `point[1]` are at most `point[0]`. */
export interface Distribution {
  relation: Relation;
  total: number;
  points: [value: number, count: number][];
  median: number;
  /** A tenth is at most the first, and a tenth at least the second. */
  low: number;
  high: number;
  largest: number;
}

export interface FragmentFigures {
  sites: number;
  pages: number;
  htmlBytes: number;
  relations: RelationFigures[];
  /** The first classes of each relation, those that save the most. */
  classes: FragmentClass[];
  /** Classes by number of members and by average size; pages by number of fragments and by shared percentage. */
  members: Distribution[];
  sizes: Distribution[];
  fragments: Distribution[];
  shares: Distribution[];
  /** When a dictionary was made. */
  compression?: CompressionFigures;
}

/** Folder of the tables within an output folder. */
const FRAGMENTS = 'fragments';
const COMPRESSION_FILE = 'compression.json';
const MOST_POINTS = 500;
const MOST_CLASSES = 200;

/** Whether an output folder holds an analysis of shared fragments. */
export function hasFragments(folder: string): boolean {
  return existsSync(join(folder, FRAGMENTS, CLASSES_FILE));
}

/** Reads the figures of an output folder; relations that were not asked for are absent. */
export async function readFragmentFigures(
  folder: string,
  { relations = RELATIONS, limit = MOST_CLASSES }: { relations?: readonly Relation[]; limit?: number } = {},
): Promise<FragmentFigures> {
  const database = await Database.open({ memoryMb: 512, threads: 2, spillFolder: scratchPath() });
  try {
    for (const [view, file] of Object.entries({ classes: CLASSES_FILE, pages: PAGES_FILE })) {
      const path = quoteFile(join(folder, FRAGMENTS, file));
      await database.run(`CREATE VIEW ${view} AS SELECT * FROM read_parquet(${path})`);
    }
    const [sums] = await database.rows<{ sites: number; pages: number; htmlBytes: number }>(
      'SELECT count(DISTINCT site) AS sites, count(*) AS pages, coalesce(sum(html_bytes), 0)::BIGINT AS "htmlBytes" FROM pages',
    );
    const figures: FragmentFigures = {
      ...sums,
      relations: [],
      classes: [],
      members: [],
      sizes: [],
      fragments: [],
      shares: [],
      ...readCompression(folder),
    };
    for (const relation of relations) {
      figures.relations.push(await readRelation(database, relation));
      figures.classes.push(...(await readClasses(database, relation, limit)));
      const ofClasses = (value: string) =>
        readDistribution(
          database,
          relation,
          `SELECT ${value} AS x FROM classes WHERE relation = ${quote(relation)}`,
        );
      const ofPages = (value: string) =>
        readDistribution(database, relation, `SELECT ${value} AS x FROM pages`);
      figures.members.push(await ofClasses('members'));
      figures.sizes.push(await ofClasses('round(avg_complete_bytes)'));
      figures.fragments.push(await ofPages(`${relation}_fragments`));
      // to a tenth of a percent: finer would not be seen
      figures.shares.push(await ofPages(`round(1000 * least(1, ${relation}_share)) / 10`));
    }
    return figures;
  } finally {
    database.close();
  }
}

async function readRelation(database: Database, relation: Relation): Promise<RelationFigures> {
  const [classes] = await database.rows<Omit<RelationFigures, 'relation' | 'sharedPages' | 'sharedBytes'>>(
    `SELECT count(*) AS classes, count(*) FILTER (kind = 'composite') AS composites,
       coalesce(sum(members), 0)::BIGINT AS members, coalesce(sum(saved_bytes), 0)::BIGINT AS "savedBytes"
     FROM classes WHERE relation = ${quote(relation)}`,
  );
  const [pages] = await database.rows<Pick<RelationFigures, 'sharedPages' | 'sharedBytes'>>(
    `SELECT count(*) FILTER (${relation}_fragments > 0) AS "sharedPages",
       coalesce(sum(${relation}_shared_bytes), 0)::BIGINT AS "sharedBytes" FROM pages`,
  );
  return { relation, ...classes, ...pages };
}

function readClasses(database: Database, relation: Relation, limit: number): Promise<FragmentClass[]> {
  return database.rows<FragmentClass>(
    `SELECT class AS id, relation, kind, parts, pages, members, sites, avg_bytes::DOUBLE AS "avgBytes",
       avg_complete_bytes::DOUBLE AS "avgCompleteBytes",
       structural_bytes AS "structuralBytes", saved_bytes AS "savedBytes", place, text, page, site, url
     FROM classes WHERE relation = ${quote(relation)} ORDER BY saved_bytes DESC, class LIMIT ${limit}`,
  );
}

/** Counts how many rows of a query, with one column x, are at most each value. */
async function readDistribution(
  database: Database,
  relation: Relation,
  values: string,
): Promise<Distribution> {
  const [quantiles] = await database.rows<Omit<Distribution, 'relation' | 'points'>>(
    `SELECT count(*) AS total, coalesce(quantile_disc(x, 0.5), 0)::DOUBLE AS median,
       coalesce(quantile_disc(x, 0.1), 0)::DOUBLE AS low, coalesce(quantile_disc(x, 0.9), 0)::DOUBLE AS high,
       coalesce(max(x), 0)::DOUBLE AS largest
     FROM (${values})`,
  );
  // the same number of distinct values between any two points; the last of each is kept, and the smallest
  const points = await database.rows<{ x: number; n: number }>(
    `WITH counted AS (SELECT x, count(*) AS n FROM (${values}) GROUP BY x),
       summed AS (SELECT x, sum(n) OVER (ORDER BY x) AS n, row_number() OVER (ORDER BY x) AS k, count(*) OVER () AS distinct_values FROM counted),
       cut AS (SELECT x, n, (k - 1) * ${MOST_POINTS - 1} // greatest(distinct_values, ${MOST_POINTS - 1}) AS bucket, k = 1 AS is_first FROM summed)
     SELECT x::DOUBLE AS x, n::BIGINT AS n FROM cut
     QUALIFY is_first OR x = max(x) OVER (PARTITION BY bucket) ORDER BY x`,
  );
  return { relation, ...quantiles, points: points.map(({ x, n }) => [x, n]) };
}

function readCompression(folder: string): { compression?: CompressionFigures } {
  const path = join(folder, FRAGMENTS, COMPRESSION_FILE);
  return existsSync(path)
    ? { compression: JSON.parse(readFileSync(path, 'utf8')) as CompressionFigures }
    : {};
}
