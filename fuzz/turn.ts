/** One target's turn, in a process of its own: `fuzz/run.ts` starts it and hears of its failures. */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { checkCase, type Failure, makeCase } from './check-case.ts';
import { minimise } from './minimise.ts';
import type { Share } from './target.ts';
import { targetOf } from './target-list.ts';

export interface Turn {
  target: string;
  seed: number;
  /** Numbers of the cases, `[from, to)`; a null `to` is no bound. */
  from: number;
  to: number | null;
  /** The turn ends after so long. */
  ms: number;
  /** File that says at any time how far the turn is. */
  stateFile: string;
  /** Promises of which enough failures are known: further ones are counted, not minimised. */
  known: string[];
}

export interface TurnState {
  /** Of the case that is being checked. */
  number: number;
  /** How many checks were done: it stays the same when one does not end. */
  checks: number;
}

export type TurnMessage =
  | { kind: 'failure'; failure: Failure; bytes: Uint8Array }
  | { kind: 'done'; ms: number; share?: Share };

/** Overwrites the file in place: a reader sees the state before or after, never an empty file. */
export function writeState(path: string, { number, checks }: TurnState): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT);
  writeSync(fd, new Float64Array([number, checks]), 0, null, 0);
  closeSync(fd);
}

export function readState(path: string): TurnState {
  const bytes = readFileSync(path);
  return { number: bytes.readDoubleLE(0), checks: bytes.readDoubleLE(8) };
}

if (process.send) await takeTurn(JSON.parse(process.argv[2]));

async function takeTurn({ target: name, seed, from, to, ms, stateFile, known }: Turn): Promise<void> {
  const target = targetOf(name);
  const startMs = performance.now();
  const minimised = new Set(known);
  let number = from;
  let checks = 0;
  const check = (bytes: Uint8Array): Promise<Failure | null> => {
    writeState(stateFile, { number, checks: ++checks });
    return checkCase(target, bytes);
  };
  for (; number < (to ?? Number.POSITIVE_INFINITY) && performance.now() < startMs + ms; number++) {
    const bytes = makeCase(target, seed, number);
    const failure = await check(bytes);
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
  send({ kind: 'done', ms: performance.now() - startMs, share: target.share?.() });
}

function send(message: TurnMessage): void {
  process.send!(message);
}
