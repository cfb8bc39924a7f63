/**
 * The limit on the process's address space (`ulimit -v`), known before anything is started: threads and WebAssembly
 * reserve addresses by the GB, and a thread that cannot reserve its own ends the whole process without a word of ours.
 */
import { readFileSync } from 'node:fs';

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
