/**
 * Zstandard, decompressed synchronously and within a bound, and the frames of a .warc.zst (below). The
 * headers of a frame and of its blocks are read here to find its end and its largest size, so that the
 * decoder gets no frame that could exceed the bound. The decoder is that of node:zlib if there is one (Node
 * 22.15). Otherwise, and for frames with a dictionary, it is the wasm build of the reference code, which is
 * loaded when the first frame needs it (20 ms), synchronously because readers are synchronous.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import type { Problem } from '../model/problem.ts';
import { type ByteSource, indexOfBytes, memorySource, takeBytes } from './byte-source.ts';
import type { LooksRight, Member } from './gzip-members.ts';
import {
  lostBytes,
  maxBlockBytes,
  problemAt,
  RATIO_FLOOR_BYTES,
  type RecordContext,
  SearchBudget,
  sizeLimits,
} from './record-context.ts';

/** The contents of one frame's headers. */
export interface ZstdFrame {
  /** Bytes from the magic number to the end of the frame; 0 if the source ends before. */
  length: number;
  /** Whether the frame holds no data of the stream, but a dictionary or padding. */
  skippable: boolean;
  /** Decompressed size in bytes: exact if the frame states it, otherwise an upper bound. */
  maxContentBytes: number;
  /** Whether the frame states its size. */
  stated: boolean;
  /** Number of its dictionary; 0 if the frame needs none, or one without a number. */
  dictionaryId: number;
}

/** Thrown if a frame needs a dictionary that the file does not hold. */
class MissingDictionary extends Error {
  constructor(id: number) {
    super(`it needs the dictionary ${id}, which the file does not hold`);
  }
}

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const BLOCK_BYTES = 128 * 1024;
/** Cost of reading a block header, in bytes of the search budget. */
const BLOCK_HEADER_COST = 64;
const DECODER_MAX_BYTES = 1024 * 1024 * 1024;

type ZstdPackage = typeof import('@bokuweb/zstd-wasm');
let loaded: ZstdPackage | undefined;

/**
 * Loads the wasm build. Its own `init` is asynchronous, but its loader accepts an instance that was made
 * synchronously.
 */
export function loadZstd(): ZstdPackage {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const entry = require.resolve('@bokuweb/zstd-wasm');
  const { Module } = require(join(dirname(entry), 'zstd.js'));
  Module.instantiateWasm = (
    imports: Record<string, Record<string, unknown>>,
    receive: (instance: WebAssembly.Instance) => object,
  ) => {
    const code = new WebAssembly.Module(readFileSync(join(dirname(entry), 'zstd.wasm')));
    return receive(new WebAssembly.Instance(code, imports));
  };
  Module.init();
  loaded = require(entry) as ZstdPackage;
  return loaded;
}

type NodeDecoder = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;
const nodeDecoder = (zlib as { zstdDecompressSync?: NodeDecoder }).zstdDecompressSync;

/**
 * Decompresses one frame or several in a row, with the dictionary that they were compressed with. Throws a RangeError
 * if they would give more than `maxBytes`, an Error if they are damaged, cut off, or need another dictionary.
 */
