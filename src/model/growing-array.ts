/** Growth of typed arrays: the elements are copied into a longer array of the same type. */
type TypedArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/** Returns an array of `length` elements that begins with the elements of `array`. */
export function enlarged<T extends TypedArray>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length);
  longer.set(array);
  return longer;
}

/** Returns an array of twice the length that begins with the elements of `array`. */
export function doubled<T extends TypedArray>(array: T): T {
  return enlarged(array, 2 * array.length);
}

/**
 * Returns the array itself if it has room for `count` elements, else a copy with room for half as many more.
 */
export function withRoom<T extends TypedArray>(array: T, count: number): T {
  return count <= array.length ? array : enlarged(array, Math.ceil(1.5 * count));
}

/** Replaces every typed array of an object by an empty one with room for 1.5 × `count` elements. */
export function reserveColumns(columns: object, count: number): void {
  const length = Math.max(4096, Math.ceil(1.5 * count));
  for (const [name, column] of Object.entries(columns)) {
    if (!ArrayBuffer.isView(column)) continue;
    const Column = column.constructor as new (length: number) => unknown;
    (columns as Record<string, unknown>)[name] = new Column(length);
  }
}
