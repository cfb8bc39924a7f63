/**
 * Writes a page while recording what each byte is for: truth is exact by construction, nothing is ever
 * searched for afterwards. Text of one label is gathered into a run; when the label changes the run is
 * encoded behind the page and its range noted. The buffer is reused from page to page.
 */

/**
 * What a byte of a generated page is for: `template` the site's boilerplate and its markup; `content` what
 * the page says, comments included, and its markup; `slot` bytes inside a template that change from page
 * to page or from day to day (dates, counters, ads); `teaser` a page's own box of related pages; `frame`
 * tags that surround several of these, the doctype and the scaffolding of the head.
 */
export const TRUTH_LABELS = ['template', 'content', 'slot', 'teaser', 'frame'] as const;
export type TruthLabel = (typeof TRUTH_LABELS)[number];

/** A stretch `[start, end)` of the UTF-8 source; the ranges of a page tile it. */
export interface TruthRange {
  start: number;
  end: number;
  label: TruthLabel;
}

export interface LabelledPage {
  source: Uint8Array;
  truth: TruthRange[];
}

export class LabelWriter {
  #buffer = Buffer.allocUnsafe(1 << 16);
  #length = 0;
  #run = '';
  #label: TruthLabel = 'frame';
  #truth: TruthRange[] = [];
  readonly #change: (markup: string) => string;

  /** @param change applied to the markup of every run, as tag soup is. */
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

  write(label: TruthLabel, markup: string): this {
    if (label !== this.#label) {
      this.#flush();
      this.#label = label;
    }
    this.#run += markup;
    return this;
  }

  /** The page so far; the writer is then empty and ready for the next one. */
  finish(): LabelledPage {
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
    // a run that the change emptied can leave two neighbours of one label
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
