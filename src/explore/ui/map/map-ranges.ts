/** Finds the range at a position of the map, and the start of the next range of its bar. */
import { LABELS } from '../../map-format.ts';
import type { MapSpot } from './map-canvas.tsx';
import { type MapPicture, type MapWindow, strideOf } from './map-picture.ts';

/** A range of a page on the map. */
export interface FoundRange {
  label: string;
  role: number;
  template: number;
  start: number;
  end: number;
}

/** Returns the range at a position; null when the page has content there, or its ranges are not loaded. */
export function rangeAt(
  { tiles }: MapPicture,
  { bar, byte }: MapSpot,
  { rows }: MapWindow,
): FoundRange | null {
  const found = tiles.find(bar, strideOf(rows, 800)) ?? tiles.find(bar, 1);
  if (!found || byte < 0) return null;
  const { offsets, starts, ends, labels, roles, templates } = found.tile;
  for (let k = offsets[found.at]; k < offsets[found.at + 1]; k++) {
    if (byte < starts[k] || byte >= ends[k]) continue;
    return {
      label: LABELS[labels[k]],
      role: roles[k],
      template: templates[k],
      start: starts[k],
      end: ends[k],
    };
  }
  return null;
}

/** Returns the start of the next or previous range of a bar. */
export function nextStart(
  { tiles }: MapPicture,
  { bar, byte }: MapSpot,
  { rows }: MapWindow,
  sign: 1 | -1,
): number {
  const found = tiles.find(bar, strideOf(rows, 800));
  if (!found) return byte;
  const all = [...found.tile.starts.subarray(found.tile.offsets[found.at], found.tile.offsets[found.at + 1])];
  if (sign === 1) return all.find((start) => start > byte) ?? byte;
  return all.filter((start) => start < byte).at(-1) ?? byte;
}
