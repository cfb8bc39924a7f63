/**
 * Draws a page as a small picture of named boxes, shaded like the strip of its site. A long page is compressed to
 * the height of the picture.
 */

import { WINDOW_WIDTH } from '../layout/boxes.ts';
import type { Wireframe } from '../store/read-wireframes.ts';
import { escapeHtml } from '../view/escape-html.ts';
import { figureCsv } from './figures/figure.ts';
import { classBounds, classOf } from './frequency-classes.ts';
import { roleName } from './role-name.ts';

const WIDTH = 160;
const MIN_HEIGHT = 90;
const MAX_HEIGHT = 130;
/** Width of a letter and height of a line of a name, in pixels. */
const LETTER = 5.2;
const LINE = 9;

/** Returns the SVG of a wireframe; `urls` is the number of distinct URLs of the site. */
export function renderWireframe({ boxes, height, url }: Wireframe, urls: number): string {
  const scale = WIDTH / WINDOW_WIDTH;
  const shown = Math.round(Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, height * scale)));
  const down = shown / Math.max(1, height);
  const bounds = classBounds(urls);
  // draw larger boxes first, below smaller ones
  const drawn = [...boxes].sort((a, b) => b.width * b.height - a.width * a.height);
  const names: string[] = [];
  const taken: { x: number; y: number; right: number }[] = [];
  const rects = drawn.map(({ role, pages, left, top, width, height: tall }) => {
    const x = fixed(left * scale);
    const y = fixed(top * down);
    const w = fixed(Math.min(WIDTH - x, Math.max(2, width * scale)));
    const h = fixed(Math.min(shown - y, Math.max(2, tall * down)));
    const look = role === 'content' ? 'own' : `f${classOf(pages, bounds)}`;
    return { x, y, w, h, look, name: roleName(role) };
  });
  /** Writes a name that does not fit its box to the right of it, if that place is free. */
  const nameBeside = (box: { x: number; y: number; w: number; h: number; name: string }, room: number) => {
    const from = box.x + box.w;
    const middle = box.y + box.h / 2;
    const [top, bottom] = [middle - LINE / 2, middle + LINE / 2];
    if (from + room > WIDTH || top < 0 || bottom > shown) return;
    const isFree =
      rects.every((o) => o.x >= from + room || o.x + o.w <= from || o.y >= bottom || o.y + o.h <= top) &&
      taken.every((o) => o.x >= from + room || o.right <= from || Math.abs(o.y - bottom + 2) >= LINE);
    if (!isFree) return;
    taken.push({ x: from, y: bottom - 2, right: from + room });
    names.push(
      `<text class="own" x="${fixed(from + 2.5)}" y="${fixed(bottom - 2)}">${escapeHtml(box.name)}</text>`,
    );
  };
  // place names of small boxes first, because those of large ones have more room
  for (const { x, y, w, h, look, name } of rects.toReversed()) {
    const room = name.length * LETTER + 4;
    if (w < room || h < LINE) {
      nameBeside({ x, y, w, h, name }, room);
      continue;
    }
    const covers = rects.filter((other) => other.look !== look || other.x !== x || other.y !== y);
    let at = y + LINE - 2;
    while (
      at <= y + h - 1 &&
      (taken.some((each) => Math.abs(each.y - at) < LINE && each.x < x + room && each.right > x) ||
        covers.some(
          (o) =>
            o.w * o.h < w * h && o.x < x + room && o.x + o.w > x && o.y < at && o.y + o.h > at - LINE + 2,
        ))
    )
      at += 3;
    if (at > y + h - 1) continue;
    taken.push({ x, y: at, right: x + room });
    names.push(
      `<text class="${look === 'own' ? 'own' : `on-${look}`}" x="${fixed(x + 2.5)}" y="${fixed(at)}">${escapeHtml(name)}</text>`,
    );
  }
  const roles = [...new Set(boxes.map(({ role }) => roleName(role)))].join(', ');
  return `<svg class="wireframe" viewBox="0 0 ${WIDTH} ${shown}" width="${WIDTH}" height="${shown}" role="img" aria-label="${escapeHtml(`Layout of ${url}: ${roles}`)}"><rect class="sheet" width="${WIDTH}" height="${shown}"/>${rects.map(({ x, y, w, h, look }) => `<rect class="box ${look}" x="${x}" y="${y}" width="${w}" height="${h}"/>`).join('')}${names.join('')}</svg>`;
}

/** Returns the attributes of a figure that can be saved: its name, and its boxes as CSV. */
export function savedWireframe({ page, boxes }: Wireframe): string {
  const csv = figureCsv({
    columns: ['role', 'pages', 'left', 'top', 'width', 'height'],
    rows: boxes.map(({ role, pages, left, top, width, height }) => [role, pages, left, top, width, height]),
  });
  return `data-save="wireframe-${page}" data-csv="${escapeHtml(csv)}"`;
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}
