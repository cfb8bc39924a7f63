/**
 * Identifies processes for files that other processes read, on this machine or on others that share the file system. A
 * process id alone does not: it is used again, and every machine and every container has its own. Linux gives what is
 * missing: the boot of the machine, the process namespace, and the time at which the process was started.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process, as it describes itself. */
export interface ProcessIdentity {
  host: string;
  /** The machine, its boot and the process namespace. */
  machine: string;
  pid: number;
  /** When it was started, in clock ticks since the boot; undefined where the system does not report it. */
  startTicks?: string;
}

/** Identifies this process. */
export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    machine: machine(),
    pid: process.pid,
    startTicks: stateOf(process.pid)?.startTicks,
  };
}

/** Returns whether a process runs; undefined when that cannot be known, such as for one on another machine. */
export function isRunning({ machine: where, pid, startTicks }: ProcessIdentity): boolean | undefined {
  if (where !== machine()) return undefined;
  if (!hasProcess(pid)) return false;
  const found = stateOf(pid);
  if (found === undefined || startTicks === undefined) return undefined;
  // a process that has died keeps its id until its parent asks for its exit code
  return found.startTicks === startTicks && !'ZX'.includes(found.state);
}

/** Returns whether a process of this machine and namespace has this id. */
export function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The process namespace on Linux, where each container has its own; `0` elsewhere. */
export function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
  } catch {
    return '0';
  }
}

let machineName: string | undefined;

function machine(): string {
  machineName ??= [hostname(), bootOf(), processNamespace()].join(' ');
  return machineName;
}

function bootOf(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '0';
  }
}

/**
 * State letter and start of a process from `/proc/PID/stat`: fields 3 and 22, after a name that can hold anything. In a new
 * namespace `/proc` may still be that of another one, in which the same id is another process.
 */
function stateOf(pid: number): { state: string; startTicks: string } | undefined {
  try {
    if (readlinkSync('/proc/self') !== String(process.pid)) return undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], startTicks: fields[19] };
  } catch {
    return undefined;
  }
}
