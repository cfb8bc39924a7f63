/** docs/reference/queries.md against the queries that the report asks: the same ones, word for word, and each of them runs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { FolderSql } from '../src/store/folder-sql.ts';
import { HISTORY_QUERIES } from '../src/store/history/history-queries.ts';
import { STUDY_QUERIES, type StudyQuery } from '../src/store/study/study-queries.ts';
import { chaff } from './command-line.ts';

const path = new URL('../docs/reference/queries.md', import.meta.url);
const scratch = mkdtempSync(join(tmpdir(), 'chaff-queries-'));
let folder: FolderSql;

const PARTS: { title: string; queries: StudyQuery[] }[] = [
  { title: 'What templates show about sites', queries: Object.values(STUDY_QUERIES) },
  { title: 'How they change', queries: Object.values(HISTORY_QUERIES) },
];

beforeAll(async () => {
  const { warc } = await writeSampleArchive(scratch, {
    sites: 2,
    pagesPerSite: 8,
    generations: 2,
    captures: 2,
  });
  writeFileSync(join(scratch, 'sites.csv'), 'site,category,collection\nen1.example,News,popular\n');
  const categories = ['--categories', join(scratch, 'sites.csv')];
  const settings = ['--compare-settings', '32.10.0.20,32.10.8.20', '--sample', '20'];
  const options = ['--workers', '0', '-q', ...categories, ...settings];
  await chaff(['history', warc, '-o', join(scratch, 'out'), ...options]);
  folder = await FolderSql.open(join(scratch, 'out'));
}, 60_000);
afterAll(() => {
  folder?.close();
  rmSync(scratch, { recursive: true, force: true });
});

test('the list is that of the code; UPDATE=1 writes it', () => {
  const text = queriesPage();
  if (process.env.UPDATE === '1') writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

for (const { name, sql } of PARTS.flatMap(({ queries }) => queries)) {
  test(`${name} runs over a folder`, async () => {
    const { columns, rows } = await folder.query(sql('dom'));
    expect(columns.length).toBeGreaterThan(1);
    let count = 0;
    for await (const batch of rows) count += batch.length;
    // two sites in four languages share no template, nothing is left out, and their one redesign is not a smaller change
    if (
      ![
        'shared-by-sites',
        'left-out',
        'outliers',
        'schema-changes',
        'categories-without-pages',
        'smaller-changes',
      ].includes(name)
    )
      expect(count).toBeGreaterThan(0);
  });
}

test('the help of chaff sql names every table of a folder', async () => {
  const { stdout } = await chaff(['sql', '--help']);
  const { rows } = await folder.query('SHOW TABLES');
  const tables: string[] = [];
  for await (const batch of rows) tables.push(...batch.map(([name]) => String(name)));
  expect(tables).toContain('history_redesigns');
  expect(tables.filter((name) => !new RegExp(`\\b${name}\\b`).test(stdout))).toEqual([]);
});

const OPTIONS = { categories: 'categories', settings: 'compare-settings' };

function queriesPage(): string {
  const parts = PARTS.map(({ title, queries }) => `## ${title}\n\n${queries.map(entryOf).join('\n')}`);
  return `# The queries behind the report

Each number of \`report.html\` about templates, sites and their history is the answer to one of these queries over the
[output folder](output-folder.md). Run one with \`chaff sql crawl.chaff "select …"\`. The queries are those of the code, for
the detector \`dom\`; replace the name for another detector. Shares are from 0 to 1; \`moment\`, \`begins\`, \`ends\`, \`born\` and
\`died\` are seconds since 1970.

${parts.join('\n')}`;
}

function entryOf({ name, about, sql, needs }: StudyQuery): string {
  return `### ${name}\n\n${about}${needs ? ` Needs \`--${OPTIONS[needs]}\`.` : ''}\n\n\`\`\`sql\n${sql('dom')}\n\`\`\`\n`;
}
