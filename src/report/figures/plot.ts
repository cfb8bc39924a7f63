/**
 * Plots of points, lines and bars as SVG. Series differ by mark and dash as well as by colour, so that they can be told
 * apart on paper and without seeing colours; colours are variables of the page, so that a dark page has its own. All
 * points of a series are one path: a hundred thousand marks are one element. Plain markup, there without scripts and in
 * print. Same data, same bytes.
 */
import { escapeHtml } from '../../view/escape-html.ts';
import { type Axis, type PlacedAxis, placeAxis } from './axis.ts';

export interface Series {
  name: string;
  /** `steps` holds each value up to the next point, from the foot of the plot on. */
  kind: 'points' | 'line' | 'steps' | 'bars';
  points: readonly (readonly [x: number, y: number])[];
  /** What stands beside each point, when they are few. */
  names?: readonly string[];
  /** Drawn against the axis on the right. */
  right?: boolean;
  /** A line beside the data: a trend, a law. */
  faint?: boolean;
  /** Class of its mark, in place of the looks that series have by their order. */
  look?: string;
}

export interface Plot {
  /** Whether what the series are is told elsewhere. @default no */
  withoutLegend?: boolean;
  x: Axis;
  y: Axis;
  right?: Axis;
  /** Width of the bins that bars stand in the middle of, in units of x. Not to be told from the bars: bins may be empty. @default 1 */
  binWidth?: number;
  series: readonly Series[];
}

/** Marks that differ in form: disc, square, cross, triangle, plus, diamond, triangle on its tip, star. */
const MARKS: readonly [right: number, down: number, strokes: string][] = [
  [0, 0, 'h0'],
  [-2, -2, 'h4v4h-4z'],
  [-2.5, -2.5, 'l5 5m0-5l-5 5'],
  [0, -3, 'l3 5h-6z'],
  [-3, 0, 'h6m-3-3v6'],
  [0, -3.5, 'l3 3.5l-3 3.5l-3-3.5z'],
  [0, 3, 'l3-5h-6z'],
  [-3, 0, 'h6m-4.5-2.6l3 5.2m0-5.2l-3 5.2'],
];

/** Series that can be told apart; study.css has as many colours. */
export const LOOKS = MARKS.length;

const WIDTH = 520;
const HEIGHT = 280;
const LEFT = 58;
const RIGHT = 16;
const RIGHT_AXIS = 52;
const TOP = 26;
const BOTTOM = 46;

