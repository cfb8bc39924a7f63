/**
 * HTML files on disk: a folder of them, walked in the order of their names, or a single one. A symbolic link
 * is followed only to a file inside the folder.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Container } from './container.ts';
import { htmlKeepBytes, htmlRecord, isHtmlName, urlOfFile } from './html-record.ts';
import type { RawEvent, RawRecord } from './raw-record.ts';
import { problemAt, type RecordContext } from './record-context.ts';

/** Names of the files below `root` that `accept` lets through, relative to it with `/`, in order. */
export function* walkFolder(root: string, accept: (name: string) => boolean, within = ''): Generator<string> {
  const items = readdirSync(join(root, within), { withFileTypes: true });
  items.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const item of items) {
    const path = within === '' ? item.name : `${within}/${item.name}`;
    if (item.isDirectory()) yield* walkFolder(root, accept, path);
    else if (accept(item.name) && (item.isFile() || (item.isSymbolicLink() && staysInside(root, path))))
      yield path;
  }
}

export function htmlFolder(path: string): Container {
  const root = resolve(path);
  const folderName = basename(realpathSync(root));
  const read = (entry: string, context: RecordContext) =>
    readHtml(join(root, entry), { url: urlOfFile(folderName, entry), entry }, context);
  return {
    *records(context) {
      for (const entry of walkFolder(root, isHtmlName))
        yield readOrProblem(() => read(entry, context), entry, context);
    },
    recordAt({ entry = '' }, context) {
      // only what walking would have found
      const parts = entry.split('/');
      if (!isHtmlName(entry) || parts.includes('..') || parts.includes('') || !staysInside(root, entry))
        return null;
      return read(entry, context);
    },
    close: () => {},
  };
}

export function htmlFile({ path, name }: { path: string; name: string }): Container {
  const url = urlOfFile(basename(dirname(resolve(name))), name === '-' ? 'stdin.html' : basename(name));
  return {
    *records(context) {
      yield readOrProblem(() => readHtml(path, { url }, context), undefined, context);
    },
    recordAt: (_place, context) => readHtml(path, { url }, context),
    close: () => {},
  };
}

function readHtml(
  path: string,
  { url, entry }: { url: string; entry?: string },
  context: RecordContext,
): RawRecord {
  const fd = openSync(path, 'r');
  try {
    const sizeBytes = fstatSync(fd).size;
    const bytes = new Uint8Array(htmlKeepBytes(sizeBytes, context));
    let done = 0;
    for (let got = -1; got !== 0 && done < bytes.length; done += got)
      got = readSync(fd, bytes, done, bytes.length - done, done);
    return htmlRecord({ url, entry, bytes: bytes.subarray(0, done), sizeBytes }, context);
  } finally {
    closeSync(fd);
  }
}

function readOrProblem(read: () => RawRecord, entry: string | undefined, context: RecordContext): RawEvent {
  try {
    return read();
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === undefined) throw error;
    return {
      kind: 'problem',
      problem: problemAt({ ...context, entry }, 'missing-file', 0, `cannot be read: ${code}`),
    };
  }
}

/** Whether a file below `root` is there once links are followed, too. */
export function staysInside(root: string, path: string): boolean {
  try {
    return realpathSync(join(root, path)).startsWith(realpathSync(root) + sep);
  } catch {
    return false;
  }
}
