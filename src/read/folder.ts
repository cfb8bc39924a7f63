/**
 * HTML files on disk and their URLs: a folder of them, walked in the order of their names, or a single file.
 * In a folder, which may be the mirror of a site, a file without an HTML extension is a page if it starts
 * like one; other files are captures that are not HTML. A symbolic link is followed only to a file inside the
 * folder.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { parse } from 'tldts';
import { fileSource } from './byte-source.ts';
import { hasGzipMagic } from './content-encoding.ts';
import { type Container, makeRecord, type RawEvent, type RawRecord } from './raw-record.ts';
import { failedAt, keptBlockBytes, maxBlockBytes, problemAt, type RecordContext } from './record-context.ts';
import { isHtml, SNIFFED_BYTES } from './sniff-html.ts';
import { isArchiveName } from './wacz.ts';
import { isZip, readZipDirectory } from './zip-directory.ts';

/** Archives are inputs of their own, and files that indexes name lie beside the indexes. */
const OTHER_INPUT = /\.(w?arc(\.gz|\.zst)?|wacz|(jsonl|ndjson|cdxj?)(\.gz|\.zst)?)$/i;
/** A media type that is never taken for HTML. */
const OTHER_TYPE = 'application/x-not-html';

/** Whether a file below a folder is one of its captures, and not an archive. */
export function isFileOfFolder(root: string, path: string): boolean {
  return !OTHER_INPUT.test(path) && !isZipOfPages(join(root, path));
}

/** Yields the names of files below `root` that `accept` accepts, relative to `root` with `/`, in order. */
export function* walkFolder(root: string, accept: (name: string) => boolean, within = ''): Generator<string> {
  const items = readdirSync(join(root, within), { withFileTypes: true });
  items.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const item of items) {
    const path = within === '' ? item.name : `${within}/${item.name}`;
    if (item.isDirectory()) yield* walkFolder(root, accept, path);
    else if (accept(item.name) && (item.isFile() || (item.isSymbolicLink() && leadsToFile(root, path))))
      yield path;
  }
}

/** Makes the container of a folder of HTML files. */
export function htmlFolder(path: string): Container {
  const root = resolve(path);
  const folderName = basename(realpathSync(root));
  const read = (entry: string, context: RecordContext) =>
    readHtml(join(root, entry), { url: urlOfFile(folderName, entry), entry }, context);
  return {
    *records(context) {
      for (const entry of walkFolder(root, () => true))
        if (isFileOfFolder(root, entry)) yield readOrProblem(() => read(entry, context), entry, context);
    },
    recordAt({ entry = '' }, context) {
      // read only files that a walk would have found
      const parts = entry.split('/');
      if (parts.includes('..') || parts.includes('') || !staysInside(root, entry)) return null;
      return isFileOfFolder(root, entry) ? read(entry, context) : null;
    },
    close: () => {},
  };
}

/** Makes the container of a single HTML file. */
export function htmlFile({ path, name }: { path: string; name: string }): Container {
  const url = /^https?:\/\//i.test(name) ? name : urlOfNamedFile(name);
  return {
    *records(context) {
      yield readOrProblem(() => readHtml(path, { url }, context), undefined, context);
    },
    recordAt: (_location, context) => readHtml(path, { url }, context),
    close: () => {},
  };
}

