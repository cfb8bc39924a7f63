/** Rows by position, for tests and benchmarks that write columns of any kind. */
import type { Value } from '../src/store/column.ts';
import type { ColumnSpec, ColumnType } from '../src/store/table.ts';
import { TableRows } from '../src/store/table-rows.ts';

export type { Column, Value } from '../src/store/column.ts';
export { copyToParquet } from '../src/store/table-rows.ts';

export type Schema = Readonly<Record<string, ColumnType>>;

export class ColumnBuffer {
  readonly #rows: TableRows<Record<string, ColumnSpec<ColumnType>>>;

  constructor(schema: Schema) {
    this.#rows = new TableRows(
      Object.fromEntries(Object.entries(schema).map(([name, type]) => [name, { type, about: '' }])),
    );
  }

  get columns() {
    return this.#rows.list;
  }

  get rowCount(): number {
    return this.#rows.rowCount;
  }

  set rowCount(count: number) {
    this.#rows.rowCount = count;
  }

  add(...values: Value[]): void {
    this.addRow(values);
  }

  addRow(values: readonly Value[]): void {
    const row = this.#rows.rowCount++;
    for (let k = 0; k < values.length; k++) this.#rows.list[k].set(row, values[k]);
  }

  clear(): void {
    this.#rows.clear();
  }

  toTable: TableRows<never>['toTable'] = (database, table) => this.#rows.toTable(database, table);
  appendTo: TableRows<never>['appendTo'] = (connection, table) => this.#rows.appendTo(connection, table);
  toParquet = (path: string): void => this.#rows.toParquet(path);
}
