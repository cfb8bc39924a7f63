/** The order of texts and numbers that everything here is sorted by: that of their code units, the same in every locale. */

export function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
