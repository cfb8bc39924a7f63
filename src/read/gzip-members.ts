/**
 * Reads the members of a gzip file (RFC 1952) one at a time with exact offsets. Archives compress each record
 * on its own, so that a record can be read without the rest. A damaged or cut-off member gives the bytes
 * before the fault, an oversized one as much as the limits allow. After damage the next member is found by
 * its magic number and by inflating its start to what the caller expects there. Cost: inflating, plus a fifth
 * of that for the checksum.
 */
import { crc32 } from 'node:zlib';
import type { Problem } from '../model/problem.ts';
import { type ByteSource, indexOfBytes } from './byte-source.ts';
import { InflateMemory } from './inflate-stream.ts';
import {
  failedAt,
  lostBytes,
  maxBlockBytes,
  problemAt,
  RATIO_FLOOR_BYTES,
  type RecordContext,
  SearchBudget,
} from './record-context.ts';

/** One gzip member or zstd frame. */
export interface Member {
  /** Offset of the first compressed byte. */
  offset: number;
  /** Compressed bytes up to the next member. */
  length: number;
  /** Decompressed bytes; only the first of them if `state` is not `whole`. */
  bytes: Uint8Array;
  /** Whether the member was inflated to its end; if not, the reason. */
  state: 'whole' | 'damaged' | 'too-large' | 'ratio-exceeded';
  /** Problems found before this member and in it. */
  problems: Problem[];
}

/** The decompressed start of a member. */
export interface MemberStart {
  bytes: Uint8Array;
  /** Number of compressed bytes that were read, including the header. */
  takenBytes: number;
}

/** Tests whether decompressed bytes look like the start of a member of this file. */
export type LooksRight = (start: Uint8Array) => boolean;

/** First bytes of every gzip member: magic number and compression method. */
const GZIP_MAGIC = Uint8Array.of(0x1f, 0x8b, 0x08);

const LF = 10;
const FIRST_VIEW_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 256 * 1024;
const TRAILER_BYTES = 8;
/** Beyond the limits, a member is followed to its end only while its ratio is at most this. */
const WALK_RATIO = 100;
/**
 * Compressed bytes that a probe reads, and decompressed bytes that it makes: enough for the first line of a
 * record.
 */
const PROBE_BYTES = 4096;
const PROBE_START_BYTES = 2048;
/** Both sizes for a longer first line, since ARC files may have long URLs. */
const LONG_PROBE_BYTES = 64 * 1024;

/**
 * Largest member whose end is guessed, in bytes: below this size every ratio is accepted, and a search is
 * short.
 */
export const MAX_GUESSED_BYTES = 1024 * 1024;
/** Maximum bytes that gzip adds to bytes that cannot be compressed, with some reserve. */
const OVERHEAD_BYTES = 1024;
/** The end of one member and the start of the next: four bytes of size, then the magic number. */
const border = new Uint8Array(4 + GZIP_MAGIC.length);
border.set(GZIP_MAGIC, 4);

const NOTHING = new Uint8Array(0);

/** Memory for inflating probes and members that are copied at once. */
let sharedMemory: InflateMemory | undefined;

/** Yields all members of a file, and the problems between them. */
export function* gzipMembers(
  source: ByteSource,
  given: RecordContext,
  looksRight: LooksRight,
): Generator<Member | Problem> {
  const { search = new SearchBudget(source.sizeBytes) } = given;
  const context: RecordContext = { ...given, search };
  for (let offset = 0; offset < source.sizeBytes; ) {
    let member: Member | null;
    try {
      member = gzipMemberAt(source, offset, context, looksRight);
    } catch (error) {
      yield failedAt(context, offset, error);
      offset = findGzipMember(source, offset + 1, looksRight, search);
      continue;
    }
    if (member === null) {
      // not a member: zeros up to the end are padding, common on old tapes; anything else is damage
      if (isZero(source, offset)) return;
      const next = findGzipMember(source, offset + 1, looksRight, search);
      yield lostBytes(context, 'bad-gzip', 'gzip member', { offset, next, sizeBytes: source.sizeBytes });
      offset = next;
      continue;
    }
    yield member;
    offset = member.offset + member.length;
  }
}

/**
 * Reads the member that starts at `offset`; null if none does. With `checked`, the checksum is known to be
 * right and is not computed again; the size is compared nevertheless.
 */
export function gzipMemberAt(
  source: ByteSource,
  offset: number,
  context: RecordContext,
  looksRight: LooksRight,
  { checked = false } = {},
): Member | null {
  const inflated = inflateMember(source, offset, context, checked);
  return inflated && finishMember(source, inflated, context, looksRight);
}

/**
 * Inflates about the first `startBytes` of the member at `offset`; a shorter member is returned whole. Null
 * if no member starts here or something about it is unusual.
 */
