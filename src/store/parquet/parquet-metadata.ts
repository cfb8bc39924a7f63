/**
 * Writes the metadata of a Parquet file: the header of each page and, at the end of the file, the columns with
 * offsets and bounds (Apache Parquet's format, parquet.thrift). Types have the names that DuckDB gives them in its
 * own files, so that both read the same.
 */
import type { ColumnType } from '../table.ts';
import type { ByteWriter } from './byte-writer.ts';

/** Maximum number of rows of a row group, as in DuckDB. */
export const GROUP_ROWS = 122_880;

const FORMAT_VERSION = 1;
/** Writer named in the file; it has no version, so that the same rows stay the same bytes. */
const CREATED_BY = 'chaff';

/** Physical types. */
const BOOLEAN = 0;
const INT32 = 1;
const INT64 = 2;
const FLOAT = 4;
const BYTE_ARRAY = 6;

/** By column type: the physical type, and the logical type where the physical one does not suffice. */
const TYPES: Record<ColumnType, { physical: number; meaning?: number }> = {
  BOOLEAN: { physical: BOOLEAN },
  UTINYINT: { physical: INT32, meaning: 11 },
  USMALLINT: { physical: INT32, meaning: 12 },
  UINTEGER: { physical: INT32, meaning: 13 },
  UBIGINT: { physical: INT64, meaning: 14 },
  BIGINT: { physical: INT64, meaning: 18 },
  FLOAT: { physical: FLOAT },
  VARCHAR: { physical: BYTE_ARRAY, meaning: 0 },
  WORD: { physical: BYTE_ARRAY, meaning: 0 },
};

/** Parquet's numbers of encodings. */
export const ENCODING = { plain: 0, runs: 3, deltas: 5, dictionary: 8 } as const;
/** Parquet's numbers of compression codecs. */
export const CODEC = { none: 0, gzip: 2 } as const;

/** Smallest and largest value of a column chunk, in Parquet's plain encoding. */
export interface Bounds {
  least: Uint8Array;
  largest: Uint8Array;
}

/** The values of one column in one group of rows. */
export interface ColumnChunk {
  encodings: number[];
  codec: number;
  rowCount: number;
  nullCount: number;
  distinctCount?: number;
  bounds?: Bounds;
  /** Bytes with page headers, and what they would be without compression. */
  bytes: number;
  rawBytes: number;
  dataOffset: number;
  dictionaryOffset?: number;
}

/** Column chunks and number of rows of a row group. */
export interface RowGroup {
  rowCount: number;
  chunks: ColumnChunk[];
}

interface ColumnName {
  name: string;
  type: ColumnType;
}

/** Sizes in bytes and encoding of one page. */
export interface PageHeader {
  kind: 'data' | 'dictionary';
  encoding: number;
  /** Number of values, nulls included. */
  valueCount: number;
  bytes: number;
  rawBytes: number;
}

const DATA_PAGE = 0;
const DICTIONARY_PAGE = 2;

/** Writes the header of a page in Thrift's compact protocol. */
export function writePageHeader(out: ByteWriter, header: PageHeader): void {
  const { kind, encoding, valueCount, bytes, rawBytes } = header;
  writeStruct(out, (page) => {
    page
      .i32(1, kind === 'data' ? DATA_PAGE : DICTIONARY_PAGE)
      .i32(2, rawBytes)
      .i32(3, bytes);
    if (kind === 'dictionary') page.struct(7, (values) => values.i32(1, valueCount).i32(2, encoding));
    else {
      page.struct(5, (values) =>
        values.i32(1, valueCount).i32(2, encoding).i32(3, ENCODING.runs).i32(4, ENCODING.runs),
      );
    }
  });
}

/** Writes the footer without its length and the mark that ends the file. */
export function writeFooter(
  out: ByteWriter,
  columns: readonly ColumnName[],
  groups: readonly RowGroup[],
): void {
  writeStruct(out, (file) => {
    file.i32(1, FORMAT_VERSION);
    file.structs(2, [undefined, ...columns], writeSchemaElement(columns.length));
    file.i64(
      3,
      groups.reduce((sum, { rowCount }) => sum + rowCount, 0),
    );
    file.structs(4, groups, (struct, group) => writeRowGroup(struct, group, columns));
    file.binary(6, CREATED_BY);
    // bounds are ordered by type
    file.structs(7, columns, (order) => order.struct(1, () => {}));
  });
}

const REQUIRED = 0;
const OPTIONAL = 1;

