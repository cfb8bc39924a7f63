/**
 * Classification across sites, after Chakrabarti, Kumar and Punera 2007, section 6.3 and Table 3: two classes
 * are each learnt from one site by Naive Bayes and tested on the other sites of both. Text that a site
 * repeats on all its pages looks typical of its class, so removing it should help.
 *
 *     CHAFF_DATA=data npx tsx bench/experiments/classification.ts
 *
 * The first test uses the labelled catalogue sites (gold set `swde`: eight kinds of catalogue, five sites of
 * 50 pages each). Each of these is about one kind of thing, and so is its template. In the paper, every site
 * sells all kinds in one template. So the second test uses pages made in that way: the main texts of the gold
 * set `wcxb`, of seven kinds, in the templates of four weblogs that all have all kinds.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scanTreeWords, WordList } from '../../src/analysis/word-scanner.ts';
import { readGold } from '../../src/evaluate/gold.ts';
import type { Page } from '../../src/model/page.ts';
import { siteOf } from '../../src/model/site.ts';
import { readGoldPages } from '../gold-pages.ts';
import { classify, trainNaiveBayes, type WordCounts } from './naive-bayes.ts';
import { MAX_WORDS, openTemplateSites } from './real-templates.ts';
import { type Removal, templateRemovals } from './template-removal.ts';

/** The pages of one site that belong to one class. */
interface ClassSite {
  kind: string;
  host: string;
  pages: Page[];
}

/** Minimum number of words of a text that is set into a template. */
const MIN_WORDS = 60;

const { CHAFF_DATA } = process.env;
if (CHAFF_DATA === undefined || !existsSync(join(CHAFF_DATA, 'gold', 'swde.jsonl'))) {
  console.error('the labelled catalogue sites are in gold/swde.jsonl and .warc.gz of the folder CHAFF_DATA');
  process.exit(2);
}
const removals = templateRemovals();
compare('Catalogue sites, each about one kind of thing', await catalogueSites(CHAFF_DATA));
compare('All kinds of text in every template', await mixedSites(CHAFF_DATA));

function compare(title: string, sites: ClassSite[]): void {
  if (sites.length === 0) return;
  const kinds = [...new Set(sites.map(({ kind }) => kind))].sort();
  const pairs = kinds.flatMap((a, i) => kinds.slice(i + 1).map((b): [string, string] => [a, b]));
  const pageCount = sites.reduce((sum, { pages }) => sum + pages.length, 0);
  console.log(
    `\n${title}: ${pageCount} pages, ${new Set(sites.map(({ host }) => host)).size} hosts, ` +
      `${kinds.length} classes, ${pairs.length} pairs\n`,
  );
  const columns = removals.map((removal) => {
    const texts = countWords(sites, removal);
    const counts = [...texts.values()].map((text) => text.counts.reduce((all, count) => all + count, 0));
    const words = mean(counts);
    return { name: removal.name, words, accuracies: pairs.map((pair) => accuracyOf(pair, sites, texts)) };
  });
  print(pairs, columns);
}

/**
 * Returns the mean accuracy over all choices of a training site for each class; all other pages of both are
 * tested.
 */
function accuracyOf([a, b]: [string, string], sites: ClassSite[], texts: Map<Page, WordCounts>): number {
  const [ones, twos] = [a, b].map((kind) => sites.filter((site) => site.kind === kind));
  const accuracies: number[] = [];
  for (const one of ones) {
    for (const two of twos) {
      // one site under both classes has one template, which cannot mislead the classifier
      if (one.host === two.host) continue;
      const training = [one, two].flatMap(({ pages }, k) => pages.map((page) => ({ page, k })));
      const model = trainNaiveBayes(
        training.map(({ page }) => texts.get(page)!),
        training.map(({ k }) => k),
      );
      let right = 0;
      let tested = 0;
      for (const site of [...ones, ...twos]) {
        if (site === one || site === two) continue;
        const expected = site.kind === a ? 0 : 1;
        for (const page of site.pages) if (classify(model, texts.get(page)!) === expected) right++;
        tested += site.pages.length;
      }
      accuracies.push(right / tested);
    }
  }
  return mean(accuracies);
}

