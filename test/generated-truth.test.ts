/**
 * Acceptance test of the two site-level detectors: on generated sites, with the settings of the paper, at least 98
 * % of the template bytes and of the content bytes of every page kind get the correct label. `dom` is scored over
 * all bytes; `text`, which reads only text, over the bytes of text nodes.
 */
import { expect, test } from 'vitest';
import type { Detector, ParsedPage } from '../src/detect/detector.ts';
import { makeDetector } from '../src/detect/index.ts';
import { bottomK } from '../src/detect/sample.ts';
import { Parser } from '../src/parse/parser.ts';
import {
  type GeneratedCapture,
  type GeneratedSiteOptions,
  generateSite,
} from '../src/research/generated-sites/site-generator.ts';
import { TruthTally, truthScore } from './truth-score.ts';

const FLOOR = 0.98;
const SAMPLE_PAGES = 200;

const detectors = [
  { title: 'dom by content alone, as in the paper,', name: 'dom', options: { evidence: 'content' } },
  { title: 'dom', name: 'dom', options: {} },
  { title: 'text', name: 'text', options: {} },
];

const sites: GeneratedSiteOptions[] = [
  { seed: 1, host: 'en.example', pages: 160, language: 'en', start: '2021-01-01' },
  { seed: 2, host: 'ru.example', pages: 140, language: 'ru', start: '2005-01-01', soup: true },
  { seed: 3, host: 'zh.example', pages: 100, language: 'zh', start: '2010-01-01' },
  { seed: 4, host: 'de.example', pages: 250, language: 'de', start: '2015-01-01', soup: true },
];

for (const site of sites) {
  const captures = [...generateSite(site)];
  for (const { title, name, options } of detectors) {
    const what = `${site.pages} ${site.soup ? 'sloppy' : 'tidy'} ${site.language} pages of ${site.start?.slice(0, 4)}`;
    test(`${title} labels 98 % of template and content rightly on every page kind: ${what}`, () => {
      const tally = scoreSite(makeDetector(name, options), site.host, captures);
      const rates = tally.rates(name === 'dom' ? 'bytes' : 'textBytes');
      expect([...rates.keys()]).toEqual(['home', 'article', 'listing', 'product', 'forum']);
      for (const [kind, { template, content }] of rates) {
        expect(template, `template of ${kind}`).toBeGreaterThanOrEqual(FLOOR);
        expect(content, `content of ${kind}`).toBeGreaterThanOrEqual(FLOOR);
      }
    });
  }
}

/** Learns from the site's sample, labels every page, sums the bytes of each page kind. */
function scoreSite(detector: Detector, site: string, captures: GeneratedCapture[]): TruthTally {
  const parser = new Parser();
  function* sample(): Generator<ParsedPage> {
    const items = captures.map((capture, offset) => ({ ...capture, file: 'generated', offset }));
    for (const capture of bottomK(items, SAMPLE_PAGES)) yield parsedPage(parser, site, capture);
  }
  const model = detector.learn(site, sample());
  const tally = new TruthTally();
  for (const capture of captures) {
    const page = parsedPage(parser, site, capture);
    tally.add(capture.kind, truthScore(detector.label(page, model), capture.truth, { tree: page.tree }));
  }
  return tally;
}

function parsedPage(
  parser: Parser,
  site: string,
  { url, time, charset, source }: GeneratedCapture,
): ParsedPage {
  const where = { file: 'generated', offset: 0, length: source.length, recordId: '', payloadDigest: '' };
  return {
    page: { url, time, charset, site, status: 200, mime: 'text/html', ...where },
    tree: parser.parse(source),
  };
}
