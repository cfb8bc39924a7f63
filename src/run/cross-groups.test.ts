/** Groups of similar pages are worked on side by side: the labels are those of one worker after another. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { streamLabels } from './label-stream.ts';
import type { StreamRow } from './sinks/page-rows.ts';

const archive = await writeSampleArchive(mkdtempSync(join(tmpdir(), 'chaff-test-')), {
  sites: 1,
  pagesPerSite: 40,
  captures: 2,
  generations: 1,
});
const cross = { partPages: 10, detectors: ['cross' as const], want: ['ranges' as const] };

async function labels(options: Parameters<typeof streamLabels>[1]): Promise<StreamRow[]> {
  const rows: StreamRow[] = [];
  for await (const row of streamLabels([archive.warc], { ...cross, ...options })) rows.push(row);
  return rows;
}

test('layout groups labelled by several workers have the labels of one', async () => {
  const rows = await labels({ site: 'layout', workers: 0 });
  expect(new Set(rows.map((row) => 'site' in row && row.site)).size).toBeGreaterThan(2);
  expect(await labels({ site: 'layout', workers: 2 })).toEqual(rows);
});

test('pages of several LSH buckets merged by several workers have the labels of one', async () => {
  const detectorOptions = { cross: { variant: 'T006' as const, buckets: true } };
  const rows = await labels({ detectorOptions, workers: 0 });
  expect(JSON.stringify(rows)).toContain('crosses contradict each other');
  expect(await labels({ detectorOptions, workers: 2 })).toEqual(rows);
});

test('a page is compared with the captures of its URL before and after it', async () => {
  const rows = await labels({ workers: 0 });
  const compared = rows.filter((row) => JSON.stringify(row).includes('other captures'));
  expect(compared.length).toBeGreaterThan(rows.length / 2);
});
