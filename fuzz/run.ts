/**
 * `npm run fuzz -- [TARGET…] [--seconds N | --cases N] [--seed S]` checks cases of the targets in turn,
 * endlessly unless it is limited. Failing cases are minimised and saved in `fuzz/found/`; `--replay FILE`
 * checks a saved case again. The cases run in a child process, so that this process can notice a case that
 * does not end.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { checkCase, type Failure, makeCase, type SlowCase, slowestOf } from './check-case.ts';
import type { Share, Target } from './target.ts';
import { TARGETS, targetOf } from './target-list.ts';
import { readState, type Turn, type TurnMessage, writeState } from './turn.ts';

/** Duration of a target's turn, in milliseconds; a target alone starts its process less often. */
const TURN_MS = 20_000;
const TURN_ALONE_MS = 300_000;
/** Time after which a check is aborted, in milliseconds. */
const HANG_MS = 120_000;
/** Number of failures per promise that are minimised and saved. */
const MAX_SAVED = 3;

interface Sum {
  target: Target;
  cases: number;
  ms: number;
  /** Number of failures by promise. */
  failures: Map<string, number>;
  slow: SlowCase[];
  share?: Share;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string', default: '1' },
    replay: { type: 'string' },
  },
});
const number = (name: 'seconds' | 'cases' | 'seed', unset: number): number => {
  const said = values[name];
  if (said === undefined) return unset;
  if (/^\d+$/.test(said)) return Number(said);
  throw new RangeError(`--${name} must be a whole number from 0, not ${said}`);
};
const found = join(import.meta.dirname, 'found');
const scratch = mkdtempSync(join(tmpdir(), 'chaff-fuzz-'));
let running: ChildProcess | undefined;
/** Adds the progress of the current turn to its sum. */
let updateSum = () => {};
process.on('exit', () => {
  running?.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

if (values.replay === undefined) await fuzz();
else await replay(values.replay);

async function fuzz(): Promise<void> {
  const seed = number('seed', 1);
  const maxCases = number('cases', Number.POSITIVE_INFINITY);
  const totalMs = 1000 * number('seconds', Number.POSITIVE_INFINITY);
  const endMs = performance.now() + totalMs;
  const targets = positionals.length === 0 ? TARGETS : positionals.map(targetOf);
  const turnMs = Math.min(targets.length === 1 ? TURN_ALONE_MS : TURN_MS, totalMs / targets.length);
  const sums = targets.map((target): Sum => ({ target, cases: 0, ms: 0, failures: new Map(), slow: [] }));
  const finish = (): never => {
    process.stdout.write('\n');
    for (const sum of sums) process.stdout.write(`${describe(sum)}\n${describeSlow(sum)}`);
    process.exit(sums.some(({ failures }) => failures.size > 0) ? 1 : 0);
  };
  process.on('SIGINT', () => {
    updateSum();
    finish();
  });
  while (performance.now() < endMs && sums.some(({ cases }) => cases < maxCases)) {
    for (const sum of sums) {
      const ms = Math.min(turnMs, endMs - performance.now());
      if (ms <= 0 || sum.cases >= maxCases) continue;
      await takeTurn(sum, { target: sum.target.name, seed, from: sum.cases, to: maxCases, ms });
      process.stdout.write(`${describe(sum)}\n`);
    }
  }
  finish();
}

/** Makes a child process check cases from `turn.from` on; ends with the turn, or when a case does not end. */
function takeTurn(sum: Sum, turn: Omit<Turn, 'stateFile' | 'known'>): Promise<void> {
  const stateFile = join(scratch, 'state');
  writeState(stateFile, { number: turn.from, checks: 0 });
  const known = [...sum.failures].filter(([, count]) => count >= MAX_SAVED).map(([name]) => name);
  const child = fork(join(import.meta.dirname, 'turn.ts'), [JSON.stringify({ ...turn, stateFile, known })], {
    env: { ...process.env, TMPDIR: scratch },
    execArgv: ['--import', 'tsx'],
    serialization: 'advanced',
  });
  running = child;
  const startMs = performance.now();
  const msBefore = sum.ms;
  updateSum = () => {
    sum.cases = readState(stateFile).number;
    sum.ms = msBefore + performance.now() - startMs;
  };
  return new Promise((resolve, reject) => {
    let seen = -1;
    const watch = setInterval(() => {
      const { number: running, checks } = readState(stateFile);
      if (checks !== seen) {
        seen = checks;
        return;
      }
      const bytes = makeCase(sum.target, turn.seed, running);
      record(sum, bytes, { promise: 'hang', message: `hang: case ${running} does not end` });
      sum.cases = running + 1;
      child.kill('SIGKILL');
    }, HANG_MS);
    child.on('message', (message: TurnMessage) => {
      if (message.kind === 'failure') record(sum, message.bytes, message.failure);
      else {
        updateSum();
        sum.ms = msBefore + message.ms; // without the start of the process
        sum.slow = slowestOf(sum.slow, message.slow);
        addShare(sum, message.share);
      }
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      clearInterval(watch);
      if (code === 1) reject(new Error(`the process that checks ${sum.target.name} failed`));
      else resolve();
    });
  });
}

function record({ target, failures }: Sum, bytes: Uint8Array, failure: Failure): void {
  const count = (failures.get(failure.promise) ?? 0) + 1;
  failures.set(failure.promise, count);
  if (count > MAX_SAVED) return;
  mkdirSync(found, { recursive: true });
  const path = join(
    found,
    `${target.name}-${crc32(bytes).toString(16).padStart(8, '0')}.${target.extension}`,
  );
  writeFileSync(path, bytes);
  process.stdout.write(`${failure.message}\n  saved as ${path}, ${bytes.length} bytes\n`);
}

function addShare(sum: Sum, share: Share | undefined): void {
  if (!share) return;
  const { name, part, whole } = sum.share ?? { name: share.name, part: 0, whole: 0 };
  sum.share = { name, part: part + share.part, whole: whole + share.whole };
}

function describe({ target, cases, ms, failures, share }: Sum): string {
  const rate = Math.round((1000 * cases) / Math.max(1, ms));
  const broken = [...failures].map(([name, count]) => `${name} × ${count}`).join('; ');
  const parts = [
    `${cases} cases`,
    `${rate}/s`,
    share ? `${share.name} ${share.part} of ${share.whole}` : '',
    broken === '' ? 'none failed' : `FAILED: ${broken}`,
  ];
  return `${target.name.padEnd(8)} ${parts.filter((part) => part !== '').join(', ')}`;
}

/** The cases that took longest for their size, for targets with a limit of their own. */
function describeSlow({ target, slow }: Sum): string {
  if (target.msPerKilobyte === undefined) return '';
  const lines = slow.map(
    ({ number, bytes, msPerKilobyte }) =>
      `  case ${number}: ${msPerKilobyte.toFixed(2)} ms/kB, ${bytes} bytes\n`,
  );
  return `  slowest of 10 kB or more, limit ${target.msPerKilobyte} ms/kB:\n${lines.join('')}`;
}

async function replay(path: string): Promise<void> {
  const target = targetOf(basename(path).split('-')[0]);
  const failure = await checkCase(target, readFileSync(path));
  target.close?.();
  process.stdout.write(`${failure?.message ?? 'no promise is broken'}\n`);
  process.exitCode = failure ? 1 : 0;
}
