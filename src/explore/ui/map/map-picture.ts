/**
 * Draws bars into pixels: a line of pixels per bar, or per group of bars when the site is large. Only the visible
 * part is drawn, by filling ranges of an array, so that a picture at any zoom takes a few milliseconds.
 */
import type { MapBars } from '../../map-format.ts';
import { OUTLIER } from '../../map-format.ts';
import { type MapColours, schemaColour } from './map-colours.ts';
import type { FoundBar, MapTiles } from './map-tiles.ts';

/** Visible part of the map. */
export interface MapWindow {
  /** First bar and number of bars; fractions during a zoom. */
  from: number;
  rows: number;
  /** Bytes of source across the width; 0 stretches every page to the full width. */
  wideBytes: number;
}

/** Data and colours from which the map is drawn. */
export interface MapPicture {
  bars: MapBars;
  tiles: MapTiles;
  /** Tiles of the second detector, for colours by detector. */
  others?: MapTiles;
  colours: MapColours;
  dark: boolean;
  /** Whether the bars are ordered by schema, so that the gutter shows the borders of schemas. */
  bySchema: boolean;
  /** `outliersBefore[k]` is the number of outliers among the first k bars. */
  outliersBefore: Uint32Array;
}

/** Width in pixels of the left margin for the schema and the mark of an outlier. */
export const GUTTER = 16;
const SCHEMA_PIXELS = 6;
/** Mark of an outlier: its place in the gutter, and its height, by which marks of single lines can be seen. */
const MARK = [7, 14] as const;
const MARK_HEIGHT = 3;

/** Returns the largest power of two of bars per line that does not exceed `rows / height`; at least 1. */
export function strideOf(rows: number, height: number): number {
  let stride = 1;
  while (stride * 2 <= rows / height) stride *= 2;
  return stride;
}

/** Draws the visible part of the map into pixels of `width` × `height`. */
export function drawMap(
  pixels: Uint32Array,
  { width, height, scale }: { width: number; height: number; scale: number },
  { from, rows, wideBytes }: MapWindow,
  picture: MapPicture,
): void {
  const { bars, colours, outliersBefore, bySchema, dark } = picture;
  const count = bars.pages.length;
  const perPixel = rows / height;
  const stride = strideOf(rows, height);
  const gutter = Math.round(GUTTER * scale);
  const hasGaps = perPixel < 0.25; // separate bars of four pixels or more
  const marks: number[] = [];
  let drawn = -1;
  for (let y = 0; y < height; y++) {
    const line = y * width;
    const bar = Math.floor(from + y * perPixel);
    if (bar >= count || bar < 0) {
      pixels.fill(colours.paper, line, line + width);
      continue;
    }
    if (bar === drawn) {
      const isGap = hasGaps && Math.floor(from + (y + 1) * perPixel) !== bar;
      if (isGap) pixels.fill(colours.paper, line, line + width);
      else pixels.copyWithin(line, line - width, line);
      continue;
    }
    drawn = bar;
    // schema of the line, and whether one of its bars is an outlier
    pixels.fill(colours.paper, line, line + gutter);
    if (bySchema) {
      pixels.fill(schemaColour(bars.schemas[bar], dark), line, line + Math.round(SCHEMA_PIXELS * scale));
    }
    const next = Math.min(count, Math.max(bar + 1, Math.floor(from + (y + 1) * perPixel)));
    if (outliersBefore[next] > outliersBefore[bar]) marks.push(y);
    drawBar(
      pixels.subarray(line + gutter, line + width),
      bar - (bar % stride),
      { wideBytes, stride },
      picture,
    );
  }
  for (const y of marks) {
    const end = Math.min(height, y + Math.round(MARK_HEIGHT * scale));
    for (let line = y * width; line < end * width; line += width) {
      pixels.fill(colours.outlier, line + Math.round(MARK[0] * scale), line + Math.round(MARK[1] * scale));
    }
  }
}

function drawBar(
  line: Uint32Array,
  bar: number,
  { wideBytes, stride }: { wideBytes: number; stride: number },
  { bars, tiles, others, colours }: MapPicture,
): void {
  const width = line.length;
  const size = bars.sizes[bar];
  const perByte = width / (wideBytes === 0 ? Math.max(1, size) : wideBytes);
  line.fill(colours.outside);
  line.fill(colours.content, 0, Math.min(width, Math.ceil(size * perByte)));
  const found = tiles.find(bar, stride);
  if (found) {
    if (others) drawVerdicts(line, perByte, [found, others.find(bar, stride)], colours);
    else drawRanges(line, perByte, found, colours);
  }
  // mark a page that continues beyond the edge
  if (size * perByte > width + 1) line.fill(colours.line, width - 3);
}

const [TEMPLATE, SLOT, UNSURE_LABEL] = [0, 1, 2];

function drawRanges(line: Uint32Array, perByte: number, { tile, at }: FoundBar, colours: MapColours): void {
  const { offsets, starts, ends, templates, labels, roles } = tile;
  const unlisted = colours.templates.length - 1;
  for (let k = offsets[at]; k < offsets[at + 1]; k++) {
    const role = colours.roles[roles[k]];
    let colour = role;
    if (colour === 0) {
      if (labels[k] === TEMPLATE) colour = colours.templates[templates[k] < 0 ? unlisted : templates[k]];
      else if (labels[k] === SLOT) colour = colours.slot;
      else if (labels[k] === UNSURE_LABEL) colour = colours.unsure;
      else continue;
    }
    const x = Math.floor(starts[k] * perByte);
    line.fill(colour, x, Math.max(x + 1, Math.floor(ends[k] * perByte)));
  }
}

/** Draws what both detectors, or only one of them, label as template. */
function drawVerdicts(
  line: Uint32Array,
  perByte: number,
  found: (FoundBar | undefined)[],
  { verdicts }: MapColours,
): void {
  const said = new Uint8Array(line.length);
  found.forEach((one, k) => {
    if (!one) return;
    const { offsets, starts, ends, labels } = one.tile;
    for (let range = offsets[one.at]; range < offsets[one.at + 1]; range++) {
      if (labels[range] !== TEMPLATE) continue;
      const end = Math.min(line.length, Math.floor(ends[range] * perByte));
      for (let x = Math.floor(starts[range] * perByte); x < end; x++) said[x] |= 1 << k;
    }
  });
  for (let x = 0; x < line.length; x++) if (said[x] !== 0) line[x] = verdicts[said[x]];
}

/** Returns the number of outliers before each bar, and in total. */
export function countOutliers({ flags }: MapBars): Uint32Array {
  const before = new Uint32Array(flags.length + 1);
  for (let k = 0; k < flags.length; k++) before[k + 1] = before[k] + (flags[k] & OUTLIER);
  return before;
}
