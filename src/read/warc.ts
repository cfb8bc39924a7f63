/**
 * Reads WARC records, versions 0.9 to 1.1, from a plain file or from inside a gzip member or zstd frame. A
 * record is a version line, header fields, an empty line and a block of Content-Length bytes. Lengths can be
 * wrong: if no record separator follows a block, the block is extended or cut to the next record header. Only
 * captures are yielded; requests, metadata and other records are skipped.
 */
import { isLetter } from '../model/byte-kinds.ts';
import { type ByteSource, indexOfBytes } from './byte-source.ts';
import { timeFromIso } from './capture-time.ts';
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

const CR = 13;
const LF = 10;
const SEPARATOR = [CR, LF, CR, LF];
/** Maximum bytes of a version line and the name of the field after it. */
const VERSION_LINE_BYTES = 256;

/** Yields the captures of a WARC source, and the problems between them. */
export function* readWarc(
  source: ByteSource,
  context: RecordContext,
  { state = 'whole', inMember = false, start = 0, single = false }: RecordsOptions = {},
): Generator<RawEvent> {
  const headers = new WarcHeaders(source);
  for (let offset = skipBreaks(source, start); offset < source.sizeBytes; ) {
    let extent: Extent;
    let record: RawRecord | null;
    try {
      const header = headers.at(offset);
      if (header === null) {
        if (single) return;
        const next = findHeader(source, headers, offset + 1);
        const where = { offset, next, sizeBytes: source.sizeBytes };
        yield { kind: 'problem', problem: lostBytes(context, 'bad-record', 'record', where) };
        offset = next;
        continue;
      }
      extent = measureBlock(source, context, offset, header, { state, inMember });
      record = captureOf(source, context, offset, header, extent, state);
    } catch (error) {
      yield { kind: 'problem', problem: failedAt(context, offset, error) };
      if (single) return;
      offset = findHeader(source, headers, offset + 1);
      continue;
    }
    if (record) yield record;
    else for (const problem of extent.problems) yield { kind: 'problem', problem };
    if (single) return;
    offset = extent.next;
  }
}

/**
 * Returns the offset of the first record from `from` on with a readable header; the end of the source if no
 * such record follows.
 */
function findHeader(source: ByteSource, headers: WarcHeaders, from: number): number {
  const end = source.sizeBytes;
  let at = findRecord(source, from, end);
  while (at < end && headers.at(at) === null) at = findRecord(source, at + 1, end);
  return at;
}

/** The start of a capture, and the size stated in its header. */
export interface WarcStart {
  record: RawRecord;
  /** Bytes of the record with the separator after it. */
  sizeBytes: number;
}

/**
 * Reads the capture that starts with these bytes and continues after them; null if they are not one, or the
 * header states no length.
 */
export function readWarcStart(source: ByteSource, context: RecordContext): WarcStart | null {
  const header = new WarcHeaders(source).at(0);
  const stated = header?.fields.get('content-length') ?? '';
  if (header === null || !/^\d{1,12}$/.test(stated)) return null;
  const blockEnd = header.blockStart + Number(stated);
  const sizeBytes = blockEnd + SEPARATOR.length;
  const extent: Extent = { blockEnd, next: sizeBytes, truncated: false, problems: [] };
  const record = captureOf(source, context, 0, header, extent, 'whole');
  return record && { record, sizeBytes };
}

/** Whether a record ends with the separator that belongs between two records. */
export function endsWithSeparator(bytes: Uint8Array): boolean {
  const start = bytes.length - SEPARATOR.length;
  return SEPARATOR.every((byte, k) => bytes[start + k] === byte);
}

/**
 * Returns the end of the record at `offset` by its stated length, including line breaks after it; an offset
 * beyond the source if the record is cut off, NaN if no record starts here.
 */
export function warcRecordEnd(source: ByteSource, offset: number): number {
  const start = skipBreaks(source, offset);
  const header = new WarcHeaders(source).at(start);
  if (header === null) return Number.NaN;
  const end = header.blockStart + Number(header.fields.get('content-length') || Number.NaN);
  return end > source.sizeBytes ? end : skipBreaks(source, end);
}

