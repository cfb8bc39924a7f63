/**
 * The members of a gzip file, one at a time with exact offsets: archives compress each record on its own, so
 * that a record can be read without the rest. After damage the next member is found by its magic number and by
 * inflating to what the caller expects there. Cost: inflating (inflate-member.ts).
 */
import type { Problem } from '../model/problem.ts';
import { type ByteSource, indexOfBytes, memorySource } from './byte-source.ts';
import { GZIP_MAGIC, gzipHeaderBytes } from './gzip-header.ts';
import { inflateFrom } from './inflate.ts';
import { inflateKernel } from './inflate-kernel.ts';
import { type Inflated, inflateMember, inflateMemberStart, type MemberStart } from './inflate-member.ts';
import { failedAt, lostBytes, problemAt, type RecordContext } from './record-context.ts';
import { SearchBudget } from './search-budget.ts';

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

const LF = 10;
const FIRST_VIEW_BYTES = 64 * 1024;
const TRAILER_BYTES = 8;
/** Compressed bytes that a probe sees, and what it inflates of them: enough for the first line of a record. */
const PROBE_BYTES = 4096;
const PROBE_START_BYTES = 2048;
/** The same for a first line that is longer, as the URL in an ARC file may be. */
const LONG_PROBE_BYTES = 64 * 1024;

export function* gzipMembers(
  source: ByteSource,
  given: RecordContext,
  looksRight: LooksRight,
  start = 0,
): Generator<Member | Problem> {
  const { search = new SearchBudget(source.sizeBytes) } = given;
  const context: RecordContext = { ...given, search };
  for (let offset = start; offset < source.sizeBytes; ) {
    let inflated: Inflated | null;
    try {
      inflated = inflateMember(source, offset, context);
    } catch (error) {
      yield failedAt(context, offset, error);
      offset = findGzipMember(source, offset + 1, looksRight, search);
      continue;
    }
    if (inflated === null) {
      // not a member: padding to the end is common on old tapes, anything else is damage
      if (isZero(source, offset)) return;
      const next = findGzipMember(source, offset + 1, looksRight, search);
      yield lostBytes(context, 'bad-gzip', 'gzip member', { offset, next, sizeBytes: source.sizeBytes });
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

/**
 * The start of the member at `offset`, of so many bytes or some more; all of it when it is shorter. Null when none
 * starts here or more than a look would tell.
 */
export function gzipMemberStart(
  source: ByteSource,
  offset: number,
  startBytes: number,
  context: RecordContext,
  looksRight: LooksRight,
): Member | MemberStart | null {
  const inflated = inflateMemberStart(source, offset, startBytes, context);
  return inflated && 'crc' in inflated ? finishMember(source, inflated, context, looksRight) : inflated;
}

/** Where the next member that looks right starts, at or after `from`; `end` when none does or the budget is spent. */
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
    // members may share the bytes that they inflate: what a damaged one gave counts as spent
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
  // a damaged stream can run on into the members behind it: they must not be lost
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
  const start = inflateStart(view.subarray(headerBytes), PROBE_START_BYTES, search);
  if (looksRight(start)) return true;
  if (start.length < PROBE_START_BYTES || start.includes(LF)) return false;
  // the first line is longer than that
  const longView = source.view(offset, LONG_PROBE_BYTES).subarray(0, LONG_PROBE_BYTES);
  search.spend(LONG_PROBE_BYTES);
  return looksRight(inflateStart(longView.subarray(headerBytes), LONG_PROBE_BYTES, search));
}

/** The first bytes that a deflate stream gives, up to `startBytes` or a little more; valid until the next call. */
function inflateStart(stream: Uint8Array, startBytes: number, search: SearchBudget): Uint8Array {
  const start = inflateKernel().inflateStart(stream, startBytes);
  if (start) return start.bytes;
  // the fast loops give up on streams that are cut off or unusual
  let bytes: Uint8Array = new Uint8Array(0);
  const { producedBytes } = inflateFrom(memorySource(stream), 0, (piece) => {
    bytes = piece.slice(0, startBytes);
    return false;
  });
  search.spend(producedBytes);
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
    ? problemAt(context, 'truncated-file', offset, `${fault}; what comes before the end is used`)
    : problemAt(context, 'bad-gzip', offset, `${fault}; went on ${next - offset} bytes later`);
}
