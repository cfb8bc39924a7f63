/**
 * Whether a zip that lies in a folder is opened as an archive of its own: its directory names HTML files or web
 * archives. One that names none is a file like any other, a download on a mirrored site, say.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { fileSource } from './byte-source.ts';
import { isHtmlName } from './html-record.ts';
import { isArchiveName } from './wacz.ts';
import { isZip, readZipDirectory } from './zip-directory.ts';

const ZIP_NAME = /\.zip$/i;

/** By name first: books and programs are zips with HTML in them, too. False when it cannot be read. */
export function isZipOfPages(path: string): boolean {
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
