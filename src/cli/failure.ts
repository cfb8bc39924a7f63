/** The sentence for a command that failed, whatever the cause. */

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

const ADDRESS_SPACE = /wasm|webassembly/i;
const MEMORY =
  /out of memory|memory limit|allocation failed|could not allocate|Invalid (array|string|typed array) length/i;

/** Node's words for a write that failed. An error that comes from another thread has nothing but its words. */
const UNWRITTEN = /^E[A-Z]+: (.+), write$/;

/** Whether the machine, or a limit set to the process, gave no memory. Such errors may be RangeErrors. */
export function isMemoryFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === 'ERR_WORKER_OUT_OF_MEMORY' || code === 'ERR_WORKER_INIT_FAILED' || MEMORY.test(error.message)
  );
}

/** What to tell of a failure; undefined is a command that ended without an answer. */
export function describeFailure(error: unknown): string {
  if (process.env.CHAFF_DEBUG !== undefined && error instanceof Error) return error.stack ?? error.message;
  if (error === undefined)
    return 'ended before it was done; too little memory is the usual cause (ulimit -v)';
  if (!(error instanceof Error)) return String(error);
  const unwritten = UNWRITTEN.exec(error.message)?.[1];
  if (unwritten !== undefined) {
    return `cannot write a file: ${unwritten}; temporary files are in ${tmpdir()}`;
  }
  if (!isMemoryFailure(error)) return error.message;
  const what = ADDRESS_SPACE.test(error.message)
    ? 'address space for WebAssembly: raise the limit (ulimit -v)'
    : 'memory: give it more, or fewer --workers';
  return `not enough ${what} (${error.message})`;
}

/** Below this no command can be loaded. V8 reserves 10 GB for each memory of WebAssembly. */
const LEAST_BYTES = 16e9;

/** The sentence for a limit that is too low; undefined when there is no limit or it is high enough. */
export function tellAddressLimit(limits = readLimits()): string | undefined {
  const bytes = Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (bytes >= LEAST_BYTES) return undefined;
  const limit = `${(bytes / 1e9).toFixed(1)} GB`;
  return `the address space is limited to ${limit} (ulimit -v): take the limit away, or raise it to 100 GB (most of that is never used)`;
}

/** As Linux tells them; elsewhere there is no such file. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return '';
  }
}
