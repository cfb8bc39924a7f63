/**
 * Turns a record into a page, or into a skip with its code: URL filters, HTTP status, media type, transfer
 * and content encodings, charset. The cheapest tests come first, so that an image costs only its headers. A
 * survey applies the same tests to the headers alone: a capture that it reports as a page may still be
 * skipped when the body is decoded, but a capture that it skips would never have become a page.
 */
import { createHash } from 'node:crypto';
import { toBase32 } from '@exodus/bytes/base32.js';
import type { Limits } from '../model/limits.ts';
import type { Capture, Page } from '../model/page.ts';
import type { FaultSkipCode, Problem, ProblemCode, SkipCode } from '../model/problem.ts';
import { siteOf } from '../model/site.ts';
import { isSelected } from '../model/url-filter.ts';
import { toUtf8 } from './charset.ts';
import { dechunk, decodeBody, hasGzipMagic, isWhollyChunked, parseEncodings } from './content-encoding.ts';
import { charsetParameterOf, type HttpHead, mediaTypeOf, parseHttpHead } from './http-head.ts';
import type { Input, RawRecord, ReadEvent, SurveyEvent, SurveyedCapture } from './raw-record.ts';
import { type CheckedReadOptions, checkReadOptions, type ReadOptions } from './read-options.ts';
import { sizeLimits } from './record-context.ts';
import { isHtml, judgeMime, type MimeVerdict, SNIFFED_BYTES, startsWithMarkup } from './sniff-html.ts';
import { originalUrl, stripWayback } from './wayback.ts';

/** Returns the page of a record, or the skip with its code. */
export function makePage(input: Input, record: RawRecord, options?: ReadOptions): ReadEvent {
  const checked = checkReadOptions(options);
  const work = openRecord(input, record);
  const early = judgeHead(work, record, checked);
  if (early !== null) return skip(work, early);
  if (record.kind === 'revisit') {
    return fault(work, 'revisit-unresolved', 'the capture that holds the body of this revisit was not found');
  }
  if (record.exceeded) return fault(work, record.exceeded, describeExcess(record.exceeded, checked.limits));

  const body = decode(work, checked);
  if (!(body instanceof Uint8Array)) return fault(work, body.code, body.message);
  if (body.length === 0) {
    return record.truncated
      ? fault(work, 'truncated', 'the record ends before its body')
      : skip(work, 'empty');
  }
  if (!isHtml(body, work.capture.mime)) return skip(work, 'not-html');
  if (body.length > checked.limits.pageBytes) {
    return fault(
      work,
      'too-large',
      `the body has ${body.length} bytes, over ${checked.limits.pageBytes} (--max-page-bytes)`,
    );
  }

  const { bytes, charset, fault: charsetFault } = toUtf8(body, charsetParameterOf(work.contentType));
  if (charsetFault !== '') note(work, 'bad-charset', charsetFault);
  if (record.truncated)
    noteTruncated(work, 'the record ends before its stated length; the bytes before the end were kept');
  const source = stripWayback(bytes);
  if (isBlank(source)) return skip(work, 'empty');
  if (checked.digests) checkDigest(work);
  const identity = checked.as ? identityOf(checked.as, work.capture) : work.capture;
  // the object is used nowhere else, and V8 is slow at literals with a spread in them
  const page = identity as Page;
  page.site = siteOfCapture(identity, checked);
  page.charset = charset;
  page.source = plain(source);
  if (record.extra) page.extra = record.extra;
  // a body without the toolbar of a web archive is not the body as served
  if (checked.bodies && bytes !== body && source === bytes) page.body = body;
  return { kind: 'page', page, problems: work.problems };
}

/** Surveys a record by its headers. The body is not decoded, and only its first bytes may have been read. */
export function surveyRecord(input: Input, record: RawRecord, options?: ReadOptions): SurveyEvent {
  return surveyWork(openRecord(input, record), record, checkReadOptions(options));
}

/** The same for a capture that only an index lists. What no line says, such as a missing type, is left open. */
export function surveyListed(capture: Capture, options?: ReadOptions): SurveyEvent {
  const checked = checkReadOptions(options);
  const { url, mime, status } = capture;
  const work: Work = { capture, problems: [], head: null, contentType: mime, payload: new Uint8Array(0) };
  const site = siteOfCapture(capture, checked);
  if (url === '' || site === '') return fault(work, 'bad-url', 'the index names no URL with a host');
  if (!isSelected(url, checked)) return skip(work, 'filtered');
  if (mime === 'warc/revisit') {
    // the index has no more than the digest of its body to find the original by
    const revisit = { payloadDigest: capture.payloadDigest, url, time: '' };
    return { kind: 'page', capture: { ...capture, mime: '', site, revisit }, problems: [] };
  }
  if (!isWanted(status, checked)) return skip(work, 'http-status');
  if (judgeMime(mime) === 'no') return skip(work, 'not-html');
  return { kind: 'page', capture: { ...capture, site }, problems: [] };
}

/**
 * Surveys the start of a record whose length is not known; null if the rest of the record could change the
 * result.
 */
