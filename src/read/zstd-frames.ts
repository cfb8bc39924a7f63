/**
 * The frames of a .warc.zst, one at a time with exact offsets, as gzip-members.ts gives the members of gzip.
 * The first frame may be a skippable one that holds the dictionary of all others, itself plain or compressed
 * (IIPC, Zstandard Compression for WARC, 1.0). The headers of a frame tell its length without decompressing,
 * so that a damaged frame costs only itself.
 */
import type { Problem } from '../model/problem.ts';
import { type ByteSource, indexOfBytes, takeBytes } from './byte-source.ts';
import type { LooksRight, Member } from './gzip-members.ts';
import {
  lostBytes,
  maxBlockBytes,
  problemAt,
  RATIO_FLOOR_BYTES,
  type RecordContext,
  SearchBudget,
} from './record-context.ts';
import { decompressZstd, MissingDictionary, readZstdFrame, type ZstdFrame } from './zstd.ts';

/** Undefined: the frames need none. */
export type ZstdDictionary = Uint8Array | undefined;

const FRAME_MAGIC = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
const DICTIONARY_MAGIC = 0x184d2a5d;
const MAX_DICTIONARY_BYTES = 64 * 1024 * 1024;
/** What a look at a place that may start a frame counts as. */
const PROBE_BYTES = 256;

export function isZstd(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const magic = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return magic === 0xfd2fb528 || (magic & 0xfffffff0) >>> 0 === 0x184d2a50;
}

/** The dictionary at the start of the file. Throws when there is one that cannot be read. */
export function zstdDictionaryOf(source: ByteSource): ZstdDictionary {
  const head = source.view(0, 8);
  if (head.length < 8) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, 8);
  if (view.getUint32(0, true) !== DICTIONARY_MAGIC) return undefined;
  const sizeBytes = view.getUint32(4, true);
  if (sizeBytes > MAX_DICTIONARY_BYTES || 8 + sizeBytes > source.sizeBytes) {
    throw new Error(`the dictionary at the start claims ${sizeBytes} bytes`);
  }
  const stored = takeBytes(source, 8, sizeBytes);
  const compressed = FRAME_MAGIC.every((byte, i) => stored[i] === byte);
  return compressed ? decompressZstd(stored, { maxBytes: MAX_DICTIONARY_BYTES }) : stored;
}

export function* zstdMembers(
  source: ByteSource,
  given: RecordContext,
  looksRight: LooksRight,
  dictionary: ZstdDictionary,
  start = 0,
): Generator<Member | Problem> {
  const { search = new SearchBudget(source.sizeBytes) } = given;
  const context: RecordContext = { ...given, search };
  const find = (from: number, end: number) =>
    findFrame(source, from, end, context, looksRight, dictionary, search);
  for (let offset = start; offset < source.sizeBytes; ) {
    const frame = readZstdFrame(source, offset);
    if (frame !== null && frame.length > 0) {
      if (!frame.skippable) {
        const member = decompressMember(source, offset, frame, context, dictionary);
        yield member;
        if (member.state === 'damaged') {
          // its headers may be what is damaged: frames they jump over must not be lost
          offset = find(offset + 1, offset + frame.length);
          continue;
        }
      }
      offset += frame.length;
      continue;
    }
    const next = find(offset + 1, source.sizeBytes);
    const atEnd = next === source.sizeBytes;
    if (atEnd && search.isSpent) {
      yield lostBytes(context, 'too-slow', 'zstd frame', { offset, next, sizeBytes: source.sizeBytes });
      return;
    }
    const message = atEnd
      ? `no whole zstd frame starts here; the last ${next - offset} bytes are lost`
      : `no whole zstd frame starts here; went on ${next - offset} bytes later`;
    const code =
      frame === null ? (atEnd ? 'bad-zstd' : 'resynchronised') : atEnd ? 'truncated-file' : 'bad-zstd';
    yield problemAt(context, code, offset, message);
    offset = next;
  }
}

/** The frame that starts at `offset`; null when none does. */
export function zstdMemberAt(
  source: ByteSource,
  offset: number,
  context: RecordContext,
  dictionary: ZstdDictionary,
): Member | null {
  const frame = readZstdFrame(source, offset);
  if (frame === null || frame.length === 0 || frame.skippable) return null;
  return decompressMember(source, offset, frame, context, dictionary);
}

function decompressMember(
  source: ByteSource,
  offset: number,
  frame: ZstdFrame,
  context: RecordContext,
  dictionary: ZstdDictionary,
): Member {
  const { length } = frame;
  const recordBytes = maxBlockBytes(context.limits) + RATIO_FLOOR_BYTES;
  const ratioBytes = Math.max(RATIO_FLOOR_BYTES, length * context.limits.ratio);
  const maxBytes = Math.min(recordBytes, ratioBytes);
  const nothing = new Uint8Array(0);
  if (length > recordBytes) {
    const message = `a zstd frame of ${length} bytes is larger than the limits allow and is left out`;
    const problems = [problemAt(context, 'too-large', offset, message)];
    return { offset, length, bytes: nothing, state: 'too-large', problems };
  }
  try {
    const bytes = decompressZstd(takeBytes(source, offset, length), { dictionary, maxBytes });
    return { offset, length, bytes, state: 'whole', problems: [] };
  } catch (error) {
    const state =
      error instanceof RangeError ? (ratioBytes < recordBytes ? 'ratio-exceeded' : 'too-large') : 'damaged';
    // unlike a gzip member, a frame gives nothing before it gives all: what it held cannot be named
    const message =
      error instanceof MissingDictionary
        ? `a zstd frame of ${length} bytes is left out: ${error.message}`
        : state === 'damaged'
          ? `a zstd frame of ${length} bytes is damaged and left out`
          : `a zstd frame of ${length} bytes gives more than the limits allow and is left out`;
    const problems = [problemAt(context, state === 'damaged' ? 'bad-zstd' : state, offset, message)];
    return { offset, length, bytes: nothing, state, problems };
  }
}

/** Where the next frame that decompresses to the right thing starts; `end` when none does or the budget is spent. */
function findFrame(
  source: ByteSource,
  from: number,
  end: number,
  context: RecordContext,
  looksRight: LooksRight,
  dictionary: ZstdDictionary,
  search: SearchBudget,
): number {
  for (let at = from; at < end && !search.isSpent; at++) {
    at = indexOfBytes(source, FRAME_MAGIC, at, end);
    if (at < 0) return end;
    search.spend(PROBE_BYTES);
    const frame = readZstdFrame(source, at, search);
    if (frame === null || frame.length === 0) continue;
    const member = decompressMember(source, at, frame, context, dictionary);
    // a frame that fails has given no bytes, but may have made the decoder work for all of them
    const givenBytes = member.state === 'whole' ? member.bytes.length : frame.maxContentBytes;
    search.spend(frame.length + Math.min(givenBytes, maxBlockBytes(context.limits)));
    if (member.state !== 'damaged' && (member.state !== 'whole' || looksRight(member.bytes))) return at;
  }
  return end;
}
