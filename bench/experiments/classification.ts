/**
 * Classification across sites, after Chakrabarti, Kumar and Punera 2007, section 6.3 and Table 3: two classes,
 * each learnt from one site by Naive Bayes, tested on the other sites of both. What a site repeats on all its
 * pages looks like a mark of its class; removing it should help. Classes are the eight kinds of catalogue in the
 * gold set `swde` (five sites of 50 pages each).
 *
 *   CHAFF_DATA=data npx tsx bench/experiments/classification.ts
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scanTreeWords } from '../../src/compare/word-scanner.ts';
import { classify, trainNaiveBayes, type WordCounts } from '../../src/learn/naive-bayes.ts';
import type { Page } from '../../src/model/page.ts';
import { siteOf } from '../../src/model/site.ts';
import { readGoldPages } from '../gold-pages.ts';
import { templateRemovals } from './template-removal.ts';

/** The pages of one site that are of one class. */
interface ClassSite {
  name: string;
  kind: string;
  host: string;
  /** Places of its pages among all. */
  pages: number[];
}

const { CHAFF_DATA } = process.env;
const gold = join(CHAFF_DATA ?? '', 'gold', 'swde.jsonl');
if (CHAFF_DATA === undefined || !existsSync(gold)) {
  console.error('the labelled catalogue sites are in gold/swde.jsonl and .warc.gz of the folder CHAFF_DATA');
  process.exit(2);
}

const found = await readGoldPages({ name: 'swde', gold, archive: gold.replace('.jsonl', '.warc.gz') });
const pages = found.map(({ page }) => page);
const sites = classSites();
const kinds = [...new Set(sites.map(({ kind }) => kind))].sort();
const pairs = kinds.flatMap((a, i) => kinds.slice(i + 1).map((b): [string, string] => [a, b]));
const removals = templateRemovals();
const columns = removals.map(({ name, label }) => {
  const texts = countWords(label);
  const words = texts.reduce((sum, { counts }) => sum + counts.reduce((all, count) => all + count, 0), 0);
  return { name, words, accuracies: pairs.map((pair) => accuracyOf(pair, texts)) };
});
print();

/** By pair of classes, the mean over all choices of a site for each: both are learnt, all others are tested. */
function accuracyOf([a, b]: [string, string], texts: WordCounts[]): number {
  const [ones, twos] = [a, b].map((kind) => sites.filter((site) => site.kind === kind));
  let sum = 0;
  let count = 0;
  for (const one of ones) {
    for (const two of twos) {
      // one site under both classes has one template: nothing to be misled by
      if (one.host === two.host) continue;
      const training = [one, two].flatMap((site, k) => site.pages.map((page) => ({ page, k })));
      const model = trainNaiveBayes(
        training.map(({ page }) => texts[page]),
        training.map(({ k }) => k),
        { priors: 'equal' },
      );
      let right = 0;
      let tested = 0;
      for (const site of [...ones, ...twos]) {
        if (site === one || site === two) continue;
        const expected = site.kind === a ? 0 : 1;
        for (const page of site.pages) if (classify(model, texts[page]) === expected) right++;
        tested += site.pages.length;
      }
      sum += right / tested;
      count++;
    }
  }
  return sum / count;
}

/** The words of all pages with templates removed, by host. Words are numbered over all pages. */
function countWords(label: (typeof removals)[number]['label']): WordCounts[] {
  const numbers = new Map<number, number>();
  const texts: WordCounts[] = [];
  for (const host of new Set(sites.map((site) => site.host))) {
    const places = sites.filter((site) => site.host === host).flatMap((site) => site.pages);
    label(
      host,
      places.map((place) => pages[place]),
      (index, tree, ranges) => {
        const counts = new Map<number, number>();
        scanTreeWords(tree, ranges, (low, high) => {
          const hash = (high >>> 11) * 2 ** 32 + (low >>> 0);
          let number = numbers.get(hash);
          if (number === undefined) numbers.set(hash, (number = numbers.size));
          counts.set(number, (counts.get(number) ?? 0) + 1);
        });
        texts[places[index]] = {
          words: Uint32Array.from(counts.keys()),
          counts: Uint32Array.from(counts.values()),
        };
      },
    );
  }
  return texts;
}

/** `camera-buy` is the part of a site that sells cameras. */
function classSites(): ClassSite[] {
  const byName = new Map<string, ClassSite>();
  for (const [place, { row, page }] of found.entries()) {
    const name = row.site;
    const kind = name.split('-')[0];
    const site = byName.get(name) ?? { name, kind, host: hostOf(page), pages: [] };
    site.pages.push(place);
    byName.set(name, site);
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function hostOf({ url }: Page): string {
  return siteOf(url, 'host');
}

function print(): void {
  const percent = (value: number) => (100 * value).toFixed(1);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const head = columns.map(({ name }) => name);
  console.log(`${pages.length} pages of ${sites.length} sites, ${pairs.length} pairs of classes\n`);
  console.log(`| classes | ${head.join(' | ')} |\n| --- |${head.map(() => ' ---: |').join('')}`);
  for (const [i, [a, b]] of pairs.entries()) {
    console.log(`| ${a} / ${b} | ${columns.map(({ accuracies }) => percent(accuracies[i])).join(' | ')} |`);
  }
  const best = pairs.map((_, i) => Math.max(...columns.map(({ accuracies }) => accuracies[i])));
  const rows: [string, (column: (typeof columns)[number]) => string][] = [
    ['**average**', ({ accuracies }) => `**${percent(mean(accuracies))}**`],
    [
      'pairs on which it is best',
      ({ accuracies }) => String(accuracies.filter((a, i) => a === best[i]).length),
    ],
    ['words a page', ({ words }) => (words / pages.length).toFixed(0)],
  ];
  for (const [title, cell] of rows) console.log(`| ${title} | ${columns.map(cell).join(' | ')} |`);
}
