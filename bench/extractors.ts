/**
 * Chaff beside the extractors a user would otherwise take, on the same gold pages and by the same measure
 * (docs/evaluation.md). Rewrites the generated part of docs/page-level.md with --write:
 *
 *   npm ci --prefix bench && scripts/python-rivals.sh
 *   npx tsx bench/extractors.ts --cache FOLDER [--only NAME …] [--detectors NAME …] [--half odd] [gold …]
 *
 * Gold is `<set>.jsonl` beside `<set>.warc.gz`; without any named, those of $CHAFF_DATA/gold. Rivals are given the
 * page's HTML as a string, decoded by our reader. What they make of it is kept in the folder (outside the
 * repository: it holds the pages' texts), so that ours can be scored again in seconds. An extractor that throws or
 * gives nothing has the score of an empty text. Ours that need a site learn it from the set's own pages.
 */
import { parseArgs } from 'node:util';
import { bottomK } from '../src/detect/sample.ts';
import { detectorChoice } from '../src/evaluate/detector-choice.ts';
import { evaluate } from '../src/evaluate/evaluate.ts';
import { type HostHalf, hostHalf } from '../src/evaluate/host-half.ts';
import { type PageScore, scorePage } from '../src/evaluate/score-page.ts';
import { writeDocPart } from './doc-part.ts';
import { findRivals, type Rival } from './extractor-rivals.ts';
import { type Contestant, extractorTables } from './extractor-tables.ts';
import { findGoldSets, type GoldPage, type GoldSet, readGoldPages } from './gold-pages.ts';
import { rivalOutputs } from './rival-outputs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cache: { type: 'string' },
    only: { type: 'string', multiple: true },
    detectors: { type: 'string', multiple: true, default: ['page', 'dom', 'text', 'cross'] },
    half: { type: 'string', multiple: true, default: ['odd', 'all'] },
    python: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
/** Pages of a set without gold text that rivals are given: the slow ones take a second for a page. */
const MAX_VALUE_PAGES = 400;

if (values.cache === undefined) {
  console.error('--cache must name a folder outside the repository');
  process.exit(2);
}
await compare(findGoldSets(positionals), values.cache);

async function compare(sets: GoldSet[], cache: string): Promise<void> {
  const { rivals, missing } = await findRivals({ python: values.python });
  if (missing.length > 0) console.error(`not installed: ${missing.join(', ')}`);
  const chosen = rivals.filter(({ name }) => values.only === undefined || values.only.includes(name));
  const contestants = new Map<string, Contestant>();
  const enter = (name: string, version: string, scores: PageScore[], cpuMs: number[]) => {
    const known = contestants.get(name) ?? { name, version, scores: [], cpuMs: [] };
    contestants.set(name, known);
    known.scores.push(...scores);
    known.cpuMs.push(...cpuMs);
  };
  for (const set of sets) {
    const ours = await evaluate({
      archives: [set.archive],
      gold: [set.gold],
      detectors: values.detectors.map((name) => detectorChoice(name)),
    });
    for (const { label, pages } of ours.detectors) {
      enter(
        label,
        '',
        pages.map((page) => ({ ...page, set: set.name })),
        [],
      );
    }
    const scored = new Map(ours.detectors[0].pages.map((page) => [page.url, page]));
    const pages = drawPages((await readGoldPages(set)).filter(({ row }) => scored.has(row.url)));
    for (const rival of chosen) {
      const { scores, cpuMs } = await scoreRival(rival, set, pages, scored, cache);
      enter(rival.name, rival.version, scores, cpuMs);
    }
    console.error(`${set.name}: ${pages.length} pages`);
  }
  const parts = values.half.map((half) => {
    const chosenHalf = half === 'all' ? undefined : (half as HostHalf);
    const pageOf = ({ site }: PageScore) => chosenHalf === undefined || hostHalf(site) === chosenHalf;
    return extractorTables([...contestants.values()], pageOf, half);
  });
  const told = parts.join('\n\n');
  console.log(told);
  if (values.write) writeDocPart('page-level.md', 'extractors', told);
}

/** All pages of a set with gold text; of a set that only knows values to keep, a seeded sample. */
function drawPages(pages: GoldPage[]): GoldPage[] {
  if (pages.some(({ row }) => row.text !== undefined)) return pages;
  const drawn = new Set(
    bottomK(
      pages.map(({ page }) => page),
      MAX_VALUE_PAGES,
    ).map(({ url }) => url),
  );
  return pages.filter(({ row }) => drawn.has(row.url));
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
    onPage: (done) => {
      if (done % 100 === 0) console.error(`${rival.name}: ${done} of ${pages.length} pages of ${set.name}`);
    },
  });
  const scores = outputs.map(({ url, text }, index) => {
    const { site, sitePages } = scored.get(url)!;
    const score = scorePage({ url, site, sitePages, text, fellBack: false }, pages[index].row);
    return { ...score, set: set.name };
  });
  return { scores, cpuMs: outputs.map((output) => output.cpuMs) };
}
