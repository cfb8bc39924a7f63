/**
 * Writes the result of one label task: its pages, ranges, texts and problems, the templates of its pages with their
 * texts, and the study of the sites whose pages are all in this task. Rows are written when enough have gathered,
 * so that memory does not depend on the size of the task.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Range } from '../model/range.ts';
import type { Column } from './column.ts';
import { TextRows } from './json-rows.ts';
import { RangeRows } from './range-rows.ts';
import { SEQUENCES_FILE, SequencePart } from './sequence-part.ts';
import { StudyPart } from './study/study-part.ts';
import type { RowOf } from './table.ts';
import { TableRows } from './table-rows.ts';
import { PAGE_COLUMNS, type PageColumns, pageColumns, SIGHTING_COLUMNS } from './tables.ts';

/** Maximum number of ranges held in memory, of 30 bytes each. */
const FLUSH_RANGES = 1_000_000;

/** File of a task with the first page of each template (`SIGHTING_COLUMNS`). */
export const SIGHTINGS_FILE = 'sightings.parquet';

/** Bytes and links inside the templates of a page, by one detector. */
export interface InsideTemplates {
  detector: string;
  htmlBytes: number;
  textBytes: number;
  links: number;
  unsure: boolean;
}

/** Options of a `LabelPart`. */
export interface LabelPartOptions {
  /** Folder of the attempt's files. */
  draft: string;
  /** Name of the parts in the finished folder, without extension. */
  part: string;
  detectors: readonly string[];
  /** Sites with pages in other tasks too. @default none */
  sharedSites?: readonly string[];
  /** Whether to write text rows. @default true */
  text?: boolean;
}

/** Gathers the rows of one label task and writes them as files of its attempt. */
export class LabelPart {
  readonly #options: LabelPartOptions;
  readonly #pages: TableRows<PageColumns>;
  /** Columns of a page that do not depend on the detectors. */
  readonly #ownColumns: readonly Column[];
  readonly #detectorColumns: readonly ReturnType<typeof columnsOf>[];
  readonly #ranges = new RangeRows();
  readonly #sightings = new TableRows(SIGHTING_COLUMNS);
  readonly #sequences = new SequencePart();
  readonly #text: TextRows | undefined;
  #rangeFiles = 0;

  constructor(options: LabelPartOptions) {
    const { draft, part, detectors, text = true } = options;
    this.#options = options;
    this.#pages = new TableRows(pageColumns(detectors));
    this.#ownColumns = this.#pages.list.slice(0, Object.keys(PAGE_COLUMNS).length);
    this.#detectorColumns = detectors.map((detector) => columnsOf(this.#pages, detector));
    for (const kind of ['pages', 'ranges', 'text']) mkdirSync(join(draft, kind), { recursive: true });
    if (text) this.#text = new TextRows(join(draft, 'text', `${part}.jsonl.gz`));
  }

  /** Adds a page with the figures of each detector, in the order of `detectors`. Its ranges must be added next. */
  addPage(row: RowOf<typeof PAGE_COLUMNS>, inside: readonly InsideTemplates[]): void {
    this.#sequences.beginPage(row);
    const number = this.#pages.begin(row, this.#ownColumns);
    for (let k = 0; k < inside.length; k++) {
      const columns = this.#detectorColumns[k];
      const { htmlBytes, textBytes, links, unsure } = inside[k];
      columns.htmlBytes.set(number, htmlBytes);
      columns.textBytes.set(number, textBytes);
      columns.links.set(number, links);
      columns.unsure.set(number, unsure);
      columns.htmlShare.set(number, share(htmlBytes, row.html_bytes));
      columns.textShare.set(number, share(textBytes, row.text_bytes));
      columns.linkShare.set(number, share(links, row.links));
    }
  }

  /**
   * Adds the ranges of a page. Returns the ranges whose template this task meets for the first time. The pages of
   * one site must be consecutive.
   */
  addRanges(page: number, site: string, detector: string, ranges: readonly Range[]): Range[] {
    const fresh = this.#ranges.add(page, site, detector, ranges);
    this.#sequences.add(detector, this.#ranges.found, fresh);
    return fresh;
  }

  /** Whether the ranges should be flushed before the next page. */
  get hasManyRanges(): boolean {
    return this.#ranges.rowCount >= FLUSH_RANGES;
  }

  addSighting(row: RowOf<typeof SIGHTING_COLUMNS>): void {
    this.#sightings.add(row);
  }

  /** Adds a text row. `row.text` must be empty; `text` is the UTF-8 of its JSON string without the quotes. */
  addText(row: object, text: Uint8Array): void {
    this.#text?.add(row, text);
  }

  flushRanges(): void {
    const { draft, part } = this.#options;
    const name = this.#rangeFiles++ === 0 ? part : `${part}-${this.#rangeFiles}`;
    this.#ranges.toParquet(join(draft, 'ranges', `${name}.parquet`));
  }

  /** Writes all remaining rows and the studies of the sites. */
  close(): void {
    const { draft, part, sharedSites = [] } = this.#options;
    if (this.#ranges.rowCount > 0 || this.#rangeFiles === 0) this.flushRanges();
    this.#ranges.close();
    this.#pages.toParquet(join(draft, 'pages', `${part}.parquet`));
    this.#sightings.toParquet(join(draft, SIGHTINGS_FILE));
    this.#sequences.write(join(draft, SEQUENCES_FILE), sharedSites);
    const study = new StudyPart(draft);
    for (const site of this.#sequences.studies(sharedSites)) study.add(site);
    study.close();
    this.#text?.close();
  }
}

/** Returns the columns of one detector. */
function columnsOf({ columns }: TableRows<PageColumns>, detector: string) {
  return {
    htmlBytes: columns[`${detector}_html_bytes`],
    textBytes: columns[`${detector}_text_bytes`],
    links: columns[`${detector}_links`],
    unsure: columns[`${detector}_unsure`],
    htmlShare: columns[`${detector}_html_share`],
    textShare: columns[`${detector}_text_share`],
    linkShare: columns[`${detector}_link_share`],
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
