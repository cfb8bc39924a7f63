import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { runReport } from '../run/report-run.ts';
import { openFolder } from '../store/open-folder.ts';
import { BAR_STEP } from '../store/site-pictures.ts';
import { figureCsv, figureFile } from './figures/figure.ts';
import { readReportData, writeReport } from './write-report.ts';

let folder: string;
let output: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-report-'));
  output = join(folder, 'out');
  const { warc } = await writeSampleArchive(folder, { sites: 2, pagesPerSite: 30, generations: 2 });
  await runReport([warc], {
    output,
    workers: 0,
    beforeFinish: async (opened, rest) => {
      await writeReport(opened, { rest });
    },
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a report written during the run and one written later are the same', async () => {
  const during = readFileSync(join(output, 'report.html'), 'utf8');
  expect(readFileSync(await writeReport(output), 'utf8')).toBe(during);
});

test('the data of a folder adds up', async () => {
  const opened = await openFolder(output);
  const data = await readReportData(opened);
  opened.close();
  const { counts, sites, pictures, detectors } = data;
  const skipped = Object.values(counts.skipped).reduce((sum, count) => sum + count, 0);
  expect(counts.captures).toBe(counts.labelled + skipped);
  expect(sites.reduce((sum, site) => sum + site.pages, 0)).toBe(counts.labelled);
  expect(pictures).toHaveLength(sites.length * detectors.length);
  for (const picture of pictures) {
    expect(picture.bars).toHaveLength(picture.pages);
    for (const { ranges, sizeBytes } of picture.bars) {
      for (let at = 0; at < ranges.length; at += BAR_STEP) {
        expect(ranges[at + 1]).toBeLessThanOrEqual(sizeBytes);
        expect(ranges[at + 2]).toBeLessThan(picture.templates.length);
        if (ranges[at + 3] === 0) expect(ranges[at + 2]).toBeGreaterThanOrEqual(0);
      }
    }
  }
});

test('a site with templates shows most of its bars coloured', async () => {
  const opened = await openFolder(output);
  const { sites } = await readReportData(opened);
  opened.close();
  for (const { inside, htmlBytes } of sites) expect(inside.dom.htmlBytes / htmlBytes).toBeGreaterThan(0.2);
});

test('pictures and lists have files that hold what their queries give', async () => {
  const opened = await openFolder(output);
  const { study } = await readReportData(opened);
  const elsewhere = study!.figures.filter(({ shownElsewhere, absent }) => shownElsewhere && !absent);
  expect(elsewhere.map(({ slug }) => slug)).toContain('site-pictures');
  expect(elsewhere.map(({ slug }) => slug)).toContain('own-content');
  for (const figure of elsewhere) {
    const rows = await opened.ask<Record<string, unknown>>(figure.query!);
    const asked = rows.map((row) => figure.columns.map((name) => cellText(row[name])));
    expect(figure.rows.map((row) => row.map(cellText))).toEqual(asked);
    expect(figure.sentence).toMatch(/\.$/);
    expect(readFileSync(join(output, figureFile(figure)), 'utf8')).toBe(figureCsv(figure));
  }
  opened.close();
});

function cellText(value: unknown): string {
  return typeof value === 'number' ? String(Math.round(value * 1e4) / 1e4) : String(value);
}
