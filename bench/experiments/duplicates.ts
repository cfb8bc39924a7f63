/**
 * Duplicates across templates, after Chakrabarti, Kumar and Punera 2007, section 6.2 and Table 2: the same
 * texts on several sites must be found to be near-duplicates, different texts of one site must not.
 *
 *     npx tsx bench/experiments/duplicates.ts                     generated sites with the same stories
 *     CHAFF_DATA=data npx tsx bench/experiments/duplicates.ts     … and real templates with real texts
 */
import { areNearDuplicates, Shingler } from '../../src/analysis/shingles.ts';
import type { Page } from '../../src/model/page.ts';
import { generateSite } from '../../src/research/generated-sites/site-generator.ts';
import { makeRealTemplateSites } from './real-templates.ts';
import { madePage, type StorySite } from './story-site.ts';
import { templateRemovals } from './template-removal.ts';

/** Number of pairs of different texts taken from each site. */
const NON_DUPLICATES_PER_SITE = 700;
const GENERATED_STORIES = 512;
/** Years in which templates were built differently. */
const GENERATED_SITES = [
  { host: 'tables.example', start: '2006-03-01' },
  { host: 'divs.example', start: '2011-03-01' },
  { host: 'utility.example', start: '2022-03-01' },
];

const removals = templateRemovals();
report('Generated sites', generatedSites());
const { CHAFF_DATA } = process.env;
if (CHAFF_DATA === undefined) console.error('CHAFF_DATA is not set: no real templates');
else report('Real templates, real texts', await makeRealTemplateSites(CHAFF_DATA));

function report(title: string, sites: StorySite[]): void {
  if (sites.length === 0) return;
  const duplicates = pairsOfOneStory(sites);
  const others = pairsOfOneSite(sites);
  console.log(`\n${title}: ${sites.map(({ site, pages }) => `${site} ${pages.length}`).join(', ')} pages\n`);
  console.log('| | duplicate pairs found | non-duplicate pairs listed apart |\n| --- | ---: | ---: |');
  console.log(`| all pairs | ${duplicates.length} | ${others.length} |`);
  for (const removal of removals) {
    const shingler = new Shingler();
    const hashes = sites.map(({ site, pages }) => {
      const column: Float64Array[] = [];
      removal.label(site, pages, (index, tree, ranges) => {
        column[index] = shingler.ofTree(tree, ranges).hashes;
      });
      return column;
    });
    const areSame = ([a, b]: Pair) => areNearDuplicates(hashes[a.site][a.page], hashes[b.site][b.page]);
    const found = duplicates.filter(areSame).length;
    const apart = others.filter((pair) => !areSame(pair)).length;
    console.log(`| ${removal.name} | ${share(found, duplicates)} | ${share(apart, others)} |`);
  }
}

interface Place {
  site: number;
  page: number;
}
type Pair = [Place, Place];

/** Pairs every text on two sites that both have it. */
function pairsOfOneStory(sites: StorySite[]): Pair[] {
  const pairs: Pair[] = [];
  for (let a = 0; a < sites.length; a++) {
    for (let b = a + 1; b < sites.length; b++) {
      for (const [page, story] of sites[a].stories.entries()) {
        const other = story < 0 ? -1 : sites[b].stories.indexOf(story);
        if (other >= 0) {
          pairs.push([
            { site: a, page },
            { site: b, page: other },
          ]);
        }
      }
    }
  }
  return pairs;
}

/** Pairs pages of one site with different texts: each with the page a third of the site further. */
function pairsOfOneSite(sites: StorySite[]): Pair[] {
  const pairs: Pair[] = [];
  for (const [site, { stories }] of sites.entries()) {
    const listed = [...stories.keys()].filter((page) => stories[page] >= 0);
    for (let i = 0; i < NON_DUPLICATES_PER_SITE; i++) {
      const step = 1 + Math.floor(i / listed.length) + Math.floor(listed.length / 3);
      const [page, other] = [listed[i % listed.length], listed[(i + step) % listed.length]];
      if (stories[page] !== stories[other]) {
        pairs.push([
          { site, page },
          { site, page: other },
        ]);
      }
    }
  }
  return pairs;
}

function generatedSites(): StorySite[] {
  return GENERATED_SITES.map(({ host, start }) => {
    const pages: Page[] = [];
    const stories: number[] = [];
    const options = {
      seed: 1,
      host,
      start,
      pages: GENERATED_STORIES,
      kinds: ['article'] as const,
      comments: false,
      stories: 7,
    };
    for (const { url, source, story = -1 } of generateSite(options)) {
      pages.push(madePage(host, url, source));
      stories.push(story);
    }
    return { site: host, pages, stories };
  });
}

function share(count: number, all: readonly unknown[]): string {
  return `${count} (${((100 * count) / all.length).toFixed(0)} %)`;
}
