/**
 * Makes figures 13 to 15 of Gibson, Punera and Tomkins, and those of template lives and redesigns: changes and
 * their speed.
 */

import { countOf } from '../../model/count-of.ts';
import { HISTORY_QUERIES } from '../../store/history/history-queries.ts';
import type { History, Part, ValueRegion } from '../../store/history/read-history.ts';
import { describeFewSnapshots, sitesWithFewSnapshots } from '../../store/redesigns.ts';
import { formatCount, formatPercent, isoDay } from '../format-numbers.ts';
import { capital } from '../html-cells.ts';
import { endOfShares } from './axis.ts';
import { type Figure, tableOf } from './figure.ts';
import type { Series } from './plot.ts';
import { shareHistoryFigures } from './share-history-figures.ts';

/**
 * Shown when no value is bracketed; a bracketed value begins and ends between captures of the page (section 6.2 of
 * the paper).
 */
const NO_DURATION =
  'No text was seen to come and to go: that takes a page captured at least three times, with another text before and after.';

/** Shown when all values are too short for the curve, which has a point at the start of each month. */
const NO_TURN_OF_MONTH =
  'What was seen to come and to go did so within a month: too short a time for a curve by months.';

/** Returns all figures of a history. */
export function historyFigures(history: History): Figure[] {
  return [...shareHistoryFigures(history), ...changeHistoryFigures(history)];
}

function changeHistoryFigures(history: History): Figure[] {
  return [
    durationFigure(history),
    histogramFigure(history),
    magnitudeFigure(history),
    livesFigure(history),
    redesignTable(history),
  ];
}

const REGION_NAMES: Record<ValueRegion, string> = { template: 'templates', rest: 'the rest' };

/** Days of a bin of Figure 14 in its query, and of a drawn bin. */
const BIN_DAYS = 50;
const DRAWN_DAYS = [BIN_DAYS, 100, 200, 500, 1000, 2000] as const;
/** Maximum number of bins with gaps; in more, bars would be hairlines. */
const MAX_BINS = 60;

const REGIONS: readonly ValueRegion[] = ['template', 'rest'];

function durationFigure({ durationsOverTime, durations }: History): Figure {
  const figure: Figure = {
    id: 'figure-13',
    slug: 'duration-over-time',
    title: 'How long texts last, over time',
    sentence: '',
    ...tableOf(
      durationsOverTime.map((row) => ({ ...row, month: isoDay(row.moment).slice(0, 7) })),
      ['region', 'month', 'days', 'active'],
    ),
    query: HISTORY_QUERIES.durationsOverTime.sql(),
  };
  if (durationsOverTime.length === 0)
    return { ...figure, absent: durations.length === 0 ? NO_DURATION : NO_TURN_OF_MONTH };
  const parts = REGIONS.flatMap((region) => {
    const own = durationsOverTime.filter((row) => row.region === region);
    if (own.length === 0) return [];
    const [first, last] = [own[0], own[own.length - 1]];
    return [
      `${REGION_NAMES[region]} ${formatCount(Math.round(first.days))} days in ${isoDay(first.moment).slice(0, 7)} and ${formatCount(Math.round(last.days))} in ${isoDay(last.moment).slice(0, 7)}`,
    ];
  });
  figure.sentence = `The average duration of texts that were on pages at a time: ${parts.join('; ')}. Texts of which the beginning or the end was not seen are not counted, which shortens both ends.`;
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
    ...tableOf(durations, ['region', 'days_from', 'count']),
    query: HISTORY_QUERIES.durations.sql(),
  };
  if (durations.length === 0) return { ...figure, absent: NO_DURATION };
  const parts = durationSummary.map(
    ({ region, count, median_days, two_years }) =>
      `${REGION_NAMES[region]}: ${count === 1 ? 'the only one' : `half of ${formatCount(count)}`} lasted ${formatCount(Math.round(median_days))} days${count === 1 ? '' : ` or less, ${formatPercent(two_years)} two years and more`}`,
  );
  figure.sentence = sentenceOf(parts);
  const longest = Math.max(...durations.map(({ days_from }) => days_from)) + BIN_DAYS;
  const binDays = DRAWN_DAYS.find((days) => longest / days <= MAX_BINS) ?? DRAWN_DAYS.at(-1)!;
  figure.plot = {
    x: { label: `duration in days, steps of ${formatCount(binDays)}`, scale: 'linear', from: 0 },
    y: { label: 'texts', scale: 'linear', from: 0 },
    binWidth: binDays,
    series: seriesOfRegions(
      (region) =>
        binned(
          durations.filter((row) => row.region === region),
          binDays,
        ),
      'bars',
    ),
  };
  return figure;
}