export function surveyStart(input: Input, record: RawRecord, options?: ReadOptions): SurveyEvent | null {
  const work = openRecord(input, record);
  const headEnds = record.http ? work.head?.complete === true : true;
  return headEnds && work.payload.length >= SNIFFED_BYTES
    ? surveyWork(work, record, checkReadOptions(options))
    : null;
}

function surveyWork(work: Work, record: RawRecord, checked: CheckedReadOptions): SurveyEvent {
  const code = judgeHead(work, record, checked);
  if (code !== null) return skip(work, code);
  if (record.exceeded && record.kind !== 'revisit') {
    return fault(work, record.exceeded, describeExcess(record.exceeded, checked.limits));
  }
  const capture = work.capture as SurveyedCapture;
  capture.site = siteOfCapture(capture, checked);
  return { kind: 'page', capture, problems: work.problems };
}

/** Returns the decoded body of any record with its status and content type; null if it cannot be decoded. */
export function decodeRecord(
  input: Input,
  record: RawRecord,
  options: CheckedReadOptions,
): { status: number; contentType: string; body: Uint8Array } | null {
  const work = openRecord(input, record);
  const body = decode(work, options);
  if (!(body instanceof Uint8Array)) return null;
  return { status: work.capture.status, contentType: work.contentType, body };
}

/** The message for a record that exceeds a limit, with its option. */
function describeExcess(code: NonNullable<RawRecord['exceeded']>, limits: Limits): string {
  if (code === 'too-large') return `the record is larger than the limits allow (${sizeLimits(limits)})`;
  return code === 'ratio-exceeded'
    ? `the record is over ${limits.ratio} times as large as it is compressed (--max-ratio)`
    : 'the records share one compressed part, which would be decompressed for each of them; skipped';
}

/** Blocks of a survey are never cut shorter than this, in bytes. */
const MIN_CUT_BYTES = 4096;

interface Work {
  capture: Capture & { revisit?: SurveyedCapture['revisit'] };
  problems: Problem[];
  /** Null for a record without HTTP headers, and for one whose headers cannot be read. */
  head: HttpHead | null;
  /** Content type from the head or the container, with parameters. */
  contentType: string;
  /** The body as stored. */
  payload: Uint8Array;
}

function openRecord(input: Input, record: RawRecord): Work {
  const head = record.http ? parseHttpHead(record.block) : null;
  const contentType = head ? head.contentType : record.http ? '' : record.mime;
  const capture: Work['capture'] = {
    file: record.file ?? input.name,
    offset: record.offset,
    length: record.length,
    url: record.url,
    time: record.time,
    status: record.http ? statusOf(head) : 200,
    mime: mediaTypeOf(contentType),
    recordId: record.recordId,
    payloadDigest: record.payloadDigest,
  };
  if (record.entry !== undefined) capture.entry = record.entry;
  if (record.kind === 'revisit') {
    capture.revisit = record.refersTo ?? { payloadDigest: record.payloadDigest, url: record.url, time: '' };
  }
  const payload = head ? record.block.subarray(head.bodyStart) : record.block;
  return { capture, problems: [...record.problems], head, contentType, payload };
}

/** Returns the status, or 200 for a response without a status line, since the crawler kept it. */
function statusOf(head: HttpHead | null): number {
  return head?.status || 200;
}

/** Returns the skip code that the headers of a record imply; null if they leave the result open. */
function judgeHead(work: Work, record: RawRecord, options: CheckedReadOptions): SkipCode | null {
  const { capture, head, payload } = work;
  const url = options.as?.url ?? capture.url;
  if (url === '') {
    report(work, 'bad-url', 'the record names no URL');
    return 'bad-url';
  }
  if (record.listed === false || !isSelected(url, options)) return 'filtered';

  if (record.kind === 'revisit') {
    if (head !== null && head.status !== 304 && !isWanted(head.status, options)) return 'http-status';
    return head !== null && judgeMime(capture.mime) === 'no' ? 'not-html' : null;
  }
  if (record.http && head === null) {
    if (payload.length === 0) return emptyCode(work, record, options);
    if (!startsWithMarkup(payload)) {
      report(work, 'bad-http', 'the record holds no HTTP response that can be read');
      return 'bad-http';
    }
    report(work, 'bad-http', 'the HTTP headers are missing; the body was kept');
  }
  if (!isWanted(capture.status, options)) return 'http-status';
  const verdict = judgeMime(capture.mime);
  if (verdict === 'no') return 'not-html';
  const code = payload.length === 0 ? emptyCode(work, record, options) : plainCode(work, verdict);
  if (code !== null) return code;
  // checked last: logs that crawlers write into their archives are not faults, though their URLs have no host
  if (siteOf(url) === '') {
    report(work, 'bad-url', `the URL names no host: ${url.slice(0, 200)}`);
    return 'bad-url';
  }
  return null;
}

function isWanted(status: number, { statuses }: CheckedReadOptions): boolean {
  return statuses === 'all' || (status >= 200 && status <= 299);
}

