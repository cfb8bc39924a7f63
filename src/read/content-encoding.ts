/**
 * Decodes the content encodings of a body: gzip, deflate (zlib or raw), br, zstd and chains of them, and the
 * chunked transfer coding (`dechunk`). Every step has its bounds on bytes and ratio before it runs, so a bomb
 * costs no more than the bound. Headers can be wrong: a body that was stored decoded is recognised because it
 * lacks the magic number or starts like HTML, and is kept. A damaged stream gives the bytes before the
 * damage.
 */
import { isUtf8 } from 'node:buffer';
import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';
import type { FaultSkipCode } from '../model/problem.ts';
import { startsWithMarkup } from './sniff-html.ts';
import { decompressZstd } from './zstd.ts';

/** Limits of decoding one body. */
export interface DecodeLimits {
  /** Maximum bytes that any step may produce. */
  pageBytes: number;
  /** Maximum bytes produced per byte of the stored body, once there are more than 1 MiB. */
  ratio: number;
  /** Longest chain of encodings. */
  encodings: number;
}

/** A decoded body, or the skip code of its fault. */
export type Decoded =
  | { ok: true; bytes: Uint8Array; truncated: boolean }
  | { ok: false; code: FaultSkipCode; message: string };

/** Below this size every ratio is accepted: a page of one repeated line compresses a thousandfold. */
const RATIO_FLOOR_BYTES = 1024 * 1024;

/** Output buffer of the decoders: most pages fit in one, which is a quarter faster than the default size. */
const CHUNK_BYTES = 64 * 1024;

