/** One target's turn in a process of its own, which `fuzz/run.ts` starts and whose failures it receives. */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { checkCase, type Failure, makeCase, measureCase, type SlowCase, slowestOf } from './check-case.ts';
import { minimise } from './minimise.ts';
import type { Share } from './target.ts';
import { targetOf } from './target-list.ts';

/** What a turn must do. */
export interface Turn {
  target: string;
  seed: number;
  /** Numbers of the cases, `[from, to)`; null for no end. */
  from: number;
  to: number | null;
  /** Duration of the turn, in milliseconds. */
  ms: number;
  /** File with the current progress of the turn. */
  stateFile: string;
  /** Promises with enough known failures: further ones are counted, but not minimised. */
  known: string[];
}

/** Progress of a turn. */
export interface TurnState {
  /** Number of the case that is being checked. */
  number: number;
  /** Number of finished checks; it stays the same when a check does not end. */
  checks: number;
}

/** A message of the child process: a failure, or the end of the turn. */
export type TurnMessage =
  | { kind: 'failure'; failure: Failure; bytes: Uint8Array }
  | { kind: 'done'; ms: number; slow: SlowCase[]; share?: Share };

/** Overwrites the file in place, so that a reader sees the state before or after, never an empty file. */
export function writeState(path: string, { number, checks }: TurnState): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT);
  writeSync(fd, new Float64Array([number, checks]), 0, null, 0);
  closeSync(fd);
}

/** Reads the progress that `writeState` wrote. */
export function readState(path: string): TurnState {
  const bytes = readFileSync(path);
  return { number: bytes.readDoubleLE(0), checks: bytes.readDoubleLE(8) };
}

/** In the list of the slowest are no cases that pay for compiling the code or, being small, for collecting memory. */
const MIN_CASES = 3;
const MIN_BYTES = 10_000;

if (process.send) await takeTurn(JSON.parse(process.argv[2]));

async function takeTurn({ target: name, seed, from, to, ms, stateFile, known }: Turn): Promise<void> {
  const target = targetOf(name);
  const startMs = performance.now();
  const minimised = new Set(known);
  let number = from;
  let checks = 0;
  let slow: SlowCase[] = [];
  const check = (bytes: Uint8Array): Promise<Failure | null> => {
    writeState(stateFile, { number, checks: ++checks });
    return checkCase(target, bytes);
  };
  for (; number < (to ?? Number.POSITIVE_INFINITY) && performance.now() < startMs + ms; number++) {
    const bytes = makeCase(target, seed, number);
    writeState(stateFile, { number, checks: ++checks });
    const { failure, msPerKilobyte } = await measureCase(target, bytes);
    if (number >= from + MIN_CASES && bytes.length >= MIN_BYTES)
      slow = slowestOf(slow, [{ number, bytes: bytes.length, msPerKilobyte }]);
    if (!failure) continue;
    const { promise } = failure;
    const isSame = async (smaller: Uint8Array) => (await check(smaller))?.promise === promise;
    const smallest = minimised.has(promise) ? bytes : await minimise(bytes, isSame);
    minimised.add(promise);
    const said = smallest === bytes ? failure : ((await check(smallest)) ?? failure);
    send({ kind: 'failure', failure: said, bytes: smallest });
  }
  writeState(stateFile, { number, checks });
  target.close?.();
  send({ kind: 'done', ms: performance.now() - startMs, slow, share: target.share?.() });
}

function send(message: TurnMessage): void {
  process.send!(message);
}
