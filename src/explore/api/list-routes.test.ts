import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../../test/command-line.ts';
import { type ExploredSample, exploreFolder, exploreSample } from '../../../test/explore-folder.ts';
import type { FragmentRow } from '../../store/explore/fragment-rows.ts';
import type { ChangeListRow, HistoryAnswer } from '../../store/explore/history-rows.ts';
import type { GroupRow, SchemaRow } from '../../store/explore/schema-rows.ts';
import type { PageAnswer } from '../page-answers.ts';

const SITE = 'en1.example';
let sample: ExploredSample;
let bare: ExploredSample;
let fragments: ExploredSample;

beforeAll(async () => {
  bare = await exploreSample({ command: 'history' });
  const { folder, warc } = bare;
  const lists = ['--format', 'jsonl', '--workers', '0', '-q', '-o'];
  expect((await chaff(['groups', warc, '--members', ...lists, join(folder, 'groups.jsonl')])).code).toBe(0);
  expect((await chaff(['changes', warc, ...lists, join(folder, 'changes.jsonl')])).code).toBe(0);
  sample = await exploreFolder(folder);
  const shared = join(folder, '../sample.fragments');
  expect((await chaff(['fragments', warc, '-o', shared, '--workers', '0', '-q'])).code).toBe(0);
  fragments = await exploreFolder(shared);
}, 120_000);
afterAll(async () => {
  await fragments?.close();
  await sample?.close();
  await bare?.close();
  if (fragments) rmSync(fragments.folder, { recursive: true, force: true });
});

const json = async <T>(path: string, from = sample): Promise<T> => (await (await from.ask(path)).json()) as T;

test('schemas of a site lead to a typical page', async () => {
  const rows = await json<SchemaRow[]>(`/api/schemas?site=${SITE}`);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.map(({ schema }) => schema)).toEqual(rows.map((_, k) => k + 1));
  for (const { typicalUrl } of rows) expect(typicalUrl).toContain(SITE);
});

test('groups are read from the list in the folder, and lead to pages', async () => {
  const rows = await json<GroupRow[]>(`/api/groups?site=${SITE}`);
  expect(rows.length).toBeGreaterThan(0);
  for (const { page, pages, group } of rows) {
    expect(page).not.toBeNull();
    expect((await json<{ total: number }>(`/api/pages?site=${SITE}&group=${group}`)).total).toBe(pages);
  }
});

test('history has the snapshots of a site with new and removed templates', async () => {
  const { snapshots } = await json<HistoryAnswer>(`/api/history?site=${SITE}`);
  expect(snapshots.length).toBeGreaterThan(1);
  expect(snapshots[0]).toMatchObject({ site: SITE, came: 0, went: 0 });
  expect(snapshots.some(({ came, went }) => came > 0 && went > 0)).toBe(true);
  const all = await json<HistoryAnswer>('/api/history');
  // each redesign leads to a page that was captured before and after it
  expect(all.redesigns.length).toBeGreaterThan(0);
  for (const { example, first } of all.redesigns) {
    const { captures, row } = await json<PageAnswer>(`/api/page?page=${example}`);
    expect(row.time.slice(0, 10) >= first).toBe(true);
    expect(captures.some(({ time }) => time.slice(0, 10) < first)).toBe(true);
  }
  expect(new Set(all.snapshots.map(({ site }) => site)).size).toBe(2);
});

test('changes can be narrowed by class and words', async () => {
  interface Changes {
    total: number;
    rows: ChangeListRow[];
    byClass: { class: string; count: number }[];
  }
  const all = await json<Changes>('/api/changes');
  expect(all.total).toBe(all.byClass.reduce((sum, { count }) => sum + count, 0));
  const [{ class: name, count }] = all.byClass;
  expect((await json<Changes>(`/api/changes?class=${name}`)).total).toBe(count);
  expect((await json<Changes>('/api/changes?find=no%20such%20words%20anywhere')).total).toBe(0);
  expect((await sample.ask('/api/changes?class=odd')).status).toBe(400);
});

test('fragments have a folder of their own, whose pages can be listed', async () => {
  const { rows } = await json<{ rows: FragmentRow[] }>('/api/fragments', fragments);
  const [first] = rows;
  expect(first.savedBytes).toBeGreaterThan(0);
  const pages = await json<{ total: number }>(`/api/pages?fragment=${first.id}`, fragments);
  expect(pages.total).toBe(first.pages);
  expect(await json('/api/sites', fragments)).toEqual([]);
});

test('a missing table is answered as missing', async () => {
  for (const path of [`/api/groups?site=${SITE}`, '/api/changes', '/api/fragments']) {
    expect((await bare.ask(path)).status).toBe(404);
  }
  expect((await fragments.ask('/api/map?site=x')).status).toBe(404);
});
