/**
 * What labelling is worth on one's own archive, measured on generated sites whose true labels are known: F1 of the joint
 * verdict with the package's model, and with a model of `chaff train` on labels of some pages, on pages without labels.
 * The labels are the truth, given through the same code as by a person, on the pages that the labelling view offers first.
 *
 *     npx tsx scripts/labelling-gain.ts [--pages 5,10,20,40] [--sites 4] [--per-site 80] [--seed 11] [--gold-weight 1] [--site-weight 0.7] [--directories]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JudgedBlock } from '../src/detect/joint/judged-blocks.ts';
import { FolderArchive } from '../src/explore/folder-archive.ts';
import { LabelFolder } from '../src/explore/labels/label-file.ts';
import { Labelling } from '../src/explore/labels/labelling.ts';
import type { LabelAnswer, Mark } from '../src/explore/page-answers.ts';
import { PageViews } from '../src/explore/page-views.ts';
import type { TruthRange } from '../src/research/generated-sites/label-writer.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { ExploreStore } from '../src/store/explore/explore-store.ts';
import { chaff } from '../test/command-line.ts';
import { readTruth } from '../test/read-truth.ts';
import { gzipEach, httpResponse, warcRecord } from '../test/sample-archives.ts';
import { directorySites } from './directory-sites.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '5,10,20,40' },
    sites: { type: 'string', default: '4' },
    'per-site': { type: 'string', default: '80' },
    seed: { type: 'string', default: '11' },
    directories: { type: 'boolean', default: false },
    'gold-weight': { type: 'string', default: '1' },
    'site-weight': { type: 'string', default: '0.7' },
  },
});
const counts = values.pages.split(',').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'chaff-labelling-gain-'));
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const warc = join(folder, 'crawl.warc.gz');
  const truth = new Map<string, TruthRange[]>();
  const [sitesAsked, pagesPerSite, seed] = [
    Number(values.sites),
    Number(values['per-site']),
    Number(values.seed),
  ];
  if (values.directories) {
    const records: Buffer[] = [];
    for (const { url, time, html, truth: ranges } of directorySites({
      sites: sitesAsked,
      pages: pagesPerSite,
      seed,
    })) {
      truth.set(`${url} ${time}`, ranges);
      records.push(warcRecord({ url, time, block: httpResponse(html) }));
    }
    writeFileSync(warc, gzipEach(records));
  } else {
    const options = { name: 'crawl', seed, sites: sitesAsked, pagesPerSite, odd: false };
    const { truth: truthFile } = await writeSampleArchive(folder, options);
    for await (const row of readTruth(truthFile)) truth.set(`${row.url} ${row.time}`, row.truth);
  }
  const report = join(folder, 'crawl.chaff');
  await chaff(['report', warc, '-o', report, '-q']);
  const store = await ExploreStore.open(report);
  const views = new PageViews(store, new FolderArchive(store));
  const labels = new LabelFolder(join(folder, 'labels'));
  const labelling = new Labelling(views, labels);
  const sites = await store.rows<{ site: string }>('SELECT DISTINCT site FROM pages ORDER BY site');

  // the pages that are offered first are labelled, the others are the test
  const most = Math.max(...counts);
  const ordered: number[][] = [];
  for (const { site } of sites)
    ordered.push((await labelling.queue(site, 'nobody')).pages.map(({ page }) => page));
  const turn = (k: number) => ordered.flatMap((pages) => (pages[k] === undefined ? [] : [pages[k]]));
  const all = Array.from({ length: Math.max(...ordered.map(({ length }) => length)) }, (_, k) =>
    turn(k),
  ).flat();
  for (const page of all.slice(most)) await labelByTruth('test', page);
  const test = labels.fileOf('test');
  const figures = async (model?: string) => {
    const use = model === undefined ? [] : ['--joint-model', model];
    const { stdout, stderr } = await chaff([
      'eval',
      warc,
      '--gold',
      test,
      '--detectors',
      'joint',
      ...use,
      '--json',
      '-q',
    ]);
    if (stdout === '') throw new Error(stderr);
    const { detectors } = JSON.parse(stdout) as { detectors: { name: string; summary: { all: Figures } }[] };
    return detectors.find(({ name }) => name === 'joint')!.summary.all;
  };
  print('model of the package', await figures());
  for (const count of counts) {
    const name = `labels${count}`;
    let blocks = 0;
    for (const page of all.slice(0, count)) blocks += await labelByTruth(name, page);
    const model = join(folder, `${name}.json`);
    const { code, stderr } = await chaff([
      'train',
      warc,
      '--detector',
      'joint',
      '-o',
      model,
      '-q',
      '--site-weight',
      values['site-weight'],
      '--gold',
      `${labels.fileOf(name)}:${values['gold-weight']}`,
    ]);
    if (code !== 0 && code !== 3) throw new Error(stderr);
    print(`${count} pages, ${blocks} blocks`, await figures(model));
  }
  await views.close();
  await store.close();

  async function labelByTruth(name: string, page: number): Promise<number> {
    const answer = await labelling.page(page, name);
    const ranges = truth.get(`${answer.row.url} ${answer.row.time}`);
    if (!ranges) throw new Error(`no truth of ${answer.row.url}`);
    await labelling.save(page, name, { marks: marksByTruth(answer, ranges), version: answer.version });
    return answer.blocks.length;
  }
}

/** The true label of most bytes of each block. */
function marksByTruth({ blocks }: LabelAnswer, truth: readonly TruthRange[]): Mark[] {
  return (blocks as unknown as JudgedBlock[]).map((block) => {
    const bytes = new Map<string, number>();
    for (const { start, end, label } of truth) {
      const common = Math.min(end, block.end) - Math.max(start, block.start);
      if (common > 0) bytes.set(label, (bytes.get(label) ?? 0) + common);
    }
    const [label = 'template'] = [...bytes].sort((a, b) => b[1] - a[1])[0] ?? [];
    // a person marks what readers wrote as comments
    if (label === 'content') return block.role === 'comments' ? 'comment' : 'content';
    return label === 'slot' ? 'slot' : 'template';
  });
}

function print(name: string, { words, grams }: Figures): void {
  const per = (figure: number) => (100 * figure).toFixed(1).padStart(6);
  process.stdout.write(
    `${name.padEnd(28)} P${per(words.precision)} R${per(words.recall)} F1${per(words.f1)} 4-gram F1${per(grams.f1)}
`,
  );
}

interface Figures {
  words: { precision: number; recall: number; f1: number };
  grams: { f1: number };
}
