/**
 * The verdict of last resort: a page judged alone, where what its site shows cannot be trusted. One judge for each
 * set of options, made when it is first needed, and kept for options that are the same though another object: each
 * task of a run brings its own copy. Pages that lose all to copies of themselves are often the same to
 * the byte, so verdicts are remembered, the sources with them: a verdict holds for a page of the same site, with the
 * same source and the same tree.
 *
 * Memory: up to 256 pages and 4 MB of their sources; the oldest goes first.
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
const MOST_PAGES = 256;
const MOST_BYTES = 4 * 1024 * 1024;

const judges = new WeakMap<PageDetectorOptions, LastingJudge>();
/** The judge made last: a model takes longer to open than many a page to judge. */
let lastMade: { options: PageDetectorOptions; judge: LastingJudge } | undefined;
/** The last verdict: several detectors may fall back on one page. */
let last: { parsed: ParsedPage; options: PageDetectorOptions; ranges: Range[] } | undefined;

export function judgeAlone(parsed: ParsedPage, options: PageDetectorOptions = PACKAGED): Range[] {
  if (last?.parsed !== parsed || last.options !== options) {
    last = { parsed, options, ranges: judgeOf(options).judge(parsed) };
  }
  return [...last.ranges];
}

function judgeOf(options: PageDetectorOptions): LastingJudge {
  let judge = judges.get(options);
  if (!judge) {
    if (!lastMade || !isDeepStrictEqual(lastMade.options, options)) {
      const { model = packagedPageModel(), ...own } = options;
      lastMade = { options: { ...options }, judge: new LastingJudge(new PageJudge(model, own)) };
    }
    judges.set(options, (judge = lastMade.judge));
  }
  return judge;
}

/** A judge that does not look at the same page twice. */
class LastingJudge {
  readonly #judge: PageJudge;
  readonly #verdicts = new Map<string, { source: Uint8Array; ranges: Range[] }>();
  #bytes = 0;

  constructor(judge: PageJudge) {
    this.#judge = judge;
  }

  judge(parsed: ParsedPage): Range[] {
    const { source } = parsed.tree;
    const key = keyOf(parsed);
    const known = this.#verdicts.get(key);
    if (known && Buffer.compare(known.source, source) === 0) return known.ranges;
    const { ranges } = this.#judge.judge(parsed);
    if (source.length <= MOST_BYTES / 4) this.#remember(key, { source: source.slice(), ranges });
    return ranges;
  }

  #remember(key: string, verdict: { source: Uint8Array; ranges: Range[] }): void {
    this.#forget(key);
    this.#verdicts.set(key, verdict);
    this.#bytes += verdict.source.length;
    while (this.#bytes > MOST_BYTES || this.#verdicts.size > MOST_PAGES) {
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

/** What a verdict depends on beside the source: the site that links stay on, and the tree, which has limits. */
function keyOf({ page, tree }: ParsedPage): string {
  const { contentLow, contentHigh, shapeLow, shapeHigh, nodeCount, source } = tree;
  const content = hashId(contentLow[0], contentHigh[0]);
  const shape = hashId(shapeLow[0], shapeHigh[0]);
  return `${source.length} ${nodeCount} ${content} ${shape} ${siteOf(page.url)}`;
}