function measureBlock(
  source: ByteSource,
  context: RecordContext,
  offset: number,
  { fields, blockStart }: WarcHeader,
  { state = 'whole', inMember = false }: RecordsOptions,
): Extent {
  const stated = fields.get('content-length') ?? '';
  const length = /^\d+$/.test(stated) ? Number(stated) : Number.NaN;
  const end = source.sizeBytes;
  const blockEnd = blockStart + length;
  if (blockEnd <= end && isFollowedWell(source, blockEnd)) {
    return { blockEnd, next: skipBreaks(source, blockEnd), truncated: false, problems: [] };
  }

  // the length is wrong, or the file ends early
  const found = findRecord(source, blockStart, end);
  const statement =
    stated === '' ? 'states no Content-Length' : `states a Content-Length of ${stated.slice(0, 40)}`;
  const { at: measured, breaks } = trimBreaks(source, blockStart, found, 2);
  if (found < end && breaks < 2 && found - blockEnd >= 0 && found - blockEnd <= 8) {
    // only the separator is damaged
    const problem = problemAt(context, 'bad-record', blockEnd, 'the separator after a record is damaged');
    return { blockEnd, next: found, truncated: false, problems: [problem] };
  }
  if (found === end && (state !== 'whole' || (!inMember && Number.isSafeInteger(length) && blockEnd > end))) {
    const oversized = state === 'too-large' || state === 'ratio-exceeded';
    const message = `the file ends ${blockEnd - end} bytes before the record does`;
    const problems = state === 'whole' ? [problemAt(context, 'truncated-file', offset, message)] : [];
    return { blockEnd: end, next: end, truncated: !oversized, problems };
  }
  const message = `a record ${statement} but its block has ${measured - blockStart} bytes, which are used`;
  const problems = [problemAt(context, 'bad-length', offset, message)];
  return { blockEnd: measured, next: found, truncated: false, problems };
}

/** Whether a separator, a record or the end of the source follows, so that the length before it is right. */
function isFollowedWell(source: ByteSource, at: number): boolean {
  const next = skipBreaks(source, at);
  if (next === source.sizeBytes) return true;
  // cut the view to the bytes asked for, because its length depends on the window
  const breaks = source.view(at, next - at).subarray(0, next - at);
  const first = breaks.indexOf(LF);
  if (first >= 0 && breaks.indexOf(LF, first + 1) >= 0) return true;
  return isVersionLine(source.view(next, VERSION_LINE_BYTES).subarray(0, VERSION_LINE_BYTES), 0);
}

/** Returns the offset of the first record in `[from, end)`; `end` if the span has no record. */
function findRecord(source: ByteSource, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    at = indexOfBytes(source, WARC_MAGIC, at, end);
    if (at < 0) return end;
    const view = source.view(at, VERSION_LINE_BYTES).subarray(0, VERSION_LINE_BYTES);
    const line = view.indexOf(LF);
    // text about archives may contain version lines, too, so a field must follow
    if (line > 0 && isVersionLine(view, 0) && startsWithField(view, line + 1)) return at;
  }
  return end;
}

function startsWithField(bytes: Uint8Array, start: number): boolean {
  let at = start;
  while (at < bytes.length && (bytes[at] === 45 || isLetter(bytes[at]))) at++;
  return at > start && bytes[at] === 58;
}

/** Returns the record as a capture; null for records of other types. */
function captureOf(
  source: ByteSource,
  context: RecordContext,
  offset: number,
  { fields, blockStart }: WarcHeader,
  { blockEnd, next, truncated, problems }: Extent,
  state: Member['state'],
): RawRecord | null {
  const kind = (fields.get('warc-type') ?? '').toLowerCase();
  if (kind === '') {
    problems.push(problemAt(context, 'bad-record', offset, 'a record without WARC-Type is left out'));
    return null;
  }
  if (kind !== 'response' && kind !== 'resource' && kind !== 'revisit') {
    context.others?.set(kind, (context.others.get(kind) ?? 0) + 1);
    return null;
  }
  const date = fields.get('warc-date') ?? '';
  const time = timeFromIso(date);
  if (time === '') {
    const statement =
      date === '' ? 'has no WARC-Date' : `has the WARC-Date "${date.slice(0, 40)}", which does not exist`;
    problems.push(problemAt(context, 'bad-date', offset, `a record ${statement}; its capture has no time`));
  }
  const cut = fields.get('warc-truncated');
  if (cut !== undefined && kind !== 'revisit') {
    const message = `the crawler cut this capture short (WARC-Truncated: ${cut.slice(0, 40)})`;
    problems.push(problemAt(context, 'cut-by-crawler', offset, message));
  }
  if (fields.has('warc-segment-number')) {
    const message = 'the capture goes on in records of type continuation; only its first segment was kept';
    problems.push(problemAt(context, 'cut-by-crawler', offset, message));
  }

  const { block, exceeded } = readBlock(source, context, [blockStart, blockEnd], state);
  const mime = fields.get('content-type') ?? '';
  const record: RawRecord = {
    offset,
    length: next - offset,
    kind,
    url: unbracket(fields.get('warc-target-uri')),
    time,
    recordId: unbracket(fields.get('warc-record-id')),
    payloadDigest: fields.get('warc-payload-digest') ?? '',
    http: isHttp(kind, mime, block),
    mime,
    block,
    truncated,
    problems,
  };
  if (context.entry !== undefined) record.entry = context.entry;
  if (exceeded !== undefined) record.exceeded = exceeded;
  if (kind === 'revisit') {
    record.refersTo = {
      payloadDigest: record.payloadDigest,
      url: unbracket(fields.get('warc-refers-to-target-uri')),
      time: timeFromIso(fields.get('warc-refers-to-date') ?? ''),
    };
  }
  return record;
}

