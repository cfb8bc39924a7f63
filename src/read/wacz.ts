/**
 * Reads a WACZ file: a zip that holds archives. Archives are stored in it uncompressed and are read in place,
 * each as a span of the file; one that is deflated, or compressed as a whole, is copied to a hidden temporary
 * file on first use. No file is ever written under the name of an entry. Offsets are within the entry.
 */

import type { Problem } from '../model/problem.ts';
import { type ByteSource, closeFile, memorySource, openSource } from './byte-source.ts';
import type { Container, RawEvent, RawRecord } from './raw-record.ts';
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
import { LISTED_WITHIN_SECONDS, type ListedPage, PAGE_LISTS, WaczPageList } from './wacz-page-list.ts';
import { chooseEntries, readZipDirectory, type ZipEntry, zipEntryData } from './zip-directory.ts';
import { directoryProblems } from './zip-html.ts';

const ARCHIVE_NAME = /\.w?arc(\.gz|\.zst)?$/i;

/** Whether the name of an entry is that of a WARC or ARC file. */
export function isArchiveName(name: string): boolean {
  return ARCHIVE_NAME.test(name);
}

interface OpenEntry {
  through: RecordFile;
  /** The same file, for reading single records. */
  here: RecordFile;
  problems: Problem[];
}

/** Makes the container of a WACZ file; `windowBytes` are read ahead. */
export function waczFile({ path, windowBytes }: { path: string; windowBytes?: number }): Container {
  const zip = openSource(path, { windowBytes: 4096 });
  const directory = readZipDirectory(zip);
  const { chosen: archives, repeats } = chooseEntries(directory, isArchiveName);
  const opened = new Map<string, OpenEntry>();
  const closers: (() => void)[] = [];
  const { chosen: lists } = chooseEntries(directory, (name) =>
    (PAGE_LISTS as readonly string[]).includes(name),
  );
  let list: WaczPageList | undefined;
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
    const sources = openData(entry, context, problems);
    if (!sources) {
      const nothing = openRecordFile(memorySource(new Uint8Array(0)), 'warc', false);
      return { through: nothing, here: nothing, problems };
    }
    const { through, here } = sources;
    const kind = /\.arc(\.gz|\.zst)?$/i.test(entry.name) ? 'arc' : 'warc';
    const file = openRecordFile(through, kind, /\.gz$/i.test(entry.name));
    if (!isWholeFileCompressed(file, context))
      return { through: file, here: { ...file, source: here }, problems };

    const compressed = through;
    const unpacked = hiddenSpool(budget(context), (write) => {
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

  /**
   * Returns the bytes of an entry, for reading in order and for single records; null, with a problem, if it
   * cannot be read.
   */
  function openData(
    entry: ZipEntry,
    context: RecordContext,
    problems: Problem[],
  ): { through: ByteSource; here: ByteSource } | null {
    const data = zipEntryData(zip, entry);
    if (typeof data === 'string') {
      problems.push(problemAt(context, 'bad-zip', 0, data));
      return null;
    }
    const through = openSource(path, { ...data, windowBytes });
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
    if (entry.method !== 8) return { through, here: openSource(path, { ...data, windowBytes: 4096 }) };
    const inflated = hiddenSpool(budget(context), (write) => {
      const { status, consumedBytes } = inflateInto(through, 0, write, context);
      if (status === 'stopped') problems.push(overSpool(context, 0));
      else if (status !== 'done')
        problems.push(problemAt(context, 'bad-zip', 0, `the entry is damaged after ${consumedBytes} bytes`));
    });
    closers.push(inflated.close);
    return { through: inflated.source, here: inflated.source };
  }

  function budget({ limits }: RecordContext): SpoolBudget {
    spool ??= new SpoolBudget(zip.sizeBytes, limits);
    return spool;
  }

  /** Returns the list of pages, read on first use. */
  function pageList(context: RecordContext): WaczPageList {
    if (list) return list;
    list = new WaczPageList();
    for (const entry of lists.values()) {
      const within = { ...context, entry: entry.name };
      const sources = openData(entry, within, list.problems);
      if (sources) list.read(sources.through, within);
    }
    if (lists.size === 0) {
      const message =
        'the WACZ has no list of its pages; as only listed pages are asked for (--wacz-pages), all its captures are left out';
      list.problems.push(problemAt({ ...context, entry: PAGE_LISTS[0] }, 'missing-file', 0, message));
    }
    return list;
  }

  /**
   * Returns the list's row of a record, and copies the extra keys of the row to the record. With `as`, the
   * row is that of the revisit for which the record is read.
   */
  function rowOf(record: RawRecord, context: RecordContext): ListedPage | undefined {
    const { as } = context;
    // a revisit in another file has its row there
    if (as && as.file !== context.file) return undefined;
    const row = pageList(context).find(as?.url ?? record.url, as?.time ?? record.time);
    if (row?.extra && !context.survey) record.extra = row.extra;
    return row;
  }

  /** Yields the records of an archive, each marked as listed or not. */
  function* listedRecords(
    records: (context: RecordContext) => Generator<RawEvent>,
    { found, redirects }: { found: Set<ListedPage>; redirects: Set<ListedPage> },
    context: RecordContext,
  ): Generator<RawEvent> {
    const { isPage } = context;
    const marking: RecordContext = { ...context };
    if (isPage) {
      // called before the record is yielded
      marking.isPage = (record) => {
        record.listed = rowOf(record, context) !== undefined;
        return isPage(record);
      };
    }
    for (const event of records(marking)) {
      if (event.kind !== 'problem') {
        const row = rowOf(event, context);
        event.listed = row !== undefined;
        if (row && !isRedirect(event)) found.add(row);
        else if (row) redirects.add(row);
      }
      yield event;
    }
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
      const found = new Set<ListedPage>();
      const redirects = new Set<ListedPage>();
      if (context.listedOnly) {
        for (const problem of pageList(context).problems) yield { kind: 'problem', problem };
      }
      for (const entry of archives.values()) {
        const { through, problems } = open(entry, context);
        for (const problem of problems) yield { kind: 'problem', problem };
        const within = { ...context, entry: entry.name };
        if (context.listedOnly)
          yield* listedRecords((asked) => readRecords(through, asked), { found, redirects }, within);
        else yield* readRecords(through, within);
      }
      if (!context.listedOnly) return;
      for (const row of pageList(context).missing(found)) {
        yield { kind: 'problem', problem: missingPage(row, redirects.has(row), context) };
      }
    },
    recordAt({ entry = '', offset, length }, context) {
      const { entry: name, number } = archives.has(entry) ? { entry, number: 1 } : splitEntry(entry);
      const found = archives.get(name);
      if (!found) return null;
      const within = { ...context, entry: name };
      const record = readRecordAt(open(found, context).here, { offset, length, number }, within);
      if (record && context.listedOnly) rowOf(record, context);
      return record;
    },
    close() {
      for (const close of closers.splice(0)) close();
      opened.clear();
      list = undefined;
      closeFile(path);
    },
  };
}

/** Whether a response is a redirect. */
function isRedirect({ http, kind, block }: RawRecord): boolean {
  return http && kind === 'response' && /^HTTP\/\S{1,8} +30[12378]\b/.test(latin1(block.subarray(0, 32)));
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function missingPage(row: ListedPage, isRedirected: boolean, context: RecordContext): Problem {
  const { url, time, entry, offset } = row;
  const when = time === '' ? '' : ` within ${LISTED_WITHIN_SECONDS} seconds of ${time}`;
  const message = isRedirected
    ? 'the WACZ lists this page, but the capture is a redirect; its target is left out unless it is listed too'
    : `the WACZ lists this page, but its archives have no capture of the URL${when}`;
  const problem = problemAt({ ...context, entry }, 'missing-page', offset, message);
  return time === '' ? { ...problem, url } : { ...problem, url, time };
}
