/** The script that an index of a Kubernetes job runs, with the built command. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { folderDigest } from '../folder-digest.ts';

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

/** The tasks that the index has committed, and its exit code. */
function runSlice(job: string, stage: string, index: number): { code: number | null; tasks: string[] } {
  const env = {
    ...process.env,
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    CHAFF_JOB: job,
    CHAFF_SLICES: String(SLICES),
    JOB_COMPLETION_INDEX: String(index),
  };
  const { status, stdout } = spawnSync(script, [stage], { env, encoding: 'utf8' });
  const rows = stdout.split('\n').filter((line) => line !== '');
  return { code: status, tasks: rows.map((line) => JSON.parse(line).task) };
}

const planned = (name: string, taskPages: number) => {
  const job = join(folder, name);
  chaff('plan', warc, '-o', job, '--task-pages', String(taskPages), '--sample', '10');
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
