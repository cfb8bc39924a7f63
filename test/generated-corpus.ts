/**
 * A corpus that anybody can generate: an archive with gold rows derived from its truth. Gold text is
 * what the truth calls content; slots and teasers (a date in the footer, the box of other pages) are
 * neutral, because no set of people agrees on them. The same options give the same corpus everywhere.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentWords } from '../src/analysis/word-scanner.ts';
import type { Label, Range } from '../src/model/range.ts';
import { Parser } from '../src/parse/parser.ts';
import type { TruthLabel, TruthRange } from '../src/research/generated-sites/label-writer.ts';
import { generateSite } from '../src/research/generated-sites/site-generator.ts';
import {
  type SampleArchiveOptions,
  sampleSites,
  writeSampleArchive,
} from '../src/research/generated-sites/write-archive.ts';
import { renderText } from '../src/view/visible-text.ts';

/** The corpus that the floors named `generated` in eval/baseline.json hold for. */
const GATE_CORPUS: Readonly<SampleArchiveOptions> = {
  seed: 2005,
  sites: 6,
  pagesPerSite: 30,
  soup: true,
  odd: true,
  name: 'gate',
};

const LABEL_OF: Record<TruthLabel, Label> = {
  content: 'content',
  slot: 'unsure',
  teaser: 'unsure',
  template: 'template',
  frame: 'template',
};

export async function writeGeneratedCorpus(
  folder: string,
  options: SampleArchiveOptions = GATE_CORPUS,
): Promise<{ archive: string; gold: string }> {
  const { warc } = await writeSampleArchive(folder, options);
  const parser = new Parser();
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const site of sampleSites(options)) {
    for (const { url, kind, source, truth } of generateSite(site)) {
      // captures come oldest first, and the earliest is the one that is scored
      if (seen.has(url)) continue;
      seen.add(url);
      const tree = parser.parse(source);
      const ranges = truth.map(toRange);
      const text = wordsOf(renderText(tree, ranges, { keep: ['content'] }));
      const comments = wordsOf(renderText(tree, ranges, { keep: ['unsure'] }));
      const row = { url, site: site.host, set: 'generated', type: kind, lang: site.language, text, comments };
      lines.push(`${JSON.stringify(row)}\n`);
    }
  }
  const gold = join(folder, `${options.name ?? 'sample'}.gold.jsonl`);
  await writeFile(gold, lines.join(''));
  return { archive: warc, gold };
}

/** Words only: another way to lay out text does not make another corpus. */
function wordsOf(text: string): string {
  return segmentWords(text).join(' ');
}

function toRange({ start, end, label }: TruthRange): Range {
  return { start, end, label: LABEL_OF[label], score: 1, template: '', reason: '' };
}
