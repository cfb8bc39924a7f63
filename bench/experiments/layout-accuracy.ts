/**
 * Measures the loss of accuracy from estimating the layout: the same gold pages are judged with estimated
 * boxes and with those of Chromium, by the same model, and scored by words.
 *
 *     npx tsx bench/experiments/layout-accuracy.ts [--sample 120] [--half odd]
 *
 * Needs CHAFF_DATA (gold/) and a browser. Pages that the browser could not lay out are in neither column.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { BrowserLayout } from '../../src/browse/browser-layout.ts';
import { ArchiveResources } from '../../src/browse/resources.ts';
import { bottomK } from '../../src/detect/sample.ts';
import { hostHalf, readGold } from '../../src/evaluate/gold.ts';
import { scorePage } from '../../src/evaluate/score-page.ts';
import type { Page } from '../../src/model/page.ts';
import { closeInputs, openInputs } from '../../src/read/open-inputs.ts';
import { judgePages } from '../../src/run/library/judge-pages.ts';
import { openArchive } from '../../src/run/library/open-archive.ts';
import { renderText } from '../../src/view/visible-text.ts';
import { markdownTable } from '../doc-part.ts';

const SETS = ['wcxb', 'dragnet', 'daniel', 'l3s-gn1'];

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '120' },
    half: { type: 'string', default: 'odd' },
  },
});
const { CHAFF_DATA } = process.env;
if (CHAFF_DATA === undefined || !existsSync(join(CHAFF_DATA, 'gold'))) {
  console.error('set CHAFF_DATA to a folder with gold/');
  process.exit(2);
}

const rows: (string | number)[][] = [];
for (const set of SETS) {
  const archive = join(CHAFF_DATA, 'gold', `${set}.warc.gz`);
  const gold = new Map(
    (await readGold(join(CHAFF_DATA, 'gold', `${set}.jsonl`))).rows.map((row) => [row.url, row]),
  );
  const pages = await samplePages(archive, (url) => gold.get(url)?.text !== undefined);
  const { inputs } = await openInputs([archive]);
  const layout = await BrowserLayout.open({ resources: ArchiveResources.survey(inputs) });
  const failed = new Set<string>();
  const shown = await scoresOf(pages, { layout, onProblem: ({ url }) => failed.add(url ?? '') });
  await layout.close();
  closeInputs(inputs);
  const estimated = await scoresOf(pages, {});
  const both = [...estimated.keys()].filter((url) => shown.has(url) && !failed.has(url));
  const mean = (scores: Map<string, number>): string =>
    ((100 * both.reduce((sum, url) => sum + scores.get(url)!, 0)) / both.length).toFixed(1);
  rows.push([set, both.length, mean(estimated), mean(shown)]);
  console.log(rows.at(-1)!.join('  '));

  async function scoresOf(
    those: Page[],
    options: Parameters<typeof judgePages>[1],
  ): Promise<Map<string, number>> {
    const scores = new Map<string, number>();
    for await (const { page, tree, ranges } of judgePages(those, options)) {
      const { url, site } = page;
      const output = { url, site, sitePages: 1, text: renderText(tree, ranges), fellBack: false };
      const { words } = scorePage(output, gold.get(url)!);
      if (words) scores.set(url, words.f1);
    }
    return scores;
  }
}
const header = ['set', 'pages', 'F1 with the estimate', 'F1 with Chromium'];
console.log(`\n${markdownTable(header, rows)}`);

/** Returns gold pages of one half of the hosts: a sample that does not depend on order. */
async function samplePages(archive: string, isGold: (url: string) => boolean): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const page of openArchive(archive)) {
    if (isGold(page.url) && (values.half === 'both' || hostHalf(page.site) === values.half)) {
      pages.push({ ...page, source: page.source.slice() });
    }
  }
  return bottomK(pages, Number(values.sample));
}
