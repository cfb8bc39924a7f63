/**
 * Analyses shared fragments over the digests of all tasks: classes by a sort, runs of shared siblings, maximal
 * classes by a sweep from the largest fragment to the smallest, members and sums by a last pass. The database keeps
 * to its memory limit and spills to disk. Memory here: four bytes per digest row and relation, some sixty per
 * class, and while a relation is analysed another 17 bytes per row and 60 per fragment with a shared neighbour.
 * Cost: a sort of the rows for each relation, three passes over them, and a suffix array of the neighbours.
 */
import { join } from 'node:path';
import {
  DEFAULT_COMPOSITES,
  DEFAULT_MIN_BYTES,
  DEFAULT_MIN_SHARED,
  RELATIONS,
  type Relation,
  type SharingOptions,
} from '../../fragments/shared-page.ts';
import { type Database, filesOf, quote } from '../database.ts';
import type { Columns } from '../table.ts';
import { copyToParquet, TableRows } from '../table-rows.ts';
import { findCandidates, NO_CANDIDATES } from './composite-candidates.ts';
import { type DigestRows, findSharedGroups, readSiblingRuns } from './fragment-groups.ts';
import { collectMembers, MEMBER_TABLE, RelationSums } from './fragment-members.ts';
import { DIGESTS_FILE, FRAGMENT_PAGES_FILE } from './fragment-part.ts';
import {
  CLASS_ROW_COLUMNS,
  DIGEST_ROW_COLUMNS,
  FRAGMENT_PAGE_COLUMNS,
  MEMBER_ROW_COLUMNS,
  PAGE_SUM_COLUMNS,
} from './fragment-schema.ts';
import { mergeAdjacentClasses, sweep } from './fragment-sweep.ts';

/** Digests to analyse, relations and limits. */
export interface AnalysisOptions extends SharingOptions {
  /** Folders of the digest tasks, in page order; pages of a site are adjacent. */
  folders: readonly string[];
  /** Relations to analyse. @default both */
  relations?: readonly Relation[];
  /** Called after each step: classes, maximal classes, composites, members. */
  onStep?: (step: 'sweep' | 'composites' | 'members') => void;
}

/** Description of a class, which needs one of its pages. */
export interface Description {
  place: string;
  text: string;
}

/** First member of a class, whose page is opened to describe the class. */
export interface FirstMember {
  relation: Relation;
  /** Number of the class within its relation, for `describe`. */
  number: number;
  page: number;
  node: number;
  sibling: number;
}

/** Results of the analysis until they are written. */
export class FragmentAnalysis {
  readonly pageCount: number;
  readonly #database: Database;
  /** SQL source of the pages. */
  readonly #pages: string;
  readonly #relations: RelationSums[];
  readonly #descriptions = new Map<string, Description>();

  constructor(database: Database, relations: RelationSums[], pages: string, pageCount: number) {
    this.#database = database;
    this.#relations = relations;
    this.#pages = pages;
    this.pageCount = pageCount;
  }

  classCount(relation: Relation): number {
    return this.#relations.find((sums) => sums.relation === relation)?.classes.count ?? 0;
  }

  /**
   * Returns the first members of the classes that save the most bytes, up to a number per relation, in page order.
   */
  firstMembers(most = Number.POSITIVE_INFINITY): FirstMember[] {
    const found = this.#relations.flatMap((sums) => {
      const numbers = Array.from({ length: sums.classes.count }, (_, k) => k + 1);
      if (most < numbers.length) numbers.sort((a, b) => sums.compareSaved(a, b));
      return numbers.slice(0, most).map((number) => ({
        relation: sums.relation,
        number,
        page: sums.firstPage[number],
        node: sums.firstNode[number],
        sibling: sums.firstSibling[number],
      }));
    });
    return found.sort((a, b) => a.page - b.page || a.node - b.node);
  }

  /** Sets the description of a class; classes without one have empty texts. */
  describe({ relation, number }: FirstMember, description: Description): void {
    this.#descriptions.set(`${relation} ${number}`, description);
  }

  /** Writes classes.parquet, members.parquet and pages.parquet into a folder, with the same bytes in every run. */
  async write(folder: string): Promise<void> {
    const database = this.#database;
    const relations = this.#relations;
    const pages = this.#pages;
    const descriptionOf = (relation: Relation, number: number) =>
      this.#descriptions.get(`${relation} ${number}`);
    const [{ threads }] = await database.rows("SELECT current_setting('threads') AS threads");
    // with several threads, row groups would vary from run to run
    await database.run('SET threads = 1');
    await writeMembers(database, join(folder, 'members.parquet'));
    await writeClasses(database, join(folder, 'classes.parquet'), { relations, pages, descriptionOf });
    await writePages(database, join(folder, 'pages.parquet'), { relations, pages });
    await database.run(`SET threads = ${threads}`);
  }

  /** Drops the tables of the analysis from the database. */
  async drop(): Promise<void> {
    await this.#database.run(`DROP TABLE ${MEMBER_TABLE}`);
  }
}

