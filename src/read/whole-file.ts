/**
 * Whether an archive is compressed as a whole rather than record by record. Then its records have no place
 * in the file, and it must be decompressed first. The first member tells: it is all of the file, or larger
 * than a record may be, and holds a second record; or it holds many; or its last record goes on in the next member.
 */
import { arcRecordEnd, startsLikeArc } from './arc.ts';
import { type ByteSource, memorySource } from './byte-source.ts';
import { gzipMemberAt } from './gzip-members.ts';
import type { RecordContext } from './record-context.ts';
import type { RecordFile } from './record-file.ts';
import { warcRecordEnd } from './warc.ts';
import { startsLikeWarc } from './warc-header.ts';
import { readZstdFrame } from './zstd.ts';
import { zstdMemberAt } from './zstd-frames.ts';

/** Records that tools put into one member, a request with its response and metadata, are fewer. */
const MOST_IN_MEMBER = 16;

export function isWholeFileCompressed(file: RecordFile, context: RecordContext): boolean {
  if (file.compression === 'none') return false;
  const { source } = file;
  const startsLikeRecord = file.records === 'warc' ? startsLikeWarc : startsLikeArc;
  const recordEnd = file.records === 'warc' ? warcRecordEnd : arcRecordEnd;
  const memberAt = (offset: number) =>
    file.compression === 'gzip'
      ? gzipMemberAt(source, offset, context, startsLikeRecord)
      : zstdMemberAt(source, offset, context, file.dictionary);

  const first = memberAt(file.compression === 'zstd' ? skipSkippable(source) : 0);
  if (!first) return false;
  if (file.compression === 'zstd' && first.state === 'too-large') return true;
  const end = first.offset + first.length;
  const text = memorySource(first.bytes);
  const firstEnd = recordEnd(text, 0);
  if (Number.isNaN(firstEnd)) return false;
  if (end >= source.sizeBytes || first.state === 'too-large' || first.state === 'ratio-exceeded') {
    return firstEnd < text.sizeBytes;
  }
  if (first.state !== 'whole') return false;
  const { count, crosses } = walkRecords(text, recordEnd);
  // several archives, each compressed as a whole, one after the other
  if (count > MOST_IN_MEMBER) return true;
  if (!crosses) return false;
  // a length may lie: then the next member starts with a record all the same
  const next = memberAt(end);
  return next !== null && next.state === 'whole' && !startsLikeRecord(next.bytes);
}

function skipSkippable(source: ByteSource): number {
  for (let offset = 0; ; ) {
    const frame = readZstdFrame(source, offset);
    if (!frame?.skippable || frame.length === 0) return offset;
    offset += frame.length;
  }
}

/** How many records a text holds, and whether the last one goes beyond its end. */
function walkRecords(
  text: ByteSource,
  recordEnd: (source: ByteSource, offset: number) => number,
): { count: number; crosses: boolean } {
  let count = 0;
  for (let at = 0; at < text.sizeBytes; count++) {
    const end = recordEnd(text, at);
    if (!(end > at)) break;
    if (end > text.sizeBytes) return { count: count + 1, crosses: true };
    at = end;
  }
  return { count, crosses: false };
}
