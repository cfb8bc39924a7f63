/**
 * The sites a page-level model is trained with, put together from what tasks have left: pages that repeat
 * another snapshot of their site are dropped, sites are numbered and fall into parts, and the names of
 * elements become a lexicon for each part, made of the others.
 */
import { SeenTexts } from '../../analysis/near-duplicate-index.ts';
import { urlHash } from '../../analysis/url-hash.ts';
import { type Lexicon, LexiconBuilder } from '../../detect/page/lexicon.ts';
import type { LabelledSite, UnusedCode } from '../tasks/site-label-task.ts';
import type { ModelPlace } from '../tasks/task.ts';

/** A site snapshot with the pages that are trained with. */
export interface TrainingGroup {
  site: string;
  models: ModelPlace;
  /** Numbers of its pages. */
  pages: number[];
  frequent: number[];
}

export interface TrainingSites {
  /** In the order of the plan, without those that have no pages. */
  groups: TrainingGroup[];
  /** The number of each site that has pages, from 0, by a hash of its name. */
  numbers: Map<string, number>;
  /** Of pages that were read. */
  unused: Partial<Record<UnusedCode, number>>;
  /** Sites of which nothing repeats. */
  withoutTemplates: number;
  names: SiteNames;
}

/** By site: each name with its elements, and how many of them are template. */
type SiteNames = Map<string, Map<string, { elements: number; template: number }>>;

export function collectSites(
  labelled: Iterable<{ site: LabelledSite; models: ModelPlace }>,
  seed: number,
): TrainingSites {
  const groups: TrainingGroup[] = [];
  const unused: TrainingSites['unused'] = {};
  const names: SiteNames = new Map();
  const plain = new Set<string>();
  let seen = new SeenTexts();
  let name = '';
  for (const { site, models } of labelled) {
    // the snapshots of a site follow each other
    if (site.site !== name) seen = new SeenTexts();
    name = site.site;
    for (const [code, count] of Object.entries(site.unused) as [UnusedCode, number][]) {
      unused[code] = (unused[code] ?? 0) + count;
    }
    if (site.unused['no-templates']) plain.add(name);
    const fresh = site.pages.filter(({ text }) => seen.add({ hashes: Float64Array.from(text) }));
    const repeated = site.pages.length - fresh.length;
    if (repeated > 0) unused['near-duplicate'] = (unused['near-duplicate'] ?? 0) + repeated;
    if (fresh.length === 0) continue;
    groups.push({ site: name, models, frequent: site.frequent, pages: fresh.map(({ page }) => page) });
    addNames(names, site);
  }
  const used = new Set(groups.map(({ site }) => site));
  const withoutTemplates = [...plain].filter((site) => !used.has(site)).length;
  return { groups, unused, names, numbers: numberSites([...used], seed), withoutTemplates };
}

function addNames(names: SiteNames, { site, names: counted }: LabelledSite): void {
  let own = names.get(site);
  if (!own) names.set(site, (own = new Map()));
  for (const [name, elements, template] of counted) {
    const counts = own.get(name);
    if (counts) {
      counts.elements += elements;
      counts.template += template;
    } else own.set(name, { elements, template });
  }
}

function numberSites(sites: string[], seed: number): Map<string, number> {
  const hashed = sites.map((site) => ({ site, hash: urlHash(site, seed) }));
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : a.site < b.site ? -1 : 1));
  return new Map(hashed.map(({ site }, number) => [site, number]));
}

/** What names tell on all sites; with `without`, on those of the other parts. */
export function makeLexicon(
  { names, numbers }: Pick<TrainingSites, 'names' | 'numbers'>,
  without?: { part: number; parts: number },
): Lexicon {
  const builder = new LexiconBuilder();
  for (const [site, number] of numbers) {
    if (without && number % without.parts === without.part) continue;
    for (const [name, { elements, template }] of names.get(site)!) builder.add([name], template / elements);
    builder.endSite();
  }
  return builder.build();
}
