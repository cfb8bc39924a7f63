/**
 * The schemas of a site: pages that carry the same templates in the same order were made alike (Gibson, Punera and
 * Tomkins 2005, section 5.1). Sites have few, but a date line that is missing here and there would split them:
 * so the commonest sequences lead, and a sequence that shares enough of its bytes with a leader joins it.
 *
 * Likeness of two sequences: bytes of the templates they share in the same order-free count, over the bytes of all
 * templates of either (weighted Jaccard). The commonest sequence leads first, so the result does not depend on the
 * order of pages. A sequence is compared with the leaders that hold one of its largest templates only.
 *
 * Cost. On a site where every page has a template of its own there are as many leaders as pages, and all of them
 * hold the site's largest templates. But of two sequences that are alike, the rarest template they share is among the
 * rarest of either that make up what they may differ in: leaders are found by those. Linear in
 * sequences for all practical purposes; 12 bytes a place.
 */

import { hash } from 'node:crypto';
import type { TemplateSequences } from './template-sequences.ts';
import { urlPattern } from './url-pattern.ts';

export interface Schema {
  /** From 1, the most pages first. */
  number: number;
  pages: number;
  /** The sequence that leads it: its templates in order. */
  leader: number;
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

/** Leaders must have one of a sequence's so many largest templates among theirs. */
const LOOKED_UP = 4;
/** What sums of shares may be wrong by, for having been rounded. */
const ROUNDING = 1e-9;

export function findSchemas(sequences: TemplateSequences, { likeness = 0.8 }: SchemaOptions = {}): Schemas {
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
  // sorting keeps the order of the leaders, which decides among equals
  const ranked = order.filter((s) => leaderOf[s] === s).sort((a, b) => pagesOf[b] - pagesOf[a]);
  const numberOfLeader = new Int32Array(count);
  for (const [k, leader] of ranked.entries()) numberOfLeader[leader] = k + 1;
  return {
    schemas: ranked.map((leader, k) => ({ number: k + 1, pages: pagesOf[leader], leader })),
    numberOf: sequenceOf.map((s) => (s < 0 ? 0 : numberOfLeader[leaderOf[s]])),
    likenessOf: Float32Array.from(sequenceOf, (s) => (s < 0 ? 0 : alike[s])),
  };
}

/** The distinct templates of every sequence with their mean bytes. */
class Bags {
  /** Those of sequence `s`: `template[start[s]]` to `template[start[s + 1] - 1]`, by first place. */
  readonly start: Int32Array;
  readonly template: Int32Array;
  readonly bytes: Float64Array;
  /** Of each sequence all bytes, and the largest templates, -1 where it has fewer. */
  readonly total: Float64Array;
  readonly largest: Int32Array;
  /** All templates, those in fewest sequences first, and the place of each among them. */
  readonly byRarity: Int32Array;
  readonly rarity: Int32Array;

  constructor({ count, templateCount, start, template, bytes, pages }: TemplateSequences) {
    this.start = new Int32Array(count + 1);
    this.template = new Int32Array(template.length);
    this.bytes = new Float64Array(template.length);
    this.total = new Float64Array(count);
    this.largest = new Int32Array(count * LOOKED_UP).fill(-1);
    const holders = new Int32Array(templateCount); // sequences that hold each template
    const placeOf = new Int32Array(templateCount); // in the bag that is being filled
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

  /** The places of the largest templates first; of equals the smaller number. */
  #rankLargest(s: number, from: number, end: number): void {
    const { template, bytes, largest } = this;
    const first = s * LOOKED_UP;
    const ranked: number[] = []; // places
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
  /** By one of the rarest templates of each. */
  readonly #byTemplate = new Map<number, number[]>();
  /** When each came, from 1; 0 for one that leads nothing. */
  readonly #since: Int32Array;
  /** Which sequence a leader was compared with last, plus one. */
  readonly #seen: Int32Array;
  /** Bytes by template of the larger bag of a comparison; zeros between. */
  readonly #weights: Float64Array;
  /** Of the templates of a sequence, by rarity. */
  readonly #ranks: Int32Array;
  #count = 0;
  /** How like its leader the last sequence is. */
  nearestLikeness = 0;

  constructor(bags: Bags, likeness: number) {
    this.#bags = bags;
    this.#likeness = likeness;
    this.#since = new Int32Array(bags.total.length);
    this.#seen = new Int32Array(bags.total.length);
    this.#weights = new Float64Array(bags.rarity.length);
    this.#ranks = new Int32Array(bags.rarity.length);
  }

  /** The leader most like a sequence; itself, from now on one, when none is like it. */
  nearest(s: number): number {
    const telling = this.#tellingTemplates(s);
    let best = -1;
    let bestLikeness = 0;
    let bestRank = 0;
    for (const template of telling) {
      for (const leader of this.#byTemplate.get(template) ?? []) {
        if (this.#seen[leader] === s + 1) continue;
        this.#seen[leader] = s + 1;
        const rank = this.#sharedRank(s, leader);
        if (rank < 0 || !this.#canBeLike(s, leader)) continue;
        const found = this.#compare(s, leader);
        if (found < this.#likeness || found < bestLikeness) continue;
        // among equals the one that shares the larger template, then the one that came first
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
    for (const template of telling) {
      const known = this.#byTemplate.get(template);
      if (known) known.push(s);
      else this.#byTemplate.set(template, [s]);
    }
    return s;
  }

  /** The rarest templates of a sequence, more bytes than it may have beyond what it shares with its like. */
  #tellingTemplates(s: number): number[] {
    const { start, template, bytes, total, byRarity, rarity } = this.#bags;
    const weights = this.#weights;
    const ranks = this.#ranks.subarray(0, start[s + 1] - start[s]);
    for (let at = start[s]; at < start[s + 1]; at++) {
      ranks[at - start[s]] = rarity[template[at]];
      weights[template[at]] = bytes[at];
    }
    ranks.sort();
    const most = total[s] * (1 - this.#likeness + ROUNDING);
    const telling: number[] = [];
    for (let k = 0, sum = 0; k < ranks.length && sum <= most; k++) {
      const rare = byRarity[ranks[k]];
      telling.push(rare);
      sum += weights[rare];
    }
    for (let at = start[s]; at < start[s + 1]; at++) weights[template[at]] = 0;
    return telling;
  }

  /** Which of the largest templates of a sequence is the first that is one of a leader's; -1 for none. */
  #sharedRank(s: number, leader: number): number {
    const { largest } = this.#bags;
    for (let k = 0; k < LOOKED_UP; k++) {
      const template = largest[s * LOOKED_UP + k];
      if (template < 0) return -1;
      for (let j = 0; j < LOOKED_UP; j++) if (largest[leader * LOOKED_UP + j] === template) return k;
    }
    return -1;
  }

  /** Whether their sizes allow it. */
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

/** URLs that a pattern is made of. */
const PATTERN_URLS = 200;

/**
 * What the URLs of each schema of a site have in common. A small schema is described by all its URLs, a large one by those
 * with the smallest hashes, which do not depend on the order of pages.
 */
export class SchemaUrls {
  /** By schema, from 1: its URLs, and of a large schema their hashes. */
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
