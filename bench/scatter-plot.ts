/**
 * Draws a scatter plot as SVG text: logarithmic x, linear y, each point with a label beside it. Labels are
 * placed one after another, each at the position around its point with the least overlap. The picture has its
 * own background and follows the reader's choice of light or dark.
 */

/** A labelled point. */
export interface PlotPoint {
  x: number;
  y: number;
  label: string;
  /** `strong`: filled; `other`: a diamond, for points of another kind. */
  kind: 'plain' | 'strong' | 'other';
}

/** Titles of a plot. */
export interface PlotOptions {
  title: string;
  xTitle: string;
  yTitle: string;
}

const WIDTH = 760;
const HEIGHT = 460;
const FRAME = { left: 62, right: 742, top: 46, bottom: 404 };
const LETTER = { width: 7, height: 14 };
/** Possible positions of a label, best first: offset from the point to its anchor, in pixels. */
const PLACES: { dx: number; dy: number; anchor: 'start' | 'middle' | 'end' }[] = [
  { dx: 10, dy: 4, anchor: 'start' },
  { dx: -10, dy: 4, anchor: 'end' },
  { dx: 0, dy: -11, anchor: 'middle' },
  { dx: 0, dy: 20, anchor: 'middle' },
  { dx: 9, dy: -8, anchor: 'start' },
  { dx: 9, dy: 16, anchor: 'start' },
  { dx: -9, dy: -8, anchor: 'end' },
  { dx: -9, dy: 16, anchor: 'end' },
  { dx: 0, dy: -26, anchor: 'middle' },
  { dx: 0, dy: 34, anchor: 'middle' },
  { dx: 24, dy: -24, anchor: 'start' },
  { dx: 24, dy: 32, anchor: 'start' },
  { dx: -24, dy: -24, anchor: 'end' },
  { dx: -24, dy: 32, anchor: 'end' },
];

const STYLE = `
  .ground { fill: #fff } .grid { stroke: #e3e5e8 } .frame { stroke: #8a9099; fill: none }
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #4b5159 }
  .title { font-weight: 600; fill: #1d2127 } .name { fill: #1d2127; font-variant-numeric: tabular-nums;
    stroke: #fff; stroke-width: 4; stroke-linejoin: round; paint-order: stroke }
  .lead { stroke: #8a9099; stroke-width: .8 }
  .plain { fill: #fff; stroke: #2563a8; stroke-width: 2 } .strong { fill: #2563a8 } .other { fill: #b8500f }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #14171b } .grid { stroke: #2a2f36 } .frame { stroke: #737a84 }
    text { fill: #aab1bb } .title, .name { fill: #e8eaed } .name { stroke: #14171b } .lead { stroke: #737a84 }
    .plain { fill: #14171b; stroke: #7ab3ef } .strong { fill: #7ab3ef } .other { fill: #f0975a }
  }`;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns a plot as SVG text. */
