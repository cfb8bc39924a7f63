/**
 * The cross of each capture (Leśniak 2017, section 2.3): above and below it the two most similar captures of
 * other pages, before and after it the captures of its own page that are nearest in time.
 *
 * Decisions. Above and below are never less similar than the threshold: a page that is like no other has
 * neither, and says so by -1. They are of different pages where the site has them: two captures of one page
 * tell no more than one. Ties: similarity, then hash of the key, key, distance in time, earlier time.
 * Before and after mean an earlier and a later time; captures of the same time are neither, nor are those
 * without one.
 */
import { DEFAULT_THRESHOLD } from './group-signatures.ts';
import { findNearestClasses, type NearestOptions } from './nearest-signatures.ts';
import { classifySignatures, type SignatureClasses, type SignedPages } from './signed-pages.ts';

export interface CrossOptions extends NearestOptions {
  /** Least similarity of the pages above and below, in [0, 1]. @default 0.6 */
  threshold?: number;
  /** As made by `classifySignatures`, where the caller has it. */
  classes?: SignatureClasses;
}

/** Columns over pages; -1 where there is no such page. */
export interface Crosses {
  up: Int32Array;
  down: Int32Array;
  previous: Int32Array;
  next: Int32Array;
  /** Estimated similarity of the pages above and below; 0 where there is none. */
  upSimilarity: Float32Array;
  downSimilarity: Float32Array;
}

/** URLs of a class that are worth looking at: the page's own, that of the page above, and one more. */
const HEADS = 3;
/** Time of captures without one: before all others, as in canonical order. */
const UNDATED = Number.NEGATIVE_INFINITY;

export function findCrosses(pages: SignedPages, options: CrossOptions = {}): Crosses {
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
  const timeOf = Float64Array.from(pages.times, (time) => (time === '' ? UNDATED : Date.parse(time)));
  linkCaptures(crosses, classes, urlOf, timeOf);
  linkSimilar(crosses, pages, { ...options, threshold, classes, urlOf, timeOf });
  return crosses;
}

/** Captures of one page follow each other in canonical order, by time. */
function linkCaptures(
  { previous, next }: Crosses,
  { order }: SignatureClasses,
  urlOf: Int32Array,
  timeOf: Float64Array,
): void {
  for (let first = 0, end = 0; first < order.length; first = end) {
    // captures of one URL and one time: all have the same neighbours
    const time = timeOf[order[first]];
    const url = urlOf[order[first]];
    for (end = first + 1; end < order.length; end++) {
      if (urlOf[order[end]] !== url || timeOf[order[end]] !== time) break;
    }
    if (time === UNDATED) continue;
    const later = end < order.length && urlOf[order[end]] === url ? order[end] : -1;
    for (let i = first; i < end; i++) next[order[i]] = later;
    if (later < 0) continue;
    for (let i = end; i < order.length; i++) {
      if (urlOf[order[i]] !== url || timeOf[order[i]] !== timeOf[later]) break;
      previous[order[i]] = order[first];
    }
  }
}

interface SimilarContext extends NearestOptions {
  threshold: number;
  classes: SignatureClasses;
  urlOf: Int32Array;
  timeOf: Float64Array;
}

function linkSimilar(crosses: Crosses, pages: SignedPages, context: SimilarContext): void {
  const { classes, urlOf, timeOf, threshold } = context;
  const { permutations } = pages;
  const { members, starts, classCount, rank } = classes;
  const { heads, headEnds, singleUrl } = findHeads(classes, urlOf);
  const nearest = findNearestClasses(pages, classes, singleUrl, context);
  const least = Math.ceil(threshold * permutations - 1e-9);

  /** The capture of a head's URL nearest in time to `page`, the earlier of two, but not `not`. */
  const captureOf = (head: number, page: number, not: number): number => {
    const first = heads[head];
    const end = headEnds[head];
    const time = timeOf[page];
    // captures of one URL are sorted by time, those without one first
    let low = first;
    for (let high = end; low < high; ) {
      const middle = (low + high) >>> 1;
      if (timeOf[members[middle]] >= time) high = middle;
      else low = middle + 1;
    }
    let before = low - 1;
    let after = low;
    if (before >= first && members[before] === not) before--;
    if (after < end && members[after] === not) after++;
    if (before < first) return after < end ? members[after] : -1;
    if (after >= end) return members[before];
    return time - timeOf[members[before]] <= timeOf[members[after]] - time ? members[before] : members[after];
  };

  /** The best capture for `page` of a URL that `accepts` allows, into `found`. */
  const found = { page: -1, equal: 0 };
  const search = (page: number, own: number, accepts: (url: number) => boolean, not: number) => {
    found.page = -1;
    found.equal = 0;
    let bestHead = -1;
    for (let k = -1; k < nearest.kept; k++) {
      const c = k < 0 ? own : nearest.classes[own * nearest.kept + k];
      const equal = k < 0 ? permutations : nearest.equal[own * nearest.kept + k];
      if (c < 0 || equal < least || equal < found.equal) break;
      for (let h = c * HEADS; h < (c + 1) * HEADS && heads[h] >= 0; h++) {
        if (!accepts(urlOf[members[heads[h]]])) continue;
        if (bestHead >= 0 && rank[members[heads[h]]] > rank[members[heads[bestHead]]]) continue;
        const capture = captureOf(h, page, not);
        if (capture < 0) continue;
        bestHead = h;
        found.page = capture;
        found.equal = equal;
      }
    }
  };

  for (let c = 0; c < classCount; c++) {
    for (let i = starts[c]; i < starts[c + 1]; i++) {
      const page = members[i];
      const url = urlOf[page];
      search(page, c, (other) => other !== url, page);
      const up = found.page;
      if (up < 0) continue;
      crosses.up[page] = up;
      crosses.upSimilarity[page] = found.equal / permutations;
      search(page, c, (other) => other !== url && other !== urlOf[up], page);
      if (found.page < 0) search(page, c, (other) => other === urlOf[up], up);
      crosses.down[page] = found.page;
      crosses.downSimilarity[page] = found.page < 0 ? 0 : found.equal / permutations;
    }
  }
}

/** The page of each capture as a number, in canonical order: URLs of one key are one. */
function numberUrls({ keys }: SignedPages, { order }: SignatureClasses): Int32Array {
  const urlOf = new Int32Array(order.length);
  let number = -1;
  for (let i = 0; i < order.length; i++) {
    if (i === 0 || keys[order[i]] !== keys[order[i - 1]]) number++;
    urlOf[order[i]] = number;
  }
  return urlOf;
}

/** The runs of members that have the first URLs of each class, and the URL of classes that have but one. */
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
