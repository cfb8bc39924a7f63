/**
 * Compares two texts by their UTF-16 code units, or two numbers by value, for `sort`. The order is the same
 * in every locale.
 */
export function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Compares two texts by their UTF-8 bytes, as databases do. The order differs from `compare` for characters
 * beyond U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Returns the first index of [low, high) for which a monotone test holds, by binary search; `high` if it
 * holds for no index.
 */
export function firstIndex(low: number, high: number, holds: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
