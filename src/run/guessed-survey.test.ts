import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { folderDigest } from '../../test/folder-digest.ts';
import { forgedArchive, longPage } from '../../test/forged-archive.ts';
import { gzipEach, warcRecord } from '../../test/sample-archives.ts';
import { runChanges } from './changes-run.ts';
import { runGroups } from './groups-run.ts';
import { checkJob } from './job.ts';
import { type LabelStreamOptions, streamLabels } from './label-stream.ts';
import { type ReportRunOptions, runReport } from './report-run.ts';
import { Session } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'chaff-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});
const newOutput = () => join(mkdtempSync(join(folder, 'run-')), 'out');

const pages = Array.from({ length: 12 }, (_, k) =>
  warcRecord({ url: `http://a.example/${k}`, html: longPage(k, 800 + 50 * k) }),
);
const members = pages.map((page) => gzipSync(page));
const short = warcRecord({ url: 'http://a.example/short' });

/** Small tasks, so that several have been committed when one meets a wrong guess. */
const small = { detectors: ['joint', 'dom'], partPages: 4, sample: 6 } satisfies Partial<ReportRunOptions>;

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] ^= 0x55;
  return copy;
}

function archive(name: string, bytes: Uint8Array): string {
  const path = join(folder, `${name}.warc.gz`);
  writeFileSync(path, bytes);
  return path;
}

/** Digest of the folder that a report gives, how often it surveyed its inputs, and the problems. */
async function report(warcs: string[], options: Partial<ReportRunOptions> = {}) {
  const output = options.output ?? newOutput();
  let surveys = 0;
  await runReport(warcs, {
    ...small,
    workers: 0,
    ...options,
    output,
    onProgress: ({ stage, done }) => {
      if (stage === 'survey' && done === 0) surveys++;
    },
  });
  const problems = readFileSync(join(output, 'problems.jsonl'), 'utf8');
  return { digest: folderDigest(output), surveys, problems };
}

/** The same by a run that has started again already, which guesses nothing. */
async function reportWithoutGuesses(warcs: string[]) {
  const output = newOutput();
  const session = await Session.open(warcs, checkJob(small), { output, workers: 0 });
  session.startAgain();
  await session.close();
  return report(warcs, { output });
}

const middle = members.slice(0, 6).reduce((sum, member) => sum + member.length, 0);
const all = Buffer.concat(members);
test.each([
  { name: 'nothing is wrong', bytes: gzipEach([short, ...pages]), surveys: 1 },
  { name: 'a page holds a forged member', bytes: Buffer.concat([all, forgedArchive()]), surveys: 2 },
  { name: 'the body of a page is damaged', bytes: damaged(all, middle - 1500), surveys: 2 },
  { name: 'the last member is cut off', bytes: all.subarray(0, -500), surveys: 1 },
])('$name: the report is that of a run that guesses nothing', async ({ name, bytes, surveys }) => {
  const warcs = [archive('sound', all), archive(name, bytes)];
  const expected = await reportWithoutGuesses(warcs);
  const guessed = await report(warcs);
  expect(guessed).toEqual({ ...expected, surveys });
  expect(expected.surveys).toBe(1);
});

test('threads report a wrong guess to the run, and a history is started again too', async () => {
  const warcs = [archive('threads', damaged(all, middle - 8))];
  const history = { fromYear: 2019, toYear: 2021 };
  const expected = await report(warcs, { history });
  const threaded = await report(warcs, { history, workers: 2 });
  expect(threaded).toMatchObject({ digest: expected.digest, surveys: 2 });
  expect(threaded.problems).toContain('bad-gzip');
});

test.each([
  { when: 'before its wrong guess is met', stage: 'learn', done: 0, surveys: 2 },
  { when: 'when it has started again', stage: 'label', done: 1, surveys: 1 },
])('a run that is stopped $when goes on to the same folder', async ({ stage, done, surveys }) => {
  const warcs = [archive('stopped', damaged(all, middle - 8))];
  const expected = await reportWithoutGuesses(warcs);
  const output = newOutput();
  const stop = new AbortController();
  const stopped = runReport(warcs, {
    ...small,
    output,
    workers: 0,
    signal: stop.signal,
    onProgress: (progress) => {
      if (progress.stage === stage && progress.done === done) stop.abort(new Error('stopped'));
    },
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect(await report(warcs, { output })).toEqual({ ...expected, surveys });
});

test('a run that does not read every page guesses nothing', async () => {
  const warcs = [archive('limited', damaged(all, middle - 8))];
  expect((await report(warcs, { limit: 3 })).surveys).toBe(1);
  expect((await report(warcs, { include: ['[1-4]$'] })).surveys).toBe(1);
});

/** All rows of a stream, how often its inputs were surveyed, and how often rows were taken back. */
async function rowsOf(warcs: string[], options: LabelStreamOptions = {}) {
  let surveys = 0;
  let restarts = 0;
  const rows: Buffer[] = [];
  const stream = streamLabels(warcs, {
    ...small,
    workers: 0,
    ...options,
    onProgress: ({ stage, done }) => {
      if (stage === 'survey' && done === 0) surveys++;
    },
    ...(options.restart && {
      restart: {
        handler: () => {
          restarts++;
          rows.length = 0;
        },
      },
    }),
  });
  for await (const piece of stream.encoded('jsonl')) rows.push(Buffer.from(piece));
  return { rows: Buffer.concat(rows).toString(), surveys, restarts, summary: stream.summary };
}

test.each([
  { name: 'sound', bytes: all, surveys: 1 },
  { name: 'damaged in its last page', bytes: damaged(all, all.length - 1500), surveys: 2 },
  { name: 'with a forged member', bytes: Buffer.concat([all, forgedArchive()]), surveys: 2 },
])('rows of an archive that is $name are those of a run that guesses nothing', async ({ bytes, surveys }) => {
  const warcs = [archive('rows', bytes)];
  const expected = await rowsOf(warcs, { limit: 1000 });
  expect(expected).toMatchObject({ surveys: 1 });
  expect(await rowsOf(warcs)).toEqual({ ...expected, surveys });
  expect(await rowsOf(warcs, { workers: 2 })).toEqual({ ...expected, surveys });
  const taken = await rowsOf(warcs, { restart: {} });
  expect(taken).toEqual({ ...expected, surveys, restarts: surveys - 1 });
});

test('groups and changes guess too, and start again', async () => {
  const warcs = [archive('grouped', damaged(all, middle - 8))];
  const surveysOf = async (
    run: (onProgress: (progress: { stage: string; done: number }) => void) => Promise<unknown>,
  ) => {
    let surveys = 0;
    const summary = await run(({ stage, done }) => {
      if (stage === 'survey' && done === 0) surveys++;
    });
    return { surveys, summary };
  };
  const options = { workers: 0, partPages: 4 };
  const groups = await surveysOf((onProgress) =>
    runGroups(warcs, { ...options, onProgress, onSite: () => {} }),
  );
  const changes = await surveysOf((onProgress) =>
    runChanges(warcs, { ...options, onProgress, onChange: () => {} }),
  );
  for (const { surveys, summary } of [groups, changes]) {
    expect(surveys).toBe(2);
    expect(summary).toMatchObject({ captures: 12, pages: 12, problems: { 'bad-gzip': 1 } });
  }
});
