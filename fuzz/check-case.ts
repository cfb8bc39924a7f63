/**
 * Checks one case of a target: the promises of the target, and a promise about CPU time that applies to every
 * case.
 */
import { crc32 } from 'node:zlib';
import { seededNumbers } from '../test/seeded-random.ts';
import { BrokenPromise, type Target } from './target.ts';

/** A promise that a case broke. */
export interface Failure {
  /** Name of the promise, equal for all cases that break it. */
  promise: string;
  message: string;
}

/** What came of a case. */
export interface Checked {
  failure: Failure | null;
  /** CPU time of the check, in milliseconds per 1,000 bytes. */
  msPerKilobyte: number;
}

/** CPU time that a case may take: this many milliseconds per 1,000 bytes, and never less than the minimum. */
const MS_PER_KILOBYTE = 100;
const FLOOR_MS = 500;

/** A case that took long for its size. */
export interface SlowCase {
  number: number;
  bytes: number;
  msPerKilobyte: number;
}

const MAX_SLOW = 10;

/** The slowest cases of two lists, slowest first. */
export function slowestOf(slow: readonly SlowCase[], more: readonly SlowCase[]): SlowCase[] {
  return [...slow, ...more].sort((a, b) => b.msPerKilobyte - a.msPerKilobyte).slice(0, MAX_SLOW);
}

/** Returns the case with a number in a run with a seed. */
export function makeCase(target: Target, seed: number, number: number): Uint8Array {
  return target.generate(seededNumbers(crc32(`${target.name} ${seed} ${number}`)));
}

/** Returns the promise that a case breaks, or null. */
export async function checkCase(target: Target, bytes: Uint8Array): Promise<Failure | null> {
  return (await measureCase(target, bytes)).failure;
}

/** Checks and measures a case. */
export async function measureCase(target: Target, bytes: Uint8Array): Promise<Checked> {
  const kilobytes = bytes.length / 1000;
  const limitMs = Math.max(FLOOR_MS, (target.msPerKilobyte ?? MS_PER_KILOBYTE) * kilobytes);
  let { failure, cpuMs } = await runCase(target, bytes);
  if (!failure && cpuMs > limitMs) {
    // a compiler or collector thread may have used CPU time
    const second = await runCase(target, bytes);
    failure = second.failure;
    cpuMs = Math.min(cpuMs, second.cpuMs);
  }
  if (!failure && cpuMs > limitMs) {
    const message = `${bytes.length} bytes took ${Math.round(cpuMs)} ms of CPU time, over ${Math.round(limitMs)}`;
    failure = { promise: 'time', message: `time: ${message}` };
  }
  return { failure, msPerKilobyte: cpuMs / kilobytes };
}

async function runCase(
  target: Target,
  bytes: Uint8Array,
): Promise<{ failure: Failure | null; cpuMs: number }> {
  const before = process.cpuUsage();
  let failure: Failure | null = null;
  try {
    await target.check(bytes);
  } catch (error) {
    failure = failureOf(error);
  }
  const { user, system } = process.cpuUsage(before);
  return { failure, cpuMs: (user + system) / 1000 };
}

function failureOf(error: unknown): Failure {
  if (error instanceof BrokenPromise) return { promise: error.promise, message: error.message };
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // messages quote the input, so failures are identified by the function that threw
  const thrower = /\n\s+at (?:new )?([\w.#<>]+)/.exec(stack ?? '')?.[1] ?? '';
  return { promise: `throws ${name} in ${thrower}`, message: `throws ${stack ?? message}` };
}
