/**
 * Finds the cross of each capture of a site from the signatures of all captures: the captures it is compared
 * with. Up and down have the most similar layouts, previous and next are captures of the same page.
 * `choose-arms.ts` has the rules; this file finds the candidates, by a bounded search. A page without similar pages has neither up nor
 * down, written as -1. Captures of the same time are neither before nor after each other, nor are captures
 * without a time.
 */
import { firstIndex } from '../model/order.ts';
import { ArmChooser, CAPTURES_TRIED, type DownRule, leastEqual, timeOf, UNDATED } from './choose-arms.ts';
import { DEFAULT_THRESHOLD } from './group-signatures.ts';
import { countEqual } from './minhash.ts';
import { classifySignatures, type SignatureClasses, type SignedPages } from './signed-pages.ts';

/** Options of `findCrosses`. */
export interface FindCrossesOptions extends NearestOptions {
  /** Minimum similarity of all four neighbours, in [0, 1]. @default 0.6 */
  threshold?: number;
  /** Rule for down. @default 'page' */
  down?: DownRule;
  /** Classes made by `classifySignatures`, if the caller has them. */
  classes?: SignatureClasses;
}

/** The crosses of all captures, as columns of capture numbers; -1 where a cross has no such capture. */
export interface Crosses {
  /** Most similar capture of another page. */
  up: Int32Array;
  /** Second capture of another page, chosen by `DownRule`. */
  down: Int32Array;
  /** Earlier capture of the same page. */
  previous: Int32Array;
  /** Later capture of the same page. */
  next: Int32Array;
  /** Estimated similarity of the page above (`upSimilarity`) or below (`downSimilarity`), in [0, 1]; 0 when that page is missing. */
  upSimilarity: Float32Array;
  downSimilarity: Float32Array;
}

/** Number of URLs of a class that are tried: one may be that of the page, one becomes up, one down. */
const HEADS = 3;

/** Finds the crosses of all pages. */
export function findCrosses(pages: SignedPages, options: FindCrossesOptions = {}): Crosses {
  const { threshold = DEFAULT_THRESHOLD, classes = classifySignatures(pages) } = options;
  const count = pages.urls.length;
  const crosses: Crosses = {
    up: new Int32Array(count).fill(-1),
    down: new Int32Array(count).fill(-1),
    previous: new Int32Array(count).fill(-1),
    next: new Int32Array(count).fill(-1),
    upSimilarity: new Float32Array(count),
    downSimilarity: new Float32Array(count),
  };
  const urlOf = numberUrls(pages, classes);
  const times = Float64Array.from(pages.times, timeOf);
  const context = { ...options, least: leastEqual(threshold, pages.permutations), classes, urlOf, times };
  linkCaptures(crosses, pages, context);
  linkSimilar(crosses, pages, context);
  return crosses;
}

interface SearchContext extends NearestOptions {
  /** Number of components of two signatures that must be equal. */
  least: number;
  down?: DownRule;
  classes: SignatureClasses;
  urlOf: Int32Array;
  times: Float64Array;
}

/**
 * Links previous and next: captures of one page are consecutive in canonical order, sorted by time, so the
 * nearest similar capture is searched on either side.
 */
function linkCaptures({ previous, next }: Crosses, pages: SignedPages, context: SearchContext): void {
  const { classes, urlOf, times, least } = context;
  const { order } = classes;
  const { permutations, signatures } = pages;
  /**
   * Returns the nearest similar capture from index `from` on, where captures of another time begin; -1 if
   * none of them is similar.
   */
  const find = (page: number, from: number, step: 1 | -1): number => {
    const end = from + CAPTURES_TRIED * step;
    for (
      let i = from;
      i !== end && urlOf[order[i]] === urlOf[page] && times[order[i]] !== UNDATED;
      i += step
    ) {
      const equal = countEqual(signatures, page * permutations, order[i] * permutations, permutations);
      if (equal >= least) return order[i];
    }
    return -1;
  };
  for (let first = 0, end = 0; first < order.length; first = end) {
    // find the captures of one page and one time
    const page = order[first];
    for (end = first + 1; end < order.length; end++) {
      if (urlOf[order[end]] !== urlOf[page] || times[order[end]] !== times[page]) break;
    }
    if (times[page] === UNDATED) continue;
    for (let i = first; i < end; i++) {
      previous[order[i]] = find(order[i], first - 1, -1);
      next[order[i]] = find(order[i], end, 1);
    }
  }
}

