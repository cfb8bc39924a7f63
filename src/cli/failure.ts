/** Error messages for failed commands. */

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

const ADDRESS_SPACE = /wasm|webassembly/i;
const MEMORY =
  /out of memory|memory limit|allocation failed|could not allocate|Invalid (array|string|typed array) length/i;

/** Node's message for a failed write. An error from another thread has only its message. */
const UNWRITTEN = /^E[A-Z]+: (.+), write$/;

/** Whether the machine, or a limit of the process, refused memory. Such errors may be RangeErrors. */
export function isMemoryFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === 'ERR_WORKER_OUT_OF_MEMORY' || code === 'ERR_WORKER_INIT_FAILED' || MEMORY.test(error.message)
  );
}

/** The message for a failure; undefined means that the command ended without a result. */
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

/** Minimum address space for loading a command: V8 reserves 10 GB for each WebAssembly memory. */
const MIN_BYTES = 16e9;

/** The message for a limit that is too low; undefined without a limit or if it is high enough. */
export function describeAddressLimit(limits = readLimits()): string | undefined {
  const bytes = Number(/^Max address space +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  if (bytes >= MIN_BYTES) return undefined;
  const limit = `${(bytes / 1e9).toFixed(1)} GB`;
  return `the address space is limited to ${limit} (ulimit -v): take the limit away, or raise it to 100 GB (most of that is never used)`;
}

/** The process limits as Linux lists them; other systems have no such file. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return '';
  }
}
