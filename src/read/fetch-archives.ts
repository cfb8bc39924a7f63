/**
 * Parts of archives on the web that an index names: the records that are asked for, as temporary copies. Records that lie
 * close to each other are one request.
 */
import { parseUrl } from '../model/resolve-url.ts';
import type { CdxLine } from './cdx.ts';
import { isWebUrl } from './fetch-pages.ts';
import type { Input } from './raw-record.ts';
import { type ByteRange, MissingOnServer, type RemoteOptions, RemoteReader } from './remote-file.ts';
import { removeSpoolFile } from './spool.ts';

/** Of an archive whose first bytes must be known: its compression, and the dictionary of a .warc.zst. */
const HEAD_RANGE_BYTES = 1024 * 1024;
/** Archives whose records can be read without: each is a gzip member, or plain text. */
const NEEDS_NO_HEAD = /\.w?arc\.gz$/i;

/**
 * Fetches records of an index whose archives are on the web. Returns the input with the copies, which `closeInputs`
 * removes. An archive that the server does not have is left out, and reading its records reports that; every other
 * failure is thrown, because another attempt may succeed.
 */
export async function fetchRecords(
  input: Input,
  records: Iterable<CdxLine>,
  options: RemoteOptions = {},
): Promise<Input> {
  const { base } = input.web!;
  const reader = new RemoteReader(options);
  const archives: NonNullable<Input['archives']> = {};
  try {
    for (const [file, lines] of linesByFile(records)) {
      const url = urlOfArchive(file, base);
      if (!url) continue; // it lies beside the index, or nowhere
      try {
        const how = { ranges: rangesOf(file, lines), trusted: isTrusted(url, base) };
        const { path, sizeBytes } = await reader.copy(url.href, how);
        archives[file] = { path, sizeBytes };
      } catch (error) {
        if (!(error instanceof MissingOnServer)) {
          throw new Error(`${url.href} could not be fetched: ${(error as Error).message}`, { cause: error });
        }
      }
    }
  } catch (error) {
    for (const { path } of Object.values(archives)) removeSpoolFile(path);
    throw error;
  }
  return { ...input, archives };
}

function linesByFile(records: Iterable<CdxLine>): Map<string, CdxLine[]> {
  const byFile = new Map<string, CdxLine[]>();
  for (const line of records) {
    const lines = byFile.get(line.file);
    if (lines) lines.push(line);
    else byFile.set(line.file, [line]);
  }
  return byFile;
}

/** The URL of an archive that an index names; undefined when that is not on the web. */
export function urlOfArchive(file: string, base: string | undefined): URL | undefined {
  const url = parseUrl(file, base);
  return url !== undefined && isWebUrl(url.href) ? url : undefined;
}

/** Whether the user has named the host, so that it may have a private address. */
export function isTrusted(url: URL, base: string | undefined): boolean {
  return base !== undefined && url.hostname === parseUrl(base)?.hostname;
}

/** What to fetch for some records of an archive; undefined for all of it. */
export function rangesOf(file: string, lines: readonly CdxLine[]): ByteRange[] | undefined {
  // a length that is not said may be any
  if (lines.some(({ length }) => length === 0)) return undefined;
  const ranges = lines.map(({ offset, length }) => ({ start: offset, end: offset + length }));
  return NEEDS_NO_HEAD.test(file) ? ranges : [...ranges, { start: 0, end: HEAD_RANGE_BYTES }];
}
