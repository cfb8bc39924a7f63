/**
 * Prepares one page of a folder for the explorer: the ranges of each detector with their texts, the clean text and
 * Markdown, the document for a frame, and its other captures with their changes. Pages are read again from their
 * archive; without it, the data of the folder are still shown, and `archive` has the reason.
 */
import type { Page } from '../model/page.ts';
import type { Range } from '../model/range.ts';
import { TextCursor } from '../parse/source-map.ts';
import type { Tree } from '../parse/tree.ts';
import { roleName } from '../report/role-name.ts';
import { PageParser } from '../run/pages/page-parser.ts';
import {
  type FolderTables,
  type PageCaptureRow,
  readPageCaptures,
  readPageRow,
  readRanges,
  readStoredText,
} from '../store/explore/read-pages.ts';
import { renderMarkdown } from '../view/markdown.ts';
import { lineOfText } from '../view/node-path.ts';
import { renderText } from '../view/visible-text.ts';
import { ArchiveError, type FolderArchive } from './folder-archive.ts';
import { type FrameOptions, type FramePiece, renderFrame } from './frame/render-frame.ts';
import type { DetectorAnswer, PageAnswer } from './page-answers.ts';

const EXCERPT_CHARACTERS = 160;

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
  readonly #parser: PageParser;

  constructor(tables: FolderTables, archive: FolderArchive) {
    this.tables = tables;
    this.archive = archive;
    this.#parser = new PageParser(tables.run.options.limits as ConstructorParameters<typeof PageParser>[0]);
  }

  async row(page: number): Promise<PageCaptureRow> {
    const row = await readPageRow(this.tables, page);
    if (!row) throw new NoSuchPage(page);
    return row;
  }

  /** Reads and parses a page and calls `work` at once, because its tree is valid only until the next page. */
  async withPage<T>(row: PageCaptureRow, work: (page: Page, tree: Tree) => T): Promise<T> {
    const page = await this.archive.read(row);
    return work(page, this.parse(page));
  }

  parse(page: Page): Tree {
    this.#parser.start();
    const parsed = this.#parser.parse(page);
    if (parsed.kind === 'page') return parsed.tree;
    throw new ArchiveError(parsed.problems[0]?.message ?? parsed.code);
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
      detectors = await this.withPage(row, (_, tree) =>
        verdicts.map(({ detector, ranges }) => describeRanges(detector, ranges, tree)),
      );
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      archive = error.message;
    }
    return {
      row,
      archive,
      detectors: detectors ?? verdicts.map(({ detector, ranges }) => describeRanges(detector, ranges)),
      captures: captures.map(({ page, time, url, htmlBytes }) => ({ page, time, url, htmlBytes })),
    };
  }

  /** Returns text and Markdown by one detector; without the archive, the text in the folder. */
  async text(number: number, detector: string): Promise<{ text: string; markdown: string; archive: string }> {
    const row = await this.row(number);
    const ranges = await this.#rangesBy(number, detector);
    try {
      return await this.withPage(row, (page, tree) => ({
        text: renderText(tree, ranges),
        markdown: renderMarkdown(tree, ranges, page),
        archive: '',
      }));
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      const isFirst = detector === this.tables.run.options.detectors[0];
      const text = isFirst ? await readStoredText(this.tables, number) : '';
      return { text, markdown: '', archive: error.message };
    }
  }

  /** Returns the document for a frame. */
  async frame(
    number: number,
    detector: string,
    options: Pick<FrameOptions, 'resourceOf' | 'pickOf'>,
  ): Promise<string> {
    const row = await this.row(number);
    const ranges = await this.#rangesBy(number, detector);
    const pieces = ranges.map(
      (range, k): FramePiece => ({ ...range, tint: range.label, why: describeRange(range), number: k }),
    );
    return this.withPage(row, (page, tree) => renderFrame(tree, { ...options, url: page.url, pieces }));
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

/** Returns a description such as `template · menu · on 187 of 200 pages · score 0.94`. */
function describeRange({ label, reason, score, role }: Range): string {
  return [label, role ? roleName(role) : '', reason, `score ${score.toFixed(2)}`]
    .filter((part) => part !== '')
    .join(' · ');
}

function describeRanges(detector: string, ranges: readonly Range[], tree?: Tree): DetectorAnswer {
  const none = () => ({ template: 0, slot: 0, content: 0, unsure: 0 });
  const answer: DetectorAnswer = { detector, ranges: [], bytes: none(), text: none() };
  const cursor = tree && new TextCursor(tree);
  let from = 0;
  for (const range of ranges) {
    const to = cursor?.positionOf(range.end) ?? 0;
    const excerpt = tree ? lineOfText(tree, from, to, EXCERPT_CHARACTERS) : '';
    answer.ranges.push({ ...range, excerpt, textBytes: Math.max(0, to - from) });
    answer.bytes[range.label] += range.end - range.start;
    answer.text[range.label] += Math.max(0, to - from);
    from = Math.max(from, to);
  }
  return answer;
}

/** Returns the document that a frame shows when the page cannot be read again. */
export function missingFrame(message: string): string {
  const text = message.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Not available</title></head><body style="font:15px/1.5 system-ui,sans-serif;margin:3em;max-width:40em"><h1 style="font-size:1.2em">The page cannot be shown</h1><p>${text}</p></body></html>`;
}
