/** Tables of extractors side by side: words F1 and 4-gram F1 by set and by type of page, and what survives. */
import type { PageScore } from '../src/evaluate/score-page.ts';
import { LARGE_SITE_PAGES, toFigures } from '../src/evaluate/summarise.ts';
import { markdownTable, mean, median } from './doc-part.ts';
import { pairedBootstrap } from './paired-bootstrap.ts';

export interface Contestant {
  name: string;
  /** Empty for ours. */
  version: string;
  scores: PageScore[];
  /** One per page of its own timing; empty where it is told elsewhere. */
  cpuMs: number[];
}

type Pick = (page: PageScore) => boolean;
type Column = [title: string, value: (scores: PageScore[]) => number | undefined];

export function extractorTables(contestants: readonly Contestant[], title: string): string {
  const pages = contestants[0].scores;
  const sets = [...new Set(pages.filter(({ words }) => words).map(({ set }) => set))];
  const types = [...new Set(pages.map(({ type }) => type).filter((type) => type !== ''))].sort();
  const f1 = (kind: 'words' | 'grams', pick: Pick) => (scores: PageScore[]) =>
    toFigures(scores.filter(pick))[kind]?.f1;
  const typeMean = (kind: 'words' | 'grams') => (scores: PageScore[]) => {
    const values = types.map((type) => f1(kind, (page) => page.type === type)(scores) ?? 0);
    return values.length > 0 ? mean(values) : undefined;
  };
  const large: Pick = ({ sitePages }) => sitePages >= LARGE_SITE_PAGES;
  const heading = `**${title}** (${count(pages)} pages with gold text)`;
  const tables = (['words', 'grams'] as const).flatMap((kind) => {
    const name = kind === 'words' ? 'F1 of words' : 'F1 of grams of four words';
    return [
      `${heading}: ${name} by set`,
      render(contestants, [
        ['all', f1(kind, () => true)],
        ...sets.map(
          (set): Column => [
            `${set} (${count(pages.filter((page) => page.set === set))})`,
            f1(kind, (page) => page.set === set),
          ],
        ),
      ]),
      `${heading}: ${name} by type of page`,
      render(contestants, [
        ['mean of types', typeMean(kind)],
        ['not articles', f1(kind, ({ type }) => type !== '' && type !== 'article')],
        ...types.map(
          (type): Column => [
            `${type} (${count(pages.filter((page) => page.type === type))})`,
            f1(kind, (page) => page.type === type),
          ],
        ),
      ]),
    ];
  });
  const largeCount = count(pages.filter(large));
  tables.push(
    `${heading}: sites with at least ${LARGE_SITE_PAGES} pages (${largeCount} pages), and what survives`,
    render(contestants, [
      ['words F1, large sites', f1('words', large)],
      ['4-gram F1, large sites', f1('grams', large)],
      ['keep, snippets', rate('keepRate', ({ words }) => words !== undefined)],
      ['drop, snippets', rate('dropRate', () => true)],
      ['keep, catalogue values', rate('keepRate', ({ words }) => words === undefined)],
    ]),
  );
  return tables.join('\n\n');
}

/** Points of words F1 that one contestant is ahead of every other, with 95 % intervals over hosts. */
export function leadTable(contestants: readonly Contestant[], ours: string): string {
  const own = contestants.find(({ name }) => name === ours)!;
  const isOther = ({ type }: PageScore) => type !== '' && type !== 'article';
  const columns: [title: string, pick: Pick][] = [
    ['all', () => true],
    ['wcxb', ({ set }) => set === 'wcxb'],
    ['articles of wcxb', ({ type }) => type === 'article'],
    ['not articles', isOther],
    ['other sets', ({ set }) => set !== 'wcxb'],
  ];
  const rows = contestants
    .filter((one) => one !== own)
    .map(({ name, version, scores }) => {
      const byUrl = new Map(scores.map((score) => [`${score.set} ${score.url}`, score.words?.f1]));
      const leads = columns.map(([, pick]) => {
        const pages = own.scores.filter(pick).flatMap(({ set, url, site, words }) => {
          const theirs = byUrl.get(`${set} ${url}`);
          return words && theirs !== undefined ? [{ host: site, difference: words.f1 - theirs }] : [];
        });
        if (pages.length === 0) return '–';
        const { mean: lead, low, high } = pairedBootstrap(pages);
        const text = `${signed(lead)} (${signed(low)} to ${signed(high)})`;
        return low > 0 || high < 0 ? `**${text}**` : text;
      });
      return [`${name} ${version}`.trim(), ...leads];
    });
  return markdownTable([`${ours} ahead of`, ...columns.map(([title]) => title)], rows);
}

function signed(share: number): string {
  const points = (100 * share).toFixed(1);
  return share < 0 ? points.replace('-', '−') : `+${points}`;
}

/** CPU time of rivals, in milliseconds per page. */
export function timeTable(contestants: readonly Contestant[]): string {
  const rows = contestants
    .filter(({ cpuMs }) => cpuMs.length > 0)
    .map(({ name, version, cpuMs }) => [
      `${name} ${version}`.trim(),
      mean(cpuMs).toFixed(1),
      median(cpuMs).toFixed(1),
      (1000 / mean(cpuMs)).toFixed(0),
    ]);
  return markdownTable(['', 'mean ms', 'median ms', 'pages/s per core'], rows);
}

function rate(kind: 'keepRate' | 'dropRate', pick: Pick): Column[1] {
  return (scores) => toFigures(scores.filter(pick))[kind];
}

function render(contestants: readonly Contestant[], all: Column[]): string {
  const columns = all.filter(([, value]) => contestants.some(({ scores }) => value(scores) !== undefined));
  const rows = contestants.map(({ name, version, scores }) => {
    return { name: `${name} ${version}`.trim(), values: columns.map(([, value]) => value(scores)) };
  });
  const best = columns.map((_, k) => Math.max(...rows.map(({ values }) => rounded(values[k]))));
  rows.sort((a, b) => (b.values[0] ?? 0) - (a.values[0] ?? 0));
  return markdownTable(
    ['', ...columns.map(([title]) => title)],
    rows.map(({ name, values }) => [name, ...values.map((value, k) => cell(value, best[k]))]),
  );
}

/** The best of a column in bold. */
function cell(value: number | undefined, best: number): string {
  if (value === undefined) return '–';
  const text = (100 * value).toFixed(1);
  return rounded(value) === best ? `**${text}**` : text;
}

function rounded(value: number | undefined): number {
  return value === undefined ? -1 : Number((100 * value).toFixed(1));
}

function count(pages: readonly PageScore[]): string {
  return pages.filter(({ words }) => words !== undefined).length.toLocaleString('en');
}
