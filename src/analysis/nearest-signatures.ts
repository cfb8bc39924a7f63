/**
 * For each signature class some of the classes most like it, by a bounded search: classes are sorted by
 * their signature read from several places on (the order of an LSH forest: those that agree longest from
 * there stand side by side), and each looks at its neighbours in every order. Classes of which all pages
 * have one URL pass over others of that URL, so that a hundred captures of one page do not hide what is
 * like it. Cost: classes · orders · (log + neighbours), whatever the site.
 */
import { countEqual } from './minhash.ts';
import type { SignatureClasses, SignedPages } from './signed-pages.ts';

export interface NearestOptions {
  /** Sort orders. @default 8 */
  orders?: number;
  /** Neighbours looked at on each side. @default 8 */
  width?: number;
}

/** Class `c` has the neighbours [c * kept, (c + 1) * kept), best first; -1 where there are fewer. */
export interface NearestClasses {
  kept: number;
  classes: Int32Array;
  /** Places that agree. */
  equal: Uint16Array;
}

/** Neighbours kept for each class: two are wanted, and some may turn out to be of the wrong URL. */
const KEPT = 8;

/** `singleUrl`: number of the URL that all pages of a class have, -1 when they have several. */
export function findNearestClasses(
  { permutations, signatures }: SignedPages,
  { classCount, members, starts }: SignatureClasses,
  singleUrl: Int32Array,
  { orders = 8, width = 8 }: NearestOptions = {},
): NearestClasses {
  const nearest: NearestClasses = {
    kept: KEPT,
    classes: new Int32Array(classCount * KEPT).fill(-1),
    equal: new Uint16Array(classCount * KEPT),
  };
  const startOf = new Float64Array(classCount);
  for (let c = 0; c < classCount; c++) startOf[c] = members[starts[c]] * permutations;
  const compare = (a: number, b: number) => {
    const equal = countEqual(signatures, startOf[a], startOf[b], permutations);
    keep(nearest, a, b, equal);
  };

  const sorted = new Uint32Array(classCount);
  const runStart = new Uint32Array(classCount);
  const runEnd = new Uint32Array(classCount);
  for (let order = 0; order < orders; order++) {
    sortFrom(sorted, signatures, startOf, permutations, Math.floor((order * permutations) / orders));
    findRuns(sorted, singleUrl, runStart, runEnd);
    for (let i = 0; i < classCount; i++) {
      const own = singleUrl[sorted[i]];
      for (let step = 0, j = i - 1; step < width && j >= 0; step++, j--) {
        if (own >= 0 && singleUrl[sorted[j]] === own) j = runStart[j] - 1;
        if (j >= 0) compare(sorted[i], sorted[j]);
      }
      for (let step = 0, j = i + 1; step < width && j < classCount; step++, j++) {
        if (own >= 0 && singleUrl[sorted[j]] === own) j = runEnd[j];
        if (j < classCount) compare(sorted[i], sorted[j]);
      }
    }
  }
  return nearest;
}

/** Sorts all classes by their signatures read from `from` on, round to where it began. */
function sortFrom(
  sorted: Uint32Array,
  signatures: Uint32Array,
  startOf: Float64Array,
  permutations: number,
  from: number,
): void {
  for (let c = 0; c < sorted.length; c++) sorted[c] = c;
  sorted.sort((a, b) => {
    const startA = startOf[a];
    const startB = startOf[b];
    for (let i = from; i < permutations; i++) {
      const difference = signatures[startA + i] - signatures[startB + i];
      if (difference !== 0) return difference;
    }
    for (let i = 0; i < from; i++) {
      const difference = signatures[startA + i] - signatures[startB + i];
      if (difference !== 0) return difference;
    }
    return a - b;
  });
}

/** For each place the half-open run of places around it whose classes have one and the same URL. */
function findRuns(
  sorted: Uint32Array,
  singleUrl: Int32Array,
  runStart: Uint32Array,
  runEnd: Uint32Array,
): void {
  for (let i = 0; i < sorted.length; ) {
    const url = singleUrl[sorted[i]];
    let end = i + 1;
    while (url >= 0 && end < sorted.length && singleUrl[sorted[end]] === url) end++;
    runStart.fill(i, i, end);
    runEnd.fill(end, i, end);
    i = end;
  }
}

/** Keeps `b` among the neighbours of `a`: more places first, then the smaller number. */
function keep({ kept, classes, equal }: NearestClasses, a: number, b: number, count: number): void {
  const from = a * kept;
  let at = from + kept - 1;
  if (classes[at] >= 0 && (equal[at] > count || (equal[at] === count && classes[at] <= b))) return;
  for (let i = from; i < from + kept && classes[i] >= 0; i++) if (classes[i] === b) return;
  while (
    at > from &&
    (classes[at - 1] < 0 || equal[at - 1] < count || (equal[at - 1] === count && classes[at - 1] > b))
  ) {
    classes[at] = classes[at - 1];
    equal[at] = equal[at - 1];
    at--;
  }
  classes[at] = b;
  equal[at] = count;
}
