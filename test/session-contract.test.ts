/**
 * What every session promises, whatever its command: inputs and tasks in another order give the same bytes, every capture is
 * accounted for, a run that was stopped goes on to the same folder. A new command is one entry of the table. Threads take
 * long to start: `report` has real ones, the other commands an executor that runs the waiting tasks in a seeded order.
 * `end-to-end/killed-run.test.ts` kills the process between any two changes to files instead of stopping at a stage.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeModelFile } from '../src/detect/model-file.ts';
import { encodePageModel } from '../src/detect/page/page-model.ts';
import { type Accounts, total } from '../src/model/totals.ts';
import { writeReport } from '../src/report/write-report.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { runChanges } from '../src/run/changes-run.ts';
import { runDedup } from '../src/run/dedup-run.ts';
import type { Executor } from '../src/run/executors/executor.ts';
import type { LocalOptions } from '../src/run/executors/local.ts';
import { runFragments } from '../src/run/fragments-run.ts';
import { runGroups } from '../src/run/groups-run.ts';
import type { JobOptions } from '../src/run/job.ts';
import { streamLabels } from '../src/run/label-stream.ts';
import { runLearn } from '../src/run/learn-run.ts';
import { type ReportRunOptions, runReport } from '../src/run/report-run.ts';
import type { PageFormat } from '../src/run/sinks/page-rows.ts';
import type { Progress } from '../src/run/stages/run-stage.ts';
import { runTrain } from '../src/run/train-run.ts';
import { folderDigest } from './folder-digest.ts';
import { seededRandom } from './seeded-random.ts';

/** Whether workers are threads; else how many tasks were run before one that had waited longer. */
const real = vi.hoisted(() => ({ threads: false, outOfOrder: 0 }));
vi.mock('../src/run/executors/local.ts', async (importOriginal) => {
  const { localExecutor } = await importOriginal<typeof import('../src/run/executors/local.ts')>();
  return {
    async localExecutor(options: LocalOptions): Promise<Executor> {
      if (real.threads || options.workers === 0) return localExecutor(options);
      return shuffled(await localExecutor({ ...options, workers: 0 }));
    },
  };
});

/** Runs tasks in the caller's thread, of those that wait any one next. */
function shuffled(inline: Executor): Executor {
  const random = seededRandom(5);
  const waiting: (() => Promise<void>)[] = [];
  let isBusy = false;
  const runAllWaiting = async () => {
    isBusy = true;
    while (waiting.length > 0) {
      await sleep(1); // others are planned meanwhile
      const place = Math.floor(waiting.length * random());
      if (place > 0) real.outOfOrder++;
      await waiting.splice(place, 1)[0]();
    }
    isBusy = false;
  };
  return {
    width: 4,
    ahead: 2,
    run: (task) =>
      new Promise((resolve, reject) => {
        waiting.push(() => inline.run(task).then(resolve, reject));
        if (!isBusy) void runAllWaiting();
      }),
    release: () => inline.release(),
  };
}

interface Running extends Pick<JobOptions, 'statuses'> {
  workers: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

interface Result {
  /** All that the command makes; a folder as its digest. */
  made: string;
  accounts: Accounts;
  resumed?: boolean;
}

interface Command {
  run: (names: string[], running: Running, output: string) => Promise<Result>;
  /** What the result holds, so that the case is the one it is meant to be. */
  holds?: RegExp;
  /** Whether its workers are real threads. */
  threads?: boolean;
  /** Stages to stop at, and with how many workers, for a command that writes a folder. */
  stops?: readonly (readonly [stage: Progress['stage'], workers: number])[];
}

/** Small parts, so that a small archive makes many tasks. */
const small = { partPages: 10, sample: 20 };

const COMMANDS: Record<string, Command> = {
  strip: { run: stream({}, 'jsonl'), holds: /"text":"[^"]/ },
  'strip by dom': { run: stream({ detectors: ['dom'] }, 'jsonl'), holds: /"text":"[^"]/ },
  'strip --format warc': { run: stream({ detectors: ['text'] }, 'warc.gz') },
  label: { run: stream({}, 'ranges'), holds: /"detector":"joint".*"label":"template"/ },
  'label by dom and text': {
    run: stream({ detectors: ['dom', 'text'] }, 'ranges'),
    holds: /"label":"template"/,
  },
  'label by cross, merged from several LSH buckets': {
    run: stream(
      { detectors: ['cross'], detectorOptions: { cross: { variant: 'T006', buckets: true } } },
      'ranges',
    ),
    holds: /crosses contradict each other/,
  },
  'label by cross, sites by layout': {
    run: stream({ detectors: ['cross'], site: 'layout' }, 'ranges'),
    holds: /"site":"[^"]*#3"/,
  },
  learn: {
    async run(names, running) {
      const { models, ...accounts } = await runLearn(names, { ...small, ...running });
      return { made: Buffer.from(encodeModelFile(models)).toString('latin1'), accounts };
    },
  },
  groups: {
    run: (names, running) =>
      rowsOf((row) => runGroups(names, { ...small, ...running, crosses: true, onSite: row })),
    holds: /"up":/,
  },
  dedup: {
    run: (names, running) =>
      rowsOf((row) => runDedup(names, { ...small, ...running, captures: 'all', onPage: row })),
    holds: /"kind":"copy"/,
  },
  changes: {
    run: (names, running) => rowsOf((row) => runChanges(names, { ...small, ...running, onChange: row })),
    holds: /"class":"redesign"/,
  },
  train: {
    async run(names, running) {
      const card = { date: '2026-01-01' };
      const options = { ...running, minSites: 2, siteRows: 100, card };
      const { model, captures, pages, skipped, problems } = await runTrain(names, options);
      return { made: encodePageModel(model), accounts: { captures, pages, skipped, problems } };
    },
  },
  report: {
    run: report(),
    threads: true,
    stops: [
      ['survey', 0],
      ['learn', 0],
      ['label', 0],
      ['label', 2],
    ],
  },
  history: { run: report({ history: { fromYear: 1996, toYear: 2030 } }), stops: [['label', 2]] },
  fragments: {
    async run(names, running, output) {
      const { run, resumed } = await runFragments(names, { partPages: 10, ...running, output });
      return { made: folderDigest(output), accounts: run.counts, resumed };
    },
    stops: [
      ['survey', 0],
      ['digest', 0],
      ['digest', 2],
      ['analyse', 0],
    ],
  },
};

