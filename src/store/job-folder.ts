/**
 * A planned job: an output folder in the making whose tasks other processes and machines carry out. Everything is below
 * `.work/`, on a file system that all of them share:
 *
 *   job.bin                 the options, the inputs and the names of all tasks; never changes
 *   manifests/ID.json       a task; never changes
 *   parts/ID.ATTEMPT/       the files of one attempt (task-parts.ts)
 *   done/ID.json            the commit of a task
 *   attempts/ID.ATTEMPT     an attempt that is running, or that died: host, process and the page it is at
 *
 * The format of job.bin is a digest and a structured clone, because options hold models of typed arrays.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import { isRunning, ownIdentity, type ProcessIdentity } from '../model/process-identity.ts';
import { version } from '../model/version.ts';
import { partNumber, WORK_FOLDER, writeAtomic } from './run-folder.ts';
import { committedFolder, DONE_FOLDER, damaged, JobError, PARTS_FOLDER, readWorkFile } from './task-parts.ts';

/** Bytes of the digest at the start of job.bin and of that of a manifest, which reveal damage. */
const DIGEST_BYTES = 8;
const JOB_FILE = 'job.bin';
const MANIFESTS_FOLDER = 'manifests';
const ATTEMPTS_FOLDER = 'attempts';

/** The name of merging among the attempts. */
export const MERGE = 'merge';

/** Interval at which a running attempt shows that it is alive. */
const SIGN_OF_LIFE_MS = 5_000;
/** Silence after which an attempt counts as dead if its process is not visible from here. */
const SILENT_MS = 30_000;
/** Interval at which other attempts are checked for signs of life. */
const LOOK_MS = 500;

/** Stages of a job, in order; a task needs only what earlier stages have committed. */
export const JOB_STAGES = ['learn', 'label'] as const;
/** One of `JOB_STAGES`. */
export type JobStage = (typeof JOB_STAGES)[number];

/** A task with its number of pages. */
export interface JobTask {
  id: string;
  stage: JobStage;
  pages: number;
  /** Digest of its manifest. */
  manifest: string;
}

/** Fields of job.bin besides the data of the run. */
interface JobHead {
  version: string;
  tasks: JobTask[];
}

/** What an attempt writes about itself when it begins. */
interface BegunAttempt extends ProcessIdentity {
  /** When it began, by the clock of the shared file system. */
  startedMs: number;
  /** Names of attempts at the same task that had died before it began. */
  after: string[];
}

/** An attempt that has neither committed nor reported a failure. */
export interface Attempt extends Pick<BegunAttempt, 'host' | 'pid' | 'startedMs' | 'after'> {
  /** Name of its file. */
  name: string;
  task: string;
  /** When it last showed that it was alive, by the clock of the shared file system. */
  lastSignMs: number;
  /** Page that it processes or last processed; 0 before the first. */
  page: number;
  isAlive: boolean;
  /** Whether its process cannot be looked at, such as on another machine: then only its signs show whether it is alive. */
  isRemote: boolean;
}

/** A planned job on a shared file system; `Kept` is the data that the run stores in it. */
export class JobFolder<Kept extends object> {
  readonly path: string;
  readonly tasks: readonly JobTask[];
  readonly kept: Kept;

  private constructor(path: string, tasks: readonly JobTask[], kept: Kept) {
    this.path = path;
    this.tasks = tasks;
    this.kept = kept;
  }

  /** Creates the job of an output folder; its manifests must be written before. */
  static create<Kept extends object>(path: string, tasks: readonly JobTask[], kept: Kept): JobFolder<Kept> {
    const head: JobHead = { version, tasks: [...tasks] };
    const content = serialize({ ...head, kept });
    writeAtomic(join(path, WORK_FOLDER, JOB_FILE), Buffer.concat([digestOf(content), content]));
    return new JobFolder(path, tasks, kept);
  }

  static isPlanned(path: string): boolean {
    return existsSync(join(path, WORK_FOLDER, JOB_FILE));
  }

  /** Opens a planned job; throws a JobError when there is no job, or another version planned it. */
  static open<Kept extends object>(path: string): JobFolder<Kept> {
    const file = join(path, WORK_FOLDER, JOB_FILE);
    if (!JobFolder.isPlanned(path)) {
      if (existsSync(join(path, 'run.json'))) throw merged(path);
      throw new JobError(`${path} is not a planned job; make one with chaff plan INPUT… -o JOB`);
    }
    const bytes = readFileSync(file);
    const content = bytes.subarray(DIGEST_BYTES);
    if (!digestOf(content).equals(bytes.subarray(0, DIGEST_BYTES))) throw damaged(file);
    const { kept, ...head } = deserialize(content) as JobHead & { kept: Kept };
    if (head.version !== version) {
      throw new JobError(
        `${path} was planned by version ${head.version}, and this is ${version}: use one version`,
      );
    }
    return new JobFolder(path, head.tasks, kept);
  }

