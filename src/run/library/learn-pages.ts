/**
 * The library's `learn`: pages in, one model per site out, in this process. Each site keeps the sample of
 * its pages with the smallest seeded URL hashes, so memory depends on the sample and not on the archive,
 * and the models do not depend on the order of the pages.
 */
import type { DetectorName, ParsedPage, SiteModel } from '../../detect/detector.ts';
import { type DetectorOptions, makeDetector } from '../../detect/index.ts';
import { BottomK } from '../../detect/sample.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import { pageKey } from '../../model/page-key.ts';
import type { SiteRule } from '../../model/site.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { DEFAULT_DETECTORS, DEFAULT_SAMPLE_PAGES } from '../job.ts';
import { PageParser } from '../pages/page-parser.ts';
import { Archive, checkArchiveOptions } from './open-archive.ts';
import { SiteModels } from './site-models.ts';

export interface LearnOptions {
  /** Which detector's models to learn. @default 'dom' */
  detector?: DetectorName;
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** Pages to learn a site from, one capture per URL. @default 200 */
  sample?: number;
  /** Another seed draws another sample. @default 0 */
  seed?: number;
  /** What makes the sites of the pages; label looks them up by it. @default that of the archive, or 'host' */
  site?: SiteRule;
  /** A page that has more nodes, or takes longer to parse, is not learnt from; unnamed ones keep their default. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
}

/** Learns the templates of every site among the pages. */
export async function learn(
  pages: AsyncIterable<Page> | Iterable<Page>,
  options: LearnOptions = {},
): Promise<SiteModels> {
  const { detector: name = DEFAULT_DETECTORS[0], sample = DEFAULT_SAMPLE_PAGES, seed = 0, signal } = options;
  const detector = makeDetector(name, options.detectorOptions?.[name]);
  const parser = new PageParser(checkReadOptions({ limits: options.limits }).limits);
  const siteRule = siteRuleOf(pages, options.site);
  const samples = new Map<string, BottomK<Page>>();
  for await (const page of pages) {
    signal?.throwIfAborted();
    let drawn = samples.get(page.site);
    if (!drawn) {
      drawn = new BottomK(detector.samplePages ?? sample, seed, pageKey);
      samples.set(page.site, drawn);
    }
    // the reader may reuse its buffers: what is kept is copied
    if (drawn.wants(page)) drawn.add({ ...page, source: page.source.slice() });
  }

  const models: SiteModel[] = [];
  for (const site of [...samples.keys()].sort()) {
    signal?.throwIfAborted();
    models.push(detector.learn(site, parseEach(samples.get(site)!.items(), parser)));
    samples.delete(site);
  }
  return new SiteModels(models, { siteRule });
}

function siteRuleOf(pages: AsyncIterable<Page> | Iterable<Page>, site: SiteRule | undefined): SiteRule {
  checkArchiveOptions({ site });
  const siteRule = site ?? (pages instanceof Archive ? pages.siteRule : 'host');
  if (pages instanceof Archive && pages.siteRule !== siteRule) {
    throw new RangeError(`the archive was opened with sites by ${pages.siteRule}, not by ${siteRule}`);
  }
  return siteRule;
}

function* parseEach(pages: Page[], parser: PageParser): Generator<ParsedPage> {
  for (const page of pages) {
    const tree = parser.open(page);
    if (tree) yield { page, tree };
  }
}
