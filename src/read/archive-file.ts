/** A WARC or ARC file as a container: see record-file.ts for what it holds. */
import { closeFile, openFile, openSource } from './byte-source.ts';

import type { FileState } from './input.ts';
import type { Container } from './raw-record.ts';
import { openRecordFile, readRecordAt, readRecords, splitEntry } from './record-file.ts';

export interface ArchiveFileOptions {
  path: string;
  format: 'warc' | 'arc';
  /** As the user knows it: the extension says how it is compressed when the first bytes are damaged. */
  name: string;
  /** Bytes read ahead when reading in order. @default 1 MiB */
  windowBytes?: number;
  /** See `Input`. */
  checked?: FileState;
}

/** Throws as node:fs does when the file cannot be opened. */
export function archiveFile({ path, format, name, windowBytes, checked }: ArchiveFileOptions): Container {
  const { sizeBytes, modifiedMs } = openFile(path);
  const gzipName = /\.gz$/i.test(name);
  // reading single records must neither read ahead nor move the window of a reader in order; but pages are mostly asked
  // for in the order of the file
  const single = openSource(path, { windowBytes: 4096, forwardBytes: 256 * 1024 });
  const file = openRecordFile(single, format, gzipName);
  const inOrder = { ...file, source: openSource(path, { windowBytes }) };
  const atLocation = {
    ...file,
    checked: checked?.sizeBytes === sizeBytes && checked.modifiedMs === modifiedMs,
  };
  return {
    records: (context) => readRecords(inOrder, context),
    recordAt: ({ entry, offset, length }, context) =>
      readRecordAt(atLocation, { offset, length, number: splitEntry(entry).number }, context),
    close: () => closeFile(path),
  };
}
