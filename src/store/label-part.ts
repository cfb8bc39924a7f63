/**
 * What one label task leaves: its pages, ranges, texts and problems, the templates it met with the text they have,
 * and the study of the sites that are all in it. Rows gather as columns and are written when there are many, so that
 * memory does not depend on the size of the task.
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

/** Ranges held in memory: 30 bytes each. */
const FLUSH_RANGES = 1_000_000;

export const SIGHTINGS_FILE = 'sightings.parquet';

/** What lies inside the templates of a page by one detector. */
export interface InsideTemplates {
  detector: string;
  htmlBytes: number;
  textBytes: number;
  links: number;
  unsure: boolean;
}

export interface LabelPartOptions {
  draft: string;
  /** Name of the parts in the finished folder, without extension. */
  part: string;
  detectors: readonly string[];
  /** Sites that other tasks have pages of too. @default none */
  sharedSites?: readonly string[];
  /** Whether there are text rows. @default true */
  text?: boolean;
}

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

  /** Adds a page with what each detector found, in the order of the detectors; its ranges come next. */
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
   * Adds the ranges of a page; gives those whose template this task has not met before. The pages of a site follow
   * each other.
   */
  addRanges(page: number, site: string, detector: string, ranges: readonly Range[]): Range[] {
    const fresh = this.#ranges.add(page, site, detector, ranges);
    this.#sequences.add(detector, this.#ranges.found, fresh);
    return fresh;
  }

  /** Whether so many ranges are held that they should be flushed before the next page. */
  get hasManyRanges(): boolean {
    return this.#ranges.rowCount >= FLUSH_RANGES;
  }

  addSighting(row: RowOf<typeof SIGHTING_COLUMNS>): void {
    this.#sightings.add(row);
  }

  /** Adds a text row; its `text`, which is empty there, is given in UTF-8 as it stands between quotes in JSON. */
  addText(row: object, text: Uint8Array): void {
    this.#text?.add(row, text);
  }

  flushRanges(): void {
    const { draft, part } = this.#options;
    const name = this.#rangeFiles++ === 0 ? part : `${part}-${this.#rangeFiles}`;
    this.#ranges.toParquet(join(draft, 'ranges', `${name}.parquet`));
  }

  /** Writes what is left. */
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

/** The columns of one detector. */
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
