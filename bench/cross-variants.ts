/**
 * Measures the variants of `cross` on generated sites with true labels, for docs/research/cross.md:
 *
 *     npx tsx bench/cross-variants.ts            texts by bytes, all page kinds, unsure text is kept
 *     npx tsx bench/cross-variants.ts --articles pieces of texts counted, articles only, as the thesis counts
 *     … --years                                  captures years apart, not a week
 *     … --thesis                                 diff, features, rows and seed of the preset lesniak-2017
 */
import { CROSS_VARIANTS, type CrossOptions } from '../src/detect/cross/cross-settings.ts';
import type { GeneratedSiteOptions } from '../src/research/generated-sites/site-generator.ts';
import { generateCrawls, scoreVariant } from '../test/cross-figures.ts';

const articles = process.argv.includes('--articles');
const thesis: CrossOptions = {
  diff: 'lxml',
  down: 'capture',
  lengths: 'characters',
  trainingRows: 100_000,
  seed: 2_047_226_289,
};
const options = process.argv.includes('--thesis') ? thesis : {};
const common: Partial<GeneratedSiteOptions> = {
  ...(articles && { kinds: ['article'] }),
  ...(!process.argv.includes('--years') && { captureGapDays: 7 }),
};
const sites = generateCrawls([
  { seed: 11, host: 'en.example', pages: 120, language: 'en', captures: 3, ...common },
  { seed: 12, host: 'ru.example', pages: 100, language: 'ru', captures: 2, soup: true, ...common },
  { seed: 13, host: 'zh.example', pages: 60, language: 'zh', captures: 3, ...common },
  { seed: 14, host: 'de.example', pages: 120, language: 'de', soup: true, ...common },
]);

console.log('| | accuracy | content P / R / F1 | boilerplate P / R / F1 |\n| --- | ---: | ---: | ---: |');
for (const variant of CROSS_VARIANTS) {
  const figures = scoreVariant(variant, sites, { by: articles ? 'pieces' : 'bytes', options });
  const cells = [figures.content, figures.boilerplate].map(({ precision, recall, f1 }) =>
    [precision, recall, f1].map(percent).join(' / '),
  );
  console.log(`| ${variant} | ${percent(figures.accuracy)} | ${cells.join(' | ')} |`);
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}
