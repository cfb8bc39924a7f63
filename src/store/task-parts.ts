/**
 * Commits the results of tasks. Every attempt at a task writes into a folder of its own, `parts/NAME.ATTEMPT`. It
 * commits by creating `done/NAME.json`, which names that folder, if the file does not exist yet. That is the only
 * commit point: a killed attempt has committed nothing, and a second attempt removes its own files.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of commits, below the work folder of a run. */
export const DONE_FOLDER = 'done';
/** Folder of the attempts' files, below the work folder of a run. */
export const PARTS_FOLDER = 'parts';

/** Thrown for an error in a job or task that a retry does not solve. */
export class JobError extends Error {
  override name = 'JobError';
}

/** Makes the error for a file below the work folder that is not as it was written. */
export function damaged(file: string): JobError {
  return new JobError(`${file} is damaged or missing: make the run or the job again with --overwrite`);
}

/** Reads a JSON file below the work folder; throws a JobError if it is damaged or missing. */
export function readWorkFile<Content extends object>(
  file: string,
  isWhole: (content: Content, bytes: Buffer) => boolean = () => true,
): Content {
  try {
    const bytes = readFileSync(file);
    const content = JSON.parse(bytes.toString()) as Content | null;
    if (typeof content === 'object' && content !== null && isWhole(content, bytes)) return content;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && code !== 'ENOENT') throw error;
  }
  throw damaged(file);
}

/** A task and the work folder of its run. */
export interface TaskPlace {
  /** Name of the task, such as `label-00012`. */
  name: string;
  folder: string;
}

/**
 * Writes the files of a task and commits them. Returns false if another attempt had committed before. Throws if the run
 * has ended meanwhile and removed its work folder; an orphan of it leaves nothing behind.
 */
export async function commitTask(
  { folder, name }: TaskPlace,
  write: (draft: string) => Promise<void>,
): Promise<boolean> {
  const attempt = `${name}.${randomBytes(8).toString('hex')}`;
  const draft = join(folder, PARTS_FOLDER, attempt);
  if (!existsSync(join(folder, DONE_FOLDER))) throw new Error(`${folder} is gone: the run has ended`);
  mkdirSync(draft, { recursive: true });
  let isFirst = false;
  try {
    await write(draft);
    isFirst = createIfAbsent(doneFile({ folder, name }), `${JSON.stringify({ part: attempt })}\n`);
  } finally {
    if (!isFirst) rmSync(draft, { recursive: true, force: true });
  }
  return isFirst;
}

/** Returns the folder with the files of a committed task; undefined before the commit. */
export function committedFolder(place: TaskPlace): string | undefined {
  const file = doneFile(place);
  if (!existsSync(file)) return undefined;
  const folderOf = (part: unknown) => join(place.folder, PARTS_FOLDER, String(part));
  const { part } = readWorkFile<{ part: unknown }>(
    file,
    // the name of a folder outside would be damage, too
    (done) =>
      String(done.part).startsWith(`${place.name}.`) &&
      /^[\w.-]+$/.test(String(done.part)) &&
      existsSync(folderOf(done.part)),
  );
  return folderOf(part);
}

function doneFile({ folder, name }: TaskPlace): string {
  return join(folder, DONE_FOLDER, `${name}.json`);
}

/** Creates a file with its contents in one step; returns false when it exists. */
function createIfAbsent(path: string, content: string): boolean {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(draft, content);
    linkSync(draft, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // NFS repeats a request whose reply was lost, and then says that the link of the first one exists
    if (code === 'EEXIST') return readFileSync(path, 'utf8') === content;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EMLINK') return createExclusively(path, content);
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Creates the file on file systems without hard links. */
function createExclusively(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
