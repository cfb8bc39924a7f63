/**
 * Where a gzip member ends that is not inflated: after its size, which is told beforehand, stands the header of the
 * next member, or the end of the file. Other bytes look like that once in 2⁵⁶, or because somebody wants them to: a
 * guess holds only once the member was inflated, and whoever does that throws a `WrongGuess` where it does not.
 */
import { type ByteSource, indexOfBytes } from './byte-source.ts';
import { GZIP_MAGIC, gzipHeaderBytes } from './gzip-header.ts';

/** What was guessed of a file is not so: it must be read in full. */
export class WrongGuess extends Error {
  override name = 'WrongGuess';
  constructor() {
    super('a gzip member does not end where it seemed to');
  }
}

/** Largest member that is guessed at: below this size no ratio is suspicious, and a search is short. */
export const MOST_GUESSED_BYTES = 1024 * 1024;

const SIZE_BYTES = 4;
/** What a member takes beside its bytes when they cannot be compressed, and some more. */
const OVERHEAD_BYTES = 1024;
/** The size of a member and how the next one starts. */
const border = new Uint8Array(SIZE_BYTES + GZIP_MAGIC.length);
border.set(GZIP_MAGIC, SIZE_BYTES);

/** The first place from `from` on where a member could end that gives `sizeBytes`; -1 when there is none near. */
export function guessMemberEnd(source: ByteSource, from: number, sizeBytes: number): number {
  for (let k = 0; k < SIZE_BYTES; k++) border[k] = (sizeBytes >>> (8 * k)) & 255;
  const limit = from + sizeBytes + OVERHEAD_BYTES;
  const found = indexOfBytes(source, border, from, limit);
  if (found >= 0) {
    const end = found + SIZE_BYTES;
    return gzipHeaderBytes(source.view(end, 16).subarray(0, 16)) < 0 ? -1 : end;
  }
  const last = source.sizeBytes - SIZE_BYTES;
  if (last < from || last > limit) return -1;
  const size = source.view(last, SIZE_BYTES);
  for (let k = 0; k < SIZE_BYTES; k++) if (size[k] !== border[k]) return -1;
  return source.sizeBytes;
}