  get workPath(): string {
    return join(this.path, WORK_FOLDER);
  }

  isCommitted(id: string): boolean {
    return committedFolder({ folder: this.workPath, name: id }) !== undefined;
  }

  /** Returns the names of all committed tasks, with one directory listing. */
  committed(): Set<string> {
    const names = listing(join(this.workPath, DONE_FOLDER));
    return new Set(
      names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length)),
    );
  }

  /** Returns the tasks that can run now: the uncommitted tasks of the first stage that is not done. */
  readyTasks(): JobTask[] {
    const committed = this.committed();
    const missing = this.tasks.filter(({ id }) => !committed.has(id));
    const stage = JOB_STAGES.find((one) => missing.some((task) => task.stage === one));
    return missing.filter((task) => task.stage === stage);
  }

  readManifest<Manifest extends object>(id: string): Manifest {
    const file = join(this.workPath, MANIFESTS_FOLDER, `${id}.json`);
    const task = this.tasks.find((each) => each.id === id);
    if (task === undefined) {
      throw new JobError(
        `the job ${this.path} has no task "${id}"; chaff status ${this.path} --ready lists tasks`,
      );
    }
    return readWorkFile<Manifest>(file, (_, bytes) => digestOf(bytes).toString('hex') === task.manifest);
  }

  /** Begins an attempt, which other processes see until it ends, after earlier ones that may have died. */
  beginAttempt(task: string, earlier: readonly Attempt[]): RunningAttempt {
    const after = earlier.filter(({ isAlive }) => !isAlive).map(({ name }) => name);
    return new RunningAttempt(this.#attemptFile(`${task}.${randomBytes(8).toString('hex')}`), after);
  }

  /** Returns the attempts at a task, or at all tasks, that are running or have died. */
  attempts(task?: string): Attempt[] {
    const folder = join(this.workPath, ATTEMPTS_FOLDER);
    const names = listing(folder).filter((name) => task === undefined || name.startsWith(`${task}.`));
    if (names.length === 0) return [];
    const now = this.#sharedClock();
    return names.sort().flatMap((name) => readAttempt(join(folder, name), now) ?? []);
  }

  /**
   * Returns the attempts at a task as soon as it is known of each whether it is dead. On one machine that is at once. An
   * attempt on another machine that is at a page must give a sign of life; if it gives none for long, it is dead.
   */
  async settledAttempts(task: string, signal?: AbortSignal): Promise<Attempt[]> {
    const first = this.attempts(task);
    const signs = new Map(first.map(({ name, lastSignMs }) => [name, lastSignMs]));
    const isOpen = ({ name, page, isAlive, isRemote, lastSignMs }: Attempt) =>
      isAlive && isRemote && page > 0 && signs.get(name) === lastSignMs;
    let attempts = first;
    while (attempts.some(isOpen)) {
      await sleep(LOOK_MS);
      signal?.throwIfAborted();
      attempts = this.attempts(task);
    }
    return attempts;
  }

  /**
   * Takes the lock that lets one process merge; throws a JobError while another one merges. Locks are attempts with
   * numbers: the highest number holds the lock, and who finds it dead creates the next one, which only one can. Dead locks
   * stay, because a process that saw one must not find its number free again.
   */
  async lockMerge(signal?: AbortSignal): Promise<RunningAttempt> {
    const folder = join(this.workPath, ATTEMPTS_FOLDER);
    for (let unreadableMs = 0; unreadableMs <= SILENT_MS; ) {
      const last = listing(folder)
        .filter((name) => name.startsWith(`${MERGE}.`))
        .sort()
        .at(-1);
      const holder = this.attempts(MERGE).find(({ name }) => name === last);
      if (holder?.isAlive) {
        const { pid, host } = holder;
        throw new JobError(`process ${pid} on ${host} is merging ${this.path}: wait until it has ended`);
      }
      const isUnread = last !== undefined && holder === undefined && unreadableMs < SILENT_MS;
      try {
        if (!isUnread) {
          const number = Number(last?.slice(MERGE.length + 1) ?? 0) + 1;
          return new RunningAttempt(this.#attemptFile(`${MERGE}.${partNumber(number)}`), []);
        }
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ENOENT') throw merged(this.path);
        if (code !== 'EEXIST') throw error;
      }
      // another process is writing its lock
      await sleep(LOOK_MS, undefined, { signal });
      unreadableMs += LOOK_MS;
    }
    throw new JobError(`other processes try to merge ${this.path}: wait until they have ended`);
  }

  /** Removes the files of attempts that died. */
  clearDeadAttempts(): void {
    const folder = join(this.workPath, PARTS_FOLDER);
    const kept = new Set(
      [...this.committed()].map((name) => committedFolder({ folder: this.workPath, name })),
    );
    for (const name of listing(folder)) {
      const part = join(folder, name);
      if (!kept.has(part)) rmSync(part, { recursive: true, force: true });
    }
  }

  /** The path of an attempt's file. Throws ENOENT when the job was merged and its work folder removed. */
  #attemptFile(name: string): string {
    const folder = join(this.workPath, ATTEMPTS_FOLDER);
    try {
      mkdirSync(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return join(folder, name);
  }

  /** Returns the time in milliseconds by the clock of the shared file system; clocks of other machines may differ. */
  #sharedClock(): number {
    const probe = join(this.workPath, `clock-${randomBytes(8).toString('hex')}`);
    closeSync(openSync(probe, 'w'));
    const { mtimeMs } = statSync(probe);
    rmSync(probe);
    return mtimeMs;
  }
}

function merged(path: string): JobError {
  return new JobError(`${path} is merged already; its tasks are done`);
}

/** Bytes at the start of an attempt's file for the current page, before the JSON. */
const PAGE_BYTES = 4;

/** An attempt of this process. The thread that processes pages writes their numbers into its file. */
export class RunningAttempt {
  /** Path of its file, whose first four bytes are the number of the current page. */
  readonly path: string;
  readonly #timer: NodeJS.Timeout;

  constructor(path: string, after: string[]) {
    this.path = path;
    const file = openSync(path, 'wx');
    writeSync(file, new Uint8Array(PAGE_BYTES));
    const begun: BegunAttempt = { ...ownIdentity(), startedMs: fstatSync(file).mtimeMs, after };
    writeSync(file, JSON.stringify(begun));
    closeSync(file);
    this.#timer = setInterval(() => showLife(path), SIGN_OF_LIFE_MS);
    this.#timer.unref();
    // a process that a signal ends removes its attempt: that is not fault of the page
    process.on('exit', this.#end);
  }

  /** Ends the attempt after its commit or reported failure. */
  end(): void {
    process.off('exit', this.#end);
    this.#end();
  }

  readonly #end = (): void => {
    clearInterval(this.#timer);
    rmSync(this.path, { force: true });
  };
}

/**
 * Returns functions that write the current page into an attempt's file, where it can be read after the process has
 * died.
 */
export function pageWriter(path: string): { write(page: number): void; close(): void } {
  const file = openSync(path, 'r+');
  const bytes = new Uint32Array(1);
  return {
    write(page) {
      bytes[0] = page;
      writeSync(file, new Uint8Array(bytes.buffer), 0, PAGE_BYTES, 0);
    },
    close: () => closeSync(file),
  };
}

/** Writes the manifest of a task; returns its digest. */
export function writeManifest(workPath: string, id: string, manifest: object): string {
  mkdirSync(join(workPath, MANIFESTS_FOLDER), { recursive: true });
  const json = JSON.stringify(manifest);
  writeAtomic(join(workPath, MANIFESTS_FOLDER, `${id}.json`), json);
  return digestOf(json).toString('hex');
}

function digestOf(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest().subarray(0, DIGEST_BYTES);
}

/** Appends a space to the file, so that its modification time is set by the clock of the shared file system. */
function showLife(path: string): void {
  try {
    const file = openSync(path, 'r+');
    writeSync(file, ' ', fstatSync(file).size);
    closeSync(file);
  } catch {
    // the job was merged or removed meanwhile
  }
}

function readAttempt(path: string, nowMs: number): Attempt | undefined {
  try {
    const bytes = readFileSync(path);
    const { mtimeMs } = statSync(path);
    const begun = JSON.parse(bytes.subarray(PAGE_BYTES).toString()) as BegunAttempt;
    const { host, pid, startedMs, after } = begun;
    const name = basename(path);
    const runs = isRunning(begun);
    return {
      ...{ name, host, pid, startedMs, after },
      task: name.slice(0, name.lastIndexOf('.')),
      lastSignMs: mtimeMs,
      page: bytes.readUInt32LE(0),
      isAlive: runs ?? nowMs - mtimeMs <= SILENT_MS,
      isRemote: runs === undefined,
    };
  } catch {
    return undefined; // it has just ended, or is just being made
  }
}

function listing(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
