/** Pages of the values of one column in one group of rows, compressed where there is enough of them. */
import { gzipSync } from 'node:zlib';
import { GZIP_OPTIONS } from '../json-rows.ts';
import type { ByteWriter } from './byte-writer.ts';
import { CODEC, type ColumnChunk, type PageHeader, writePageHeader } from './metadata.ts';
import { writeRuns } from './packed-numbers.ts';

/** Where pages go: the end of a file. */
export interface PageSink {
  /** Where the next page begins. */
  readonly offset: number;
  readonly out: ByteWriter;
  /** Takes what is in `out`, when it is much. */
  flushIfLarge(): void;
}

/** Fewer bytes are not worth the headers and the time. */
const LEAST_PACKED_BYTES = 256;

export class ChunkPages {
  readonly chunk: ColumnChunk;
  readonly #sink: PageSink;

  constructor(sink: PageSink, rowCount: number) {
    this.#sink = sink;
    this.chunk = {
      encodings: [],
      codec: CODEC.none,
      rowCount,
      nullCount: 0,
      bytes: 0,
      rawBytes: 0,
      dataOffset: 0,
    };
  }

  /** Settles whether all pages are compressed, before the first of them. */
  packIfLarge(bytes: number): void {
    this.chunk.codec = bytes >= LEAST_PACKED_BYTES ? CODEC.gzip : CODEC.none;
  }

  add(
    { kind, encoding, valueCount }: Pick<PageHeader, 'kind' | 'encoding' | 'valueCount'>,
    raw: Uint8Array,
  ): void {
    const { chunk } = this;
    const { out, offset } = this.#sink;
    if (kind === 'dictionary') chunk.dictionaryOffset = offset;
    else if (chunk.dataOffset === 0) chunk.dataOffset = offset;
    if (!chunk.encodings.includes(encoding)) chunk.encodings.push(encoding);

    const bytes = chunk.codec === CODEC.gzip ? gzipSync(raw, GZIP_OPTIONS) : raw;
    const before = out.size;
    writePageHeader(out, { kind, encoding, valueCount, bytes: bytes.length, rawBytes: raw.length });
    const headerBytes = out.size - before;
    out.add(bytes);
    chunk.bytes += headerBytes + bytes.length;
    chunk.rawBytes += headerBytes + raw.length;
    this.#sink.flushIfLarge();
  }
}

/** What a page of data begins with: which of its rows have a value. Without `levels` (1 with, 0 without) all have. */
export function writeLevels(page: ByteWriter, rowCount: number, levels?: Uint8Array): void {
  const at = page.size;
  page.word(0);
  if (levels) writeRuns(page, levels, 0, rowCount, 1);
  else {
    page.varint(2 * rowCount);
    page.byte(1);
  }
  page.setWord(at, page.size - at - 4);
}
