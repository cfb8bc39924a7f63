import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaff } from '../../../test/command-line.ts';
import { type ExploredSample, exploreFolder, exploreSample } from '../../../test/explore-folder.ts';
import { gzipEach, warcRecord } from '../../../test/sample-archives.ts';
import type { AskResult } from '../../store/explore/ask-folder.ts';
import type { MapFacts } from '../../store/explore/map-rows.ts';
import type { PageList, PageListFacts } from '../../store/explore/page-lists.ts';
import { decodeBars, decodeTile, LABELS, OUTLIER } from '../map-format.ts';

const SITE = 'en1.example';
let sample: ExploredSample;

beforeAll(async () => {
  sample = await exploreSample({ pagesPerSite: 20 });
});
afterAll(() => sample?.close());

const json = async <T>(path: string): Promise<T> => (await (await sample.ask(path)).json()) as T;
const bytes = async (path: string): Promise<ArrayBuffer> => (await sample.ask(path)).arrayBuffer();
const bars = async (order: string) => decodeBars(await bytes(`/api/map/bars?site=${SITE}&order=${order}`));

/** Rows of a query by another way than the map's own. */
async function query(sql: string): Promise<AskResult['rows']> {
  const answer = await sample.ask('/api/ask', { method: 'POST', body: JSON.stringify({ query: sql }) });
  return ((await answer.json()) as AskResult).rows;
}

test('every page of the site is a bar, in each order once', async () => {
  const all = (await query(`SELECT page FROM pages WHERE site = '${SITE}' ORDER BY page`)).map(
    ([page]) => page,
  );
  const orders = await Promise.all(['length', 'schema', 'url', 'time'].map(bars));
  for (const { pages } of orders) expect([...pages].sort((a, b) => a - b)).toEqual(all);
  const [byLength, bySchema, , byTime] = orders;
  expect([...byLength.sizes]).toEqual([...byLength.sizes].sort((a, b) => b - a));
  const numbered = [...bySchema.schemas].filter((schema) => schema > 0);
  expect(numbered).toEqual([...numbered].sort((a, b) => a - b));
  const times = await query(`SELECT page, time FROM pages WHERE site = '${SITE}'`);
  const timeOf = new Map(times.map(([page, time]) => [page, String(time)]));
  const shown = [...byTime.pages].map((page) => timeOf.get(page)!);
  expect(shown).toEqual([...shown].sort());
});

test('the ranges of a bar are those of its page, with the templates of the list', async () => {
  const { pages } = await bars('url');
  const facts = await json<MapFacts>(`/api/map?site=${SITE}&detector=joint`);
  const tile = decodeTile(
    await bytes(`/api/map/tile?site=${SITE}&detector=joint&order=url&first=2&count=10&stride=3`),
  );
  expect(tile.offsets).toHaveLength(11);
  for (let k = 0; k < 10; k++) {
    const page = pages[2 + 3 * k];
    const expected = await query(
      `SELECT "start", "end", template, label, role FROM ranges
       WHERE page = ${page} AND detector = 'joint' AND (label <> 'content' OR role <> '') ORDER BY "start"`,
    );
    const found = [];
    for (let at = tile.offsets[k]; at < tile.offsets[k + 1]; at++) {
      const id = tile.templates[at] < 0 ? '' : facts.templates[tile.templates[at]].id;
      const role = tile.roles[at] === 0 ? '' : facts.roles[tile.roles[at] - 1];
      found.push([tile.starts[at], tile.ends[at], id, LABELS[tile.labels[at]], role]);
    }
    expect(found).toEqual(expected);
    expect(found.length).toBeGreaterThan(0);
  }
});

test('schemas and outliers are those of dom, by joint as well', async () => {
  const read = async (detector: string) =>
    decodeBars(await bytes(`/api/map/bars?site=${SITE}&order=url&detector=${detector}`));
  const [joint, dom] = [await read('joint'), await read('dom')];
  expect(joint.schemas).toEqual(dom.schemas);
  const rows = await query(
    `SELECT page, schema FROM page_schemas JOIN pages USING (page) WHERE site = '${SITE}' AND detector = 'dom'`,
  );
  const schemaOf = new Map(rows.map(([page, schema]) => [page, schema]));
  expect([...joint.schemas]).toEqual([...joint.pages].map((page) => schemaOf.get(page)));
});

