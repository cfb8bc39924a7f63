/**
 * The library's `learn`: learns one model per site from pages, in this process. Each site keeps a sample of the pages
 * with the smallest seeded URL hashes, so memory depends on the sample and not on the archive, and the models do not
 * depend on the order of the pages.
 */
import type { DetectorName, ParsedPage, SiteModel } from '../../detect/detector.ts';
import { checkDetectorOptions, type DetectorOptions, makeDetector } from '../../detect/index.ts';
import { decodeModelFile, encodeModelFile } from '../../detect/model-file.ts';
import { BottomK } from '../../detect/sample.ts';
import { checkNumber, checkOptions, describeValue } from '../../model/check-option.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import { pageKey } from '../../model/page-key.ts';
import type { Problem } from '../../model/problem.ts';
import type { SiteRule } from '../../model/site.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { DEFAULT_DETECTOR, DEFAULT_SAMPLE_PAGES } from '../job.ts';
import { PageParser } from '../pages/page-parser.ts';
import { Archive, checkArchiveOptions } from './open-archive.ts';
import { checkBytes, type Pages, readInputPages } from './page-input.ts';

/** Options of `learn`. */
export interface LearnOptions {
  /** The detector whose models are learnt. @default 'joint' */
  detector?: DetectorName;
  /** Options of each detector, by its name. */
  detectorOptions?: Partial<DetectorOptions>;
  /** Maximum number of pages to learn a site from, one capture per URL. @default 200 */
  sample?: number;
  /** Seed of the sample. @default 0 */
  seed?: number;
  /** Rule that assigns pages to sites; `label` uses the same. @default that of the archive, or 'host' */
  site?: SiteRule;
  /** A page beyond these limits is not learnt from; missing limits keep their default. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
  /** Called with each problem of a page that is not from an archive. */
  onProblem?: (problem: Problem) => void;
}

/** Learns the templates of every site among the pages. */
export async function learn(pages: Pages, options: LearnOptions = {}): Promise<SiteModels> {
  checkOptions(options, {
    ...{ detector: 'any', detectorOptions: 'any', sample: 'any', seed: 'any', site: 'any', limits: 'any' },
    ...{ signal: 'signal', onProblem: 'function' },
  });
  const { detector: name = DEFAULT_DETECTOR, sample = DEFAULT_SAMPLE_PAGES, seed = 0 } = options;
  const { signal, onProblem } = options;
  checkNumber('sample', sample, { min: 1, max: 10_000_000, whole: true });
  if (options.detectorOptions !== undefined) checkDetectorOptions(options.detectorOptions);
  const detector = makeDetector(name, options.detectorOptions?.[name]);
  const { limits } = checkReadOptions({ limits: options.limits });
  const parser = new PageParser(limits);
  const siteRule = siteRuleOf(pages, options.site);
  const samples = new Map<string, BottomK<Page>>();
  for await (const read of readInputPages(pages, { siteRule, limits })) {
    signal?.throwIfAborted();
    if (onProblem) for (const problem of read.problems) onProblem(problem);
    if (read.kind === 'skip') continue;
    const { page } = read;
    let drawn = samples.get(page.site);
    if (!drawn) {
      drawn = new BottomK(detector.samplePages ?? sample, seed, pageKey);
      samples.set(page.site, drawn);
    }
    // the reader may reuse its buffers: copy the pages that are kept
    if (drawn.wants(page)) drawn.add({ ...page, source: page.source.slice() });
  }

  const models: SiteModel[] = [];
  try {
    for (const site of [...samples.keys()].sort()) {
      signal?.throwIfAborted();
      models.push(detector.learn(site, parseEach(samples.get(site)!.items(), parser)));
      samples.delete(site);
    }
  } finally {
    detector.release?.();
  }
  return new SiteModels(models, { siteRule });
}

function siteRuleOf(pages: Pages, site: SiteRule | undefined): SiteRule {
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

/** The learnt models of several sites, looked up by site and time. */
export class SiteModels {
  readonly #bySite = new Map<string, SiteModel[]>();
  /** Rule that assigned the pages to sites; pages need the same rule to find their model. */
  readonly siteRule: SiteRule;

  constructor(models: Iterable<SiteModel>, { siteRule = 'host' }: { siteRule?: SiteRule } = {}) {
    this.siteRule = siteRule;
    if (typeof (models as object | null)?.[Symbol.iterator as never] !== 'function') throw notModels(models);
    for (const model of models) {
      if (typeof model?.site !== 'string' || typeof model.detector !== 'string') throw notModels(model);
      const known = this.#bySite.get(model.site);
      if (known) known.push(model);
      else this.#bySite.set(model.site, [model]);
    }
  }

  static decode(bytes: Uint8Array): SiteModels {
    checkBytes(bytes);
    const { models, siteRule } = decodeModelFile(bytes);
    return new SiteModels(models, { siteRule });
  }

  encode(): Uint8Array {
    return encodeModelFile([...this], this.siteRule);
  }

  get sites(): string[] {
    return [...this.#bySite.keys()].sort();
  }

  /** The model of a site that is nearest in time; the latest one for a page without a time. */
  find(site: string, time: string): SiteModel | undefined {
    const models = this.#bySite.get(site);
    if (!models || models.length === 1) return models?.[0];
    const at = time === '' ? Number.POSITIVE_INFINITY : Date.parse(time);
    let nearest = models[0];
    let nearestMs = Number.POSITIVE_INFINITY;
    for (const model of models) {
      const distanceMs = at === Number.POSITIVE_INFINITY ? -Date.parse(model.lastTime) : distance(at, model);
      if (distanceMs < nearestMs) [nearest, nearestMs] = [model, distanceMs];
    }
    return nearest;
  }

  *[Symbol.iterator](): Iterator<SiteModel> {
    for (const site of this.sites) yield* this.#bySite.get(site)!;
  }
}

function notModels(value: unknown): TypeError {
  return new TypeError(`models must be a list of the models of sites, not ${describeValue(value)}`);
}

/** Milliseconds between a time and the period that a model was learnt from; 0 within it. */
function distance(at: number, { firstTime, lastTime }: SiteModel): number {
  return Math.max(0, Date.parse(firstTime) - at, at - Date.parse(lastTime));
}