export function gzipMemberStart(
  source: ByteSource,
  offset: number,
  startBytes: number,
  context: RecordContext,
  looksRight: LooksRight,
): Member | MemberStart | null {
  const view = source.view(offset, FIRST_VIEW_BYTES);
  const headerBytes = gzipHeaderBytes(view);
  if (headerBytes <= 0 || !context.memory) return null;
  const start = context.memory.inflateStart(view.subarray(headerBytes), startBytes);
  const takenBytes = headerBytes + start.consumedBytes;
  if (start.status === 'full') return { bytes: start.bytes, takenBytes };
  return start.status === 'done' ? gzipMemberAt(source, offset, context, looksRight) : null;
}

/**
 * Returns the start of the next member that looks right, at or after `from`; `end` if it is not found or the
 * budget is spent.
 */
export function findGzipMember(
  source: ByteSource,
  from: number,
  looksRight: LooksRight,
  search: SearchBudget,
  end = source.sizeBytes,
): number {
  for (let at = from; at < end && !search.isSpent; at++) {
    at = indexOfBytes(source, GZIP_MAGIC, at, end);
    if (at < 0) return end;
    if (inflatesRight(source, at, looksRight, search)) return at;
  }
  return end;
}

/**
 * Returns the first offset from `from` on at which a member of `sizeBytes` decompressed bytes could end; -1
 * if no such offset is near. The size is followed by the header of the next member, or by the end of the
 * file. Other bytes look like that with probability 2⁻⁵⁶, or because somebody made them so; the guess must
 * therefore be checked by inflating the member.
 */
export function guessMemberEnd(source: ByteSource, from: number, sizeBytes: number): number {
  for (let k = 0; k < 4; k++) border[k] = (sizeBytes >>> (8 * k)) & 255;
  const limit = from + sizeBytes + OVERHEAD_BYTES;
  const found = indexOfBytes(source, border, from, limit);
  if (found >= 0) return gzipHeaderBytes(source.view(found + 4, 16).subarray(0, 16)) < 0 ? -1 : found + 4;
  const last = source.sizeBytes - 4;
  if (last < from || last > limit) return -1;
  const size = source.view(last, 4);
  for (let k = 0; k < 4; k++) if (size[k] !== border[k]) return -1;
  return source.sizeBytes;
}

/** Returns the bytes of a member's header; 0 if `bytes` ends inside it, -1 if no gzip header starts here. */
export function gzipHeaderBytes(bytes: Uint8Array): number {
  for (let i = 0; i < Math.min(3, bytes.length); i++) if (bytes[i] !== GZIP_MAGIC[i]) return -1;
  if (bytes.length < 10) return 0;
  const flags = bytes[3];
  if (flags & 0xe0) return -1;
  let at = 10;
  if (flags & 4) {
    if (bytes.length < at + 2) return 0;
    at += 2 + bytes[at] + (bytes[at + 1] << 8);
  }
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return 0;
    at = end + 1;
  }
  if (flags & 2) at += 2;
  return at < bytes.length ? at : 0;
}

interface Inflated {
  offset: number;
  bytes: Uint8Array;
  state: Member['state'];
  /** Bytes of header and deflate stream, without the trailer; 0 if the end was not found. */
  streamBytes: number;
  /** The damage in words, for a problem. */
  fault: string;
  /** Null if the checksum is known to be right. */
  crc: number | null;
  producedBytes: number;
}

/** Inflates the member at `offset`, in one piece unless it is very large; null if no member starts here. */
function inflateMember(
  source: ByteSource,
  offset: number,
  { limits, memory }: RecordContext,
  checked: boolean,
): Inflated | null {
  const headerBytes = measureHeader(source, offset);
  if (headerBytes < 0) return null;
  const cut = 'the file ends inside a gzip member';
  if (headerBytes === 0) {
    return { offset, bytes: NOTHING, state: 'damaged', streamBytes: 0, fault: cut, crc: 0, producedBytes: 0 };
  }
  sharedMemory ??= new InflateMemory();
  const keepBytes = maxBlockBytes(limits) + RATIO_FLOOR_BYTES;
  const pieces: Uint8Array[] = [];
  let keptBytes = 0;
  let producedBytes = 0;
  let crc = 0;
  const end = (memory ?? sharedMemory).inflate(
    source,
    offset + headerBytes,
    (piece, consumedBytes, isLast) => {
      producedBytes += piece.length;
      if (!checked) crc = crc32(piece, crc);
      if (isLast && pieces.length === 0) pieces.push(memory ? piece : piece.slice());
      else if (keptBytes < keepBytes) {
        pieces.push(piece.slice(0, keepBytes - keptBytes));
        keptBytes += pieces[pieces.length - 1].length;
      }
      const density = producedBytes / Math.max(1, consumedBytes);
      return isLast || (density <= limits.ratio && (producedBytes <= keepBytes || density <= WALK_RATIO));
    },
  );
  const isDone = end.status === 'done';
  const isDense = producedBytes > limits.ratio * Math.max(1, end.consumedBytes);
  let state: Member['state'] = isDone ? 'whole' : 'damaged';
  if (isDense && producedBytes > RATIO_FLOOR_BYTES) state = 'ratio-exceeded';
  else if (producedBytes > keepBytes && !(isDone && pieces.length === 1)) state = 'too-large';
  return {
    offset,
    bytes: pieces.length === 1 ? pieces[0] : Buffer.concat(pieces),
    state,
    streamBytes: isDone ? headerBytes + end.consumedBytes : 0,
    fault: end.status === 'cut' ? cut : 'a gzip member is damaged',
    crc: checked && isDone ? null : crc,
    producedBytes,
  };
}

