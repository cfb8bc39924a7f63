/**
 * The templates of a model: counted while learning, and what a label says about each, made once: a page has dozens of ranges, and most say what a range of the
 * page before said. Ids are kept by template, scores and reasons by number of pages.
 */
import { hashId, parseHashId } from '../analysis/byte-hash.ts';
import { HashCounter } from '../analysis/hash-tables.ts';
import type { Range, Template } from '../model/range.ts';
import type { SiteModel } from './detector.ts';
import { type ByteReader, type ByteWriter, ModelFormatError } from './model-bytes.ts';
import { makeRange, shareScore } from './ranges.ts';

/** Numbers of pages that room is made for in advance. */
const MOST_COUNTS = 1000;

type Said = Pick<Range, 'score' | 'reason'>;

export class TemplateRanges {
  readonly #templates: Template[];
  /** Templates by hash: the number of each is its place in the model. */
  readonly #numbers = new HashCounter();
  readonly #pagesLearnt: number;
  readonly #thresholdPages: number;
  readonly #ofWhole: (Said | undefined)[]; // by number of pages
  readonly #ofParts: (Said | undefined)[];

  constructor({ templates, pagesLearnt, thresholdPages }: SiteModel & { thresholdPages: number }) {
    for (const { id } of templates) {
      const { low, high } = parseHashId(id);
      this.#numbers.add(low, high, 0);
    }
    this.#templates = templates;
    this.#pagesLearnt = pagesLearnt;
    this.#thresholdPages = thresholdPages;
    // filled at once: an array that comes to hold objects later is of another kind to V8, with every model anew
    const counts = Math.min(pagesLearnt, MOST_COUNTS) + 1;
    this.#ofWhole = new Array<Said | undefined>(counts).fill(undefined);
    this.#ofParts = new Array<Said | undefined>(counts).fill(undefined);
  }

  /**
   * The range of a template, by its hash. `partPages`: every part of it is on at least so many pages. `wholePages`:
   * those that hold all of it, when that is known; the model may know it otherwise.
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
    const { score, reason } = this.#say(wholePages ?? known?.pages, partPages);
    return makeRange(start, end, 'template', score, known?.id ?? hashId(low, high), reason);
  }

  #say(wholePages: number | undefined, partPages: number): Said {
    const pages = wholePages ?? partPages;
    const said = wholePages === undefined ? this.#ofParts : this.#ofWhole;
    return (said[pages] ??= {
      score: shareScore(pages, this.#thresholdPages, this.#pagesLearnt),
      reason: `${wholePages === undefined ? 'its parts on at least' : 'on'} ${pages} of ${this.#pagesLearnt} pages`,
    });
  }
}

/** Collects the templates met on the sampled pages: how often, on how many pages, how large. */
export class TemplateCounter {
  readonly #counter = new HashCounter();
  /** By number of the template: bytes of all its occurrences. */
  readonly #sizes: number[] = [];

  add(low: number, high: number, page: number, sizeBytes: number): void {
    const number = this.#counter.add(low, high, page);
    if (number === this.#sizes.length) this.#sizes.push(sizeBytes);
    else this.#sizes[number] += sizeBytes;
  }

  /** The templates on at least `least` pages, or with so many occurrences, most pages first; sizes are means. */
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

export function writeTemplates(writer: ByteWriter, templates: readonly Template[]): void {
  writer.number(templates.length);
  for (const { id, pages, occurrences, sizeBytes } of templates) {
    writer.bytes(Buffer.from(id, 'hex'));
    writer.number(pages);
    writer.number(occurrences - pages);
    writer.number(sizeBytes);
  }
}

export function readTemplates(reader: ByteReader): Template[] {
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
