/**
 * Pages of each site and snapshot whose appearance the report shows: their wireframes and, on request, their annotated
 * views. They are the pages with the smallest hashes of their keys, so that tasks, workers and order do not matter, and
 * snapshots of a site tend to show the same URLs.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LayoutEstimator } from '../../layout/estimate.ts';
import { ANNOTATED_FOLDER, annotatedFile, type SampledPage, SampledPart } from '../../store/sampled-part.ts';
import { wireframeOf } from '../../study/wireframe.ts';
import { annotatePage } from '../../view/annotate-page.ts';
import type { SinkPage } from './label-sink.ts';

/** Pages of a site and snapshot that get a wireframe. */
const WIRED_PAGES = 4;

interface HeldPage extends SampledPage {
  annotated?: string;
}

/** Selects pages of each site and snapshot, and writes their wireframes and annotated views. */
export class SampledPages {
  readonly #draft: string;
  readonly #annotated: number;
  readonly #part = new SampledPart();
  readonly #estimator = new LayoutEstimator();
  #group = '';
  /** Selected pages of the current group, smallest hashes first. */
  #held: HeldPage[] = [];

  /** `annotated` is the most pages of a site and snapshot that get an annotated view. */
  constructor(draft: string, annotated: number) {
    this.#draft = draft;
    this.#annotated = annotated;
  }

  /** Adds a page; the pages of a group are consecutive. */
  add({ planned, page, tree, snapshot, verdicts }: SinkPage, urlKey: string): void {
    const group = `${snapshot} ${page.site}`;
    if (group !== this.#group) this.#flush();
    this.#group = group;
    const hash = createHash('md5').update(urlKey).digest('hex');
    const { detector, ranges } = verdicts[0];
    const at = this.#placeOf(hash);
    if (at >= Math.max(WIRED_PAGES, this.#annotated)) return;
    const boxes = this.#estimator.estimate(tree);
    this.#held.splice(at, 0, {
      site: page.site,
      snapshot,
      page: planned.page,
      hash,
      pageHeight: Math.round(boxes.pageHeight),
      boxes: wireframeOf(tree, boxes, ranges),
      ...(at < this.#annotated
        ? { annotated: annotatePage(tree, ranges, page, { detector, indexHref: '../report.html' }).html }
        : {}),
    });
    this.#held.length = Math.min(this.#held.length, Math.max(WIRED_PAGES, this.#annotated));
  }

  close(): void {
    this.#flush();
    this.#part.write(this.#draft);
  }

  /** Position of a page by its hash; of several captures of a page, the first is used. */
  #placeOf(hash: string): number {
    if (this.#held.some((each) => each.hash === hash)) return Number.POSITIVE_INFINITY;
    const at = this.#held.findIndex((each) => each.hash > hash);
    return at < 0 ? this.#held.length : at;
  }

  #flush(): void {
    for (const [at, { annotated, ...page }] of this.#held.entries()) {
      if (at < WIRED_PAGES) this.#part.add(page);
      if (annotated === undefined || at >= this.#annotated) continue;
      const folder = join(this.#draft, ANNOTATED_FOLDER);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, annotatedFile(page.page)), annotated);
    }
    this.#held = [];
  }
}
