/**
 * Takes the chunked transfer coding off a body. Many archives hold bodies that were dechunked by the crawler
 * while the header still says chunked: such a body does not start with a chunk and is kept as it is. Where
 * the chunks break off or go wrong, what came before is kept and what follows is appended as it stands.
 * Cost: one copy of the body, none when it is a single chunk.
 */

export interface Dechunked {
  bytes: Uint8Array;
  /** Whether the body was chunked at all. */
  chunked: boolean;
  /** What was wrong with the chunks; empty when nothing. */
  fault: string;
}

const LF = 10;
const CR = 13;
/** Longest size line with its extension. */
const MAX_SIZE_LINE_BYTES = 4096;

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

/** Whether a body is chunked from its first to its last byte, for bodies that no header calls chunked. */
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
  /** Where the chunk's data start. */
  end: number;
}

/** Reads `1f40;extension CRLF` at a position; null when there is no such line. */
function readSizeLine(body: Uint8Array, start: number): SizeLine | null {
  let position = start;
  let size = 0;
  let digits = 0;
  for (; position < body.length; position++, digits++) {
    const digit = hexDigit(body[position]);
    if (digit < 0) break;
    size = size * 16 + digit;
  }
  // 8 digits are 4 GB, more than any body; zeros in front are allowed
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

/** A dechunked body may begin with what reads as a size; then no line end stands where the chunk would end. */
function isPlausibleFirstChunk(body: Uint8Array, first: SizeLine): boolean {
  const end = first.end + first.size;
  if (first.size === 0) return body.length - first.end <= 2;
  if (end > body.length) {
    // cut off, unless it is text that begins with a word like "bad"
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
