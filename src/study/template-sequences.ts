/**
 * Stores pages as sequences of templates, and pages with the same sequence once. Sites have few distinct
 * sequences, so questions about all pages are answered by looking at each sequence.
 */
import { withRoom } from '../model/growing-array.ts';

/** The distinct sequences of templates on the pages of a site. */
export interface TemplateSequences {
  /** Number of distinct templates; they are numbered from 0. */
  templateCount: number;
  /** Number of distinct sequences. */
  count: number;
  /**
   * Templates of sequence `s`: `template[start[s]]` to `template[start[s + 1] - 1]`, in order on the page.
   */
  start: Int32Array;
  template: Int32Array;
  /** Bytes of each entry, summed over the pages of the sequence. */
  bytes: Float64Array;
  /** Offsets of each entry, summed over the pages of the sequence. */
  offsets: Float64Array;
  /** Pages of each sequence. */
  pages: Int32Array;
  /** Sequence of each page, in the order pages were added; -1 for a page without templates. */
  sequenceOf: Int32Array;
}

/** Collects the templates of pages one after another. An entry of a sequence takes twenty bytes. */
export class SequenceCollector {
  /** Hash table of sequences by their templates: sequence numbers from 1; 0 is an empty slot. */
  #slots = new Int32Array(1024);
  #templates = new Int32Array(1024);
  #bytes = new Float64Array(1024);
  #offsets = new Float64Array(1024);
  #starts = new Int32Array(256);
  #pages = new Int32Array(256);
  #sequenceOf = new Int32Array(256);
  #count = 0;
  #pageCount = 0;
  #templateCount = 0;

  /**
   * Adds the templates of a page in order, with their starts and lengths. Returns the number of their
   * sequence, or -1.
   */
  add(templates: readonly number[], offsets: readonly number[], sizes: readonly number[]): number {
    if (templates.length === 0) return this.#addPage(-1);
    const sequence = this.#find(templates);
    const from = this.#starts[sequence];
    for (let k = 0; k < templates.length; k++) {
      this.#bytes[from + k] += sizes[k];
      this.#offsets[from + k] += offsets[k];
    }
    this.#pages[sequence]++;
    return this.#addPage(sequence);
  }

  /**
   * Adds all pages of another collector, whose template `t` is `numberOf[t]` here. Returns the numbers of its
   * sequences.
   */
  merge(others: TemplateSequences, numberOf: Int32Array): Int32Array {
    const { count, start, template, bytes, offsets, pages, sequenceOf } = others;
    const sequences = new Int32Array(count);
    const templates: number[] = [];
    for (let s = 0; s < count; s++) {
      templates.length = 0;
      for (let at = start[s]; at < start[s + 1]; at++) templates.push(numberOf[template[at]]);
      const sequence = this.#find(templates);
      const from = this.#starts[sequence] - start[s];
      for (let at = start[s]; at < start[s + 1]; at++) {
        this.#bytes[from + at] += bytes[at];
        this.#offsets[from + at] += offsets[at];
      }
      this.#pages[sequence] += pages[s];
      sequences[s] = sequence;
    }
    for (const s of sequenceOf) this.#addPage(s < 0 ? -1 : sequences[s]);
    return sequences;
  }

  /** Returns the collected sequences as views, valid until more pages are added. */
  finish(): TemplateSequences {
    const places = this.#starts[this.#count];
    return {
      templateCount: this.#templateCount,
      count: this.#count,
      start: this.#starts.subarray(0, this.#count + 1),
      template: this.#templates.subarray(0, places),
      bytes: this.#bytes.subarray(0, places),
      offsets: this.#offsets.subarray(0, places),
      pages: this.#pages.subarray(0, this.#count),
      sequenceOf: this.#sequenceOf.subarray(0, this.#pageCount),
    };
  }

  #addPage(sequence: number): number {
    const page = this.#pageCount++;
    this.#sequenceOf = withRoom(this.#sequenceOf, this.#pageCount);
    this.#sequenceOf[page] = sequence;
    return sequence;
  }

  /** Returns the number of a sequence; a new sequence gets the next number. */
  #find(templates: readonly number[]): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(templates, 0, templates.length) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      if (this.#isSame(this.#slots[slot] - 1, templates)) return this.#slots[slot] - 1;
    }
    this.#slots[slot] = this.#count + 1;
    return this.#append(templates);
  }

  #isSame(sequence: number, templates: readonly number[]): boolean {
    const from = this.#starts[sequence];
    if (this.#starts[sequence + 1] - from !== templates.length) return false;
    for (let k = 0; k < templates.length; k++) if (this.#templates[from + k] !== templates[k]) return false;
    return true;
  }

  #append(templates: readonly number[]): number {
    const sequence = this.#count++;
    const from = this.#starts[sequence];
    const to = from + templates.length;
    this.#templates = withRoom(this.#templates, to);
    this.#bytes = withRoom(this.#bytes, to);
    this.#offsets = withRoom(this.#offsets, to);
    this.#starts = withRoom(this.#starts, this.#count + 1);
    this.#pages = withRoom(this.#pages, this.#count);
    this.#starts[sequence + 1] = to;
    for (let k = 0; k < templates.length; k++) {
      this.#templates[from + k] = templates[k];
      if (templates[k] >= this.#templateCount) this.#templateCount = templates[k] + 1;
    }
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    return sequence;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    for (let sequence = 0; sequence < this.#count; sequence++) {
      let slot = hashOf(this.#templates, this.#starts[sequence], this.#starts[sequence + 1]);
      for (slot &= slots.length - 1; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1));
      slots[slot] = sequence + 1;
    }
    this.#slots = slots;
  }
}

function hashOf(templates: ArrayLike<number>, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let k = from; k < to; k++) hash = Math.imul(hash ^ templates[k], 0x01000193);
  return hash ^ (hash >>> 15);
}
