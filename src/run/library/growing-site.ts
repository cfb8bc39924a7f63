/**
 * A site that is learnt while it is crawled: pages are added as they come, and each page is stripped with what is known
 * by then. Needs nothing of Node.
 *
 * Kept are the pages with the smallest seeded hashes of their URLs, one capture of each page, as `learn` and every run
 * keep them. So memory is bounded whatever the crawl's length, the same pages in any order give the same model, and
 * merging two sites is the same as adding the pages of both to one.
 */
import type { ParsedPage } from '../../detect/detector.ts';
import type { JointOptions, JointSiteModel } from '../../detect/joint/joint-detector.ts';
import { ByteReader, ByteWriter, ModelFormatError } from '../../detect/model-bytes.ts';
import { BottomK } from '../../detect/sample.ts';
import { checkNames, checkNumber } from '../../model/check-option.ts';
import { addExtraKeys } from '../../model/extra-keys.ts';
import { DEFAULT_LIMITS, type Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import { pageKey } from '../../model/page-key.ts';
import type { Problem } from '../../model/problem.ts';
import { parseSiteRule, readLayoutRule, type SiteRule, siteOf } from '../../model/site.ts';
import { PageParser } from '../pages/page-parser.ts';
import { type Extraction, extractParsed, placeInText } from './extract.ts';
import { type AnyPage, type ExtraOf, isPage, makeInputPage, readPageInput } from './page-input.ts';
import { sharedDetector } from './shared-detector.ts';

export interface SiteOptions extends JointOptions {
  /** Pages to learn from, 1 to 10,000. @default 200 */
  sample?: number;
  /** Another seed draws another sample. @default 0 */
  seed?: number;
  /** Which pages are of one site: those of a host, a registrable domain or a path. @default 'host' */
  site?: SiteRule;
  /** Bounds on one page; unnamed ones keep their default. */
  limits?: Partial<Limits>;
  /** Called with what was wrong with a page, such as a page that is too large. */
  onProblem?: (problem: Problem) => void;
}

/** Pages above this size are stripped but not learnt from, which bounds the memory: 2 × `sample` × 1 MiB. */
const MOST_LEARNT_BYTES = 1 << 20;
/** `strip` learns anew when more than this share of the pages that the model knows are new or replaced. */
const STALE_SHARE = 1 / 8;
const DEFAULT_SAMPLE = 200;
const MAGIC = 'CHAFF site 1';
const OPTION_NAMES = ['sample', 'seed', 'site', 'limits', 'onProblem', 'model', 'dial', 'mode', 'roles'];

/** A site without pages. */
export function site(options: SiteOptions = {}): Site {
  return new Site(options);
}

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
  /** Pages that came into the sample since the model was learnt. */
  #fresh = 0;

  constructor(options: SiteOptions = {}) {
    checkNames(options, OPTION_NAMES);
    const { sample = DEFAULT_SAMPLE, seed = 0, site: rule = 'host', limits, onProblem, ...joint } = options;
    this.#sampleSize = checkNumber('sample', sample, { min: 1, max: 10_000, whole: true });
    this.#seed = seed;
    this.#siteRule = parseSiteRule(rule);
    if (readLayoutRule(this.#siteRule)) {
      throw new RangeError('site must be host, domain or path:N: layouts need all pages first');
    }
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#onProblem = onProblem;
    this.#joint = joint;
    this.#sample = new BottomK(sample, seed, pageKey);
    sharedDetector(joint); // checks its options
  }

  /** Reads a site that `save` wrote. The sample, seed and rule are those of the bytes. */
  static load(bytes: Uint8Array, options: Omit<SiteOptions, 'sample' | 'seed' | 'site'> = {}): Site {
    const reader = new ByteReader(bytes);
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

  /** The host, domain or path that its pages have; empty while it has none. */
  get name(): string {
    return this.#name ?? '';
  }

  /**
   * Adds a page. Whether the model may now learn from it: not a page outside the sample, nor one that is empty, too
   * large or damaged, of which `onProblem` hears. Throws for a page of another site.
   */
  add(page: AnyPage): boolean {
    const read = this.#read(page);
    if (!read || read.source.length > MOST_LEARNT_BYTES) return false;
    // without its place in an archive, which a saved site does not have
    const drawn = makeInputPage(read.url, read);
    if (!this.#sample.wants(drawn)) return false;
    // the caller may use its buffer again
    this.#sample.add({ ...drawn, source: read.source.slice() });
    this.#fresh++;
    return true;
  }

  /**
   * What a page says, judged by the pages added so far: the model is learnt again when an eighth of its pages are new. The
   * page itself need not have been added. Keys of the page that mean nothing here (`id`) come back. Undefined for a page
   * that is empty or beyond the limits, of which `onProblem` hears.
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

  /** The model of all pages added so far; `strip` uses it from here on. */
  learn(): JointSiteModel {
    if (this.#model && this.#fresh === 0) return this.#model;
    this.#model = sharedDetector(this.#joint).learn(this.name, this.#parsed());
    this.#fresh = 0;
    return this.#model;
  }

  /** Adds all pages of another site, which stays as it is. Both must have the same sample size, seed and rule. */
  merge(other: Site): this {
    const fits =
      other.#sampleSize === this.#sampleSize &&
      other.#seed === this.#seed &&
      other.#siteRule === this.#siteRule;
    if (!fits) throw new RangeError('sites merge when they have the same sample, seed and site rule');
    for (const page of other.#sample.items()) this.add(page);
    return this;
  }

  /** The pages it has kept, to go on another day: `Site.load` reads them. Not compressed. */
  save(): Uint8Array {
    const pages = this.#sample.items();
    const writer = new ByteWriter();
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

  /** The page as UTF-8; undefined when it cannot be read. */
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
    const parser = new PageParser(this.#limits);
    const tree = parser.open(page, this.#onProblem);
    if (!tree) return undefined;
    const work = () => extractParsed({ page, tree }, this.#model!, this.#joint);
    const done = parser.attempt(page, { failure: 'could not be labelled', work });
    if (done.kind === 'done') return done.value;
    for (const problem of done.problems) this.#onProblem?.(problem);
    return undefined;
  }

  *#parsed(): Generator<ParsedPage> {
    const parser = new PageParser(this.#limits);
    for (const page of this.#sample.items()) {
      const tree = parser.open(page);
      if (tree) yield { page, tree };
    }
  }
}

/** Seeds start below 0, and numbers are written from 0. */
const SEED_OFFSET = 2 ** 31;
