/**
 * Finds the schemas of a site: pages with the same templates in the same order were made alike (Gibson,
 * Punera and Tomkins 2005, section 5.1). Sites have few schemas, but a date line that is missing on some
 * pages would split them. So the commonest sequences become leaders, and a sequence that shares enough of its
 * bytes with a leader joins it.
 *
 * The likeness of two sequences is the weighted Jaccard index of their templates: bytes of shared templates,
 * in the same count but any order, over the bytes of all templates of both. Sequences are taken from the
 * commonest on, so the result does not depend on the order of pages. A sequence is compared only with leaders
 * that hold one of its largest templates.
 *
 * Cost: on a site where every page has a template of its own there are as many leaders as pages, and all of
 * them hold the site's largest templates. The search therefore looks leaders up by rare templates: two
 * similar sequences always share one of the rarest templates that make up more bytes than the two may differ
 * in. In practice the cost is linear in the sequences, with 12 bytes of memory per entry.
 */

import { hash } from 'node:crypto';
import type { TemplateSequences } from './template-sequences.ts';
import { urlPattern } from './url-pattern.ts';

/** A schema of a site: pages whose sequences of templates are alike. */
export interface Schema {
  /** From 1, the most pages first. */
  number: number;
  pages: number;
  /** Number of the sequence that leads the schema; its templates describe the schema. */
  leader: number;
}

/** The schemas of a site, and the schema of each of its pages. */
export interface Schemas {
  schemas: Schema[];
  /** Number of the schema of each page; 0 for a page without templates. */
  numberOf: Int32Array;
  /** Likeness of each page to the leader of its schema, in [0, 1]. */
  likenessOf: Float32Array;
}

/** Number of largest templates per sequence; a leader must have one of them among its own largest. */
const LOOKED_UP = 4;
/** Maximum rounding error of a sum of shares. */
const ROUNDING = 1e-9;

/**
 * Groups the sequences of a site into schemas; a schema with more pages gets a smaller number. `likeness` is the
 * minimum likeness of two sequences of one schema, in (0, 1].
 */
export function findSchemas(sequences: TemplateSequences, { likeness = 0.8 } = {}): Schemas {
  const { count, pages, sequenceOf } = sequences;
  const order = Array.from({ length: count }, (_, s) => s).sort((a, b) => compare(sequences, a, b));
  const leaderOf = new Int32Array(count);
  const alike = new Float32Array(count);
  const found = new Leaders(new Bags(sequences), likeness);
  for (const s of order) {
    leaderOf[s] = found.nearest(s);
    alike[s] = found.nearestLikeness;
  }
  const pagesOf = new Int32Array(count);
  for (let s = 0; s < count; s++) pagesOf[leaderOf[s]] += pages[s];
  // the sort is stable, so the order of the leaders decides ties
  const ranked = order.filter((s) => leaderOf[s] === s).sort((a, b) => pagesOf[b] - pagesOf[a]);
  const numberOfLeader = new Int32Array(count);
  for (const [k, leader] of ranked.entries()) numberOfLeader[leader] = k + 1;
  return {
    schemas: ranked.map((leader, k) => ({ number: k + 1, pages: pagesOf[leader], leader })),
    numberOf: sequenceOf.map((s) => (s < 0 ? 0 : numberOfLeader[leaderOf[s]])),
    likenessOf: Float32Array.from(sequenceOf, (s) => (s < 0 ? 0 : alike[s])),
  };
}

/** The distinct templates of every sequence, with their mean bytes. */
class Bags {
  /** Templates of sequence `s`: `template[start[s]]` to `template[start[s + 1] - 1]`, by first occurrence. */
  readonly start: Int32Array;
  readonly template: Int32Array;
  readonly bytes: Float64Array;
  /** For each sequence: bytes of all its templates, and its largest templates, padded with -1. */
  readonly total: Float64Array;
  readonly largest: Int32Array;
  /** All templates from the rarest (held by fewest sequences) on, and the rank of each in that order. */
  readonly byRarity: Int32Array;
  readonly rarity: Int32Array;

