/** Figures 10 to 15 and Tables 1 and 2 of Gibson, Punera and Tomkins, drawn from an archive's own captures. */
import { HISTORY_QUERIES } from '../../store/history/queries.ts';
import type { History, Part, Region, Trend } from '../../store/history/read-history.ts';
import { formatCount, formatPercent } from '../format-numbers.ts';
import type { Figure } from './figure.ts';
import type { Series } from './plot.ts';

/** Sites that have a mark of their own; with more, all points look alike. */
const MOST_MARKED_SITES = 4;
const YEAR_SECONDS = 31_557_600;
const ONE_TIME = 'All captures of a page are of one time: a history needs pages captured at least twice.';

export function historyFigures(history: History): Figure[] {
  return [
    yearsTable(history),
    ...(['links', 'html', 'text'] as const).map((kind, k) => shareFigure(history, kind, 10 + k)),
    siteTrendTable(history),
    periodTable(history),
    durationFigure(history),
    histogramFigure(history),
    magnitudeFigure(history),
    livesFigure(history),
    redesignTable(history),
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
  figure.sentence = `${formatCount(pages)} captures in ${formatCount(snapshots)} ${snapshots === 1 ? 'site snapshot' : 'site snapshots'} from ${snapshotYears[0].year} to ${snapshotYears[snapshotYears.length - 1].year}.${leftOutTold(leftOut)}`;
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
  if (snapshots.length < 2 || !trend)
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
    line === undefined || growth === null || yearly === null
      ? ''
      : `; the trend ${yearly >= 0 ? 'rises' : 'falls'} by ${points(yearly)} a year, ${Math.abs(100 * growth).toFixed(1)} % of the mean`;
  figure.sentence = `On average ${formatPercent(mean, 1)} of the ${name} of a snapshot ${kind === 'links' ? 'lie' : 'lies'} inside templates${told}.`;
  figure.plot = {
    x: { label: 'time of the snapshot', scale: 'time' },
    y: { label: `share of ${name} inside templates`, scale: 'share' },
    series: [
      ...pointsBySite(snapshots.map(({ site, moment, [kind]: share }) => ({ site, moment, share }))),
      ...(line === undefined ? [] : [{ name: 'trend', kind: 'line' as const, faint: true, points: line }]),
    ],
  };
  return figure;
}

/** Points of per cent, to two digits that count. */
function points(share: number): string {
  const size = Math.abs(100 * share);
  return `${size.toFixed(size < 1 ? 2 : 1)} points`;
}

/** A series per site when they can be told apart, else one. */
function pointsBySite(points: readonly { site: string; moment: number; share: number }[]): Series[] {
  const sites = [...new Set(points.map(({ site }) => site))];
  const seriesOf = (name: string, own: typeof points): Series => ({
    name,
    kind: 'points',
    points: own.map(({ moment, share }) => [1000 * moment, share]),
  });
  if (sites.length > MOST_MARKED_SITES) return [seriesOf(`${formatCount(sites.length)} sites`, points)];
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
    shares: ['first', 'last', 'mean', 'yearly', 'growth'],
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
  const told = (['links', 'html', 'text'] as const).map((kind) => {
    const own = siteTrends.filter((row) => row.kind === kind);
    return `${KIND_NAMES[kind]} on ${formatCount(own.filter(({ yearly }) => (yearly ?? 0) > 0).length)} of ${formatCount(own.length)}`;
  });
  figure.sentence = `The share inside templates grew for ${told.join(', ')} sites; yearly is what a year adds, growth that relative to the mean.`;
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
  const [first, second] = periods;
  if (periods.length < 3)
    return { ...figure, absent: 'The captures cover too short a time to be cut into periods.' };
  const compared = (kind: Trend['kind']): string =>
    `${KIND_NAMES[kind]} ${formatPercent(first[kind], 1)} and ${formatPercent(second[kind], 1)}`;
  figure.sentence = `Inside templates ${first.period} and ${second.period}: ${compared('links')}, ${compared('html')}, ${compared('text')}; each site counts once.`;
  return figure;
}

const REGION_NAMES: Record<Region, string> = { template: 'templates', rest: 'the rest' };
const REGIONS: readonly Region[] = ['template', 'rest'];

function durationFigure({ durationsOverTime }: History): Figure {
  const figure: Figure = {
    id: 'figure-13',
    slug: 'duration-over-time',
    title: 'How long texts last, over time',
    sentence: '',
    columns: ['region', 'month', 'days', 'active'],
    rows: durationsOverTime.map((row) => [
      row.region,
      isoDay(row.moment).slice(0, 7),
      rounded(row.days),
      row.active,
    ]),
    query: HISTORY_QUERIES.durationsOverTime.sql(),
  };
  if (durationsOverTime.length === 0)
    return { ...figure, absent: `No text was seen to come and to go. ${ONE_TIME}` };
  const told = REGIONS.flatMap((region) => {
    const own = durationsOverTime.filter((row) => row.region === region);
    if (own.length === 0) return [];
    const [first, last] = [own[0], own[own.length - 1]];
    return [
      `${REGION_NAMES[region]} ${formatCount(Math.round(first.days))} days in ${isoDay(first.moment).slice(0, 7)} and ${formatCount(Math.round(last.days))} in ${isoDay(last.moment).slice(0, 7)}`,
    ];
  });
  figure.sentence = `The average duration of what stood on pages at a time: ${told.join('; ')}. Texts of which the beginning or the end was not seen are not counted, which shortens both ends.`;
  figure.plot = {
    x: { label: 'time', scale: 'time' },
    y: { label: 'average duration, days', scale: 'linear', from: 0 },
    series: seriesOfRegions(
      (region) =>
        durationsOverTime
          .filter((row) => row.region === region)
          .map(({ moment, days }) => [1000 * moment, days]),
      'line',
    ),
  };
  return figure;
}

function histogramFigure({ durations, durationSummary }: History): Figure {
  const figure: Figure = {
    id: 'figure-14',
    slug: 'durations',
    title: 'Durations of texts',
    sentence: '',
    columns: ['region', 'days_from', 'count'],
    rows: durations.map((row) => [row.region, row.days_from, row.count]),
    query: HISTORY_QUERIES.durations.sql(),
  };
  if (durations.length === 0) return { ...figure, absent: `No text was seen to come and to go. ${ONE_TIME}` };
  const told = durationSummary.map(
    ({ region, count, median_days, two_years }) =>
      `${REGION_NAMES[region]}: half of ${formatCount(count)} lasted ${formatCount(Math.round(median_days))} days or less, ${formatPercent(two_years, 1)} two years and more`,
  );
  figure.sentence = `${told.join('; ')}.`;
  figure.plot = {
    x: { label: 'duration in days, steps of 50', scale: 'linear', from: 0 },
    y: { label: 'texts', scale: 'linear', from: 0 },
    series: seriesOfRegions(
      (region) =>
        durations
          .filter((row) => row.region === region)
          .map(({ days_from, count }) => [days_from + 25, count]),
      'bars',
    ),
  };
  return figure;
}

function seriesOfRegions(pointsOf: (region: Region) => [number, number][], kind: Series['kind']): Series[] {
  return REGIONS.map((region) => ({ name: REGION_NAMES[region], kind, points: pointsOf(region) })).filter(
    ({ points }) => points.length > 0,
  );
}

const PARTS: readonly Part[] = ['whole page', 'without templates'];

function magnitudeFigure({ magnitudes, magnitudeSummary }: History): Figure {
  const figure: Figure = {
    id: 'figure-15',
    slug: 'magnitude-of-change',
    title: 'How much pages changed between captures',
    sentence: '',
    columns: ['part', 'magnitude_from', 'changes', 'share'],
    rows: magnitudes.map((row) => [row.part, rounded(row.magnitude_from), row.changes, rounded(row.share)]),
    query: HISTORY_QUERIES.magnitudes.sql(),
  };
  if (magnitudes.length === 0) return { ...figure, absent: `No two captures of a page differ. ${ONE_TIME}` };
  const told = magnitudeSummary.map(
    ({ part, compared, changed, large }) =>
      `${part}: ${formatPercent(changed, compared)} of ${formatCount(compared)} pairs differ, ${formatPercent(large ?? 0, 1)} of these by 65 % and more`,
  );
  figure.sentence = `${told.join('; ')}.`;
  figure.plot = {
    x: { label: 'magnitude of change', scale: 'share' },
    y: { label: 'share of the changes', scale: 'linear', from: 0 },
    series: PARTS.map(
      (part): Series => ({
        name: part,
        kind: 'bars',
        points: Array.from({ length: 20 }, (_, k): [number, number] => [
          (k + 0.5) / 20,
          magnitudes.find((row) => row.part === part && Math.round(20 * row.magnitude_from) === k)?.share ??
            0,
        ]),
      }),
    ),
  };
  return figure;
}

function livesFigure({ detector, templateLives }: History): Figure {
  const figure: Figure = {
    id: 'figure-16',
    slug: 'template-lives',
    title: 'Births and deaths of templates',
    sentence: '',
    columns: ['site', 'template', 'snapshots', 'born', 'died', 'days'],
    rows: templateLives.map((row) => [
      row.site,
      row.template,
      row.snapshots,
      dayOf(row.born),
      dayOf(row.died),
      row.days === null ? '' : rounded(row.days),
    ]),
    query: HISTORY_QUERIES.templateLives.sql(detector),
  };
  const born = templateLives.filter((row) => row.born !== null);
  const died = templateLives.filter((row) => row.died !== null);
  const whole = templateLives.flatMap(({ days }) => (days === null ? [] : [days])).sort((a, b) => a - b);
  if (born.length + died.length === 0)
    return { ...figure, absent: 'No template was seen to come or to go: the sites have one snapshot each.' };
  const median =
    whole.length === 0
      ? ''
      : `; of ${formatCount(whole.length)} seen to do both, half lived ${formatCount(Math.round(whole[whole.length >> 1]))} days or less`;
  figure.sentence = `Of ${formatCount(templateLives.length)} templates ${formatCount(born.length)} came and ${formatCount(died.length)} went between the first and the last snapshot of their site${median}.`;
  figure.plot = {
    x: { label: 'time', scale: 'time' },
    y: { label: 'templates', scale: 'linear', from: 0 },
    series: [
      { name: 'came', kind: 'points', points: countByDay(born.map((row) => row.born!)) },
      { name: 'went', kind: 'points', points: countByDay(died.map((row) => row.died!)) },
    ],
  };
  return figure;
}

function countByDay(moments: readonly number[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const moment of moments) {
    const day = Math.floor(moment / 86_400) * 86_400_000;
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

function redesignTable({ redesigns }: History): Figure {
  const figure: Figure = {
    id: 'table-06',
    slug: 'redesigns',
    title: 'Redesigns',
    sentence: `${formatCount(redesigns.length)} ${redesigns.length === 1 ? 'redesign was' : 'redesigns were'} found, each between the two days given; confidence is 0.5 at the line of each kind of evidence.`,
    columns: ['site', 'since', 'first', 'why', 'confidence', 'pages'],
    rows: redesigns.map((row) => [
      row.site,
      row.since,
      row.first,
      row.why,
      rounded(row.confidence),
      row.pages,
    ]),
    query: HISTORY_QUERIES.redesigns.sql(),
  };
  return redesigns.length > 0 ? figure : { ...figure, absent: 'No redesign was found.' };
}

function isoDay(moment: number): string {
  return new Date(1000 * moment).toISOString().slice(0, 10);
}

function dayOf(moment: number | null): string {
  return moment === null ? '' : isoDay(moment);
}

/** Sums of floating-point numbers depend on their order in the last digits: those are not told. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
