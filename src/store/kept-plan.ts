/**
 * A plan of not too many pages, taken out of the database as columns: some 150 bytes a page, where objects take 500.
 * To ask the database for the pages, groups and samples of a task takes it 15 ms however few they are, and tasks do
 * not come in the order of their pages.
 */
import type { Capture } from '../model/page.ts';
import type { Database } from './database.ts';
import type { PlannedGroup } from './plan.ts';
import { choosePages, type PlannedPage, readValues } from './planned-page.ts';

/** Pages whose texts are taken out at once. */
const AT_ONCE = 16_384;
/** Characters of the URLs that are kept, of all pages together; revisits that are. */
const MOST_URL_CHARACTERS = 8 * 1024 * 1024;
const MOST_REVISITS = 8192;

export class KeptPlan {
  readonly pageCount: number;
  readonly #group: Uint32Array;
  readonly #input: Uint32Array;
  readonly #offset: Float64Array;
  readonly #length: Float64Array;
  readonly #url: string[] = [];
  readonly #time: string[] = [];
  readonly #file = new RepeatedTexts();
  readonly #entry = new RepeatedTexts();
  /** By page. */
  readonly #as = new Map<number, Capture>();
  #groups: PlannedGroup[] = [];
  /** Pages of the samples of all groups, and where those of a group begin. */
  #samples: number[] = [];
  #samplesStart: number[] = [];

  private constructor(pageCount: number) {
    this.pageCount = pageCount;
    this.#group = new Uint32Array(pageCount);
    this.#input = new Uint32Array(pageCount);
    this.#offset = new Float64Array(pageCount);
    this.#length = new Float64Array(pageCount);
  }

  /** Undefined when it would take much more memory than plans of so many pages do. */
  static async read(database: Database, pageCount: number): Promise<KeptPlan | undefined> {
    const kept = new KeptPlan(pageCount);
    const revisits = await kept.#readNumbers(database);
    if (revisits > MOST_REVISITS || !(await kept.#readTexts(database))) return undefined;
    if (revisits > 0) {
      for (const { page, as } of await choosePages(database, 'revisit')) if (as) kept.#as.set(page, as);
    }
    await kept.#readGroups(database);
    return kept;
  }

  /** The pages numbered from `first`, 1 or more, up to, not including, `end`. */
  pages(first: number, end: number): PlannedPage[] {
    const pages: PlannedPage[] = [];
    for (let page = first; page < end && page <= this.pageCount; page++) pages.push(this.page(page));
    return pages;
  }

  page(page: number): PlannedPage {
    const k = page - 1;
    const entry = this.#entry.at(k);
    const offset = this.#offset[k];
    const length = this.#length[k];
    const file = this.#file.at(k);
    const planned: PlannedPage = {
      page,
      group: this.#group[k],
      site: this.#groups[this.#group[k]].site,
      input: this.#input[k],
      at: entry === '' ? { file, offset, length } : { file, entry, offset, length },
      url: this.#url[k],
      time: this.#time[k],
    };
    const as = this.#as.get(page);
    if (as) planned.as = as;
    return planned;
  }

  *sizes(pageCount: number): Generator<{ page: number; group: number; bytes: number }> {
    for (let k = 0; k < pageCount; k++) yield { page: k + 1, group: this.#group[k], bytes: this.#length[k] };
  }

  groups(first: number, end: number): PlannedGroup[] {
    return this.#groups.slice(first, end);
  }

  /** Numbers of the pages that are candidates for the samples of some groups, in their order. */
  samples(firstGroup: number, endGroup: number): number[] {
    return this.#samples.slice(this.#samplesStart[firstGroup], this.#samplesStart[endGroup]);
  }

  /** How many pages are revisits. */
  async #readNumbers(database: Database): Promise<number> {
    const sql = `SELECT page, group_id, at_input, at_offset::DOUBLE, at_length::DOUBLE, revisit::UTINYINT FROM plan`;
    let revisits = 0;
    for await (const { columns, rowCount } of database.numbers(sql)) {
      const [pageOf, groupOf, inputOf, offsetOf, lengthOf, isRevisit] = columns;
      for (let row = 0; row < rowCount; row++) {
        const k = pageOf[row] - 1;
        this.#group[k] = groupOf[row];
        this.#input[k] = inputOf[row];
        this.#offset[k] = offsetOf[row];
        this.#length[k] = lengthOf[row];
        revisits += isRevisit[row];
      }
    }
    return revisits;
  }

  /** False when they are too long. */
  async #readTexts(database: Database): Promise<boolean> {
    let urlCharacters = 0;
    for (let first = 1; first <= this.pageCount; first += AT_ONCE) {
      const condition = `page >= ${first} AND page < ${first + AT_ONCE}`;
      type Texts = [page: number, url: string, time: string, file: string, entry: string];
      const rows = await readValues<Texts>(
        database,
        ['page', 'url', 'time', 'at_file', 'at_entry'],
        condition,
      );
      rows.sort((a, b) => a[0] - b[0]);
      for (const [, url, time, file, entry] of rows) {
        this.#url.push(url);
        this.#time.push(time);
        this.#file.push(file);
        this.#entry.push(entry);
        urlCharacters += url.length;
      }
      if (urlCharacters > MOST_URL_CHARACTERS) return false;
    }
    return true;
  }

  async #readGroups(database: Database): Promise<void> {
    this.#groups = await database.rows<PlannedGroup>(
      'SELECT group_id AS "group", site, snapshot FROM groups ORDER BY group_id',
    );
    const numbers = 'SELECT group_id, page FROM samples ORDER BY group_id, place';
    for await (const { columns, rowCount } of database.numbers(numbers)) {
      const [groupOf, pageOf] = columns;
      for (let row = 0; row < rowCount; row++) {
        while (this.#samplesStart.length <= groupOf[row]) this.#samplesStart.push(this.#samples.length);
        this.#samples.push(pageOf[row]);
      }
    }
    this.#samplesStart.push(this.#samples.length);
  }
}

/** Texts by number, those that repeat the one before at the cost of a number. */
class RepeatedTexts {
  readonly #texts: string[] = [];
  readonly #codes: number[] = [];

  push(text: string): void {
    if (this.#texts.at(-1) !== text) this.#texts.push(text);
    this.#codes.push(this.#texts.length - 1);
  }

  at(k: number): string {
    return this.#texts[this.#codes[k]];
  }
}
