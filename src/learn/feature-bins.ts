/**
 * Features in bins: each column of a set cut at a few thresholds so that bins hold about as many rows, and the
 * rows as one byte for each feature. Trees are grown on bins; what they are kept with are the thresholds.
 *
 * A value that many rows have (a zero, as a rule) gets a bin of its own. Thresholds are the roundest numbers
 * between two values, so that a model is short to write. O(rows · log rows) a feature.
 */
import type { WeightedSet } from './weighted-set.ts';

export interface FeatureBins {
  /** For each feature, ascending: bin b holds the values up to threshold b, and above the one before. */
  thresholds: Float32Array[];
  /** For each feature, the bin of each row. */
  columns: Uint8Array[];
}

/** At most `most` bins a feature, 2 to 255. */
export function binFeatures({ rows, width, classes }: WeightedSet, most: number): FeatureBins {
  const count = classes.length;
  const thresholds: Float32Array[] = [];
  const columns: Uint8Array[] = [];
  const values = new Float32Array(count);
  for (let feature = 0; feature < width; feature++) {
    for (let row = 0; row < count; row++) values[row] = rows[row * width + feature];
    const cuts = cutColumn(values.slice().sort(), most);
    const column = new Uint8Array(count);
    for (let row = 0; row < count; row++) column[row] = binOf(cuts, values[row]);
    thresholds.push(cuts);
    columns.push(column);
  }
  return { thresholds, columns };
}

/** The count of thresholds below a value. */
function binOf(thresholds: Float32Array, value: number): number {
  let low = 0;
  for (let high = thresholds.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (thresholds[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cutColumn(sorted: Float32Array, most: number): Float32Array {
  const count = sorted.length;
  const runs: number[] = []; // where each distinct value begins
  for (let i = 0; i < count; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) runs.push(i);
  const sizeOf = (run: number) => (runs[run + 1] ?? count) - runs[run];

  // heavy values take a bin each and may cut one short before them; the others share what is left
  const heavySize = runs.length <= most ? 1 : (3 * count) / most;
  let heavy = 0;
  let heavyRows = 0;
  for (let run = 0; run < runs.length; run++) {
    if (sizeOf(run) < heavySize) continue;
    heavy++;
    heavyRows += sizeOf(run);
  }
  const wanted = (count - heavyRows) / Math.max(1, most - 2 * heavy);

  const cuts: number[] = [];
  let held = 0;
  for (let run = 0; run + 1 < runs.length && cuts.length + 1 < most; run++) {
    held += sizeOf(run);
    if (held < wanted && sizeOf(run) < heavySize && sizeOf(run + 1) < heavySize) continue;
    cuts.push(roundestBetween(sorted[runs[run]], sorted[runs[run + 1]]));
    held = 0;
  }
  return Float32Array.from(cuts);
}

/** The number of fewest digits in [low, high) near the middle, as a 32-bit float. */
function roundestBetween(low: number, high: number): number {
  const middle = low + (high - low) / 2;
  for (let digits = 1; digits < 10; digits++) {
    const round = Math.fround(Number(middle.toPrecision(digits)));
    if (round >= low && round < high) return round;
  }
  return low;
}
