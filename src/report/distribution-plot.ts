/**
 * A cumulative distribution as SVG: the share of things that are at most so large, a line per relation. The
 * lines differ by dashes and by a mark at their end as well as by colour, so that they can be told apart on
 * paper and without seeing colours; all colours are variables of the page, so that a dark page has its own.
 * The picture is plain markup: it is there without scripts and in print. Same data, same bytes.
 */
import type { Distribution } from '../store/fragment-report.ts';

export interface PlotOptions {
  /** What lies on the horizontal axis, with its unit: `average size of a fragment, bytes`. */
  xLabel: string;
  /** What is counted: `classes`. */
  yLabel: string;
  /** `log` from the smallest value; `log from zero` has a place for 0; `percent` is 0 to 100. */
  scale: 'log' | 'log from zero' | 'percent';
  formatX: (value: number) => string;
  /** Told to those who cannot see the picture. */
  description: string;
}

const WIDTH = 520;
const HEIGHT = 270;
const LEFT = 54;
const RIGHT = 14;
const TOP = 26;
const BOTTOM = 46;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;

export function renderDistributions(distributions: readonly Distribution[], options: PlotOptions): string {
  const { xLabel, yLabel, formatX, description } = options;
  const x = scaleOf(distributions, options.scale);
  const y = (share: number): number => TOP + PLOT_HEIGHT * (1 - share);
  const parts = [
    `<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${description}">`,
    // horizontal lines of the grid, and what share they stand for
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (share) =>
        `<path class="grid" d="M${LEFT} ${fixed(y(share))}H${WIDTH - RIGHT}"/><text class="tick" x="${LEFT - 7}" y="${fixed(y(share) + 4)}" text-anchor="end">${100 * share}\u00a0%</text>`,
    ),
    ...x.ticks.map((value, index) => {
      const at = LEFT + PLOT_WIDTH * x.place(value);
      const anchor = at > WIDTH - RIGHT - 16 ? 'end' : at < LEFT + 12 ? 'start' : 'middle';
      return `<path class="grid" d="M${fixed(at)} ${TOP}V${TOP + PLOT_HEIGHT + 4}"/><text class="${index % 2 === 1 ? 'tick second' : 'tick'}" x="${fixed(anchor === 'end' ? WIDTH - RIGHT : at)}" y="${TOP + PLOT_HEIGHT + 18}" text-anchor="${anchor}">${formatX(value)}</text>`;
    }),
    `<text class="axis" x="${LEFT + PLOT_WIDTH / 2}" y="${HEIGHT - 8}" text-anchor="middle">${xLabel}</text>`,
    `<text class="axis" x="2" y="13">share of ${yLabel}</text>`,
    ...distributions.filter(({ total }) => total > 0).map((each) => renderLine(each, x.place, y)),
    '</svg>',
  ];
  return parts.join('');
}

/** A staircase from the axis up: the share jumps at each value. */
function renderLine(
  { relation, points, total }: Distribution,
  place: (value: number) => number,
  y: (share: number) => number,
): string {
  const xs = points.map(([value]) => LEFT + PLOT_WIDTH * place(value));
  let path = `M${fixed(xs[0])} ${fixed(y(0))}`;
  points.forEach(([, count], at) => {
    path += `H${fixed(xs[at])}V${fixed(y(count / total))}`;
  });
  path += `H${WIDTH - RIGHT}`;
  return `<path class="line ${relation}" d="${path}"/>`;
}

interface Scale {
  /** From 0 to 1. */
  place: (value: number) => number;
  ticks: number[];
}

function scaleOf(distributions: readonly Distribution[], scale: PlotOptions['scale']): Scale {
  if (scale === 'percent') return { place: (value) => value / 100, ticks: [0, 20, 40, 60, 80, 100] };
  const values = distributions.flatMap(({ points }) => points.map(([value]) => value));
  const shift = scale === 'log' ? 0 : 1;
  const least = scale === 'log' ? Math.max(1, Math.min(...values, Number.MAX_SAFE_INTEGER)) : 0;
  const most = Math.max(least * 2, 1, ...values);
  const from = Math.log10(least + shift);
  const width = Math.log10(most + shift) - from;
  const place = (value: number): number => (Math.log10(Math.max(value, least) + shift) - from) / width;
  return { place, ticks: logTicks(least, most, place) };
}

/** 1, 2, 5, 10, 20 … where there is room, else tens. */
function logTicks(least: number, most: number, place: (value: number) => number): number[] {
  for (const steps of [[1, 2, 5], [1, 3], [1]]) {
    const ticks: number[] = least === 0 ? [0] : [];
    for (let power = 1; power <= most; power *= 10) {
      for (const step of steps) if (power * step >= least && power * step <= most) ticks.push(power * step);
    }
    const tooClose = ticks.some((value, at) => at > 0 && place(value) - place(ticks[at - 1]) < 0.075);
    if (!tooClose && ticks.length > 0) return ticks;
  }
  const ticks: number[] = [];
  for (let power = 1; power <= most; power *= 10) if (power >= least) ticks.push(power);
  const every = Math.ceil(ticks.length / 8);
  return ticks.filter((_, at) => at % every === 0);
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}
