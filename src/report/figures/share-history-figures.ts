/** Figures 10 to 12 and Tables 1 and 2 of Gibson, Punera and Tomkins: shares inside templates over time. */
import { HISTORY_QUERIES } from '../../store/history/queries.ts';
import type { History, Trend } from '../../store/history/read-history.ts';
import { formatCount, formatPercent, formatSize, isoDay } from '../format-numbers.ts';
import { endOfShares, formatShare } from './axis.ts';
import { type Figure, rounded } from './figure.ts';
import { LOOKS, type Series } from './plot.ts';

const NO_SNAPSHOT = 'There is no snapshot: no capture is in the history.';
const YEAR_SECONDS = 31_557_600;

export function shareHistoryFigures(history: History): Figure[] {
  return [
    yearsTable(history),
    ...(['links', 'html', 'text'] as const).map((kind, k) => shareFigure(history, kind, 10 + k)),
    siteTrendTable(history),
    periodTable(history),
  ];
}

const KIND_NAMES = { links: 'links', html: 'HTML', text: 'text' } as const;

function yearsTable({ detector, snapshotYears, leftOut }: History): Figure {
  const snapshots = snapshotYears.reduce((sum, { snapshots: own }) => sum + own, 0);
  const pages = snapshotYears.reduce((sum, { pages: own }) => sum + own, 0);
  const figure: Figure = {
    id: 'table-01',
    slug: 'snapshot-years',
    title: 'Snapshots by year',
    sentence: '',
    columns: ['year', 'snapshots', 'sites', 'pages'],
    rows: snapshotYears.map((row) => [String(row.year), row.snapshots, row.sites, row.pages]),
    query: HISTORY_QUERIES.snapshotYears.sql(detector),
  };
  if (snapshotYears.length === 0)
    return { ...figure, absent: `No capture has a time within the years asked for.${leftOutTold(leftOut)}` };
  const [first, last] = [snapshotYears[0].year, snapshotYears[snapshotYears.length - 1].year];
  const years = first === last ? `of ${first}` : `from ${first} to ${last}`;
  figure.sentence = `${formatCount(pages)} ${pages === 1 ? 'capture' : 'captures'} in ${formatCount(snapshots)} ${snapshots === 1 ? 'site snapshot' : 'site snapshots'} ${years}.${leftOutTold(leftOut)}`;
  return figure;
}

const WHY_LEFT_OUT = {
  'no time': 'without a time',
  'other year': 'of years not asked for',
  'same moment': 'at the moment of another capture of the page',
} as const;

function leftOutTold(leftOut: History['leftOut']): string {
  if (leftOut.length === 0) return '';
  return ` Left out: ${leftOut.map(({ why, pages }) => `${formatCount(pages)} ${WHY_LEFT_OUT[why]}`).join(', ')}.`;
}

function shareFigure({ detector, snapshots, trends }: History, kind: Trend['kind'], number: number): Figure {
  const name = KIND_NAMES[kind];
  const trend = trends.find((each) => each.kind === kind);
  const figure: Figure = {
    id: `figure-${number}`,
    slug: `${kind}-in-templates`,
    title: `Share of ${name} inside templates over time`,
    sentence: '',
    columns: ['site', 'snapshot', 'time', 'pages', 'share'],
    rows: snapshots.map((row) => [row.site, row.snapshot, isoDay(row.moment), row.pages, rounded(row[kind])]),
    query: HISTORY_QUERIES.snapshots.sql(detector),
  };
  if (snapshots.length === 0) return { ...figure, absent: NO_SNAPSHOT };
  if (snapshots.length === 1 || !trend)
    return { ...figure, absent: 'There is one snapshot only: nothing to compare it with.' };
  const { mean, yearly, growth, at_1970: base } = trend;
  const line =
    yearly === null || base === null || !Number.isFinite(yearly)
      ? undefined
      : trendLine(
          snapshots.map(({ moment }) => moment),
          yearly,
          base,
        );
  const told =
    line === undefined || yearly === null
      ? '; the snapshots cover less than a year, too short a time for a yearly trend'
      : growth === null
        ? ''
        : `; the trend ${toldTrend(yearly, growth)}`;
  figure.sentence = `On average ${formatPercent(mean)} of the ${name} of a snapshot ${kind === 'links' ? 'lie' : 'lies'} inside templates${told}.`;
  const to = endOfShares([
    ...snapshots.map(({ [kind]: share }) => share),
    ...(line ?? []).map(([, share]) => share),
  ]);
  // figures of one archive may have axes of different ends: each that is cut says so
  const cut = to < 1 ? ` (axis ends at ${formatShare(to)})` : '';
  figure.plot = {
    x: { label: 'time of the snapshot', scale: 'time' },
    y: { label: `share of ${name} inside templates${cut}`, scale: 'share', to },
    series: [
      ...pointsBySite(snapshots.map(({ site, moment, [kind]: share }) => ({ site, moment, share }))),
      ...(line === undefined ? [] : [{ name: 'trend', kind: 'line' as const, faint: true, points: line }]),
    ],
  };
  return figure;
}

