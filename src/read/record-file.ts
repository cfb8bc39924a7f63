/**
 * A file of WARC or ARC records, plain or compressed: its format, all its records in order, and one record by
 * its offset. A record in a gzip member or zstd frame has the offset of that member. If one member holds
 * several captures, the entry of each after the first ends in its number, such as `#2`.
 */
import { countOf } from '../model/count-of.ts';
import { readArc, startsLikeArc } from './arc.ts';
import { type ByteSource, closeFile, memorySource, openFile, openSource, takeBytes } from './byte-source.ts';
import {
  guessMemberEnd,
  gzipMemberAt,
  gzipMemberStart,
  gzipMembers,
  MAX_GUESSED_BYTES,
  type Member,
  type MemberStart,
} from './gzip-members.ts';
import type { Container, FileState, RawEvent, RawRecord } from './raw-record.ts';
import { maxBlockBytes, problemAt, type RecordContext, WrongGuess } from './record-context.ts';
import { endsWithSeparator, readWarc, readWarcStart, startsLikeWarc } from './warc.ts';
import { isZstd, type ZstdDictionary, zstdDictionaryOf, zstdMemberAt, zstdMembers } from './zstd.ts';

/** An opened file of records. */
export interface RecordFile {
  source: ByteSource;
  records: 'warc' | 'arc';
  compression: 'none' | 'gzip' | 'zstd';
  /** Undefined if the file has none or it cannot be read; the frames that need it are then reported. */
  dictionary: ZstdDictionary;
  /** Whether the checksums of the members are known to be right. @default false */
  checked?: boolean;
  /**
   * The last member of which a capture after the first was read; the next read is often of the same member.
   */
  shared?: Member;
}

/** An index may point at the line breaks before a record, up to this many bytes. */
const MAX_BREAKS_BYTES = 8;
/**
 * Bytes that may be decompressed again for captures that share a member: a fixed number, and more per byte of
 * the file.
 */
const FREE_REPEATED_BYTES = 128 * 1024 * 1024;
const REPEATED_PER_BYTE = 256;
/** Decompressed bytes of a member that show the headers of nearly all records and whether they are HTML. */
const START_BYTES = 4096;

/**
 * Opens a file of records and detects its compression; `isGzipName` decides if the first bytes are damaged.
 */
export function openRecordFile(source: ByteSource, records: 'warc' | 'arc', isGzipName: boolean): RecordFile {
  const head = source.view(0, 4);
  if (isZstd(head)) return { source, records, compression: 'zstd', dictionary: readDictionary(source) };
  const plain =
    records === 'warc' ? startsLikeWarc(source.view(0, 4096)) : startsLikeArc(source.view(0, 65536));
  const gzip = (head[0] === 0x1f && head[1] === 0x8b) || (isGzipName && !plain);
  return { source, records, compression: gzip ? 'gzip' : 'none', dictionary: undefined };
}

/**
 * Yields all captures and the problems between them. A file with other records but no captures gives a
 * problem.
 */
export function* readRecords(file: RecordFile, context: RecordContext): Generator<RawEvent> {
  const others = new Map<string, number>();
  let hasCaptures = false;
  for (const event of readAll(file, { ...context, others })) {
    hasCaptures ||= event.kind !== 'problem';
    yield event;
  }
  const conversions = others.get('conversion') ?? 0;
  const metadata = others.get('metadata') ?? 0;
  if (hasCaptures || conversions + metadata === 0) return;
  const held =
    conversions > 0
      ? `text taken from ${countOf(conversions, 'page')} (WET)`
      : `${countOf(metadata, 'metadata record')} (WAT)`;
  const message = `has ${held} but no captures of pages; read the archive that it was made from`;
  yield { kind: 'problem', problem: problemAt(context, 'not-an-archive', 0, message) };
}

function* readAll(file: RecordFile, context: RecordContext): Generator<RawEvent> {
  if (file.compression === 'none') {
    yield* recordsOf(file)(file.source, context);
    return;
  }
  if (context.isPage && mayBeGuessed(file)) {
    yield* guessRecords(file, context, context.isPage);
    return;
  }
  const members =
    file.compression === 'gzip'
      ? gzipMembers(file.source, context, looksRight)
      : zstdMembers(file.source, context, looksRight, file.dictionary);
  // reading a capture after the first of a member decompresses the member again
  let repeatedBytes = FREE_REPEATED_BYTES + REPEATED_PER_BYTE * file.source.sizeBytes;
  for (const member of members) {
    if ('code' in member) {
      yield { kind: 'problem', problem: member };
      continue;
    }
    for (const event of memberRecords(file, member, context)) {
      // a numbered entry: the capture is not the first of its member
      if (event.kind !== 'problem' && event.entry !== context.entry) {
        repeatedBytes -= member.bytes.length;
        if (repeatedBytes < 0) event.exceeded ??= 'too-slow';
      }
      yield event;
    }
  }
}

