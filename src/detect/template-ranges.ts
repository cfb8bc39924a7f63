/**
 * What a label says about a template, made once: a page has dozens of ranges, and most say what a range of the
 * page before said. Ids are kept by template, scores and reasons by number of pages.
 */
import { hashId, parseHashId } from '../analysis/byte-hash.ts';
import { HashTable } from '../analysis/hash-tables.ts';
import type { Range, Template } from '../model/range.ts';
import type { SiteModel } from './detector.ts';
import { makeRange, shareScore } from './ranges.ts';

/** Numbers of pages that room is made for in advance. */
const MOST_COUNTS = 1000;

type Said = Pick<Range, 'score' | 'reason'>;

export class TemplateRanges {
  readonly #templates: Template[];
  readonly #table: HashTable;
  readonly #pagesLearnt: number;
  readonly #thresholdPages: number;
  readonly #ofWhole: (Said | undefined)[]; // by number of pages
  readonly #ofParts: (Said | undefined)[];

  constructor({ templates, pagesLearnt, thresholdPages }: SiteModel & { thresholdPages: number }) {
    const low = new Int32Array(templates.length);
    const high = new Int32Array(templates.length);
    for (const [i, { id }] of templates.entries()) {
      const lanes = parseHashId(id);
      low[i] = lanes.low;
      high[i] = lanes.high;
    }
    this.#templates = templates;
    this.#table = new HashTable(low, high);
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
    const at = this.#table.find(low, high);
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
