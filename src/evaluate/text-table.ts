/** Lays out plain text tables for a terminal. */

/** Returns a share in per cent with one decimal, or `-` when undefined. */
export function percentOrDash(value: number | undefined): string {
  return value === undefined ? '-' : (value * 100).toFixed(1);
}

/**
 * Returns the rows as lines with columns as wide as their widest cell; the first `textColumns` are left-aligned,
 * figures right-aligned.
 */
export function layOut(rows: readonly string[][], textColumns = 1): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column < textColumns ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