export function decompressZstd(
  bytes: Uint8Array,
  { dictionary, maxBytes }: { dictionary?: Uint8Array; maxBytes: number },
): Uint8Array {
  const source = memorySource(bytes);
  const parts: Uint8Array[] = [];
  let total = 0;
  for (let start = 0; start < bytes.length; ) {
    const frame = readZstdFrame(source, start);
    if (frame === null) throw new Error(`no zstd frame at byte ${start}`);
    if (frame.length === 0) throw new Error('the zstd frame is cut off');
    if (!frame.skippable) {
      const part = decompressFrame(
        bytes.subarray(start, start + frame.length),
        frame,
        dictionary,
        maxBytes - total,
      );
      total += part.length;
      if (total > maxBytes) throw new RangeError(`zstd frames give more than ${maxBytes} bytes`);
      parts.push(part);
    }
    start += frame.length;
  }
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Reads the headers of the frame at `offset`; null if it is missing or damaged. Overlapping frames share
 * blocks, so a search passes its budget, to which each block is charged.
 */
export function readZstdFrame(source: ByteSource, offset: number, search?: SearchBudget): ZstdFrame | null {
  const left = source.sizeBytes - offset;
  if (left < 4) return null;
  const head = source.view(offset, 18); // length of the longest header
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const magic = view.getUint32(0, true);
  if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC) {
    const length = left < 8 ? 0 : 8 + view.getUint32(4, true);
    return {
      length: length > left ? 0 : length,
      skippable: true,
      maxContentBytes: 0,
      stated: true,
      dictionaryId: 0,
    };
  }
  if (magic !== FRAME_MAGIC) return null;
  const unfinished: ZstdFrame = {
    length: 0,
    skippable: false,
    maxContentBytes: 0,
    stated: false,
    dictionaryId: 0,
  };
  if (left < 5) return unfinished;

  // frame header: descriptor, window, dictionary id, content size (RFC 8878, 3.1.1.1)
  const descriptor = head[4];
  if (descriptor & 0x08) return null; // reserved bit
  const singleSegment = (descriptor & 0x20) !== 0;
  const hasChecksum = (descriptor & 0x04) !== 0;
  const dictionaryIdBytes = [0, 1, 2, 4][descriptor & 3];
  const contentSizeFlag = descriptor >> 6;
  const contentSizeBytes = contentSizeFlag === 0 ? (singleSegment ? 1 : 0) : 1 << contentSizeFlag;
  const dictionaryAt = 5 + (singleSegment ? 0 : 1);
  let at = dictionaryAt + dictionaryIdBytes;
  if (left < at + contentSizeBytes) return unfinished;
  let dictionaryId = 0;
  for (let i = at; i-- > dictionaryAt; ) dictionaryId = dictionaryId * 256 + head[i];
  const contentBytes = readContentSize(view, at, contentSizeBytes);
  at += contentSizeBytes;

  // blocks: 3 bytes of header with last flag, type (0 raw, 1 one byte repeated, 2 compressed) and size
  let boundBytes = 0;
  for (let last = false; !last; ) {
    search?.spend(BLOCK_HEADER_COST);
    const block = source.view(offset + at, 3);
    if (block.length < 3 || search?.isSpent) return unfinished;
    const header = block[0] | (block[1] << 8) | (block[2] << 16);
    const type = (header >> 1) & 3;
    const sizeBytes = header >> 3;
    if (type === 3) return null; // reserved
    boundBytes += type === 2 ? BLOCK_BYTES : sizeBytes;
    at += 3 + (type === 1 ? 1 : sizeBytes);
    last = (header & 1) === 1;
  }
  at += hasChecksum ? 4 : 0;
  if (at > left) return unfinished;
  const stated = contentBytes >= 0;
  return {
    length: at,
    skippable: false,
    maxContentBytes: stated ? contentBytes : boundBytes,
    stated,
    dictionaryId,
  };
}

function readContentSize(view: DataView, at: number, sizeBytes: number): number {
  if (sizeBytes === 0) return -1;
  if (sizeBytes === 1) return view.getUint8(at);
  if (sizeBytes === 2) return view.getUint16(at, true) + 256;
  if (sizeBytes === 4) return view.getUint32(at, true);
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 2 ** 32;
}

function decompressFrame(
  bytes: Uint8Array,
  frame: ZstdFrame,
  dictionary: Uint8Array | undefined,
  maxBytes: number,
): Uint8Array {
  const { stated, dictionaryId } = frame;
  if (dictionaryId > 0 && !dictionary) throw new MissingDictionary(dictionaryId);
  if (stated && frame.maxContentBytes > maxBytes) {
    throw new RangeError(`a zstd frame gives ${frame.maxContentBytes} bytes, more than ${maxBytes}`);
  }
  if (nodeDecoder && !dictionary) {
    try {
      return plain(nodeDecoder(bytes, { maxOutputLength: Math.max(1, maxBytes) }));
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
        throw new RangeError(`a zstd frame gives more than ${maxBytes} bytes`);
      throw error;
    }
  }
  // the decoder reserves this much; one byte over the bound is enough to detect that it is exceeded
  const heapBytes = Math.max(1, Math.min(frame.maxContentBytes, maxBytes + 1, DECODER_MAX_BYTES));
  const options = { defaultHeapSize: heapBytes };
  const { createDCtx, decompress, decompressUsingDict, freeDCtx } = loadZstd();
  try {
    if (!dictionary) return decompress(bytes, options);
    const context = createDCtx();
    try {
      return decompressUsingDict(context, bytes, dictionary, options);
    } finally {
      freeDCtx(context);
    }
  } catch (error) {
    // the bound was too small: the decoder reports "destination too small" (70) as a negative number
    if (!stated && frame.maxContentBytes > maxBytes && /-70\b/.test(String(error))) {
      throw new RangeError(`a zstd frame gives more than ${maxBytes} bytes`);
    }
    throw error;
  }
}

