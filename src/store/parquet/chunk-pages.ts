/** Writes the pages of one column in one row group, compressed when they are large enough. */
import { gzipSync } from 'node:zlib';
import { GZIP_OPTIONS } from '../json-rows.ts';
import type { ByteWriter } from './byte-writer.ts';
import { writeRuns } from './packed-numbers.ts';
import { CODEC, type ColumnChunk, type PageHeader, writePageHeader } from './parquet-metadata.ts';

/** Destination of pages: the end of a file. */
export interface PageSink {
  /** Byte offset of the next page. */
  readonly offset: number;
  readonly out: ByteWriter;
  /** Writes the contents of `out` to the file when they are large. */
  flushIfLarge(): void;
}

/** Minimum bytes for which compression is worth its header and time. */
const MIN_PACKED_BYTES = 256;

/** The pages of one column in one row group, and their sums for the metadata. */
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

  /** Decides whether all pages are compressed; must be called before the first page. */
  packIfLarge(bytes: number): void {
    this.chunk.codec = bytes >= MIN_PACKED_BYTES ? CODEC.gzip : CODEC.none;
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

/**
 * Writes the levels at the start of a data page: which rows have a value (1) and which are null (0). Without
 * `levels` all rows have a value.
 */
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
