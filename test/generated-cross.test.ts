/**
 * The acceptance of the cross detector: on generated sites with several captures, slots, advertisements and
 * comments, T007 is better than the six variants of the thesis in F1 of both classes, and finds content and
 * boilerplate at least as surely as the thesis reports of its own pages (91.8 % of the content, 98.2 % of what is
 * called boilerplate). The six reach on articles, counted as the thesis counts, what it reports of each.
 */
import { expect, test } from 'vitest';
import { CROSS_VARIANTS, type CrossVariant } from '../src/detect/cross/cross-settings.ts';
import type { ClassFigures } from '../src/evaluate/overlap.ts';
import type { GeneratedSiteOptions } from '../src/research/generated-sites/site-generator.ts';
import { generateCrawls, scoreVariant, THESIS_FIGURES } from './cross-figures.ts';

const { contentRecall: CONTENT_RECALL, boilerplatePrecision: BOILERPLATE_PRECISION } = THESIS_FIGURES.T001;

const sites: GeneratedSiteOptions[] = [
  { seed: 21, host: 'en.example', pages: 60, language: 'en', captures: 3 },
  { seed: 22, host: 'ru.example', pages: 60, language: 'ru', captures: 2, soup: true },
  { seed: 23, host: 'zh.example', pages: 30, language: 'zh', captures: 2 },
  { seed: 24, host: 'de.example', pages: 60, language: 'de', soup: true },
];
const allKinds = generateCrawls(sites);
const figures = scoreAll((variant) => scoreVariant(variant, allKinds, { by: 'bytes' }));

// captures of the thesis are days apart, and all its pages articles
const articles = generateCrawls(
  sites.map((site) => ({ ...site, pages: site.pages / 2, kinds: ['article'], captureGapDays: 7 })),
);
const articleFigures = scoreAll((variant) => scoreVariant(variant, articles, { by: 'pieces' }));

test('T007 finds content and boilerplate as surely as the thesis reports, on all kinds of pages', () => {
  const { content, boilerplate } = figures.T007;
  expect(content.recall).toBeGreaterThanOrEqual(0.99);
  expect(boilerplate.precision).toBeGreaterThanOrEqual(BOILERPLATE_PRECISION);
});

test.each(CROSS_VARIANTS.slice(0, -1))('T007 is better than %s in F1 of both classes', (variant) => {
  for (const scored of [figures, articleFigures]) {
    expect(scored.T007.content.f1).toBeGreaterThan(scored[variant].content.f1);
    expect(scored.T007.boilerplate.f1).toBeGreaterThan(scored[variant].boilerplate.f1);
  }
});

test.each(CROSS_VARIANTS.slice(0, -1))('%s finds on articles what the thesis reports of it', (variant) => {
  const { content, boilerplate } = articleFigures[variant];
  const thesis = THESIS_FIGURES[variant as keyof typeof THESIS_FIGURES];
  expect(content.recall).toBeGreaterThanOrEqual(thesis.contentRecall);
  expect(boilerplate.precision).toBeGreaterThanOrEqual(thesis.boilerplatePrecision);
});

test.each(['T001', 'T002', 'T005', 'T006', 'T007'] as const)(
  '%s reaches what the thesis does at best',
  (variant) => {
    const { content, boilerplate } = articleFigures[variant];
    expect(content.recall).toBeGreaterThanOrEqual(CONTENT_RECALL);
    expect(boilerplate.precision).toBeGreaterThanOrEqual(BOILERPLATE_PRECISION);
  },
);

function scoreAll(score: (variant: CrossVariant) => ClassFigures): Record<CrossVariant, ClassFigures> {
  return Object.fromEntries(CROSS_VARIANTS.map((variant) => [variant, score(variant)])) as Record<
    CrossVariant,
    ClassFigures
  >;
}
