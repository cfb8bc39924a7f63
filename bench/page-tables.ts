/**
 * Writes feature tables of pages to disk, so that experiments with labels, classifiers or smoothing take
 * seconds:
 *
 *     npx tsx bench/page-tables.ts OUT train ARCHIVE…   pages of sites with several pages, with evidence of their sites
 *     npx tsx bench/page-tables.ts OUT gold ARCHIVE…    pages with gold (ARCHIVE.jsonl beside ARCHIVE.warc.gz)
 *
 * OUT is one file in V8's serialisation format, a list of pages. page-tuning.ts reads it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { hashBytes } from '../src/analysis/byte-hash.ts';
import { segmentWords } from '../src/analysis/word-scanner.ts';
import type { ParsedPage } from '../src/detect/detector.ts';
import { domDetector } from '../src/detect/dom-detector.ts';
import { readNameTokens } from '../src/detect/page/lexicon.ts';
import { FeatureMaker } from '../src/detect/page/page-features.ts';
import { NodeLabeller } from '../src/detect/page/site-labels.ts';
import { bottomK } from '../src/detect/sample.ts';
import { textDetector } from '../src/detect/text-detector.ts';
import { parseGold } from '../src/evaluate/gold.ts';
import { LayoutEstimator } from '../src/layout/estimate.ts';
import { decodeReferences } from '../src/parse/character-references.ts';
import { Parser } from '../src/parse/parser.ts';
import { TEXT, type Tree } from '../src/parse/tree.ts';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import type { Input, SurveyedCapture } from '../src/read/raw-record.ts';
import { readPageAt, surveyInput } from '../src/read/read-captures.ts';

/** A page of the cache; columns are parallel to its rows. */
export interface CachedPage {
  url: string;
  site: string;
  set: string;
  type: string;
  /**
   * For a page of a site: number of pages by which its site was judged, and whether it belongs to a set with
   * gold.
   */
  sitePages?: number;
  inGoldSet?: boolean;
  rowCount: number;
  parent: Int32Array;
  weight: Float32Array;
  area: Float32Array;
  values: Float32Array;
  /** Words of class and id of each row, as one text. */
  names: string[];
  /**
   * For a page of a site: shares of each row inside templates, and its words by the number of pages with
   * their text.
   */
  evidence?: {
    domHtml: Float32Array;
    domText: Float32Array;
    textText: Float32Array;
    /** Words on this page only, on a few pages, on at least a tenth. */
    unique: Float32Array;
    few: Float32Array;
    many: Float32Array;
  };
  /** For a page with gold: word ids of each row's own text, of gold and of neutral text. */
  gold?: { rowStart: Int32Array; words: Int32Array; gold: Int32Array; neutral: Int32Array };
}

const SAMPLE_PAGES = 200;
const TRAIN_PAGES = Number(process.env.TRAIN_PAGES ?? 40);
/** Minimum pages of a site: two already show what they share, and small sites are many. */
const MIN_SITE_PAGES = 2;
const FREQUENT_SHARE = 0.1;

const parser = new Parser();
const estimator = new LayoutEstimator();
const maker = new FeatureMaker();
const labeller = new NodeLabeller();

interface Located {
  input: Input;
  capture: SurveyedCapture;
}

async function main([out, mode, ...archives]: string[]): Promise<void> {
  const pages: CachedPage[] = [];
  for (const archive of archives) {
    const { inputs } = await openInputs([archive]);
    const sites = surveySites(inputs);
    const set = archive.split('/').at(-1)!.split('.warc')[0];
    const gold = mode === 'gold' ? readGoldRows(archive) : undefined;
    for (const [site, captures] of sites) {
      if (gold) {
        for (const located of captures.values()) {
          const row = gold.get(located.capture.url);
          if (row?.text === undefined) continue;
          const parsed = parse(located);
          if (parsed) pages.push(goldPage(parsed, row, set));
        }
      } else if (captures.size >= MIN_SITE_PAGES) {
        const inGoldSet = existsSync(goldFileOf(archive));
        for (const page of trainPages(site, set, captures)) pages.push({ ...page, inGoldSet });
      }
    }
    closeInputs(inputs);
    console.error(`${archive}: ${pages.length} pages`);
  }
  writeFileSync(out, serialize(pages));
}

function surveySites(inputs: Input[]): Map<string, Map<string, Located>> {
  const sites = new Map<string, Map<string, Located>>();
  for (const input of inputs) {
    for (const event of surveyInput(input)) {
      if (event.kind !== 'page' || event.capture.revisit) continue;
      const { capture } = event;
      let captures = sites.get(capture.site);
      if (!captures) sites.set(capture.site, (captures = new Map()));
      if (!captures.has(capture.url)) captures.set(capture.url, { input, capture });
    }
  }
  return sites;
}

function parse({ input, capture }: Located): ParsedPage | undefined {
  const event = readPageAt(input, capture, {});
  if (event.kind !== 'page') return undefined;
  const { source, ...page } = event.page;
  try {
    return { page, tree: parser.parse(source) };
  } catch {
    return undefined;
  }
}

function* parseAll(located: Iterable<Located>): Generator<ParsedPage> {
  for (const one of located) {
    const parsed = parse(one);
    if (parsed) yield parsed;
  }
}

