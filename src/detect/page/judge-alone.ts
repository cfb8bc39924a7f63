/**
 * The fallback verdict: a page judged alone, when evidence from its site cannot be trusted. There is one
 * judge per set of options, created at first use and shared by equal options in different objects, because
 * each task of a run brings its own copy. Pages that lose all text to copies of themselves are often
 * byte-identical, so verdicts are cached together with the sources. A cached verdict applies to a page of the
 * same site with the same source and the same tree.
 *
 * Memory: up to 256 pages and 4 MB of their sources; the oldest are dropped first.
 */
import { isDeepStrictEqual } from 'node:util';
import { hashId } from '../../analysis/byte-hash.ts';
import type { Range } from '../../model/range.ts';
import { siteOf } from '../../model/site.ts';
import type { ParsedPage } from '../detector.ts';
import { PageJudge } from './judge-page.ts';
import type { PageDetectorOptions } from './page-detector.ts';
import { packagedPageModel } from './page-model.ts';

const PACKAGED: PageDetectorOptions = {};
const MAX_PAGES = 256;
const MAX_BYTES = 4 * 1024 * 1024;

const judges = new WeakMap<PageDetectorOptions, CachingJudge>();
/** The last judge, because opening a model takes longer than judging many pages. */
let lastMade: { options: PageDetectorOptions; judge: CachingJudge } | undefined;
/** The last verdict, because several detectors may fall back on one page. */
let last: { parsed: ParsedPage; options: PageDetectorOptions; ranges: Range[] } | undefined;

/** Returns the ranges of a page judged alone, with cached verdicts. */
export function judgeAlone(parsed: ParsedPage, options: PageDetectorOptions = PACKAGED): Range[] {
  if (last?.parsed !== parsed || last.options !== options) {
    last = { parsed, options, ranges: judgeOf(options).judge(parsed) };
  }
  return [...last.ranges];
}

function judgeOf(options: PageDetectorOptions): CachingJudge {
  let judge = judges.get(options);
  if (!judge) {
    if (!lastMade || !isDeepStrictEqual(lastMade.options, options)) {
      const { model = packagedPageModel(), ...own } = options;
      lastMade = { options: { ...options }, judge: new CachingJudge(new PageJudge(model, own)) };
    }
    judges.set(options, (judge = lastMade.judge));
  }
  return judge;
}

/** A judge with a cache of verdicts. */
class CachingJudge {
  readonly #judge: PageJudge;
  readonly #verdicts = new Map<string, { source: Uint8Array; ranges: Range[] }>();
  #bytes = 0;

  constructor(judge: PageJudge) {
    this.#judge = judge;
  }

  judge(parsed: ParsedPage): Range[] {
    const key = keyOf(parsed);
    const known = this.#verdicts.get(key);
    if (known && Buffer.compare(known.source, parsed.tree.source) === 0) return known.ranges;
    const { ranges } = this.#judge.judge(parsed);
    // read after judging, which may move the memory that holds the tree
    const { source } = parsed.tree;
    if (source.length <= MAX_BYTES / 4) this.#remember(key, { source: source.slice(), ranges });
    return ranges;
  }

  #remember(key: string, verdict: { source: Uint8Array; ranges: Range[] }): void {
    this.#forget(key);
    this.#verdicts.set(key, verdict);
    this.#bytes += verdict.source.length;
    while (this.#bytes > MAX_BYTES || this.#verdicts.size > MAX_PAGES) {
      this.#forget(this.#verdicts.keys().next().value!);
    }
  }

  #forget(key: string): void {
    const old = this.#verdicts.get(key);
    if (!old) return;
    this.#bytes -= old.source.length;
    this.#verdicts.delete(key);
  }
}

/**
 * Returns what a verdict depends on besides the source: the site, which decides where links lead, and the
 * tree, which may have been cut by limits.
 */
function keyOf({ page, tree }: ParsedPage): string {
  const { contentLow, contentHigh, shapeLow, shapeHigh, nodeCount, source } = tree;
  const content = hashId(contentLow[0], contentHigh[0]);
  const shape = hashId(shapeLow[0], shapeHigh[0]);
  return `${source.length} ${nodeCount} ${content} ${shape} ${siteOf(page.url)}`;
}
