/**
 * Reads rows of JSON, one per line, with at least `url` and `html`. The time is in `time`, `timestamp` or
 * `date`, as ISO 8601 or 14 digits. JSON is UTF-8, so the HTML is UTF-8 whatever it declares.
 */

import type { Readable } from 'node:stream';
import { extraKeys } from '../model/extra-keys.ts';
import type { Problem } from '../model/problem.ts';
import { type ByteSource, closeFile, type Line, openSource, readLines, takeBytes } from './byte-source.ts';
import { timeOfRow } from './capture-time.ts';
import { type Container, type Input, makeRecord, type RawEvent, type ReadEvent } from './raw-record.ts';
import { pageOf } from './read-captures.ts';
import { checkReadOptions, type ReadOptions } from './read-options.ts';
import {
  failedAt,
  keptBlockBytes,
  maxBlockBytes,
  problemAt,
  type RecordContext,
  sizeLimits,
} from './record-context.ts';

/** Makes the container of a JSON lines file. */
export function jsonlFile(path: string): Container {
  const inOrder = openSource(path);
  const atLocation = openSource(path, { windowBytes: 4096 });
  return {
    records: (context) => readJsonl(inOrder, context),
    recordAt({ offset, length }, context) {
      const event = readRow({ offset, length, bytes: takeBytes(atLocation, offset, length) }, context);
      return event.kind === 'problem' ? null : event;
    },
    close: () => closeFile(path),
  };
}

function* readJsonl(source: ByteSource, context: RecordContext): Generator<RawEvent> {
  // an escaped character takes up to six bytes, so a row may be longer than its HTML
  for (const line of readLines(source, 2 * maxBlockBytes(context.limits))) {
    if (line.bytes === undefined || line.bytes.some((byte) => byte > 32)) yield readRow(line, context);
  }
}

/** Reads a row as a capture, or as a problem, so that reading continues after a bad row. */
function readRow(line: Line, context: RecordContext): RawEvent {
  try {
    return parseRow(line, context);
  } catch (error) {
    return { kind: 'problem', problem: failedAt(context, line.offset, error) };
  }
}

function parseRow({ offset, length, bytes }: Line, context: RecordContext): RawEvent {
  const bad = (message: string): RawEvent => ({
    kind: 'problem',
    problem: problemAt(context, 'bad-row', offset, message),
  });
  if (bytes === undefined)
    return bad(`a row of ${length} bytes is longer than the limits allow (${sizeLimits(context.limits)})`);
  let row: Record<string, unknown>;
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    row = JSON.parse(offset === 0 ? text.replace(/^\uFEFF/, '') : text);
  } catch {
    return bad('a row is not JSON');
  }
  if (typeof row !== 'object' || row === null) return bad('a row is not an object');
  const { url, html } = row;
  if (typeof url !== 'string' || url === '') return bad('a row has no url');
  if (typeof html !== 'string') return bad('a row has no html');
  const problems: Problem[] = [];
  const { time, fault } = timeOfRow(row.time ?? row.timestamp ?? row.date ?? '');
  if (fault !== '') problems.push(problemAt(context, 'bad-date', offset, fault));
  const whole = Buffer.from(html, 'utf8');
  const block = new Uint8Array(whole.buffer, whole.byteOffset, keptBlockBytes(whole.length, context));
  const mime = 'text/html; charset=utf-8';
  const record = makeRecord({ offset, length, url: url.toWellFormed(), time, mime, block, problems });
  if (!context.survey) record.extra = extraKeys(row);
  if (whole.length > maxBlockBytes(context.limits)) record.exceeded = 'too-large';
  return record;
}

const LF = 10;
const CR = 13;

/** Whether a pipe starts with a row of JSON. The bytes read are put back. */
export async function startsWithJson(stream: Readable): Promise<boolean> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    stream.unshift(bytes);
    return /^(?:\xef\xbb\xbf)?\s*\{/.test(bytes.subarray(0, 64).toString('latin1'));
  }
  return false;
}

/**
 * Reads rows of JSON from a pipe that stays open and yields each page when its row arrives, for a crawler
 * that asks about the page it has just fetched. All other formats are copied to a file first when they come
 * from a pipe (open-inputs.ts).
 */
export async function* readJsonlStream(
  stream: Readable,
  options: ReadOptions = {},
): AsyncGenerator<ReadEvent> {
  const checked = checkReadOptions(options);
  const context: RecordContext = { file: '-', limits: checked.limits, survey: false };
  const input: Input = { name: '-', path: '-', format: 'jsonl', sizeBytes: 0, spooled: false };
  // an escaped character takes up to six bytes, so a row may be longer than its HTML
  for await (const line of splitLines(stream, 2 * maxBlockBytes(checked.limits))) {
    if (line.bytes !== undefined && !line.bytes.some((byte) => byte > 32)) continue;
    const record = readRow(line, context);
    yield record.kind === 'problem' ? record : pageOf(input, record, checked);
  }
}

/** Yields lines with their offsets; a line that is too long has a length but no bytes. */
async function* splitLines(stream: Readable, maxBytes: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let offset = 0;
  const line = (): Line => {
    const bytes = length > maxBytes ? undefined : Buffer.concat(parts);
    const trimmed = bytes?.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
    return { offset, length: trimmed?.length ?? length, bytes: trimmed };
  };
  for await (const chunk of stream) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF)) {
      length += end;
      if (length <= maxBytes) parts.push(rest.subarray(0, end));
      yield line();
      offset += length + 1;
      parts = [];
      length = 0;
      rest = rest.subarray(end + 1);
    }
    length += rest.length;
    if (length <= maxBytes) parts.push(rest);
    else parts = [];
  }
  if (length > 0) yield line();
}