/** Links up and down: offers captures of the page's own class and of the nearest classes to the chooser. */
function linkSimilar(crosses: Crosses, pages: SignedPages, context: SearchContext): void {
  const { classes, urlOf, times, least } = context;
  const { permutations } = pages;
  const { members, starts, classCount } = classes;
  const { heads, headEnds, singleUrl } = findHeads(classes, urlOf);
  const nearest = findNearestClasses(pages, classes, singleUrl, context);
  const chooser = new ArmChooser(context.down);

  /**
   * Returns the capture of a head's URL that is nearest in time to `page`, without the capture `not`; of two
   * equally near ones the earlier; -1 if the URL has no other capture.
   */
  const captureOf = (head: number, page: number, not: number): number => {
    const first = heads[head];
    const end = headEnds[head];
    const time = times[page];
    // captures of one URL are sorted by time, those without a time first
    let after = firstIndex(first, end, (i) => times[members[i]] >= time);
    let before = after - 1;
    if (before >= first && members[before] === not) before--;
    if (after < end && members[after] === not) after++;
    if (before < first) return after < end ? members[after] : -1;
    if (after >= end) return members[before];
    return time - times[members[before]] <= times[members[after]] - time ? members[before] : members[after];
  };

  for (let c = 0; c < classCount; c++) {
    for (let i = starts[c]; i < starts[c + 1]; i++) {
      const page = members[i];
      chooser.start(times[page]);
      // -1: the page's own class, whose signatures are equal in all components
      for (let k = -1; k < nearest.kept; k++) {
        const other = k < 0 ? c : nearest.classes[c * nearest.kept + k];
        const equal = k < 0 ? permutations : nearest.equal[c * nearest.kept + k];
        if (other < 0 || equal < least || chooser.isSettled(equal)) break;
        for (let head = other * HEADS; head < (other + 1) * HEADS && heads[head] >= 0; head++) {
          const url = urlOf[members[heads[head]]];
          if (url === urlOf[page]) continue;
          const first = captureOf(head, page, -1);
          const second = captureOf(head, page, first);
          for (const capture of [first, second]) {
            if (capture >= 0) chooser.offer({ capture, page: url, time: times[capture], equal });
          }
        }
      }
      const { up, down } = chooser;
      if (up) {
        crosses.up[page] = up.capture;
        crosses.upSimilarity[page] = up.equal / permutations;
      }
      if (down) {
        crosses.down[page] = down.capture;
        crosses.downSimilarity[page] = down.equal / permutations;
      }
    }
  }
}

/** Numbers the pages of the captures in canonical order: URLs with one key are one page. */
function numberUrls({ keys }: SignedPages, { order }: SignatureClasses): Int32Array {
  const urlOf = new Int32Array(order.length);
  let number = -1;
  for (let i = 0; i < order.length; i++) {
    if (i === 0 || keys[order[i]] !== keys[order[i - 1]]) number++;
    urlOf[order[i]] = number;
  }
  return urlOf;
}

/**
 * Finds the first URLs of each class. Members of one URL are adjacent: class `c` has up to `HEADS` runs of
 * members at [heads[i], headEnds[i]) with `i` from `c * HEADS` on, -1 if there are fewer. `singleUrl` is the
 * number of the URL of a class with only one, -1 for other classes.
 */
function findHeads({ members, starts, classCount }: SignatureClasses, urlOf: Int32Array) {
  const heads = new Int32Array(classCount * HEADS).fill(-1);
  const headEnds = new Int32Array(classCount * HEADS);
  const singleUrl = new Int32Array(classCount).fill(-1);
  for (let c = 0; c < classCount; c++) {
    let found = 0;
    for (let i = starts[c]; i < starts[c + 1] && found < HEADS; ) {
      let end = i + 1;
      while (end < starts[c + 1] && urlOf[members[end]] === urlOf[members[i]]) end++;
      heads[c * HEADS + found] = i;
      headEnds[c * HEADS + found++] = end;
      i = end;
    }
    if (found === 1) singleUrl[c] = urlOf[members[starts[c]]];
  }
  return { heads, headEnds, singleUrl };
}

/** Options of `findNearestClasses`. */
interface NearestOptions {
  /** Number of sort orders. @default 8 */
  orders?: number;
  /** Number of neighbours to compare with on each side. @default 8 */
  width?: number;
}

/**
 * The nearest classes as columns: class `c` has the neighbours [c * kept, (c + 1) * kept), the best first; -1
 * if there are fewer.
 */
interface NearestClasses {
  /** Number of neighbours per class. */
  kept: number;
  classes: Int32Array;
  /** Number of equal components of the two signatures. */
  equal: Uint16Array;
}

/** Neighbours kept for each class: two are needed, and some may turn out to have the wrong URL. */
const KEPT = 8;

/**
 * Finds, for each signature class, some of the classes most similar to it, by a bounded search. Classes are
 * sorted by their signatures, read from several components on (the order of an LSH forest: signatures that
 * agree longest from there are neighbours), and each class is compared with its neighbours in every order.
 * Classes whose pages all have one URL skip others of that URL, so that a hundred captures of one page do not
 * hide similar pages. `singleUrl` is the number of the URL that all pages of a class have; -1 if they have
 * several. Cost: classes · orders · (log + neighbours).
 */
function findNearestClasses(
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

/** Sorts all classes by their signatures, read from component `from` on and then from the start. */
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

/** Finds, for each index, the half-open run of indexes around it whose classes have the same single URL. */
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

/** Keeps `b` among the neighbours of `a`: more equal components first, then the smaller number. */
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
