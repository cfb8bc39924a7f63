/**
 * The variants of `cross` on generated sites with truth, for docs/cross.md:
 *
 *   npx tsx bench/cross-variants.ts            texts by bytes, all page kinds, what is unsure is kept
 *   npx tsx bench/cross-variants.ts --articles elements counted, articles only, unsure ones left out, as the
 *                                              thesis counts
 */
import { crossDetector } from '../src/detect/cross/cross.ts';
import { CROSS_VARIANTS, type CrossVariant } from '../src/detect/cross/cross-settings.ts';
import type { ParsedPage } from '../src/detect/detector.ts';
import { type ClassCounts, toClassFigures } from '../src/evaluate/class-counts.ts';
import { type GeneratedCapture, generateSite, type SiteOptions } from '../src/generate/site-generator.ts';
import type { Range } from '../src/model/range.ts';
import { Parser } from '../src/parse/parser.ts';
import { TEXT, type Tree } from '../src/parse/tree.ts';

const articles = process.argv.includes('--articles');
const EVERY = 3;
const kinds = articles ? { kinds: ['article' as const] } : {};
const sites: SiteOptions[] = [
  { seed: 11, host: 'en.example', pages: 120, language: 'en', captures: 3, ...kinds },
  { seed: 12, host: 'ru.example', pages: 100, language: 'ru', captures: 2, soup: true, ...kinds },
  { seed: 13, host: 'zh.example', pages: 60, language: 'zh', captures: 3, ...kinds },
  { seed: 14, host: 'de.example', pages: 120, language: 'de', soup: true, ...kinds },
];

console.log('| | accuracy | content P / R / F1 | boilerplate P / R / F1 |\n| --- | ---: | ---: | ---: |');
for (const variant of CROSS_VARIANTS) {
  const { accuracy, content, boilerplate } = toClassFigures([scoreVariant(variant)])!;
  const cells = [content, boilerplate].map(({ precision, recall, f1 }) =>
    [precision, recall, f1].map(percent).join(' / '),
  );
  console.log(`| ${variant} | ${percent(accuracy)} | ${cells.join(' | ')} |`);
}

function scoreVariant(variant: CrossVariant): ClassCounts {
  const detector = crossDetector({ variant });
  const counts: ClassCounts = { contentKept: 0, contentLost: 0, boilerplateKept: 0, boilerplateGone: 0 };
  const [now, before, after] = [new Parser(), new Parser(), new Parser()];
  for (const site of sites) {
    const captures = [...generateSite(site)];
    for (let first = 0; first < captures.length; first += site.pages) {
      const crawl = captures.slice(first, first + site.pages);
      const model = detector.learn(
        site.host,
        (function* () {
          for (const capture of crawl) yield parsedPage(now, capture);
        })(),
      );
      for (let page = first; page < first + site.pages; page += EVERY) {
        const previous = captures[page - site.pages];
        const next = captures[page + site.pages];
        const parsed = parsedPage(now, captures[page]);
        const ranges = detector.label(parsed, model, {
          previous: previous && parsedPage(before, previous),
          next: next && parsedPage(after, next),
        });
        count(counts, parsed.tree, ranges, captures[page]);
      }
    }
  }
  return counts;
}

/** Pieces of texts that have one label and one true label: their bytes, or each as one. */
function count(counts: ClassCounts, tree: Tree, ranges: Range[], { truth, source }: GeneratedCapture): void {
  let range = 0;
  let label = 0;
  for (let node = 1; node < tree.nodeCount; node++) {
    if (tree.kind[node] !== TEXT || tree.textStart[node + 1] === tree.textStart[node]) continue;
    for (let at = tree.start[node]; at < tree.end[node]; ) {
      while (ranges[range].end <= at) range++;
      while (truth[label].end <= at) label++;
      const end = Math.min(tree.end[node], ranges[range].end, truth[label].end);
      const predicted = ranges[range].label;
      const blank = Buffer.from(source.subarray(at, end)).toString().trim() === '';
      const weight = articles ? Number(!blank && predicted !== 'unsure') : end - at;
      at = end;
      if (truth[label].label === 'frame') continue;
      const gone = predicted === 'template';
      if (truth[label].label === 'content') counts[gone ? 'contentLost' : 'contentKept'] += weight;
      else counts[gone ? 'boilerplateGone' : 'boilerplateKept'] += weight;
    }
  }
}

function parsedPage(parser: Parser, { url, time, charset, source }: GeneratedCapture): ParsedPage {
  const where = { file: 'generated', offset: 0, length: source.length, recordId: '', payloadDigest: '' };
  return {
    page: { url, time, charset, site: '', status: 200, mime: 'text/html', ...where },
    tree: parser.parse(source),
  };
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
