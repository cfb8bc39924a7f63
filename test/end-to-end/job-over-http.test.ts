/**
 * A job whose archives are on the web: planned from an index alone, its tasks fetch the records they read. Whatever the
 * server does, the merged folder has the bytes that a report over the local archive has.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { jobStatus } from '../../src/run/cluster/job-status.ts';
import { mergeJob } from '../../src/run/cluster/merge-job.ts';
import { planJob } from '../../src/run/cluster/plan-job.ts';
import { JobWorker } from '../../src/run/cluster/run-job-task.ts';
import { runReport } from '../../src/run/report-run.ts';
import { Database, quote } from '../../src/store/database.ts';
import { chaff } from '../command-line.ts';
import { folderDigest } from '../folder-digest.ts';
import { type Fault, type RangeServer, serveRanges } from '../range-server.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes minutes

const folder = mkdtempSync(join(tmpdir(), 'chaff-http-job-'));
const at = (name: string) => join(folder, name);
const small = { partPages: 10, sample: 20, workers: 0 };
const ARCHIVE = 'crawl.warc.gz';
const index = at('crawl.cdxj');
const withRevisits = at('revisits.cdxj');
let bytes: Uint8Array;
let local: string;
let server: RangeServer | undefined;
let jobs = 0;

beforeAll(async () => {
  const { warc } = await writeSampleArchive(folder, { sites: 1, pagesPerSite: 20, generations: 2 });
  renameSync(warc, at(ARCHIVE));
  await chaff(['index', at(ARCHIVE), '-q', '-o', withRevisits]);
  // in the order of the archive, as the columnar index is read
  const lines = readFileSync(withRevisits, 'utf8')
    .trim()
    .split('\n')
    .sort((one, other) => offsetOf(one) - offsetOf(other));
  writeFileSync(withRevisits, `${lines.join('\n')}\n`);
  writeFileSync(index, `${lines.filter((line) => !line.includes('warc/revisit')).join('\n')}\n`);
  local = at('local');
  await runReport([index], { ...small, output: local });
  bytes = readFileSync(at(ARCHIVE));
  rmSync(at(ARCHIVE)); // nothing is beside the index any more
});
afterEach(() => server?.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const offsetOf = (line: string) => Number(/"offset": ?"(\d+)"/.exec(line)![1]);

async function serve(options: { fault?: Fault; ranges?: boolean } = {}): Promise<string> {
  server = await serveRanges({ [`/cc/${ARCHIVE}`]: bytes }, options);
  return `${server.url}/cc/`;
}

async function plan(input: string, base: string, options: object = {}): Promise<string> {
  const output = at(`job-${jobs++}`);
  await planJob([input], { ...small, output, remote: { base, ...options } });
  return output;
}

/** Plans as a user does. */
async function planByCommand(input: string, ...options: string[]): Promise<string> {
  const output = at(`job-${jobs++}`);
  const { code, stderr } = await chaff(['plan', input, '-o', output, '--workers', '0', ...options]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^captures read \d+ = \d+ planned/)]);
  return output;
}

async function runAll(job: string): Promise<void> {
  const worker = await JobWorker.open(job);
  try {
    for (let { ready } = jobStatus(job); ready.length > 0; { ready } = jobStatus(job)) {
      for (const id of ready) await worker.run(id);
    }
  } finally {
    await worker.close();
  }
}

async function merged(job: string): Promise<string> {
  await mergeJob(job, { workers: 0 });
  return folderDigest(job);
}

test('an index is planned without a request, and tasks fetch neighbours by one request', async () => {
  const base = await serve();
  const job = await plan(index, base);
  expect(server!.asked).toEqual([]);
  const { ready } = jobStatus(job);
  const worker = await JobWorker.open(job);
  await worker.run(ready[0]);
  await worker.close();
  const { samples } = JSON.parse(readFileSync(join(job, '.work', 'manifests', `${ready[0]}.json`), 'utf8'));
  expect(samples.length).toBeGreaterThan(15);
  expect(server!.asked.length).toBeLessThan(samples.length / 3);
  await runAll(job);
  expect(await merged(job)).toBe(folderDigest(local));
});