/** Returns the skip code of an undeclared body that is not encoded, whose bytes show whether it is HTML. */
function plainCode({ capture, head, payload }: Work, verdict: MimeVerdict): SkipCode | null {
  const encoded = head !== null && (head.contentEncoding !== '' || head.transferEncoding !== '');
  const plain = !encoded && !hasGzipMagic(payload) && !isHexDigit(payload[0]);
  return verdict === 'maybe' && plain && !isHtml(payload, capture.mime) ? 'not-html' : null;
}

function emptyCode(work: Work, record: RawRecord, { limits }: CheckedReadOptions): SkipCode | null {
  // a survey may have cut the block before the end of long headers
  if (work.head && !work.head.complete && record.block.length >= MIN_CUT_BYTES) return null;
  if (record.exceeded) {
    report(work, record.exceeded, describeExcess(record.exceeded, limits));
    return record.exceeded;
  }
  if (!record.truncated) return 'empty';
  report(work, 'truncated', 'the record ends before its body');
  return 'truncated';
}

/**
 * Returns the body without transfer and content encodings, or the code of the fault that prevents decoding.
 */
function decode(
  work: Work,
  { limits }: CheckedReadOptions,
): Uint8Array | { code: FaultSkipCode; message: string } {
  const { head } = work;
  let body = work.payload;
  const transfer = head?.transferEncoding ?? '';
  if (/chunked/i.test(transfer) || (isHexDigit(body[0]) && isWhollyChunked(body))) {
    const dechunked = dechunk(body);
    body = dechunked.bytes;
    if (dechunked.fault !== '') note(work, 'bad-chunking', `${dechunked.fault}; the readable part was kept`);
  }
  const encodings = [...parseEncodings(head?.contentEncoding ?? ''), ...parseEncodings(transfer)];
  const decoded = decodeBody(body, encodings, limits);
  if (!decoded.ok) return decoded;
  if (decoded.truncated)
    noteTruncated(work, 'the encoded body is damaged or cut off; the part that decodes was kept');
  if (!hasGzipMagic(decoded.bytes)) return decoded.bytes;

  // the body is compressed once more than its headers declare
  const again = decodeBody(decoded.bytes, ['gzip'], limits);
  if (!again.ok && again.code !== 'bad-encoding') return again;
  return again.ok && !again.truncated ? again.bytes : decoded.bytes;
}

/** Computes the digest of the stored body if the archive states none, or compares it with the stated one. */
function checkDigest(work: Work): void {
  const computed = `sha1:${toBase32(createHash('sha1').update(work.payload).digest())}`;
  const stated = work.capture.payloadDigest;
  if (stated === '') work.capture.payloadDigest = computed;
  else if (/^sha1:[a-z2-7]{32}$/i.test(stated) && stated.slice(5).toUpperCase() !== computed.slice(5)) {
    note(work, 'bad-digest', `the payload's digest is ${computed}, not ${stated} as stated`);
  }
}

/** Completes the capture of a revisit from the capture that holds its body. */
function identityOf(revisit: Capture, original: Capture): Capture {
  const { file, entry, offset, length, url, time, status, mime, recordId, payloadDigest } = revisit;
  const identity: Capture = {
    file,
    offset,
    length,
    url,
    time,
    status,
    mime: mime === '' ? original.mime : mime,
    recordId,
    payloadDigest: payloadDigest === '' ? original.payloadDigest : payloadDigest,
  };
  if (entry !== undefined) identity.entry = entry;
  return identity;
}

function siteOfCapture(capture: Capture, { site }: CheckedReadOptions): string {
  return siteOf(originalUrl(capture.url), site);
}

/**
 * Returns the bytes as a plain Uint8Array: V8 compiles a loop twice if it also meets the Buffers of decoders.
 */
function plain(bytes: Uint8Array): Uint8Array {
  return Buffer.isBuffer(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : bytes;
}

function isBlank(source: Uint8Array): boolean {
  for (let i = 0; i < source.length; i++) if (source[i] > 0x20) return false;
  return true;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

type SkipEvent = Extract<ReadEvent, { kind: 'skip' }>;

function skip({ capture, problems }: Work, code: SkipCode): SkipEvent {
  return { kind: 'skip', capture, code, problems };
}

function fault(work: Work, code: FaultSkipCode, message: string): SkipEvent {
  report(work, code, message);
  return skip(work, code);
}

/** Adds a problem unless the container has already reported one with the same code. */
function report(work: Work, code: ProblemCode, message: string): void {
  if (!work.problems.some((problem) => problem.code === code)) note(work, code, message);
}

function noteTruncated(work: Work, message: string): void {
  if (!work.problems.some(({ code }) => code === 'truncated-file')) report(work, 'truncated', message);
}

function note({ capture, problems }: Work, code: ProblemCode, message: string): void {
  const problem: Problem = { code, message, file: capture.file, offset: capture.offset, url: capture.url };
  if (capture.entry !== undefined) problem.entry = capture.entry;
  if (capture.time !== '') problem.time = capture.time;
  problems.push(problem);
}
