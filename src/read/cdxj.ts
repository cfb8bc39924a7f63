/**
 * CDXJ, the index of web archives that pywb and warcio read: a line per capture with its SURT key, its
 * 14-digit time and a JSON object whose values are all strings. Lines are plain ASCII, so that sorting them
 * as strings is sorting them as bytes, which is the order that readers search by halving.
 */

import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Capture } from '../model/page.ts';
import { pywbKey } from '../model/pywb-key.ts';
import { makeScratchFolder } from '../model/scratch.ts';
import { surt } from '../model/surt.ts';

/** Options for CDXJ lines. */
export interface CdxjOptions {
  /** Whose keys: those of warcio and WACZ tools, or those that pywb looks pages up by. @default 'warcio' */
  keys?: 'warcio' | 'pywb';
  /** Where the index lies: an archive below it is named by its path from there. @default the last part of its name */
  folder?: string;
}

/** The line of a capture, without a line end. A capture with `revisit` is marked as such. */
export function cdxjLine(
  capture: Capture & { revisit?: object },
  { keys = 'warcio', folder }: CdxjOptions = {},
): string {
  const { url, mime, status, payloadDigest, length, offset, file, entry, revisit } = capture;
  const fields: Record<string, string> = { url };
  const type = revisit ? 'warc/revisit' : mime;
  if (type !== '') fields.mime = type;
  // a revisit may have none of its own; readers take that of the original
  if (!revisit) fields.status = String(status);
  // readers take a bare digest for SHA-1; any other kind keeps its name
  if (payloadDigest !== '') fields.digest = payloadDigest.replace(/^sha1:/i, '');
  fields.length = String(length);
  fields.offset = String(offset);
  fields.filename =
    (entry === undefined && folder !== undefined && pathBelow(folder, file)) || baseName(entry ?? file);
  // one blank ends the key, so it can hold none; this also keeps a URL from starting a line of its own
  const key = (keys === 'pywb' ? pywbKey(url) : surt(url)).replace(/[\s\u0080-\uffff]+/g, encodeLoosely);
  return `${key} ${timestamp(capture.time)} ${toAscii(JSON.stringify(fields))}`;
}

/** `2009-04-01T12:00:00Z` as `20090401120000`; zeros when there is no time, which readers take for the first. */
export function timestamp(time: string): string {
  return time.replace(/\D/g, '').slice(0, 14).padEnd(14, '0');
}

/** The path from a folder to a file below it, with `/`; empty when it is not below. */
function pathBelow(folder: string, file: string): string {
  if (/^https?:\/\//i.test(file)) return file;
  const path = relative(folder, resolve(file));
  return path.startsWith('..') || isAbsolute(path) ? '' : path.split(sep).join('/');
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function encodeLoosely(text: string): string {
  // half of a surrogate pair cannot be encoded
  return encodeURIComponent(Buffer.from(text).toString());
}

function toAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Options for sorting lines that do not fit in memory. */
export interface SortLinesOptions {
  /** Characters of lines kept in memory before a run is written. @default 64 Mi */
  batchChars?: number;
  /** Where runs are written. @default the system's folder for temporary files */
  tempDir?: string;
}

/**
 * Sorts lines (without line ends) in bounded memory and drops repeats. Full batches are written to a temporary folder as
 * sorted runs, which are merged as they are read back. No file is left, also when `lines` throws.
 */
export async function* sortLines(
  lines: AsyncIterable<string> | Iterable<string>,
  { batchChars = 64 * 1024 * 1024, tempDir }: SortLinesOptions = {},
): AsyncGenerator<string> {
  const runs: string[] = [];
  let folder = '';
  let batch: string[] = [];
  let chars = 0;
  try {
    for await (const line of lines) {
      batch.push(line);
      chars += line.length + 1;
      if (chars < batchChars) continue;
      if (folder === '') folder = makeScratchFolder(tempDir);
      const run = join(folder, `${runs.length}.run`);
      writeFileSync(run, `${batch.sort().join('\n')}\n`);
      runs.push(run);
      batch = [];
      chars = 0;
    }
    const sources = [...runs.map(readLines), batch.sort().values()];
    yield* withoutRepeats(sources.length === 1 ? sources[0] : merge(sources));
  } finally {
    if (folder !== '') rmSync(folder, { recursive: true, force: true });
  }
}

const READ_BYTES = 256 * 1024;

function* readLines(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    let rest = Buffer.alloc(0);
    for (;;) {
      const count = readSync(file, buffer, 0, READ_BYTES, null);
      if (count === 0) return; // every line of a run ends in a line feed
      const bytes = Buffer.concat([rest, buffer.subarray(0, count)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        yield bytes.toString('utf8', start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
    }
  } finally {
    closeSync(file);
  }
}

/** Merges sorted sources; there are few, so the smallest head is found by looking at all. */
function* merge(sources: Iterator<string>[]): Generator<string> {
  const heads: { line: string; source: Iterator<string> }[] = [];
  for (const source of sources) {
    const { value, done } = source.next();
    if (!done) heads.push({ line: value, source });
  }
  try {
    while (heads.length > 0) {
      let least = 0;
      for (let i = 1; i < heads.length; i++) if (heads[i].line < heads[least].line) least = i;
      yield heads[least].line;
      const { value, done } = heads[least].source.next();
      if (done) heads.splice(least, 1);
      else heads[least].line = value;
    }
  } finally {
    for (const { source } of heads) source.return?.();
  }
}

function* withoutRepeats(lines: Iterable<string>): Generator<string> {
  let last: string | undefined;
  for (const line of lines) {
    if (line !== last) yield line;
    last = line;
  }
}
