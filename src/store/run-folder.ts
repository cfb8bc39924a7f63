/**
 * The output folder during a run. All work happens below `.work/`, where tasks commit their results
 * (task-parts.ts). When all tasks are committed, their parts are renamed to their final places, and `run.json` is
 * written last. A folder with `run.json` is finished; a folder without it can be resumed. However a run is killed,
 * the next run finds each task either whole or absent.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../model/make-folder.ts';
import { committedFolder, DONE_FOLDER } from './task-parts.ts';

/** Folder below an output folder that holds everything unfinished; removed at the end of the run. */
export const WORK_FOLDER = '.work';
const FINGERPRINT_FILE = 'fingerprint.json';
/** Names that a run writes at the top of the output folder; it never removes anything else there. */
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

/** Kinds of parts that move into the finished folder. */
const PART_KINDS = ['pages', 'ranges', 'text'] as const;

const DRAFT_NAME = /\.draft-\d+$/;

/** Thrown when a folder cannot be used for output: it has other files, or another run's results. */
export class OutputFolderError extends Error {
  override name = 'OutputFolderError';
}

/** Returns the number of a part or task with five digits or more, so that file names sort as numbers do. */
export function partNumber(part: number): string {
  return String(part).padStart(5, '0');
}

/** An output folder from its first task to `run.json`. */
export class RunFolder {
  readonly path: string;
  /** Whether an earlier run with the same inputs and options has left committed tasks. */
  readonly resumed: boolean;
  /** Whether that run was finished, so that nothing is left to do. */
  readonly finished: boolean;
  /** Whether this run, or the run it resumes, has discarded its tasks with `startAgain`. */
  startedAgain: boolean;

  private constructor(path: string, state: { resumed: boolean; finished: boolean; startedAgain?: boolean }) {
    this.path = path;
    this.resumed = state.resumed;
    this.finished = state.finished;
    this.startedAgain = state.startedAgain ?? false;
  }

  /**
   * Creates the folder or resumes it; throws an OutputFolderError when the folder has files of other origin. A folder
   * begun with another fingerprint (of version, inputs and options) is not resumed; `overwrite` removes the results of
   * an earlier run.
   */
  static open(
    path: string,
    { fingerprint, overwrite = false }: { fingerprint: string; overwrite?: boolean },
  ): RunFolder {
    const known = readFingerprint(path);
    if (known === undefined && existsSync(path) && readdirSync(path).some((name) => name !== WORK_FOLDER)) {
      throw new OutputFolderError(
        `${path} is not empty and not an output folder of Chaff: name another folder`,
      );
    }
    if (known?.fingerprint === fingerprint && !overwrite) {
      if (known.finished) rmSync(join(path, WORK_FOLDER), { recursive: true, force: true });
      return new RunFolder(path, { ...known, resumed: true });
    }
    if (known !== undefined && !overwrite) {
      const what = known.finished ? 'holds the result of' : 'holds an unfinished run of';
      throw new OutputFolderError(
        `${path} ${what} other inputs or options: name another folder, or replace it (--overwrite)`,
      );
    }
    // remove run.json first and write the fingerprint last: a half-cleared folder is never taken for a run
    for (const name of ['run.json', ...FOLDER_NAMES, WORK_FOLDER]) {
      rmSync(join(path, name), { recursive: true, force: true });
    }
    makeFolder(join(path, WORK_FOLDER, DONE_FOLDER));
    writeAtomic(join(path, WORK_FOLDER, FINGERPRINT_FILE), JSON.stringify({ fingerprint }));
    return new RunFolder(path, { resumed: false, finished: false });
  }

  /** Removes a run that has published nothing, so that a run with other options can use the folder. */
  discard(): void {
    rmSync(join(this.path, WORK_FOLDER), { recursive: true, force: true });
    if (readdirSync(this.path).length === 0) rmdirSync(this.path);
  }

  /** Discards the results of all tasks and records that in the fingerprint file. Must be called before `publish`. */
  startAgain(): void {
    const work = join(this.path, WORK_FOLDER);
    const begun = readJson(join(work, FINGERPRINT_FILE)) as object;
    writeAtomic(join(work, FINGERPRINT_FILE), JSON.stringify({ ...begun, startedAgain: true }));
    this.startedAgain = true;
    // remove all tasks in one step: after a kill half-way, the remaining files would be taken for committed ones
    const done = join(work, DONE_FOLDER);
    const old = join(work, `old-${DONE_FOLDER}`);
    rmSync(old, { recursive: true, force: true });
    if (existsSync(done)) renameSync(done, old);
    for (const name of readdirSync(work)) {
      if (name !== FINGERPRINT_FILE) rmSync(join(work, name), { recursive: true, force: true });
    }
    mkdirSync(done);
  }

  /** Returns a path below `.work/` for files that pass between stages; creates its parent folder. */
  work(...names: string[]): string {
    const path = join(this.path, WORK_FOLDER, ...names);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }

  /** Returns a folder below `.work/`; creates it when missing. */
  workFolder(name: string): string {
    const path = this.work(name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Folder in which tasks commit. */
  get workPath(): string {
    return join(this.path, WORK_FOLDER);
  }

  /** Folder with the files of a committed task until `publish` moves them; throws when the task is not committed. */
  taskFolder(name: string): string {
    const folder = committedFolder({ folder: this.workPath, name });
    if (folder === undefined) throw new Error(`the task ${name} is not committed`);
    return folder;
  }

  isCommitted(name: string): boolean {
    return committedFolder({ folder: this.workPath, name }) !== undefined;
  }

  /**
   * Moves the parts of all tasks to their places in the finished folder. Each move is a rename, and parts that an
   * earlier try has moved are skipped, so that a run can stop half-way and repeat it.
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

  /** Writes `run.json`, which marks the folder as finished, and removes `.work/`. */
  finish(run: object): void {
    // remove drafts that a killed run was writing, also in figures/
    const names = readdirSync(this.path, { recursive: true, encoding: 'utf8' });
    for (const name of names) if (DRAFT_NAME.test(name)) rmSync(join(this.path, name));
    writeAtomic(join(this.path, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
    // an orphaned attempt on another machine may still create files here; it fails once they are removed
    rmSync(join(this.path, WORK_FOLDER), { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Writes a file in one step (draft and rename), so that readers see either the old file or the whole new one. */
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
  const begun = readJson(join(path, WORK_FOLDER, FINGERPRINT_FILE)) as KnownRun | undefined;
  return begun && { ...begun, finished: false };
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