function toldTrend(yearly: number, growth: number): string {
  const points = formatSize(yearly);
  if (Number(points) === 0) return 'neither rises nor falls';
  return `${yearly > 0 ? 'rises' : 'falls'} by ${points} points a year, ${formatSize(growth)} % of the mean`;
}

/** A series per site when they can be told apart, else one. */
function pointsBySite(points: readonly { site: string; moment: number; share: number }[]): Series[] {
  const sites = [...new Set(points.map(({ site }) => site))];
  const seriesOf = (name: string, own: typeof points): Series => ({
    name,
    kind: 'points',
    points: own.map(({ moment, share }) => [1000 * moment, share]),
  });
  if (sites.length > LOOKS) return [seriesOf(`${formatCount(sites.length)} sites`, points)];
  return sites.map((site) =>
    seriesOf(
      site,
      points.filter((point) => point.site === site),
    ),
  );
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
    columns: ['site', 'kind', 'snapshots', 'first', 'last', 'mean', 'yearly', 'growth'],
    shares: ['first', 'last', 'mean'],
    changes: { yearly: 'points', growth: 'per cent' },
    rows: siteTrends.map((row) => [
      row.site,
      KIND_NAMES[row.kind],
      row.points,
      rounded(row.first),
      rounded(row.last),
      rounded(row.mean),
      row.yearly === null ? '' : rounded(row.yearly),
      row.growth === null ? '' : rounded(row.growth),
    ]),
    query: HISTORY_QUERIES.siteTrends.sql(detector),
  };
  if (siteTrends.length === 0)
    return { ...figure, absent: 'No site has two snapshots: nothing to compare one with.' };
  const short = new Set(siteTrends.filter(({ yearly }) => yearly === null).map(({ site }) => site)).size;
  const sites = new Set(siteTrends.map(({ site }) => site)).size;
  const long = sites - short;
  const told = (['links', 'html', 'text'] as const).map((kind) => {
    const grown = siteTrends.filter((row) => row.kind === kind && (row.yearly ?? 0) > 0).length;
    return `${KIND_NAMES[kind]} on ${formatCount(grown)}`;
  });
  const grew =
    long === 0
      ? ''
      : `The share inside templates grew for ${told.join(', ')} of ${formatCount(long)} ${long === 1 ? 'site' : 'sites'}; yearly is what a year adds in points of per cent, growth that relative to the mean. `;
  const none =
    short === 0
      ? ''
      : `${formatCount(short)} ${short === 1 ? 'site covers' : 'sites cover'} less than a year: too short a time for a yearly trend.`;
  figure.sentence = `${grew}${none}`.trim();
  return figure;
}

function periodTable({ detector, periods }: History): Figure {
  const figure: Figure = {
    id: 'table-02',
    slug: 'periods',
    title: 'Shares inside templates by period',
    sentence: '',
    columns: ['period', 'sites', 'links', 'html', 'text'],
    shares: ['links', 'html', 'text'],
    rows: periods.map((row) => [
      row.period,
      row.sites,
      rounded(row.links),
      rounded(row.html),
      rounded(row.text),
    ]),
    query: HISTORY_QUERIES.periods.sql(detector),
  };
  if (periods.length === 0) return { ...figure, absent: NO_SNAPSHOT };
  const [first, second] = periods;
  if (periods.length < 3)
    return { ...figure, absent: 'The captures cover too short a time to be cut into periods.' };
  const compared = (kind: Trend['kind']): string =>
    `${KIND_NAMES[kind]} ${formatPercent(first[kind], 1)} and ${formatPercent(second[kind], 1)}`;
  figure.sentence = `Inside templates ${first.period} and ${second.period}: ${compared('links')}, ${compared('html')}, ${compared('text')}; each site counts once.`;
  return figure;
}