  constructor({ count, templateCount, start, template, bytes, pages }: TemplateSequences) {
    this.start = new Int32Array(count + 1);
    this.template = new Int32Array(template.length);
    this.bytes = new Float64Array(template.length);
    this.total = new Float64Array(count);
    this.largest = new Int32Array(count * LOOKED_UP).fill(-1);
    const holders = new Int32Array(templateCount); // sequences that hold each template
    const placeOf = new Int32Array(templateCount); // index of a template in the bag that is being filled
    let end = 0;
    for (let s = 0; s < count; s++) {
      const from = end;
      this.start[s] = from;
      for (let at = start[s]; at < start[s + 1]; at++) {
        const mean = bytes[at] / pages[s];
        let place = placeOf[template[at]];
        if (place < from || place >= end || this.template[place] !== template[at]) {
          place = end++;
          placeOf[template[at]] = place;
          this.template[place] = template[at];
          holders[template[at]]++;
        }
        this.bytes[place] += mean;
        this.total[s] += mean;
      }
      this.start[s + 1] = end;
      this.#rankLargest(s, from, end);
    }
    this.byRarity = holders.map((_, each) => each).sort((a, b) => holders[a] - holders[b] || a - b);
    this.rarity = new Int32Array(templateCount);
    for (let rank = 0; rank < templateCount; rank++) this.rarity[this.byRarity[rank]] = rank;
  }

  /** Stores the largest templates of a sequence, largest first; ties go to the smaller number. */
  #rankLargest(s: number, from: number, end: number): void {
    const { template, bytes, largest } = this;
    const first = s * LOOKED_UP;
    const ranked: number[] = []; // indexes of templates
    for (let place = from; place < end; place++) {
      let k = ranked.length;
      while (k > 0 && isLarger(place, ranked[k - 1])) k--;
      if (k < LOOKED_UP) ranked.splice(k, 0, place);
      if (ranked.length > LOOKED_UP) ranked.pop();
    }
    for (let k = 0; k < ranked.length; k++) largest[first + k] = template[ranked[k]];

    function isLarger(a: number, b: number): boolean {
      return bytes[a] > bytes[b] || (bytes[a] === bytes[b] && template[a] < template[b]);
    }
  }
}

/** The sequences that lead a schema so far. */
class Leaders {
  readonly #bags: Bags;
  readonly #likeness: number;
  /** Leaders by each of their rarest templates. */
  readonly #byTemplate = new Map<number, number[]>();
  /** Order in which a sequence became a leader, from 1; 0 for a sequence that leads no schema. */
  readonly #since: Int32Array;
  /** Sequence that each leader was last compared with, plus one. */
  readonly #seen: Int32Array;
  /** Bytes by template of the larger bag during a comparison; zeros otherwise. */
  readonly #weights: Float64Array;
  /** Ranks by rarity of the templates of a sequence. */
  readonly #ranks: Int32Array;
  #count = 0;
  /** Likeness of the last sequence to its leader. */
  nearestLikeness = 0;

  constructor(bags: Bags, likeness: number) {
    this.#bags = bags;
    this.#likeness = likeness;
    this.#since = new Int32Array(bags.total.length);
    this.#seen = new Int32Array(bags.total.length);
    this.#weights = new Float64Array(bags.rarity.length);
    this.#ranks = new Int32Array(bags.rarity.length);
  }

