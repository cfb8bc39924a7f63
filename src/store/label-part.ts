/**
 * What one label task leaves: its pages, ranges, texts and problems, the templates it met with the text they have,
 * and what is told of the sites that are all in it. Rows gather as columns and are written when there are many, so that
 * memory does not depend on the size of the task.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Range } from '../model/range.ts';
import { ColumnBuffer, type Value } from './column-buffer.ts';
import { ProblemBuffer } from './problem-parts.ts';
import { RangeRows } from './range-rows.ts';
import { pageSchema, SIGHTING_SCHEMA } from './schema.ts';
import { SEQUENCES_FILE, SequencePart } from './sequence-part.ts';
import { StudyPart } from './study/study-part.ts';
import { COUNTS_FILE } from './survey-part.ts';
import { TextRows } from './text-rows.ts';

/** Ranges held in memory: 30 bytes each. */
const FLUSH_RANGES = 1_000_000;

export const SIGHTINGS_FILE = 'sightings.parquet';

export interface PageRow {
  page: number;
  site: string;
  snapshot: string;
  url: string;
  urlKey: string;
  time: string;
  title: string;
  file: string;
  entry: string;
  offset: number;
  length: number;
  recordId: string;
  payloadDigest: string;
  charset: string;
  mime: string;
  htmlBytes: number;
  textBytes: number;
  links: number;
  nodes: number;
  exact: boolean;
  problems: string[];
  /** What lies inside templates, in the order of the detectors. */
  inside: { htmlBytes: number; textBytes: number; links: number; unsure: boolean }[];
}

/** A template on the first page of a task that shows it. */
export interface Sighting {
  site: string;
  detector: string;
  template: string;
  page: number;
  text: string;
  links: number;
  /** Where those lead that stay on the site, each once. */
  targets: string[];
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
  readonly #pages: ColumnBuffer;
  readonly #ranges = new RangeRows();
  readonly #sightings = new ColumnBuffer(SIGHTING_SCHEMA);
  readonly #sequences = new SequencePart();
  readonly #problems = new ProblemBuffer();
  readonly #text: TextRows | undefined;
  #rangeFiles = 0;

  constructor(options: LabelPartOptions) {
    const { draft, part, detectors, text = true } = options;
    this.#options = options;
    this.#pages = new ColumnBuffer(pageSchema(detectors));
    for (const kind of ['pages', 'ranges', 'text']) mkdirSync(join(draft, kind), { recursive: true });
    if (text) this.#text = new TextRows(join(draft, 'text', `${part}.jsonl.gz`));
  }

  /** Adds a page; its ranges come next. */
  addPage(row: PageRow): void {
    this.#sequences.beginPage(row);
    const values: Value[] = [
      row.page,
      row.site,
      row.snapshot,
      row.url,
      row.urlKey,
      row.time,
      row.title,
      row.file,
      row.entry,
      row.offset,
      row.length,
      row.recordId,
      row.payloadDigest,
      row.charset,
      row.mime,
      row.htmlBytes,
      row.textBytes,
      row.links,
      row.nodes,
      row.exact,
      row.problems.join(' '),
    ];
    for (const { htmlBytes, textBytes, links, unsure } of row.inside) {
      values.push(htmlBytes, textBytes, links, unsure);
    }
    for (const { htmlBytes, textBytes, links } of row.inside) {
      values.push(share(htmlBytes, row.htmlBytes), share(textBytes, row.textBytes), share(links, row.links));
    }
    this.#pages.addRow(values);
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

  addSighting({ site, detector, template, page, text, links, targets }: Sighting): void {
    this.#sightings.add(site, detector, template, page, text, links, targets.join('\n'));
  }

  /** Adds a text row; its `text`, which is empty there, is given in UTF-8 as it stands between quotes in JSON. */
  addText(row: object, text: Uint8Array): void {
    this.#text?.add(row, text);
  }

  addProblem(problem: Problem): void {
    this.#problems.add(problem);
  }

  flushRanges(): void {
    const { draft, part } = this.#options;
    const name = this.#rangeFiles++ === 0 ? part : `${part}-${this.#rangeFiles}`;
    this.#ranges.toParquet(join(draft, 'ranges', `${name}.parquet`));
  }

  /** Writes what is left, and beside it the counts, asked for when all else is written. */
  close(counts: () => object): void {
    const { draft, part, sharedSites = [] } = this.#options;
    if (this.#ranges.rowCount > 0 || this.#rangeFiles === 0) this.flushRanges();
    this.#ranges.close();
    this.#pages.toParquet(join(draft, 'pages', `${part}.parquet`));
    this.#sightings.toParquet(join(draft, SIGHTINGS_FILE));
    this.#sequences.write(join(draft, SEQUENCES_FILE), sharedSites);
    const study = new StudyPart(draft);
    for (const site of this.#sequences.studies(sharedSites)) study.add(site);
    study.close();
    this.#problems.write(draft);
    this.#text?.close();
    writeFileSync(join(draft, COUNTS_FILE), JSON.stringify(counts()));
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
