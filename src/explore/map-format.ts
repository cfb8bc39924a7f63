/**
 * Encodes the data of the template map as bytes: the bars of a site in an order, and the ranges of some bars.
 * Server and browser import this file, so it uses neither Node nor browser functions. Numbers are little-endian.
 */

/** The pages of a site in the order of the map. */
export interface MapBars {
  /** Page numbers. */
  pages: Uint32Array<ArrayBuffer>;
  /** Bytes of source. */
  sizes: Uint32Array<ArrayBuffer>;
  /** Schema of each page; 0 for none. */
  schemas: Uint32Array<ArrayBuffer>;
  /** Bits OUTLIER, UNSURE, PROBLEM. */
  flags: Uint8Array<ArrayBuffer>;
}

/** Flag of a page of a rare schema, or without a template. */
export const OUTLIER = 1;
/** Flag of a page with unsure labels. */
export const UNSURE = 2;
/** Flag of a page with a problem. */
export const PROBLEM = 4;

/** Labels of ranges, by number; content ranges are included only if they have a role. */
export const LABELS = ['template', 'slot', 'unsure', 'content'] as const;

/** Ranges of some bars: those of bar k are at `[offsets[k], offsets[k + 1])` of the other columns. */
export interface MapTile {
  offsets: Uint32Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  /** Index of the template in the list of the map; -1 when it is not listed. */
  templates: Int32Array<ArrayBuffer>;
  /** Index into LABELS. */
  labels: Uint8Array<ArrayBuffer>;
  /** Number of the role in the list of the map, from 1; 0 for none. */
  roles: Uint8Array<ArrayBuffer>;
}

/** Returns the bars as bytes. */
export function encodeBars({ pages, sizes, schemas, flags }: MapBars): Uint8Array<ArrayBuffer> {
  return joined([Uint32Array.of(pages.length), pages, sizes, schemas, flags]);
}

/** Returns the bars as views of the bytes. */
export function decodeBars(buffer: ArrayBuffer): MapBars {
  const [count] = new Uint32Array(buffer, 0, 1);
  return {
    pages: new Uint32Array(buffer, 4, count),
    sizes: new Uint32Array(buffer, 4 + 4 * count, count),
    schemas: new Uint32Array(buffer, 4 + 8 * count, count),
    flags: new Uint8Array(buffer, 4 + 12 * count, count),
  };
}

/** Returns the ranges of some bars as bytes. */
export function encodeTile({
  offsets,
  starts,
  ends,
  templates,
  labels,
  roles,
}: MapTile): Uint8Array<ArrayBuffer> {
  const counts = Uint32Array.of(offsets.length, starts.length);
  return joined([counts, offsets, starts, ends, templates, labels, roles]);
}

/** Returns the ranges of some bars as views of the bytes. */
export function decodeTile(buffer: ArrayBuffer): MapTile {
  const [bars, ranges] = new Uint32Array(buffer, 0, 2);
  const first = 8 + 4 * bars;
  return {
    offsets: new Uint32Array(buffer, 8, bars),
    starts: new Uint32Array(buffer, first, ranges),
    ends: new Uint32Array(buffer, first + 4 * ranges, ranges),
    templates: new Int32Array(buffer, first + 8 * ranges, ranges),
    labels: new Uint8Array(buffer, first + 12 * ranges, ranges),
    roles: new Uint8Array(buffer, first + 13 * ranges, ranges),
  };
}

function joined(columns: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }[]) {
  const whole = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of columns) {
    whole.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return whole;
}
