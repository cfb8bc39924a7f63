/** The script that an index of a Kubernetes job runs, with the built command. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { JobFolder } from '../../src/store/job-folder.ts';
import { folderDigest } from '../folder-digest.ts';

vi.setConfig({ testTimeout: 300_000 }); // each test starts many processes

const root = join(import.meta.dirname, '..', '..');
const script = join(root, 'cluster', 'kubernetes', 'run-slice.sh');
const command = join(root, 'dist', 'cli', 'bin.js');
const folder = mkdtempSync(join(tmpdir(), 'chaff-slices-'));
const SLICES = 3;
let warc: string;

beforeAll(async () => {
  ({ warc } = await writeSampleArchive(folder, { sites: 2, pagesPerSite: 16, generations: 2 }));
  const program = join(folder, 'chaff');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`);
  chmodSync(program, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function chaff(...args: string[]): void {
  execFileSync(process.execPath, [command, ...args, '-q']);
}

const environment = (job: string, slices: number, index: number) => ({
  ...process.env,
  PATH: `${folder}${delimiter}${process.env.PATH}`,
  CHAFF_JOB: job,
  CHAFF_SLICES: String(slices),
  JOB_COMPLETION_INDEX: String(index),
});

/** The tasks that the index has committed, and its exit code. */
function runSlice(job: string, stage: string, index: number): { code: number | null; tasks: string[] } {
  const env = environment(job, SLICES, index);
  const { status, stdout } = spawnSync(script, [stage], { env, encoding: 'utf8' });
  const rows = stdout.split('\n').filter((line) => line !== '');
  return { code: status, tasks: rows.map((line) => JSON.parse(line).task) };
}

const planned = (name: string, taskPages: number) => {
  const job = join(folder, name);
  const options = ['--task-pages', String(taskPages), '--sample', '10', '--max-page-ms', '600000'];
  chaff('plan', warc, '-o', job, ...options);
  return job;
};

test('the indexes of both stages run every task once, and the merged folder is that of one process', () => {
  const job = planned('sliced', 8);
  for (const stage of ['learn', 'label']) {
    const slices = Array.from({ length: SLICES }, (_, index) => runSlice(job, stage, index));
    expect(slices.map(({ code }) => code)).toEqual([0, 0, 0]);
    const tasks = slices.flatMap((slice) => slice.tasks);
    expect(tasks.length).toBeGreaterThan(SLICES);
    expect(new Set(tasks).size).toBe(tasks.length);
    expect(Math.max(...slices.map((slice) => slice.tasks.length))).toBeLessThan(tasks.length);
  }
  const alone = planned('alone', 8);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  for (let stage = 0; stage < 2; stage++) {
    execFileSync('sh', ['-c', `chaff status "${alone}" --ready | chaff task "${alone}" -`], { env });
  }
  chaff('merge', job);
  chaff('merge', alone);
  expect(folderDigest(job)).toBe(folderDigest(alone));
});

test('an index without tasks is done, one that comes too early is tried again, one without a job is not', () => {
  const large = planned('large', 1000);
  expect(runSlice(large, 'learn', 0)).toEqual({ code: 0, tasks: [] });
  const early = planned('early', 8);
  expect(runSlice(early, 'label', 1).code).toBe(75);
  expect(runSlice(join(folder, 'nowhere'), 'label', 1)).toEqual({ code: 65, tasks: [] });
});

test('the signal that ends a pod lets its current task commit', async () => {
  const job = planned('ended', 8);
  const hold = join(folder, 'hold');
  mkdirSync(hold);
  const child = spawn(script, ['learn'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...environment(job, 1, 0),
      NODE_OPTIONS: `--import ${pathToFileURL(join(root, 'test', 'faults.mjs'))}`,
      CHAFF_FAULT: 'hold at task learn-00000',
      CHAFF_HOLD: hold,
    },
  });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  const ended = once(child, 'close');
  while (!existsSync(join(hold, 'learn-00000.held')) && child.exitCode === null) await sleep(20);
  child.kill('SIGTERM');
  while (!stderr.includes('once more') && child.exitCode === null) await sleep(20);
  writeFileSync(join(hold, 'learn-00000'), '');
  expect(await ended).toEqual([143, null]);
  const learnt = [...JobFolder.open(job).committed()].filter((id) => id.startsWith('learn-'));
  expect(learnt).toEqual(['learn-00000']);
});
