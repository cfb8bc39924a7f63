/**
 * Trains models/joint.json from labelled pages: `<set>.warc.gz` with `<set>.jsonl` in a folder. The same files give the
 * same bytes.
 *
 *     npx tsx scripts/train-joint-model.ts FOLDER [MODEL.json] [--sets daniel,dragnet,…]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeJointModel } from '../src/detect/joint/joint-model.ts';
import { type LabelledSource, trainJoint } from '../src/detect/joint/train-joint.ts';
import { hostHalf, readGold } from '../src/evaluate/gold.ts';
import { openArchive } from '../src/index.ts';

/** Sets with the whole text, and how much their pages count: the text of cleaneval is generous, that of readability-pages another tool's. */
const SETS: Record<string, number> = {
  cleanportaleval: 1,
  daniel: 1,
  dragnet: 1,
  'l3s-gn1': 1,
  wcxb: 1,
  'chinese-wce': 1,
  cleaneval: 0.3,
  'readability-pages': 0.5,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { sets: { type: 'string' }, half: { type: 'string' } },
});
const [folder, output = 'models/joint.json'] = positionals;
if (!folder) throw new Error('name the folder with the labelled pages');
const sets = values.sets?.split(',') ?? Object.keys(SETS);

const sources: LabelledSource[] = [];
for (const set of sets) {
  const { rows } = await readGold(join(folder, `${set}.jsonl`));
  const gold = new Map(rows.filter(({ text }) => text !== undefined).map((row) => [row.url, row]));
  for await (const page of openArchive(join(folder, `${set}.warc.gz`))) {
    const row = gold.get(page.url);
    if (!row) continue;
    gold.delete(page.url);
    const site = row.site || page.site;
    if (values.half && hostHalf(site) !== values.half) continue;
    sources.push({ url: page.url, site, set, source: page.source.slice(), text: row.text! });
  }
}
const started = Date.now();
const model = trainJoint(sources, {
  setWeights: SETS,
  onStep: (step) => console.error(`${((Date.now() - started) / 1000).toFixed(0)} s: ${step}`),
});
writeFileSync(output, encodeJointModel(model));
console.error(`${output}: ${model.first.feature.length + model.second.feature.length} nodes of trees`);
