/**
 * Suffix array by induced sorting (SA-IS). A suffix is small if it precedes the suffix after it, else large.
 * The leftmost suffix of each run of small ones is sorted first; two passes over the buckets then place all
 * others. Time is linear in the length of the text and the size of the alphabet. A suffix that is a prefix of
 * another precedes it.
 */

const EMPTY = 0xffffffff;

/**
 * Returns the starts of all suffixes of `text` in sorted order. The numbers of `text` are below `alphabet`.
 */
export function suffixArray(text: Uint32Array, alphabet: number): Uint32Array {
  const { length } = text;
  const order = new Uint32Array(length);
  if (length < 2) return order;
  const isSmaller = smallerThanNext(text);
  const counts = new Uint32Array(alphabet);
  for (let i = 0; i < length; i++) counts[text[i]]++;
  const ends = new Uint32Array(alphabet);

  // put the leftmost small suffixes into their buckets, at first in the order of the text
  const isLeftmost = (i: number) => i > 0 && i < length && isSmaller[i] === 1 && isSmaller[i - 1] === 0;
  order.fill(EMPTY);
  bucketEnds(counts, ends);
  let groups = 0;
  for (let i = length - 1; i > 0; i--) {
    if (!isLeftmost(i)) continue;
    order[--ends[text[i]]] = i;
    groups++;
  }
  induce(text, order, isSmaller, counts, ends);

  // the pieces between leftmost suffixes are sorted now: give them names, the same name to equal pieces
  const sorted = new Uint32Array(groups);
  for (let k = 0, to = 0; k < length; k++) if (isLeftmost(order[k])) sorted[to++] = order[k];
  const names = order.fill(EMPTY);
  let nameCount = 0;
  for (let k = 0; k < groups; k++) {
    if (k === 0 || !isSamePiece(text, sorted[k - 1], sorted[k], isLeftmost)) nameCount++;
    // two leftmost suffixes are never neighbours, so half of the index is unique
    names[sorted[k] >> 1] = nameCount - 1;
  }
  const shorter = new Uint32Array(groups);
  const starts = new Uint32Array(groups);
  for (let i = 0, to = 0; i < length; i++) {
    if (!isLeftmost(i)) continue;
    shorter[to] = names[i >> 1];
    starts[to++] = i;
  }
  if (nameCount < groups) {
    const inOrder = suffixArray(shorter, nameCount);
    for (let k = 0; k < groups; k++) sorted[k] = starts[inOrder[k]];
  } else {
    for (let k = 0; k < groups; k++) sorted[shorter[k]] = starts[k];
  }

  // place all suffixes again, with the leftmost ones in their final order
  order.fill(EMPTY);
  bucketEnds(counts, ends);
  for (let k = groups - 1; k >= 0; k--) order[--ends[text[sorted[k]]]] = sorted[k];
  induce(text, order, isSmaller, counts, ends);
  return order;
}

/**
 * Returns, for each suffix in sorted order but the first, the length of the prefix that it shares with the
 * one before. A common prefix ends at a zero.
 */
export function commonPrefixes(text: Uint32Array, order: Uint32Array): Uint32Array {
  const { length } = text;
  const rank = new Uint32Array(length);
  for (let k = 0; k < length; k++) rank[order[k]] = k;
  const common = new Uint32Array(length);
  for (let i = 0, same = 0; i < length; i++) {
    if (rank[i] === 0) {
      same = 0;
      continue;
    }
    const j = order[rank[i] - 1];
    while (
      i + same < length &&
      j + same < length &&
      text[i + same] === text[j + same] &&
      text[i + same] !== 0
    ) {
      same++;
    }
    common[rank[i]] = same;
    // the next suffix shares at most one number less
    if (same > 0) same--;
  }
  return common;
}

/** Marks with 1 each suffix that precedes the suffix after it. */
function smallerThanNext(text: Uint32Array): Uint8Array {
  const isSmaller = new Uint8Array(text.length);
  for (let i = text.length - 2; i >= 0; i--) {
    const isSame = text[i] === text[i + 1];
    isSmaller[i] = (isSame ? isSmaller[i + 1] === 1 : text[i] < text[i + 1]) ? 1 : 0;
  }
  return isSmaller;
}

function bucketEnds(counts: Uint32Array, ends: Uint32Array): void {
  for (let c = 0, sum = 0; c < counts.length; c++) ends[c] = sum += counts[c];
}

/** Places all other suffixes: the large ones from the left, then the small ones from the right. */
function induce(
  text: Uint32Array,
  order: Uint32Array,
  isSmaller: Uint8Array,
  counts: Uint32Array,
  borders: Uint32Array,
): void {
  const { length } = text;
  for (let c = 0, sum = 0; c < counts.length; c++) {
    borders[c] = sum;
    sum += counts[c];
  }
  // the last suffix is larger than the empty one after it
  order[borders[text[length - 1]]++] = length - 1;
  for (let k = 0; k < length; k++) {
    const i = order[k];
    if (i !== EMPTY && i > 0 && isSmaller[i - 1] === 0) order[borders[text[i - 1]]++] = i - 1;
  }
  bucketEnds(counts, borders);
  for (let k = length - 1; k >= 0; k--) {
    const i = order[k];
    if (i !== EMPTY && i > 0 && isSmaller[i - 1] === 1) order[--borders[text[i - 1]]] = i - 1;
  }
}

/**
 * Whether two pieces, each from one leftmost suffix to the next, are equal; the piece at the end of the text
 * equals no other.
 */
function isSamePiece(text: Uint32Array, a: number, b: number, isLeftmost: (i: number) => boolean): boolean {
  for (let d = 0; ; d++) {
    if (a + d >= text.length || b + d >= text.length || text[a + d] !== text[b + d]) return false;
    if (d === 0) continue;
    const endsA = isLeftmost(a + d);
    if (endsA !== isLeftmost(b + d)) return false;
    if (endsA) return true;
  }
}
