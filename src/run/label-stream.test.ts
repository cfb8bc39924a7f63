import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { decodeModelFile, encodeModelFile } from '../detect/model-file.ts';
import { writeSampleArchive } from '../research/generated-sites/write-archive.ts';
import { streamLabels } from './label-stream.ts';
import { runLearn } from './learn-run.ts';
import type { PageRow, StreamRow } from './sinks/page-rows.ts';
import { CONTENT_OF, encodePage } from './sinks/page-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const small = { partPages: 16, detectors: ['dom' as const], workers: 0 };
let warc: string;

beforeAll(async () => {
  warc = (await writeSampleArchive(folder, { sites: 2, pagesPerSite: 40 })).warc;
});

async function collect(rows: AsyncIterable<StreamRow>): Promise<StreamRow[]> {
  const all: StreamRow[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

test('rows come in canonical order, and account for every capture', async () => {
  const stream = streamLabels([warc], small);
  const rows = (await collect(stream)) as PageRow[];
  expect(rows.map(({ page }) => page)).toEqual(rows.map((_, k) => k + 1));
  expect(rows.every(({ text, title, file }) => text !== '' && title !== '' && file === warc)).toBe(true);
  const { captures, pages, skipped } = stream.summary!;
  expect(pages).toBe(rows.length);
  expect(captures).toBe(Object.values(skipped).reduce((sum, count) => sum + count, pages));
});

test('a site is labelled alike whether it is learnt before or by the task that labels it', async () => {
  const options = { ...small, detectors: ['dom' as const, 'text' as const], want: ['ranges' as const] };
  const cutApart = await collect(streamLabels([warc], { ...options, partPages: 16 }));
  expect(cutApart.length).toBeGreaterThan(2 * 16);
  expect(await collect(streamLabels([warc], { ...options, partPages: 1000 }))).toEqual(cutApart);
});

test('a limit does not change the labels of the first pages', async () => {
  const options = { ...small, want: ['text' as const, 'ranges' as const] };
  const rows = await collect(streamLabels([warc], options));
  const stream = streamLabels([warc], { ...options, limit: 3 });
  expect(await collect(stream)).toEqual(rows.slice(0, 3));
  expect(stream.summary!.skipped.filtered).toBe(rows.length - 3);
});

test('selecting a page by its URL does not change its labels', async () => {
  const options = { ...small, want: ['text' as const, 'ranges' as const] };
  const rows = (await collect(streamLabels([warc], options))) as PageRow[];
  const last = rows.at(-1)!;
  const one = streamLabels([warc], { ...options, include: [`^${last.url.replace(/[.?/]/g, '\\$&')}$`] });
  const own = rows.filter(({ url }) => url === last.url);
  expect(await collect(one)).toEqual(own);
  const { captures, pages, skipped } = one.summary!;
  expect(pages).toBe(own.length);
  expect(captures).toBe(Object.values(skipped).reduce((sum, count) => sum + count, pages));
  // every other page of both sites, and a limit on those
  const some = { ...options, exclude: ['[02468]$'], limit: 20 };
  const wanted = rows.filter(({ url }) => !/[02468]$/u.test(url)).slice(0, 20);
  expect(wanted.length).toBe(20);
  expect(await collect(streamLabels([warc], some))).toEqual(wanted);
  expect(await collect(streamLabels([warc], { ...some, workers: 2, partPages: 3 }))).toEqual(wanted);
});

test('sites can be learnt from the selected pages only', async () => {
  const options = { ...small, include: ['[02468]$'], want: ['text' as const] };
  const all = (await collect(streamLabels([warc], options))) as PageRow[];
  const selected = (await collect(streamLabels([warc], { ...options, learnFrom: 'selected' }))) as PageRow[];
  expect(selected.map(({ url }) => url)).toEqual(all.map(({ url }) => url));
  expect(selected.map(({ page }) => page)).toEqual(selected.map((_, k) => k + 1));
});

test('patterns are compiled with the flag u', async () => {
  const rows = await collect(streamLabels([warc], { ...small, include: ['//\\p{L}+\\d\\.example/'] }));
  expect(rows).toEqual(await collect(streamLabels([warc], small)));
  expect(rows.length).toBeGreaterThan(0);
  expect(() => streamLabels([warc], { ...small, include: ['\\_'] })).toThrow(/regular expression/);
});

test('ranges are rows of their own kind of content', async () => {
  const rows = (await collect(streamLabels([warc], { ...small, want: ['ranges'], limit: 5 }))) as PageRow[];
  expect(rows).toHaveLength(5);
  for (const { ranges } of rows) {
    expect(ranges!.dom[0].start).toBe(0);
    expect(ranges!.dom.some(({ label }) => label === 'template')).toBe(true);
  }
});

test.each(['jsonl', 'dolma', 'text', 'markdown', 'html', 'warc', 'warc.gz', 'ranges'] as const)(
  'pages in the format %s are the rows, encoded one by one',
  async (format) => {
    const want = [CONTENT_OF[format]];
    for (const mark of want[0] === 'text' ? [false, true] : [false]) {
      const rows = (await collect(streamLabels([warc], { ...small, want, mark }))) as PageRow[];
      const expected = Buffer.concat(rows.map((row) => encodePage(row, format)));
      const stream = streamLabels([warc], { ...small, mark });
      const pieces: Uint8Array[] = [];
      for await (const piece of stream.encoded(format)) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(expected)).toBe(true);
      expect(stream.summary!.pages).toBe(rows.length);
    }
  },
);

test('a template has one row per site, however many tasks find it', async () => {
  const rows = await collect(streamLabels([warc], { ...small, want: ['text', 'templates'] }));
  const keys = rows.flatMap((row) => (row.kind === 'template' ? [`${row.site} ${row.template}`] : []));
  expect(keys.length).toBeGreaterThan(2);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a reader that stops early stops the run and leaves no files', async () => {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = mkdtempSync(join(folder, 'scratch-'));
  try {
    for await (const row of streamLabels([warc], small)) {
      expect(row.site).not.toBe('');
      break;
    }
    expect(readdirSync(process.env.TMPDIR)).toEqual([]);
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

test('an abort ends the stream with its reason', async () => {
  const stop = new AbortController();
  const rows = streamLabels([warc], { ...small, signal: stop.signal });
  const reading = (async () => {
    for await (const _ of rows) stop.abort();
  })();
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
});

test('models of every site and detector are learnt, and survive their file', async () => {
  const { models, captures } = await runLearn([warc], { workers: 0, detectors: ['joint', 'dom', 'text'] });
  expect(captures).toBeGreaterThan(80);
  expect(models).toHaveLength(6);
  expect(new Set(models.map(({ site, detector }) => `${site} ${detector}`)).size).toBe(6);
  const bySite = models.filter(({ detector }) => detector !== 'joint');
  expect(bySite.every(({ templates }) => templates.length > 0)).toBe(true);
  const file = encodeModelFile(models);
  expect(Buffer.from(encodeModelFile(decodeModelFile(file).models)).equals(file)).toBe(true);
});

test('cross compares a page with the captures of its URL', async () => {
  const several = await writeSampleArchive(mkdtempSync(join(folder, 'captures-')), {
    sites: 1,
    pagesPerSite: 30,
    captures: 2,
    generations: 1,
  });
  const options = { ...small, detectors: ['cross' as const], want: ['ranges' as const] };
  const rows = (await collect(streamLabels([several.warc], options))) as PageRow[];
  const reasons = rows.flatMap(({ ranges }) => ranges!.cross.map(({ reason }) => reason));
  expect(reasons.some((reason) => /in [01] of 1 other captures/.test(reason))).toBe(true);
});
