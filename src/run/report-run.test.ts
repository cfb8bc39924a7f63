import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { folderDigest } from '../../test/folder-digest.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { FolderSql } from '../store/folder-sql.ts';
import { openFolder } from '../store/open-folder.ts';
import { OutputFolderError } from '../store/run-folder.ts';
import { BAR_STEP } from '../store/site-pictures.ts';
import { type ReportRunOptions, runReport } from './report-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const newOutput = () => join(mkdtempSync(join(folder, 'run-')), 'out');
let warcs: string[];
let expected: string;
let reference: string;

/** Small parts, so that a small archive makes many tasks. */
const small = { partPages: 20, sample: 30 } satisfies Partial<ReportRunOptions>;

beforeAll(async () => {
  const archives = [
    { name: 'one', seed: 1, sites: 2, pagesPerSite: 40, captures: 2 },
    { name: 'two', seed: 2, sites: 1, pagesPerSite: 60, damaged: true },
    { name: 'three', seed: 3, sites: 3, pagesPerSite: 3, soup: true },
  ];
  warcs = [];
  for (const options of archives) warcs.push((await writeSampleArchive(folder, options)).warc);
  reference = newOutput();
  await runReport(warcs, { ...small, output: reference, workers: 0 });
  expected = folderDigest(reference);
});

test('the folder has all its parts and no scratch files', () => {
  expect(readdirSync(reference).sort()).toEqual([
    'pages',
    'problems.jsonl',
    'ranges',
    'run.json',
    'study',
    'templates',
    'text',
  ]);
});

test('a history that fails at its end leaves no thread that would keep the process alive', async () => {
  const output = newOutput();
  const ports = () => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = ports();
  const run = runReport(warcs.slice(0, 1), {
    output,
    workers: 1,
    history: { fromYear: 1996, toYear: 2030 },
    // a file where the folder of a table is to be
    onProgress: ({ stage }) => stage === 'finish' && writeFileSync(join(output, 'templates'), ''),
  });
  await expect(run).rejects.toThrow('templates');
  expect(ports()).toBe(before);
});

test('every capture is accounted for, and damaged captures are reported', () => {
  const { counts, inputs } = JSON.parse(readFileSync(join(reference, 'run.json'), 'utf8'));
  const skipped = Object.values(counts.skipped as Record<string, number>).reduce((a, b) => a + b, 0);
  expect(counts.captures).toBe(counts.pages + skipped);
  expect(counts.captures).toBe(
    inputs.reduce((sum: number, input: { captures: number }) => sum + input.captures, 0),
  );
  expect(counts.skipped['http-status']).toBeGreaterThan(0);
  expect(Object.keys(counts.problems).length).toBeGreaterThan(0);
  expect(inputs.map(({ sha256 }: { sha256: string }) => sha256.length)).toEqual([64, 64, 64]);
});

test('a finished folder is not made again, and not written over by another run', async () => {
  const before = folderDigest(reference);
  const { resumed } = await runReport(warcs, { ...small, output: reference, workers: 0 });
  expect(resumed).toBe(true);
  const other = runReport(warcs, { ...small, sample: 10, output: reference, workers: 0 });
  await expect(other).rejects.toThrow(OutputFolderError);
  expect(folderDigest(reference)).toBe(before);
});

test('a folder that is written over keeps nothing of the run before', async () => {
  const output = newOutput();
  const years = { snapshot: 'year', compareSettings: ['8.2.0.30'] } satisfies Partial<ReportRunOptions>;
  await runReport([warcs[0]], {
    ...small,
    ...years,
    history: { fromYear: 1996, toYear: 2030 },
    output,
    workers: 0,
  });
  expect(existsSync(join(output, 'history')) && existsSync(join(output, 'study', 'settings.parquet'))).toBe(
    true,
  );
  mkdirSync(join(output, 'figures'));
  writeFileSync(join(output, 'figures', 'of-another-run.csv'), '');
  await runReport(warcs, { ...small, output, overwrite: true, workers: 1 });
  expect(folderDigest(output)).toBe(expected);
  expect(existsSync(join(output, 'figures'))).toBe(false);
});

