/**
 * Reduces a site to the latest capture of each page, because section 4 of Gibson, Punera and Tomkins
 * describes a single crawl. The history of a site shows how its pages changed.
 */
import type { TemplateSequences } from './template-sequences.ts';

/**
 * Returns the captures that are followed by a later capture of the same page. `pages` are in order, with the
 * keys of their URLs.
 */
export function olderCaptures(
  pages: readonly number[],
  keys: readonly string[],
  times: readonly string[],
): Set<number> {
  const older = new Set<number>();
  const latest = new Map<string, number>(); // for each key, the index of its latest capture so far
  for (let k = 0; k < pages.length; k++) {
    const before = latest.get(keys[k]);
    const isLatest = before === undefined || times[k] >= times[before];
    if (before !== undefined) older.add(pages[isLatest ? before : k]);
    if (isLatest) latest.set(keys[k], k);
  }
  return older;
}

/**
 * Returns the sequences of the latest captures only. `pages` are the captures that `sequenceOf` describes.
 * Bytes and offsets are known only as sums over the captures of a sequence, so each remaining sequence gets
 * its share of the sum.
 */
export function latestSequences(
  sequences: TemplateSequences,
  pages: ArrayLike<number>,
  older: ReadonlySet<number>,
): TemplateSequences {
  const { count, start, template, bytes, offsets, pages: pagesOf, sequenceOf } = sequences;
  if (older.size === 0) return sequences;
  const left = new Int32Array(count);
  for (let k = 0; k < pages.length; k++) if (!older.has(pages[k])) left[sequenceOf[k]]++;
  const kept: number[] = [];
  for (let s = 0; s < count; s++) if (left[s] > 0) kept.push(s);
  const newStart = new Int32Array(kept.length + 1);
  for (const [n, s] of kept.entries()) newStart[n + 1] = newStart[n] + start[s + 1] - start[s];
  const places = newStart[kept.length];
  const latest = {
    template: new Int32Array(places),
    bytes: new Float64Array(places),
    offsets: new Float64Array(places),
  };
  const numberOf = new Int32Array(count).fill(-1);
  for (const [n, s] of kept.entries()) {
    numberOf[s] = n;
    const part = left[s] / pagesOf[s];
    for (let at = start[s], to = newStart[n]; at < start[s + 1]; at++, to++) {
      latest.template[to] = template[at];
      latest.bytes[to] = bytes[at] * part;
      latest.offsets[to] = offsets[at] * part;
    }
  }
  return {
    ...latest,
    templateCount: sequences.templateCount,
    count: kept.length,
    start: newStart,
    pages: Int32Array.from(kept, (s) => left[s]),
    sequenceOf: Int32Array.from(
      Array.from(sequenceOf).filter((_, k) => !older.has(pages[k])),
      (s) => numberOf[s],
    ),
  };
}

/** Counts the occurrences of each template on the pages of the sequences, and their bytes. */
export function countPlaces({ count, start, template, bytes, pages, templateCount }: TemplateSequences): {
  occurrences: Float64Array;
  bytes: Float64Array;
} {
  const counted = { occurrences: new Float64Array(templateCount), bytes: new Float64Array(templateCount) };
  for (let s = 0; s < count; s++) {
    for (let at = start[s]; at < start[s + 1]; at++) {
      counted.occurrences[template[at]] += pages[s];
      counted.bytes[template[at]] += bytes[at];
    }
  }
  return counted;
}
