/**
 * Tables are declared once: the name of every column, its type and what it means. From the declaration come the type of
 * a row (a row of the wrong shape does not compile), the columns that are written, and the table in
 * docs/output-folder.md.
 */

/** A type as DuckDB names it. */
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

export interface ColumnSpec<Type extends string = string> {
  readonly type: Type;
  /** What it means, for a reader of the documentation; empty in tables that pass between the stages of a run. */
  readonly about: string;
}

export type Columns = Readonly<Record<string, ColumnSpec>>;

/** Columns of types that are written here; a column of another type comes from a query. */
export type WrittenColumns = Readonly<Record<string, ColumnSpec<ColumnType>>>;

export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
}

export function table<C extends Columns>(name: string, columns: C): Table<C> {
  return { name, columns };
}

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

export const u8 = column('UTINYINT');
export const u16 = column('USMALLINT');
export const u32 = column('UINTEGER');
export const i64 = column('BIGINT');
export const u64 = column('UBIGINT');
export const f32 = column('FLOAT');
export const bool = column('BOOLEAN');
export const text = column('VARCHAR');
export const word = column('WORD');
/** Types that only queries write. */
export const f64 = column('DOUBLE');
export const texts = column('VARCHAR[]');

/** The table as Markdown, for the documentation. */
export function describeTable({ columns }: Table): string {
  const rows = Object.entries(columns).map(([name, { type, about }]) => {
    return `| \`${name}\` | ${type === 'WORD' ? 'VARCHAR' : type} | ${about} |\n`;
  });
  return `| column | type | meaning |\n| --- | --- | --- |\n${rows.join('')}`;
}