  /** Returns the leader most like a sequence. A sequence without such a leader becomes one itself. */
  nearest(s: number): number {
    const rarest = this.#rarestTemplates(s);
    let best = -1;
    let bestLikeness = 0;
    let bestRank = 0;
    for (const template of rarest) {
      for (const leader of this.#byTemplate.get(template) ?? []) {
        if (this.#seen[leader] === s + 1) continue;
        this.#seen[leader] = s + 1;
        const rank = this.#sharedRank(s, leader);
        if (rank < 0 || !this.#canBeLike(s, leader)) continue;
        const found = this.#compare(s, leader);
        if (found < this.#likeness || found < bestLikeness) continue;
        // ties go to the leader that shares the larger template, then to the earlier one
        const isFirst = rank < bestRank || (rank === bestRank && this.#since[leader] < this.#since[best]);
        if (found === bestLikeness && !isFirst) continue;
        best = leader;
        bestLikeness = found;
        bestRank = rank;
      }
    }
    this.nearestLikeness = best < 0 ? 1 : bestLikeness;
    if (best >= 0) return best;
    this.#since[s] = ++this.#count;
    for (const template of rarest) {
      const known = this.#byTemplate.get(template);
      if (known) known.push(s);
      else this.#byTemplate.set(template, [s]);
    }
    return s;
  }

  /**
   * Returns the rarest templates of a sequence that together exceed the bytes in which it may differ from a
   * similar one.
   */
  #rarestTemplates(s: number): number[] {
    const { start, template, bytes, total, byRarity, rarity } = this.#bags;
    const weights = this.#weights;
    const ranks = this.#ranks.subarray(0, start[s + 1] - start[s]);
    for (let at = start[s]; at < start[s + 1]; at++) {
      ranks[at - start[s]] = rarity[template[at]];
      weights[template[at]] = bytes[at];
    }
    ranks.sort();
    const most = total[s] * (1 - this.#likeness + ROUNDING);
    const rarest: number[] = [];
    for (let k = 0, sum = 0; k < ranks.length && sum <= most; k++) {
      const rare = byRarity[ranks[k]];
      rarest.push(rare);
      sum += weights[rare];
    }
    for (let at = start[s]; at < start[s + 1]; at++) weights[template[at]] = 0;
    return rarest;
  }

  /**
   * Returns the rank of the first of a sequence's largest templates that is also one of the leader's; -1 for
   * none.
   */
  #sharedRank(s: number, leader: number): number {
    const { largest } = this.#bags;
    for (let k = 0; k < LOOKED_UP; k++) {
      const template = largest[s * LOOKED_UP + k];
      if (template < 0) return -1;
      for (let j = 0; j < LOOKED_UP; j++) if (largest[leader * LOOKED_UP + j] === template) return k;
    }
    return -1;
  }

  /** Returns whether the total bytes of two sequences allow the required likeness. */
  #canBeLike(a: number, b: number): boolean {
    const { total } = this.#bags;
    return Math.min(total[a], total[b]) >= Math.max(total[a], total[b]) * (this.#likeness - ROUNDING);
  }

  #compare(a: number, b: number): number {
    const { start, template, bytes, total } = this.#bags;
    const isSmaller = start[a + 1] - start[a] <= start[b + 1] - start[b];
    const [small, large] = isSmaller ? [a, b] : [b, a];
    const weights = this.#weights;
    for (let at = start[large]; at < start[large + 1]; at++) weights[template[at]] = bytes[at];
    let shared = 0;
    for (let at = start[small]; at < start[small + 1]; at++) {
      shared += Math.min(bytes[at], weights[template[at]]);
    }
    for (let at = start[large]; at < start[large + 1]; at++) weights[template[at]] = 0;
    const all = total[a] + total[b] - shared;
    return all <= 0 ? 1 : shared / all;
  }
}

/** Orders sequences by more pages, then by length, then by their templates. */
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

/** Maximum number of URLs that a pattern is made of. */
const PATTERN_URLS = 200;

/**
 * Collects URLs and returns the common pattern of the URLs of each schema. A small schema is described by all
 * its URLs, a large one by those with the smallest hashes, which do not depend on the order of pages.
 */
export class SchemaUrls {
  /** URLs of each schema, from 1; and for a large schema also their hashes. */
  readonly #urls: string[][];
  readonly #hashed: Map<number, { hash: string; url: string }[]>;

  constructor(schemas: readonly Schema[]) {
    this.#urls = Array.from({ length: schemas.length + 1 }, () => []);
    const large = schemas.filter(({ pages }) => pages > PATTERN_URLS);
    this.#hashed = new Map(large.map(({ number }) => [number, []]));
  }

  /** Adds the URL of a page of a schema. */
  add(schema: number, url: string): void {
    const hashed = this.#hashed.get(schema);
    if (!hashed) {
      this.#urls[schema].push(url);
      return;
    }
    hashed.push({ hash: hash('md5', url), url });
    if (hashed.length >= 8 * PATTERN_URLS) keepSmallest(hashed);
  }

  /** Returns the common pattern of the URLs of a schema. */
  patternOf(schema: number): string {
    const hashed = this.#hashed.get(schema);
    if (!hashed) return urlPattern(this.#urls[schema]);
    keepSmallest(hashed);
    return urlPattern(hashed.map(({ url }) => url));
  }
}

function keepSmallest(hashed: { hash: string; url: string }[]): void {
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  hashed.length = Math.min(hashed.length, PATTERN_URLS);
}
