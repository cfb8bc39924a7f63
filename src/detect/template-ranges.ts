/**
 * The templates of a model: counts them while learning, and builds their ranges while labelling. A page has
 * dozens of ranges, and most repeat ranges of earlier pages, so ids are cached by template, and scores and
 * reasons by number of pages.
 */
import { hashId, parseHashId } from '../analysis/byte-hash.ts';
import { HashCounter } from '../analysis/hash-tables.ts';
import type { Range, Template } from '../model/range.ts';
import type { SiteModel } from './detector.ts';
import { ModelFormatError, type ModelReader, type ModelWriter } from './model-bytes.ts';
import { makeRange, shareScore } from './ranges.ts';

/** Maximum number of page counts for which the cache is allocated in advance. */
const MAX_COUNTS = 1000;

type RangeFigures = Pick<Range, 'score' | 'reason'>;

/** Builds the ranges of a model's templates. */
export class TemplateRanges {
  readonly #templates: Template[];
  /** Templates by hash; the number of each is its index in the model. */
  readonly #numbers = new HashCounter();
  readonly #pagesLearnt: number;
  readonly #thresholdPages: number;
  readonly #ofWhole: (RangeFigures | undefined)[]; // by number of pages
  readonly #ofParts: (RangeFigures | undefined)[];

  constructor({ templates, pagesLearnt, thresholdPages }: SiteModel & { thresholdPages: number }) {
    for (const { id } of templates) {
      const { low, high } = parseHashId(id);
      this.#numbers.add(low, high, 0);
    }
    this.#templates = templates;
    this.#pagesLearnt = pagesLearnt;
    this.#thresholdPages = thresholdPages;
    // filled at once, because V8 changes the kind of an array that receives objects later, for every model
    const counts = Math.min(pagesLearnt, MAX_COUNTS) + 1;
    this.#ofWhole = new Array<RangeFigures | undefined>(counts).fill(undefined);
    this.#ofParts = new Array<RangeFigures | undefined>(counts).fill(undefined);
  }

  /**
   * Returns the range of a template, by its hash. Every part of it is on at least `partPages` pages.
   * `wholePages` is the number of pages with all of it, if known; otherwise the model may have it.
   */
  range(
    start: number,
    end: number,
    low: number,
    high: number,
    partPages: number,
    wholePages?: number,
  ): Range {
    const at = this.#numbers.numberOf(low, high);
    const known = at < 0 ? undefined : this.#templates[at];
    const { score, reason } = this.#figuresOf(wholePages ?? known?.pages, partPages);
    return makeRange(start, end, 'template', score, known?.id ?? hashId(low, high), reason);
  }

  #figuresOf(wholePages: number | undefined, partPages: number): RangeFigures {
    const pages = wholePages ?? partPages;
    const said = wholePages === undefined ? this.#ofParts : this.#ofWhole;
    return (said[pages] ??= {
      score: shareScore(pages, this.#thresholdPages, this.#pagesLearnt),
      reason: `${wholePages === undefined ? 'its parts on at least' : 'on'} ${pages} of ${this.#pagesLearnt} pages`,
    });
  }
}

/** Counts the templates of the sampled pages: occurrences, pages and sizes. */
export class TemplateCounter {
  readonly #counter = new HashCounter();
  /** By number of the template: bytes of all its occurrences. */
  readonly #sizes: number[] = [];

  /** Counts an occurrence of a template, by its hash, on page number `page`. */
  add(low: number, high: number, page: number, sizeBytes: number): void {
    const number = this.#counter.add(low, high, page);
    if (number === this.#sizes.length) this.#sizes.push(sizeBytes);
    else this.#sizes[number] += sizeBytes;
  }

  /**
   * Returns the templates on at least `least` pages, or with as many occurrences, most pages first; sizes are
   * means.
   */
  templates(least: number, by: 'pages' | 'occurrences' = 'pages'): Template[] {
    const { low, high, pages, occurrences } = this.#counter.select(least, by);
    const templates: Template[] = [];
    for (let i = 0; i < low.length; i++) {
      const id = hashId(low[i], high[i]);
      const allBytes = this.#sizes[this.#counter.numberOf(low[i], high[i])];
      const sizeBytes = Math.round(allBytes / occurrences[i]);
      templates.push({ id, pages: pages[i], occurrences: occurrences[i], sizeBytes });
    }
    return templates.sort((a, b) => b.pages - a.pages || (a.id < b.id ? -1 : 1));
  }
}

/** Writes the templates of a model; `pages` must not increase. */
export function encodeTemplates(writer: ModelWriter, templates: readonly Template[]): void {
  writer.number(templates.length);
  for (const { id, pages, occurrences, sizeBytes } of templates) {
    writer.bytes(Buffer.from(id, 'hex'));
    writer.number(pages);
    writer.number(occurrences - pages);
    writer.number(sizeBytes);
  }
}

/** Reads the templates of a model; throws a ModelFormatError when they are out of order. */
export function decodeTemplates(reader: ModelReader): Template[] {
  const templates: Template[] = [];
  for (let rest = reader.length(11); rest > 0; rest--) {
    const id = Buffer.from(reader.bytes(8)).toString('hex');
    const pages = reader.number();
    templates.push({ id, pages, occurrences: pages + reader.number(), sizeBytes: reader.number() });
  }
  for (let i = 1; i < templates.length; i++) {
    if (templates[i].pages > templates[i - 1].pages) throw new ModelFormatError('templates are out of order');
  }
  return templates;
}
