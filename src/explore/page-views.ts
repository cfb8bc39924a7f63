/**
 * Prepares one page of a folder for the explorer: the ranges of each detector with their texts, the clean text and
 * Markdown, the document for a frame, and its other captures with their changes. Pages are read again from their
 * archive; without it, the data of the folder are still shown, and `archive` has the reason.
 */
import type { Range } from '../model/range.ts';
import {
  type FolderTables,
  type PageCaptureRow,
  readPageCaptures,
  readPageRow,
  readRanges,
  readStoredText,
} from '../store/explore/read-pages.ts';
import { ArchiveError, type FolderArchive } from './folder-archive.ts';
import type { FramePlace } from './frame/frame-addresses.ts';
import type { DetectorAnswer, PageAnswer } from './page-answers.ts';
import { PageThreads, type PageThreadsOptions } from './page-threads.ts';
import { describeRanges, type WorkInput, type WorkName, type WorkValue } from './page-work.ts';

/** Thrown when the folder has no page of that number. */
export class NoSuchPage extends Error {
  constructor(page: number) {
    super(`the folder has no page ${page}`);
  }
}

/** Reads the data of single pages. */
export class PageViews {
  readonly tables: FolderTables;
  readonly archive: FolderArchive;
  readonly threads: PageThreads;

  constructor(
    tables: FolderTables,
    archive: FolderArchive,
    options: Omit<PageThreadsOptions, 'limits'> = {},
  ) {
    this.tables = tables;
    this.archive = archive;
    const limits = tables.run.options.limits as PageThreadsOptions['limits'];
    this.threads = new PageThreads({ ...options, limits });
  }

  async row(page: number): Promise<PageCaptureRow> {
    const row = await readPageRow(this.tables, page);
    if (!row) throw new NoSuchPage(page);
    return row;
  }

  /** Reads pages again and does a work on them in a thread. */
  async work<Name extends WorkName>(
    name: Name,
    rows: readonly PageCaptureRow[],
    input: WorkInput<Name>,
  ): Promise<WorkValue<Name>> {
    const pages = await Promise.all(rows.map((row) => this.archive.read(row)));
    return this.threads.run(name, pages, input);
  }

  async describe(number: number): Promise<PageAnswer> {
    const row = await this.row(number);
    const [verdicts, captures] = await Promise.all([
      readRanges(this.tables, number),
      readPageCaptures(this.tables, row),
    ]);
    let archive = '';
    let detectors: DetectorAnswer[] | undefined;
    try {
      detectors = await this.work('describe', [row], { verdicts });
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      archive = error.message;
    }
    return {
      row,
      archive,
      detectors: detectors ?? verdicts.map((verdict) => describeRanges(verdict)),
      captures: captures.map(({ page, time, url, htmlBytes }) => ({ page, time, url, htmlBytes })),
    };
  }

  /** Returns text and Markdown by one detector; without the archive, the text in the folder. */
  async text(number: number, detector: string): Promise<{ text: string; markdown: string; archive: string }> {
    const row = await this.row(number);
    const ranges = await this.#rangesBy(number, detector);
    try {
      return { ...(await this.work('text', [row], { ranges })), archive: '' };
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      const isFirst = detector === this.tables.run.options.detectors[0];
      const text = isFirst ? await readStoredText(this.tables, number) : '';
      return { text, markdown: '', archive: error.message };
    }
  }

  /** Returns the document for a frame. */
  async frame(detector: string, place: FramePlace): Promise<string> {
    const row = await this.row(place.page);
    return this.work('frame', [row], { ranges: await this.#rangesBy(place.page, detector), place });
  }

  /** Ends the threads and closes the archives. */
  async close(): Promise<void> {
    await this.threads.close();
    await this.archive.close();
  }

  async #rangesBy(number: number, detector: string): Promise<Range[]> {
    const verdicts = await readRanges(this.tables, number);
    const verdict = verdicts.find((one) => one.detector === detector);
    if (verdict) return verdict.ranges;
    throw new RangeError(
      `detector must be one of ${verdicts.map((one) => one.detector).join(', ')}, not "${detector}"`,
    );
  }
}

/** Returns the document that a frame shows when the page cannot be read again. */
export function missingFrame(message: string): string {
  const text = message.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Not available</title></head><body style="font:15px/1.5 system-ui,sans-serif;margin:3em;max-width:40em"><h1 style="font-size:1.2em">The page cannot be shown</h1><p>${text}</p></body></html>`;
}
