/**
 * Measures how close the layout estimate is to Chromium, and its cost. Pages are laid out by the browser with
 * the resources in their archive (style sheets, if the crawl has them) and by the estimate. The orders of the
 * nodes by area, left edge, top edge and distance from the page's centre are compared:
 *
 *     npx tsx bench/layout.bench.ts [--sample 60] [--half odd] [--pages] [archives…]
 *
 * Default archives: gold and, as one set, the sites of CHAFF_DATA. `--half` selects hosts of one half (the
 * estimate was tuned on the even half), `--pages` prints a line for each page. Figures are medians over the
 * pages; time is CPU time of the estimate, the mean over the pages.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BrowserLayout } from '../src/browse/browser-layout.ts';
import { layOutInOrder } from '../src/browse/layout-in-order.ts';
import { ArchiveResources } from '../src/browse/resources.ts';
import { bottomK } from '../src/detect/sample.ts';
import { hostHalf } from '../src/evaluate/gold.ts';
import type { Boxes } from '../src/layout/boxes.ts';
import { LayoutEstimator } from '../src/layout/estimate.ts';
import type { Page } from '../src/model/page.ts';
import { holdTree, PageArena } from '../src/parse/page-arena.ts';
import { Parser } from '../src/parse/parser.ts';
import { TAG } from '../src/parse/tag-names.ts';
import { ELEMENT, TEXT, type Tree } from '../src/parse/tree.ts';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import { openArchive } from '../src/run/library/open-archive.ts';
import { markdownTable, median } from './doc-part.ts';
import { rankCorrelation } from './rank-correlation.ts';

/** Agreement of the estimate with the browser on one page. */
interface Agreement {
  area: number;
  left: number;
  top: number;
  centre: number;
  /** Share of the nodes that both show or both hide. */
  shown: number;
  nodes: number;
  source: Uint8Array;
}

interface PageSet {
  name: string;
  archives: string[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '60' },
    half: { type: 'string', default: 'odd' },
    pages: { type: 'boolean', default: false },
  },
});
const WARM_UP_ROUNDS = 5;
const ROUNDS = 9;
const sampleSize = Number(values.sample);
const parser = new Parser();
const estimator = new LayoutEstimator();

const rows: (string | number)[][] = [];
for (const set of findSets(positionals)) {
  const agreements = await compareSet(set);
  if (agreements.length === 0) continue;
  const of = (key: Exclude<keyof Agreement, 'source'>): number => median(agreements.map((one) => one[key]));
  rows.push([
    set.name,
    agreements.length,
    of('area').toFixed(3),
    of('left').toFixed(3),
    of('top').toFixed(3),
    of('centre').toFixed(3),
    `${(100 * of('shown')).toFixed(1)} %`,
    of('nodes'),
    Math.round(microsecondsPerPage(agreements.map(({ source }) => source))),
  ]);
  console.log(rows.at(-1)!.join('  '));
}
const header = ['set', 'pages', 'area', 'left', 'top', 'from centre', 'shown alike', 'nodes', 'µs a page'];
console.log(`\n${markdownTable(header, rows)}`);

/**
 * Groups archives into sets: an archive with many hosts is a set, and those of one site each form one set.
 */
function findSets(names: string[]): PageSet[] {
  if (names.length > 0) return names.map((name) => ({ name: setName(name), archives: [name] }));
  const { CHAFF_DATA } = process.env;
  if (CHAFF_DATA === undefined || !existsSync(join(CHAFF_DATA, 'gold'))) {
    console.error('name archives, or set CHAFF_DATA to a folder with gold/ and sites/');
    process.exit(2);
  }
  const gold = archivesIn(join(CHAFF_DATA, 'gold')).map((path) => ({
    name: setName(path),
    archives: [path],
  }));
  return [...gold, { name: 'sites', archives: archivesIn(join(CHAFF_DATA, 'sites')) }];
}

function archivesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.warc.gz'));
  return names.sort().map((name) => join(folder, name));
}

function setName(path: string): string {
  return basename(path).replace(/\..*$/, '');
}