export function scatterPlot(points: PlotPoint[], { title, xTitle, yTitle }: PlotOptions): string {
  const xs = logScale(points.map(({ x }) => x));
  const ys = linearScale(points.map(({ y }) => y));
  const placed = points.map((point) => ({ ...point, px: xs.place(point.x), py: ys.place(point.y) }));
  const { left, right, top, bottom } = FRAME;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${title}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="title" x="${left}" y="26">${title}</text>`,
  ];
  for (const { at, text } of xs.ticks) {
    parts.push(`<path class="grid" d="M${at} ${top}V${bottom}"/>`);
    parts.push(`<text x="${at}" y="${bottom + 19}" text-anchor="middle">${text}</text>`);
  }
  for (const { at, text } of ys.ticks) {
    parts.push(`<path class="grid" d="M${left} ${at}H${right}"/>`);
    parts.push(`<text x="${left - 8}" y="${at + 4.5}" text-anchor="end">${text}</text>`);
  }
  parts.push(`<rect class="frame" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>`);
  parts.push(`<text x="${(left + right) / 2}" y="${HEIGHT - 14}" text-anchor="middle">${xTitle}</text>`);
  parts.push(
    `<text transform="translate(18 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${yTitle}</text>`,
  );

  // labels of strong points are placed first, at the best positions
  const taken: Box[] = placed.map(({ px, py }) => around(px, py, 7));
  const order = [...placed].sort((a, b) => rank(a) - rank(b));
  for (const { px, py, label } of order) {
    const { dx, dy, anchor, box } = bestPlace(px, py, label, taken);
    taken.push(box);
    if (Math.abs(dy) > 20) parts.push(`<path class="lead" d="M${px} ${py}L${px + dx} ${py + dy - 4}"/>`);
    parts.push(
      `<text class="name" x="${round(px + dx)}" y="${round(py + dy)}" text-anchor="${anchor}">${label}</text>`,
    );
  }
  for (const { px, py, kind } of order.reverse()) {
    parts.push(
      kind === 'other'
        ? `<path class="other" d="M${px} ${py - 7}l7 7l-7 7l-7 -7z"/>`
        : `<circle class="${kind}" cx="${px}" cy="${py}" r="5"/>`,
    );
  }
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

function rank({ kind }: PlotPoint): number {
  return kind === 'plain' ? 1 : 0;
}

function bestPlace(px: number, py: number, label: string, taken: Box[]) {
  const width = label.length * LETTER.width;
  const places = PLACES.map((place, k) => {
    const shift = place.anchor === 'start' ? 0 : place.anchor === 'end' ? -width : -width / 2;
    const left = px + place.dx + shift;
    const baseline = py + place.dy;
    const box = {
      left: left - 3,
      right: left + width + 3,
      top: baseline - LETTER.height + 3,
      bottom: baseline + 3,
    };
    const outside =
      box.left < FRAME.left + 3 ||
      box.right > FRAME.right - 3 ||
      box.top < FRAME.top ||
      box.bottom > FRAME.bottom;
    const covered = taken.reduce((sum, other) => sum + overlap(box, other), 0);
    return { ...place, box, cost: covered + (outside ? 10_000 : 0) + k };
  });
  return places.reduce((best, place) => (place.cost < best.cost ? place : best));
}

function overlap(a: Box, b: Box): number {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 0 && down > 0 ? across * down : 0;
}

function around(x: number, y: number, reach: number): Box {
  return { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach };
}

interface Scale {
  place(value: number): number;
  ticks: { at: number; text: string }[];
}

/** Returns a scale with ticks at 1, 2 and 5 of each decade. */
function logScale(values: number[]): Scale {
  const low = Math.log10(Math.min(...values) / 1.35);
  const high = Math.log10(Math.max(...values) * 1.5);
  const place = (value: number) =>
    round(FRAME.left + ((Math.log10(value) - low) / (high - low)) * (FRAME.right - FRAME.left));
  const ticks: Scale['ticks'] = [];
  for (let power = Math.floor(low); power <= high; power++) {
    for (const digit of [1, 2, 5]) {
      const value = Number(`${digit}e${power}`);
      if (Math.log10(value) >= low && Math.log10(value) <= high)
        ticks.push({ at: place(value), text: String(value) });
    }
  }
  return { place, ticks };
}

/** Returns a scale with about six ticks at round numbers, slightly wider than the values. */
function linearScale(values: number[]): Scale {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const step = [0.5, 1, 2, 5, 10, 20].find((size) => (most - least) / size <= 6) ?? 50;
  const low = Math.floor(least / step - 0.3) * step;
  const high = Math.ceil(most / step + 0.3) * step;
  const place = (value: number) =>
    round(FRAME.bottom - ((value - low) / (high - low)) * (FRAME.bottom - FRAME.top));
  const ticks: Scale['ticks'] = [];
  for (let value = low; value <= high + 1e-9; value += step)
    ticks.push({ at: place(value), text: String(value) });
  return { place, ticks };
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
