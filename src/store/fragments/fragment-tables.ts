/** The tables of an analysis as files: members as they were collected, classes by what they save, pages. */
import { RELATIONS, type Relation } from '../../fragments/shared-page.ts';
import { ColumnBuffer, copyToParquet } from '../column-buffer.ts';
import { type Database, quote } from '../database.ts';
import { MEMBER_TABLE, type RelationSums } from './fragment-members.ts';
import { CLASS_ROW_SCHEMA, PAGE_SUM_SCHEMA } from './fragment-schema.ts';

const RELATION_NAME = `CASE relation ${RELATIONS.map((name, k) => `WHEN ${k} THEN ${quote(name)}`).join(' ')} END`;
const CLASS_ID = `lpad(lower(to_hex(class)), 16, '0')`;

export async function writeMembers(database: Database, path: string): Promise<void> {
  await copyToParquet(
    database,
    `SELECT ${RELATION_NAME} AS relation, ${CLASS_ID} AS class, page, node, sibling, parent, "start", "end",
       complete_bytes, start_line, start_column, end_line, end_column
     FROM ${MEMBER_TABLE}`,
    path,
  );
}

export interface ClassTableOptions {
  relations: readonly RelationSums[];
  /** The pages, in SQL. */
  pages: string;
  descriptionOf: (relation: Relation, number: number) => { place: string; text: string } | undefined;
}

export async function writeClasses(
  database: Database,
  path: string,
  { relations, pages, descriptionOf }: ClassTableOptions,
): Promise<void> {
  const rows = new ColumnBuffer(CLASS_ROW_SCHEMA);
  for (const sums of relations) {
    const { classes } = sums;
    const ids = new BigUint64Array(classes.ids.buffer);
    for (let number = 1; number <= classes.count; number++) {
      const description = descriptionOf(sums.relation, number);
      rows.add(
        sums.ordinal,
        ids[number],
        classes.parts[number],
        sums.pages[number],
        sums.members[number],
        sums.sites[number],
        sums.sourceBytes[number],
        sums.completeBytes[number],
        sums.structuralBytes[number],
        sums.firstPage[number],
        description?.place ?? '',
        description?.text ?? '',
      );
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

export async function writePages(
  database: Database,
  path: string,
  { relations, pages }: Pick<ClassTableOptions, 'relations' | 'pages'>,
): Promise<void> {
  const rows = new ColumnBuffer(PAGE_SUM_SCHEMA);
  const byRelation = RELATIONS.map((name) => relations.find(({ relation }) => relation === name));
  const length = relations[0]?.pageFragments.length ?? 0;
  for (let page = 0; page < length; page++) {
    const sums = byRelation.flatMap((of) => [of?.pageFragments[page] ?? 0, of?.pageBytes[page] ?? 0]);
    rows.add(page, ...sums);
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