/**
 * Yields every capture of a file whose members are all sound and hold one record each. Of pages only the
 * start is inflated, and the end is guessed. Any unusual member throws a `WrongGuess`, and the file is then
 * read in full.
 */
function* guessRecords(
  file: RecordFile,
  context: RecordContext,
  isPage: (record: RawRecord) => boolean,
): Generator<RawEvent> {
  const { source } = file;
  for (let offset = 0; offset < source.sizeBytes; ) {
    let member = gzipMemberStart(source, offset, START_BYTES, context, looksRight);
    if (member && 'takenBytes' in member) {
      const guessed = guessRecord(source, offset, member, context, isPage);
      if (guessed) {
        yield guessed;
        offset += guessed.length;
        continue;
      }
      member = null;
    }
    member ??= gzipMemberAt(source, offset, context, looksRight);
    if (member === null || !isSound(member)) throw new WrongGuess();
    yield* memberRecords(file, member, context, { alone: true });
    offset += member.length;
  }
}

/**
 * Returns the page at the start of a member, with a guessed end; null if the member is not a page or its end
 * is not to be guessed.
 */
function guessRecord(
  source: ByteSource,
  offset: number,
  { bytes, takenBytes }: MemberStart,
  context: RecordContext,
  isPage: (record: RawRecord) => boolean,
): RawRecord | null {
  const start = readWarcStart(memorySource(bytes), context);
  if (!start || start.sizeBytes > MAX_GUESSED_BYTES) return null;
  const record = moved(start.record, offset, 0, context);
  if (!isPage(record)) return null;
  const end =
    start.sizeBytes < bytes.length ? -1 : guessMemberEnd(source, offset + takenBytes, start.sizeBytes);
  if (end < 0) throw new WrongGuess();
  record.length = end - offset;
  return record;
}

/** Reads the capture at `offset` that is number `number` of its member; null if it is not found. */
export function readRecordAt(
  file: RecordFile,
  { offset, length, number = 1 }: { offset: number; length: number; number?: number },
  context: RecordContext,
): RawRecord | null {
  if (file.compression === 'none') return plainRecordAt(file, offset, length, context);
  const alone = context.guessed && mayBeGuessed(file);
  let member = number > 1 && !alone && file.shared?.offset === offset ? file.shared : null;
  member ??= memberAt(file, { offset, length }, context);
  if (alone && !(member && isSound(member) && member.length === length && number === 1))
    throw new WrongGuess();
  if (!member) return null;
  // keep a copy for the next read, because memory that is used again must not overwrite it
  if (number > 1 && member !== file.shared)
    file.shared = context.memory ? { ...member, bytes: member.bytes.slice() } : member;
  let count = 0;
  for (const event of memberRecords(file, member, context, { alone })) {
    if (event.kind !== 'problem' && ++count === number) return event;
  }
  return null;
}

/** Reads the gzip member or zstd frame at `offset`; null if it is not found. */
function memberAt(
  file: RecordFile,
  { offset, length }: { offset: number; length: number },
  context: RecordContext,
): Member | null {
  const read = (source: ByteSource, at: number) =>
    file.compression === 'gzip'
      ? gzipMemberAt(source, at, context, looksRight, file)
      : zstdMemberAt(source, at, context, file.dictionary);
  const known =
    length > 0 && length <= 2 * maxBlockBytes(context.limits) && offset + length <= file.source.sizeBytes;
  if (!known) return read(file.source, offset);
  // read exactly the member, without filling a window
  const member = read(memorySource(storedBytes(file, offset, length)), 0);
  // a damaged member is read from the file, because its problems depend on the bytes after it
  if (member && !isSound(member) && !(context.guessed && mayBeGuessed(file)))
    return read(file.source, offset);
  if (member) member.offset = offset;
  return member;
}

/**
 * Reads the record at `offset` of a file that is not compressed. It is read from the file itself, as when
 * reading in order, because the end of a record with a wrong length depends on the bytes after it.
 */
function plainRecordAt(
  file: RecordFile,
  offset: number,
  length: number,
  context: RecordContext,
): RawRecord | null {
  // one read for the whole record, if its length is plausible
  if (length <= 2 * maxBlockBytes(context.limits)) file.source.view(offset, length + MAX_BREAKS_BYTES);
  for (const event of recordsOf(file)(file.source, context, { start: offset, single: true })) {
    if (event.kind === 'problem') continue;
    const end = event.offset + event.length;
    return event.offset <= offset + MAX_BREAKS_BYTES ? moved(event, offset, end - offset, context) : null;
  }
  return null;
}

