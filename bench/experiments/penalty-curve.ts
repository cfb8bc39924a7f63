/**
 * Figures 2 and 3 of Chakrabarti, Kumar and Punera 2007 on other pages: how well template text, anchor text
 * and links are found, and how well sections agree with gold's, when the penalty of the smoothing is
 * multiplied by 1/100 … 100. Writes the figures as CSV; with --write also
 * docs/research/figures/penalty-detection.svg and docs/research/figures/penalty-segments.svg. With --paper
 * the model of the paper is smoothed exactly and not normalised, and the files are
 * paper-penalty-detection.svg and paper-penalty-segments.svg:
 *
 *     CHAFF_DATA=data npx tsx bench/experiments/penalty-curve.ts [--pages 400] [--half odd] [--paper | --model FILE] [--kind area+nodes] [--write] [gold …]
 *
 * Pages are a seeded sample of those with gold text, equally many from every set if it has enough, and of
 * hosts of one half unless --half all is given.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PageJudge } from '../../src/detect/page/judge-page.ts';
import { decodePageModel, packagedPageModel, paperPageModel } from '../../src/detect/page/page-model.ts';
import type { PenaltyKind } from '../../src/detect/page/section-penalty.ts';
import { findLeaves, findTemplateWords } from '../../src/evaluate/page-leaves.ts';
import { compareSegments, sectionsOfLeaves } from '../../src/evaluate/page-segments.ts';
import { labelLeaves } from '../../src/evaluate/score-page.ts';
import {
  countTemplates,
  type TemplateCounts,
  toTemplateFigures,
} from '../../src/evaluate/template-counts.ts';
import { Parser } from '../../src/parse/parser.ts';
import { docPath, mean } from '../doc-part.ts';
import { drawGoldPages, findGoldSets, type GoldSet } from '../gold-pages.ts';
import { linePlot } from '../line-plot.ts';
import { PAPER_OPTIONS } from './template-removal.ts';

const FACTORS = [1 / 100, 1 / 30, 1 / 10, 1 / 3, 1, 3, 10, 30, 100];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '400' },
    half: { type: 'string', default: 'odd' },
    model: { type: 'string' },
    paper: { type: 'boolean', default: false },
    kind: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

interface Point {
  counts: TemplateCounts[];
  /** Adjusted Rand index of each page, by set. */
  randIndex: Map<string, number[]>;
}

const own = values.model ? decodePageModel(readFileSync(values.model, 'utf8')) : undefined;
const model = own ?? (values.paper ? paperPageModel() : packagedPageModel());
const options = values.paper ? PAPER_OPTIONS : {};
const judges = FACTORS.map(
  (penalty) => new PageJudge(model, { ...options, penaltyKind: values.kind as PenaltyKind, penalty }),
);
const points = FACTORS.map((): Point => ({ counts: [], randIndex: new Map() }));
const parser = new Parser();
let pageCount = 0;
for (const set of findGoldSets(positionals)) await measureSet(set);
printCurve();

async function measureSet(set: GoldSet): Promise<void> {
  for (const { page, row } of await drawGoldPages(set, { pages: Number(values.pages), half: values.half })) {
    const parsed = { page, tree: parser.parse(page.source) };
    const truth = labelLeaves(findLeaves(parsed.tree), row);
    if (!truth) continue;
    pageCount++;
    for (const [k, judge] of judges.entries()) {
      const { ranges, sections } = judge.judge(parsed);
      const { counts, randIndex } = points[k];
      counts.push(countTemplates(truth.leaves, truth.kinds, findTemplateWords(truth.leaves, ranges)));
      const index = compareSegments(truth.kinds, truth.segments, sectionsOfLeaves(truth.leaves, sections));
      if (index === undefined) continue;
      const known = randIndex.get(set.name);
      if (known) known.push(index);
      else randIndex.set(set.name, [index]);
    }
  }
  console.error(`${set.name}: ${pageCount} pages so far`);
}

function printCurve(): void {
  const figures = points.map(({ counts }) => toTemplateFigures(counts)!);
  const sets = [...points[0].randIndex.keys()];
  const bySet = sets.map((set) => points.map(({ randIndex }) => mean(randIndex.get(set)!)));
  console.log(['factor', 'text F', 'anchor F', 'links F', ...sets.map((set) => `Rand ${set}`)].join(','));
  for (const [k, factor] of FACTORS.entries()) {
    const { text, anchors, links } = figures[k];
    const row = [text.f1, anchors.f1, links.f1, ...bySet.map((column) => column[k])];
    console.log([nameOf(factor), ...row.map((value) => value.toFixed(4))].join(','));
  }
  if (!values.write) return;
  const axis = { xs: FACTORS, nameX: nameOf, xTitle: 'factor of the penalty' };
  const detection = linePlot(
    [
      { name: 'text', values: figures.map(({ text }) => text.f1) },
      { name: 'anchor text', values: figures.map(({ anchors }) => anchors.f1) },
      { name: 'links', values: figures.map(({ links }) => links.f1) },
    ],
    { ...axis, title: `Templates found, ${pageCount.toLocaleString('en')} gold pages`, yTitle: 'F-measure' },
  );
  const segments = linePlot(
    sets.map((name, k) => ({ name, values: bySet[k] })),
    { ...axis, title: 'Sections beside those of gold', yTitle: 'adjusted Rand index' },
  );
  const prefix = values.paper ? 'paper-' : '';
  writeFileSync(docPath(`research/figures/${prefix}penalty-detection.svg`), detection);
  writeFileSync(docPath(`research/figures/${prefix}penalty-segments.svg`), segments);
}

function nameOf(factor: number): string {
  return factor < 1 ? `1/${Math.round(1 / factor)}` : String(factor);
}
