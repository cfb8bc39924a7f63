/** A column twice as long that begins with what is in this one: how a list in typed arrays grows. */
export function doubled(column: Int32Array): Int32Array {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
}
