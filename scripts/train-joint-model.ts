/**
 * Trains models/joint.json from labelled pages, `gold/<set>.warc.gz` with `gold/<set>.jsonl`, and from whole sites,
 * `sites/*.warc.gz`, whose blocks are labelled by what the pages of each site share. The same files give the same bytes.
 *
 *     npx tsx scripts/train-joint-model.ts FOLDER [MODEL.json] [--half even] [--without site,site]
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { urlHash } from '../src/analysis/byte-hash.ts';
import { encodeJointModel } from '../src/detect/joint/joint-model.ts';
import { type LabelledSource, trainJoint } from '../src/detect/joint/train-joint.ts';
import { hostHalf, readGold } from '../src/evaluate/gold.ts';
import { openArchive } from '../src/index.ts';

/**
 * Sets and how much their pages count: the text of cleaneval is generous, that of readability-pages another tool's; swde has
 * values of catalogues only.
 */
const SETS: Record<string, number> = {
  cleanportaleval: 1,
  daniel: 1,
  dragnet: 1,
  'l3s-gn1': 1,
  wcxb: 1,
  'chinese-wce': 1,
  cleaneval: 0.3,
  'readability-pages': 0.5,
  swde: 0.02,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { half: { type: 'string' }, without: { type: 'string', default: '' } },
});
const [folder, output = 'models/joint.json'] = positionals;
if (!folder) throw new Error('name the folder with the labelled pages');
const without = values.without.split(',');
/** Pages of each site, those whose URLs hash lowest, and how much they count. */
const SITE_PAGES = 60;
const SITE_WEIGHT = 0.7;

const sources: LabelledSource[] = [];
for (const set of Object.keys(SETS)) {
  const { rows } = await readGold(join(folder, 'gold', `${set}.jsonl`));
  const gold = new Map(rows.map((row) => [row.url, row]));
  for await (const page of openArchive(join(folder, 'gold', `${set}.warc.gz`))) {
    const row = gold.get(page.url);
    if (!row) continue;
    gold.delete(page.url);
    const site = row.site || page.site;
    if (values.half && hostHalf(site) !== values.half) continue;
    sources.push({ url: page.url, site, set, source: page.source.slice(), text: row.text, keep: row.keep });
  }
}
for (const name of readdirSync(join(folder, 'sites')).sort()) {
  if (!name.endsWith('.warc.gz') || without.includes(name.replace('.warc.gz', ''))) continue;
  const pages = new Map<string, LabelledSource>();
  for await (const { url, site, source } of openArchive(join(folder, 'sites', name))) {
    if (!pages.has(url)) pages.set(url, { url, site, set: 'sites', source: source.slice() });
  }
  const drawn = [...pages.values()].map((page) => ({ page, draw: urlHash(page.url) }));
  drawn.sort((a, b) => (a.draw < b.draw ? -1 : 1));
  sources.push(...drawn.slice(0, SITE_PAGES).map(({ page }) => page));
}
const started = Date.now();
const model = await trainJoint(sources, {
  setWeights: { ...SETS, sites: SITE_WEIGHT },
  onStep: (step) => console.error(`${((Date.now() - started) / 1000).toFixed(0)} s: ${step}`),
});
writeFileSync(output, encodeJointModel(model));
console.error(`${output}: ${model.first.feature.length + model.second.feature.length} nodes of trees`);