/** Returns the encodings of a header in the order they were applied, without those that change nothing. */
export function parseEncodings(header: string): string[] {
  if (header === '') return [];
  const names: string[] = [];
  for (const part of header.split(',')) {
    const name = part
      .trim()
      .toLowerCase()
      .replace(/^["']|["']$/g, '')
      .replace(/^x-/, '');
    if (name !== '' && name !== 'identity' && name !== 'none' && name !== 'chunked') names.push(name);
  }
  return names;
}

/** Decodes a body, from the last applied encoding to the first. */
export function decodeBody(body: Uint8Array, encodings: readonly string[], limits: DecodeLimits): Decoded {
  if (encodings.length > limits.encodings) {
    return {
      ok: false,
      code: 'too-many-encodings',
      message: `${encodings.length} content encodings, over the limit of ${limits.encodings}`,
    };
  }
  // the ratio counts for the whole chain, so that several layers cannot exceed it together
  const ratioBytes = Math.max(RATIO_FLOOR_BYTES, Math.floor(body.length * limits.ratio));
  const bound: Bound = {
    maxBytes: Math.min(limits.pageBytes, ratioBytes),
    byRatio: ratioBytes < limits.pageBytes,
  };
  let bytes = body;
  let truncated = false;
  for (let i = encodings.length - 1; i >= 0 && bytes.length > 0; i--) {
    const step = decodeStep(bytes, encodings[i], bound);
    if (!step.ok) return step;
    bytes = step.bytes;
    truncated ||= step.truncated;
  }
  return { ok: true, bytes, truncated };
}

/** Whether bytes start with the magic number of gzip. */
export function hasGzipMagic(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

type Inflate = (bytes: Uint8Array, options: ZlibOptions) => Uint8Array;

function decodeStep(bytes: Uint8Array, encoding: string, bound: Bound): Decoded {
  switch (encoding) {
    case 'gzip':
      return hasGzipMagic(bytes) ? decodeZlib(bytes, encoding, gunzipSync, bound) : keep(bytes);
    case 'deflate':
      return decodeDeflate(bytes, bound);
    case 'br':
    case 'brotli':
      return startsWithMarkup(bytes) ? keep(bytes) : decodeBrotli(bytes, bound);
    case 'zstd':
      return hasZstdMagic(bytes) ? decodeZstd(bytes, bound) : keep(bytes);
    default:
      // unknown names are mostly charsets and typing errors, and the body is not encoded
      return hasGzipMagic(bytes) ? decodeZlib(bytes, 'gzip', gunzipSync, bound) : keep(bytes);
  }
}

interface Bound {
  maxBytes: number;
  /** Whether `maxBytes` follows from the ratio and not from the page size. */
  byRatio: boolean;
}

function keep(bytes: Uint8Array): Decoded {
  return { ok: true, bytes, truncated: false };
}

/** Decodes `deflate`, which by the standard has zlib's wrapper; some servers send the bare stream. */
function decodeDeflate(bytes: Uint8Array, bound: Bound): Decoded {
  if (startsWithMarkup(bytes)) return keep(bytes);
  if (hasGzipMagic(bytes)) return decodeZlib(bytes, 'gzip', gunzipSync, bound);
  const hasZlibHeader = (bytes[0] & 0x0f) === 8 && ((bytes[0] << 8) | bytes[1]) % 31 === 0;
  if (hasZlibHeader) {
    const decoded = decodeZlib(bytes, 'deflate', inflateSync, bound);
    if (decoded.ok || decoded.code !== 'bad-encoding') return decoded;
  }
  return acceptPlausible(bytes, decodeZlib(bytes, 'deflate', inflateRawSync, bound));
}

/**
 * Accepts or rejects the result of a decoder without a magic number. Any bytes start like such a stream, so a
 * partial result counts only if it is a page or another layer; otherwise text is kept as text.
 */
function acceptPlausible(bytes: Uint8Array, decoded: Decoded): Decoded {
  if (decoded.ok && (!decoded.truncated || startsWithMarkup(decoded.bytes) || hasGzipMagic(decoded.bytes)))
    return decoded;
  if (!decoded.ok && decoded.code !== 'bad-encoding') return decoded;
  if (isUtf8(bytes) && !bytes.includes(0)) return keep(bytes);
  return { ok: false, code: 'bad-encoding', message: 'the body is not encoded as its header says' };
}

function decodeZlib(bytes: Uint8Array, name: string, inflate: Inflate, bound: Bound): Decoded {
  const options: ZlibOptions = { maxOutputLength: bound.maxBytes, chunkSize: CHUNK_BYTES };
  try {
    return { ok: true, bytes: inflate(bytes, options), truncated: false };
  } catch (error) {
    return codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
      ? overBound(name, bytes, bound)
      : salvage(bytes, name, inflate, bound);
  }
}

function decodeBrotli(bytes: Uint8Array, bound: Bound): Decoded {
  const inflate: Inflate = (input, { finishFlush }) =>
    brotliDecompressSync(input, {
      maxOutputLength: bound.maxBytes,
      finishFlush: finishFlush === undefined ? undefined : constants.BROTLI_OPERATION_FLUSH,
    });
  return acceptPlausible(bytes, decodeZlib(bytes, 'br', inflate, bound));
}

/**
 * Decodes a damaged stream up to the damage. Decoding a prefix fails exactly if the damage lies within it, so
 * the longest prefix that decodes is found by bisection.
 */
function salvage(bytes: Uint8Array, name: string, inflate: Inflate, bound: Bound): Decoded {
  const options: ZlibOptions = { maxOutputLength: bound.maxBytes, finishFlush: constants.Z_SYNC_FLUSH };
  let best: Uint8Array | null = null;
  let good = 0;
  let bad = bytes.length + 1;
  for (let length = bytes.length; good < bad - 1; length = (good + bad) >> 1) {
    try {
      best = inflate(bytes.subarray(0, length), options);
      good = length;
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return overBound(name, bytes, bound);
      bad = length;
    }
  }
  if (best === null || best.length === 0) {
    return { ok: false, code: 'bad-encoding', message: `the body is not ${name} as its header says` };
  }
  return { ok: true, bytes: best, truncated: true };
}

function decodeZstd(bytes: Uint8Array, bound: Bound): Decoded {
  try {
    return { ok: true, bytes: decompressZstd(bytes, { maxBytes: bound.maxBytes }), truncated: false };
  } catch (error) {
    if (error instanceof RangeError) return overBound('zstd', bytes, bound);
    return { ok: false, code: 'bad-encoding', message: 'the body is not zstd as its header says' };
  }
}

function hasZstdMagic(bytes: Uint8Array): boolean {
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd;
}

function overBound(name: string, bytes: Uint8Array, { maxBytes, byRatio }: Bound): Decoded {
  return byRatio
    ? {
        ok: false,
        code: 'ratio-exceeded',
        message: `${bytes.length} bytes of ${name} give over ${maxBytes} bytes, beyond the ratio limit (--max-ratio)`,
      }
    : {
        ok: false,
        code: 'too-large',
        message: `the body gives over ${maxBytes} bytes when its ${name} is decoded (--max-page-bytes)`,
      };
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? '');
}

/**
 * The result of removing the chunked transfer coding. Many archives hold bodies that the crawler dechunked
 * while the header still says chunked; such a body does not start with a chunk and is kept as it is. At a
 * broken chunk, the chunks before it are kept and the rest is appended unchanged. Cost: one copy of the body,
 * none if it is a single chunk.
 */
export interface Dechunked {
  /** The body without the coding. */
  bytes: Uint8Array;
  /** Whether the body was chunked at all. */
  chunked: boolean;
  /** The fault of the chunks, as a sentence; empty without a fault. */
  fault: string;
}

const LF = 10;
const CR = 13;
/** Longest size line with its extension, in bytes. */
const MAX_SIZE_LINE_BYTES = 4096;

/** Removes the chunked transfer coding of a body. */
export function dechunk(body: Uint8Array): Dechunked {
  const first = readSizeLine(body, 0);
  if (first === null || !isPlausibleFirstChunk(body, first))
    return { bytes: body, chunked: false, fault: '' };
  if (first.size === 0) return { bytes: body.subarray(0, 0), chunked: true, fault: '' };

  let out: Uint8Array | null = null; // allocated with the second chunk
  let outLength = 0;
  const append = (start: number, end: number): void => {
    if (out === null && outLength > 0) {
      out = Buffer.allocUnsafe(body.length);
      out.set(body.subarray(first.end, first.end + outLength), 0);
    }
    if (out !== null) out.set(body.subarray(start, end), outLength);
    outLength += end - start;
  };
  const finish = (fault: string): Dechunked => {
    const bytes = out === null ? body.subarray(first.end, first.end + outLength) : out.subarray(0, outLength);
    return { bytes, chunked: true, fault };
  };

  let line: SizeLine | null = first;
  let position = 0;
  while (line !== null) {
    if (line.size === 0) return finish('');
    const end: number = line.end + line.size;
    if (end > body.length) {
      append(line.end, body.length);
      return finish('the body ends within a chunk');
    }
    append(line.end, end);
    position = skipLineEnd(body, end);
    if (position === body.length) return finish('the last chunk is missing');
    line = position > end ? readSizeLine(body, position) : null;
  }
  append(position, body.length);
  return finish('a chunk does not end where its size says');
}

/**
 * Whether a body is chunked from its first to its last byte; for bodies that no header declares as chunked.
 */
export function isWhollyChunked(body: Uint8Array): boolean {
  let position = 0;
  for (;;) {
    const line = readSizeLine(body, position);
    if (line === null) return false;
    if (line.size === 0) return position > 0 && body.length - line.end <= 2;
    const end = line.end + line.size;
    if (end > body.length) return false;
    position = skipLineEnd(body, end);
    if (position === end) return false;
  }
}

interface SizeLine {
  size: number;
  /** Start of the chunk's data. */
  end: number;
}

/** Reads a size line, `1f40;extension CRLF`, at a position; null if it is not found. */
function readSizeLine(body: Uint8Array, start: number): SizeLine | null {
  let position = start;
  let size = 0;
  let digits = 0;
  for (; position < body.length; position++, digits++) {
    const digit = hexDigit(body[position]);
    if (digit < 0) break;
    size = size * 16 + digit;
  }
  // 8 digits are 4 GB, more than any body; leading zeros are allowed
  if (digits === 0 || digits > 16 || size > 0xffff_ffff) return null;

  // some servers pad the size with blanks
  while (body[position] === 0x20 || body[position] === 0x09) position++;
  if (body[position] === 0x3b) {
    const limit = Math.min(body.length, position + MAX_SIZE_LINE_BYTES);
    while (position < limit && body[position] !== LF) position++;
    return body[position] === LF ? { size, end: position + 1 } : null;
  }
  const end = skipLineEnd(body, position);
  if (end === position && !(size === 0 && position === body.length)) return null;
  return { size, end };
}

/**
 * Whether the first size line is real. A dechunked body may begin with a text that reads as a size; then no
 * line end follows where the chunk would end.
 */
function isPlausibleFirstChunk(body: Uint8Array, first: SizeLine): boolean {
  const end = first.end + first.size;
  if (first.size === 0) return body.length - first.end <= 2;
  if (end > body.length) {
    // a cut chunk, unless the text begins with a word like "bad"
    const hasDigit = body.subarray(0, first.end).some((byte) => byte >= 0x30 && byte <= 0x39);
    return body[first.end - 2] === CR && (hasDigit || body[first.end] === 0x3c || body[first.end] === 0x1f);
  }
  return end === body.length || skipLineEnd(body, end) > end;
}

function skipLineEnd(body: Uint8Array, position: number): number {
  if (body[position] === LF) return position + 1;
  return body[position] === CR && body[position + 1] === LF ? position + 2 : position;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  if (byte >= 0x61 && byte <= 0x66) return byte - 0x57;
  return byte >= 0x41 && byte <= 0x46 ? byte - 0x37 : -1;
}
