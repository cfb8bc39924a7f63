/** The lines of a byte source with their offsets; memory holds one line at a time. */
import type { ByteSource } from './byte-source.ts';

export interface Line {
  offset: number;
  /** Without its line break. */
  length: number;
  /** Undefined when the line is longer than the limit. Valid until the next one is read. */
  bytes: Uint8Array | undefined;
}

const LF = 10;
const CR = 13;

export function* readLines(source: ByteSource, maxBytes: number): Generator<Line> {
  for (let offset = 0; offset < source.sizeBytes; ) {
    let wantBytes = 1;
    let view = source.view(offset, wantBytes);
    if (view.length === 0) return; // the file was cut meanwhile
    let end = view.indexOf(LF);
    // a line that reaches beyond the window: more, in growing steps
    while (end < 0 && view.length <= maxBytes && offset + view.length < source.sizeBytes) {
      const seen = view.length;
      wantBytes = seen * 2 + 64;
      view = source.view(offset, wantBytes);
      if (view.length === seen) break;
      end = view.indexOf(LF, seen);
    }
    if (end < 0 && view.length <= maxBytes) end = view.length;
    if (end < 0 || end > maxBytes) {
      const length = lineLength(source, offset);
      yield { offset, length, bytes: undefined };
      offset += length + 1;
      continue;
    }
    const length = end > 0 && view[end - 1] === CR ? end - 1 : end;
    yield { offset, length, bytes: view.subarray(0, length) };
    offset += end + 1;
  }
}

function lineLength(source: ByteSource, offset: number): number {
  for (let at = offset; ; ) {
    const view = source.view(at, 1);
    if (view.length === 0) return source.sizeBytes - offset;
    const end = view.indexOf(LF);
    if (end >= 0) return at + end - offset;
    at += view.length;
  }
}