/** Finds the maximal shared fragments of all pages. The database should have a spill folder. */
export async function analyseFragments(
  database: Database,
  {
    folders,
    minShared = DEFAULT_MIN_SHARED,
    minBytes = DEFAULT_MIN_BYTES,
    composites = DEFAULT_COMPOSITES,
    relations = RELATIONS,
    onStep = () => {},
  }: AnalysisOptions,
): Promise<FragmentAnalysis> {
  const digests = readParts(folders, DIGESTS_FILE, DIGEST_ROW_COLUMNS);
  const pages = readParts(folders, FRAGMENT_PAGES_FILE, FRAGMENT_PAGE_COLUMNS);
  const { firstRow, rowCount, siteOfPage, pageCount } = await readPages(database, pages);
  const rows: DigestRows = { from: digests, rowCount, firstRow, minBytes };

  const sums: RelationSums[] = [];
  for (const relation of RELATIONS) {
    if (!relations.includes(relation)) continue;
    const groups = await findSharedGroups(database, rows, { relation, minShared });
    onStep('sweep');
    const runs = await readSiblingRuns(database, rows, groups, relation);
    const isExact = composites === 'exact';
    const candidates = isExact ? findCandidates(runs, groups, minShared) : NO_CANDIDATES;
    onStep('composites');
    const maximal = sweep(groups, runs, candidates, { minShared });
    onStep('sweep');
    const classes = isExact ? maximal : mergeAdjacentClasses(maximal, runs);
    onStep('composites');
    sums.push(new RelationSums(relation, classes, siteOfPage));
  }

  const columns = Object.entries(MEMBER_ROW_COLUMNS).map(([name, { type }]) => `"${name}" ${type}`);
  await database.run(`CREATE TABLE ${MEMBER_TABLE} (${columns.join(', ')})`);
  const writing = await database.connect();
  try {
    await collectMembers(database, writing, rows, sums);
  } finally {
    writing.closeSync();
  }
  onStep('members');
  return new FragmentAnalysis(database, sums, pages, pageCount);
}

/** Returns the first row of each page, rows numbered from 0 over all pages, and the number of its site. */
async function readPages(database: Database, pages: string) {
  const [{ most }] = await database.rows<{ most: number | null }>(`SELECT max(page) AS most FROM ${pages}`);
  const firstRow = new Uint32Array((most ?? 0) + 1);
  const siteOfPage = new Uint32Array((most ?? 0) + 1);
  const seen = new Set<number>();
  let rowCount = 0;
  let pageCount = 0;
  let lastSite = 0;
  const sql = `SELECT page, "rows", (dense_rank() OVER (ORDER BY site))::UINTEGER FROM ${pages} ORDER BY page`;
  for await (const { rowCount: count, columns } of database.lanes(sql)) {
    const [numbers, rows, sites] = columns;
    for (let k = 0; k < count; k++) {
      firstRow[numbers[k]] = rowCount;
      siteOfPage[numbers[k]] = sites[k];
      rowCount += rows[k];
      pageCount++;
      if (sites[k] === lastSite) continue;
      // the sites of a class are counted by changes of site
      if (seen.has(sites[k])) throw new Error(`pages of the site of page ${numbers[k]} are not adjacent`);
      seen.add(sites[k]);
      lastSite = sites[k];
    }
  }
  return { firstRow, rowCount, siteOfPage, pageCount };
}

