/**
 * Declares each table once: the name, type and meaning of every column. The type of a row (a row of the wrong shape
 * does not compile), the columns that are written and the table in docs/reference/output-folder.md follow from that.
 */

/** Column type by its DuckDB name, and `WORD`. */
export type ColumnType =
  | 'UTINYINT'
  | 'USMALLINT'
  | 'UINTEGER'
  | 'BIGINT'
  | 'FLOAT'
  | 'BOOLEAN'
  | 'VARCHAR'
  | 'UBIGINT'
  /** Text that repeats: written as a dictionary, read back as VARCHAR. */
  | 'WORD';

/** Type and description of one column. */
export interface ColumnSpec<Type extends string = string> {
  readonly type: Type;
  /** Meaning of the column, for the documentation; empty in tables that only pass between the stages of a run. */
  readonly about: string;
}

/** Columns of a table by name, in the order in which they are written. */
export type Columns = Readonly<Record<string, ColumnSpec>>;

/** Columns that Chaff writes itself; columns of other types come only from queries. */
export type WrittenColumns = Readonly<Record<string, ColumnSpec<ColumnType>>>;

/** Name and columns of one table of the output folder. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
}

/** Returns the declaration of a table; its row type is `RowOf<typeof columns>`. */
export function table<C extends Columns>(name: string, columns: C): Table<C> {
  return { name, columns };
}

/** Type of one row of a table with the columns `C`. */
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: ValueOf<C[Name]['type']> };

type ValueOf<Type extends string> = Type extends 'VARCHAR' | 'WORD'
  ? string
  : Type extends 'BOOLEAN'
    ? boolean
    : Type extends 'BIGINT' | 'UBIGINT'
      ? number | bigint
      : number;

function column<const Type extends string>(type: Type): (about?: string) => ColumnSpec<Type> {
  return (about = '') => ({ type, about });
}

/** Column of integers from 0 to 255. */
export const u8 = column('UTINYINT');
/** Column of integers from 0 to 65,535. */
export const u16 = column('USMALLINT');
/** Column of integers from 0 to 2^32 - 1. */
export const u32 = column('UINTEGER');
/** Column of signed 64-bit integers. */
export const i64 = column('BIGINT');
/** Column of unsigned 64-bit integers, such as hashes. */
export const u64 = column('UBIGINT');
/** Column of 32-bit floating-point numbers. */
export const f32 = column('FLOAT');
/** Column of booleans. */
export const bool = column('BOOLEAN');
/** Column of texts that rarely repeat. */
export const text = column('VARCHAR');
/** Column of texts that often repeat, such as labels: written as a dictionary, read back as VARCHAR. */
export const word = column('WORD');
/** Column of 64-bit floating-point numbers; only queries write this type. */
export const f64 = column('DOUBLE');
/** Column of lists of texts; only queries write this type. */
export const texts = column('VARCHAR[]');

/** Returns the columns of a table as a Markdown table for the documentation. */
export function describeTable({ columns }: Table): string {
  const rows = Object.entries(columns).map(([name, { type, about }]) => {
    return `| \`${name}\` | ${type === 'WORD' ? 'VARCHAR' : type} | ${about} |\n`;
  });
  return `| column | type | meaning |\n| --- | --- | --- |\n${rows.join('')}`;
}
