/**
 * Pages as the sequences of the templates on them, pages with the same sequence once: sites have few, and what
 * is asked of all pages is answered by asking each sequence.
 */

export interface TemplateSequences {
  /** Distinct templates, which are numbered from 0. */
  templateCount: number;
  /** Distinct sequences. */
  count: number;
  /** Templates of sequence `s`: `template[start[s]]` to `template[start[s + 1] - 1]`, in order on the page. */
  start: Int32Array;
  template: Int32Array;
  /** Bytes of that template at that place, summed over the pages of the sequence. */
  bytes: Float64Array;
  /** Offsets of that template at that place, summed over the pages of the sequence. */
  offsets: Float64Array;
  /** Pages of each sequence. */
  pages: Int32Array;
  /** The sequence of each page, in the order they were added; -1 for one without a template. */
  sequenceOf: Int32Array;
}

/** Takes the templates of one page after another. */
export class SequenceCollector {
  readonly #known = new Map<string, number>();
  readonly #templates: number[] = [];
  readonly #bytes: number[] = [];
  readonly #offsets: number[] = [];
  readonly #starts: number[] = [0];
  readonly #pages: number[] = [];
  readonly #sequenceOf: number[] = [];
  #templateCount = 0;

  /** The templates of a page in order, where each starts and how long it is. */
  add(templates: readonly number[], offsets: readonly number[], sizes: readonly number[]): void {
    if (templates.length === 0) {
      this.#sequenceOf.push(-1);
      return;
    }
    const key = templates.join();
    let sequence = this.#known.get(key);
    if (sequence === undefined) {
      sequence = this.#pages.length;
      this.#known.set(key, sequence);
      for (const template of templates) {
        this.#templates.push(template);
        this.#bytes.push(0);
        this.#offsets.push(0);
        if (template >= this.#templateCount) this.#templateCount = template + 1;
      }
      this.#starts.push(this.#templates.length);
      this.#pages.push(0);
    }
    const from = this.#starts[sequence];
    for (let k = 0; k < templates.length; k++) {
      this.#bytes[from + k] += sizes[k];
      this.#offsets[from + k] += offsets[k];
    }
    this.#pages[sequence]++;
    this.#sequenceOf.push(sequence);
  }

  finish(): TemplateSequences {
    return {
      templateCount: this.#templateCount,
      count: this.#pages.length,
      start: Int32Array.from(this.#starts),
      template: Int32Array.from(this.#templates),
      bytes: Float64Array.from(this.#bytes),
      offsets: Float64Array.from(this.#offsets),
      pages: Int32Array.from(this.#pages),
      sequenceOf: Int32Array.from(this.#sequenceOf),
    };
  }
}