const FAULTS: [string, Fault][] = [
  ['503 now and then', (_, response, count) => count % 3 === 1 && !!response.writeHead(503).end()],
  [
    'short answers',
    (request, response, count) => {
      if (count % 3 !== 1) return false;
      const [, start] = /^bytes=(\d+)-/.exec(request.headers.range!)!;
      const part = bytes.subarray(Number(start), Number(start) + 700);
      const range = `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}`;
      return !!response.writeHead(206, { 'content-range': range, etag: '"one"' }).end(part);
    },
  ],
  [
    'connections that break off',
    (_, response, count) => {
      if (count % 3 === 1) response.destroy();
      return count % 3 === 1;
    },
  ],
  [
    'slow answers',
    (request, response) => {
      const [, start, last] = /^bytes=(\d+)-(\d+)/.exec(request.headers.range!)!.map(Number);
      const part = bytes.subarray(start, last + 1);
      const range = `bytes ${start}-${start + part.length - 1}/${bytes.length}`;
      response.writeHead(206, { 'content-range': range, etag: '"one"' }).write(part.subarray(0, 100));
      setTimeout(() => response.end(part.subarray(100)), 200);
      return true;
    },
  ],
];

test.each(FAULTS)('a store that gives %s loses nothing', async (_, fault) => {
  const job = await plan(index, await serve({ fault }), { retryMs: 1 });
  await runAll(job);
  expect(await merged(job)).toBe(folderDigest(local));
});

test('the commands of the task contract run as written: plan --base, task and merge', async () => {
  const job = await planByCommand(index, '--base', await serve());
  expect(server!.asked).toEqual([]);
  for (;;) {
    const ready = (await chaff(['status', job, '--ready'])).stdout;
    if (ready === '') break;
    expect((await chaff(['task', job, '-'], ready)).code).toBe(0);
  }
  expect((await chaff(['merge', job, '--workers', '0', '-q'])).code).toBe(0);
  const archives = at('archives');
  mkdirSync(archives);
  writeFileSync(join(archives, ARCHIVE), bytes);
  await chaff(['report', index, '--base', archives, '-o', at('report'), '-q', '--workers', '0']);
  expect(folderDigest(job)).toBe(folderDigest(at('report')));
});

test('plan --retries and --rate apply to the requests of tasks', async () => {
  const base = await serve({ fault: (_, response) => !!response.writeHead(503).end() });
  const impatient = await planByCommand(index, '--base', base, '--retries', '0');
  const { code, stderr } = await chaff(['task', impatient, 'label-00000']);
  expect([code, stderr]).toEqual([75, expect.stringMatching(/the server answers 503, after 1 tries/)]);
  expect(server!.asked).toHaveLength(1);
  await server!.close();
  const slow = await planByCommand(index, '--base', await serve(), '--rate', '20kB');
  const startMs = performance.now();
  expect((await chaff(['task', slow, 'label-00000'])).code).toBe(0);
  const asked = server!.asked.reduce((sum, { start, end }) => sum + end - start, 0);
  expect(performance.now() - startMs).toBeGreaterThan((asked / 20_000) * 900);
});

test('plan --base FOLDER reads archives on disk', async () => {
  await runAll(await planByCommand(index, '--base', at('archives')));
});

test('an index whose archives cannot be found is no job', async () => {
  const output = at('nothing');
  const { code, stderr } = await chaff(['plan', index, '-o', output, '-q']);
  expect([code, stderr]).toEqual([
    1,
    `chaff: ${index}: ${ARCHIVE}, which the index names, is not beside it\n`,
  ]);
  expect((await chaff(['plan', at('none.warc'), '-o', output])).code).toBe(1);
  expect((await chaff(['status', output])).code).toBe(1);
  // the folder is free for a plan that works
  await planJob([index], { ...small, output, remote: { base: await serve() } });
});

test('a store that gives only 503 makes the attempt fail, and another one succeeds', async () => {
  let isDown = true;
  const base = await serve({ fault: (_, response) => isDown && !!response.writeHead(503).end() });
  const job = await plan(index, base, { retries: 0 });
  const worker = await JobWorker.open(job);
  const [id] = jobStatus(job).ready;
  await expect(worker.run(id)).rejects.toThrow(
    /crawl\.warc\.gz could not be fetched: the server answers 503/,
  );
  await worker.close();
  isDown = false;
  await runAll(job);
  expect(await merged(job)).toBe(folderDigest(local));
});

