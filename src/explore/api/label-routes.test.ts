import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploredSample, exploreSample } from '../../../test/explore-folder.ts';
import { readGold } from '../../evaluate/gold.ts';
import type { Agreement, LabelAnswer, Mark, QueueAnswer } from '../page-answers.ts';

let sample: ExploredSample;
let queue: QueueAnswer;

beforeAll(async () => {
  sample = await exploreSample();
  const sites = (await (await sample.ask('/api/sites')).json()) as { site: string }[];
  queue = await json<QueueAnswer>(`/api/labels/queue?site=${sites[0].site}&annotator=ana`);
});
afterAll(() => sample?.close());

async function json<T>(path: string, options?: RequestInit): Promise<T> {
  const answer = await sample.ask(path, options);
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as T;
}

const fileOf = (name: string) => join(sample.folder.replace(/\.chaff$/, '.labels'), `${name}.jsonl`);
const load = (page: number, name: string) =>
  json<LabelAnswer>(`/api/labels/page?page=${page}&annotator=${name}`);
const save = (page: number, name: string, body: { marks: (Mark | null)[]; version: string }) =>
  sample.ask(`/api/labels/page?page=${page}&annotator=${name}`, {
    method: 'PUT',
    body: JSON.stringify(body),
  });

test('pages with the least certain verdict come first, one per URL', () => {
  const shares = queue.pages.map(({ uncertainty }) => uncertainty);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(new Set(queue.pages.map(({ url }) => url)).size).toBe(queue.pages.length);
  expect(queue.unread).toBe(0);
});

test('groups hold the blocks of an element, and each lies inside the one around it', async () => {
  const { blocks, groups } = await load(queue.pages[0].page, 'ana');
  expect(groups[0]).toMatchObject({ parent: -1, first: 0, last: blocks.length });
  for (const { parent, first, last } of groups.slice(1)) {
    const around = groups[parent];
    expect(around.first <= first && last <= around.last).toBe(true);
    expect(last - first).toBeLessThan(around.last - around.first);
  }
});

test('marks are saved as gold: snippets at first, the whole text when all blocks are marked', async () => {
  const { page } = queue.pages[0];
  const { blocks, version } = await load(page, 'ana');
  const some = blocks.map(({ suggestion }, k) => (k < 5 ? suggestion : null));
  const first = (await (await save(page, 'ana', { marks: some, version })).json()) as { version: string };
  const partly = (await readGold(fileOf('ana'))).rows[0];
  expect(partly.text).toBeUndefined();
  expect(partly.keep.length + partly.drop.length).toBe(5);
  expect((await load(page, 'ana')).marks).toEqual(some);

  const all = blocks.map(({ suggestion }) => suggestion);
  expect((await save(page, 'ana', { marks: all, version: first.version })).status).toBe(200);
  const gold = await readGold(fileOf('ana'));
  expect(gold.problems).toEqual([]);
  expect(gold.rows).toHaveLength(1);
  expect(gold.rows[0].text!.length).toBeGreaterThan(50);
  expect(gold.rows[0].blocks).toHaveLength(blocks.length);
  const again = await json<QueueAnswer>(`/api/labels/queue?site=${queue.site}&annotator=ana`);
  expect(again.pages[0]).toMatchObject({ page, marked: blocks.length });
});

test('marks that were changed elsewhere meanwhile are not overwritten', async () => {
  const { page } = queue.pages[1];
  const { blocks, version } = await load(page, 'ana');
  const marks = blocks.map((): Mark => 'template');
  expect((await save(page, 'ana', { marks, version })).status).toBe(200);
  const stale = await save(page, 'ana', { marks, version });
  expect(stale.status).toBe(409);
  expect(await stale.json()).toMatchObject({ error: expect.stringContaining('another window') });
});

test('lines of other programs stay, and a page without marks loses its row', async () => {
  const { page } = queue.pages[2];
  const note = '{"url":"http://other.example/","text":"by hand"}\nno JSON\n';
  writeFileSync(fileOf('ben'), note);
  const { blocks, version } = await load(page, 'ben');
  const marked = await save(page, 'ben', { marks: blocks.map((): Mark => 'content'), version });
  expect(readFileSync(fileOf('ben'), 'utf8').startsWith(note)).toBe(true);
  const { version: next } = (await marked.json()) as { version: string };
  await save(page, 'ben', { marks: blocks.map(() => null), version: next });
  expect(readFileSync(fileOf('ben'), 'utf8')).toBe(note);
});

test('names that are not valid file names are refused', async () => {
  for (const name of ['', '..', '../ana', 'a/b', 'Ana Lee', 'con', 'sites', 'x'.repeat(41)]) {
    const answer = await sample.ask(`/api/labels/page?page=1&annotator=${encodeURIComponent(name)}`);
    expect([name, answer.status]).toEqual([name, 400]);
  }
});

test('damaged requests are refused', async () => {
  const { page } = queue.pages[3];
  for (const body of ['', '[]', '{"marks":["noise"],"version":""}', '{"marks":[],"version":""}']) {
    const answer = await sample.ask(`/api/labels/page?page=${page}&annotator=ana`, { method: 'PUT', body });
    expect([body, answer.status]).toEqual([body, 400]);
  }
});

test('two people agree as far as kappa says', async () => {
  const { page } = queue.pages[0];
  const { blocks, version, marks } = await load(page, 'cleo');
  expect(marks.every((mark) => mark === null)).toBe(true);
  const own = (await load(page, 'ana')).marks as Mark[];
  const other = own.map((mark, k): Mark => (k === 0 ? 'comment' : mark));
  await save(page, 'cleo', { marks: other, version });
  const agreement = await json<Agreement>('/api/labels/agreement?first=ana&second=cleo');
  expect(agreement).toMatchObject({ pages: 1, byBlock: { units: blocks.length } });
  expect(agreement.byBlock.observed).toBeCloseTo((blocks.length - 1) / blocks.length);
  expect(agreement.byBlock.kappa).toBeLessThan(1);
  expect(agreement.differences).toEqual([expect.objectContaining({ blocks: 1, page })]);
});
