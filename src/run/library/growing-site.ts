/**
 * A site that is learnt during a crawl: pages are added as they come, and each page is stripped with the evidence so
 * far. Needs no Node API.
 *
 * The site keeps the pages with the smallest seeded hashes of their URLs, one capture per page, as `learn` and every
 * run do. So memory is bounded however long the crawl is, the same pages in any order give the same model, and merging
 * two sites equals adding the pages of both to one.
 */
import type { ParsedPage } from '../../detect/detector.ts';
import type { JointOptions, JointSiteModel } from '../../detect/joint/joint-detector.ts';
import { ModelFormatError, ModelReader, ModelWriter } from '../../detect/model-bytes.ts';
import { BottomK } from '../../detect/sample.ts';
import { checkNames, checkNumber, checkOptions, describeValue } from '../../model/check-option.ts';
import { addExtraKeys } from '../../model/extra-keys.ts';
import type { Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import { pageKey } from '../../model/page-key.ts';
import type { Problem } from '../../model/problem.ts';
import { parseSiteRule, readLayoutRule, type SiteRule, siteOf } from '../../model/site.ts';
import { checkReadOptions } from '../../read/read-options.ts';
import { PageParser } from '../pages/page-parser.ts';
import { type Extraction, extractParsed, JOINT_OPTION_KINDS, placeInText } from './extract.ts';
import {
  type AnyPage,
  checkBytes,
  type ExtraOf,
  isPage,
  makeInputPage,
  readPageInput,
} from './page-input.ts';
import { sharedDetector } from './shared-detector.ts';

/** Options of `site`. */
export interface SiteOptions extends JointOptions {
  /** Pages to learn from, 1 to 10,000. @default 200 */
  sample?: number;
  /** Seed of the sample. @default 0 */
  seed?: number;
  /** Which pages belong to one site: those of a host, a registrable domain or a path. @default 'host' */
  site?: SiteRule;
  /** Bounds on one page; missing ones keep their default. */
  limits?: Partial<Limits>;
  /** Called with each problem of a page, such as a page that is too large. */
  onProblem?: (problem: Problem) => void;
}

/** Larger pages are stripped but not learnt from, which bounds the memory to 2 × `sample` × 1 MiB. */
const MAX_LEARNT_BYTES = 1 << 20;
/** `strip` learns again when more than this share of the model's pages are new or replaced. */
const STALE_SHARE = 1 / 8;
const DEFAULT_SAMPLE = 200;
const MAGIC = 'CHAFF site 1';

/** Creates a site without pages. */
export function site(options: SiteOptions = {}): Site {
  return new Site(options);
}

/** A site whose pages are added one by one; it keeps a bounded sample of them and learns from it. */
export class Site {
  readonly #sampleSize: number;
  readonly #seed: number;
  readonly #siteRule: SiteRule;
  readonly #limits: Limits;
  readonly #joint: JointOptions;
  readonly #onProblem: SiteOptions['onProblem'];
  readonly #sample: BottomK<Page>;
  #name: string | undefined;
  #model: JointSiteModel | undefined;
  /** Number of pages that entered the sample since the model was learnt. */
  #fresh = 0;

  constructor(options: SiteOptions = {}) {
    checkOptions(options, {
      ...{ sample: 'any', seed: 'any', site: 'any', limits: 'any', onProblem: 'function' },
      ...JOINT_OPTION_KINDS,
    });
    const { sample = DEFAULT_SAMPLE, seed = 0, site: rule = 'host', limits, onProblem, ...joint } = options;
    this.#sampleSize = checkNumber('sample', sample, { min: 1, max: 10_000, whole: true });
    this.#seed = seed;
    this.#siteRule = parseSiteRule(rule);
    if (readLayoutRule(this.#siteRule)) {
      throw new RangeError('site must be host, domain or path:N: layouts need all pages first');
    }
    this.#limits = checkReadOptions({ limits }).limits;
    this.#onProblem = onProblem;
    this.#joint = joint;
    this.#sample = new BottomK(sample, seed, pageKey);
    sharedDetector(joint); // checks the options
  }

  /** Reads a site that `save` has written; sample size, seed and site rule come from the bytes. */
  static load(bytes: Uint8Array, options: Omit<SiteOptions, 'sample' | 'seed' | 'site'> = {}): Site {
    checkBytes(bytes);
    checkNames(options, ['limits', 'onProblem', ...Object.keys(JOINT_OPTION_KINDS)]);
    const reader = new ModelReader(bytes);
    if (bytes[0] !== MAGIC.length || reader.text() !== MAGIC) {
      throw new ModelFormatError('these bytes are not a site that save wrote');
    }
    const sample = reader.number();
    const seed = reader.number() - SEED_OFFSET;
    const loaded = new Site({ ...options, sample, seed, site: reader.text() as SiteRule });
    for (let rest = reader.length(4); rest > 0; rest--) {
      const url = reader.text();
      const time = reader.text();
      const charset = reader.text();
      const source = reader.bytes(reader.length());
      const pageSite = siteOf(url, loaded.#siteRule);
      if (pageSite === '') throw new ModelFormatError('a saved page has no host');
      loaded.add(makeInputPage(url, { site: pageSite, time, charset, source }));
    }
    reader.end();
    return loaded;
  }

  /** The host, domain or path of its pages; empty while it has none. */
  get name(): string {
    return this.#name ?? '';
  }

  /**
   * Adds a page. Returns whether the model may learn from it: false for a page outside the sample, and for one that is
   * empty, too large or damaged, which `onProblem` reports. Throws for a page of another site.
   */
  add(page: AnyPage): boolean {
    const read = this.#read(page);
    if (!read || read.source.length > MAX_LEARNT_BYTES) return false;
    // remove its location in an archive, which a saved site does not have
    const drawn = makeInputPage(read.url, read);
    if (!this.#sample.wants(drawn)) return false;
    // copy the bytes, because the caller may reuse its buffer
    this.#sample.add({ ...drawn, source: read.source.slice() });
    this.#fresh++;
    return true;
  }

  /**
   * Extracts the main text and metadata of a page, judged by the pages added so far; the model is learnt again when an
   * eighth of its pages are new. The page itself need not be added. Unknown keys of the page (`id`) are copied to the result. Returns
   * undefined for a page that is empty or beyond the limits, which `onProblem` reports.
   */
  strip<Input extends AnyPage>(page: Input): (Extraction & ExtraOf<Input>) | undefined {
    const read = this.#read(page);
    if (!read) return undefined;
    if (!this.#model || this.#fresh > STALE_SHARE * this.#model.pagesLearnt) this.learn();
    const extraction = this.#extract(read);
    if (!extraction) return undefined;
    if (!isPage(page) && typeof page.html === 'string') {
      placeInText(extraction.regions, read.source, page.html.charCodeAt(0) === 0xfeff ? 1 : 0);
    }
    if (read.extra) addExtraKeys(extraction, read.extra);
    return extraction as Extraction & ExtraOf<Input>;
  }

  /** Learns the model of all pages added so far; `strip` uses it from now on. */
  learn(): JointSiteModel {
    if (this.#model && this.#fresh === 0) return this.#model;
    this.#model = sharedDetector(this.#joint).learn(this.name, this.#parsed());
    this.#fresh = 0;
    return this.#model;
  }

  /** Adds all pages of another site, which does not change. Both need the same sample size, seed and site rule. */
  merge(other: Site): this {
    if (!(other instanceof Site)) throw new TypeError(`merge takes a site, not ${describeValue(other)}`);
    const fits =
      other.#sampleSize === this.#sampleSize &&
      other.#seed === this.#seed &&
      other.#siteRule === this.#siteRule;
    if (!fits) throw new RangeError('sites merge when they have the same sample, seed and site rule');
    for (const page of other.#sample.items()) this.add(page);
    return this;
  }

  /** Encodes the kept pages, uncompressed; `Site.load` reads them. */
  save(): Uint8Array {
    const pages = this.#sample.items();
    const writer = new ModelWriter();
    writer.text(MAGIC);
    writer.number(this.#sampleSize);
    writer.number(this.#seed + SEED_OFFSET);
    writer.text(this.#siteRule);
    writer.number(pages.length);
    for (const { url, time, charset, source } of pages) {
      writer.text(url);
      writer.text(time);
      writer.text(charset);
      writer.number(source.length);
      writer.bytes(source);
    }
    return writer.finish();
  }

  /** The page as UTF-8; undefined if it cannot be read. */
  #read(input: AnyPage): Page | undefined {
    const options = { siteRule: this.#siteRule, limits: this.#limits };
    const read = isPage(input) ? { page: input, problems: [] } : readPageInput(input, options);
    if (this.#onProblem) for (const problem of read.problems) this.#onProblem(problem);
    if (!('page' in read)) return undefined;
    const { page } = read;
    this.#name ??= page.site;
    if (page.site === this.#name) return page;
    throw new RangeError(
      `the page is of ${page.site || 'no site'}, this site is ${this.#name}: keep one site for each (${page.url.slice(0, 200)})`,
    );
  }

  #extract(page: Page): Extraction | undefined {
    const done = new PageParser(this.#limits).process(page, {
      failure: 'could not be labelled',
      work: ({ tree }) => ({ result: extractParsed({ page, tree }, this.#model!, this.#joint) }),
    });
    // reported last: a callback that uses the library may parse another page
    for (const problem of done.problems) this.#onProblem?.(problem);
    return done.kind === 'done' ? done.result : undefined;
  }

  *#parsed(): Generator<ParsedPage> {
    const parser = new PageParser(this.#limits);
    for (const page of this.#sample.items()) {
      const tree = parser.open(page);
      if (tree) yield { page, tree };
    }
  }
}

/** Offset for saving seeds, which may be negative, as unsigned numbers. */
const SEED_OFFSET = 2 ** 31;
