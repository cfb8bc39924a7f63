import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { checkJob } from '../job.ts';
import type { Task } from '../tasks/task.ts';
import { localExecutor } from './local.ts';

/**
 * A worker that does as the pages say: 13 ends the thread, 14 throws, 15 hangs. It answers with the suspects
 * it was given.
 */
const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
const workerFile = join(folder, 'worker.mjs');
writeFileSync(
  workerFile,
  `import { parentPort, workerData } from 'node:worker_threads';
   parentPort.on('message', (task) => {
     for (const { page } of task.pages) {
       if (task.suspects && page in task.suspects) continue;
       Atomics.store(workerData.shared, 0, page);
       if (page === 13) process.exit(7);
       if (page === 14) return parentPort.postMessage({ error: new Error('no') });
       if (page === 15) for (;;);
     }
     parentPort.postMessage({ result: task.suspects });
   });`,
);
const workerUrl = pathToFileURL(workerFile);

function taskOf(pages: number[], pageMs = 10_000): Task {
  return {
    kind: 'label',
    name: 'label-0',
    folder: '',
    job: checkJob({ limits: { pageMs } }),
    inputs: {},
    part: '0',
    groups: [],
    pages: pages.map((page) => ({ page })),
    output: { kind: 'folder' },
  } as unknown as Task;
}

test('a page that ends its thread is skipped, and the rest of its task is done', async () => {
  const executor = await localExecutor({ workers: 1, workerUrl });
  expect(await executor.run(taskOf([1, 13, 2]))).toEqual({ 13: 'unreadable' });
  expect(await executor.run(taskOf([1, 2]))).toEqual({});
  await executor.release();
});

test('a page that throws is skipped, also together with one that ends its thread', async () => {
  const executor = await localExecutor({ workers: 2, workerUrl });
  expect(await executor.run(taskOf([13, 14, 2]))).toEqual({ 13: 'unreadable', 14: 'unreadable' });
  await executor.release();
});

test('a page that never ends is stopped and skipped as too slow', async () => {
  const executor = await localExecutor({ workers: 1, workerUrl });
  expect(await executor.run(taskOf([1, 15], 600))).toEqual({ 15: 'too-slow' });
  await executor.release();
});

test('tasks are shared between threads and all of them answered', async () => {
  const executor = await localExecutor({ workers: 2, workerUrl });
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => executor.run(taskOf([n + 1, 13]))));
  expect(answers).toEqual(Array(8).fill({ 13: 'unreadable' }));
  await executor.release();
});

test('released threads are started again for a later task', async () => {
  const executor = await localExecutor({ workers: 1, workerUrl });
  await executor.run(taskOf([1]));
  await executor.release();
  expect(await executor.run(taskOf([1, 13, 2]))).toEqual({ 13: 'unreadable' });
  await executor.release();
});

test('an abort stops a thread that does not answer', async () => {
  const stop = new AbortController();
  const executor = await localExecutor({ workers: 1, workerUrl, signal: stop.signal });
  const running = executor.run(taskOf([15], 600_000));
  setTimeout(() => stop.abort(), 100);
  await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  await executor.release();
});

test('a wrong number of workers is refused', async () => {
  await expect(localExecutor({ workers: -1 })).rejects.toThrow('workers must be');
  await expect(localExecutor({ workers: 1.5 })).rejects.toThrow('workers must be');
});
