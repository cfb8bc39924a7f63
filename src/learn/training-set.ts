/** Rows of numbers with one of two classes, for the small classifiers that are trained on a single page. */

/** Training rows of one page, without weights. */
export interface TrainingSet {
  /** `width` numbers per row. */
  rows: Float64Array;
  width: number;
  /** 0 or 1 for each row. */
  classes: Uint8Array;
}

/** A classifier of two classes. `vote` returns the share of votes for class 1, in [0, 1]. */
export interface Classifier {
  vote(rows: Float64Array, row: number): number;
}

/**
 * Drops all rows that equal another row of the other class (Leśniak 2017, section 2.3). Other rows are kept
 * as often as they occur.
 */
export function dropConflicts({ rows, width, classes }: TrainingSet): TrainingSet {
  const seen = new Map<string, number>(); // class, or -1 for both
  const keys: string[] = [];
  for (let i = 0; i < classes.length; i++) {
    const key = keyOf(rows, i * width, width);
    keys.push(key);
    const known = seen.get(key);
    seen.set(key, known === undefined || known === classes[i] ? classes[i] : -1);
  }
  return selectRows({ rows, width, classes }, (i) => seen.get(keys[i]) !== -1);
}

/**
 * Returns equally many rows of both classes by thinning the larger class evenly, in order. With a class
 * missing, returns all rows.
 */
export function balance(set: TrainingSet): TrainingSet {
  const counts = [0, 0];
  for (const one of set.classes) counts[one]++;
  const fewer = Math.min(counts[0], counts[1]);
  if (fewer === 0) return set;
  return thin(set, [fewer, fewer]);
}

/** Returns at most `most` rows, evenly from the whole set and from the two classes in proportion. */
export function limitRows(set: TrainingSet, most: number): TrainingSet {
  const total = set.classes.length;
  if (total <= most) return set;
  const counts = [0, 0];
  for (const one of set.classes) counts[one]++;
  return thin(set, [
    Math.max(1, Math.floor((counts[0] * most) / total)),
    Math.max(1, Math.floor((counts[1] * most) / total)),
  ]);
}

function thin(set: TrainingSet, wanted: [number, number]): TrainingSet {
  const counts = [0, 0];
  for (const one of set.classes) counts[one]++;
  const seen = [0, 0];
  return selectRows(set, (i) => {
    const one = set.classes[i];
    const before = Math.floor((seen[one] * wanted[one]) / counts[one]);
    seen[one]++;
    return Math.floor((seen[one] * wanted[one]) / counts[one]) > before;
  });
}

function selectRows({ rows, width, classes }: TrainingSet, keep: (row: number) => boolean): TrainingSet {
  const kept: number[] = [];
  for (let i = 0; i < classes.length; i++) if (keep(i)) kept.push(i);
  const selected = new Float64Array(kept.length * width);
  for (let i = 0; i < kept.length; i++) {
    selected.set(rows.subarray(kept[i] * width, (kept[i] + 1) * width), i * width);
  }
  return { rows: selected, width, classes: Uint8Array.from(kept, (i) => classes[i]) };
}

function keyOf(rows: Float64Array, from: number, width: number): string {
  return rows.subarray(from, from + width).join();
}
