/**
 * Whole templates out of their parts (Gibson, Punera and Tomkins 2005, section 4.3). A header, a menu and a
 * footer are three template hashes that stand apart on a page; pages that hold them in the same order were made
 * from one template. Greedy, phase by phase:
 *
 * - Take the hash that most pages hold; among equals the one that stands nearest to the start, by its average
 *   offset. Put a finger on its first place on each of these pages.
 * - Take the hash that most of these pages hold to the right of the finger, move the fingers, and so on.
 * - Of the prefixes of what was taken, the one that maximises pages × length is a template.
 * - Take it off every page that holds it in order, as often as it does, and start again.
 *
 * The paper leaves open what "occurs most frequently" counts and how prefixes tie: here pages that hold a hash at
 * least once, average offsets over all places before anything was taken off, and the shorter prefix.
 *
 * Cost. A phase looks at the pages that hold its first hash only, and at each of their places at most once:
 * counts to the right of the fingers are kept by taking away what a finger passes. Pages with the same sequence
 * are one, so 100,000 pages of a site cost what its hundreds of sequences do.
 */
import { comesFirst, FrequencyOrder } from './frequency-order.ts';
import type { TemplateSequences } from './template-sequences.ts';

export interface AggregatedTemplate {
  /** Its hashes in order on the page. */
  templates: number[];
  /** Pages that hold it, and how often it was taken off them. */
  pages: number;
  occurrences: number;
  /** Bytes it covers on all of them. */
  bytes: number;
}

export interface AggregateOptions {
  /** Most templates to find. @default all */
  most?: number;
}

export function aggregateTemplates(
  sequences: TemplateSequences,
  { most = Number.POSITIVE_INFINITY }: AggregateOptions = {},
): AggregatedTemplate[] {
  const pool = new Pool(sequences);
  const found: AggregatedTemplate[] = [];
  while (found.length < most) {
    const first = pool.mostFrequent();
    if (first < 0) break;
    found.push(pool.take(pool.grow(first)));
  }
  return found;
}

/** What is left of the pages while templates are taken off them. */
class Pool {
  readonly #pages: Int32Array;
  /** Places in the original sequences that are left: those of sequence `s` lie from `start[s]`, so many as `left[s]`. */
  readonly #places: Int32Array;
  readonly #start: Int32Array;
  readonly #left: Int32Array;
  /** Whether a place that is left is the last one of its hash in its sequence. */
  readonly #isLast: Uint8Array;
  readonly #template: Int32Array;
  readonly #bytes: Float64Array;
  /** Mean offset of each hash over all its places. */
  readonly #offset: Float64Array;
  /** Pages that still hold a hash. */
  readonly #holding: Float64Array;
  /** Sequences that hold or held hash `h`: from `holders[firstHolder[h]]` up to the first of the next. */
  readonly #holders: Int32Array;
  readonly #firstHolder: Int32Array;
  readonly #order: FrequencyOrder;
  /** Pages that hold a hash to the right of the finger, in the phase that is on. */
  readonly #right: Float64Array;
  /** Which sequence, or look at one, a hash was met in last. */
  readonly #seen: Int32Array;
  #stamp = 0;