/** Writes the schema; its first element is the row itself. */
function writeSchemaElement(columnCount: number) {
  return (element: ThriftStruct, column: ColumnName | undefined): void => {
    if (column === undefined) element.i32(3, REQUIRED).binary(4, 'schema').i32(5, columnCount);
    else {
      const { physical, meaning } = TYPES[column.type];
      element.i32(1, physical).i32(3, OPTIONAL).binary(4, column.name).i32(6, meaning);
    }
  };
}

function writeRowGroup(
  struct: ThriftStruct,
  { rowCount, chunks }: RowGroup,
  columns: readonly ColumnName[],
): void {
  struct.structs(1, [...chunks.entries()], (column, [k, chunk]) => {
    column.i64(2, 0); // offset of metadata in older files
    column.struct(3, (values) => writeChunk(values, chunk, columns[k]));
  });
  struct.i64(2, sum(chunks, 'rawBytes')).i64(3, rowCount).i64(6, sum(chunks, 'bytes'));
}

function writeChunk(struct: ThriftStruct, chunk: ColumnChunk, { name, type }: ColumnName): void {
  const { encodings, codec, rowCount, bytes, rawBytes, dataOffset, dictionaryOffset } = chunk;
  struct.i32(1, TYPES[type].physical).i32s(2, encodings).binaries(3, [name]).i32(4, codec);
  struct.i64(5, rowCount).i64(6, rawBytes).i64(7, bytes).i64(9, dataOffset).i64(11, dictionaryOffset);
  const { nullCount, distinctCount, bounds } = chunk;
  struct.struct(12, (statistics) => {
    statistics.i64(3, nullCount).i64(4, distinctCount);
    statistics.binary(5, bounds?.largest).binary(6, bounds?.least);
    statistics.boolean(7, bounds && true).boolean(8, bounds && true); // the bounds are exact values
  });
}

function sum(chunks: readonly ColumnChunk[], key: 'bytes' | 'rawBytes'): number {
  return chunks.reduce((total, chunk) => total + chunk[key], 0);
}

/*
 * Thrift's compact protocol for structures: a field is a byte with its type and the difference of its number to the
 * previous one, then its value; 0 ends a structure.
 */

const TRUE = 1;
const FALSE = 2;
const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** Shorter lists have their length in the byte of their type. */
const LONG_LIST = 15;

/**
 * Writes the fields of a structure, which must be in the order of their numbers; fields without a value are left
 * out.
 */
class ThriftStruct {
  readonly #out: ByteWriter;
  #last = 0;

  constructor(out: ByteWriter) {
    this.#out = out;
  }

  boolean(field: number, value: boolean | undefined): this {
    if (value !== undefined) this.#begin(field, value ? TRUE : FALSE);
    return this;
  }

  i32(field: number, value: number | undefined): this {
    return this.#integer(field, I32, value);
  }

  i64(field: number, value: number | undefined): this {
    return this.#integer(field, I64, value);
  }

  binary(field: number, value: Uint8Array | string | undefined): this {
    if (value === undefined) return this;
    this.#begin(field, BINARY);
    writeBinary(this.#out, value);
    return this;
  }

  struct(field: number, fill: (struct: ThriftStruct) => void): this {
    this.#begin(field, STRUCT);
    writeStruct(this.#out, fill);
    return this;
  }

  structs<T>(field: number, items: readonly T[], fill: (struct: ThriftStruct, item: T) => void): this {
    this.#list(field, STRUCT, items.length);
    for (const item of items) writeStruct(this.#out, (struct) => fill(struct, item));
    return this;
  }

  i32s(field: number, items: readonly number[]): this {
    this.#list(field, I32, items.length);
    for (const item of items) this.#out.zigzag(item);
    return this;
  }

  binaries(field: number, items: readonly string[]): this {
    this.#list(field, BINARY, items.length);
    for (const item of items) writeBinary(this.#out, item);
    return this;
  }

  #integer(field: number, type: number, value: number | undefined): this {
    if (value === undefined) return this;
    this.#begin(field, type);
    this.#out.zigzag(value);
    return this;
  }

  #list(field: number, type: number, length: number): void {
    this.#begin(field, LIST);
    this.#out.byte((Math.min(length, LONG_LIST) << 4) | type);
    if (length >= LONG_LIST) this.#out.varint(length);
  }

  #begin(field: number, type: number): void {
    this.#out.byte(((field - this.#last) << 4) | type); // fields of Parquet are never more than 15 apart
    this.#last = field;
  }
}

function writeStruct(out: ByteWriter, fill: (struct: ThriftStruct) => void): void {
  fill(new ThriftStruct(out));
  out.byte(0);
}

function writeBinary(out: ByteWriter, value: Uint8Array | string): void {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  out.varint(bytes.length);
  out.add(bytes);
}
