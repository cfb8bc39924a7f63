/**
 * Writes a page and records the label of each byte, so labels are exact by construction and nothing is
 * searched for afterwards. Text of one label is collected in a run. When the label changes, the run is
 * encoded at the end of the page and its range recorded. The buffer is reused from page to page.
 */

/**
 * True label of a byte of a generated page. `template`: the site's boilerplate and its markup. `content`: the
 * text of the page, with comments, and its markup. `slot`: bytes inside a template that change from page to
 * page or from day to day (dates, counters, ads). `teaser`: a page's own box of related pages. `frame`: tags
 * that surround several of these, the doctype and the structure of the head.
 */
export const TRUTH_LABELS = ['template', 'content', 'slot', 'teaser', 'frame'] as const;
/** Name of a true label. */
export type TruthLabel = (typeof TRUTH_LABELS)[number];

/** A span `[start, end)` of the UTF-8 source with one label; the ranges of a page tile it. */
export interface TruthRange {
  start: number;
  end: number;
  label: TruthLabel;
}

/** A generated page with its true labels. */
export interface TruthPage {
  source: Uint8Array;
  truth: TruthRange[];
}

/** Writes labelled pages one after another. */
export class LabelWriter {
  #buffer = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  #run = '';
  #label: TruthLabel = 'frame';
  #truth: TruthRange[] = [];
  readonly #change: (markup: string) => string;

  /** @param change applied to the markup of every run, for example to make tag soup. */
  constructor(change: (markup: string) => string = (markup) => markup) {
    this.#change = change;
  }

  template(markup: string): this {
    return this.write('template', markup);
  }

  content(markup: string): this {
    return this.write('content', markup);
  }

  slot(markup: string): this {
    return this.write('slot', markup);
  }

  teaser(markup: string): this {
    return this.write('teaser', markup);
  }

  frame(markup: string): this {
    return this.write('frame', markup);
  }

  /** Appends markup with a label. */
  write(label: TruthLabel, markup: string): this {
    if (label !== this.#label) {
      this.#flush();
      this.#label = label;
    }
    this.#run += markup;
    return this;
  }

  /** Returns the finished page and resets the writer for the next one. */
  finish(): TruthPage {
    this.#flush();
    const source = new Uint8Array(this.#buffer.subarray(0, this.#length));
    const truth = this.#truth;
    this.#length = 0;
    this.#truth = [];
    this.#label = 'frame';
    return { source, truth };
  }

  #flush(): void {
    if (this.#run === '') return;
    const markup = this.#change(this.#run);
    this.#run = '';
    if (markup === '') return;
    this.#reserve(markup.length * 3);
    const start = this.#length;
    const end = start + this.#buffer.write(markup, start, 'utf8');
    this.#length = end;
    // a run that the change emptied can leave two adjacent ranges with one label
    const previous = this.#truth.at(-1);
    if (previous?.label === this.#label) previous.end = end;
    else this.#truth.push({ start, end, label: this.#label });
  }

  #reserve(extraBytes: number): void {
    if (this.#length + extraBytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + extraBytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