test('outliers are those of the report: a page without a template is one', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'chaff-outliers-'));
  const warc = join(scratch, 'odd.warc.gz');
  const odd = warcRecord({
    url: `http://${SITE}/odd`,
    html: '<p>Nothing of this is anywhere else on the site.</p>',
  });
  writeFileSync(warc, Buffer.concat([readFileSync(sample.warc), gzipEach([odd])]));
  const { code, stderr } = await chaff(['report', warc, '-o', join(scratch, 'odd.chaff'), '--workers', '0']);
  expect(code, stderr).toBe(0);
  const explored = await exploreFolder(join(scratch, 'odd.chaff'));
  const read = async (path: string) => (await explored.ask(path)).arrayBuffer();
  const { pages, flags } = decodeBars(await read(`/api/map/bars?site=${SITE}&order=url`));
  const { rows } = (await (await explored.ask('/api/pages?find=/odd')).json()) as PageList;
  const outliers = readFileSync(join(scratch, 'odd.chaff/figures/table-12-outliers.csv'), 'utf8');
  await explored.close();
  rmSync(scratch, { recursive: true });
  const marked = [...pages].filter((_, k) => flags[k] & OUTLIER);
  expect(marked).toEqual([rows[0].page]);
  expect(outliers.match(/http:[^,]*/g)).toEqual([`http://${SITE}/odd`]);
});

test('a tile beyond the last bar is empty, and one of a site that is not there too', async () => {
  const beyond = decodeTile(await bytes(`/api/map/tile?site=${SITE}&first=100000&count=10`));
  expect([...beyond.offsets]).toEqual([0]);
  expect(decodeBars(await bytes('/api/map/bars?site=nowhere.example')).pages).toHaveLength(0);
});

test('wrong parameters are refused with what was expected', async () => {
  for (const [path, message] of [
    ['/api/map', 'site is missing'],
    [`/api/map?site=${SITE}&detector=none`, 'detector must be one of joint, dom'],
    [`/api/map/bars?site=${SITE}&order=colour`, 'order must be one of length, schema, url, time'],
    [`/api/map/tile?site=${SITE}&first=-1&count=5`, 'first must be a whole number from 0 to 4294967295'],
    [`/api/map/tile?site=${SITE}&first=0&count=99999`, 'count must be a whole number from 1 to 4096'],
    [
      `/api/map/tile?site=${SITE}&first=0&count=5&stride=0`,
      'stride must be a whole number from 1 to 4294967295',
    ],
  ]) {
    const answer = await sample.ask(path);
    expect([answer.status, await answer.json()]).toEqual([400, { error: message }]);
  }
});

test('a stretch of the map is a list of pages in its order', async () => {
  const { pages } = await bars('length');
  const list = await json<PageList>(`/api/pages?site=${SITE}&order=length&from=3&to=8`);
  expect(list.total).toBe(5);
  expect(list.rows.map(({ page }) => page)).toEqual([...pages.slice(3, 8)]);
});

test('pages are found by template, schema, words and number', async () => {
  const [[template, count]] = await query(
    `SELECT template, count(DISTINCT page) FROM ranges JOIN pages USING (page)
     WHERE site = '${SITE}' AND detector = 'dom' AND template <> '' GROUP BY template ORDER BY 2 DESC, 1 LIMIT 1`,
  );
  const held = await json<PageList>(`/api/pages?site=${SITE}&detector=dom&template=${template}`);
  expect(held.total).toBe(count);
  const [[schema, captures]] = await query(
    `SELECT schema, pages FROM schemas WHERE site = '${SITE}' AND detector = 'dom' ORDER BY schema LIMIT 1`,
  );
  expect((await json<PageList>(`/api/pages?site=${SITE}&schema=${schema}`)).total).toBe(captures);
  const [first] = held.rows;
  const facts = await json<PageListFacts>(`/api/pages/facts?page=${first.page}`);
  expect(facts).toMatchObject({ url: first.url, title: first.title });
  expect(Object.keys(facts.shares)).toEqual(['joint', 'dom']);
  expect(
    (await json<PageList>(`/api/pages?site=${SITE}&find=${encodeURIComponent(first.url)}`)).total,
  ).toBeGreaterThan(0);
  expect((await json<PageList>('/api/pages?find=%27%20OR%201%3D1')).total).toBe(0);
  expect((await sample.ask('/api/pages/facts?page=4000000')).status).toBe(404);
});
