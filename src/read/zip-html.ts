/**
 * Reads a zip of HTML files. Entries are inflated one at a time within the limits; their names never become
 * paths.
 */
import { basename } from 'node:path';
import { constants, inflateRawSync } from 'node:zlib';
import { closeFile, openSource, takeBytes } from './byte-source.ts';
import { htmlRecord, isHtmlName, urlOfFile } from './folder.ts';
import type { Container, RawEvent } from './raw-record.ts';
import {
  failedAt,
  keptBlockBytes,
  maxBlockBytes,
  problemAt,
  RATIO_FLOOR_BYTES,
  type RecordContext,
} from './record-context.ts';
import {
  chooseEntries,
  readZipDirectory,
  type ZipDirectory,
  type ZipEntry,
  zipEntryData,
} from './zip-directory.ts';

/** Makes the container of a zip of HTML files; its name as the user gave it becomes the site. */
export function zipHtmlFile({ path, name }: { path: string; name: string }): Container {
  const zip = openSource(path, { windowBytes: 64 * 1024 });
  const directory = readZipDirectory(zip);
  const folderName = basename(name).replace(/\.zip$/i, '');
  const { chosen: pages, repeats } = chooseEntries(directory, isHtmlName);

  function read(entry: ZipEntry, context: RecordContext): RawEvent {
    const within = { ...context, entry: entry.name };
    const bad = (message: string): RawEvent => ({
      kind: 'problem',
      problem: problemAt(within, 'bad-zip', 0, message),
    });
    const data = zipEntryData(zip, entry);
    if (typeof data === 'string') return bad(data);
    const url = urlOfFile(folderName, entry.name.replaceAll('\\', '/'));
    const storedBytes = data.end - data.start;
    const file = { url, entry: entry.name, storedBytes };
    if (entry.method === 0) {
      const bytes = takeBytes(zip, data.start, keptBlockBytes(storedBytes, context));
      return htmlRecord({ ...file, bytes, sizeBytes: storedBytes }, context);
    }
    const maxBytes = maxBlockBytes(context.limits);
    const ratioBytes = Math.max(RATIO_FLOOR_BYTES, storedBytes * context.limits.ratio);
    if (storedBytes > maxBytes)
      return htmlRecord({ ...file, bytes: new Uint8Array(0), sizeBytes: storedBytes }, context);
    const stored = takeBytes(zip, data.start, storedBytes);
    try {
      const maxOutputLength = Math.min(maxBytes, ratioBytes);
      // a stream that lacks its end gives the bytes before the cut
      const inflated = inflateRawSync(stored, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
      const bytes = new Uint8Array(
        inflated.buffer,
        inflated.byteOffset,
        keptBlockBytes(inflated.length, context),
      );
      const record = htmlRecord({ ...file, bytes, sizeBytes: inflated.length }, context);
      record.truncated = inflated.length < entry.sizeBytes && storedBytes <= entry.storedBytes;
      return record;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_BUFFER_TOO_LARGE') return bad('the entry is damaged');
      const record = htmlRecord({ ...file, bytes: new Uint8Array(0), sizeBytes: maxBytes + 1 }, context);
      record.exceeded = ratioBytes < maxBytes ? 'ratio-exceeded' : 'too-large';
      return record;
    }
  }

  return {
    *records(context) {
      yield* directoryProblems(directory, repeats, context);
      for (const entry of [...pages.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        try {
          yield read(entry, context);
        } catch (error) {
          yield { kind: 'problem', problem: failedAt({ ...context, entry: entry.name }, 0, error) };
        }
      }
    },
    recordAt({ entry = '' }, context) {
      const found = pages.get(entry);
      const event = found && read(found, context);
      return event && event.kind !== 'problem' ? event : null;
    },
    close: () => closeFile(path),
  };
}

/** Yields the problems of a zip's directory, and of the entries that were left out because of it. */
export function* directoryProblems(
  { fault }: ZipDirectory,
  repeats: readonly string[],
  context: RecordContext,
): Generator<RawEvent> {
  if (fault !== '') {
    yield { kind: 'problem', problem: problemAt(context, 'bad-zip', 0, `the zip ${fault}`) };
  }
  for (const entry of repeats) {
    const message = 'the entry has the same bytes as one listed before it, and is left out';
    yield { kind: 'problem', problem: problemAt({ ...context, entry }, 'bad-zip', 0, message) };
  }
}