function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * The frames of a .warc.zst, one at a time with exact offsets, like the members of gzip in gzip-members.ts.
 * The first frame may be a skippable one that holds the dictionary of all others, plain or compressed (IIPC,
 * Zstandard Compression for WARC, 1.0). The headers of a frame give its length without decompressing, so that
 * a damaged frame costs only itself.
 */

/** The dictionary of a file; undefined if its frames need none. */
export type ZstdDictionary = Uint8Array | undefined;

const FRAME_START = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd);
const DICTIONARY_MAGIC = 0x184d2a5d;
const MAX_DICTIONARY_BYTES = 64 * 1024 * 1024;
/** Cost of examining a position that may start a frame, in bytes of the search budget. */
const PROBE_BYTES = 256;

/** Whether bytes start like a zstd file. */
export function isZstd(bytes: Uint8Array): boolean {
  if (bytes.length < 4) return false;
  const magic = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  return magic === FRAME_MAGIC || (magic & 0xfffffff0) >>> 0 === SKIPPABLE_MAGIC;
}

/** Returns the dictionary at the start of the file; throws if there is one that cannot be read. */
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
  const compressed = FRAME_START.every((byte, i) => stored[i] === byte);
  return compressed ? decompressZstd(stored, { maxBytes: MAX_DICTIONARY_BYTES }) : stored;
}

/** Yields all frames of a file, and the problems between them. */
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
          // its headers may be damaged, and the frames that they skip must not be lost
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
      : `no whole zstd frame starts here; reading continued ${next - offset} bytes later`;
    const code =
      frame === null ? (atEnd ? 'bad-zstd' : 'resynchronised') : atEnd ? 'truncated-file' : 'bad-zstd';
    yield problemAt(context, code, offset, message);
    offset = next;
  }
}

/** Reads the frame that starts at `offset`; null if none does. */
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
    const message = `a zstd frame of ${length} bytes is larger than the limits allow (${sizeLimits(context.limits)}) and is left out`;
    const problems = [problemAt(context, 'too-large', offset, message)];
    return { offset, length, bytes: nothing, state: 'too-large', problems };
  }
  try {
    const bytes = decompressZstd(takeBytes(source, offset, length), { dictionary, maxBytes });
    return { offset, length, bytes, state: 'whole', problems: [] };
  } catch (error) {
    const state =
      error instanceof RangeError ? (ratioBytes < recordBytes ? 'ratio-exceeded' : 'too-large') : 'damaged';
    // unlike a gzip member, a damaged frame gives no bytes, so the captures in it cannot be named
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

/**
 * Returns the start of the next frame that decompresses to the expected content; `end` if it is not found or
 * the budget is spent.
 */
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
    at = indexOfBytes(source, FRAME_START, at, end);
    if (at < 0) return end;
    search.spend(PROBE_BYTES);
    const frame = readZstdFrame(source, at, search);
    if (frame === null || frame.length === 0) continue;
    const member = decompressMember(source, at, frame, context, dictionary);
    // a frame that fails gives no bytes, but may have made the decoder work for all of them
    const givenBytes = member.state === 'whole' ? member.bytes.length : frame.maxContentBytes;
    search.spend(frame.length + Math.min(givenBytes, maxBlockBytes(context.limits)));
    if (member.state !== 'damaged' && (member.state !== 'whole' || looksRight(member.bytes))) return at;
  }
  return end;
}
