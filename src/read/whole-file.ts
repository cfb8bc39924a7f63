/**
 * Whether an archive is compressed as a whole rather than record by record. Then its records have no place
 * in the file, and it must be decompressed first. The first member tells: it is all of the file, or larger
 * than a record may be, and holds a second record; or its last record goes on in the next member.
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
  if (first.state !== 'whole' || !crossesEnd(text, recordEnd)) return false;
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

/** Whether the last record of the text goes beyond its end. */
function crossesEnd(text: ByteSource, recordEnd: (source: ByteSource, offset: number) => number): boolean {
  for (let at = 0; at < text.sizeBytes; ) {
    const end = recordEnd(text, at);
    if (!(end > at)) return false;
    if (end > text.sizeBytes) return true;
    at = end;
  }
  return false;
}
