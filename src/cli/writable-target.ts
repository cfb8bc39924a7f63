/** Whether an export can be written where it was asked for: found out before the work, not after it. */
import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** Refuses a file or folder that is not there and cannot be made, or is there and cannot be written. */
export function checkWritable(flag: string, name: string): void {
  const target = resolve(name);
  let nearest = target;
  while (!isThere(nearest)) nearest = dirname(nearest);
  if (nearest !== target && !statSync(nearest).isDirectory()) {
    throw new UsageError(`${flag} ${name} cannot be made: ${nearest} is a file`);
  }
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw new UsageError(`${flag} ${name} cannot be written: no permission to write in ${nearest}`);
  }
}

/** A path below a file is not there either; the root always is. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
