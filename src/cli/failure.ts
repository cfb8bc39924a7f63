/** The sentence for a command that failed, whatever it failed of. */
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
