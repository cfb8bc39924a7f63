/** `chaff plan`, `task`, `status` and `merge` as a cluster engine uses them: names on a pipe, exit codes, signals. */
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { chaff, rowsOf } from '../../test/command-line.ts';
import { folderDigest } from '../../test/folder-digest.ts';
import { ownIdentity } from '../model/process-identity.ts';
import { JobFolder } from '../store/job-folder.ts';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-jobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
let job: string;
let pages: string;
/** Two label tasks and what they need. */
beforeEach(async () => {
  job = join(folder, `job-${++count}`);
  pages = join(folder, `pages-${count}.jsonl`);
  const rows = Array.from({ length: 24 }, (_, k) => ({
    url: `http://a.example/${k}`,
    html: `<nav><a href=/>Home of the site</a></nav><p>Page ${k} says ${'one thing or another, '.repeat(k + 3)}</p>`,
  }));
  writeFileSync(pages, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { code, stderr } = await chaff(['plan', pages, '-o', job, '--task-pages', '12', '--workers', '0']);
  expect(code).toBe(0);
  expect(stderr).toContain('24 pages in 3 tasks');
});

const ready = async () => (await chaff(['status', job, '--ready'])).stdout;

test('names on a pipe are carried out, stage after stage, and merging ends the job', async () => {
  expect(await ready()).toBe('learn-00000\n');
  expect(await chaff(['task', job, '-'], await ready())).toMatchObject({ code: 0, stderr: '' });
  expect(await ready()).toBe('label-00000\nlabel-00001\n');
  const result = await chaff(['task', job, '-'], `\nlabel-00001\n${await ready()}`);
  expect(result.code).toBe(0);
  expect(rowsOf(result).map(({ task, status, pages }) => [task, status, pages])).toEqual([
    ['label-00001', 'committed', 12],
    ['label-00000', 'committed', 12],
    ['label-00001', 'already-committed', 0],
  ]);
  expect(await ready()).toBe('');
  const merged = await chaff(['merge', job, '--workers', '0']);
  expect(merged).toMatchObject({ code: 0, stdout: '' });
  const again = await chaff(['task', job, 'label-00000']);
  expect([again.code, again.stderr]).toEqual([65, expect.stringContaining('is merged already')]);
});

test('a task that may succeed later gives 75, one that cannot gives 65, and the others are done', async () => {
  const early = await chaff(['task', job, 'label-00000', 'learn-00000']);
  expect(early.code).toBe(75);
  expect(early.stderr).toContain('learn-00000, whose result is needed, is not done yet');
  expect(rowsOf(early).map(({ task }) => task)).toEqual(['learn-00000']);

  renameSync(pages, `${pages}.away`);
  const missing = await chaff(['task', job, 'label-00000']);
  expect([missing.code, missing.stderr]).toEqual([75, expect.stringContaining('ENOENT')]);
  renameSync(`${pages}.away`, pages);

  const unknown = await chaff(['task', job, 'label-00009', 'label-00000']);
  expect([unknown.code, unknown.stderr]).toEqual([65, expect.stringContaining('no task "label-00009"')]);
  expect(rowsOf(unknown).map(({ task }) => task)).toEqual(['label-00000']);
  expect((await chaff(['task', join(folder, 'nowhere'), 'label-00000'])).code).toBe(65);
});

test('status shows progress, stragglers, attempts that died and quarantined captures', async () => {
  const status = async () => (await chaff(['status', job])).stdout;
  expect(await status()).toContain('1 task can start now; next: chaff status');
  await chaff(['task', job, 'learn-00000']);
  await chaff(['task', job, 'label-00000']);
  const attempts = join(job, '.work', 'attempts');
  const addAttempt = (name: string, page: number, attempt: object) =>
    writeFileSync(
      join(attempts, name),
      Buffer.concat([new Uint8Array(Uint32Array.of(page).buffer), Buffer.from(JSON.stringify(attempt))]),
    );
  const hourAgo = Date.now() - 3_600_000;
  addAttempt('label-00001.1', 20, { ...ownIdentity(), startedMs: hourAgo, after: [] });
  // both died at one page, the second after the first
  const dead = { ...ownIdentity(), pid: 2 ** 22 + 1, startedMs: hourAgo };
  addAttempt('label-00001.2', 13, { ...dead, after: [] });
  addAttempt('label-00001.3', 13, { ...dead, after: ['label-00001.2'] });
  expect((await status()).split('\n')).toEqual([
    expect.stringMatching(/^stage +tasks done +running +pages done$/),
    expect.stringMatching(/^learn +1 of 1 +0 +\d+ of \d+ +100 %$/),
    expect.stringMatching(/^label +1 of 2 +1 +12 of 24 +50 %$/),
    expect.stringMatching(/^work left: about \d+ s of one core$/),
    '2 attempts died; what they were at is tried again',
    `straggler: label-00001 has run for 60 min, process ${process.pid} on ${hostname()}`,
    expect.stringMatching(
      /^quarantined: http:\/\/a\.example\/\d+ \(.*offset \d+\); two attempts at label-00001 died at it$/,
    ),
    'every task that can run now is running',
    '',
  ]);
  for (const name of readdirSync(attempts)) rmSync(join(attempts, name));
  await chaff(['task', job, 'label-00001']);
  expect(await status()).toMatch(/all tasks are done; next: chaff merge .*job-\d+\n$/);
});

test('a signal lets the task under way commit, and no other task starts', async () => {
  const signals = new EventEmitter();
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const ended = main(['task', job, '-'], streams, { signals });
  const whole = JobFolder.open(job);
  streams.stdin.write('learn-00000\n');
  const hasBegun = () => whole.attempts().length > 0 || whole.isCommitted('learn-00000');
  while (!hasBegun()) await new Promise(setImmediate);
  streams.stdin.write('label-00000\n');
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(143);
  expect([...whole.committed()].sort()).toEqual(['learn-00000', 'survey-00000']);
  expect(whole.attempts()).toEqual([]);
  expect(String(streams.stdout.read())).toContain('"task":"learn-00000","status":"committed"');
});

test('a signal ends a command that waits for names', async () => {
  const signals = new EventEmitter();
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const ended = main(['task', job, '-'], streams, { signals });
  streams.stdin.write('learn-00000\n');
  await once(streams.stdout, 'readable');
  signals.emit('SIGTERM', 'SIGTERM');
  expect(await ended).toBe(143);
});

test('a standard input that broke off is not the end of the names', async () => {
  const stdin = new PassThrough();
  stdin.destroy(); // as a signal does before the first name is read
  const streams = { stdin, stdout: new PassThrough(), stderr: new PassThrough() };
  expect(await main(['task', job, '-'], streams)).toBe(75);
});

const DAMAGES: [string, (bytes: Buffer) => Buffer | undefined][] = [
  ['cut off', (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ['empty', () => Buffer.alloc(0)],
  ['full of zeros', (bytes) => Buffer.alloc(bytes.length)],
  ['other JSON', () => Buffer.from('[]')],
  ['null', () => Buffer.from('null')],
  ['no text', () => Buffer.from([0xff, 0xfe, 0x00, 0x80])],
  ['missing', () => undefined],
];
const DAMAGED_FILES = [
  'job.bin',
  'manifests/label-00000.json',
  'done/learn-00000.json',
  'parts/learn-00000.*/models.bin',
  'parts/learn-00000.*/counts.json',
];

test.each(DAMAGED_FILES)(
  'a damaged %s is named in one sentence, and trying again does not help',
  async (file) => {
    await chaff(['task', job, 'learn-00000']);
    const work = join(job, '.work');
    const part = readdirSync(join(work, 'parts')).find((name) => name.startsWith('learn-'))!;
    const path = join(work, file.replace('learn-00000.*', part));
    const bytes = readFileSync(path);
    for (const [damage, damageBytes] of DAMAGES) {
      // a missing job.bin is no job, and a missing done file a task that is not done
      if (damage === 'missing' && /^(job|done)/.test(file)) continue;
      // models that are read by a new thread take a second
      if (file.includes('models') && !/cut|empty|missing/.test(damage)) continue;
      const bad = damageBytes(bytes);
      if (bad) writeFileSync(path, bad);
      else rmSync(path);
      const sentence = expect.stringMatching(
        /^chaff: .* is damaged or missing: make the run or the job again with --overwrite\n$/,
      );
      const what = `${file} ${damage}`;
      if (!file.endsWith('counts.json')) {
        const { code, stderr } = await chaff(['task', job, 'label-00000']);
        expect([what, code, stderr]).toEqual([what, 65, sentence]);
      }
      if (/^job|^done|counts/.test(file)) {
        for (const command of ['status', 'merge']) {
          const { code, stderr } = await chaff([command, job]);
          if (command === 'merge' && code === 1 && stderr.includes('tasks are not done')) continue;
          expect([what, command, code, stderr]).toEqual([what, command, 1, sentence]);
        }
      }
    }
    writeFileSync(path, bytes);
    expect((await chaff(['task', job, 'label-00000'])).code).toBe(0);
  },
);

test('a bit that is wrong in job.bin or a manifest is seen', async () => {
  for (const file of ['job.bin', 'manifests/learn-00000.json']) {
    const path = join(job, '.work', file);
    const bytes = readFileSync(path);
    for (let k = 0; k < 20; k++) {
      const bad = Buffer.from(bytes);
      bad[Math.floor((k / 20) * bytes.length)] ^= 1;
      writeFileSync(path, bad);
      expect((await chaff(['task', job, 'learn-00000'])).code).toBe(65);
    }
    writeFileSync(path, bytes);
  }
});

test('a command that was stopped is given again, and the folder is the same', async () => {
  const whole = join(folder, `report-${count}`);
  const other = join(folder, `other-${count}`);
  for (const output of [whole, other]) {
    expect((await chaff(['plan', pages, '-o', output, '--task-pages', '12', '-q'])).code).toBe(0);
  }
  for (let k = 0; k < 2; k++)
    await chaff(['task', whole, '-'], (await chaff(['status', whole, '--ready'])).stdout);
  await chaff(['merge', whole, '-q', '--workers', '0']);

  for (const task of ['learn-00000', 'label-00001', 'label-00000']) await chaff(['task', other, task]);
  const signals = new EventEmitter();
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const ended = main(['merge', other, '--workers', '0'], streams, { signals });
  signals.emit('SIGINT', 'SIGINT');
  expect(await ended).toBe(130);
  expect((await chaff(['merge', other, '-q', '--workers', '0'])).code).toBe(0);
  expect(folderDigest(other)).toBe(folderDigest(whole));
});

test('of merges at the same time one makes the folder, and the others say that it is running', async () => {
  await chaff(['task', job, 'learn-00000', 'label-00000', 'label-00001']);
  const ended = await Promise.all(
    Array.from({ length: 3 }, () => chaff(['merge', job, '--workers', '0', '-q'])),
  );
  const others = ended.filter(({ code }) => code !== 0);
  expect(others).toHaveLength(2);
  for (const { code, stderr } of others) {
    expect([code, stderr]).toEqual([
      1,
      `chaff: process ${process.pid} on ${hostname()} is merging ${job}: wait until it has ended\n`,
    ]);
  }
  const alone = join(folder, `alone-${count}`);
  await chaff(['report', pages, '-o', alone, '-q', '--workers', '0']);
  expect(readdirSync(job).sort()).toEqual(readdirSync(alone).sort());
  expect(readdirSync(join(job, 'study')).sort()).toEqual(readdirSync(join(alone, 'study')).sort());
});

test('the lock of a merge that was killed is taken over', async () => {
  await chaff(['task', job, 'learn-00000', 'label-00000', 'label-00001']);
  const attempts = join(job, '.work', 'attempts');
  const dead = { ...ownIdentity(), pid: 2 ** 22 + 1, startedMs: Date.now(), after: [] };
  writeFileSync(
    join(attempts, 'merge.00001'),
    Buffer.concat([new Uint8Array(4), Buffer.from(JSON.stringify(dead))]),
  );
  const locks = await Promise.allSettled(Array.from({ length: 4 }, () => JobFolder.open(job).lockMerge()));
  expect(locks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const lock of locks) if (lock.status === 'fulfilled') lock.value.end();
  expect((await chaff(['merge', job, '--workers', '0', '-q'])).code).toBe(0);
  expect((await chaff(['merge', job, '-q'])).stderr).toContain('is merged already');
});
