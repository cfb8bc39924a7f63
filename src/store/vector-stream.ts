/**
 * The result of a query of any size as columns of numbers, a few thousand rows at a time and without an object
 * per row: 50 M values a second. For columns without nulls whose type has a typed array.
 */
import type { DuckDBConnection } from '@duckdb/node-api';

export interface Vectors {
  rowCount: number;
  /** By column. 64-bit integers come as pairs of lanes, low first. */
  columns: Uint32Array[];
}

/** Rows of a query whose columns are UINTEGER or UBIGINT, in order; the arrays hold until the next ones. */
export async function* streamVectors(connection: DuckDBConnection, sql: string): AsyncGenerator<Vectors> {
  const result = await connection.stream(sql);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    const columns: Uint32Array[] = [];
    for (let k = 0; k < chunk.columnCount; k++) {
      const { items } = chunk.getColumnVector(k) as unknown as { items: Uint32Array | BigUint64Array };
      columns.push(new Uint32Array(items.buffer, items.byteOffset, items.byteLength / 4));
    }
    yield { rowCount: chunk.rowCount, columns };
  }
}