/** Returns counts in wider bins, at their middles. */
function binned(durations: History['durations'], binDays: number): [number, number][] {
  const counts = new Map<number, number>();
  for (const { days_from, count } of durations) {
    const middle = (Math.floor(days_from / binDays) + 0.5) * binDays;
    counts.set(middle, (counts.get(middle) ?? 0) + count);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

function seriesOfRegions(
  pointsOf: (region: ValueRegion) => [number, number][],
  kind: Series['kind'],
): Series[] {
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
    ...tableOf(magnitudes, ['part', 'magnitude_from', 'changes', 'share']),
    query: HISTORY_QUERIES.magnitudes.sql(),
  };
  if (magnitudes.length === 0) return { ...figure, absent: noChange(magnitudeSummary) };
  const parts = magnitudeSummary.map(
    ({ part, compared, changed, large }) =>
      `${part}: ${changed === 0 ? 'none' : formatPercent(changed, compared)} of ${countOf(compared, 'pair')} ${compared === 1 ? 'differs' : 'differ'}${changed === 0 ? '' : `, ${formatPercent(large ?? 0, 1)} of these by 65 % and more`}`,
  );
  figure.sentence = sentenceOf(parts);
  figure.plot = {
    x: { label: 'magnitude of change', scale: 'share' },
    y: {
      label: 'share of the changes',
      scale: 'share',
      to: endOfShares(magnitudes.map(({ share }) => share)),
    },
    binWidth: 1 / 20,
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

function noChange(summary: History['magnitudeSummary']): string {
  const compared = summary.find(({ part }) => part === 'whole page')?.compared ?? 0;
  return compared === 0
    ? 'No page was captured twice: nothing to compare a capture with.'
    : `No capture of a page differs in a word from the one before; ${formatCount(compared)} ${compared === 1 ? 'was' : 'were'} compared.`;
}

function livesFigure({ detector, snapshots, templateLives }: History): Figure {
  const figure: Figure = {
    id: 'figure-16',
    slug: 'template-lives',
    title: 'Births and deaths of templates',
    sentence: '',
    ...tableOf(
      templateLives.map((row) => ({ ...row, born: dayOf(row.born), died: dayOf(row.died) })),
      ['site', 'template', 'snapshots', 'born', 'died', 'days'],
    ),
    query: HISTORY_QUERIES.templateLives.sql(detector),
  };
  const born = templateLives.filter((row) => row.born !== null);
  const died = templateLives.filter((row) => row.died !== null);
  const whole = templateLives.flatMap(({ days }) => (days === null ? [] : [days])).sort((a, b) => a - b);
  const isOneEach = new Set(snapshots.map(({ site }) => site)).size === snapshots.length;
  if (born.length + died.length === 0)
    return {
      ...figure,
      absent: `No template was seen to come or to go${isOneEach ? ': no site has two snapshots' : ''}.`,
    };
  const both =
    whole.length === 0
      ? ''
      : whole.length === 1
        ? `; the one seen to do both lived ${countOf(Math.round(whole[0]), 'day')}`
        : `; of ${formatCount(whole.length)} seen to do both, half lived ${countOf(Math.round(medianOf(whole)), 'day')} or less`;
  figure.sentence = `Of ${countOf(templateLives.length, 'template')} ${formatCount(born.length)} came and ${formatCount(died.length)} went between the first and the last snapshot of their site${both}.`;
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

/** Returns the median of sorted numbers, computed as in DuckDB. */
function medianOf(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
}

function countByDay(moments: readonly number[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const moment of moments) {
    const day = Math.floor(moment / 86_400) * 86_400_000;
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

function redesignTable(history: History): Figure {
  const { redesigns, smallerChanges } = history;
  const figure: Figure = {
    id: 'table-06',
    slug: 'redesigns',
    title: 'Redesigns',
    sentence: '',
    ...tableOf(redesigns, ['site', 'since', 'first', 'why', 'confidence', 'pages', 'changed']),
    query: HISTORY_QUERIES.redesigns.sql(),
  };
  const smaller =
    smallerChanges.length === 0
      ? ''
      : ` ${countOf(smallerChanges.length, 'smaller change')} of templates ${smallerChanges.length === 1 ? 'is' : 'are'} in the table history_redesigns.`;
  if (redesigns.length === 0)
    return { ...figure, absent: `No redesign was found.${smaller}${fewSnapshots(history)}` };
  figure.sentence = `${formatCount(redesigns.length)} ${redesigns.length === 1 ? 'redesign was' : 'redesigns were'} found. Confidence is 0.5 where a change becomes a redesign.${smaller}${fewSnapshots(history)}`;
  return figure;
}

function fewSnapshots({ snapshots }: History): string {
  const few = sitesWithFewSnapshots(snapshots);
  return few === 0 ? '' : ` ${describeFewSnapshots(few)}.`;
}

/** Joins statements about regions or parts to one sentence. */
function sentenceOf(parts: readonly string[]): string {
  return `${capital(parts.join('; '))}.`;
}

function dayOf(moment: number | null): string {
  return moment === null ? '' : isoDay(moment);
}
