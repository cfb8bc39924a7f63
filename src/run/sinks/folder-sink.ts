/** The sink of an output folder: writes labelled pages to its parts. */
import { PageKeys } from '../../model/page-key.ts';
import type { Range } from '../../model/range.ts';
import { PageTargets } from '../../parse/page-targets.ts';
import { TextCursor } from '../../parse/source-map.ts';
import { LabelPart } from '../../store/label-part.ts';
import { measureShares } from '../../study/shares.ts';
import { TemplatePlaces } from '../../study/template-place.ts';
import { addTextRow } from '../../view/rows.ts';
import { renderJsonText } from '../../view/visible-text.ts';
import type { Job } from '../job.ts';
import type { LabelTask } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import type { LabelSink, SinkPage } from './label-sink.ts';
import { describePage, renderContent } from './page-rows.ts';
import { rangeLinks, rangeText } from './range-excerpt.ts';
import { SampledPages } from './sampled-pages.ts';

/** Writes labelled pages to the tables of an output folder. */
export class FolderSink implements LabelSink {
  readonly #part: LabelPart;
  readonly #job: Job;
  readonly #keys = new PageKeys();
  readonly #sampled: SampledPages;

  constructor({ draft, task }: { draft: string; task: LabelTask }) {
    const { part, job, sharedSites } = task;
    this.#part = new LabelPart({ draft, part, detectors: job.detectors, sharedSites });
    this.#job = job;
    this.#sampled = new SampledPages(draft, job.annotated);
  }

  add(labelled: SinkPage, clock: Clock): void {
    const { planned, page, tree, verdicts, problems, snapshot } = labelled;
    const part = this.#part;
    const { ranges } = verdicts[0];
    const { title, metadata } = describePage(labelled);
    const { markdown } = renderContent({ page, tree, ranges }, this.#job.markdown ? ['markdown'] : []);
    // last, because its bytes are valid only until the next text is rendered
    const text = renderJsonText(tree, ranges);
    clock.lap('render');

    const row = addTextRow({ page: planned.page, snapshot }, page, { title, metadata, text: '', markdown });
    part.addText(row, text);
    const pageRow = {
      page: planned.page,
      site: page.site,
      snapshot,
      url: page.url,
      url_key: this.#keys.of(page.url),
      time: page.time,
      title,
      file: page.file,
      entry: page.entry ?? '',
      offset: page.offset,
      length: page.length,
      record_id: page.recordId,
      payload_digest: page.payloadDigest,
      charset: page.charset,
      mime: page.mime,
      html_bytes: tree.source.length,
      text_bytes: tree.textLength,
      links: tree.linkCount,
      nodes: tree.nodeCount,
      exact: tree.exact,
      problems: [...new Set(problems.map(({ code }) => code))].sort().join(' '),
    };
    const { linksBy } = this.#job;
    const inside = verdicts.map(({ detector, ranges, unsure }) => {
      const shares = measureShares(tree, ranges, { linksBy });
      return {
        detector,
        htmlBytes: shares.templateHtmlBytes,
        textBytes: shares.templateTextBytes,
        links: shares.templateLinks,
        unsure,
      };
    });
    part.addPage(pageRow, inside);
    for (const { detector, ranges } of verdicts) {
      const fresh = part.addRanges(planned.page, page.site, detector, ranges);
      if (fresh.length > 0) this.#describe(labelled, { detector, ranges, fresh });
    }
    if (part.hasManyRanges) part.flushRanges();
    this.#sampled.add(labelled, pageRow.url_key);
    clock.lap('write');
  }

  /** Records templates that are new to the task, with their text, links and place on this page. */
  #describe(
    { planned, page, tree }: SinkPage,
    { detector, ranges, fresh }: { detector: string; ranges: readonly Range[]; fresh: readonly Range[] },
  ): void {
    const { site, url } = page;
    const links = new PageTargets(tree, { url, siteRule: this.#job.site });
    const cursor = new TextCursor(tree);
    const places = new TemplatePlaces(tree, ranges);
    for (const range of fresh) {
      const { template, start, end } = range;
      const text = rangeText(tree, start, end, { cursor });
      const inside = rangeLinks(links, start, end);
      const targets = inside.targets.join('\n');
      this.#part.addSighting({
        site,
        detector,
        template,
        page: planned.page,
        text,
        links: inside.links,
        targets,
        ...places.of(range),
      });
    }
  }

  close(): void {
    this.#sampled.close();
    this.#part.close();
  }
}
