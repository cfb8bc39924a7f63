/** What every `learn` does with its pages: one capture per URL, and the span of their times; and how models tell it. */
import { pageKey } from '../model/page-key.ts';
import type { ParsedPage, SiteModel } from './detector.ts';
import type { ByteReader, ByteWriter } from './model-bytes.ts';

export class LearntPages {
  readonly #urls = new Set<string>();
  readonly #captures: boolean;
  firstTime = '';
  lastTime = '';

  /** @param captures whether a page may come several times; it counts once, however its URL is written. @default false */
  constructor({ captures = false } = {}) {
    this.#captures = captures;
  }

  /** Takes note of a page; throws when its URL was seen before, unless captures are taken: counts are over distinct URLs. */
  add({ page }: ParsedPage): void {
    const url = this.#captures ? pageKey(page.url) : page.url;
    if (this.#urls.has(url) && !this.#captures) {
      throw new RangeError(`learn takes one capture per URL (see bottomK), but got two of ${page.url}`);
    }
    this.#urls.add(url);
    if (page.time === '') return;
    if (this.firstTime === '' || page.time < this.firstTime) this.firstTime = page.time;
    if (page.time > this.lastTime) this.lastTime = page.time;
  }

  get count(): number {
    return this.#urls.size;
  }
}

/** What every model begins with. */
export type LearntSite = Pick<SiteModel, 'site' | 'pagesLearnt' | 'firstTime' | 'lastTime'>;

export function writeLearntSite(
  writer: ByteWriter,
  { site, pagesLearnt, firstTime, lastTime }: LearntSite,
): void {
  writer.text(site);
  writer.number(pagesLearnt);
  writer.text(firstTime);
  writer.text(lastTime);
}

export function readLearntSite(reader: ByteReader): LearntSite {
  return {
    site: reader.text(),
    pagesLearnt: reader.number(),
    firstTime: reader.text(),
    lastTime: reader.text(),
  };
}
