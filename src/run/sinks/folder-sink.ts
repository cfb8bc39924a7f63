/** Labelled pages on their way to the parts of an output folder. */
import { PageKeys } from '../../model/page-key.ts';
import type { Range } from '../../model/range.ts';
import { PageTargets } from '../../parse/page-targets.ts';
import { TextCursor } from '../../parse/source-map.ts';
import { LabelPart } from '../../store/label-part.ts';
import { measureShares } from '../../study/shares.ts';
import { addTextRow } from '../../view/rows.ts';
import { renderJsonText } from '../../view/visible-text.ts';
import type { Job } from '../job.ts';
import type { LabelTask } from '../tasks/task.ts';
import type { Clock } from '../tasks/task-record.ts';
import type { LabelledPage, LabelSink } from './label-sink.ts';
import { renderContent } from './page-rows.ts';
import { rangeLinks, rangeText } from './range-excerpt.ts';

export class FolderSink implements LabelSink {
  readonly #part: LabelPart;
  readonly #job: Job;
  readonly #keys = new PageKeys();

  constructor({ draft, task }: { draft: string; task: LabelTask }) {
    const { part, job, sharedSites } = task;
    this.#part = new LabelPart({ draft, part, detectors: job.detectors, sharedSites });
    this.#job = job;
  }

  add(labelled: LabelledPage, clock: Clock): void {
    const { planned, page, tree, title, verdicts, problems, snapshot } = labelled;
    const part = this.#part;
    const { ranges } = verdicts[0];
    const text = renderJsonText(tree, ranges);
    const { markdown } = renderContent({ page, tree, ranges }, this.#job.markdown ? ['markdown'] : []);
    clock.lap('render');

    const row = addTextRow({ page: planned.page, snapshot }, page, { title, text: '', markdown });
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
      if (fresh.length > 0) this.#describe(labelled, detector, fresh);
    }
    if (part.hasManyRanges) part.flushRanges();
    clock.lap('write');
  }

  /** Templates that the task has not met before, with the text and the links they have on this page. */
  #describe({ planned, page, tree }: LabelledPage, detector: string, ranges: Range[]): void {
    const { site, url } = page;
    const links = new PageTargets(tree, { url, siteRule: this.#job.site });
    const cursor = new TextCursor(tree);
    for (const { template, start, end } of ranges) {
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
      });
    }
  }

  close(): void {
    this.#part.close();
  }
}
