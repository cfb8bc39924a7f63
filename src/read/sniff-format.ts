/**
 * Detects the format of a file from its first bytes after decompression, and from its name if the bytes do
 * not show it.
 */
import { constants, gunzipSync } from 'node:zlib';
import { startsLikeArc } from './arc.ts';
import { type ByteSource, takeBytes } from './byte-source.ts';
import { startsLikeCdx } from './cdx.ts';
import type { InputFormat } from './raw-record.ts';
import { startsWithMarkup } from './sniff-html.ts';
import { isArchiveName } from './wacz.ts';
import { startsLikeWarc } from './warc.ts';
import { isZip, readZipDirectory } from './zip-directory.ts';
import { decompressZstd, isZstd, readZstdFrame, zstdDictionaryOf } from './zstd.ts';

/** Format and compression of a file. */
export interface Sniffed {
  /** Null if neither bytes nor name show it. */
  format: InputFormat | null;
  compression: 'none' | 'gzip' | 'zstd';
}

const HEAD_BYTES = 64 * 1024;
/** Bytes of a compressed head that are enough to detect a WARC, the format of most inputs. */
const START_BYTES = 512;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** Detects the format and compression of a file. */
export function sniffFormat(source: ByteSource, name: string): Sniffed {
  const head = takeBytes(source, 0, HEAD_BYTES);
  const byName = formatOfName(name);
  if (isZip(head)) return { format: byName === 'wacz' ? 'wacz' : formatOfZip(source), compression: 'none' };
  if (head[0] === 0x1f && head[1] === 0x8b) {
    const isWarc = startsLikeWarc(gunzipHead(head.subarray(0, START_BYTES)));
    const format = isWarc ? 'warc' : (formatOfBytes(gunzipHead(head)) ?? byName);
    return { format, compression: 'gzip' };
  }
  if (isZstd(head)) return { format: formatOfBytes(unzstdHead(source)) ?? byName, compression: 'zstd' };
  return { format: formatOfBytes(head) ?? byName, compression: 'none' };
}

function formatOfName(name: string): InputFormat | null {
  const plain = name.toLowerCase().replace(/\.(gz|zst)$/, '');
  if (/\.warc(\.bad|\.open)?$/.test(plain)) return 'warc';
  if (plain.endsWith('.arc')) return 'arc';
  if (plain.endsWith('.wacz')) return 'wacz';
  if (plain.endsWith('.zip')) return 'zip';
  if (/\.(html?|xhtml|xht)$/.test(plain)) return 'html';
  if (/\.(jsonl|ndjson)$/.test(plain)) return 'jsonl';
  return /\.cdxj?$/.test(plain) ? 'cdx' : null;
}

function formatOfBytes(head: Uint8Array): InputFormat | null {
  if (startsLikeWarc(head)) return 'warc';
  if (startsLikeArc(head)) return 'arc';
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  if (startsLikeCdx(text)) return 'cdx';
  // a row may be longer than the bytes read of it
  if (/^\s*\{\s*"/.test(text) && /"(url|html)"\s*:/.test(text)) return 'jsonl';
  return startsWithMarkup(head) ? 'html' : null;
}

function formatOfZip(source: ByteSource): InputFormat {
  return readZipDirectory(source).entries.some(({ name }) => isArchiveName(name)) ? 'wacz' : 'zip';
}

function gunzipHead(head: Uint8Array): Uint8Array {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 80 * 1024 * 1024 };
  for (const bytes of [head, head.subarray(0, 4096), head.subarray(0, START_BYTES)]) {
    try {
      return gunzipSync(bytes, options);
    } catch {
      // the head is damaged further on, or followed by something else: try with fewer bytes
    }
  }
  return new Uint8Array(0);
}

function unzstdHead(source: ByteSource): Uint8Array {
  try {
    const dictionary = zstdDictionaryOf(source);
    for (let offset = 0; offset < source.sizeBytes; ) {
      const frame = readZstdFrame(source, offset);
      if (!frame || frame.length === 0) break;
      if (!frame.skippable) {
        if (frame.length > MAX_FRAME_BYTES) break;
        return decompressZstd(takeBytes(source, offset, frame.length), {
          dictionary,
          maxBytes: MAX_FRAME_BYTES * 4,
        });
      }
      offset += frame.length;
    }
  } catch {
    // the reader will report the fault
  }
  return new Uint8Array(0);
}
