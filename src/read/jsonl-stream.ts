/**
 * Rows of JSON from a pipe that stays open, each answered when it arrives: a crawler asks about the page it has just
 * fetched. All other formats are spooled when they come from a pipe (open-inputs.ts).
 */
import type { Readable } from 'node:stream';
import type { Line } from './byte-source.ts';
import type { ReadEvent } from './events.ts';
import type { Input } from './input.ts';
import { readRow } from './jsonl.ts';
import { pageOf } from './read-captures.ts';
import { checkReadOptions, type ReadOptions } from './read-options.ts';
import { maxBlockBytes, type RecordContext } from './record-context.ts';

const LF = 10;
const CR = 13;

/** Whether a pipe starts with a row of JSON; the bytes read are put back. */
export async function startsWithJson(stream: Readable): Promise<boolean> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    stream.unshift(bytes);
    return /^(?:\xef\xbb\xbf)?\s*\{/.test(bytes.subarray(0, 64).toString('latin1'));
  }
  return false;
}

export async function* readJsonlStream(
  stream: Readable,
  options: ReadOptions = {},
): AsyncGenerator<ReadEvent> {
  const checked = checkReadOptions(options);
  const context: RecordContext = { file: '-', limits: checked.limits, survey: false };
  const input: Input = { name: '-', path: '-', format: 'jsonl', sizeBytes: 0, spooled: false };
  // characters may be escaped, up to six bytes for one
  for await (const line of splitLines(stream, 2 * maxBlockBytes(checked.limits))) {
    if (line.bytes !== undefined && !line.bytes.some((byte) => byte > 32)) continue;
    const record = readRow(line, context);
    yield record.kind === 'problem' ? record : pageOf(input, record, checked);
  }
}

/** Lines with their offsets; a line that is too long has a length but no bytes. */
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
