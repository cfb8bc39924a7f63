/**
 * Draws plots of points, lines and bars as SVG. Series differ by mark or dashes as well as by colour, so that they
 * can be distinguished in print and without colours; a legend below names them. Many sites make many small plots. Colours are variables of the page, so that a dark page has its own. All points of a series are one path,
 * so that a hundred thousand marks are one element. Plain markup that works without scripts and in print. The same
 * data gives the same bytes.
 */
import { escapeHtml } from '../../view/escape-html.ts';
import { type Axis, type PlacedAxis, placeAxis } from './axis.ts';

/** Points of one series and how they are drawn. */
export interface Series {
  name: string;
  /** `steps` keeps each value up to the next point, starting at 0. */
  kind: 'points' | 'line' | 'steps' | 'bars';
  points: readonly (readonly [x: number, y: number])[];
  /** Labels of the points, when they are few. */
  names?: readonly string[];
  /** Whether a thin line joins its points. */
  joined?: boolean;
  /** Whether it uses the axis on the right. */
  right?: boolean;
  /** Whether it is a line fitted to the data, such as a trend. */
  faint?: boolean;
  /** CSS class of its mark, in place of the style by position. */
  look?: string;
}

/** Series and axes of a plot. */
export interface Plot {
  /** Whether to leave out the legend, because the series are named elsewhere. @default no */
  withoutLegend?: boolean;
  x: Axis;
  y: Axis;
  right?: Axis;
  /**
   * Width of the bins around bars, in units of x; it cannot be derived from the bars, because bins may be empty.
   * @default 1
   */
  binWidth?: number;
  series: readonly Series[];
  /** Small plots with the same axes in place of one plot, each with a title; then `series` is empty. */
  facets?: readonly ({ name: string; series: readonly Series[] } & Pick<Plot, 'flags'>)[];
  /** Values of x with a flag, such as redesigns. */
  flags?: readonly number[];
}

/** Marks of different shapes: disc, square, cross. */
const MARKS: readonly [right: number, down: number, strokes: string][] = [
  [0, 0, 'h0'],
  [-2, -2, 'h4v4h-4z'],
  [-2.5, -2.5, 'l5 5m0-5l-5 5'],
];

/** Maximum number of series that can be distinguished; study.css has as many colours. */
const LOOKS = MARKS.length;

const WIDTH = 520;
const HEIGHT = 280;
const LEFT = 58;
const RIGHT = 16;
const RIGHT_AXIS = 52;
const TOP = 26;
const BOTTOM = 46;

/** Returns the SVG of a plot; `description` is for screen readers. */
export function renderPlot(plot: Plot, { description }: { description: string }): string {
  if (plot.facets) return renderFacets(plot, plot.facets, description);
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
    renderFlags(plot.flags, x, frame),
    '</svg>',
    plot.withoutLegend ? '' : renderLegend(plot.series),
  ];
  return parts.join('');
}

const FACET = { width: 260, height: 150, left: 50, right: 10, top: 26, bottom: 24 };

/** Columns of small plots, the best first. */
const FACET_COLUMNS = [3, 4, 2];

/** Returns one SVG of small plots, in rows of three, or of four or two where that leaves fewer places empty. */
function renderFacets(
  { x: across, y: up }: Plot,
  facets: NonNullable<Plot['facets']>,
  description: string,
): string {
  const all = facets.flatMap(({ series }) => series);
  const empty = (columns: number): number => (columns - (facets.length % columns)) % columns;
  const best = FACET_COLUMNS.reduce((a, b) => (empty(b) < empty(a) ? b : a));
  const columns = Math.min(best, facets.length);
  const rows = Math.ceil(facets.length / columns);
  const parts = facets.map(({ name, series, flags }, k) => {
    const left = (k % columns) * FACET.width + FACET.left;
    const right = left + FACET.width - FACET.left - FACET.right;
    const top = Math.floor(k / columns) * FACET.height + FACET.top;
    const bottom = top + FACET.height - FACET.top - FACET.bottom;
    const x = placeAxis(across, valuesOf(all, 0), left, right);
    const y = placeAxis(up, valuesOf(all, 1), bottom, top);
    const ends = (ticks: PlacedAxis['ticks']) => ticks.filter((_, at) => at === 0 || at === ticks.length - 1);
    return [
      `<text class="axis" x="${left}" y="${top - 9}">${escapeHtml(name)}</text>`,
      ...ends(y.ticks).map(
        ({ at, text }) =>
          `<path class="grid" d="M${left} ${fixed(at)}H${right}"/><text class="tick" x="${left - 5}" y="${fixed(at + 4)}" text-anchor="end">${escapeHtml(text)}</text>`,
      ),
      ...thinned(x.ticks, right - left).map(
        ({ at, text }) =>
          `<path class="grid" d="M${fixed(at)} ${top}V${bottom + 4}"/><text class="tick" x="${fixed(at)}" y="${bottom + 15}" text-anchor="${at > right - 12 ? 'end' : 'middle'}">${escapeHtml(text)}</text>`,
      ),
      renderFlags(flags, x, { top, bottom }),
      ...series.map((one, number) => renderSeries(one, number, { x: across, y: up, series }, x, y)),
    ].join('');
  });
  return `<div class="scroll whole bare"><svg class="plot facets" style="--columns:${columns}" viewBox="0 0 ${columns * FACET.width} ${rows * FACET.height}" role="img" aria-label="${escapeHtml(description)}">${parts.join('')}</svg></div>${renderLegend(facets[0]?.series.length > 1 ? facets[0].series : [])}`;
}

