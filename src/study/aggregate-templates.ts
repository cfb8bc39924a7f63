/**
 * Assembles whole templates from their parts (Gibson, Punera and Tomkins 2005, section 4.3). A header, a menu
 * and a footer are three separate template hashes on a page; pages that hold them in the same order were made
 * from one template. The algorithm is greedy and works in phases:
 *
 * - Take the hash that most pages hold; ties go to the hash with the smaller average offset. Put a finger on
 *   its first occurrence on each of these pages.
 * - Take the hash that most of these pages hold to the right of the finger, move the fingers, and repeat.
 * - Of all prefixes of the taken hashes, the one that maximises pages × length is a template.
 * - Remove it from every page that holds it in order, as often as the page does, and start the next phase.
 *
 * The paper does not define what "occurs most frequently" counts or how ties between prefixes are resolved.
 * This code counts pages that hold a hash at least once, averages offsets over all occurrences before
 * anything was removed, and prefers the shorter prefix.
 *
 * Cost: a phase visits only the pages that hold its first hash, and each of their positions at most once. It
 * keeps counts of hashes to the right of the fingers by subtracting each hash that a finger passes, and finds
 * the largest count with a heap. Pages with the same sequence are stored once, so 100,000 pages of a site
 * cost as much as its few hundred distinct sequences.
 */
import type { TemplateSequences } from './template-sequences.ts';

/** A whole template: hashes that occur in the same order on several pages. */
export interface AggregatedTemplate {
  /** Template hashes in their order on the page. */
  templates: number[];
  /** Pages that hold the template, and how often it was removed from all of them together. */
  pages: number;
  occurrences: number;
  /** Bytes that the template covers on all pages together. */
  bytes: number;
}

