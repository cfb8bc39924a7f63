/**
 * Structures in Thrift's compact protocol, which the metadata of Parquet is written in: a field is a byte with its
 * type and how far its number is from that of the field before, and its value; a structure ends with 0.
 */
import type { ByteWriter } from './byte-writer.ts';

const TRUE = 1;
const FALSE = 2;
const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/** Lists of fewer have their length in the byte of their type. */
const LONG_LIST = 15;

/** Fields of a structure must be written in the order of their numbers; one without a value is left out. */
export class ThriftStruct {
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

export function writeStruct(out: ByteWriter, fill: (struct: ThriftStruct) => void): void {
  fill(new ThriftStruct(out));
  out.byte(0);
}

function writeBinary(out: ByteWriter, value: Uint8Array | string): void {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  out.varint(bytes.length);
  out.add(bytes);
}
