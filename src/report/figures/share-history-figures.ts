/** Makes figures 10 to 12 and tables 1 and 2 of Gibson, Punera and Tomkins: template shares over time. */

import { countOf } from '../../model/count-of.ts';
import { HISTORY_QUERIES } from '../../store/history/history-queries.ts';
import type { History, PeriodRow, Trend } from '../../store/history/read-history.ts';
import { formatCount, formatPercent, formatSize, isoDay } from '../format-numbers.ts';
import { endOfShares, formatShareTick } from './axis.ts';
import { cellOf, type Figure, rounded, tableOf } from './figure.ts';
import type { Plot, Series } from './plot.ts';

const NO_SNAPSHOT = 'There is no snapshot: no capture is in the history.';
const YEAR_SECONDS = 31_557_600;

/** Returns the figures and tables of template shares over time. */
export function shareHistoryFigures(history: History): Figure[] {
  return [
    yearsTable(history),
    ...KINDS.map((kind, k) => shareFigure(history, kind, 10 + k)),
    siteTrendTable(history),
    periodTable(history),
    categoryPeriodTable(history),
  ];
}

const KINDS = ['links', 'html', 'text'] as const;
const KIND_NAMES = { links: 'links', html: 'HTML', text: 'text' } as const;

function yearsTable({ detector, queryOptions, snapshotYears, leftOut }: History): Figure {
  const collections = collectionsOf(snapshotYears);
  const years = [...new Set(snapshotYears.map(({ year }) => year))].sort(
    (a, b) => (a ?? Number.POSITIVE_INFINITY) - (b ?? Number.POSITIVE_INFINITY),
  );
  const kinds = ['snapshots', 'sites', 'pages', 'snapshots_per_site'] as const;
  const figure: Figure = {
    id: 'table-01',
    slug: 'snapshot-years',
    title: 'Snapshots by year',
    sentence: '',
    columns: ['year', ...collections.flatMap((name) => kinds.map((kind) => columnOf(name, kind)))],
    rows: years.map((year) => [
      year === null ? 'total' : String(year),
      ...collections.flatMap((name) => {
        const row = snapshotYears.find((each) => each.collection === name && each.year === year);
        return kinds.map((kind) => (row === undefined ? 0 : rounded(row[kind])));
      }),
    ]),
    query: HISTORY_QUERIES.snapshotYears.sql(detector, undefined, queryOptions),
  };
  if (snapshotYears.length === 0)
    return { ...figure, absent: `No capture has a time within the years asked for.${leftOutText(leftOut)}` };
  const known = years.filter((year) => year !== null);
  const [first, last] = [known[0], known[known.length - 1]];
  const between = first === last ? `of ${first}` : `from ${first} to ${last}`;
  const totals = snapshotYears.filter(({ year }) => year === null);
  figure.sentence = `${totals.map(totalText).join('; ')}, ${between}.${leftOutText(leftOut)}`;
  return figure;
}

/** Returns a count such as `5 pages in 1 snapshot of 1 site`; a page counts once per snapshot. */
function totalText({ collection, pages, snapshots, sites }: History['snapshotYears'][number]): string {
  const text = `${countOf(pages, 'page')} in ${countOf(snapshots, 'snapshot')} of ${countOf(sites, 'site')}`;
  return collection === '' ? text : `${collection}: ${text}`;
}

/** Returns the names of the collections in order; [''] when no site is in a collection. */
function collectionsOf(rows: readonly { collection: string }[]): string[] {
  return [...new Set(rows.map(({ collection }) => collection))];
}

function columnOf(collection: string, kind: string): string {
  return collection === '' ? kind : `${collection} ${kind}`;
}

/** Reasons why a history leaves out pages, in words. */
export const WHY_LEFT_OUT = {
  'no time': 'without a time',
  'other year': 'of years not asked for',
  'same moment': 'at the moment of another capture of the page',
} as const;

function leftOutText(leftOut: History['leftOut']): string {
  if (leftOut.length === 0) return '';
  return ` Left out: ${leftOut.map(({ why, pages }) => `${formatCount(pages)} ${WHY_LEFT_OUT[why]}`).join(', ')}.`;
}