test('an archive that the store does not have costs its pages, which are named', async () => {
  const lines = readFileSync(index, 'utf8');
  const both = at('both.cdxj');
  const other = lines.replaceAll(ARCHIVE, 'lost.warc.gz').replaceAll('.example', '.lost.example');
  writeFileSync(both, lines + other);
  const job = await plan(both, await serve());
  await runAll(job);
  await mergeJob(job, { workers: 0 });
  const { counts } = JSON.parse(readFileSync(join(job, 'run.json'), 'utf8'));
  const whole = JSON.parse(readFileSync(join(local, 'run.json'), 'utf8')).counts;
  expect(counts.pages).toBe(whole.pages);
  expect(counts.skipped.unreadable).toBe(whole.pages);
  const problems = readFileSync(join(job, 'problems.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(problems.filter(({ file, code }) => file === 'lost.warc.gz' && code === 'bad-record')).toHaveLength(
    whole.pages,
  );
});

test('a revisit finds its original by the digest in the index', async () => {
  const job = await plan(withRevisits, await serve());
  await runAll(job);
  await mergeJob(job, { workers: 0 });
  const { counts } = JSON.parse(readFileSync(join(job, 'run.json'), 'utf8'));
  const without = JSON.parse(readFileSync(join(local, 'run.json'), 'utf8')).counts;
  expect(counts.pages).toBe(without.pages + 1);
  expect(counts.skipped).toEqual(without.skipped);
});

test('the columnar index gives what CDXJ gives', async () => {
  const captures = readFileSync(index, 'utf8')
    .trim()
    .split('\n')
    .map((line) => ({ time: line.split(' ')[1], ...JSON.parse(line.slice(line.indexOf('{'))) }));
  const parquet = at('part-00000.parquet');
  const database = await Database.open();
  const rows = captures.map(
    ({ url, time, filename, offset, length, status, mime, digest }) =>
      `(${[url, time, filename, mime, digest].map(quote).join(', ')}, ${offset}, ${length}, ${status ?? 'NULL'})`,
  );
  await database.run(`
    COPY (SELECT url, strptime(time, '%Y%m%d%H%M%S') AS fetch_time, status::SMALLINT AS fetch_status,
        digest AS content_digest, mime AS content_mime_type, NULL::VARCHAR AS content_mime_detected,
        filename AS warc_filename, "offset"::INTEGER AS warc_record_offset, length::INTEGER AS warc_record_length
      FROM (VALUES ${rows.join(', ')}) AS t(url, time, filename, mime, digest, "offset", length, status)
      ORDER BY url) TO ${quote(parquet)}`);
  database.close();
  const job = await plan(parquet, await serve());
  await runAll(job);
  await mergeJob(job, { workers: 0 });
  for (const table of ['pages', 'ranges', 'templates', 'text']) {
    expect(readdirSync(join(local, table)).length).toBeGreaterThan(0);
    expect(folderDigest(join(job, table))).toBe(folderDigest(join(local, table)));
  }
});

test('a columnar index beside its archives, or with --base FOLDER, is an input of every command', async () => {
  const beside = at('archives');
  const byCdxj = await chaff(['strip', index, '--base', beside, '--workers', '0', '-q']);
  expect(byCdxj.code).toBe(0);
  const byParquet = await chaff([
    'strip',
    at('part-00000.parquet'),
    '--base',
    beside,
    '--workers',
    '0',
    '-q',
  ]);
  expect(byParquet.stdout.split('\n').length).toBe(byCdxj.stdout.split('\n').length);
  expect(byParquet.stdout === byCdxj.stdout).toBe(true);
  expect(byParquet.stdout.split('\n').length).toBeGreaterThan(35);
});

test('Parquet that is not an index is refused with what it lacks', async () => {
  const wrong = at('wrong.parquet');
  const database = await Database.open();
  await database.run(`COPY (SELECT 'http://a.example/' AS url, 1 AS n) TO ${quote(wrong)}`);
  database.close();
  const { code, stderr } = await chaff(['strip', wrong, '--workers', '0']);
  expect(code).toBe(1);
  expect(stderr).toContain('the Parquet file lacks the columns fetch_time, warc_filename');
});

test('an archive on the web cannot be planned without an index', async () => {
  const base = await serve();
  await expect(planJob([`${base}${ARCHIVE}`], { ...small, output: at('refused') })).rejects.toThrow(
    'plan from an index of it',
  );
});