/** Returns the whole templates of a site, at most `most`, in the order in which the phases find them. */
export function aggregateTemplates(
  sequences: TemplateSequences,
  { most = Number.POSITIVE_INFINITY } = {},
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

/** The sequences of a site, from which found templates are removed one after another. */
class Pool {
  readonly #pages: Int32Array;
  /** The remaining entries of sequence `s` are at `[start[s], end[s])`, in order. */
  readonly #start: Int32Array;
  readonly #end: Int32Array;
  /** Hash and bytes of each entry. */
  readonly #hash: Int32Array;
  readonly #bytes: Float64Array;
  /** 1 for the last entry of its hash in its sequence. */
  readonly #isLast: Uint8Array;
  /** Mean offset of each hash over all its occurrences. */
  readonly #offset: Float64Array;
  /** Pages that still hold each hash. */
  readonly #holding: Float64Array;
  /** Sequences that hold or held hash `h`: `holders` at `[firstHolder[h], firstHolder[h + 1])`. */
  readonly #holders: Int32Array;
  readonly #firstHolder: Int32Array;
  readonly #order: FrequencyOrder;
  /** Pages that hold each hash to the right of the finger, in the current phase. */
  readonly #right: Float64Array;
  /** Scratch of the heap that orders hashes in the current phase. */
  readonly #knownRight: Float64Array;
  /** Stamp of the pass that visited each hash last. */
  readonly #seen: Int32Array;
  #stamp = 0;
  /** Sequences that take part in the current phase, and the position of the finger in each. */
  readonly #open: Int32Array;
  readonly #finger: Int32Array;

  constructor({ count, templateCount, start, template, bytes, offsets, pages }: TemplateSequences) {
    this.#pages = pages;
    this.#start = start;
    this.#end = start.slice(1);
    this.#hash = template.slice();
    this.#bytes = bytes.slice();
    this.#open = new Int32Array(count);
    this.#finger = new Int32Array(count);
    this.#holding = new Float64Array(templateCount);
    this.#right = new Float64Array(templateCount);
    this.#knownRight = new Float64Array(templateCount);
    this.#seen = new Int32Array(templateCount).fill(-1);
    this.#firstHolder = new Int32Array(templateCount + 1);
    const occurrences = new Float64Array(templateCount);
    this.#offset = new Float64Array(templateCount);
    for (let s = 0; s < count; s++) {
      for (let at = start[s]; at < start[s + 1]; at++) {
        const hash = template[at];
        occurrences[hash] += pages[s];
        this.#offset[hash] += offsets[at];
        if (this.#seen[hash] === s) continue;
        this.#seen[hash] = s;
        this.#holding[hash] += pages[s];
        this.#firstHolder[hash + 1]++;
      }
    }
    for (let hash = 0; hash < templateCount; hash++) {
      this.#offset[hash] /= occurrences[hash] || 1;
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

  /** Returns the hash that most pages hold, or -1 when no hash is left. */
  mostFrequent(): number {
    return this.#order.first();
  }

  /** Returns the best prefix of the sequence of hashes that begins with `first`. */
  grow(first: number): number[] {
    const open = this.#open;
    const finger = this.#finger;
    const end = this.#end;
    const candidates: number[] = [];
    let openCount = 0;
    for (let k = this.#firstHolder[first]; k < this.#firstHolder[first + 1]; k++) {
      const sequence = this.#holders[k];
      const at = this.#find(sequence, first, this.#start[sequence]);
      if (at < 0) continue;
      open[openCount] = sequence;
      finger[openCount++] = at;
      this.#countIn(sequence, at + 1, candidates);
    }
    const order = new FrequencyOrder(this.#right, this.#offset, candidates.slice(), this.#knownRight);
    const taken = [first];
    let best = this.#holding[first];
    let bestLength = 1;
    for (;;) {
      const next = order.first();
      if (next < 0) break;
      const pages = this.#right[next];
      taken.push(next);
      let kept = 0;
      let longest = 0; // most entries to the right of a finger
      for (let k = 0; k < openCount; k++) {
        const sequence = open[k];
        const found = this.#find(sequence, next, finger[k] + 1);
        this.#countOut(sequence, finger[k] + 1, found < 0 ? end[sequence] : found + 1);
        if (found < 0) continue;
        longest = Math.max(longest, end[sequence] - found - 1);
        open[kept] = sequence;
        finger[kept++] = found;
      }
      openCount = kept;
      if (pages * taken.length > best) {
        best = pages * taken.length;
        bestLength = taken.length;
      }
      // counts never rise, so the longest possible prefix is not better than the best one found
      if (pages * (taken.length + longest) <= best) break;
    }
    for (const hash of candidates) this.#right[hash] = 0;
    return taken.slice(0, bestLength);
  }

  /** Removes a template from all pages that hold it. */
  take(templates: number[]): AggregatedTemplate {
    const taken: AggregatedTemplate = { templates, pages: 0, occurrences: 0, bytes: 0 };
    const matched = new Int32Array(templates.length);
    const [first] = templates;
    for (let k = this.#firstHolder[first]; k < this.#firstHolder[first + 1]; k++) {
      const sequence = this.#holders[k];
      let times = 0;
      for (; this.#match(sequence, templates, matched); times++)
        taken.bytes += this.#remove(sequence, matched);
      if (times === 0) continue;
      taken.pages += this.#pages[sequence];
      taken.occurrences += times * this.#pages[sequence];
      this.#forget(sequence, templates);
    }
    return taken;
  }

  /** Subtracts the pages of a sequence from the counts of those `templates` that it no longer holds. */
  #forget(sequence: number, templates: number[]): void {
    this.#markLast(sequence);
    const stamp = this.#stamp; // every hash that is left in the sequence now has this stamp
    for (const hash of templates) {
      if (this.#seen[hash] === stamp) continue;
      this.#seen[hash] = stamp;
      this.#holding[hash] -= this.#pages[sequence];
    }
  }

  /**
   * Fills `matched` with the positions of the hashes in a sequence, in order; false when the sequence lacks
   * one.
   */
  #match(sequence: number, templates: number[], matched: Int32Array): boolean {
    let from = this.#start[sequence];
    for (let k = 0; k < templates.length; k++) {
      const at = this.#find(sequence, templates[k], from);
      if (at < 0) return false;
      matched[k] = at;
      from = at + 1;
    }
    return true;
  }

  /** Removes entries from a sequence, given by their positions in order, and returns their bytes. */
  #remove(sequence: number, gone: Int32Array): number {
    const hashes = this.#hash;
    const sizes = this.#bytes;
    const end = this.#end[sequence];
    let bytes = 0;
    let passed = 0;
    for (let at = gone[0]; at < end; at++) {
      if (passed < gone.length && at === gone[passed]) {
        bytes += sizes[at];
        passed++;
      } else {
        hashes[at - passed] = hashes[at];
        sizes[at - passed] = sizes[at];
      }
    }
    this.#end[sequence] = end - passed;
    return bytes;
  }

  #find(sequence: number, hash: number, from: number): number {
    const hashes = this.#hash;
    const end = this.#end[sequence];
    for (let at = from; at < end; at++) if (hashes[at] === hash) return at;
    return -1;
  }

  /**
   * Counts hashes whose last entry in a sequence is at `from` or later, and adds newly counted ones to
   * `candidates`.
   */
  #countIn(sequence: number, from: number, candidates: number[]): void {
    const right = this.#right;
    const pages = this.#pages[sequence];
    const end = this.#end[sequence];
    for (let at = from; at < end; at++) {
      if (this.#isLast[at] === 0) continue;
      const hash = this.#hash[at];
      if (right[hash] === 0) candidates.push(hash);
      right[hash] += pages;
    }
  }

  /** Subtracts hashes whose last entry in a sequence is in `[from, to)`. */
  #countOut(sequence: number, from: number, to: number): void {
    const pages = this.#pages[sequence];
    for (let at = from; at < to; at++) if (this.#isLast[at] === 1) this.#right[this.#hash[at]] -= pages;
  }

  #markLast(sequence: number): void {
    const stamp = ++this.#stamp;
    const start = this.#start[sequence];
    for (let at = this.#end[sequence] - 1; at >= start; at--) {
      const hash = this.#hash[at];
      this.#isLast[at] = this.#seen[hash] === stamp ? 0 : 1;
      this.#seen[hash] = stamp;
    }
  }
}

/** Orders hashes by more pages, then by smaller mean offset, then by number. */
function comesFirst(a: number, b: number, pages: Float64Array, offset: Float64Array): boolean {
  if (pages[a] !== pages[b]) return pages[a] > pages[b];
  if (offset[a] !== offset[b]) return offset[a] < offset[b];
  return a < b;
}

/**
 * A heap with the most frequent hash on top. Counts never rise, so an outdated entry sinks when it reaches
 * the top.
 */
class FrequencyOrder {
  readonly #holding: Float64Array;
  readonly #heap: number[];
  readonly #count: Float64Array; // counts when the heap last ordered its entries
  readonly #offset: Float64Array;

  /**
   * Takes over the list `hashes`, by default all hashes with pages; `scratch` belongs to the heap while it is
   * in use.
   */
  constructor(
    holding: Float64Array,
    offset: Float64Array,
    hashes = Array.from(holding, (_, hash) => hash).filter((hash) => holding[hash] > 0),
    scratch: Float64Array = new Float64Array(holding.length),
  ) {
    this.#holding = holding;
    this.#offset = offset;
    this.#count = scratch;
    this.#heap = hashes;
    for (const hash of hashes) scratch[hash] = holding[hash];
    for (let at = (this.#heap.length >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  first(): number {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined) return -1;
      if (this.#count[top] === this.#holding[top] && this.#holding[top] > 0) return top;
      this.#count[top] = this.#holding[top];
      if (this.#holding[top] <= 0) {
        const last = this.#heap.pop()!;
        if (this.#heap.length === 0) return -1;
        this.#heap[0] = last;
      }
      this.#sink(0);
    }
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const hash = heap[from];
    for (let at = from; ; ) {
      let child = 2 * at + 1;
      if (child >= heap.length) {
        heap[at] = hash;
        return;
      }
      const other = child + 1;
      if (other < heap.length && comesFirst(heap[other], heap[child], this.#count, this.#offset))
        child = other;
      if (!comesFirst(heap[child], hash, this.#count, this.#offset)) {
        heap[at] = hash;
        return;
      }
      heap[at] = heap[child];
      at = child;
    }
  }
}