function shareFigure(
  { detector, snapshots, smallSnapshots, trends, redesigns }: History,
  kind: Trend['kind'],
  number: number,
): Figure {
  const name = KIND_NAMES[kind];
  const trend = trends.find((each) => each.kind === kind);
  const figure: Figure = {
    id: `figure-${number}`,
    slug: `${kind}-in-templates`,
    title: `Share of ${name} inside templates over time`,
    sentence: '',
    ...tableOf(
      snapshots.map(({ [kind]: share, [`${kind}_pooled` as const]: pooled_share, ...row }) => ({
        ...row,
        time: isoDay(row.moment),
        share,
        pooled_share,
        small: row.small ? 'small' : '',
      })),
      ['site', 'snapshot', 'time', 'pages', 'share', 'pooled_share', 'small'],
    ),
    query: HISTORY_QUERIES.snapshots.sql(detector),
  };
  if (snapshots.length === 0) return { ...figure, absent: NO_SNAPSHOT };
  if (snapshots.length === 1 || !trend)
    return { ...figure, absent: 'There is one snapshot only: nothing to compare it with.' };
  const { mean, yearly, growth, at_1970: base } = trend;
  const points = snapshots.flatMap(({ site, moment, small, [kind]: share }) =>
    share === null ? [] : [{ site, moment, small, share }],
  );
  const learnt = points.filter(({ small }) => !small);
  const small = points.filter((point) => point.small);
  const line =
    yearly === null || base === null || !Number.isFinite(yearly)
      ? undefined
      : trendLine(
          learnt.map(({ moment }) => moment),
          yearly,
          base,
        );
  const trendPart =
    line === undefined || yearly === null
      ? '; the snapshots cover less than a year, too short a time for a yearly trend'
      : growth === null
        ? ''
        : `; the trend ${trendText(yearly, growth)}`;
  figure.sentence = `On average ${formatPercent(mean)} of the ${name} of a snapshot’s average page ${kind === 'links' ? 'lie' : 'lies'} inside templates${trendPart}.${smallText(small.length, smallSnapshots)}`;
  const isMarked = smallSnapshots === 'mark' && small.length > 0;
  const to = endOfShares([
    ...(isMarked ? points : learnt).map(({ share }) => share),
    ...(line ?? []).map(([, share]) => share),
  ]);
  // axes of figures of one archive can have different ends, so each cut axis is noted
  const cut = to < 1 ? ` (axis ends at ${formatShareTick(to)})` : '';
  const axes: Pick<Plot, 'x' | 'y'> = {
    x: { label: 'time of the snapshot', scale: 'time' },
    y: { label: `share of ${name} inside templates${cut}`, scale: 'share', to },
  };
  const drawn = sitesWithMost(points);
  const flagsOf = (site: string): number[] =>
    redesigns.flatMap((redesign) => (redesign.site === site ? Date.parse(redesign.first) : []));
  if (drawn.some((site) => flagsOf(site).length > 0)) figure.sentence += ' A flag is a redesign.';
  const seriesOfPoints = (own: readonly SharePoint[]): Series[] => [
    {
      ...seriesOf(
        'snapshots',
        own.filter((point) => !point.small),
      ),
      joined: true,
    },
    ...(isMarked
      ? [
          seriesOf(
            'too few pages to learn from',
            own.filter((point) => point.small),
          ),
        ]
      : []),
  ];
  if (drawn.length === 1) {
    const trendSeries =
      line === undefined ? [] : [{ name: 'trend', kind: 'line' as const, faint: true, points: line }];
    figure.plot = { ...axes, series: [...seriesOfPoints(points), ...trendSeries], flags: flagsOf(drawn[0]) };
    return figure;
  }
  const all = new Set(points.map(({ site }) => site)).size;
  if (all > drawn.length)
    figure.sentence += ` Drawn are the ${formatCount(drawn.length)} sites with the most snapshots, of ${formatCount(all)}.`;
  figure.plot = {
    ...axes,
    series: [],
    facets: drawn.map((site) => ({
      name: site,
      series: seriesOfPoints(points.filter((point) => point.site === site)),
      flags: flagsOf(site),
    })),
  };
  return figure;
}

function smallText(count: number, how: History['smallSnapshots']): string {
  if (count === 0) return '';
  const are = how === 'mark' ? 'drawn apart' : 'left out';
  return ` ${countOf(count, 'snapshot')} with too few pages to learn from, whose pages were judged alone, ${count === 1 ? 'is' : 'are'} ${are} and no part of the trend.`;
}

function trendText(yearly: number, growth: number): string {
  const points = formatSize(yearly);
  if (Number(points) === 0) return 'neither rises nor falls';
  return `${yearly > 0 ? 'rises' : 'falls'} by ${points} points a year, ${formatSize(growth)} % of the mean`;
}

interface SharePoint {
  site: string;
  moment: number;
  share: number;
  small: boolean;
}

function seriesOf(name: string, points: readonly SharePoint[]): Series {
  return { name, kind: 'points', points: points.map(({ moment, share }) => [1000 * moment, share]) };
}

/** Maximum number of sites with a small plot of their own. */
const MAX_FACETS = 24;

/** Returns the sites with the most points, equal ones by name. */
function sitesWithMost(points: readonly SharePoint[]): string[] {
  const counts = new Map<string, number>();
  for (const { site } of points) counts.set(site, (counts.get(site) ?? 0) + 1);
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, MAX_FACETS)
    .map(([site]) => site);
}

