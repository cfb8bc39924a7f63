/**
 * Figure 1 of Gibson, Punera and Tomkins 2005 on other sites: for several settings W.F.D.P of the text
 * detector, the share of text found in templates and the time of learning a site. Rewrites
 * docs/research/figures/text-settings.svg and the generated part of docs/research/text-settings.md:
 *
 *     npx tsx bench/text-settings.ts [--rounds 5] [archive or folder …]
 *
 * Each archive is one site; the default is $CHAFF_DATA/sites. Times are CPU time of the process (user and
 * system, all threads) over parsed pages, with the settings taking turns within each round; the median of the
 * rounds per site, the mean over sites.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { countWindows, findFrequentWindows } from '../src/analysis/frequent-windows.ts';
import { KernelTexts, WindowRoll } from '../src/analysis/text-windows.ts';
import type { Detector, ParsedPage, SiteModel } from '../src/detect/detector.ts';
import { domDetector } from '../src/detect/dom-detector.ts';
import { countNodes } from '../src/detect/dom-evidence.ts';
import { checkDomOptions, lowerPages } from '../src/detect/dom-settings.ts';
import { textBytesByLabel } from '../src/detect/ranges.ts';
import { COMPARED_SETTINGS } from '../src/detect/settings-trial.ts';
import { countGaps } from '../src/detect/template-spans.ts';
import { textDetector } from '../src/detect/text-detector.ts';
import { checkTextOptions, frequencyFor, parseTextSettings } from '../src/detect/text-settings.ts';
import type { Page } from '../src/model/page.ts';
import { holdTree, PageArena } from '../src/parse/page-arena.ts';
import { Parser } from '../src/parse/parser.ts';
import { docPath, markdownTable, mean, median, writeDocPart } from './doc-part.ts';
import { findArchives, readSite } from './real-sites.ts';
import { scatterPlot } from './scatter-plot.ts';

/** The paper's choice and its fast one come first, because the others are compared with them. */
const SETTINGS = [...COMPARED_SETTINGS, '16.10.20.200', '32.20.40.200', '32.2.40.20'];
const BASE = SETTINGS[0];
const FAST = SETTINGS[1];
const SAMPLE_PAGES = 200;
/** A measurement is repeated until this many milliseconds have passed. */
const MEASURE_MS = 10;

interface Contender {
  name: string;
  /** Number of pages of the sample that it learns from. */
  samplePages: number;
  detector: Detector;
  /** Returns the counting pass alone, prepared on parsed pages. */
  counting(pages: ParsedPage[]): () => void;
}