function trainPages(site: string, set: string, captures: Map<string, Located>): CachedPage[] {
  const sample = bottomK(
    [...captures.values()].map(({ capture }) => capture),
    SAMPLE_PAGES,
    0,
  ).map(({ url }) => captures.get(url)!);
  const [dom, text] = [domDetector(), textDetector()];
  const domModel = dom.learn(site, parseAll(sample));
  const textModel = text.learn(site, parseAll(sample));
  const counts = countTexts(parseAll(sample));
  const pages: CachedPage[] = [];
  for (const parsed of parseAll(sample.slice(0, TRAIN_PAGES))) {
    const { tree } = parsed;
    const table = maker.make(parsed, estimator.estimate(tree));
    const { rowCount, node } = table;
    const byDom = labeller.label(tree, dom.label(parsed, domModel), node, rowCount);
    const [domHtml, domText] = [byDom.htmlShare.slice(0, rowCount), byDom.textShare.slice(0, rowCount)];
    const byText = labeller.label(tree, text.label(parsed, textModel), node, rowCount);
    const textText = byText.textShare.slice(0, rowCount);
    pages.push({
      ...cachedPage(parsed, table, set),
      sitePages: sample.length,
      evidence: { domHtml, domText, textText, ...wordsBySpread(tree, counts, sample.length, node, rowCount) },
    });
  }
  return pages;
}

function cachedPage(
  { page, tree }: ParsedPage,
  table: ReturnType<FeatureMaker['make']>,
  set: string,
): CachedPage {
  const { rowCount, width } = table;
  return {
    url: page.url,
    site: page.site,
    set,
    type: '',
    rowCount,
    parent: table.parent.slice(0, rowCount),
    weight: table.weight.slice(0, rowCount),
    area: table.area.slice(0, rowCount),
    values: table.values.slice(0, rowCount * width),
    names: Array.from(table.node.subarray(0, rowCount), (node) => readNameTokens(tree, node).join(' ')),
  };
}

/** Counts the pages of a site with each text, ignoring digits. */
function countTexts(pages: Iterable<ParsedPage>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { tree } of pages) {
    const own = new Set<number>();
    for (let node = 0; node < tree.nodeCount; node++)
      if (tree.kind[node] === TEXT) own.add(textKey(tree, node));
    for (const key of own) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const lanes = { low: 0, high: 0 };
const scratch = new Uint8Array(1 << 22);

function textKey(tree: Tree, node: number): number {
  let length = 0;
  for (let p = tree.textStart[node]; p < tree.textStart[node + 1] && length < scratch.length; p++) {
    const byte = tree.text[p];
    if (length === 0 && byte === 0x20) continue;
    scratch[length++] = byte >= 0x30 && byte <= 0x39 ? 0x30 : byte;
  }
  hashBytes(scratch, 0, length, lanes);
  return (lanes.high >>> 0) * 1048576 + (lanes.low & 0xfffff);
}

function wordsBySpread(
  tree: Tree,
  counts: Map<number, number>,
  pages: number,
  rows: Int32Array,
  rowCount: number,
) {
  const totals = [0, 1, 2].map(() => new Float32Array(tree.nodeCount + 1));
  const frequent = Math.max(2, pages * FREQUENT_SHARE);
  for (let node = 0; node < tree.nodeCount; node++) {
    for (const total of totals) total[node + 1] = total[node];
    if (tree.kind[node] !== TEXT) continue;
    const bytes = tree.textStart[node + 1] - tree.textStart[node];
    if (bytes === 0) continue;
    const count = counts.get(textKey(tree, node)) ?? 1;
    totals[count >= frequent ? 2 : count > 1 ? 1 : 0][node + 1] += bytes;
  }
  const [unique, few, many] = totals.map((total) =>
    Float32Array.from(rows.subarray(0, rowCount), (node) => total[tree.last[node]] - total[node]),
  );
  return { unique, few, many };
}

const ids = new Map<string, number>();
const decoder = new TextDecoder();

function wordIds(text: string): number[] {
  return segmentWords(text).map((word) => {
    let id = ids.get(word);
    if (id === undefined) ids.set(word, (id = ids.size));
    return id;
  });
}

function goldPage(
  parsed: ParsedPage,
  row: ReturnType<typeof parseGold>['rows'][number],
  set: string,
): CachedPage {
  const { tree } = parsed;
  const table = maker.make(parsed, estimator.estimate(tree));
  const page = cachedPage(parsed, table, set);
  const rowOf = new Int32Array(tree.nodeCount);
  for (let k = 0; k < table.rowCount; k++) rowOf.fill(k, table.node[k], tree.last[table.node[k]]);
  const texts: string[] = Array.from({ length: table.rowCount }, () => '');
  for (let node = 0; node < tree.nodeCount; node++) {
    if (tree.kind[node] !== TEXT || tree.textStart[node + 1] === tree.textStart[node]) continue;
    texts[rowOf[node]] += decoder.decode(tree.text.subarray(tree.textStart[node], tree.textStart[node + 1]));
  }
  const rowStart = new Int32Array(table.rowCount + 1);
  const words: number[] = [];
  for (let k = 0; k < table.rowCount; k++) {
    words.push(...wordIds(decodeReferences(texts[k])));
    rowStart[k + 1] = words.length;
  }
  const comments =
    row.comments ??
    (row.blocks ?? [])
      .filter(({ label }) => label === 5)
      .map(({ text }) => text)
      .join('\n');
  return {
    ...page,
    type: row.type ?? '',
    gold: {
      rowStart,
      words: Int32Array.from(words),
      gold: Int32Array.from(wordIds(row.text!)),
      neutral: Int32Array.from(wordIds(comments)),
    },
  };
}

function readGoldRows(archive: string) {
  const file = goldFileOf(archive);
  return new Map(parseGold(readFileSync(file), file).rows.map((row) => [row.url, row]));
}

function goldFileOf(archive: string): string {
  return archive.replace(/\.warc\.gz$/, '.jsonl');
}

await main(process.argv.slice(2));
