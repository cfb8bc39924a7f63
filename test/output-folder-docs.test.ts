/** docs/reference/output-folder.md against a folder from a real run: the folder has what the page documents, and nothing else. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DONE, DONE_WITH_LOSSES } from '../src/cli/context.ts';
import { DAMAGE_CODES, FAULT_SKIP_CODES, NOTE_CODES, ORDINARY_SKIP_CODES } from '../src/model/problem.ts';
import { INPUT_FORMATS } from '../src/read/raw-record.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { describeTable } from '../src/store/table.ts';
import { OUTPUT_TABLES } from '../src/store/tables.ts';
import { chaff, rowsOf } from './command-line.ts';

const docFile = new URL('../docs/reference/output-folder.md', import.meta.url);
let doc = readFileSync(docFile, 'utf8');
const scratch = mkdtempSync(join(tmpdir(), 'chaff-docs-'));
const folder = join(scratch, 'sample.chaff');
const history = join(scratch, 'sample.history');
const fragments = join(scratch, 'sample.fragments');

beforeAll(async () => {
  const { warc } = await writeSampleArchive(scratch, {
    sites: 2,
    pagesPerSite: 8,
    captures: 2,
    damaged: true,
  });
  const categories = join(scratch, 'sites.csv');
  writeFileSync(categories, 'site,category,collection\nen1.example,News,popular\n');
  const options = ['--workers', '0', '-q', '--categories', categories, '--compare-settings'];
  const run = await chaff(['report', warc, '-o', folder, '--markdown', '--annotated', '1', ...options]);
  expect(run.code).toBe(DONE_WITH_LOSSES);
  const ended = await chaff(['history', warc, '-o', history, '--annotated', '1', ...options]);
  expect(ended.code).toBe(DONE_WITH_LOSSES);
  const shared = await chaff(['fragments', warc, '-o', fragments, '--workers', '0', '-q']);
  expect(shared.code).toBe(DONE_WITH_LOSSES);
}, 60_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

test('every file of the folder is documented, and every documented file is there', () => {
  const listed = /```\n(run\.json.*?)```/s.exec(doc)?.[1] ?? '';
  const names = [...listed.matchAll(/^([\w.]+)/gm)].map(([, name]) => name);
  expect(readdirSync(folder).sort()).toEqual(
    names.filter((name) => name !== '.work' && name !== 'history').sort(),
  );
});

test('the tables are those that the code declares; UPDATE=1 writes them', () => {
  for (const table of OUTPUT_TABLES) {
    const from = doc.indexOf('\n|', doc.indexOf(`\n## ${table.name}\n`)) + 1;
    const documented = /^(\|.*\n)+/.exec(doc.slice(from))?.[0] ?? '';
    const declared = describeTable(table);
    if (process.env.UPDATE === '1') doc = doc.slice(0, from) + declared + doc.slice(from + documented.length);
    expect(doc.slice(from).startsWith(declared), table.name).toBe(true);
  }
  if (process.env.UPDATE === '1') writeFileSync(docFile, doc);
});

for (const table of ['pages', 'ranges', 'templates', 'text', 'problems']) {
  test(`the columns of ${table} are documented with their types`, async () => {
    const columns = rowsOf(await chaff(['sql', folder, `describe ${table}`]));
    const actual = columns.map(({ column_name, column_type }) => `${column_name} ${column_type}`);
    const documented = rowsUnder(`## ${table}`).flatMap(([name, type]) =>
      name.startsWith('<detector>')
        ? ['joint', 'dom', 'text'].map((detector) => `${name.replace('<detector>', detector)} ${type}`)
        : [`${name} ${type}`],
    );
    // the columns of a detector are adjacent; the documentation lists each kind once
    if (table === 'pages') expect([...documented].sort()).toEqual([...actual].sort());
    else expect(documented).toEqual(actual);
  });
}

for (const table of [
  'aggregates',
  'schemas',
  'page_schemas',
  'categories',
  'collections',
  'settings',
  'history_captures',
  'history_values',
  'history_redesigns',
]) {
  test(`the columns of ${table} are documented with their types`, async () => {
    const columns = rowsOf(await chaff(['sql', history, `describe select * from ${table}`]));
    const actual = columns.map(({ column_name, column_type }) => `${column_name} ${column_type}`);
    expect(rowsUnder(`## ${table}`).map(([name, type]) => `${name} ${type}`)).toEqual(actual);
  });
}

test('chaff history writes the same folder, and its own tables in the folder history', () => {
  expect(readdirSync(history).sort()).toEqual([...readdirSync(folder), 'history'].sort());
});

for (const table of ['classes', 'members', 'pages']) {
  test(`the columns of fragment_${table} are documented with their types`, async () => {
    const columns = rowsOf(await chaff(['sql', fragments, `describe fragment_${table}`]));
    const actual = columns.map(({ column_name, column_type }) => `${column_name} ${column_type}`);
    expect(rowsUnder(`## fragment_${table}`).map(([name, type]) => `${name} ${type}`)).toEqual(actual);
  });
}

test('every file and count of chaff fragments is documented', () => {
  const files = readdirSync(join(fragments, 'fragments'));
  for (const name of files) expect(doc).toContain(`\nfragments/${name} `);
  expect(readdirSync(fragments).sort()).toEqual(['fragments', 'problems.jsonl', 'report.html', 'run.json']);
  const run = JSON.parse(readFileSync(join(fragments, 'run.json'), 'utf8'));
  const documented = rowsUnder('## run.json').map(([field]) => field);
  for (const name of Object.keys(run.counts)) {
    if (name !== 'complete' && name !== 'structural') expect(documented).toContain(`counts.${name}`);
  }
  for (const name of Object.keys(run.counts.complete)) expect(doc).toContain(`\`${name}\``);
});

test('every field of run.json is documented, and no other', () => {
  const run = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const fields = Object.keys(run).flatMap((name) => {
    if (name === 'inputs') return Object.keys(run.inputs[0]).map((part) => `inputs[].${part}`);
    return name === 'counts' || name === 'timings'
      ? Object.keys(run[name]).map((part) => `${name}.${part}`)
      : [name];
  });
  const documented = rowsUnder('## run.json').map(([field]) => field);
  expect(documented.sort()).toEqual(fields.sort());
  for (const format of INPUT_FORMATS) expect(doc).toContain(`\`${format}\``);
});

test('every skip and problem code is documented, and no other', () => {
  expect(firstCells('| ordinary skip |')).toEqual([...ORDINARY_SKIP_CODES]);
  expect(firstCells('| fault |')).toEqual([...FAULT_SKIP_CODES]);
  expect(firstCells('| damage |')).toEqual([...DAMAGE_CODES]);
  expect(firstCells('| note |')).toEqual([...NOTE_CODES]);
});

test('every option that is named exists', async () => {
  const helps = ['report', 'strip', 'page', 'sql', 'fragments'].map((command) =>
    chaff([command, '--help', 'all']),
  );
  const help = (await Promise.all(helps)).map(({ stdout }) => stdout).join('');
  const named = new Set([...doc.matchAll(/`(--[a-z-]+)/g)].map(([, option]) => option));
  expect(named.size).toBeGreaterThan(10);
  expect([...named].filter((option) => !help.includes(option))).toEqual([]);
});

const queries = [...doc.matchAll(/```sql\n(.*?)```/gs)].map(([, query]) => query);

test('every query runs and gives rows', async () => {
  expect(queries.length).toBeGreaterThan(5);
  for (const query of queries) {
    const result = await chaff(['sql', folder, query]);
    expect(result, query).toMatchObject({ code: DONE, stderr: '' });
    expect(rowsOf(result).length, query).toBeGreaterThan(0);
  }
});

/** The cells of the first table below a heading, without code marks. */
function rowsUnder(heading: string): string[][] {
  const from = doc.indexOf(`\n${heading}\n`);
  expect(from, heading).toBeGreaterThan(0);
  return tableAt(doc.indexOf('\n|', from) + 1);
}

function firstCells(header: string): string[] {
  const from = doc.indexOf(header);
  expect(from, header).toBeGreaterThan(0);
  return tableAt(from).map(([first]) => first);
}

function tableAt(from: number): string[][] {
  const table = /^(\|.*\n)+/.exec(doc.slice(from))?.[0] ?? '';
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')));
}
