/** Whether what is asked for can be written where it was asked for: found out before the work, not after it. */
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

/** Refuses a name that no file can be written under. Folders on the way to it are not made: a typing error would be one. */
export function checkOutputFile(flag: string, name: string): void {
  if (name === '') throw new UsageError(`${flag} needs the name of a file`);
  if (name.endsWith('/') || isFolder(name)) {
    throw new UsageError(`${flag} ${name} is a folder: name a file in it`);
  }
  const folder = dirname(resolve(name));
  if (!isThere(folder))
    throw new UsageError(`${flag} ${name} cannot be made: make the folder ${folder} first`);
  checkWritable(flag, name);
}

/** Refuses a name that no folder can be made under. */
export function checkOutputFolder(flag: string, name: string): void {
  if (name === '') throw new UsageError(`${flag} needs the name of a folder`);
  if (isThere(name) && !isFolder(name)) throw new UsageError(`${flag} ${name} is a file: name a folder`);
  checkWritable(flag, name);
}

function isFolder(path: string): boolean {
  return isThere(path) && statSync(path).isDirectory();
}

/** A path below a file is not there either; the root always is. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
