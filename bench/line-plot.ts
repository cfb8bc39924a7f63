/**
 * Draws lines over a logarithmic axis as SVG text, each named at its right end. The picture has its own
 * background and follows the reader's choice of light or dark, as scatter-plot.ts does.
 */

/** A line of a plot. */
export interface PlotLine {
  name: string;
  /** One value per entry of `xs`. */
  values: number[];
}

/** Titles and x values of a plot. */
export interface LinePlotOptions {
  title: string;
  xTitle: string;
  yTitle: string;
  /** Ascending, above 0. */
  xs: number[];
  /** Returns the label of a value on the x axis. */
  nameX?: (x: number) => string;
}

const WIDTH = 760;
const HEIGHT = 420;
const FRAME = { left: 62, right: 610, top: 46, bottom: 364 };
const LABEL_GAP = 17;
const COLOURS = [
  ['#2563a8', '#7ab3ef'],
  ['#b8500f', '#f0975a'],
  ['#2f7d4f', '#6cc493'],
  ['#7a4aa0', '#bd94dd'],
  ['#8a7300', '#d9c04a'],
] as const;

const STYLE = `
  .ground { fill: #fff } .grid { stroke: #e3e5e8 } .frame { stroke: #8a9099; fill: none }
  text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #4b5159 } .title { font-weight: 600; fill: #1d2127 }
  .line { fill: none; stroke-width: 2 }
${COLOURS.map(([light], k) => `  .l${k} { stroke: ${light} } .d${k} { fill: ${light} }`).join('\n')}
  @media (prefers-color-scheme: dark) {
    .ground { fill: #14171b } .grid { stroke: #2a2f36 } .frame { stroke: #737a84 }
    text { fill: #aab1bb } .title { fill: #e8eaed }
${COLOURS.map(([, dark], k) => `    .l${k} { stroke: ${dark} } .d${k} { fill: ${dark} }`).join('\n')}
  }`;

/** Returns a plot as SVG text. */
export function linePlot(lines: PlotLine[], options: LinePlotOptions): string {
  const { title, xTitle, yTitle, xs, nameX = String } = options;
  const { left, right, top, bottom } = FRAME;
  const [low, high] = [Math.log10(xs[0]), Math.log10(xs[xs.length - 1])];
  const placeX = (x: number) => round(left + ((Math.log10(x) - low) / (high - low)) * (right - left));
  const { placeY, ticks } = scaleY(lines.flatMap(({ values }) => values));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${title}</title>`,
    `<style>${STYLE}\n</style>`,
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="title" x="${left}" y="26">${title}</text>`,
  ];
  for (const x of xs) {
    parts.push(`<path class="grid" d="M${placeX(x)} ${top}V${bottom}"/>`);
    parts.push(`<text x="${placeX(x)}" y="${bottom + 19}" text-anchor="middle">${nameX(x)}</text>`);
  }
  for (const y of ticks) {
    parts.push(`<path class="grid" d="M${left} ${placeY(y)}H${right}"/>`);
    parts.push(`<text x="${left - 8}" y="${placeY(y) + 4.5}" text-anchor="end">${y.toFixed(2)}</text>`);
  }
  parts.push(
    `<rect class="frame" x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>`,
    `<text x="${(left + right) / 2}" y="${HEIGHT - 14}" text-anchor="middle">${xTitle}</text>`,
    `<text transform="translate(18 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">${yTitle}</text>`,
  );
  const heights = spread(lines.map(({ values }) => placeY(values[values.length - 1])));
  for (const [k, { name, values }] of lines.entries()) {
    const colour = k % COLOURS.length;
    const points = values.map((value, at) => `${placeX(xs[at])} ${placeY(value)}`);
    parts.push(`<path class="line l${colour}" d="M${points.join('L')}"/>`);
    for (const point of points) {
      const [x, y] = point.split(' ');
      parts.push(`<circle class="d${colour}" cx="${x}" cy="${y}" r="3.5"/>`);
    }
    parts.push(`<text class="d${colour}" x="${right + 10}" y="${round(heights[k] + 4.5)}">${name}</text>`);
  }
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

/** Returns ticks at round numbers on a scale that is slightly wider than the values. */
function scaleY(values: number[]): { placeY: (value: number) => number; ticks: number[] } {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((size) => (most - least) / size <= 6) ?? 0.5;
  const first = Math.floor(least / step - 0.2);
  const last = Math.ceil(most / step + 0.2);
  const { top, bottom } = FRAME;
  const placeY = (value: number) =>
    round(bottom - ((value / step - first) / (last - first)) * (bottom - top));
  return { placeY, ticks: Array.from({ length: last - first + 1 }, (_, k) => (first + k) * step) };
}

/** Returns heights of labels, moved down where two would overlap. */
function spread(heights: number[]): number[] {
  const order = heights.map((_, k) => k).sort((a, b) => heights[a] - heights[b]);
  const placed = [...heights];
  for (let k = 1; k < order.length; k++) {
    placed[order[k]] = Math.max(placed[order[k]], placed[order[k - 1]] + LABEL_GAP);
  }
  return placed;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
