/** Where a record of an archive ends, and how much of its block is kept: what WARC and ARC have in common. */
import type { Problem } from '../model/problem.ts';
import { type ByteSource, takeBytes } from './byte-source.ts';
import type { Member } from './gzip-members.ts';
import type { RawRecord } from './raw-record.ts';
import { keptBlockBytes, maxBlockBytes, type RecordContext } from './record-context.ts';

export interface RecordsOptions {
  /** Whether the source is all there was, or what could be saved of a damaged or oversized member. */
  state?: Member['state'];
  /** Whether the source is a gzip member or zstd frame: then a record cannot reach beyond it. @default false */
  inMember?: boolean;
  /** Where to start. @default 0 */
  start?: number;
  /** Whether only the record at `start` is wanted, if one is there. @default false */
  single?: boolean;
}

export interface Extent {
  blockEnd: number;
  /** Where the next record starts. */
  next: number;
  truncated: boolean;
  problems: Problem[];
}

const LF = 10;
const CR = 13;

/** The first byte from `start` that is no line break. */
export function skipBreaks(source: ByteSource, start: number): number {
  for (let at = start; at < source.sizeBytes; ) {
    const view = source.view(at, 64);
    let i = 0;
    while (i < view.length && (view[i] === LF || view[i] === CR)) i++;
    at += i;
    if (i < view.length || view.length === 0) return at;
  }
  return source.sizeBytes;
}

/** The end of a block that reaches to the record at `end`, without up to `most` line breaks between them. */
export function trimBreaks(
  source: ByteSource,
  start: number,
  end: number,
  most: number,
): { at: number; breaks: number } {
  const from = Math.max(start, end - 2 * most);
  const view = source.view(from, end - from);
  let at = end - from;
  let breaks = 0;
  for (; breaks < most && at > 0 && view[at - 1] === LF; breaks++) {
    at -= at > 1 && view[at - 2] === CR ? 2 : 1;
  }
  return { at: from + at, breaks };
}

/** The block `[start, end)`, as much of it as is wanted, and the limit that it or the source has met. */
export function readBlock(
  source: ByteSource,
  context: RecordContext,
  [start, end]: readonly [start: number, end: number],
  state: Member['state'],
): Pick<RawRecord, 'block' | 'exceeded'> {
  const sizeBytes = end - start;
  const tooLarge = sizeBytes > maxBlockBytes(context.limits);
  const block = takeBytes(source, start, keptBlockBytes(sizeBytes, context));
  if (state === 'too-large' || state === 'ratio-exceeded') {
    // a block that ends before the limit is whole
    if (end === source.sizeBytes || tooLarge) return { block, exceeded: state };
  } else if (tooLarge) {
    return { block, exceeded: 'too-large' };
  }
  return { block };
}
