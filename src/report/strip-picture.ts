/**
 * Draws the strip picture of a site: a line for each of some pages, shortest at the top, from the first byte of the
 * page at the left to the last at the right. White is the share of text that only that page has; shaded parts are
 * templates, darker when more pages have them. Names below the strip say what most pages have at a place. Plain SVG
 * with one path per shade.
 */
import { BAR_STEP } from '../store/site-pictures.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { classBounds, classOf } from './frequency-classes.ts';
import type { ReportPicture } from './report-data.ts';
import { roleName } from './role-name.ts';

/** Lines of a strip, and its width in the same units; more lines would not be visible. */
export const STRIP_LINES = 60;
const WIDTH = 400;
/** Columns in which bands are searched, and the fewest columns of a band with a name. */
const COLUMNS = 100;
const MIN_NAMED = 5;
/** Columns per letter of a name on a strip beside a wireframe; a name may be wider than its band. */
const LETTER_COLUMNS = 2.9;
/** Share of the lines that must have the same role in a band. */
const BAND_SHARE = 0.4;

type Bar = ReportPicture['bars'][number];

/** Returns the SVG of a strip; `urls` is the number of distinct URLs of the site. */
export function renderStrip({ bars, templates }: ReportPicture, urls: number, label: string): string {
  const drawn = chooseBars(bars);
  const bounds = classBounds(urls);
  const paths = ['', '', '', '', '', ''];
  let unsure = '';
  for (const [line, { sizeBytes, ranges }] of drawn.entries()) {
    for (const [from, to, number] of stretchesOf(ranges, sizeBytes)) {
      const stroke = `M${from} ${line}.5h${to - from}`;
      if (number === -2) unsure += stroke;
      else paths[classOf(templates[number]?.pages ?? 1, bounds)] += stroke;
    }
  }
  const drawnPaths = paths
    .map((path, k) => (path === '' ? '' : `<path class="f${k}" d="${path}"/>`))
    .join('');
  return `<svg class="strip" viewBox="0 0 ${WIDTH} ${Math.max(1, drawn.length)}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(label)}"><rect class="own" width="${WIDTH}" height="${Math.max(1, drawn.length)}"/>${drawnPaths}${unsure === '' ? '' : `<path class="unsure" d="${unsure}"/>`}</svg>`;
}

/** Returns the HTML of the names of bands, below the strip. */
export function renderBands({ bars, templates }: ReportPicture): string {
  const bands = bandsOf(chooseBars(bars), (number) => templates[number]?.role ?? 'block');
  const named = bands
    .filter(({ to, from }) => to - from >= MIN_NAMED)
    .map((band) => {
      const half = (LETTER_COLUMNS * roleName(band.role).length) / 2;
      const middle = (band.from + band.to) / 2;
      return { ...band, start: middle - half, end: middle + half };
    })
    .filter(({ start, end }) => start >= -MIN_NAMED && end <= COLUMNS + MIN_NAMED);
  // wide bands first: the name of a narrow one is left out where it would touch another
  const shown: typeof named = [];
  for (const band of [...named].sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)) {
    if (shown.every(({ start, end }) => band.end <= start || band.start >= end)) shown.push(band);
  }
  const names = shown
    .sort((a, b) => a.from - b.from)
    .map(({ role, from, to }) => {
      return `<span style="left:${(100 * from) / COLUMNS}%;width:${(100 * (to - from)) / COLUMNS}%"${role === 'content' ? ' class="own"' : ''}>${roleName(role)}</span>`;
    });
  return `<div class="bands" aria-hidden="true">${names.join('')}</div>`;
}

/** Columns `[start, end)` in which most lines have one role. */
export interface Band {
  role: string;
  from: number;
  to: number;
}

/** Returns the runs of columns in which enough lines have the same role. */
export function bandsOf(drawn: readonly Bar[], roleOf: (template: number) => string): Band[] {
  const counts = Array.from({ length: COLUMNS }, () => new Map<string, number>());
  for (const { sizeBytes, ranges } of drawn) {
    let position = 0;
    const fill = (to: number, role: string): void => {
      for (; position < to; position++) counts[position].set(role, (counts[position].get(role) ?? 0) + 1);
    };
    for (const [from, to, number] of stretchesOf(ranges, sizeBytes)) {
      fill(Math.round((COLUMNS * from) / WIDTH), 'content');
      fill(Math.round((COLUMNS * to) / WIDTH), number < 0 ? 'block' : roleOf(number));
    }
    fill(COLUMNS, 'content');
  }
  const bands: Band[] = [];
  for (const [column, roles] of counts.entries()) {
    const [most] = [...roles].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
    const role = most !== undefined && most[1] >= BAND_SHARE * drawn.length ? most[0] : '';
    const last = bands.at(-1);
    if (last?.role === role) last.to = column + 1;
    else bands.push({ role, from: column, to: column + 1 });
  }
  return bands.filter(({ role }) => role !== '' && role !== 'markup' && role !== 'block');
}

/** Returns bars at equal steps in order of size, shortest first. */
function chooseBars(bars: readonly Bar[]): Bar[] {
  const count = Math.min(STRIP_LINES, bars.length);
  return Array.from({ length: count }, (_, k) => bars[Math.floor(((count - 1 - k) * bars.length) / count)]);
}

/**
 * Returns the ranges of a bar in units of the strip, adjacent ones of one template joined; -2 is unsure. Ranges too
 * narrow to see are left out.
 */
function stretchesOf(
  ranges: readonly number[],
  sizeBytes: number,
): [from: number, to: number, template: number][] {
  const found: [number, number, number][] = [];
  const place = (bytes: number): number => Math.round((WIDTH * bytes) / Math.max(1, sizeBytes));
  for (let at = 0; at < ranges.length; at += BAR_STEP) {
    const [from, to] = [place(ranges[at]), place(ranges[at + 1])];
    const number = ranges[at + 3] === 1 ? -2 : ranges[at + 2];
    const last = found.at(-1);
    if (last && last[2] === number && last[1] >= from) last[1] = to;
    else if (to > from) found.push([from, to, number]);
  }
  return found;
}
