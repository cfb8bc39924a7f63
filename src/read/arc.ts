/**
 * Reads ARC records, versions 1 and 2, the format of archives before WARC: a line with URL, address, date,
 * type and length, then the HTTP response. URLs of that time may hold spaces, so the fields are found from
 * the address and date in the middle of the line; the words between date and length show the version. Wrong
 * lengths are corrected as in warc.ts.
 */
import type { ByteSource } from './byte-source.ts';
import { timeFromDigits } from './capture-time.ts';
import type { Member } from './gzip-members.ts';
import type { RawEvent, RawRecord } from './raw-record.ts';
import {
  type Extent,
  failedAt,
  lostBytes,
  problemAt,
  type RecordContext,
  type RecordsOptions,
  readBlock,
  skipBreaks,
  trimBreaks,
} from './record-context.ts';

const LF = 10;
const CR = 13;
const MAX_LINE_BYTES = 64 * 1024;
/** Patterns of the parts of a record line, each for one word. */
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]+|-)$/i;
const DATE = /^\d{4,}$/;
const LENGTH = /^-?\w+$/;

/** Whether an ARC record starts here, possibly after line breaks. */
export function startsLikeArc(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] === LF || bytes[at] === CR)) at++;
  return parseLine(bytes.subarray(at, at + MAX_LINE_BYTES)) !== null;
}

/** Yields the records of an ARC file or gzip member, and the problems between them. */
export function* readArc(
  source: ByteSource,
  context: RecordContext,
  { state = 'whole', inMember = false, start = 0, single = false }: RecordsOptions = {},
): Generator<RawEvent> {
  const end = source.sizeBytes;
  for (let offset = skipBreaks(source, start); offset < end; ) {
    let extent: Extent;
    let record: RawRecord | null = null;
    try {
      const line = lineAt(source, offset);
      if (line === null) {
        if (single) return;
        const next = findLine(source, offset);
        const problem = lostBytes(context, 'bad-record', 'ARC record', { offset, next, sizeBytes: end });
        yield { kind: 'problem', problem };
        offset = next;
        continue;
      }
      extent = measureBlock(source, context, offset, line, { state, inMember });
      // these records describe the file or a DNS lookup and are not captures
      if (!/^(filedesc|dns|warcinfo):/i.test(line.url))
        record = recordOf(source, context, offset, line, extent, state);
    } catch (error) {
      yield { kind: 'problem', problem: failedAt(context, offset, error) };
      if (single) return;
      offset = findLine(source, offset + 1, { atLineStart: false });
      continue;
    }
    if (record) yield record;
    else for (const problem of extent.problems) yield { kind: 'problem', problem };
    if (single) return;
    offset = extent.next;
  }
}

/**
 * Returns the end of the record at `offset` by its stated length, including line breaks after it; an offset beyond the
 * source if the record is cut off, NaN if no record starts here. warc.ts has the same for WARC.
 */
export function arcRecordEnd(source: ByteSource, offset: number): number {
  const start = skipBreaks(source, offset);
  const line = lineAt(source, start);
  if (line === null) return Number.NaN;
  const end = start + line.sizeBytes + Number(line.length);
  return end > source.sizeBytes ? end : skipBreaks(source, end);
}

interface Line {
  url: string;
  date: string;
  mime: string;
  /** The stated length; may be any text. */
  length: string;
  /** Bytes of the line with its break. */
  sizeBytes: number;
}

/** Returns the record line at `offset`, or null if no record starts here. Most lines are far shorter than the maximum. */
function lineAt(source: ByteSource, offset: number): Line | null {
  const view = source.view(offset, 1024);
  if (view.indexOf(LF) >= 0) return parseLine(view);
  return parseLine(source.view(offset, MAX_LINE_BYTES));
}

function parseLine(bytes: Uint8Array): Line | null {
  const lineEnd = bytes.subarray(0, MAX_LINE_BYTES + 1).indexOf(LF);
  if (lineEnd < 0) return null;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, lineEnd).toString('utf8').replace(/\r$/, '');
  if (!SCHEME.test(text) || text.includes('\r')) return null;
  // URL, address, date, type, the fields of version 2, length
  const words = text.split(' ');
  const last = words.length - 1;
  let address = 1;
  while (address + 3 <= last && !(ADDRESS.test(words[address]) && DATE.test(words[address + 1]))) address++;
  if (address + 3 > last || !LENGTH.test(words[last])) return null;
  return {
    url: words.slice(0, address).join(' '),
    date: words[address + 1],
    mime: mimeOf(words.slice(address + 2, last)),
    length: words[last],
    sizeBytes: lineEnd + 1,
  };
}