function isHttp(kind: string, mime: string, block: Uint8Array): boolean {
  if (/^\s*application\/http/i.test(mime)) return true;
  // old crawlers omit the type, or state that of the body
  const starts = block[0] === 72 && block[1] === 84 && block[2] === 84 && block[3] === 80 && block[4] === 47;
  return kind !== 'resource' && starts;
}

function unbracket(text = ''): string {
  return text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text;
}

/** Longest header in bytes: a version line, fields, and an empty line. */
const MAX_HEADER_BYTES = 1024 * 1024;

/** First bytes of every record. */
const WARC_MAGIC = new TextEncoder().encode('WARC/');

/** Whether a record starts here, possibly after line breaks. */
export function startsLikeWarc(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] === CR || bytes[at] === LF)) at++;
  return isVersionLine(bytes, at);
}

/** The header of a record; its block starts at `blockStart` in the source. */
interface WarcHeader {
  fields: Map<string, string>;
  blockStart: number;
}

/**
 * Reads the headers of one source, and stores the span that has no end of a header, so that no bytes are
 * searched twice.
 */
class WarcHeaders {
  readonly #source: ByteSource;
  /** A span without an empty line: a header that begins in it does not end in it. */
  #openStart = 0;
  #openEnd = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Returns the header at `offset`; null if no record starts there. */
  at(offset: number): WarcHeader | null {
    const source = this.#source;
    let searchedBytes = offset >= this.#openStart ? Math.max(0, this.#openEnd - offset) : 0;
    for (let wantBytes = Math.max(2048, searchedBytes); ; wantBytes *= 4) {
      if (!isVersionLine(source.view(offset, 256).subarray(0, 256), 0)) return null;
      if (searchedBytes > MAX_HEADER_BYTES) return null;
      const view = source.view(offset, wantBytes).subarray(0, wantBytes);
      const endBytes = headerEnd(view, searchedBytes);
      if (endBytes > 0) {
        return { fields: parseFields(view.subarray(0, endBytes)), blockStart: offset + endBytes };
      }
      if (offset + view.length >= source.sizeBytes) {
        // cut off within its header: the fields before the cut may still identify the capture
        return { fields: parseFields(view), blockStart: source.sizeBytes };
      }
      // an empty line may begin with the last bytes read
      searchedBytes = Math.max(searchedBytes, lastLineFeed(view));
      this.#openStart = offset;
      this.#openEnd = offset + searchedBytes;
    }
  }
}

/** Whether bytes are a version line: `WARC/`, digits and dots, then the end of the line. */
function isVersionLine(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < WARC_MAGIC.length; i++) if (bytes[start + i] !== WARC_MAGIC[i]) return false;
  let at = start + WARC_MAGIC.length;
  while (isDigit(bytes[at]) || bytes[at] === 46) at++;
  if (at === start + WARC_MAGIC.length) return false;
  while (bytes[at] === 32) at++;
  return bytes[at] === CR || bytes[at] === LF;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/**
 * Returns the number of bytes up to and including the first empty line after `from`; 0 if no empty line
 * follows.
 */
function headerEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    let next = at + 1;
    while (bytes[next] === CR) next++; // some tools write two
    if (bytes[next] === LF) return next + 1;
  }
  return 0;
}

function lastLineFeed(bytes: Uint8Array): number {
  return Math.max(0, bytes.lastIndexOf(LF));
}

function parseFields(bytes: Uint8Array): Map<string, string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const fields = new Map<string, string>();
  let last = '';
  let folded: string[] | undefined; // the lines of a folded value, joined once at its end
  let colon = -1; // the next colon at or after the line, searched once for any number of lines without one
  for (let at = text.indexOf('\n') + 1, next = at; next > 0; at = next) {
    next = text.indexOf('\n', at) + 1;
    const end = next > 0 ? next - 1 : text.length;
    if (at === end) continue;
    const first = text.charCodeAt(at);
    if ((first === 32 || first === 9) && last !== '') {
      folded ??= [fields.get(last)!];
      folded.push(text.slice(at, end).trim());
      continue;
    }
    if (colon < at) {
      colon = text.indexOf(':', at);
      if (colon < 0) colon = text.length;
    }
    if (colon === at || colon >= end) continue;
    if (folded) fields.set(last, folded.join(' ').trim());
    folded = undefined;
    const name = text.slice(at, colon).trim().toLowerCase();
    last = fields.has(name) ? '' : name; // the first of several fields with one name counts
    if (last !== '') fields.set(name, text.slice(colon + 1, end).trim());
  }
  if (folded) fields.set(last, folded.join(' ').trim());
  return fields;
}