function trendLine(moments: readonly number[], yearly: number, base: number): [number, number][] {
  const ends = [moments.reduce((a, b) => Math.min(a, b)), moments.reduce((a, b) => Math.max(a, b))];
  const clamp = (share: number): number => Math.min(1, Math.max(0, share));
  return ends.map((moment) => [1000 * moment, clamp(base + (yearly * moment) / YEAR_SECONDS)]);
}

function siteTrendTable({ detector, siteTrends }: History): Figure {
  const figure: Figure = {
    id: 'table-07',
    slug: 'site-trends',
    title: 'Trends by site',
    sentence: '',
    ...tableOf(
      siteTrends.map((row) => ({ ...row, kind: KIND_NAMES[row.kind], snapshots: row.points })),
      ['site', 'kind', 'snapshots', 'first', 'last', 'mean', 'yearly', 'growth'],
    ),
    shares: ['first', 'last', 'mean'],
    changes: { yearly: 'points', growth: 'per cent' },
    query: HISTORY_QUERIES.siteTrends.sql(detector),
  };
  if (siteTrends.length === 0)
    return { ...figure, absent: 'No site has two snapshots: nothing to compare one with.' };
  const short = new Set(siteTrends.filter(({ yearly }) => yearly === null).map(({ site }) => site)).size;
  const sites = new Set(siteTrends.map(({ site }) => site)).size;
  const long = sites - short;
  const parts = KINDS.map((kind) => {
    const grown = siteTrends.filter((row) => row.kind === kind && (row.yearly ?? 0) > 0).length;
    return `${KIND_NAMES[kind]} on ${formatCount(grown)}`;
  });
  const grew =
    long === 0
      ? ''
      : `The share inside templates grew for ${parts.join(', ')} of ${formatCount(long)} ${long === 1 ? 'site' : 'sites'}; yearly is what a year adds in points of per cent, growth that relative to the mean. `;
  const none =
    short === 0
      ? ''
      : `${formatCount(short)} ${short === 1 ? 'site covers' : 'sites cover'} less than a year: too short a time for a yearly trend.`;
  figure.sentence = `${grew}${none}`.trim();
  return figure;
}

function periodTable({ detector, queryOptions, periods }: History): Figure {
  const collections = collectionsOf(periods);
  const names = [...new Set(periods.map(({ period }) => period))].sort(
    (a, b) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1),
  );
  const cells = (row: PeriodRow | undefined): (number | string)[] =>
    row === undefined ? [0, '', '', ''] : [row.sites, ...KINDS.map((kind) => cellOf(row[kind]))];
  const rowOf = (collection: string, period: string): PeriodRow | undefined =>
    periods.find((row) => row.collection === collection && row.period === period);
  const figure: Figure = {
    id: 'table-02',
    slug: 'periods',
    title: 'Shares inside templates by period',
    sentence: '',
    columns: [
      'period',
      ...collections.flatMap((name) => ['sites', ...KINDS].map((kind) => columnOf(name, kind))),
    ],
    shares: collections.flatMap((name) => KINDS.map((kind) => columnOf(name, kind))),
    rows: names.map((period) => [
      period,
      ...collections.flatMap((collection) => cells(rowOf(collection, period))),
    ]),
    query: HISTORY_QUERIES.periods.sql(detector, undefined, queryOptions),
  };
  if (periods.length === 0) return { ...figure, absent: NO_SNAPSHOT };
  const [first, second] = names;
  if (names.length < 3)
    return { ...figure, absent: 'The captures cover too short a time to be cut into periods.' };
  const compared = collections.map((collection) => {
    const [before, after] = [rowOf(collection, first), rowOf(collection, second)];
    const parts = KINDS.map(
      (kind) => `${KIND_NAMES[kind]} ${share(before?.[kind])} and ${share(after?.[kind])}`,
    );
    return `${collection === '' ? '' : `${collection}: `}${parts.join(', ')}`;
  });
  figure.sentence = `Inside templates ${first} and ${second}: ${compared.join('; ')}; each site counts once.`;
  return figure;
}

function share(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : formatPercent(value, 1);
}

function categoryPeriodTable({ detector, queryOptions, categoryPeriods }: History): Figure {
  const figure: Figure = {
    id: 'table-08',
    slug: 'category-periods',
    title: 'Shares inside templates by category and period',
    sentence: 'A site may have several categories; each site counts once in each.',
    ...tableOf(
      categoryPeriods.map((row) => ({ ...row, category: row.collection })),
      ['category', 'period', 'sites', ...KINDS],
    ),
    shares: KINDS,
    query: HISTORY_QUERIES.categoryPeriods.sql(detector, undefined, queryOptions),
  };
  return categoryPeriods.length > 0
    ? figure
    : { ...figure, absent: 'Categories of sites were not given: chaff history --categories sites.csv.' };
}
