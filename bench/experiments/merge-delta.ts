/**
 * Finds the best δ of Basic + Merge (Chakrabarti, Kumar and Punera 2007, section 6.1): the adjusted Rand
 * index of sections for δ = 0.00, 0.02 … 1, as the mean over pages of all sets, on hosts of one half.
 *
 *     CHAFF_DATA=data npx tsx bench/experiments/merge-delta.ts [--half even] [--pages 400] [--model FILE | --paper] [gold …]
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PageJudge } from '../../src/detect/page/judge-page.ts';
import { decodePageModel, packagedPageModel, paperPageModel } from '../../src/detect/page/page-model.ts';
import { findMergedSections, mergeLeaves } from '../../src/detect/page/sections.ts';
import { findLeaves } from '../../src/evaluate/page-leaves.ts';
import { compareSegments, sectionsOfLeaves } from '../../src/evaluate/page-segments.ts';
import { labelLeaves } from '../../src/evaluate/score-page.ts';
import { Parser } from '../../src/parse/parser.ts';
import { mean } from '../doc-part.ts';
import { drawGoldPages, findGoldSets } from '../gold-pages.ts';

const DELTAS = Array.from({ length: 51 }, (_, k) => k / 50);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '400' },
    half: { type: 'string', default: 'even' },
    model: { type: 'string' },
    paper: { type: 'boolean', default: false },
  },
});

const model = values.model ? decodePageModel(readFileSync(values.model, 'utf8')) : undefined;
const judge = new PageJudge(model ?? (values.paper ? paperPageModel() : packagedPageModel()), {
  smoothing: 'none',
  levelling: false,
});
const parser = new Parser();
const randIndex = DELTAS.map((): number[] => []);
for (const set of findGoldSets(positionals)) {
  for (const { page, row } of await drawGoldPages(set, { pages: Number(values.pages), half: values.half })) {
    const parsed = { page, tree: parser.parse(page.source) };
    const truth = labelLeaves(findLeaves(parsed.tree), row);
    if (!truth) continue;
    const { table, scores } = judge.judge(parsed);
    for (const [k, delta] of DELTAS.entries()) {
      const merged = mergeLeaves(table, scores, delta);
      const sections = findMergedSections(parsed.tree, table, merged, () => 'content', delta);
      const index = compareSegments(truth.kinds, truth.segments, sectionsOfLeaves(truth.leaves, sections));
      if (index !== undefined) randIndex[k].push(index);
    }
  }
  console.error(`${set.name}: ${randIndex[0].length} pages so far`);
}
console.log('delta,Rand');
const means = randIndex.map(mean);
for (const [k, delta] of DELTAS.entries()) console.log(`${delta},${means[k].toFixed(4)}`);
console.log(`best: ${DELTAS[means.indexOf(Math.max(...means))]}`);