/** Counts the words of all pages with templates removed, host by host. Words are numbered over all pages. */
function countWords(sites: ClassSite[], removal: Removal): Map<Page, WordCounts> {
  const numbers = new Map<number, number>();
  const texts = new Map<Page, WordCounts>();
  for (const host of new Set(sites.map((site) => site.host))) {
    const pages = sites.filter((site) => site.host === host).flatMap((site) => site.pages);
    removal.label(host, pages, (index, tree, ranges) => {
      const counts = new Map<number, number>();
      const found = new WordList();
      scanTreeWords(tree, ranges, found);
      for (let k = 0; k < found.count; k++) {
        const hash = (found.high[k] >>> 11) * 2 ** 32 + (found.low[k] >>> 0);
        let number = numbers.get(hash);
        if (number === undefined) {
          number = numbers.size;
          numbers.set(hash, number);
        }
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
      const words = Uint32Array.from(counts.keys());
      texts.set(pages[index], { words, counts: Uint32Array.from(counts.values()) });
    });
  }
  return texts;
}

/** Reads the catalogue sites; `camera-buy` is the part of a site that sells cameras. */
async function catalogueSites(data: string): Promise<ClassSite[]> {
  const gold = join(data, 'gold', 'swde.jsonl');
  const byName = new Map<string, ClassSite>();
  const found = await readGoldPages({ name: 'swde', gold, archive: gold.replace('.jsonl', '.warc.gz') });
  for (const { row, page } of found) {
    const site = byName.get(row.site) ?? {
      kind: row.site.split('-')[0],
      host: siteOf(page.url, 'host'),
      pages: [],
    };
    site.pages.push(page);
    byName.set(row.site, site);
  }
  return [...byName.values()];
}

/** Makes sites with equally many texts of every kind. */
async function mixedSites(data: string): Promise<ClassSite[]> {
  const gold = join(data, 'gold', 'wcxb.jsonl');
  const templates = await openTemplateSites(data);
  if (!existsSync(gold) || templates.length === 0) return [];
  const textsOf = new Map<string, string[]>();
  for (const { type, text = '' } of (await readGold(gold)).rows) {
    if (type === undefined || text.split(/\s+/).length < MIN_WORDS) continue;
    textsOf.set(type, [...(textsOf.get(type) ?? []), text.split(/\s+/).slice(0, MAX_WORDS).join(' ')]);
  }
  const perSite = Math.min(
    ...[...textsOf.values()].map((texts) => Math.floor(texts.length / templates.length)),
    ...templates.map(({ count }) => Math.floor(count / textsOf.size)),
  );
  return templates.flatMap(({ site, print }, s) =>
    [...textsOf].map(([kind, texts], k) => {
      const own = texts.slice(s * perSite, (s + 1) * perSite);
      // classes alternate, so that no class has the site's newest pages to itself
      const pages = own.map((text, i) => print(i * textsOf.size + k, [text]));
      return { kind, host: site, pages };
    }),
  );
}

function print(
  pairs: [string, string][],
  columns: { name: string; words: number; accuracies: number[] }[],
): void {
  const percent = (value: number) => (100 * value).toFixed(1);
  const head = columns.map(({ name }) => name);
  console.log(`| classes | ${head.join(' | ')} |\n| --- |${head.map(() => ' ---: |').join('')}`);
  for (const [i, [a, b]] of pairs.entries()) {
    console.log(`| ${a} / ${b} | ${columns.map(({ accuracies }) => percent(accuracies[i])).join(' | ')} |`);
  }
  const best = pairs.map((_, i) => Math.max(...columns.map(({ accuracies }) => accuracies[i])));
  const wins = ({ accuracies }: (typeof columns)[number]) =>
    accuracies.filter((accuracy, i) => accuracy === best[i]).length;
  console.log(`| **average** | ${columns.map((c) => `**${percent(mean(c.accuracies))}**`).join(' | ')} |`);
  console.log(`| pairs on which it is best | ${columns.map(wins).join(' | ')} |`);
  console.log(`| words a page | ${columns.map(({ words }) => words.toFixed(0)).join(' | ')} |`);
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