/** Version 2 has five more words after the media type: status, checksum, location, offset, file name. */
function mimeOf(words: string[]): string {
  const [status = '', checksum = '', location = '', offset = '', file = ''] = words.slice(-5);
  const isVersion2 =
    words.length > 5 &&
    /^(?:\d{3}|-)$/.test(status) &&
    checksum !== '' &&
    location !== '' &&
    /^(?:\d+|-)$/.test(offset) &&
    file !== '';
  return (isVersion2 ? words.slice(0, -5) : words).join(' ');
}

/** Returns where the block of a record ends: by its stated length if that is credible, else before the next record. */
function measureBlock(
  source: ByteSource,
  context: RecordContext,
  offset: number,
  line: Line,
  { state, inMember }: RecordsOptions,
): Extent {
  const end = source.sizeBytes;
  const blockStart = offset + line.sizeBytes;
  const length = /^\d+$/.test(line.length) ? Number(line.length) : Number.NaN;
  const blockEnd = blockStart + length;
  if (blockEnd <= end) {
    const next = skipBreaks(source, blockEnd);
    // a line break follows as it must: if no record comes next, the fault lies there and not in the length
    if (next > blockEnd || next === end || (isLineStart(source, next) && lineAt(source, next) !== null))
      return { blockEnd, next, truncated: false, problems: [] };
  }
  const found = findLine(source, blockStart);
  // no record follows, and the member is incomplete or the file ends before the block does
  if (found === end && (state !== 'whole' || (!inMember && Number.isSafeInteger(length) && blockEnd > end))) {
    const message = `the file ends ${blockEnd - end} bytes before the record does`;
    const problems = state === 'whole' ? [problemAt(context, 'truncated-file', offset, message)] : [];
    return { blockEnd: end, next: end, truncated: state === 'whole' || state === 'damaged', problems };
  }
  if (found === end && blockEnd <= end) {
    // no record follows anywhere, so the length may well be right
    return { blockEnd, next: skipBreaks(source, blockEnd), truncated: false, problems: [] };
  }
  const { at: measured } = trimBreaks(source, blockStart, found, 1);
  const message = `a record states the length ${line.length.slice(0, 40)} but its block has ${measured - blockStart} bytes, which are used`;
  const problems = [problemAt(context, 'bad-length', offset, message)];
  return { blockEnd: measured, next: found, truncated: false, problems };
}

/**
 * Returns the first record line after the first line break from `from` on, or at `from` itself if a line
 * starts there.
 */
function findLine(source: ByteSource, from: number, { atLineStart = true } = {}): number {
  const STEP_BYTES = 64 * 1024;
  const end = source.sizeBytes;
  for (let at = from; at < end; ) {
    if (atLineStart) {
      // a scheme begins with a letter, which is cheaper to test than a whole line
      const first = source.view(at, 1)[0] | 32;
      if (first >= 97 && first <= 122 && lineAt(source, at) !== null) return at;
    }
    const view = source.view(at, STEP_BYTES);
    if (view.length === 0) return end;
    const lineEnd = view.indexOf(LF);
    atLineStart = lineEnd >= 0;
    at += atLineStart ? lineEnd + 1 : view.length;
  }
  return end;
}

function isLineStart(source: ByteSource, at: number): boolean {
  return at === 0 || source.view(at - 1, 1)[0] === LF;
}

function recordOf(
  source: ByteSource,
  context: RecordContext,
  offset: number,
  line: Line,
  { blockEnd, next, truncated, problems }: Extent,
  state: Member['state'],
): RawRecord {
  const time = timeFromDigits(line.date);
  if (time === '') {
    const message = `a record has the date ${line.date.slice(0, 40)}, which does not exist; its capture has no time`;
    problems.push(problemAt(context, 'bad-date', offset, message));
  }
  const blockStart = offset + line.sizeBytes;
  const { block, exceeded } = readBlock(source, context, [blockStart, blockEnd], state);
  const record: RawRecord = {
    offset,
    length: next - offset,
    kind: 'response',
    url: line.url,
    time,
    recordId: '',
    payloadDigest: '',
    http: Buffer.from(block.subarray(0, 5)).toString('latin1') === 'HTTP/',
    mime: line.mime === 'no-type' ? '' : line.mime,
    block,
    truncated,
    problems,
  };
  if (context.entry !== undefined) record.entry = context.entry;
  if (exceeded !== undefined) record.exceeded = exceeded;
  return record;
}