/** Returns as many ticks, evenly spread, as their texts have room for. */
function thinned(ticks: PlacedAxis['ticks'], room: number): PlacedAxis['ticks'] {
  const longest = ticks.reduce((most, { text }) => Math.max(most, text.length), 1);
  const every = Math.ceil((ticks.length * (6.5 * longest + 10)) / room);
  return ticks.filter((_, k) => k % Math.max(1, every) === 0);
}

function renderFlags(
  flags: Plot['flags'] = [],
  { place }: PlacedAxis,
  { top, bottom }: { top: number; bottom: number },
): string {
  const paths = flags.map((at) => `M${fixed(place(at))} ${bottom}V${top - 5}h7l-2.5 3l2.5 3h-7`);
  return paths.length === 0 ? '' : `<path class="flag" d="${paths.join('')}"/>`;
}

/**
 * Returns names beside points, above or below when they would overlap a point or another name; left out when there
 * is no room.
 */
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
    // draw marks on the same pixel once
    const seen = new Set<string>();
    for (const [px, py] of points) seen.add(markAt(Math.round(x.place(px)), Math.round(y.place(py)), k));
    const joint = series.joined ? `<path class="${classes} joint" d="${pathOf(points, x, y)}"/>` : '';
    return `${joint}<path class="${classes} marks" d="${[...seen].join('')}"/>${renderNames(series, x, y)}`;
  }
  if (kind === 'steps') {
    const path = points.map(([px, py]) => `H${fixed(x.place(px))}V${fixed(y.place(py))}`);
    const foot = `M${fixed(x.place(points[0]?.[0] ?? 0))} ${HEIGHT - BOTTOM}`;
    return `<path class="${look ?? `${classes} line`}" d="${foot}${path.join('')}H${WIDTH - RIGHT}"/>`;
  }
  if (kind === 'line') return `<path class="${classes} line" d="${pathOf(points, x, y)}"/>`;
  const barred = plot.series.filter((one) => one.kind === 'bars');
  const slot = barred.indexOf(series);
  const { binWidth = 1 } = plot;
  const step = x.place(binWidth) - x.place(0);
  // leave a gap between bins if there is room
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

function pathOf(points: Series['points'], x: PlacedAxis, y: PlacedAxis): string {
  const path = points.map(
    ([px, py], at) => `${at === 0 ? 'M' : 'L'}${fixed(x.place(px))} ${fixed(y.place(py))}`,
  );
  return path.join('');
}

/** Returns the mark of a series as strokes of a path around its point. */
function markAt(x: number, y: number, k: number): string {
  const [right, down, strokes] = MARKS[k % LOOKS];
  return `M${x + right} ${y + down}${strokes}`;
}

/** Returns the legend when there are several series. */
function renderLegend(series: readonly Series[]): string {
  if (series.length < 2) return '';
  const items = series.map(({ name, kind, faint }, k) => {
    const classes = `series s${k % LOOKS}${faint ? ' faint' : ''} ${kind === 'points' ? 'marks' : kind}`;
    const path = kind === 'points' ? markAt(13, 5, k) : kind === 'bars' ? 'M4 1H22V9H4Z' : 'M1 5H25';
    return `<li><svg class="key" viewBox="0 0 26 10" aria-hidden="true"><path class="${classes}" d="${path}"/></svg>${escapeHtml(name)}</li>`;
  });
  return `<ul class="legend">${items.join('')}</ul>`;
}

/** Returns the values of x; for bars, both ends of their bins. */
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
