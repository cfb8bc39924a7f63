/**
 * Measures the speed of the page detector by stage, in process CPU time; stages take turns, and the minimum
 * of the rounds counts:
 *
 *     npx tsx bench/page-level.bench.ts [--rounds 5] [--pages 200] [--model MODEL.json] ARCHIVE.warc.gz…
 *
 * `judge` is the whole verdict: layout estimate, features, classifiers, smoothing, ranges; it is reported
 * without and with parsing. Without archives, those of CHAFF_DATA/sites are read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ParsedPage } from '../src/detect/detector.ts';
import { PageJudge } from '../src/detect/page/judge-page.ts';
import { FeatureMaker } from '../src/detect/page/page-features.ts';
import { decodePageModel, packagedPageModel } from '../src/detect/page/page-model.ts';
import { RowScorer } from '../src/detect/page/row-scorer.ts';
import { LayoutEstimator } from '../src/layout/estimate.ts';
import { Parser } from '../src/parse/parser.ts';
import { readStoredPages, type StoredPage } from './site-pages.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '200' },
    model: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const archives = positionals.length > 0 ? positionals : archivesOf(process.env.CHAFF_DATA);
const model = values.model ? decodePageModel(readFileSync(values.model, 'utf8')) : packagedPageModel();
const pages = archives.flatMap((file) =>
  readStoredPages(file, Math.ceil(Number(values.pages) / archives.length)),
);
const bytes = pages.reduce((sum, { body }) => sum + body.length, 0);

const parser = new Parser();
const estimator = new LayoutEstimator();
const maker = new FeatureMaker({ lexicon: model.lexicon });
const scorer = new RowScorer(model);
const judge = new PageJudge(model);
let nodes = 0;
let rows = 0;

// each stage includes the previous ones; its own cost is the difference
const stages: Record<string, (parsed: ParsedPage) => void> = {
  parse: ({ tree }) => {
    nodes += tree.nodeCount;
  },
  layout: ({ tree }) => void estimator.estimate(tree),
  features: (parsed) => {
    rows += maker.make(parsed, estimator.estimate(parsed.tree)).rowCount;
  },
  classify: (parsed) => void scorer.score(maker.make(parsed, estimator.estimate(parsed.tree))),
  verdict: (parsed) => void judge.judge(parsed),
};
const times: Record<string, number> = {};
for (let round = 0; round <= rounds; round++) {
  nodes = rows = 0;
  for (const [name, work] of Object.entries(stages)) {
    const start = process.cpuUsage();
    for (const page of pages) work(parse(page));
    const { user, system } = process.cpuUsage(start);
    // the first round is a warm-up
    if (round > 0) times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, (user + system) / 1000);
  }
}
console.log(`${pages.length} pages, ${megabytes(bytes)} MB, ${perPage(nodes)} nodes a page`);
console.log(`${perPage(rows)} judged nodes a page`);

let before = 0;
for (const [name, ms] of Object.entries(times)) {
  console.log(
    `${name.padEnd(9)} ${((1000 * (ms - before)) / pages.length).toFixed(0).padStart(6)} µs a page`,
  );
  before = ms;
}
const judged = times.verdict - times.parse;
console.log(`judge: ${speed(judged)}; with parsing: ${speed(times.verdict)}`);

function parse({ url, body }: StoredPage): ParsedPage {
  const page = { url, time: '', status: 200, mime: 'text/html', recordId: '', payloadDigest: '' };
  return {
    page: { ...page, file: '', offset: 0, length: 0, site: '', charset: '' },
    tree: parser.parse(body),
  };
}

function speed(ms: number): string {
  return `${Math.round((1000 * pages.length) / ms)} pages/s, ${megabytes((1000 * bytes) / ms)} MB/s`;
}

function perPage(count: number): number {
  return Math.round(count / pages.length);
}

function megabytes(count: number): string {
  return (count / 1e6).toFixed(1);
}

function archivesOf(folder: string | undefined): string[] {
  if (!folder) throw new Error('name archives, or set CHAFF_DATA');
  return readdirSync(join(folder, 'sites')).map((name) => join(folder, 'sites', name));
}