export function renderPlot(plot: Plot, { description }: { description: string }): string {
  const right = plot.right === undefined ? RIGHT : RIGHT_AXIS;
  const frame = { left: LEFT, right: WIDTH - right, top: TOP, bottom: HEIGHT - BOTTOM };
  const x = placeAxis(plot.x, binEnds(plot), frame.left, frame.right);
  const y = placeAxis(
    plot.y,
    valuesOf(
      plot.series.filter((one) => !one.right),
      1,
    ),
    frame.bottom,
    frame.top,
  );
  const other =
    plot.right &&
    placeAxis(
      plot.right,
      valuesOf(
        plot.series.filter((one) => one.right),
        1,
      ),
      frame.bottom,
      frame.top,
    );
  const parts = [
    `<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(description)}">`,
    ...y.ticks.map(
      ({ at, text }) =>
        `<path class="grid" d="M${frame.left} ${fixed(at)}H${frame.right}"/><text class="tick" x="${frame.left - 7}" y="${fixed(at + 4)}" text-anchor="end">${escapeHtml(text)}</text>`,
    ),
    ...(other?.ticks ?? []).map(
      ({ at, text }) =>
        `<text class="tick" x="${frame.right + 7}" y="${fixed(at + 4)}">${escapeHtml(text)}</text>`,
    ),
    ...x.ticks.map(({ at, text }, index) => {
      const anchor = at > frame.right - 14 ? 'end' : at < frame.left + 10 ? 'start' : 'middle';
      return `<path class="grid" d="M${fixed(at)} ${frame.top}V${frame.bottom + 4}"/><text class="${index % 2 === 1 ? 'tick second' : 'tick'}" x="${fixed(at)}" y="${frame.bottom + 18}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
    }),
    `<text class="axis" x="${(frame.left + frame.right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escapeHtml(plot.x.label)}</text>`,
    `<text class="axis" x="2" y="13">${escapeHtml(plot.y.label)}</text>`,
    plot.right === undefined
      ? ''
      : `<text class="axis" x="${WIDTH - 2}" y="13" text-anchor="end">${escapeHtml(plot.right.label)}</text>`,
    ...plot.series.map((series, k) => renderSeries(series, k, plot, x, series.right && other ? other : y)),
    '</svg>',
    plot.series.length > 1 && !plot.withoutLegend ? renderLegend(plot.series) : '',
  ];
  return parts.join('');
}

/** Names beside points, above or below where they would run into a point or another name; left out where all is full. */
function renderNames({ points, names = [] }: Series, x: PlacedAxis, y: PlacedAxis): string {
  const taken = points.map(([px, py]) => ({
    left: x.place(px) - 4,
    right: x.place(px) + 4,
    at: y.place(py) + 4,
  }));
  const texts = names.map((name, k) => {
    const [px, py] = points[k];
    const width = 6.2 * name.length;
    const isLeft = x.place(px) + width > WIDTH - RIGHT;
    const left = isLeft ? x.place(px) - 7 - width : x.place(px) + 7;
    for (const shift of [4, -7, 15, -18, 26]) {
      const at = y.place(py) + shift;
      const isFree = taken.every(
        (other) => Math.abs(other.at - at) > 10 || other.right < left || other.left > left + width,
      );
      if (!isFree || at < TOP || at > HEIGHT - BOTTOM) continue;
      taken.push({ left, right: left + width, at });
      return `<text class="tick" x="${fixed(isLeft ? left + width : left)}" y="${fixed(at)}"${isLeft ? ' text-anchor="end"' : ''}>${escapeHtml(name)}</text>`;
    }
    return '';
  });
  return texts.join('');
}

function renderSeries(series: Series, k: number, plot: Plot, x: PlacedAxis, y: PlacedAxis): string {
  const { kind, points, faint, look } = series;
  const classes = `series s${k % LOOKS}${faint ? ' faint' : ''}`;
  if (kind === 'points') {
    // marks on the same pixel are one
    const seen = new Set<string>();
    for (const [px, py] of points) seen.add(markAt(Math.round(x.place(px)), Math.round(y.place(py)), k));
    return `<path class="${classes} marks" d="${[...seen].join('')}"/>${renderNames(series, x, y)}`;
  }
  if (kind === 'steps') {
    const path = points.map(([px, py]) => `H${fixed(x.place(px))}V${fixed(y.place(py))}`);
    const foot = `M${fixed(x.place(points[0]?.[0] ?? 0))} ${HEIGHT - BOTTOM}`;
    return `<path class="${look ?? `${classes} line`}" d="${foot}${path.join('')}H${WIDTH - RIGHT}"/>`;
  }
  if (kind === 'line') {
    const path = points.map(
      ([px, py], at) => `${at === 0 ? 'M' : 'L'}${fixed(x.place(px))} ${fixed(y.place(py))}`,
    );
    return `<path class="${classes} line" d="${path.join('')}"/>`;
  }
  const barred = plot.series.filter((one) => one.kind === 'bars');
  const slot = barred.indexOf(series);
  const { binWidth = 1 } = plot;
  const step = x.place(binWidth) - x.place(0);
  // a gap between bins where there is room for one
  const filled = step < 8 ? 1 : 0.8;
  const width = Math.max(1, (filled * step) / barred.length);
  const bars = points
    .filter(([, value]) => value > 0)
    .map(([px, py]) => {
      const from = x.place(px) - (filled * step) / 2 + slot * width;
      return `M${fixed(from)} ${fixed(y.place(0))}V${fixed(y.place(py))}H${fixed(from + width)}V${fixed(y.place(0))}Z`;
    });
  return `<path class="${classes} bars" d="${bars.join('')}"/>`;
}

/** The mark of a series, as strokes of one path around its place. */
function markAt(x: number, y: number, k: number): string {
  const [right, down, strokes] = MARKS[k % LOOKS];
  return `M${x + right} ${y + down}${strokes}`;
}

function renderLegend(series: readonly Series[]): string {
  const items = series.map(({ name, kind, faint }, k) => {
    const classes = `series s${k % LOOKS}${faint ? ' faint' : ''} ${kind === 'points' ? 'marks' : kind}`;
    const path = kind === 'points' ? markAt(13, 5, k) : kind === 'line' ? 'M1 5H25' : 'M4 1H22V9H4Z';
    return `<li><svg class="key" viewBox="0 0 26 10" aria-hidden="true"><path class="${classes}" d="${path}"/></svg>${escapeHtml(name)}</li>`;
  });
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** The values of x, of bars the two ends of their bins. */
function binEnds({ series, binWidth = 1 }: Plot): number[] {
  const bars = valuesOf(
    series.filter(({ kind }) => kind === 'bars'),
    0,
  );
  const others = valuesOf(
    series.filter(({ kind }) => kind !== 'bars'),
    0,
  );
  return [...others, ...bars.flatMap((middle) => [middle - binWidth / 2, middle + binWidth / 2])];
}

function valuesOf(series: readonly Series[], which: 0 | 1): number[] {
  return series.flatMap(({ points }) => points.map((point) => point[which]));
}

function fixed(value: number): string {
  return String(Math.round(value * 10) / 10);
}
