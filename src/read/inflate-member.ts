/**
 * One gzip member, inflated by one call over the bytes at hand, which also says where it ends; one that reaches
 * beyond them is tried again with more. Members that are damaged, cut off or oversized go to the slow inflater,
 * which gives what comes before the fault. Cost: inflating, plus a fifth of that for the checksum.
 */
import { crc32 } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';
import { gzipHeaderBytes } from './gzip-header.ts';
import type { Member } from './gzip-members.ts';
import { inflateFrom } from './inflate.ts';
import { inflateBytes, MOST_INFLATED_BYTES } from './inflate-memory.ts';
import { maxBlockBytes, RATIO_FLOOR_BYTES, type RecordContext } from './record-context.ts';

const FIRST_VIEW_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 256 * 1024;
/** Beyond the limits, a member is followed to its end only while it is no denser than this. */
const WALK_RATIO = 100;

export interface Inflated {
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

export function inflateMember(
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
      const state = dense ? 'ratio-exceeded' : 'whole';
      return inflatedAtOnce(offset, bytes, streamBytes, { state, crc: checked ? null : crc32(bytes) });
    } catch (error) {
      const { code } = error as { code?: string };
      const moreHelps = code === 'Z_BUF_ERROR' && !atEnd && view.length < MOST_INFLATED_BYTES;
      if (!moreHelps) return inflateSlowly(source, offset, headerBytes, context);
      wantBytes = view.length * 4;
    }
  }
}

/** The start of a member of which no more was inflated. */
export interface MemberStart {
  bytes: Uint8Array;
  /** Compressed, header included: those that it came from. */
  takenBytes: number;
}

/** As `inflateMember`, but no more of it than gives `startBytes`; null when that would not do at the first try. */
export function inflateMemberStart(
  source: ByteSource,
  offset: number,
  startBytes: number,
  { memory }: RecordContext,
): Inflated | MemberStart | null {
  const view = source.view(offset, FIRST_VIEW_BYTES);
  const headerBytes = gzipHeaderBytes(view);
  const start = headerBytes > 0 ? memory?.inflateStart(view.subarray(headerBytes), startBytes) : undefined;
  if (!start) return null;
  const { bytes, consumedBytes, isWhole } = start;
  const streamBytes = headerBytes + consumedBytes;
  if (!isWhole) return { bytes, takenBytes: streamBytes };
  return inflatedAtOnce(offset, bytes, streamBytes, { state: 'whole', crc: crc32(bytes) });
}

function inflatedAtOnce(
  offset: number,
  bytes: Uint8Array,
  streamBytes: number,
  { state, crc }: Pick<Inflated, 'state' | 'crc'>,
): Inflated {
  return { offset, bytes, state, streamBytes, fault: '', crc, producedBytes: bytes.length };
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
