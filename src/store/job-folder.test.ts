/** Attempts at the tasks of a job: which of them are dead, when that is known, and which a later one has seen dead. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ownIdentity, type ProcessIdentity } from '../model/process-identity.ts';
import { JobFolder, pageWriter } from './job-folder.ts';

const TASK = 'label-00000';
const folder = mkdtempSync(join(tmpdir(), 'chaff-attempts-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;
let job: JobFolder<object>;
beforeEach(() => {
  const path = join(folder, `job-${count++}`);
  mkdirSync(join(path, '.work'), { recursive: true });
  job = JobFolder.create(path, [{ id: TASK, stage: 'label', pages: 9, manifest: '' }], {});
});

/** Begins an attempt here as if the given process had; returns its file. */
async function begin(process: Partial<ProcessIdentity>, page: number): Promise<string> {
  const attempt = job.beginAttempt(TASK, await job.settledAttempts(TASK));
  const content = readFileSync(attempt.path);
  attempt.end();
  const begun = JSON.parse(content.subarray(4).toString());
  const bytes = Buffer.concat([new Uint8Array(4), Buffer.from(JSON.stringify({ ...begun, ...process }))]);
  writeFileSync(attempt.path, bytes);
  const writer = pageWriter(attempt.path);
  writer.write(page);
  writer.close();
  return attempt.path;
}

function startProcess(): { child: ChildProcess; identity: Partial<ProcessIdentity> } {
  const child = spawn('sleep', ['600']);
  children.push(child);
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  return {
    child,
    identity: { pid: child.pid, startTicks: stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] },
  };
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const GONE = { pid: 2 ** 22 + 1 };
const ELSEWHERE = { machine: 'another' };
const silence = (path: string) => utimesSync(path, new Date(), new Date(Date.now() - 31_000));

test('an attempt names those that were dead when it began', async () => {
  const dead = await begin(GONE, 7);
  await begin({}, 7);
  expect(job.attempts(TASK).map(({ after }) => after)).toContainEqual([nameOf(dead)]);
  await begin({}, 7);
  expect(
    job
      .attempts(TASK)
      .map(({ after }) => after.length)
      .sort(),
  ).toEqual([0, 1, 1]);
});

test.skipIf(process.platform !== 'linux')('a process that is stopped is not dead, however long', async () => {
  const { child, identity } = startProcess();
  child.kill('SIGSTOP');
  const file = await begin(identity, 7);
  silence(file);
  expect(await job.settledAttempts(TASK)).toMatchObject([{ isAlive: true, isRemote: false, page: 7 }]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await job.settledAttempts(TASK)).toMatchObject([{ isAlive: false }]);
});

test('an attempt on another machine is dead when it has long been silent', async () => {
  const file = await begin({ ...ELSEWHERE, ...GONE }, 7);
  expect(job.attempts(TASK)).toMatchObject([{ isAlive: true, isRemote: true }]);
  silence(file);
  expect(await job.settledAttempts(TASK)).toMatchObject([{ isAlive: false }]);
});

test('an attempt waits for a sign of one on another machine, or for its silence', async () => {
  const file = await begin(ELSEWHERE, 7);
  let settled = false;
  const wait = job.settledAttempts(TASK).finally(() => (settled = true));
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(settled).toBe(false);
  const writer = pageWriter(file);
  writer.write(8);
  writer.close();
  expect(await wait).toMatchObject([{ isAlive: true, page: 8 }]);

  const again = job.settledAttempts(TASK);
  silence(file);
  expect(await again).toMatchObject([{ isAlive: false, page: 8 }]);
});

test('nobody waits for an attempt on another machine that is at no page, and a signal ends the wait', async () => {
  await begin(ELSEWHERE, 0);
  expect(await job.settledAttempts(TASK)).toMatchObject([{ isAlive: true }]);
  await begin(ELSEWHERE, 3);
  await expect(job.settledAttempts(TASK, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});

test('an attempt of a process that a signal ends is not death', () => {
  const attempt = job.beginAttempt(TASK, []);
  expect(JSON.parse(readFileSync(attempt.path).subarray(4).toString())).toMatchObject(ownIdentity());
  for (const listener of process.listeners('exit').slice(-1)) listener(0);
  expect(existsSync(attempt.path)).toBe(false);
  attempt.end();
});
