/**
 * Scratch folders for temporary files. Their names, `chaff-MACHINE-PID-RANDOM`, identify the process that made
 * them. A process that must end at once can thus remove its own folders without a list, and a later
 * process removes those that killed processes left. MACHINE identifies the machine and its process
 * namespace, because machines and containers may share a folder for temporary files while each has its own
 * process ids.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProcess, processNamespace } from './process-identity.ts';

let machineName: string | undefined;

/** Makes a new scratch folder below `parent` and returns its path. */
export function makeScratchFolder(parent = tmpdir()): string {
  return mkdtempSync(ownPrefix(parent));
}

/**
 * Returns an unused scratch path of this process, for a library that makes its own folder there when it needs
 * one.
 */
export function scratchPath(parent = tmpdir()): string {
  return `${ownPrefix(parent)}${Math.random().toString(36).slice(2)}`;
}

/**
 * Removes all scratch folders of this process below `parent`; called when the process ends without clean-up.
 */
export function removeOwnScratch(parent = tmpdir()): void {
  removeScratch(parent, (pid) => pid === process.pid);
}

/** Removes the scratch folders of processes that no longer run. */
export function removeDeadScratch(parent = tmpdir()): void {
  removeScratch(parent, (pid) => !hasProcess(pid));
}

function removeScratch(parent: string, isWanted: (pid: number) => boolean): void {
  const pattern = new RegExp(`^chaff-${nameOfMachine()}-(\\d+)-`);
  for (const name of namesIn(parent)) {
    const pid = pattern.exec(name)?.[1];
    if (pid === undefined || !isWanted(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true, maxRetries: 2 });
    } catch {
      // the folder belongs to another user or is still being written; temporary files are not a reason to fail
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
  return join(parent, `chaff-${nameOfMachine()}-${process.pid}-`);
}

function nameOfMachine(): string {
  machineName ??= `${hostname()}-${processNamespace()}`.replace(/[^\w-]/g, '_');
  return machineName;
}
