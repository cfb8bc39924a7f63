/**
 * The acceptance of the cross detector: on generated sites with several captures, slots, advertisements and
 * comments, T007 is better than the six variants of the thesis in F1 of both classes, and finds content and
 * boilerplate at least as surely as the thesis reports of its own pages (91.8 % of the content, 98.2 % of
 * what is called boilerplate). Scored over the bytes of texts; what a variant leaves unsure is kept.
 */
import { expect, test } from 'vitest';
import { crossDetector } from '../src/detect/cross/cross.ts';
import { CROSS_VARIANTS, type CrossVariant } from '../src/detect/cross/cross-settings.ts';
import type { ParsedPage } from '../src/detect/detector.ts';
import { toClassFigures } from '../src/evaluate/class-counts.ts';
import { addScore, emptyScore, truthScore } from '../src/evaluate/truth-score.ts';
import { type GeneratedCapture, generateSite, type SiteOptions } from '../src/generate/site-generator.ts';
import { Parser } from '../src/parse/parser.ts';

const THESIS_CONTENT_RECALL = 0.918;
const THESIS_BOILERPLATE_PRECISION = 0.982;
/** Of each crawl every third page is labelled; all are learnt from. */
const EVERY = 3;

const sites: SiteOptions[] = [
  { seed: 21, host: 'en.example', pages: 60, language: 'en', captures: 3 },
  { seed: 22, host: 'ru.example', pages: 60, language: 'ru', captures: 2, soup: true },
  { seed: 24, host: 'de.example', pages: 60, language: 'de', soup: true },
];
const crawls = sites.map((site) => {
  const captures = [...generateSite(site)];
  return Array.from({ length: captures.length / site.pages }, (_, crawl) =>
    captures.slice(crawl * site.pages, (crawl + 1) * site.pages),
  );
});

const figures = Object.fromEntries(
  CROSS_VARIANTS.map((variant) => [variant, scoreVariant(variant)]),
) as Record<CrossVariant, ReturnType<typeof scoreVariant>>;

test('T007 finds content and boilerplate as surely as the thesis reports', () => {
  const { content, boilerplate } = figures.T007;
  expect(content.recall).toBeGreaterThanOrEqual(THESIS_CONTENT_RECALL);
  expect(boilerplate.precision).toBeGreaterThanOrEqual(THESIS_BOILERPLATE_PRECISION);
});

test.each(CROSS_VARIANTS.slice(0, -1))('T007 is better than %s in F1 of both classes', (variant) => {
  expect(figures.T007.content.f1).toBeGreaterThan(figures[variant].content.f1);
  expect(figures.T007.boilerplate.f1).toBeGreaterThan(figures[variant].boilerplate.f1);
});

test('the bit patterns alone find as much content as in the thesis', () => {
  expect(figures.T001.content.recall).toBeGreaterThanOrEqual(THESIS_CONTENT_RECALL);
});

/** Every crawl is learnt by itself; a page comes with its captures of the crawls before and after. */
function scoreVariant(variant: CrossVariant) {
  const detector = crossDetector({ variant });
  const score = emptyScore();
  const [now, before, after] = [new Parser(), new Parser(), new Parser()];
  for (const [index, { host }] of sites.entries()) {
    for (const [crawl, captures] of crawls[index].entries()) {
      const model = detector.learn(
        host,
        (function* () {
          for (const capture of captures) yield parsedPage(now, host, capture);
        })(),
      );
      for (let page = 0; page < captures.length; page += EVERY) {
        const previous = crawls[index][crawl - 1]?.[page];
        const next = crawls[index][crawl + 1]?.[page];
        const parsed = parsedPage(now, host, captures[page]);
        const ranges = detector.label(parsed, model, {
          previous: previous && parsedPage(before, host, previous),
          next: next && parsedPage(after, host, next),
        });
        addScore(score, truthScore(ranges, captures[page].truth, { tree: parsed.tree }));
      }
    }
  }
  const { content, template, slot, teaser } = score.textBytes;
  const boilerplate = [template, slot, teaser];
  return toClassFigures([
    {
      contentKept: content.content + content.unsure,
      contentLost: content.template,
      boilerplateKept: boilerplate.reduce((sum, bytes) => sum + bytes.content + bytes.unsure, 0),
      boilerplateGone: boilerplate.reduce((sum, bytes) => sum + bytes.template, 0),
    },
  ])!;
}

function parsedPage(parser: Parser, site: string, capture: GeneratedCapture): ParsedPage {
  const { url, time, charset, source } = capture;
  const where = { file: 'generated', offset: 0, length: source.length, recordId: '', payloadDigest: '' };
  return {
    page: { url, time, charset, site, status: 200, mime: 'text/html', ...where },
    tree: parser.parse(source),
  };
}