test('the ranges of every page tile it, by every detector', async () => {
  const sql = await FolderSql.open(reference);
  const { rows } = await sql.query(`
    SELECT count(*) FROM (
      SELECT page, detector, html_bytes, sum("end" - "start") AS covered, min("start") AS first, max("end") AS last
      FROM ranges JOIN pages USING (page) GROUP BY ALL
    ) WHERE covered = html_bytes AND first = 0 AND last = html_bytes`);
  const { counts } = JSON.parse(readFileSync(join(reference, 'run.json'), 'utf8'));
  for await (const [[n]] of rows) expect(Number(n)).toBe(counts.pages * 2);
  sql.close();
});

test('captures of one URL count as one page of a template', async () => {
  const sql = await FolderSql.open(reference);
  const { rows } = await sql.query(`
    SELECT max(t.pages) <= any_value(u.urls) AS fits FROM templates t
    JOIN (SELECT site, count(DISTINCT url) AS urls FROM pages GROUP BY site) u USING (site) GROUP BY site`);
  for await (const batch of rows) expect(batch.every(([fits]) => fits === true)).toBe(true);
  sql.close();
});

test('users can read all tables, and nothing else on the machine', async () => {
  const sql = await FolderSql.open(reference);
  for (const table of [
    'pages',
    'ranges',
    'templates',
    'aggregates',
    'schemas',
    'page_schemas',
    'text',
    'problems',
  ]) {
    const { rows } = await sql.query(`SELECT count(*) AS n FROM ${table}`);
    for await (const [[n]] of rows) expect(Number(n)).toBeGreaterThan(0);
  }
  await expect(sql.query(`SELECT * FROM read_text('${join(folder, 'killed.mts')}')`)).rejects.toThrow();
  await expect(sql.query(`COPY pages TO '${join(reference, 'x.csv')}'`)).rejects.toThrow(/only queries/);
  await expect(sql.query('SELECT 1; SELECT 2')).rejects.toThrow(/one query/);
  await expect(sql.query('SET enable_external_access = true')).rejects.toThrow();
  sql.close();
});

test('a finished folder answers what the report asks', async () => {
  const opened = await openFolder(reference);
  const sites = await opened.sites();
  expect(sites.length).toBe(opened.run.counts.sites);
  expect(sites.reduce((sum, { pages }) => sum + pages, 0)).toBe(opened.run.counts.pages);
  const [{ site, inside, textBytes }] = sites;
  for (const detector of ['joint', 'dom']) {
    expect(inside[detector].textBytes).toBeGreaterThan(0);
    expect(inside[detector].textBytes).toBeLessThan(textBytes);
  }
  const pictures = await opened.pictures([site], { mostBars: 10, mostTemplates: 5 });
  expect(pictures.map(({ detector }) => detector)).toEqual(['joint', 'dom']);
  const { bars, templates, templateCount } = pictures[1];
  expect(bars).toHaveLength(10);
  expect(
    bars.every(({ ranges, sizeBytes }) => ranges.every((end, k) => k % BAR_STEP !== 1 || end <= sizeBytes)),
  ).toBe(true);
  expect(templates).toHaveLength(5);
  expect(templates[0].pages).toBeGreaterThanOrEqual(templates[4].pages);
  expect(templateCount).toBeGreaterThanOrEqual(5);
  const numbers = bars.flatMap(({ ranges }) => ranges.filter((_, k) => k % BAR_STEP === 2));
  expect(Math.max(...numbers)).toBeLessThan(5);
  expect(Math.max(...numbers)).toBeGreaterThanOrEqual(0);
  expect((await opened.problems({ limit: 1 }))[0].code).toBeTruthy();
  opened.close();
});

test('a missing input is a problem and the rest is read', async () => {
  const output = newOutput();
  const { run } = await runReport([warcs[2], join(folder, 'gone.warc')], {
    output,
    workers: 0,
    detectors: ['dom'],
  });
  expect(run.counts.problems['missing-file']).toBe(1);
  expect(run.counts.pages).toBeGreaterThan(0);
  expect(run.inputs.map(({ name }) => basename(name))).toEqual(['three.warc.gz']);
});

test('an archive without pages makes no folder', async () => {
  const empty = join(folder, 'empty.warc');
  writeFileSync(empty, 'WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n');
  const output = newOutput();
  await expect(runReport([empty], { output, workers: 0 })).rejects.toMatchObject({
    accounts: { captures: 0, pages: 0 },
  });
  expect(existsSync(output)).toBe(false);
});
