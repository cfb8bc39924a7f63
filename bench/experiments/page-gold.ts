/**
 * Table 1 and Figure 1 of Chakrabarti, Kumar and Punera 2007 on other pages: how well template text, anchor
 * text and links are found by the classifier alone (page-basic), with similar neighbours merged (page-merge),
 * with smoothed scores (page-smooth) and with normalised ones (page), how well their sections agree with
 * gold's, and the content's F1. Rewrites the generated part of docs/research/page-level.md with --write. With
 * --paper the preset chakrabarti-2007 is measured, for the part paper-gold of that page:
 *
 *     CHAFF_DATA=data npx tsx bench/experiments/page-gold.ts [--half odd] [--detectors NAME …] [--paper] [--exclude REGEXP] [--write] [gold …]
 */
import { parseArgs } from 'node:util';
import { paperPageModel } from '../../src/detect/page/page-model.ts';
import { detectorChoice } from '../../src/evaluate/detector-choice.ts';
import { evaluate } from '../../src/evaluate/evaluate.ts';
import type { HostHalf } from '../../src/evaluate/gold.ts';
import type { PageScore } from '../../src/evaluate/score-page.ts';
import { toFigures } from '../../src/evaluate/summarise.ts';
import { markdownTable, writeDocPart } from '../doc-part.ts';
import { findGoldSets } from '../gold-pages.ts';
import { PAPER_OPTIONS } from './template-removal.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'odd' },
    detectors: {
      type: 'string',
      multiple: true,
      default: ['page-basic', 'page-merge', 'page-smooth', 'page'],
    },
    paper: { type: 'boolean', default: false },
    /** URLs of hosts that a model was trained on. */
    exclude: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
  },
});

// with the options of the paper, scores are not normalised, so page equals page-smooth
const names = values.paper ? values.detectors.filter((name) => name !== 'page') : values.detectors;
const pageOptions = values.paper ? { ...PAPER_OPTIONS, model: paperPageModel() } : {};
const floors = values.paper ? { minTextBytes: 0, minTextShare: 0 } : undefined;

const byDetector = new Map<string, PageScore[]>();
for (const { name, gold, archive } of findGoldSets(positionals)) {
  const { detectors } = await evaluate({
    archives: [archive],
    gold: [gold],
    detectors: names.map((detector) => detectorChoice(detector, { page: pageOptions })),
    floors,
    exclude: values.exclude.map((source) => new RegExp(source, 'u')),
    half: values.half === 'all' ? undefined : (values.half as HostHalf),
    templates: true,
  });
  for (const { label, pages } of detectors) {
    const known = byDetector.get(label) ?? [];
    byDetector.set(label, known);
    for (const page of pages) if (page.templates) known.push({ ...page, set: name });
  }
  console.error(name);
}
console.log(table());
if (values.write) {
  writeDocPart('research/page-level.md', values.paper ? 'paper-gold' : 'page-gold', table({ groupCount: 1 }));
}

/** Groups of rows: all pages, then each gold set, then each type of page. */
function table({ groupCount = Number.POSITIVE_INFINITY } = {}): string {
  const pages = byDetector.get('none')!;
  const sets = [...new Set(pages.map(({ set }) => set))];
  const types = [...new Set(pages.map(({ type }) => type))].filter((type) => type !== '').sort();
  const groups: [string, (page: PageScore) => boolean][] = [
    ['all pages', () => true],
    ...sets.map((set): [string, (page: PageScore) => boolean] => [set, (page) => page.set === set]),
    ...types.map((type): [string, (page: PageScore) => boolean] => [type, (page) => page.type === type]),
  ];
  const rows: string[][] = [];
  for (const [name, pick] of groups.slice(0, groupCount)) {
    for (const [label, scores] of byDetector) {
      const { pages: count, words, grams, templates, randIndex } = toFigures(scores.filter(pick));
      const figures = [templates?.text.f1, templates?.anchors.f1, templates?.links.f1, randIndex];
      rows.push([
        label === names[0] ? `${name} (${count.toLocaleString('en')})` : '',
        label,
        ...figures.map((value) => value?.toFixed(2) ?? '–'),
        ...[words?.f1, grams?.f1].map((value) => (value === undefined ? '–' : (100 * value).toFixed(1))),
      ]);
    }
  }
  const head = ['', '', 'text F', 'anchor F', 'links F', 'Rand', 'words F1', '4-gram F1'];
  return markdownTable(head, rows, { textColumns: 2 });
}
