/** How a list in a typed array grows: into a longer array that begins with what is in it. */
type TypedArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

export function enlarged<T extends TypedArray>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length);
  longer.set(array);
  return longer;
}

export function doubled<T extends TypedArray>(array: T): T {
  return enlarged(array, 2 * array.length);
}

/** The array itself, or one with more room when it has none for so many. */
export function withRoom<T extends TypedArray>(array: T, count: number): T {
  return count <= array.length ? array : enlarged(array, Math.ceil(1.5 * count));
}

/** Gives every typed array of an object room for `count` entries and half as many again; their content is lost. */
export function reserveColumns(columns: object, count: number): void {
  const length = Math.max(4096, Math.ceil(1.5 * count));
  for (const [name, column] of Object.entries(columns)) {
    if (!ArrayBuffer.isView(column)) continue;
    const Column = column.constructor as new (length: number) => unknown;
    (columns as Record<string, unknown>)[name] = new Column(length);
  }
}
