/** A WARC or ARC file as a container: see record-file.ts for what it holds. */
import { fileSource } from './byte-source.ts';
import type { Container } from './container.ts';
import type { FileState } from './input.ts';
import { closeFile, openFile } from './open-files.ts';
import { openRecordFile, readRecordAt, readRecords, splitEntry } from './record-file.ts';

export interface ArchiveFileOptions {
  path: string;
  format: 'warc' | 'arc';
  /** As the user knows it: its ending tells how it is compressed when its first bytes are damaged. */
  name: string;
  /** Bytes read ahead when reading through. @default 1 MiB */
  windowBytes?: number;
  /** See `Input`. */
  checked?: FileState;
}

/** Throws as node:fs does when the file cannot be opened. */
export function archiveFile({ path, format, name, windowBytes, checked }: ArchiveFileOptions): Container {
  const { sizeBytes, modifiedMs } = openFile(path);
  const openFd = () => openFile(path).fd;
  const gzipName = /\.gz$/i.test(name);
  // reading here and there must neither read ahead nor move the window of one who reads through; but pages are
  // mostly asked for in the order of the file
  const ahead = { windowBytes: 4096, forwardBytes: 256 * 1024 };
  const file = openRecordFile(fileSource(openFd, { end: sizeBytes, ...ahead }), format, gzipName);
  const whole = { ...file, source: fileSource(openFd, { end: sizeBytes, windowBytes }) };
  const here = {
    ...file,
    checked: checked?.sizeBytes === sizeBytes && checked.modifiedMs === modifiedMs,
  };
  return {
    records: (context) => readRecords(whole, context),
    recordAt: ({ entry, offset, length }, context) =>
      readRecordAt(here, { offset, length, number: splitEntry(entry).number }, context),
    close: () => closeFile(path),
  };
}