  constructor({ count, templateCount, start, template, bytes, offsets, pages }: TemplateSequences) {
    this.#pages = pages;
    this.#template = template;
    this.#bytes = bytes;
    this.#places = template.map((_, at) => at);
    this.#start = start;
    this.#left = pages.map((_, s) => start[s + 1] - start[s]);
    this.#holding = new Float64Array(templateCount);
    this.#right = new Float64Array(templateCount);
    this.#seen = new Int32Array(templateCount).fill(-1);
    this.#firstHolder = new Int32Array(templateCount + 1);
    const places = new Float64Array(templateCount);
    this.#offset = new Float64Array(templateCount);
    for (let s = 0; s < count; s++) {
      for (let at = start[s]; at < start[s + 1]; at++) {
        const hash = template[at];
        places[hash] += pages[s];
        this.#offset[hash] += offsets[at];
        if (this.#seen[hash] === s) continue;
        this.#seen[hash] = s;
        this.#holding[hash] += pages[s];
        this.#firstHolder[hash + 1]++;
      }
    }
    for (let hash = 0; hash < templateCount; hash++) {
      this.#offset[hash] /= places[hash] || 1;
      this.#firstHolder[hash + 1] += this.#firstHolder[hash];
    }
    this.#holders = new Int32Array(this.#firstHolder[templateCount]);
    this.#seen.fill(-1);
    const filled = this.#firstHolder.slice();
    for (let s = 0; s < count; s++) {
      for (let at = start[s]; at < start[s + 1]; at++) {
        const hash = template[at];
        if (this.#seen[hash] === s) continue;
        this.#seen[hash] = s;
        this.#holders[filled[hash]++] = s;
      }
    }
    this.#seen.fill(0);
    this.#isLast = new Uint8Array(template.length);
    for (let s = 0; s < count; s++) this.#markLast(s);
    this.#order = new FrequencyOrder(this.#holding, this.#offset);
  }

  /** The hash that most pages hold, -1 when nothing is left. */
  mostFrequent(): number {
    return this.#order.first();
  }

  /** The best prefix of the hashes that follow `first`. */
  grow(first: number): number[] {
    const right = this.#right;
    const candidates = new Set<number>();
    // the pages in play: how far the finger is, among the places that are left
    const open: { sequence: number; at: number }[] = [];
    for (const sequence of this.#holdersOf(first)) {
      const at = this.#find(sequence, first, 0);
      if (at < 0) continue;
      open.push({ sequence, at });
      this.#count(sequence, at + 1, this.#left[sequence], 1, candidates);
    }
    const taken = [first];
    let best = this.#holding[first];
    let bestLength = 1;
    for (;;) {
      const next = this.#mostToTheRight(candidates);
      if (next < 0) break;
      const pages = right[next];
      taken.push(next);
      let kept = 0;
      for (const { sequence, at } of open) {
        const found = this.#find(sequence, next, at + 1);
        const passed = found < 0 ? this.#left[sequence] : found + 1;
        this.#count(sequence, at + 1, passed, -1);
        if (found >= 0) open[kept++] = { sequence, at: found };
      }
      open.length = kept;
      if (pages * taken.length > best) {
        best = pages * taken.length;
        bestLength = taken.length;
      }
    }
    for (const hash of candidates) right[hash] = 0;
    return taken.slice(0, bestLength);
  }

  /** Takes a template off all pages that hold it. */
  take(templates: number[]): AggregatedTemplate {
    const taken: AggregatedTemplate = { templates, pages: 0, occurrences: 0, bytes: 0 };
    for (const sequence of this.#holdersOf(templates[0])) {
      if (this.#find(sequence, templates[0], 0) < 0) continue;
      const before = this.#placesOf(sequence).slice();
      let times = 0;
      for (;;) {
        const matched = this.#match(sequence, templates);
        if (!matched) break;
        times++;
        for (const place of matched) taken.bytes += this.#bytes[place];
        this.#left[sequence] = remove(this.#placesOf(sequence), matched);
      }
      if (times === 0) continue;
      taken.pages += this.#pages[sequence];
      taken.occurrences += times * this.#pages[sequence];
      this.#forget(sequence, before);
    }
    return taken;
  }

  /** Counts away what a sequence held before and holds no more. */
  #forget(sequence: number, before: Int32Array): void {
    this.#markLast(sequence);
    const stamp = this.#stamp; // now on all hashes that are left
    for (const place of before) {
      const hash = this.#template[place];
      if (this.#seen[hash] === stamp) continue;
      this.#seen[hash] = stamp;
      this.#holding[hash] -= this.#pages[sequence];
    }
  }

  /** The places of a template in a sequence, in order; undefined when it does not hold it. */
  #match(sequence: number, templates: number[]): Int32Array | undefined {
    const matched = new Int32Array(templates.length);
    let from = 0;
    for (let k = 0; k < templates.length; k++) {
      const at = this.#find(sequence, templates[k], from);
      if (at < 0) return undefined;
      matched[k] = this.#places[this.#start[sequence] + at];
      from = at + 1;
    }
    return matched;
  }

  #holdersOf(hash: number): Int32Array {
    return this.#holders.subarray(this.#firstHolder[hash], this.#firstHolder[hash + 1]);
  }

  #placesOf(sequence: number): Int32Array {
    const from = this.#start[sequence];
    return this.#places.subarray(from, from + this.#left[sequence]);
  }

  #find(sequence: number, hash: number, from: number): number {
    const places = this.#placesOf(sequence);
    for (let at = from; at < places.length; at++) if (this.#template[places[at]] === hash) return at;
    return -1;
  }

  /** Counts the hashes whose last place lies in [from, to), in or out. */
  #count(sequence: number, from: number, to: number, sign: 1 | -1, candidates?: Set<number>): void {
    const places = this.#placesOf(sequence);
    const weight = sign * this.#pages[sequence];
    for (let at = from; at < to; at++) {
      if (this.#isLast[places[at]] === 0) continue;
      const hash = this.#template[places[at]];
      this.#right[hash] += weight;
      candidates?.add(hash);
    }
  }

  #markLast(sequence: number): void {
    const stamp = ++this.#stamp;
    const places = this.#placesOf(sequence);
    for (let at = places.length - 1; at >= 0; at--) {
      const hash = this.#template[places[at]];
      this.#isLast[places[at]] = this.#seen[hash] === stamp ? 0 : 1;
      this.#seen[hash] = stamp;
    }
  }

  #mostToTheRight(candidates: Set<number>): number {
    let best = -1;
    for (const hash of candidates) {
      if (this.#right[hash] <= 0) continue;
      if (best < 0 || comesFirst(hash, best, this.#right, this.#offset)) best = hash;
    }
    return best;
  }
}

/** Takes some places out, both in order; how many are left. */
function remove(places: Int32Array, gone: Int32Array): number {
  let passed = 0;
  for (let at = 0; at < places.length; at++) {
    if (passed < gone.length && places[at] === gone[passed]) passed++;
    else places[at - passed] = places[at];
  }
  return places.length - passed;
}
