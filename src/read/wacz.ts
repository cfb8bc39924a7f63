/**
 * A WACZ file: a zip with archives in it. Archives are stored in it as they are and read in place, each as a
 * stretch of the file; one that is deflated, or compressed as a whole, is spooled to a hidden temporary file
 * when first read. Nothing is ever extracted under the name of an entry. Offsets are within the entry.
 */

import type { Problem } from '../model/problem.ts';
import { closeFile, memorySource, openSource } from './byte-source.ts';
import type { Container } from './raw-record.ts';
import { problemAt, type RecordContext } from './record-context.ts';
import { openRecordFile, type RecordFile, readRecordAt, readRecords, splitEntry } from './record-file.ts';
import {
  gunzipWhole,
  hiddenSpool,
  inflateInto,
  isWholeFileCompressed,
  overSpool,
  SpoolBudget,
  unzstdWhole,
} from './spool.ts';
import { chooseEntries, readZipDirectory, type ZipEntry, zipEntryData } from './zip-directory.ts';
import { directoryProblems } from './zip-html.ts';

const ARCHIVE_NAME = /\.w?arc(\.gz|\.zst)?$/i;

export function isArchiveName(name: string): boolean {
  return ARCHIVE_NAME.test(name);
}

export interface WaczOptions {
  path: string;
  /** Bytes read ahead. @default 1 MiB */
  windowBytes?: number;
}

interface OpenEntry {
  through: RecordFile;
  /** The same, for reading here and there. */
  here: RecordFile;
  problems: Problem[];
}

export function waczFile({ path, windowBytes }: WaczOptions): Container {
  const zip = openSource(path, { windowBytes: 4096 });
  const directory = readZipDirectory(zip);
  const { chosen: archives, repeats } = chooseEntries(directory, isArchiveName);
  const opened = new Map<string, OpenEntry>();
  const closers: (() => void)[] = [];
  let spool: SpoolBudget | undefined;

  function open(entry: ZipEntry, context: RecordContext): OpenEntry {
    const known = opened.get(entry.name);
    if (known) return known;
    const made = openEntry(entry, { ...context, entry: entry.name });
    opened.set(entry.name, made);
    return made;
  }

  function openEntry(entry: ZipEntry, context: RecordContext): OpenEntry {
    const problems: Problem[] = [];
    const data = zipEntryData(zip, entry);
    const fail = (message: string): OpenEntry => {
      const nothing = openRecordFile(memorySource(new Uint8Array(0)), 'warc', false);
      return { through: nothing, here: nothing, problems: [problemAt(context, 'bad-zip', 0, message)] };
    };
    if (typeof data === 'string') return fail(data);
    let through = openSource(path, { ...data, windowBytes });
    let here = openSource(path, { ...data, windowBytes: 4096 });
    if (data.end - data.start < entry.storedBytes) {
      problems.push(
        problemAt(
          context,
          'truncated-file',
          through.sizeBytes,
          'the zip ends, or its next entry starts, inside this entry',
        ),
      );
    }
    spool ??= new SpoolBudget(zip.sizeBytes, context.limits);
    if (entry.method === 8) {
      const stored = through;
      const inflated = hiddenSpool(spool, (write) => {
        const { status, consumedBytes } = inflateInto(stored, 0, write, context);
        if (status === 'stopped') problems.push(overSpool(context, 0));
        else if (status !== 'done')
          problems.push(
            problemAt(context, 'bad-zip', 0, `the entry is damaged after ${consumedBytes} bytes`),
          );
      });
      closers.push(inflated.close);
      through = here = inflated.source;
    }
    const kind = /\.arc(\.gz|\.zst)?$/i.test(entry.name) ? 'arc' : 'warc';
    const file = openRecordFile(through, kind, /\.gz$/i.test(entry.name));
    if (!isWholeFileCompressed(file, context))
      return { through: file, here: { ...file, source: here }, problems };

    const compressed = through;
    const unpacked = hiddenSpool(spool, (write) => {
      const faults =
        file.compression === 'gzip'
          ? gunzipWhole(compressed, write, context)
          : unzstdWhole(compressed, write, context);
      for (const problem of faults) problems.push(problem);
    });
    closers.push(unpacked.close);
    const message = 'compressed as a whole; offsets are those of the decompressed text';
    problems.push(problemAt(context, 'whole-file-compression', 0, message));
    const plain = openRecordFile(unpacked.source, kind, false);
    return { through: plain, here: plain, problems };
  }

  return {
    *records(context) {
      yield* directoryProblems(directory, repeats, context);
      if (archives.size === 0) {
        yield {
          kind: 'problem',
          problem: problemAt(context, 'not-an-archive', 0, 'holds no WARC or ARC files'),
        };
      }
      for (const entry of archives.values()) {
        const { through, problems } = open(entry, context);
        for (const problem of problems) yield { kind: 'problem', problem };
        yield* readRecords(through, { ...context, entry: entry.name });
      }
    },
    recordAt({ entry = '', offset, length }, context) {
      const { entry: name, number } = archives.has(entry) ? { entry, number: 1 } : splitEntry(entry);
      const found = archives.get(name);
      if (!found) return null;
      return readRecordAt(open(found, context).here, { offset, length, number }, { ...context, entry: name });
    },
    close() {
      for (const close of closers.splice(0)) close();
      opened.clear();
      closeFile(path);
    },
  };
}