interface Result {
  name: string;
  share: number;
  countMs: number;
  learnMs: number;
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const archives = await findArchives(positionals);
const contenders = [...SETTINGS.map(textContender), domContender()];
const parser = new Parser();
const arena = new PageArena();
const corpus = { sites: archives.length, pages: 0, sampled: 0, sampledText: 0, parseMs: [] as number[] };
const bySite: Map<string, Omit<Result, 'name'>>[] = [];
for (const [k, archive] of archives.entries()) {
  if (k === 0) await measureSite(archive, 1); // a first measurement warms up the compiler
  bySite.push(await measureSite(archive, rounds, corpus));
  console.error(`${k + 1} of ${archives.length}: ${basename(archive)}`);
}
const results: Result[] = contenders.map(({ name }) => {
  const rows = bySite.map((site) => site.get(name)!);
  const average = (part: 'share' | 'countMs' | 'learnMs') => mean(rows.map((row) => row[part]));
  return { name, share: average('share'), countMs: average('countMs'), learnMs: average('learnMs') };
});
writeFileSync(docPath('research/figures/text-settings.svg'), plot(results));
writeDocPart('research/text-settings.md', 'figures', describe(results));

function textContender(settings: string): Contender {
  const options = checkTextOptions(parseTextSettings(settings));
  const { windowCharacters, density, samplePages } = options;
  return {
    name: settings,
    samplePages,
    detector: textDetector(options) as Detector,
    counting(pages) {
      const texts = new KernelTexts(pages.map(({ tree }) => tree.text.subarray(0, tree.textLength)));
      const roll = new WindowRoll(windowCharacters, density);
      const minPages = frequencyFor(pages.length, options);
      return () => {
        const found = findFrequentWindows(texts, roll, minPages);
        const fragments = found?.counts ?? countWindows(texts, roll, minPages);
        if (density > 1) countGaps(texts, options, fragments, minPages);
      };
    },
  };
}

function domContender(): Contender {
  const options = checkDomOptions({});
  return {
    name: 'dom',
    samplePages: options.samplePages,
    detector: domDetector(options) as Detector,
    counting(pages) {
      const trees = pages.map(({ tree }) => tree);
      return () => countNodes(trees, lowerPages(pages.length, options), options.evidence);
    },
  };
}

async function measureSite(
  archive: string,
  times: number,
  sums?: typeof corpus,
): Promise<Map<string, Omit<Result, 'name'>>> {
  const { pages, sample } = await readSite(archive, SAMPLE_PAGES);
  arena.reset();
  const parsed = sample.map((page) => ({ page, tree: holdTree(parser.parse(page.source), arena) }));
  const site = sample[0].site;
  const runs = contenders.map(({ name, samplePages, detector, counting }) => {
    const part = parsed.slice(0, samplePages);
    return { name, part, detector, count: counting(part), countMs: [] as number[], learnMs: [] as number[] };
  });
  for (let round = 0; round < times; round++) {
    for (const run of runs) {
      run.countMs.push(measure(run.count));
      run.learnMs.push(measure(() => void run.detector.learn(site, run.part)));
    }
  }
  const shares = meanShares(
    pages,
    runs.map(({ detector, part }) => ({ detector, model: detector.learn(site, part) })),
  );
  if (sums) {
    sums.pages += pages.length;
    sums.sampled += sample.length;
    for (const { tree } of parsed) sums.sampledText += tree.textLength;
    const parseAll = () => {
      for (const { source } of sample) parser.parse(source);
    };
    sums.parseMs.push(median(Array.from({ length: times }, () => measure(parseAll))));
  }
  return new Map(
    runs.map(({ name, countMs, learnMs }, k) => [
      name,
      { share: shares[k], countMs: median(countMs), learnMs: median(learnMs) },
    ]),
  );
}

/** Returns the CPU milliseconds of one call. */
function measure(run: () => void): number {
  const before = process.cpuUsage();
  for (let calls = 1; ; calls++) {
    run();
    const { user, system } = process.cpuUsage(before);
    if (user + system > MEASURE_MS * 1000) return (user + system) / 1000 / calls;
  }
}

/**
 * Returns the share of an average page's text that is template, by each model, without fallbacks, as in the
 * paper.
 */
function meanShares(pages: Page[], learnt: { detector: Detector; model: SiteModel }[]): number[] {
  const sums = learnt.map(() => 0);
  let count = 0;
  for (const page of pages) {
    const tree = parser.parse(page.source);
    if (tree.textLength === 0) continue;
    count++;
    for (const [k, { detector, model }] of learnt.entries()) {
      const { template } = textBytesByLabel(tree, detector.label({ page, tree }, model));
      sums[k] += template / tree.textLength;
    }
  }
  return sums.map((sum) => sum / Math.max(1, count));
}

function plot(all: Result[]): string {
  return scatterPlot(
    all.map(({ name, share, countMs }) => ({
      x: countMs,
      y: 100 * share,
      label: name,
      kind: name === 'dom' ? 'other' : name === BASE || name === FAST ? 'strong' : 'plain',
    })),
    {
      title: 'Text found in templates against the time of the counting pass, by setting W.F.D.P',
      xTitle: 'CPU time of the counting pass per site, ms (log scale)',
      yTitle: 'text in templates, %',
    },
  );
}

function describe(all: Result[]): string {
  const base = all.find(({ name }) => name === BASE)!;
  const fast = all.find(({ name }) => name === FAST)!;
  const dom = all.find(({ name }) => name === 'dom')!;
  const table = markdownTable(
    ['W.F.D.P', 'text in templates, %', `against ${BASE}, points`, 'counting, ms', 'both passes, ms'],
    all.map(({ name, share, countMs, learnMs }) => [
      name === 'dom' ? 'dom detector' : name,
      (100 * share).toFixed(1),
      name === BASE ? '' : signed(100 * (share - base.share)),
      countMs.toFixed(1),
      learnMs.toFixed(1),
    ]),
  );
  const pages = corpus.sampled / corpus.sites;
  return `
${table}

Times are per site; on average ${pages.toFixed(0)} pages of it are sampled, with
${(corpus.sampledText / corpus.sites / 1e6).toFixed(2)} MB of detagged text, whose parsing takes ${mean(corpus.parseMs).toFixed(0)} ms and is in none of the figures.
Shares are over all ${corpus.pages.toLocaleString('en')} pages of the ${corpus.sites} sites in [sites.md](sites.md). Median of ${rounds} rounds, one core of
${article(cpuName())}, Node ${process.versions.node.split('.')[0]}.

- ${FAST} counts ${(base.countMs / fast.countMs).toFixed(1)} times as fast as ${BASE}
  (${fast.countMs.toFixed(1)} against ${base.countMs.toFixed(1)} ms a site, ${((1000 * fast.countMs) / pages).toFixed(0)} against ${((1000 * base.countMs) / pages).toFixed(0)} µs a page) and finds ${points(100 * (fast.share - base.share))}.
- The dom detector counts in ${dom.countMs.toFixed(1)} ms a site and finds ${points(100 * (dom.share - base.share))} than ${BASE}.
`;
}

function cpuName(): string {
  return (cpus()[0]?.model ?? 'unknown processor')
    .replace(/\((R|TM)\)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function article(noun: string): string {
  return `${/^[AEIOU]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
}

function points(value: number): string {
  return `${Math.abs(value).toFixed(1)} points ${value < 0 ? 'less' : 'more'}`;
}