/** The URL that the file has in its folder; for a pipe one that is the same in every folder. */
function urlOfNamedFile(name: string): string {
  if (name === '-' || /^\/(dev|proc)\//.test(name)) return 'file://stdin/page.html';
  return urlOfFile(basename(dirname(resolve(name))), basename(name));
}

/**
 * Whether a file has an HTML extension or starts like HTML, compressed by gzip or not; false if it cannot be
 * read.
 */
export function isHtmlFile(path: string): boolean {
  if (isHtmlName(path)) return true;
  try {
    const fd = openSync(path, 'r');
    try {
      return startsLikeHtml(readStart(fd, SNIFFED_BYTES));
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

function startsLikeHtml(start: Uint8Array): boolean {
  return isHtml(hasGzipMagic(start) ? gunzipStart(start) : start, '');
}

function gunzipStart(start: Uint8Array): Uint8Array {
  try {
    return gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return new Uint8Array(0);
  }
}

function readHtml(
  path: string,
  { url, entry }: { url: string; entry?: string },
  context: RecordContext,
): RawRecord {
  const fd = openSync(path, 'r');
  try {
    const sizeBytes = fstatSync(fd).size;
    // a file that the user named is read as HTML; files of a folder are checked
    if (entry !== undefined && !isHtmlName(entry)) {
      const bytes = readStart(fd, Math.min(sizeBytes, SNIFFED_BYTES));
      if (bytes.length > 0 && !startsLikeHtml(bytes)) {
        const other = htmlRecord({ url, entry, bytes, sizeBytes }, context);
        return { ...other, mime: OTHER_TYPE, exceeded: undefined };
      }
    }
    const bytes = readStart(fd, keptBlockBytes(sizeBytes, context));
    return htmlRecord({ url, entry, bytes, sizeBytes }, context);
  } finally {
    closeSync(fd);
  }
}

function readStart(fd: number, sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes);
  let done = 0;
  for (let got = -1; got !== 0 && done < bytes.length; done += got)
    got = readSync(fd, bytes, done, bytes.length - done, done);
  return bytes.subarray(0, done);
}

function readOrProblem(read: () => RawRecord, entry: string | undefined, context: RecordContext): RawEvent {
  try {
    return read();
  } catch (error) {
    const { code } = error as { code?: string };
    const within = { ...context, entry };
    const problem =
      code === undefined
        ? failedAt(within, 0, error)
        : problemAt(within, 'missing-file', 0, `cannot be read: ${code}`);
    return { kind: 'problem', problem };
  }
}

/** Whether a link leads to a file inside the folder. */
function leadsToFile(root: string, path: string): boolean {
  return staysInside(root, path) && statSync(join(root, path)).isFile();
}

/** Whether a file below `root` is also below it after links are followed. */
export function staysInside(root: string, path: string): boolean {
  try {
    return realpathSync(join(root, path)).startsWith(realpathSync(root) + sep);
  } catch {
    return false;
  }
}

const ZIP_NAME = /\.zip$/i;

/**
 * Whether a zip in a folder is an archive of its own: its directory names HTML files or web archives. The
 * extension must be `.zip`, since books and programs are zips with HTML in them. False if it cannot be read.
 */
function isZipOfPages(path: string): boolean {
  if (!ZIP_NAME.test(path)) return false;
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    const zip = fileSource(() => fd, { end: fstatSync(fd).size, windowBytes: 64 * 1024 });
    if (!isZip(zip.view(0, 4))) return false;
    return readZipDirectory(zip).entries.some(({ name }) => isHtmlName(name) || isArchiveName(name));
  } finally {
    closeSync(fd);
  }
}

/** Whether a file name has an HTML extension. */
export function isHtmlName(name: string): boolean {
  return /\.(html?|xhtml|xht)$/i.test(name);
}

/** An HTML file to make a record of. */
export interface HtmlFile {
  url: string;
  /** Name within the zip or folder. */
  entry?: string;
  /** The bytes of the file, or the first `keptBlockBytes` of them. */
  bytes: Uint8Array;
  /** Size of the whole file. */
  sizeBytes: number;
  /** Compressed size in the archive. @default sizeBytes */
  storedBytes?: number;
}

/**
 * Makes the record of an HTML file. It has no time: the time of a copy means nothing, and the output would
 * depend on it.
 */
export function htmlRecord(
  { url, entry, bytes, sizeBytes, storedBytes = sizeBytes }: HtmlFile,
  context: RecordContext,
): RawRecord {
  const record = makeRecord({ offset: 0, length: storedBytes, url, mime: 'text/html', block: bytes });
  if (entry !== undefined) record.entry = entry;
  if (sizeBytes > maxBlockBytes(context.limits)) record.exceeded = 'too-large';
  return record;
}

/**
 * Returns the URL of a file; `path` is relative to the folder, with `/` between its parts. Mirrors made by
 * wget or HTTrack have a folder per host, which gives the URL `http://host/rest`. Otherwise the URL is
 * `file://folder-name/path`, so that a folder is a site.
 */
export function urlOfFile(folderName: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  if (isHostName(folderName)) return `http://${folderName.toLowerCase()}/${encodePath(parts)}`;
  if (parts.length > 1 && isHostName(parts[0])) {
    return `http://${parts[0].toLowerCase()}/${encodePath(parts.slice(1))}`;
  }
  const host = folderName
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[.-]+|(?<![.-])[.-]+$/g, '');
  return `file://${host === '' ? 'folder' : host}/${encodePath(parts)}`;
}

/** Whether a name is under a real top-level domain: `v1.0` and `old.files` are not hosts. */
function isHostName(name: string): boolean {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(name)) return false;
  const { isIcann, domain } = parse(name);
  return isIcann === true && domain !== null;
}

function encodePath(parts: string[]): string {
  return parts
    .map((part) => encodeURIComponent(part).replace(/%(?:2C|3A|3B|3D|40|24|26|2B)/g, decodeURIComponent))
    .join('/');
}
