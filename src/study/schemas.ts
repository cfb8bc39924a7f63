/**
 * The schemas of a site: pages that carry the same templates in the same order were made alike (Gibson, Punera and
 * Tomkins 2005, section 5.1). Sites have few, but a date line that is missing here and there would split them:
 * so the commonest sequences lead, and a sequence that shares enough of its bytes with a leader joins it.
 *
 * Likeness of two sequences: bytes of the templates they share in the same order-free count, over the bytes of all
 * templates of either (weighted Jaccard). The commonest sequence leads first, so the result does not depend on the
 * order of pages. A sequence is compared with the leaders that hold one of its largest templates only: linear in
 * sequences for all practical purposes.
 */
import type { TemplateSequences } from './template-sequences.ts';

export interface Schema {
  /** From 1, the most pages first. */
  number: number;
  pages: number;
  /** The sequence that leads it, and the templates of it in order. */
  leader: number;
  templates: number[];
}

export interface Schemas {
  schemas: Schema[];
  /** Number of the schema of each page; 0 for a page without templates. */
  numberOf: Int32Array;
  /** How like its leader each page is, in [0, 1]. */
  likenessOf: Float32Array;
}

export interface SchemaOptions {
  /** Likeness that makes two sequences one schema, above 0 to 1. @default 0.8 */
  likeness?: number;
}

/** Leaders are looked up by so many of a sequence's largest templates. */
const LOOKED_UP = 4;

export function findSchemas(sequences: TemplateSequences, { likeness = 0.8 }: SchemaOptions = {}): Schemas {
  const { count, pages } = sequences;
  const bags = Array.from({ length: count }, (_, s) => bagOf(sequences, s));
  const order = Array.from({ length: count }, (_, s) => s).sort((a, b) => compare(sequences, a, b));
  const leaderOf = new Int32Array(count);
  const alike = new Float32Array(count);
  const leaders = new Map<number, number[]>(); // by template
  for (const s of order) {
    let best = s;
    let bestLikeness = 0;
    for (const leader of candidatesOf(bags[s], leaders)) {
      const found = likenessOf(bags[s], bags[leader]);
      if (found >= likeness && found > bestLikeness) {
        best = leader;
        bestLikeness = found;
      }
    }
    leaderOf[s] = best;
    alike[s] = best === s ? 1 : bestLikeness;
    if (best !== s) continue;
    for (const template of bags[s].largest) {
      const known = leaders.get(template);
      if (known) known.push(s);
      else leaders.set(template, [s]);
    }
  }

  const pagesOf = new Map<number, number>();
  for (const s of order) pagesOf.set(leaderOf[s], (pagesOf.get(leaderOf[s]) ?? 0) + pages[s]);
  // insertion keeps the order of the leaders, which decides among equals
  const ranked = [...pagesOf].sort(([, a], [, b]) => b - a);
  const numberOfLeader = new Map(ranked.map(([leader], k) => [leader, k + 1]));
  const { sequenceOf } = sequences;
  return {
    schemas: ranked.map(([leader, own], k) => ({
      number: k + 1,
      pages: own,
      leader,
      templates: [...sequences.template.subarray(sequences.start[leader], sequences.start[leader + 1])],
    })),
    numberOf: sequenceOf.map((s) => (s < 0 ? 0 : numberOfLeader.get(leaderOf[s])!)),
    likenessOf: Float32Array.from(sequenceOf, (s) => (s < 0 ? 0 : alike[s])),
  };
}

/** The templates of a sequence with their mean bytes. */
interface Bag {
  bytes: Map<number, number>;
  total: number;
  largest: number[];
}

function bagOf({ start, template, bytes, pages }: TemplateSequences, s: number): Bag {
  const bag = new Map<number, number>();
  let total = 0;
  for (let at = start[s]; at < start[s + 1]; at++) {
    const mean = bytes[at] / pages[s];
    bag.set(template[at], (bag.get(template[at]) ?? 0) + mean);
    total += mean;
  }
  const largest = [...bag].sort(([a, bytesA], [b, bytesB]) => bytesB - bytesA || a - b).slice(0, LOOKED_UP);
  return { bytes: bag, total, largest: largest.map(([one]) => one) };
}

function candidatesOf({ largest }: Bag, leaders: Map<number, number[]>): Set<number> {
  const candidates = new Set<number>();
  for (const template of largest) for (const leader of leaders.get(template) ?? []) candidates.add(leader);
  return candidates;
}

function likenessOf(a: Bag, b: Bag): number {
  const [small, large] = a.bytes.size <= b.bytes.size ? [a, b] : [b, a];
  let shared = 0;
  for (const [template, bytes] of small.bytes) shared += Math.min(bytes, large.bytes.get(template) ?? 0);
  const all = a.total + b.total - shared;
  return all <= 0 ? 1 : shared / all;
}

/** More pages first, then the longer, then by the templates themselves. */
function compare({ pages, start, template }: TemplateSequences, a: number, b: number): number {
  if (pages[a] !== pages[b]) return pages[b] - pages[a];
  const lengthA = start[a + 1] - start[a];
  const lengthB = start[b + 1] - start[b];
  if (lengthA !== lengthB) return lengthB - lengthA;
  for (let k = 0; k < lengthA; k++) {
    const difference = template[start[a] + k] - template[start[b] + k];
    if (difference !== 0) return difference;
  }
  return 0;
}
