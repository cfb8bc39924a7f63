/**
 * The members of a gzip file, one at a time with exact offsets: archives compress each record on its own, so
 * that a record can be read without the rest. A member is inflated by one call over the bytes at hand, which
 * also says where it ends; one that reaches beyond them is tried again with more. Members that are damaged,
 * cut off or oversized go to the slow inflater, which gives what comes before the fault. After damage the
 * next member is found by its magic number and by inflating to what the caller expects there.
 * Cost: inflating, plus a fifth of that for the checksum.
 */
import { constants, crc32, inflateRawSync } from 'node:zlib';
import type { Problem } from '../model/problem.ts';
import { type ByteSource, indexOfBytes } from './byte-source.ts';
import { GZIP_MAGIC, gzipHeaderBytes } from './gzip-header.ts';
import { inflateFrom } from './inflate.ts';
import { inflateBytes, MOST_INFLATED_BYTES } from './inflate-memory.ts';
import { maxBlockBytes, problemAt, RATIO_FLOOR_BYTES, type RecordContext } from './record-context.ts';

/** A gzip member or zstd frame. */
export interface Member {
  offset: number;
  /** Compressed, up to the next member. */
  length: number;
  /** Decompressed; only its start when `state` is not `whole`. */
  bytes: Uint8Array;
  state: 'whole' | 'damaged' | 'too-large' | 'ratio-exceeded';
  /** Met on the way to this member and in it. */
  problems: Problem[];
}

/** Whether decompressed bytes start as a member of this file should. */
export type LooksRight = (start: Uint8Array) => boolean;

const FIRST_VIEW_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 256 * 1024;
const TRAILER_BYTES = 8;
const PROBE_BYTES = 4096;
/** Beyond the limits, a member is followed to its end only while it is no denser than this. */
const WALK_RATIO = 100;

export function* gzipMembers(
  source: ByteSource,
  context: RecordContext,
  looksRight: LooksRight,
  start = 0,
): Generator<Member | Problem> {
  for (let offset = start; offset < source.sizeBytes; ) {
    const inflated = inflateMember(source, offset, context);
    if (inflated === null) {
      // not a member: padding to the end is common on old tapes, anything else is damage
      if (isZero(source, offset)) return;
      const next = findGzipMember(source, offset + 1, looksRight);
      yield lostBytes(context, offset, next, source.sizeBytes);
      offset = next;
      continue;
    }
    const member = finishMember(source, inflated, context, looksRight);
    yield member;
    offset = member.offset + member.length;
  }
}

/**
 * The member that starts at `offset`; null when none does. When its checksum is known to be right it is not taken
 * again; its size is compared all the same.
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

/** Where the next member that looks right starts, at or after `from`; `end` when none does. */
export function findGzipMember(
  source: ByteSource,
  from: number,
  looksRight: LooksRight,
  end = source.sizeBytes,
): number {
  for (let at = from; at < end; at++) {
    at = indexOfBytes(source, GZIP_MAGIC, at, end);
    if (at < 0) return end;
    if (inflatesRight(source.view(at, PROBE_BYTES).subarray(0, PROBE_BYTES), looksRight)) return at;
  }
  return end;
}

interface Inflated {
  offset: number;
  bytes: Uint8Array;
  state: Member['state'];
  /** Header and deflate stream, without the trailer; 0 when the end was not found. */
  streamBytes: number;
  /** Why it is damaged, for a person. */
  fault: string;
  /** Null when it is known to be right. */
  crc: number | null;
  producedBytes: number;
}

function inflateMember(
  source: ByteSource,
  offset: number,
  context: RecordContext,
  checked = false,
): Inflated | null {
  const { limits, memory } = context;
  const { ratio } = limits;
  for (let wantBytes = FIRST_VIEW_BYTES; ; ) {
    const view = source.view(offset, wantBytes);
    // shorter than asked: the source ends here, whatever size it had when it was opened
    const atEnd = view.length < wantBytes || offset + view.length >= source.sizeBytes;
    const headerBytes = gzipHeaderBytes(view);
    if (headerBytes < 0) return null;
    if (headerBytes === 0) {
      if (atEnd || view.length > MAX_HEADER_BYTES) return damagedHeader(offset);
      wantBytes = view.length * 4;
      continue;
    }
    try {
      const stream = view.subarray(headerBytes);
      const { bytes, consumedBytes } = memory ? memory.inflate(stream) : inflateBytes(stream);
      const streamBytes = headerBytes + consumedBytes;
      const dense = bytes.length > RATIO_FLOOR_BYTES && bytes.length > ratio * streamBytes;
      return {
        offset,
        bytes,
        state: dense ? 'ratio-exceeded' : 'whole',
        streamBytes,
        fault: '',
        crc: checked ? null : crc32(bytes),
        producedBytes: bytes.length,
      };
    } catch (error) {
      const { code } = error as { code?: string };
      const moreHelps = code === 'Z_BUF_ERROR' && !atEnd && view.length < MOST_INFLATED_BYTES;
      if (!moreHelps) return inflateSlowly(source, offset, headerBytes, context);
      wantBytes = view.length * 4;
    }
  }
}

