/**
 * Folders for temporary files. Their names say which process made them, `chaff-PLACE-PID-RANDOM`, so that a process that
 * is stopped hard removes its own without a list of them, and a later one removes those of processes that were killed.
 * PLACE stands for this machine and its numbering of processes: containers and machines that share a folder for temporary
 * files have other numbers for their processes.
 */
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

let place: string | undefined;

/** Makes a new folder below `parent`. */
export function makeScratchFolder(parent = tmpdir()): string {
  return mkdtempSync(ownPrefix(parent));
}

/** A new path of this process, for a folder that another library makes when it needs one. */
export function scratchPath(parent = tmpdir()): string {
  return `${ownPrefix(parent)}${Math.random().toString(36).slice(2)}`;
}

/** Removes all that this process has made below `parent`, for an end without clean-up. */
export function removeOwnScratch(parent = tmpdir()): void {
  removeScratch(parent, (pid) => pid === process.pid);
}

/** Removes what processes have left behind that run no longer. */
export function removeDeadScratch(parent = tmpdir()): void {
  removeScratch(parent, (pid) => !isRunning(pid));
}

function removeScratch(parent: string, isMeant: (pid: number) => boolean): void {
  const pattern = new RegExp(`^chaff-${placeOf()}-(\\d+)-`);
  for (const name of namesIn(parent)) {
    const pid = pattern.exec(name)?.[1];
    if (pid === undefined || !isMeant(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 2 });
    } catch {
      // another user's, or still being written to: temporary files are no reason to fail
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function ownPrefix(parent: string): string {
  return join(parent, `chaff-${placeOf()}-${process.pid}-`);
}

function placeOf(): string {
  place ??= `${hostname()}-${processNamespace()}`.replace(/[^\w-]/g, '_');
  return place;
}

/** The numbering of processes on Linux, where containers have their own. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