/**
 * Returns the bytes of one member; a gzip member needs no copy, because it is inflated before the source is
 * read again.
 */
function storedBytes({ source, compression }: RecordFile, offset: number, length: number): Uint8Array {
  return compression === 'gzip'
    ? source.view(offset, length).subarray(0, length)
    : takeBytes(source, offset, length);
}

function looksRight(start: Uint8Array): boolean {
  return startsLikeWarc(start) || startsLikeArc(start);
}

/** Returns the entry of capture `number` of a member. */
function numberedEntry(entry: string | undefined, number: number): string {
  return `${entry ?? ''}#${number}`;
}

/** Splits an entry made by `numberedEntry`; number 1 if it has none. */
export function splitEntry(entry = ''): { entry: string; number: number } {
  const match = /^(.*)#(\d{1,9})$/s.exec(entry);
  return match ? { entry: match[1], number: Number(match[2]) } : { entry, number: 1 };
}

function recordsOf({ records }: RecordFile): typeof readWarc {
  return records === 'warc' ? readWarc : readArc;
}

function mayBeGuessed({ compression, records }: RecordFile): boolean {
  return compression === 'gzip' && records === 'warc';
}

/** Whether a member has no fault. */
function isSound({ state, problems }: Member): boolean {
  return state === 'whole' && problems.length === 0;
}

/**
 * Yields the captures of one member, each at the member's location. With `alone`, the member must hold at
 * most one capture, from end to end.
 */
function* memberRecords(
  file: RecordFile,
  member: Member,
  context: RecordContext,
  { alone = false } = {},
): Generator<RawEvent> {
  const { offset, length, state } = member;
  let count = 0;
  let pending = member.problems;
  for (const event of recordsOf(file)(memorySource(member.bytes), context, { state, inMember: true })) {
    if (event.kind === 'problem') {
      yield { kind: 'problem', problem: { ...event.problem, offset } };
      continue;
    }
    count++;
    if (alone && !isAlone(event, member)) throw new WrongGuess();
    const record = moved(event, offset, length, context);
    if (count > 1) record.entry = numberedEntry(context.entry, count);
    record.problems = [...pending, ...record.problems];
    pending = [];
    yield record;
  }
  // problems of a member without captures
  for (const problem of pending) yield { kind: 'problem', problem };
}

/** Whether a capture takes up its whole member. */
function isAlone(record: RawRecord, { bytes }: Member): boolean {
  return record.offset === 0 && record.length === bytes.length && endsWithSeparator(bytes);
}

function moved(record: RawRecord, offset: number, length: number, context: RecordContext): RawRecord {
  record.offset = offset;
  record.length = length;
  record.problems = record.problems.map((problem) => ({ ...problem, offset, file: context.file }));
  return record;
}

function readDictionary(source: ByteSource): ZstdDictionary {
  try {
    return zstdDictionaryOf(source);
  } catch {
    return undefined;
  }
}

/** Options of `archiveFile`. */
export interface ArchiveFileOptions {
  path: string;
  format: 'warc' | 'arc';
  /** Name given by the user; its extension decides about compression if the first bytes are damaged. */
  name: string;
  /** Bytes read ahead when reading in order. @default 1 MiB */
  windowBytes?: number;
  /** See `Input`. */
  checked?: FileState;
}

/** Makes the container of a WARC or ARC file. Throws the error of node:fs if the file cannot be opened. */
export function archiveFile({ path, format, name, windowBytes, checked }: ArchiveFileOptions): Container {
  const { sizeBytes, modifiedMs } = openFile(path);
  const gzipName = /\.gz$/i.test(name);
  // reading single records must not move the window of a reader in order; single records are mostly read in
  // the order of the file
  const single = openSource(path, { windowBytes: 4096, forwardBytes: 256 * 1024 });
  const file = openRecordFile(single, format, gzipName);
  const inOrder = { ...file, source: openSource(path, { windowBytes }) };
  const atLocation = {
    ...file,
    checked: checked?.sizeBytes === sizeBytes && checked.modifiedMs === modifiedMs,
  };
  return {
    records: (context) => readRecords(inOrder, context),
    recordAt: ({ entry, offset, length }, context) =>
      readRecordAt(atLocation, { offset, length, number: splitEntry(entry).number }, context),
    close: () => closeFile(path),
  };
}
