/**
 * Labels pages of a folder: chooses the next page, returns its blocks with suggestions and marks, and saves marks
 * as gold rows.
 *
 * A model of a site is learnt once, from up to `SITE_PAGES` of its pages. The same pages are scored, and the least
 * certain come first. That takes one to two seconds per site and is cached for the last few sites.
 */
import { jointDetector } from '../../detect/joint/joint-detector.ts';
import type { JointModel } from '../../detect/joint/joint-model.ts';
import { type JudgedBlock, SiteBlockJudge } from '../../detect/joint/judged-blocks.ts';
import { makeRange } from '../../detect/ranges.ts';
import type { Page } from '../../model/page.ts';
import { type PageCaptureRow, readPageNumbers, readSitePages } from '../../store/explore/read-pages.ts';
import { ArchiveError } from '../folder-archive.ts';
import { type FrameOptions, type FramePiece, renderFrame } from '../frame/render-frame.ts';
import type { Agreement, LabelAnswer, Mark, QueueAnswer, QueuedPage } from '../page-answers.ts';
import type { PageViews } from '../page-views.ts';
import { agreementOf } from './agreement.ts';
import type { LabelFolder } from './label-file.ts';
import { groupBlocks, labelRow, marksOf, suggestMark, uncertaintyOf } from './label-page.ts';

/** Maximum number of pages of a site that are learnt from and offered. */
const SITE_PAGES = 200;
/** Maximum number of sites in the cache. */
const MAX_SITES = 4;

interface LearntSite {
  judge: SiteBlockJudge;
  pages: Omit<QueuedPage, 'marked'>[];
  unread: number;
  reason: string;
}

/** Folder of labels and model of suggestions. */
export interface LabellingOptions {
  views: PageViews;
  folder: LabelFolder;
  /** Model that suggests marks. @default the model of the package */
  model?: JointModel;
}

/** The labelling of one folder. */
export class Labelling {
  readonly folder: LabelFolder;
  readonly #views: PageViews;
  readonly #model: JointModel | undefined;
  readonly #sites = new Map<string, Promise<LearntSite>>();

  constructor({ views, folder, model }: LabellingOptions) {
    this.#views = views;
    this.folder = folder;
    this.#model = model;
  }

  async queue(site: string, annotator: string): Promise<QueueAnswer> {
    const { pages, unread, reason } = await this.#learnt(site);
    const marked = new Map(
      this.folder.rows(annotator).map((row) => [`${row.url} ${row.time ?? ''}`, row.marks.length]),
    );
    return {
      site,
      pages: pages.map((page) => ({ ...page, marked: marked.get(`${page.url} ${page.time}`) ?? 0 })),
      unread,
      reason,
    };
  }

