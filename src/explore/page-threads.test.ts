import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JointModel } from '../detect/joint/joint-model.ts';
import { DEFAULT_LIMITS } from '../model/limits.ts';
import type { Page } from '../model/page.ts';
import { PageThreads } from './page-threads.ts';
import { doPageWork, type WorkInput, type WorkName } from './page-work.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaff-threads-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pageOf(number: number): Page {
  const html = `<title>${number}</title><ul><li>Home<li>About us</ul><h1>Story ${number}</h1>
    <p>The words of page ${number}, of which there are some ${number * 7919}.</p><img src=a.png style="background:url(b.png)">`;
  return {
    ...{ url: `http://a.example/${number}`, time: '2020-01-01T00:00:00Z', status: 200, mime: 'text/html' },
    ...{
      site: 'a.example',
      charset: 'UTF-8',
      recordId: '',
      payloadDigest: '',
      file: 'a.warc',
      offset: 0,
      length: 9,
    },
    source: Buffer.from(html),
  };
}

/** A thread that ends itself at page 13, hangs at page 15, and else says which pages it was to leave out. */
function strangeThread(): URL {
  const file = join(folder, 'thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, workerData } from 'node:worker_threads';
     parentPort.on('message', ({ pages, suspects }) => {
       pages.forEach(({ url }, k) => {
         if (suspects[k + 1]) return;
         Atomics.store(workerData.shared, 0, k + 1);
         if (url.endsWith('/13')) process.exit(7);
         if (url.endsWith('/15')) for (;;);
       });
       parentPort.postMessage({ result: { value: suspects } });
     });`,
  );
  return new URL(`file://${file}`);
}

test('a page that ends its thread or takes too long costs that page only', async () => {
  const threads = new PageThreads({ limits: { pageMs: 300 }, module: strangeThread() });
  const run = (...numbers: number[]) => threads.run('learn', numbers.map(pageOf), { site: 'a.example' });
  const answers = await Promise.all([run(1), run(1, 13, 2), run(15, 1), run(2)]);
  expect(answers).toEqual([{}, { 2: 'unreadable' }, { 1: 'too-slow' }, {}]);
  await threads.close();
});

test('a work under way is rejected when the threads are closed', async () => {
  const threads = new PageThreads({ module: strangeThread() });
  const running = expect(threads.run('text', [pageOf(15)], { ranges: [] })).rejects.toThrow(/abort/i);
  setTimeout(() => threads.close(), 500);
  await running;
});

test('no thread outlives the threads, also one that answers while they are closed', async () => {
  const file = join(folder, 'slow-thread.mjs');
  writeFileSync(
    file,
    `import { parentPort, workerData } from 'node:worker_threads';
     setInterval(() => Atomics.add(workerData.jointModel, 0, 1), 10);
     parentPort.on('message', () => setTimeout(() => parentPort.postMessage({ result: { value: 1 } }), 400));`,
  );
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const threads = new PageThreads({
    module: new URL(`file://${file}`),
    jointModel: beats as unknown as JointModel,
  });
  const running = threads.run('text', [pageOf(1)], { ranges: [] });
  await expect.poll(() => beats[0]).toBeGreaterThan(0);
  await Promise.allSettled([threads.close(), running]);
  const [last] = beats;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(beats[0]).toBe(last);
});

test('a page that ended a thread before is not read again', () => {
  const work = {
    name: 'text',
    pages: [pageOf(1)],
    input: { ranges: [] },
    job: { limits: DEFAULT_LIMITS },
  } as const;
  const read: number[] = [];
  const onPage = (page: number) => void read.push(page);
  expect(doPageWork({ ...work, suspects: { 1: 'too-slow' } }, { onPage })).toEqual({
    unreadable: 'http://a.example/1 takes too long',
  });
  expect(doPageWork(work, { onPage })).toMatchObject({
    value: { markdown: expect.stringContaining('# Story 1') },
  });
  expect(read).toEqual([1, 1, 1]);
});

test('each work gives the same in a thread as in this one', async () => {
  const threads = new PageThreads();
  const pages = Array.from({ length: 6 }, (_, k) => pageOf(k + 1));
  const [page] = pages;
  const place = { token: 'secret', page: 1, session: 'aaaaaaaa' };
  const end = page.source.length;
  const ranges = [
    {
      start: 0,
      end: 70,
      label: 'template',
      score: 0.9,
      template: 't',
      reason: 'on 6 of 6 pages',
      role: 'navigation',
    },
    { start: 70, end, label: 'content', score: 0.1, template: '', reason: '' },
  ] as const;
  async function both<Name extends WorkName>(name: Name, of: Page[], input: WorkInput<Name>) {
    const here = doPageWork(
      { name, pages: of, input, job: { limits: DEFAULT_LIMITS } },
      { onPage: () => {} },
    ) as { value: Awaited<ReturnType<typeof threads.run<Name>>> };
    expect(await threads.run(name, of, input)).toEqual(here.value);
    return here.value;
  }
  const [verdict] = await both('describe', [page], { verdicts: [{ detector: 'joint', ranges }] });
  expect(verdict.ranges[0].excerpt).toContain('About us Story 1');
  expect((await both('text', [page], { ranges })).markdown).toContain('words of page 1');
  expect(await both('frame', [page], { ranges, place })).toContain('/frame/secret/pick/aaaaaaaa/1');
  const style = {
    url: 'http://a.example/a.css',
    contentType: 'text/css',
    body: Buffer.from('a{b:url(c.png)}'),
  };
  expect(await both('style', [], { ...style, place })).toContain('/frame/secret/resource/1/image/');
  expect(await both('compare', [pages[0], pages[1]], { ranges })).not.toEqual([]);
  const { model, pages: judged } = await both('learn', pages, { site: 'a.example' });
  expect(judged).toHaveLength(6);
  const { blocks } = await both('blocks', [page], { model, saved: undefined });
  const marks = blocks.map(({ suggestion }) => suggestion);
  expect(await both('row', [page], { model, marks: [], annotator: 'ana' })).toEqual({
    blocks: blocks.length,
  });
  const { row } = await both('row', [page], { model, marks, annotator: 'ana' });
  expect(row!.blockCount).toBe(blocks.length);
  expect((await both('blocks', [page], { model, saved: row })).marks).toEqual(marks);
  expect(await both('labelFrame', [page], { model, saved: row, place })).toContain('content score');
  await threads.close();
});