function stream(options: JobOptions, format: PageFormat): Command['run'] {
  return async (names, running) => {
    const pages = streamLabels(names, { ...small, ...options, ...running });
    const pieces: Uint8Array[] = [];
    for await (const piece of pages.encoded(format)) pieces.push(piece);
    return { made: Buffer.concat(pieces).toString('latin1'), accounts: pages.summary! };
  };
}

function report(options: Partial<ReportRunOptions> = {}): Command['run'] {
  return async (names, running, output) => {
    const { run, resumed } = await runReport(names, {
      ...small,
      ...options,
      ...running,
      output,
      beforeFinish: async (folder, rest) => void (await writeReport(folder, { rest })),
    });
    return { made: folderDigest(output), accounts: run.counts, resumed };
  };
}

async function rowsOf(run: (onRow: (row: object) => void) => Promise<Accounts>): Promise<Result> {
  const rows: string[] = [];
  const accounts = await run((row) => rows.push(JSON.stringify(row)));
  return { made: rows.join('\n'), accounts };
}

const folder = mkdtempSync(join(tmpdir(), 'chaff-session-'));
const newOutput = () => join(mkdtempSync(join(folder, 'run-')), 'out');
const archives: string[] = [];
const references = new Map<string, Promise<Result>>();

beforeAll(async () => {
  for (const options of [
    { name: 'one', seed: 1, sites: 1, pagesPerSite: 24, generations: 2, captures: 2 },
    { name: 'two', seed: 2, sites: 2, pagesPerSite: 16, damaged: true },
    { name: 'three', seed: 3, sites: 3, pagesPerSite: 3, soup: true },
  ]) {
    archives.push((await writeSampleArchive(folder, options)).warc);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a command makes in the thread of the caller. */
function referenceOf(name: string): Promise<Result> {
  let result = references.get(name);
  if (!result) references.set(name, (result = COMMANDS[name].run(archives, { workers: 0 }, newOutput())));
  return result;
}

const digestOf = (made: string) => createHash('sha256').update(made).digest('hex');

for (const [name, { run, holds, threads = false, stops = [] }] of Object.entries(COMMANDS)) {
  test(`${name}: every capture is a page or skipped, and damage is a problem`, async () => {
    const { made, accounts } = await referenceOf(name);
    const { captures, pages, skipped, problems } = accounts;
    expect(captures).toBe(pages + total(skipped));
    expect(pages).toBeGreaterThan(0);
    expect(skipped['http-status']).toBeGreaterThan(0);
    expect(total(problems)).toBeGreaterThan(0);
    if (holds) expect(holds.test(made), `the result holds ${holds}`).toBe(true);
  });

  test(`${name}: reversed inputs and ${threads ? 'two threads' : 'shuffled tasks'} give the same bytes`, async () => {
    const { made, accounts } = await referenceOf(name);
    real.threads = threads;
    const other = await run([...archives].reverse(), { workers: 2 }, newOutput());
    expect(digestOf(other.made)).toBe(digestOf(made));
    expect(other.accounts).toEqual(accounts);
  });

  for (const [stage, workers] of stops) {
    test(`${name}: stopped at ${stage} with ${workers} workers, it goes on to the same folder`, async () => {
      real.threads = threads;
      const output = newOutput();
      const stop = new AbortController();
      const onProgress = (progress: Progress) => {
        if (progress.stage === stage && progress.done === 1) stop.abort();
      };
      const stopped = run(archives, { workers, signal: stop.signal, onProgress }, output);
      await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
      expect(existsSync(join(output, 'run.json'))).toBe(false);
      const { made, resumed } = await run(archives, { workers: 0 }, output);
      expect(resumed).toBe(true);
      expect(made).toBe((await referenceOf(name)).made);
    });
  }
}

test('the tasks of sessions were shuffled', () => {
  expect(real.outOfOrder).toBeGreaterThan(20);
});

test.each(['strip', 'learn', 'groups', 'dedup', 'changes', 'train', 'report', 'fragments'])(
  '%s: with all statuses, error pages are pages',
  async (name) => {
    const running = { workers: 0, statuses: 'all' as const };
    const { accounts } = await COMMANDS[name].run(archives.slice(1, 2), running, newOutput());
    expect(accounts.pages).toBeGreaterThan(0);
    expect(accounts.skipped['http-status']).toBeUndefined();
  },
);
