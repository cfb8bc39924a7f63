/**
 * Chaff beside the extractors a user would otherwise take, on the same gold pages and by the same measure
 * (docs/evaluation.md). Rewrites the generated part of docs/page-level.md with --write:
 *
 *   npm ci --prefix bench && scripts/python-rivals.sh
 *   npx tsx bench/extractors.ts --cache FOLDER [--only RIVAL …] [--detectors NAME …] [--half odd] [--held-out MODEL]
 *     [gold …]
 *
 * Gold is `<set>.jsonl` beside `<set>.warc.gz`; without any named, those of $CHAFF_DATA/gold. Rivals are given the
 * page's HTML as a string, decoded by our reader. What they make of it is kept in the folder (outside the
 * repository: it holds the pages' texts), so that ours can be scored again in seconds. An extractor that throws or
 * gives nothing has the score of an empty text. Ours that need a site learn it from the set's own pages. Only the
 * hosts of one half are compared (--half odd): settings of ours were chosen on the other. --held-out names a model
 * that was not trained on hosts of this half (HOLD_OUT=odd scripts/train-page-model.sh MODEL), which then runs as well.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PageJudge } from '../src/detect/page/judge-page.ts';
import { decodePageModel, packagedPageModel } from '../src/detect/page/page-model.ts';
import { bottomK } from '../src/detect/sample.ts';
import { detectorChoice } from '../src/evaluate/detector-choice.ts';
import { evaluate } from '../src/evaluate/evaluate.ts';
import { type HostHalf, hostHalf } from '../src/evaluate/gold.ts';
import { type PageScore, scorePage } from '../src/evaluate/score-page.ts';
import { Parser } from '../src/parse/parser.ts';
import { renderText } from '../src/view/visible-text.ts';
import { writeDocPart } from './doc-part.ts';
import { findRivals, type Rival } from './extractor-rivals.ts';
import { type Contestant, extractorTables, leadTable, timeTable } from './extractor-tables.ts';
import { findGoldSets, type GoldPage, type GoldSet, readGoldPages } from './gold-pages.ts';
import { rivalOutputs } from './rival-outputs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: 'string' },
    only: { type: 'string', multiple: true },
    detectors: { type: 'string', multiple: true, default: ['page', 'dom', 'text', 'cross'] },
    half: { type: 'string', default: 'odd' },
    'held-out': { type: 'string' },
    python: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
/** Pages of a set without gold text that are drawn: the slow rivals take a second for a page. */
const MAX_VALUE_PAGES = 400;
/** Our model that has not met the hosts of the half. */
const HELD_OUT = 'page (held out)';
const HALVES: Readonly<Record<string, string>> = {
  odd: 'Hosts of the odd half',
  even: 'Hosts of the even half',
  all: 'All hosts',
};

if (values.cache === undefined || !(values.half in HALVES)) {
  console.error('--cache must name a folder outside the repository; --half must be odd, even or all');
  process.exit(2);
}
await compare(findGoldSets(positionals), values.cache);

async function compare(sets: GoldSet[], cache: string): Promise<void> {
  const { rivals, missing } = await findRivals({ python: values.python });
  if (missing.length > 0) console.error(`not installed: ${missing.join(', ')}`);
  const chosen = rivals.filter(({ name }) => values.only === undefined || values.only.includes(name));
  const contestants = new Map<string, Contestant>();
  const enter = (name: string, version: string, scores: PageScore[], cpuMs: number[] = []) => {
    const known = contestants.get(name) ?? { name, version, scores: [], cpuMs: [] };
    contestants.set(name, known);
    known.scores.push(...scores);
    known.cpuMs.push(...cpuMs);
  };
  for (const set of sets) {
    const detectors = values.detectors.map((name) => detectorChoice(name));
    if (values['held-out'] !== undefined) {
      const model = decodePageModel(readFileSync(values['held-out'], 'utf8'));
      detectors.push({ name: 'page', label: HELD_OUT, options: { model } });
    }
    const half = values.half === 'all' ? undefined : (values.half as HostHalf);
    const ours = await evaluate({ archives: [set.archive], gold: [set.gold], detectors, half });
    const scored = new Map(ours.detectors[0].pages.map((page) => [page.url, page]));
    const pages = drawPages((await readGoldPages(set)).filter(({ row }) => scored.has(row.url)));
    const drawn = new Set(pages.map(({ row }) => row.url));
    for (const { label, pages: scores } of ours.detectors) {
      const chosenScores = scores.filter(({ url }) => drawn.has(url));
      enter(label, '', inSet(set, chosenScores), label === 'page' ? timePage(pages) : []);
    }
    for (const rival of chosen) {
      const { scores, cpuMs } = await scoreRival(rival, set, pages, scored, cache);
      enter(rival.name, rival.version, inSet(set, scores), cpuMs);
    }
    console.error(`${set.name}: ${pages.length} pages`);
  }
  const all = [...contestants.values()];
  const ours = contestants.has(HELD_OUT) ? HELD_OUT : 'page';
  const parts = [extractorTables(all, HALVES[values.half])];
  if (contestants.has(ours)) {
    parts.push(
      `Points of F1 of words that \`${ours}\` is ahead, with 95 % intervals of a paired bootstrap over hosts; bold where that leaves no doubt of the sign`,
      leadTable(all, ours),
    );
  }
  const told = [...parts, 'CPU time, one core', timeTable(all)].join('\n\n');
  console.log(told);
  if (values.write) writeDocPart('page-level.md', 'extractors', told);
}

/** Rows name the set they come from in many ways; tables have one. */
function inSet({ name }: GoldSet, scores: PageScore[]): PageScore[] {
  return scores.map((score) => ({ ...score, set: name }));
}

/** Pages of the half; of a set that only knows values to keep, a seeded sample. */
function drawPages(pages: GoldPage[]): GoldPage[] {
  const half = pages.filter(({ page }) => values.half === 'all' || hostHalf(page.site) === values.half);
  if (half.some(({ row }) => row.text !== undefined)) return half;
  const sample = bottomK(
    half.map(({ page }) => page),
    MAX_VALUE_PAGES,
  );
  const drawn = new Set(sample.map(({ url }) => url));
  return half.filter(({ row }) => drawn.has(row.url));
}

/** Milliseconds of CPU for each page: tree, layout, verdict and text. */
function timePage(pages: readonly GoldPage[]): number[] {
  const parser = new Parser();
  const judge = new PageJudge(packagedPageModel());
  return pages.map(({ page }) => {
    const before = process.cpuUsage();
    const tree = parser.parse(page.source);
    renderText(tree, judge.judge({ page, tree }).ranges);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}

async function scoreRival(
  rival: Rival,
  set: GoldSet,
  pages: readonly GoldPage[],
  scored: ReadonlyMap<string, PageScore>,
  cache: string,
): Promise<{ scores: PageScore[]; cpuMs: number[] }> {
  const outputs = await rivalOutputs(rival, set.name, pages, {
    cache,
    onPage: (done, missing) => {
      if (done % 100 === 0) console.error(`${rival.name}: ${done} of ${missing} pages of ${set.name}`);
    },
  });
  const scores = outputs.map(({ url, text }, index) => {
    const { site, sitePages } = scored.get(url)!;
    return scorePage({ url, site, sitePages, text, fellBack: false }, pages[index].row);
  });
  return { scores, cpuMs: outputs.map((output) => output.cpuMs) };
}
