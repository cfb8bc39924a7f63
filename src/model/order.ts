/** The order of texts and numbers that everything here is sorted by: that of their code units, the same in every locale. */

export function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The order of the UTF-8 bytes of texts, which databases sort by: another one where a text has characters beyond U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** The first index of [low, high) from which on a test holds, found by halving; `high` when it holds nowhere. */
export function firstIndex(low: number, high: number, holds: (index: number) => boolean): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