  async page(number: number, annotator: string): Promise<LabelAnswer> {
    const row = await this.#views.row(number);
    const { judge } = await this.#learnt(row.site);
    return this.#views.withPage(row, (page, tree) => {
      const blocks = judge.judge({ page, tree });
      const { row: saved, version } = this.folder.find(annotator, captureOf(page));
      return {
        row,
        blocks: blocks.map((block) => ({ ...block, suggestion: suggestMark(block) })),
        groups: groupBlocks(tree, blocks),
        marks: marksOf(saved, page, blocks).map((mark) => mark ?? null),
        version,
      };
    });
  }

  /** Saves the marks of a page; returns the version for the next save. */
  async save(
    number: number,
    annotator: string,
    { marks, version }: { marks: readonly (Mark | null)[]; version: string },
  ): Promise<string> {
    const row = await this.#views.row(number);
    const { judge } = await this.#learnt(row.site);
    return this.#views.withPage(row, (page, tree) => {
      const blocks = judge.judge({ page, tree });
      if (marks.length !== blocks.length) {
        throw new RangeError(
          `marks must have an entry for each of the ${blocks.length} blocks, not ${marks.length}`,
        );
      }
      const labelled = labelRow(page, tree, blocks, {
        marks: marks.map((mark) => mark ?? undefined),
        annotator,
      });
      return this.folder.save(labelled, version);
    });
  }

  /** Returns the page for a frame, each block in the colour of its mark. */
  async frame(
    number: number,
    annotator: string,
    options: Pick<FrameOptions, 'resourceOf' | 'pickOf'>,
  ): Promise<string> {
    const row = await this.#views.row(number);
    const { judge } = await this.#learnt(row.site);
    return this.#views.withPage(row, (page, tree) => {
      const blocks = judge.judge({ page, tree });
      const marks = marksOf(this.folder.find(annotator, captureOf(page)).row, page, blocks);
      const pieces = piecesOf(page, blocks, marks);
      return renderFrame(tree, { ...options, url: page.url, pieces });
    });
  }

  async agreement(first: string, second: string): Promise<Agreement> {
    const agreement = agreementOf(this.folder.rows(first), this.folder.rows(second));
    const pages = await readPageNumbers(this.#views.tables, agreement.differences);
    return { ...agreement, differences: agreement.differences.map((one, k) => ({ ...one, page: pages[k] })) };
  }

  async close(): Promise<void> {
    for (const site of this.#sites.values()) (await site.catch(() => undefined))?.judge.release();
    this.#sites.clear();
  }

  #learnt(site: string): Promise<LearntSite> {
    const known = this.#sites.get(site);
    const learnt = known ?? this.#learn(site);
    // the least recently used site is removed first
    this.#sites.delete(site);
    this.#sites.set(site, learnt);
    if (!known) learnt.catch(() => this.#sites.delete(site));
    for (const [oldest, old] of this.#sites) {
      if (this.#sites.size <= MAX_SITES) break;
      this.#sites.delete(oldest);
      void old.then(({ judge }) => judge.release());
    }
    return learnt;
  }

  async #learn(site: string): Promise<LearntSite> {
    const views = this.#views;
    const rows = await readSitePages(views.tables, site, { limit: SITE_PAGES });
    if (rows.length === 0) throw new RangeError(`the folder has no site ${site}`);
    const found: { row: PageCaptureRow; page: Page }[] = [];
    let reason = '';
    for (const row of rows) {
      try {
        const page = await views.archive.read(row);
        views.parse(page);
        found.push({ row, page });
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
        reason ||= error.message;
      }
      await breathe();
    }
    if (found.length === 0) throw new ArchiveError(reason);
    const detector = jointDetector(this.#model ? { model: this.#model } : {});
    const model = detector.learn(site, parsedPages(views, found));
    detector.release?.();
    const judge = new SiteBlockJudge(model, this.#model);
    const pages: LearntSite['pages'] = [];
    for (const { row, page } of found) {
      const blocks = judge.judge({ page, tree: views.parse(page) });
      const uncertainty = Math.round(uncertaintyOf(blocks) * 10_000) / 10_000;
      const { page: number, url, time, title } = row;
      if (blocks.length > 0)
        pages.push({ page: number, url, time, title, uncertainty, blocks: blocks.length });
      await breathe();
    }
    pages.sort((a, b) => b.uncertainty - a.uncertainty || a.page - b.page);
    return { judge, pages, unread: rows.length - found.length, reason };
  }
}

function* parsedPages(views: PageViews, found: readonly { page: Page }[]) {
  for (const { page } of found) yield { page, tree: views.parse(page) };
}

/** Yields to other requests. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function captureOf({ url, time }: Page): { url: string; time?: string } {
  return time === '' ? { url } : { url, time };
}

/** Returns blocks, and the text between them, as pieces of a frame. */
function piecesOf(
  page: Page,
  blocks: readonly JudgedBlock[],
  marks: readonly (Mark | undefined)[],
): FramePiece[] {
  const pieces: FramePiece[] = [];
  let at = 0;
  const push = (end: number, piece: Pick<FramePiece, 'tint' | 'why' | 'number'>) => {
    if (end > at) pieces.push({ ...makeRange(at, end, 'content', 0, '', ''), ...piece });
    at = Math.max(at, end);
  };
  const between = { tint: 'between', why: 'no block of text', number: -1 };
  for (const [k, block] of blocks.entries()) {
    push(block.start, between);
    const mark = marks[k];
    const score = `content score ${block.score.toFixed(2)}`;
    const why =
      mark === undefined ? `not marked · suggestion: ${suggestMark(block)} · ${score}` : `${mark} · ${score}`;
    push(block.end, { tint: mark ?? 'unmarked', why, number: k });
  }
  push(page.source.length, between);
  return pieces;
}