function inflateSlowly(
  source: ByteSource,
  offset: number,
  headerBytes: number,
  context: RecordContext,
): Inflated {
  const keepBytes = maxBlockBytes(context.limits) + RATIO_FLOOR_BYTES;
  const { ratio } = context.limits;
  const pieces: Uint8Array[] = [];
  let keptBytes = 0;
  let producedBytes = 0;
  let crc = 0;
  const end = inflateFrom(source, offset + headerBytes, (piece, consumedBytes) => {
    producedBytes += piece.length;
    crc = crc32(piece, crc);
    if (keptBytes < keepBytes) {
      pieces.push(piece.slice(0, keepBytes - keptBytes));
      keptBytes += pieces[pieces.length - 1].length;
    }
    if (producedBytes <= RATIO_FLOOR_BYTES) return true;
    const density = producedBytes / Math.max(1, consumedBytes);
    return density <= ratio && (producedBytes <= keepBytes || density <= WALK_RATIO);
  });
  const tooDense =
    producedBytes > ratio * Math.max(1, end.consumedBytes) && producedBytes > RATIO_FLOOR_BYTES;
  let state: Member['state'] = end.status === 'done' ? 'whole' : 'damaged';
  if (tooDense) state = 'ratio-exceeded';
  else if (end.status === 'stopped' || producedBytes > keepBytes) state = 'too-large';
  return {
    offset,
    bytes: joined(pieces, keptBytes),
    state,
    streamBytes: end.status === 'done' ? headerBytes + end.consumedBytes : 0,
    fault: end.status === 'cut' ? 'the file ends inside a gzip member' : 'a gzip member is damaged',
    crc,
    producedBytes,
  };
}

/** Checks the trailer and finds where the next member starts. */
function finishMember(
  source: ByteSource,
  { offset, bytes, state, streamBytes, fault, crc, producedBytes }: Inflated,
  context: RecordContext,
  looksRight: LooksRight,
): Member {
  const problems: Problem[] = [];
  const member = (length: number, endState = state): Member => ({
    offset,
    length,
    bytes,
    state: endState,
    problems,
  });
  if (streamBytes === 0) {
    const next = findGzipMember(source, offset + 1, looksRight);
    if (state === 'damaged') problems.push(damageProblem(context, offset, next, source.sizeBytes, fault));
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
  // a damaged stream can run on into the members behind it: they must not be lost
  const inside = findGzipMember(source, offset + 1, looksRight, offset + length);
  const end = inside < offset + length ? inside - offset : length;
  const message = 'a gzip member does not match its checksum; its text is used as it is';
  problems.push(problemAt(context, 'bad-gzip', offset, message));
  return member(end, end < length && state === 'whole' ? 'damaged' : state);
}

function inflatesRight(bytes: Uint8Array, looksRight: LooksRight): boolean {
  const headerBytes = gzipHeaderBytes(bytes);
  if (headerBytes <= 0) return false;
  try {
    return looksRight(
      inflateRawSync(bytes.subarray(headerBytes), {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: PROBE_BYTES * 1100,
      }),
    );
  } catch {
    return false;
  }
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

function lostBytes(context: RecordContext, offset: number, next: number, sizeBytes: number): Problem {
  return next === sizeBytes
    ? problemAt(
        context,
        'bad-gzip',
        offset,
        `no gzip member starts here; the last ${next - offset} bytes are lost`,
      )
    : problemAt(
        context,
        'resynchronised',
        offset,
        `no gzip member starts here; went on ${next - offset} bytes later`,
      );
}

function damageProblem(
  context: RecordContext,
  offset: number,
  next: number,
  sizeBytes: number,
  fault: string,
): Problem {
  return next === sizeBytes && fault.startsWith('the file ends')
    ? problemAt(context, 'truncated-file', offset, `${fault}; what comes before the end is used`)
    : problemAt(context, 'bad-gzip', offset, `${fault}; went on ${next - offset} bytes later`);
}

function damagedHeader(offset: number): Inflated {
  const fault = 'the file ends inside a gzip member';
  return {
    offset,
    bytes: new Uint8Array(0),
    state: 'damaged',
    streamBytes: 0,
    fault,
    crc: 0,
    producedBytes: 0,
  };
}

function joined(pieces: Uint8Array[], sizeBytes: number): Uint8Array {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
