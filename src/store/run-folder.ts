/**
 * The output folder while it is being made. All work goes on below `.work/`; a task writes into a folder of
 * its own and commits it by renaming that folder, which is one atomic step. When all tasks are committed
 * their parts are renamed to where they belong and `run.json` is written last: a folder with a `run.json` is
 * finished, one without it goes on where it stopped. Killed at any point, the next run finds each task
 * either whole or not at all; a task done twice finds its place taken and drops its copy.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../model/make-folder.ts';

const WORK = '.work';
const FINGERPRINT_FILE = 'fingerprint.json';
/** What a run writes at the top of the folder, and all it may ever remove there. */
const FOLDER_NAMES = [
  'pages',
  'ranges',
  'templates',
  'text',
  'fragments',
  'study',
  'history',
  'figures',
  'problems.jsonl',
  'report.html',
  'run.json',
];

/** The kinds of parts that become part of the finished folder. */
const PART_KINDS = ['pages', 'ranges', 'text'] as const;

const DRAFT_NAME = /\.draft-\d+$/;

export class OutputFolderError extends Error {
  override name = 'OutputFolderError';
}

export interface OpenRunFolderOptions {
  /** Says what is run on what: a folder begun with another one is not gone on with. */
  fingerprint: string;
  /** Start afresh whatever an earlier run left. @default false */
  overwrite?: boolean;
}

/** The number of a part or task as files are named by it: names sort as numbers do. */
export function partNumber(part: number): string {
  return String(part).padStart(5, '0');
}

export class RunFolder {
  readonly path: string;
  /** Whether an earlier run with the same inputs and options left committed tasks. */
  readonly resumed: boolean;
  /** Whether that run was finished: there is nothing to do. */
  readonly finished: boolean;
  /** Whether this run, or the one it goes on with, was begun anew; see `startAgain`. */
  startedAgain: boolean;

  private constructor(path: string, state: { resumed: boolean; finished: boolean; startedAgain?: boolean }) {
    this.path = path;
    this.resumed = state.resumed;
    this.finished = state.finished;
    this.startedAgain = state.startedAgain ?? false;
  }

  /** Makes the folder, or goes on with it; throws an OutputFolderError rather than touch what is not its own. */
  static open(path: string, { fingerprint, overwrite = false }: OpenRunFolderOptions): RunFolder {
    const known = readFingerprint(path);
    if (known === undefined && existsSync(path) && readdirSync(path).some((name) => name !== WORK)) {
      throw new OutputFolderError(`${path} is not empty and no output folder of Chaff: name another one`);
    }
    if (known?.fingerprint === fingerprint && !overwrite) {
      if (known.finished) rmSync(join(path, WORK), { recursive: true, force: true });
      return new RunFolder(path, { ...known, resumed: true });
    }
    if (known !== undefined && !overwrite) {
      const what = known.finished ? 'holds the result of' : 'holds an unfinished run of';
      throw new OutputFolderError(
        `${path} ${what} other inputs or options: name another folder, or ask to overwrite it (--overwrite)`,
      );
    }
    // run.json goes first and the fingerprint comes last: a half-cleared folder is never taken for a run
    for (const name of ['run.json', ...FOLDER_NAMES, WORK]) {
      rmSync(join(path, name), { recursive: true, force: true });
    }
    makeFolder(join(path, WORK, 'tasks'));
    writeAtomic(join(path, WORK, FINGERPRINT_FILE), JSON.stringify({ fingerprint }));
    return new RunFolder(path, { resumed: false, finished: false });
  }

  /** Throws away all that tasks have done so far, and remembers that it did; no part may be published yet. */
  startAgain(): void {
    const work = join(this.path, WORK);
    const begun = readJson(join(work, FINGERPRINT_FILE)) as object;
    writeAtomic(join(work, FINGERPRINT_FILE), JSON.stringify({ ...begun, startedAgain: true }));
    this.startedAgain = true;
    // one step takes all tasks away: killed half-way through removing them, what is left would be taken for committed
    const tasks = join(work, 'tasks');
    const old = join(work, 'old-tasks');
    rmSync(old, { recursive: true, force: true });
    if (existsSync(tasks)) renameSync(tasks, old);
    for (const name of readdirSync(work)) {
      if (name !== FINGERPRINT_FILE) rmSync(join(work, name), { recursive: true, force: true });
    }
    mkdirSync(tasks);
  }

  /** A place for files that pass between stages; made when missing. */
  work(...names: string[]): string {
    const path = join(this.path, WORK, ...names);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  /** The same for a folder. */
  workFolder(name: string): string {
    const path = this.work(name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Where a committed task's files lie until they are published. */
  taskFolder(name: string): string {
    return join(this.path, WORK, 'tasks', name);
  }

  isCommitted(name: string): boolean {
    return existsSync(this.taskFolder(name));
  }

  /**
   * Moves the parts of all tasks to their place in the finished folder. Each move is a rename and a part
   * that is already there was moved by an earlier try, so stopping half-way does no harm.
   */
  publish(names: Iterable<string>): void {
    for (const kind of PART_KINDS) mkdirSync(join(this.path, kind), { recursive: true });
    for (const name of names) {
      for (const kind of PART_KINDS) {
        const from = join(this.taskFolder(name), kind);
        if (!existsSync(from)) continue;
        for (const part of readdirSync(from)) renameSync(join(from, part), join(this.path, kind, part));
      }
    }
  }

  /** Writes `run.json`: from here on the folder is finished. */
  finish(run: object): void {
    // what a run that was killed was just writing, also in figures/
    const names = readdirSync(this.path, { recursive: true, encoding: 'utf8' });
    for (const name of names) if (DRAFT_NAME.test(name)) rmSync(join(this.path, name));
    writeAtomic(join(this.path, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
    rmSync(join(this.path, WORK), { recursive: true, force: true });
  }
}

/** Makes a task's files in a folder of its own and commits them all by one rename. */
export async function commitTask(folder: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${folder}.draft-${process.pid}-${Math.random().toString(36).slice(2)}`;
  mkdirSync(draft, { recursive: true });
  try {
    await write(draft);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // done twice: the first to commit wins, and both wrote the same bytes
    const { code } = error as NodeJS.ErrnoException;
    if ((code === 'ENOTEMPTY' || code === 'EEXIST') && existsSync(folder)) return;
    throw error;
  }
}

/** A file that is either whole or absent. */
export function writeAtomic(path: string, content: string | Uint8Array): void {
  const draft = `${path}.draft-${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}

interface KnownRun {
  fingerprint: string;
  finished: boolean;
  startedAgain?: boolean;
}

function readFingerprint(path: string): KnownRun | undefined {
  const run = readJson(join(path, 'run.json')) as { fingerprint?: string } | undefined;
  if (run?.fingerprint !== undefined) return { fingerprint: run.fingerprint, finished: true };
  const begun = readJson(join(path, WORK, FINGERPRINT_FILE)) as KnownRun | undefined;
  return begun && { ...begun, finished: false };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