/** SQL for the parts of tasks as one table, in their order; an empty table when there are no parts. */
function readParts(folders: readonly string[], name: string, columns: Columns): string {
  if (folders.length > 0) return `read_parquet(${filesOf(folders, name)})`;
  const typed = Object.entries(columns).map(([name, { type }]) => `NULL::${type} AS "${name}"`);
  return `(SELECT ${typed.join(', ')} LIMIT 0)`;
}

const RELATION_NAME = `CASE relation ${RELATIONS.map((name, k) => `WHEN ${k} THEN ${quote(name)}`).join(' ')} END`;
const CLASS_ID = `lpad(lower(to_hex(class)), 16, '0')`;

async function writeMembers(database: Database, path: string): Promise<void> {
  await copyToParquet(
    database,
    `SELECT ${RELATION_NAME} AS relation, ${CLASS_ID} AS class, page, node, sibling, parent, "start", "end",
       complete_bytes, start_line, start_column, end_line, end_column
     FROM ${MEMBER_TABLE}`,
    path,
  );
}

interface ClassTableOptions {
  relations: readonly RelationSums[];
  /** SQL source of the pages. */
  pages: string;
  descriptionOf: (relation: Relation, number: number) => { place: string; text: string } | undefined;
}

async function writeClasses(
  database: Database,
  path: string,
  { relations, pages, descriptionOf }: ClassTableOptions,
): Promise<void> {
  const rows = new TableRows(CLASS_ROW_COLUMNS);
  for (const sums of relations) {
    const { classes } = sums;
    const ids = new BigUint64Array(classes.ids.buffer);
    for (let number = 1; number <= classes.count; number++) {
      const description = descriptionOf(sums.relation, number);
      rows.add({
        relation: sums.ordinal,
        class: ids[number],
        parts: classes.parts[number],
        pages: sums.pages[number],
        members: sums.members[number],
        sites: sums.sites[number],
        source_bytes: sums.sourceBytes[number],
        complete_bytes: sums.completeBytes[number],
        structural_bytes: sums.structuralBytes[number],
        page: sums.firstPage[number],
        place: description?.place ?? '',
        text: description?.text ?? '',
      });
    }
  }
  await rows.toTable(database, 'class_rows');
  await copyToParquet(
    database,
    `SELECT ${RELATION_NAME} AS relation, ${CLASS_ID} AS class,
       CASE WHEN parts = 1 THEN 'primitive' ELSE 'composite' END AS kind,
       parts, c.pages, members, sites, source_bytes / members AS avg_bytes,
       complete_bytes / members AS avg_complete_bytes, structural_bytes,
       round(source_bytes - source_bytes / members)::BIGINT AS saved_bytes, place, text, page, site, url
     FROM class_rows c JOIN (SELECT page, site, url FROM ${pages}) USING (page)
     ORDER BY c.relation, saved_bytes DESC, c.class`,
    path,
  );
  await database.run('DROP TABLE class_rows');
}

async function writePages(
  database: Database,
  path: string,
  { relations, pages }: Pick<ClassTableOptions, 'relations' | 'pages'>,
): Promise<void> {
  const rows = new TableRows(PAGE_SUM_COLUMNS);
  const sumsOf = (name: Relation) => relations.find(({ relation }) => relation === name);
  const complete = sumsOf('complete');
  const structural = sumsOf('structural');
  const length = relations[0]?.pageFragments.length ?? 0;
  for (let page = 0; page < length; page++) {
    rows.add({
      page,
      complete_fragments: complete?.pageFragments[page] ?? 0,
      complete_shared_bytes: complete?.pageBytes[page] ?? 0,
      structural_fragments: structural?.pageFragments[page] ?? 0,
      structural_shared_bytes: structural?.pageBytes[page] ?? 0,
    });
  }
  await rows.toTable(database, 'page_sums');
  const columns = RELATIONS.map(
    (name) => `${name}_fragments, ${name}_shared_bytes,
      coalesce(${name}_shared_bytes / nullif(html_bytes, 0), 0)::FLOAT AS ${name}_share`,
  );
  await copyToParquet(
    database,
    `SELECT page, site, url, time, file, entry, "offset", length, html_bytes, ${columns.join(', ')}
     FROM ${pages} JOIN page_sums USING (page) ORDER BY page`,
    path,
  );
  await database.run('DROP TABLE page_sums');
}
