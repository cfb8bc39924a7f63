/**
 * Labels pages of a folder: chooses the next page, returns its blocks with suggestions and marks, and saves marks
 * as gold rows. Pages are judged in threads (page-work.ts).
 *
 * A model of a site is learnt once, from up to `SITE_PAGES` of its pages. The same pages are scored, and the least
 * certain come first. That takes one to two seconds per site and is cached for the last few sites.
 */
import type { JointSiteModel } from '../../detect/joint/joint-detector.ts';
import type { Page } from '../../model/page.ts';
import { type PageCaptureRow, readPageNumbers, readSitePages } from '../../store/explore/read-pages.ts';
import { ArchiveError } from '../folder-archive.ts';
import type { FramePlace } from '../frame/frame-addresses.ts';
import type { Agreement, LabelAnswer, Mark, QueueAnswer, QueuedPage } from '../page-answers.ts';
import type { PageViews } from '../page-views.ts';
import { agreementOf } from './agreement.ts';
import type { LabelFolder } from './label-file.ts';

/** Maximum number and bytes of pages of a site that are learnt from and offered. */
const SITE_PAGES = 200;
const SITE_BYTES = 64 * 1024 * 1024;
/** Maximum number of sites in the cache. */
const MAX_SITES = 4;

interface LearntSite {
  model: JointSiteModel;
  pages: Omit<QueuedPage, 'marked'>[];
  unread: number;
  reason: string;
}

/** The labelling of one folder. */
export class Labelling {
  readonly folder: LabelFolder;
  readonly #views: PageViews;
  readonly #sites = new Map<string, Promise<LearntSite>>();

  constructor(views: PageViews, folder: LabelFolder) {
    this.#views = views;
    this.folder = folder;
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
    const { row, model } = await this.#modelOf(number);
    const { row: saved, version } = this.folder.find(annotator, row);
    return { row, ...(await this.#views.work('blocks', [row], { model, saved })), version };
  }

  /** Saves the marks of a page; returns the version for the next save. */
  async save(
    number: number,
    annotator: string,
    { marks, version }: { marks: readonly (Mark | null)[]; version: string },
  ): Promise<string> {
    const { row, model } = await this.#modelOf(number);
    const labelled = await this.#views.work('row', [row], { model, marks, annotator });
    if (labelled.row) return this.folder.save(labelled.row, version);
    throw new RangeError(
      `marks must have an entry for each of the ${labelled.blocks} blocks, not ${marks.length}`,
    );
  }

  /** Returns the page for a frame, each block in the colour of its mark. */
  async frame(annotator: string, place: FramePlace): Promise<string> {
    const { row, model } = await this.#modelOf(place.page);
    const { row: saved } = this.folder.find(annotator, row);
    return this.#views.work('labelFrame', [row], { model, saved, place });
  }

  async agreement(first: string, second: string): Promise<Agreement> {
    const agreement = agreementOf(this.folder.rows(first), this.folder.rows(second));
    const pages = await readPageNumbers(this.#views.tables, agreement.differences);
    return { ...agreement, differences: agreement.differences.map((one, k) => ({ ...one, page: pages[k] })) };
  }

  async #modelOf(number: number): Promise<{ row: PageCaptureRow; model: JointSiteModel }> {
    const row = await this.#views.row(number);
    return { row, model: (await this.#learnt(row.site)).model };
  }

  #learnt(site: string): Promise<LearntSite> {
    const learnt = this.#sites.get(site) ?? this.#learn(site);
    // the least recently used site is removed first
    this.#sites.delete(site);
    this.#sites.set(site, learnt);
    learnt.catch(() => this.#sites.delete(site));
    if (this.#sites.size > MAX_SITES) this.#sites.delete(this.#sites.keys().next().value!);
    return learnt;
  }

  async #learn(site: string): Promise<LearntSite> {
    const { tables, archive, threads } = this.#views;
    const rows = await readSitePages(tables, site, { limit: SITE_PAGES });
    if (rows.length === 0) throw new RangeError(`the folder has no site ${site}`);
    const found: { row: PageCaptureRow; page: Page }[] = [];
    let unreadReason = '';
    let bytes = 0;
    for (const row of rows) {
      bytes += row.htmlBytes;
      if (bytes > SITE_BYTES && found.length > 0) break;
      try {
        found.push({ row, page: await archive.read(row) });
      } catch (error) {
        if (!(error instanceof ArchiveError)) throw error;
        unreadReason ||= error.message;
      }
      await breathe();
    }
    if (found.length === 0) throw new ArchiveError(unreadReason);
    const pages = found.map(({ page }) => page);
    const { model, pages: judged, reason } = await threads.run('learn', pages, { site });
    const queued = judged.flatMap(({ index, blocks, uncertainty }) => {
      const { page, url, time, title } = found[index].row;
      return blocks === 0 ? [] : [{ page, url, time, title, uncertainty, blocks }];
    });
    queued.sort((a, b) => b.uncertainty - a.uncertainty || a.page - b.page);
    return { model, pages: queued, unread: rows.length - judged.length, reason: unreadReason || reason };
  }
}

/** Yields to other requests. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
