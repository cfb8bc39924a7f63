/**
 * Makes training pages with the site generator: small sites of several scripts, decades and kinds of pages, with
 * boilerplate that reads like prose. The generator knows the purpose of every byte, so the labels are exact.
 */
import type { LabelledSource } from '../src/detect/joint/read-labelled-pages.ts';
import type { Range } from '../src/model/range.ts';
import { Parser } from '../src/parse/parser.ts';
import { LANGUAGE_CODES } from '../src/research/generated-sites/phrases.ts';
import { type GeneratedCapture, generateSite } from '../src/research/generated-sites/site-generator.ts';
import type { PageKind } from '../src/research/generated-sites/site-plan.ts';
import { renderText } from '../src/view/visible-text.ts';

/** Name of the set of generated pages. */
export const GENERATED = 'generated';

/** First days of sites; the generator writes the markup of these years. */
const STARTS = ['2004-03-01', '2011-03-01', '2016-03-01', '2022-03-01'];
const KINDS: readonly PageKind[] = ['article', 'product', 'manual', 'listing'];

/** Number of generated sites and pages. */
export interface GeneratedPagesOptions {
  /** Sites of each language and each decade. @default 2 */
  sites?: number;
  /** Pages of each site. @default 12 */
  pages?: number;
}

/** Generates labelled pages in every language and decade; the same options give the same pages. */
export function generateTrainingPages({
  sites = 2,
  pages = 12,
}: GeneratedPagesOptions = {}): LabelledSource[] {
  const parser = new Parser();
  const sources: LabelledSource[] = [];
  for (const language of LANGUAGE_CODES) {
    for (const [era, start] of STARTS.entries()) {
      for (let seed = 0; seed < sites; seed++) {
        const host = `${language}${era}${seed}.generated.example`;
        // every second site has articles only
        const kinds = seed % 2 === 0 ? KINDS : KINDS.slice(0, 1);
        const options = { seed, host, pages, language, start, kinds, comments: false, hard: true };
        for (const capture of generateSite(options)) sources.push(labelCapture(capture, host, parser));
      }
    }
  }
  return sources;
}

function labelCapture(
  { url, source, truth }: GeneratedCapture,
  site: string,
  parser: Parser,
): LabelledSource {
  const ranges = truth.map(({ start, end, label }): Range => {
    const isContent = label === 'content';
    return { start, end, label: isContent ? 'content' : 'template', score: 1, template: '', reason: '' };
  });
  const text = renderText(parser.parse(source), ranges);
  return { url, site, set: GENERATED, source: source.slice(), text };
}
