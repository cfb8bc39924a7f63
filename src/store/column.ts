/** One column of rows for Parquet: numbers in a typed array, repeated texts as codes of a dictionary. */
import type { ColumnType } from './table.ts';

/** Value of a row in a column; null is allowed only in columns of texts. */
export type Value = number | bigint | string | boolean | null;

/** Typed arrays that hold the numbers of a column. */
export type NumberArray =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | BigInt64Array
  | BigUint64Array;

/** One column. Use `set` for any type; loops that fill many rows use `numbers` and `grow` directly. */
export class Column {
  /** Field of a row with its value. */
  readonly field: string;
  /** Name of the column in files and SQL. */
  readonly name: string;
  readonly type: ColumnType;
  /** Values of numeric columns, codes of WORD columns. */
  numbers: NumberArray;
  /** Values of VARCHAR columns. */
  texts: (string | null)[] = [];
  /** The dictionary of a WORD column, in order of first use. */
  words: string[] = [];
  #codes = new Map<string, number>();

  constructor(field: string, type: ColumnType, name = field) {
    this.field = field;
    this.name = name;
    this.type = type;
    this.numbers = numberArray(type, 1024);
  }

  set(row: number, value: Value): void {
    if (this.type === 'VARCHAR') {
      this.texts[row] = value as string | null;
      return;
    }
    if (row >= this.numbers.length) this.grow(row + 1);
    const { numbers } = this;
    if (this.type === 'WORD') numbers[row] = this.code(value as string);
    else if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) {
      numbers[row] = BigInt(value as number | bigint);
    } else numbers[row] = Number(value);
  }

  /** Returns the code of a text in this column's dictionary, and adds the text when it is new. */
  code(word: string): number {
    let code = this.#codes.get(word);
    if (code === undefined) {
      code = this.words.length;
      this.words.push(word);
      this.#codes.set(word, code);
    }
    return code;
  }

  /** Makes room for at least this many rows. */
  grow(rows: number): void {
    const larger = numberArray(this.type, Math.max(rows, this.numbers.length * 2));
    larger.set(this.numbers as never);
    this.numbers = larger;
  }

  /** Removes texts and dictionary; the number array is reused. */
  clear(): void {
    this.texts = [];
    this.words = [];
    this.#codes = new Map();
  }
}

const ARRAY_TYPES = {
  UTINYINT: Uint8Array,
  BOOLEAN: Uint8Array,
  USMALLINT: Uint16Array,
  UINTEGER: Uint32Array,
  WORD: Uint32Array,
  FLOAT: Float32Array,
  BIGINT: BigInt64Array,
  UBIGINT: BigUint64Array,
};

/** Returns a new array for the values of a column. */
function numberArray(type: ColumnType, length: number): NumberArray {
  return type === 'VARCHAR' ? new Uint8Array(0) : new ARRAY_TYPES[type](length);
}
