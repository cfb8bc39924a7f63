/**
 * A file of records, WARC or ARC, plain or compressed: its format, all its records in order, and one record by its offset.
 * A record in a gzip member or zstd frame has the offset of that member. Where one member holds several captures, the
 * second and later ones add their number to the entry, as `#2`.
 */
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

export interface RecordFile {
  source: ByteSource;
  records: 'warc' | 'arc';
  compression: 'none' | 'gzip' | 'zstd';
  /** Undefined when there is none, or it cannot be read: then the frames that need it are reported. */
  dictionary: ZstdDictionary;
  /** Whether the checksums of its members are known to be right. @default false */
  checked?: boolean;
  /** The latest member of which a capture after the first was read: the next one is often of the same member. */
  shared?: Member;
}

/** An index may point at the line breaks before a record. */
const MAX_BREAKS_BYTES = 8;
/** What may be decompressed again for captures that share a member: so much, and so much for each byte of the file. */
const FREE_AGAIN_BYTES = 128 * 1024 * 1024;
const AGAIN_PER_BYTE = 256;
/** Of a member, enough for the headers of nearly all records and what tells HTML. */
const START_BYTES = 4096;

export function openRecordFile(source: ByteSource, records: 'warc' | 'arc', isGzipName: boolean): RecordFile {
  const head = source.view(0, 4);
  if (isZstd(head)) return { source, records, compression: 'zstd', dictionary: readDictionary(source) };
  const plain =
    records === 'warc' ? startsLikeWarc(source.view(0, 4096)) : startsLikeArc(source.view(0, 65536));
  const gzip = (head[0] === 0x1f && head[1] === 0x8b) || (isGzipName && !plain);
  return { source, records, compression: gzip ? 'gzip' : 'none', dictionary: undefined };
}

/** All captures and the problems between them. A file that holds no captures but other records gives a problem. */
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
    conversions > 0 ? `text taken from ${conversions} pages (WET)` : `${metadata} metadata records (WAT)`;
  const message = `holds ${held} and no captures of pages; the archive that it was made from does`;
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
  // each capture after the first of a member is read by decompressing the member once more
  let againBytes = FREE_AGAIN_BYTES + AGAIN_PER_BYTE * file.source.sizeBytes;
  for (const member of members) {
    if ('code' in member) {
      yield { kind: 'problem', problem: member };
      continue;
    }
    for (const event of memberRecords(file, member, context)) {
      // numbered: not the first of its member
      if (event.kind !== 'problem' && event.entry !== context.entry) {
        againBytes -= member.bytes.length;
        if (againBytes < 0) event.exceeded ??= 'too-slow';
      }
      yield event;
    }
  }
}

/**
 * Every capture of a file whose members are all sound and hold a record each; of pages only the start is inflated, and
 * the end guessed. Anything out of the ordinary throws a `WrongGuess`: such a file is read in full.
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

/** The page that starts a member, taken at its word; null when it is none. */
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

/** The capture at `offset`, the `number`th of its member; null when there is none. */
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
  // the next capture is often of the same member; memory that is used again must not overwrite it
  if (number > 1 && member !== file.shared)
    file.shared = context.memory ? { ...member, bytes: member.bytes.slice() } : member;
  let count = 0;
  for (const event of memberRecords(file, member, context, { alone })) {
    if (event.kind !== 'problem' && ++count === number) return event;
  }
  return null;
}

/** The gzip member or zstd frame at `offset`; null when there is none. */
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
  // exactly the member: no window is filled for it
  const member = read(memorySource(storedBytes(file, offset, length)), 0);
  // a damaged member is read from the file: what is wrong with it depends on what follows it
  if (member && !isSound(member) && !(context.guessed && mayBeGuessed(file)))
    return read(file.source, offset);
  if (member) member.offset = offset;
  return member;
}

/**
 * The record at `offset` of a file that is not compressed. It is read from the file itself, as reading through does:
 * where a record with a wrong length ends depends on what follows it.
 */
function plainRecordAt(
  file: RecordFile,
  offset: number,
  length: number,
  context: RecordContext,
): RawRecord | null {
  // one read for the whole record, where its length is believable
  if (length <= 2 * maxBlockBytes(context.limits)) file.source.view(offset, length + MAX_BREAKS_BYTES);
  for (const event of recordsOf(file)(file.source, context, { start: offset, single: true })) {
    if (event.kind === 'problem') continue;
    const end = event.offset + event.length;
    return event.offset <= offset + MAX_BREAKS_BYTES ? moved(event, offset, end - offset, context) : null;
  }
  return null;
}

/** The bytes of one member: a gzip member is inflated before the source is asked for anything else. */
function storedBytes({ source, compression }: RecordFile, offset: number, length: number): Uint8Array {
  return compression === 'gzip'
    ? source.view(offset, length).subarray(0, length)
    : takeBytes(source, offset, length);
}

function looksRight(start: Uint8Array): boolean {
  return startsLikeWarc(start) || startsLikeArc(start);
}

/** The entry of the capture `number` of a member. */
function numberedEntry(entry: string | undefined, number: number): string {
  return `${entry ?? ''}#${number}`;
}

/** What `numberedEntry` put together. */
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

/** Whether nothing is wrong with a member. */
function isSound({ state, problems }: Member): boolean {
  return state === 'whole' && problems.length === 0;
}

/** The captures of one member, each at the member's place; with `alone` there must be one at most, from end to end. */
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
  // the member held no capture to hang them on
  for (const problem of pending) yield { kind: 'problem', problem };
}

/** Whether a capture, as it lies in a member, takes all of it. */
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

export interface ArchiveFileOptions {
  path: string;
  format: 'warc' | 'arc';
  /** As the user knows it: the extension says how it is compressed when the first bytes are damaged. */
  name: string;
  /** Bytes read ahead when reading in order. @default 1 MiB */
  windowBytes?: number;
  /** See `Input`. */
  checked?: FileState;
}

/** A WARC or ARC file as a container. Throws as node:fs does when the file cannot be opened. */
export function archiveFile({ path, format, name, windowBytes, checked }: ArchiveFileOptions): Container {
  const { sizeBytes, modifiedMs } = openFile(path);
  const gzipName = /\.gz$/i.test(name);
  // reading single records must neither read ahead nor move the window of a reader in order; but pages are mostly asked
  // for in the order of the file
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
