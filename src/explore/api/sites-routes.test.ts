import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploredSample, exploreSample } from '../../../test/explore-folder.ts';
import type { SiteRow } from '../../store/explore/site-rows.ts';

let sample: ExploredSample;

beforeAll(async () => {
  sample = await exploreSample({ sites: 3 });
});
afterAll(() => sample?.close());

test('a row for every site, with the share of its text inside templates by each detector', async () => {
  const rows = (await (await sample.ask('/api/sites')).json()) as SiteRow[];
  expect(rows.map(({ site }) => site).sort()).toEqual(['de1.example', 'el1.example', 'en1.example']);
  for (const { pages, urls, snapshots, shares, firstTime, lastTime } of rows) {
    expect(pages).toBeGreaterThanOrEqual(urls);
    expect(snapshots).toBeGreaterThan(0);
    expect(firstTime <= lastTime).toBe(true);
    expect(Object.keys(shares)).toEqual(['joint', 'dom']);
    for (const share of Object.values(shares)) expect(share > 0 && share < 1).toBe(true);
  }
});
