import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExploredSample, exploreFolder, exploreSample } from '../../../test/explore-folder.ts';
import type { PageAnswer, PairAnswer } from '../page-answers.ts';

let sample: ExploredSample;
let page: PageAnswer;

beforeAll(async () => {
  sample = await exploreSample();
  page = await json<PageAnswer>('/api/page?page=1');
});
afterAll(() => sample?.close());

async function json<T>(path: string): Promise<T> {
  const answer = await sample.ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return (await answer.json()) as T;
}

test('a page has the ranges of every detector, which tile it, with texts from the archive', () => {
  expect(page.archive).toBe('');
  expect(page.detectors.map(({ detector }) => detector)).toEqual(['joint', 'dom']);
  for (const { ranges, bytes, text } of page.detectors) {
    let at = 0;
    for (const range of ranges) {
      expect(range.start).toBe(at);
      at = range.end;
    }
    expect(at).toBe(page.row.htmlBytes);
    expect(bytes.template + bytes.content + bytes.slot + bytes.unsure).toBe(page.row.htmlBytes);
    expect(text.content).toBeGreaterThan(0);
    expect(ranges.some(({ excerpt, label }) => label === 'content' && excerpt.length > 20)).toBe(true);
  }
});

test('a page has its clean text and Markdown by each detector', async () => {
  const joint = await json<{ text: string; markdown: string }>('/api/page/text?page=1&detector=joint');
  expect(joint.text.length).toBeGreaterThan(100);
  expect(joint.markdown).toMatch(/^#{1,6} /m);
  expect((await sample.ask('/api/page/text?page=1&detector=nobody')).status).toBe(400);
});

test('wrong pages and parameters are refused with a message', async () => {
  expect((await sample.ask('/api/page?page=999999')).status).toBe(404);
  expect((await sample.ask('/api/page?page=-1')).status).toBe(400);
  expect((await sample.ask('/api/page?page=1%20or%201')).status).toBe(400);
  expect((await sample.ask('/api/page/changes?older=1&newer=2')).status).toBe(400);
});

test('two captures of a URL are compared', async () => {
  const [first, last] = [page.captures[0], page.captures.at(-1)!];
  expect(page.captures.length).toBeGreaterThan(1);
  const pair = await json<PairAnswer>(`/api/page/changes?older=${first.page}&newer=${last.page}`);
  expect(pair.older.urlKey).toBe(pair.newer.urlKey);
  expect(pair.changes.every((change) => ['template', 'slot', 'content'].includes(change.class))).toBe(true);
});

test('an archive that was moved is found beside the folder; a missing one is reported, and the folder still answers', async () => {
  const file = page.row.file;
  const hidden = join(dirname(file), 'elsewhere.bin');
  renameSync(file, hidden);
  const other = await exploreFolder(sample.folder);
  try {
    const answer = (await (await other.ask('/api/page?page=1')).json()) as PageAnswer;
    expect(answer.archive).toMatch(
      /is missing: put it beside .*sample\.chaff, or name its folder with --archives/,
    );
    expect(answer.detectors[0].ranges.length).toBeGreaterThan(0);
    const text = await (await other.ask('/api/page/text?page=1&detector=joint')).json();
    expect((text as { text: string }).text.length).toBeGreaterThan(100);
  } finally {
    renameSync(hidden, file);
    await other.close();
  }
});
