/**
 * Trains models/joint.json from labelled pages, `gold/<set>.warc.gz` with `gold/<set>.jsonl`, from whole sites,
 * `sites/*.warc.gz`, and from labels of some of their pages, eval/labels.jsonl. The same files give the same bytes. `chaff train --detector joint` runs the same code.
 *
 *     npx tsx scripts/train-joint-model.ts FOLDER [MODEL.json] [--half even] [--without site,site] [--generated 0.15]
 *
 * `--generated` adds pages of generated sites whose boilerplate reads like prose, with this weight; the packaged model has
 * none (docs/research/joint.md, "Evidence that was tried").
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeJointModel } from '../src/detect/joint/joint-model.ts';
import type { HostHalf } from '../src/evaluate/gold.ts';
import { trainOnArchives } from '../src/evaluate/joint-training.ts';
import { generateTrainingPages } from './generated-pages.ts';

/**
 * Sets and how much their pages count: the text of cleaneval is generous, that of readability-pages another tool's;
 * trafilatura-eval, recipes and product-values have
 * snippets only.
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
  'trafilatura-eval': 0.3,
  'fundus-news': 1,
  'forum-harvest': 1,
  'omnivore-reader': 0.5,
  recipes: 0.3,
  'product-values': 0.3,
};

/** Pages of the whole sites, labelled block by block. */
const LABELS = new URL('../eval/labels.jsonl', import.meta.url).pathname;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string' },
    without: { type: 'string', default: '' },
    generated: { type: 'string', default: '0' },
  },
});
const [folder, output = 'models/joint.json'] = positionals;
if (!folder) throw new Error('name the folder with the labelled pages');
const without = values.without.split(',');
const generated = Number(values.generated);
const sites = readdirSync(join(folder, 'sites')).filter(
  (name) => name.endsWith('.warc.gz') && !without.includes(name.replace('.warc.gz', '')),
);
const started = Date.now();
const { model } = await trainOnArchives(
  sites.map((name) => join(folder, 'sites', name)),
  {
    gold: [
      ...Object.entries(SETS).map(([set, weight]) => ({
        file: join(folder, 'gold', `${set}.jsonl`),
        weight,
      })),
      { file: LABELS, weight: 2 },
    ],
    made: { pages: generated > 0 ? generateTrainingPages() : [], weight: generated },
    half: values.half as HostHalf | undefined,
    onStep: (step) => console.error(`${((Date.now() - started) / 1000).toFixed(0)} s: ${step}`),
  },
);
writeFileSync(output, encodeJointModel(model));
console.error(`${output}: ${model.first.feature.length + model.second.feature.length} nodes of trees`);
console.error(JSON.stringify(model.card.figures));