async function compareSet({ archives }: PageSet): Promise<Agreement[]> {
  const agreements: Agreement[] = [];
  // with several archives, each contributes its share of the sample, and half of its hosts are of the other
  // half
  const perArchive = Math.ceil((archives.length > 1 ? 2 : 1) * (sampleSize / archives.length));
  for (const archive of archives) {
    const pages = await samplePages(archive, perArchive);
    if (pages.length === 0) continue;
    const { inputs } = await openInputs([archive]);
    const layout = await BrowserLayout.open({ resources: ArchiveResources.survey(inputs) });
    const parse = (page: Page) => ({ page, tree: parser.parse(page.source) });
    for await (const { item, laidOut } of layOutInOrder(pages, { layout, parse })) {
      if (!laidOut?.boxes) continue;
      const agreement = comparePage(parser.parse(item.source), laidOut.boxes);
      if (agreement) agreements.push(agreement);
      if (agreement && values.pages) console.log(describe(agreement), item.url.slice(0, 90));
    }
    await layout.close();
    closeInputs(inputs);
  }
  return agreements;
}

async function samplePages(archive: string, count: number): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const page of openArchive(archive)) {
    if (values.half === 'both' || hostHalf(page.site) === values.half) {
      pages.push({ ...page, source: page.source.slice() });
    }
  }
  return pages.length === 0 ? [] : bottomK(pages, count);
}

/** Returns the agreement on one page; null when it shows too few nodes to be ordered. */
function comparePage(tree: Tree, browser: Boxes): Agreement | null {
  const estimate = estimator.estimate(tree);
  const columns = { area: pair(), left: pair(), top: pair(), centre: pair() };
  let alike = 0;
  let compared = 0;
  for (const node of comparedNodes(tree)) {
    const [ours, theirs] = [areaOf(estimate, node), areaOf(browser, node)];
    compared++;
    if (ours > 0 === theirs > 0) alike++;
    if (ours > 0 || theirs > 0) put(columns.area, ours, theirs);
    if (!(ours > 0 && theirs > 0)) continue;
    put(columns.left, estimate.left[node], browser.left[node]);
    put(columns.top, estimate.top[node], browser.top[node]);
    put(columns.centre, distanceFromCentre(estimate, node), distanceFromCentre(browser, node));
  }
  const agreement: Agreement = {
    area: rankCorrelation(...columns.area),
    left: rankCorrelation(...columns.left),
    top: rankCorrelation(...columns.top),
    centre: rankCorrelation(...columns.centre),
    shown: alike / compared,
    nodes: tree.nodeCount,
    source: tree.source,
  };
  const { area, left, top, centre } = agreement;
  const hasOrder = columns.left[0].length >= 10 && [area, left, top, centre].every(Number.isFinite);
  return hasOrder ? agreement : null;
}

/** Returns the CPU time of the estimate per page in microseconds, the median of the rounds. */
function microsecondsPerPage(sources: Uint8Array[]): number {
  const arena = new PageArena();
  const trees = sources.map((source) => holdTree(parser.parse(source), arena));
  const rounds: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const before = process.cpuUsage();
    for (const tree of trees) estimator.estimate(tree);
    const { user, system } = process.cpuUsage(before);
    if (round >= WARM_UP_ROUNDS) rounds.push((user + system) / trees.length);
  }
  arena.release();
  return median(rounds);
}

/** Yields elements, and texts that are not white space; nodes inside an SVG have no position in the flow. */
function* comparedNodes({ nodeCount, kind, name, last, textStart }: Tree): Generator<number> {
  for (let node = 1; node < nodeCount; node++) {
    if (kind[node] === ELEMENT || (kind[node] === TEXT && textStart[node] < textStart[node + 1])) yield node;
    if (name[node] === TAG.svg) node = last[node] - 1;
  }
}

function areaOf({ width, height }: Boxes, node: number): number {
  return width[node] * height[node];
}

function distanceFromCentre(
  { left, top, width, height, pageWidth, pageHeight }: Boxes,
  node: number,
): number {
  const x = (left[node] + width[node] / 2) / pageWidth - 0.5;
  const y = (top[node] + height[node] / 2) / pageHeight - 0.5;
  return Math.hypot(x, y);
}

function pair(): [number[], number[]] {
  return [[], []];
}

function put([a, b]: [number[], number[]], x: number, y: number): void {
  a.push(x);
  b.push(y);
}

function describe({ area, left, top, centre, shown, nodes }: Agreement): string {
  const figures = [area, left, top, centre, shown].map((value) => value.toFixed(2).padStart(5));
  return `${figures.join(' ')} ${String(nodes).padStart(6)} nodes`;
}