/** Like `gzipHeaderBytes`, for a header of any length. */
function measureHeader(source: ByteSource, offset: number): number {
  for (let wantBytes = FIRST_VIEW_BYTES; ; wantBytes *= 4) {
    const view = source.view(offset, wantBytes);
    const headerBytes = gzipHeaderBytes(view);
    const isCut = view.length < wantBytes || offset + view.length >= source.sizeBytes;
    if (headerBytes !== 0 || isCut || view.length > MAX_HEADER_BYTES) return headerBytes;
  }
}

/** Checks the trailer and finds where the next member starts. */
function finishMember(
  source: ByteSource,
  { offset, bytes, state, streamBytes, fault, crc, producedBytes }: Inflated,
  context: RecordContext,
  looksRight: LooksRight,
): Member {
  const search = context.search ?? new SearchBudget(source.sizeBytes);
  const problems: Problem[] = [];
  const member = (length: number, endState = state): Member => ({
    offset,
    length,
    bytes,
    state: endState,
    problems,
  });
  if (streamBytes === 0) {
    // members may share the bytes that they inflate, so the output of a damaged one counts as spent
    search.spend(producedBytes);
    const next = findGzipMember(source, offset + 1, looksRight, search);
    if (next === source.sizeBytes && search.isSpent) {
      problems.push(
        lostBytes(context, 'too-slow', 'gzip member', { offset, next, sizeBytes: source.sizeBytes }),
      );
    } else if (state === 'damaged') {
      problems.push(damageProblem(context, offset, next, source.sizeBytes, fault));
    }
    return member(next - offset);
  }
  const trailer = source.view(offset + streamBytes, TRAILER_BYTES);
  const length = streamBytes + Math.min(TRAILER_BYTES, trailer.length);
  if (trailer.length < TRAILER_BYTES) {
    problems.push(
      problemAt(context, 'truncated-file', offset, 'the file ends in the checksum of its last gzip member'),
    );
    return member(length);
  }
  const stored = new DataView(trailer.buffer, trailer.byteOffset, TRAILER_BYTES);
  const isSame = crc === null || stored.getUint32(0, true) === crc;
  if (isSame && stored.getUint32(4, true) === producedBytes % 2 ** 32) {
    return member(length);
  }
  // a damaged stream can run on into the members after it, which must not be lost
  search.spend(producedBytes);
  const inside = findGzipMember(source, offset + 1, looksRight, search, offset + length);
  const end = inside < offset + length ? inside - offset : length;
  const message = 'a gzip member does not match its checksum; its text is used as it is';
  problems.push(problemAt(context, 'bad-gzip', offset, message));
  return member(end, end < length && state === 'whole' ? 'damaged' : state);
}

/** Whether the start of the member at `offset` inflates to what is expected there. */
function inflatesRight(
  source: ByteSource,
  offset: number,
  looksRight: LooksRight,
  search: SearchBudget,
): boolean {
  const view = source.view(offset, PROBE_BYTES).subarray(0, PROBE_BYTES);
  search.spend(view.length);
  const headerBytes = gzipHeaderBytes(view);
  if (headerBytes <= 0) return false;
  const start = probe(view.subarray(headerBytes), PROBE_START_BYTES, search);
  if (looksRight(start)) return true;
  if (start.length < PROBE_START_BYTES || start.includes(LF)) return false;
  // the first line is longer than the probe
  const longView = source.view(offset, LONG_PROBE_BYTES).subarray(0, LONG_PROBE_BYTES);
  search.spend(LONG_PROBE_BYTES);
  return looksRight(probe(longView.subarray(headerBytes), LONG_PROBE_BYTES, search));
}

/**
 * Returns the first decompressed bytes of a deflate stream, about `startBytes` of them; valid until the next
 * call.
 */
function probe(stream: Uint8Array, startBytes: number, search: SearchBudget): Uint8Array {
  sharedMemory ??= new InflateMemory();
  const { bytes, status } = sharedMemory.inflateStart(stream, startBytes);
  if (status !== 'full') search.spend(bytes.length);
  return bytes;
}

function isZero(source: ByteSource, from: number): boolean {
  for (let at = from; at < source.sizeBytes; ) {
    const view = source.view(at, FIRST_VIEW_BYTES);
    if (view.some((byte) => byte !== 0)) return false;
    if (view.length === 0) break;
    at += view.length;
  }
  return true;
}

function damageProblem(
  context: RecordContext,
  offset: number,
  next: number,
  sizeBytes: number,
  fault: string,
): Problem {
  return next === sizeBytes && fault.startsWith('the file ends')
    ? problemAt(context, 'truncated-file', offset, `${fault}; the bytes before the end are used`)
    : problemAt(context, 'bad-gzip', offset, `${fault}; reading continued ${next - offset} bytes later`);
}
