/**
 * Chooses the captures that become pages: finds the capture with the body of each revisit, selects sites, and
 * selects all captures or the newest of each page.
 */
import { createHash } from 'node:crypto';
import { compare, compareUtf8 } from '../model/order.ts';
import type { SkipCode } from '../model/problem.ts';
import { type BodyLocation, type CaptureColumns, fromLanes } from './capture-columns.ts';
import { lanesOf, readSurvey, type SurveyBlock, wordAt } from './survey-part.ts';

/** Which captures of the surveys to use. */
export interface Selection {
  /**
   * `all` captures; `last`: the newest of each page (URL key); `last of URL`: the newest of each URL. @default
   * 'all'
   */
  captures?: 'all' | 'last' | 'last of URL';
  /** Use only sites with at least `minPages` pages, and a sample of these. @default all */
  sitesChosen?: SitesChosen;
}

/** A sample of sites: the `most` sites with the smallest seeded hashes. */
interface SitesChosen {
  /** Minimum number of pages (URL keys) of a site. */
  minPages: number;
  /** Maximum number of sites; null for all. */
  most: number | null;
  seed: number;
}

interface Chosen {
  /** Rows of `CaptureColumns`, in order. */
  rows: Uint32Array;
  /** Number of captures left out because of their site. */
  filtered: number;
  /** Number of captures left out because a newer one counts. */
  superseded: number;
  /** Number of pages (URL keys) of the largest site, if sites were left out. */
  largestSite?: number;
}

/** Returns the rows of the captures to use, and how many others were left out and why. */
export function choose(
  captures: CaptureColumns,
  lost: readonly LostRow[],
  { captures: which = 'all', sitesChosen }: Selection,
): Chosen {
  const isLost = new Set(lost.map(({ row }) => row));
  let rows = new Uint32Array(captures.count).map((_, row) => row);
  if (lost.length > 0) rows = rows.filter((row) => !isLost.has(row));
  const usable = rows.length;
  let largestSite: number | undefined;
  if (sitesChosen && (sitesChosen.minPages > 1 || sitesChosen.most !== null)) {
    ({ rows, largestSite } = ofSites(captures, rows, sitesChosen));
  }
  const chosen = rows.length;
  if (which !== 'all') rows = newest(captures, rows, which === 'last' ? captures.pageHash : captures.urlHash);
  const filtered = usable - chosen;
  return {
    rows,
    filtered,
    superseded: chosen - rows.length,
    largestSite: filtered > 0 ? largestSite : undefined,
  };
}

/** Adds up the captures without a page by skip code; codes are sorted. */
export function countSkips(
  surveyed: Partial<Record<SkipCode, number>>,
  lost: readonly LostRow[],
  more: Partial<Record<SkipCode, number>>,
): Partial<Record<SkipCode, number>> {
  const counts = new Map<string, number>();
  const add = (code: string, count: number) => counts.set(code, (counts.get(code) ?? 0) + count);
  for (const [code, count] of Object.entries(surveyed)) add(code, count);
  for (const { skip } of lost) add(skip, 1);
  for (const [code, count] of Object.entries(more)) if (count > 0) add(code, count);
  return Object.fromEntries([...counts].sort(([a], [b]) => compareUtf8(a, b)));
}

function ofSites(
  captures: CaptureColumns,
  rows: Uint32Array,
  { minPages, most, seed }: SitesChosen,
): { rows: Uint32Array<ArrayBuffer>; largestSite: number } {
  const { site, pageHash, sites } = captures;
  const pagesOf = new Map<number, number>();
  const order = rows.slice().sort((a, b) => site[a] - site[b] || compareHashes(pageHash, a, b));
  for (let k = 0; k < order.length; k++) {
    const isNew =
      k === 0 ||
      site[order[k]] !== site[order[k - 1]] ||
      compareHashes(pageHash, order[k], order[k - 1]) !== 0;
    if (isNew) pagesOf.set(site[order[k]], (pagesOf.get(site[order[k]]) ?? 0) + 1);
  }
  const drawn = [...pagesOf]
    .filter(([, pages]) => pages >= minPages)
    .map(([code]) => ({ code, hash: createHash('md5').update(`${sites[code]} ${seed}`).digest('hex') }))
    .sort((a, b) => compareUtf8(a.hash, b.hash) || compareUtf8(sites[a.code], sites[b.code]));
  const isChosen = new Set(drawn.slice(0, most ?? undefined).map(({ code }) => code));
  const largestSite = [...pagesOf.values()].reduce((most, pages) => Math.max(most, pages), 0);
  return { rows: Uint32Array.from(rows).filter((row) => isChosen.has(site[row])), largestSite };
}

/** Keeps the newest capture of each hash; of captures with equal times, the last in the order of the inputs. */
function newest({ time }: CaptureColumns, rows: Uint32Array, hashes: Uint32Array): Uint32Array<ArrayBuffer> {
  const order = rows
    .slice()
    .sort((a, b) => compareHashes(hashes, a, b) || compare(time[a], time[b]) || a - b);
  return order
    .filter((row, k) => k === order.length - 1 || compareHashes(hashes, row, order[k + 1]) !== 0)
    .sort();
}

/** Compares the 64-bit hashes of two rows; hashes are pairs of 32 bits, low first. */
export function compareHashes(lanes: Uint32Array, a: number, b: number): number {
  return lanes[2 * a + 1] - lanes[2 * b + 1] || lanes[2 * a] - lanes[2 * b];
}

interface Original extends BodyLocation {
  skip: SkipCode | '';
}

/** A revisit that gives no page, with the reason: its original gives no page, or is not in the inputs. */
export interface LostRow {
  row: number;
  skip: SkipCode;
}

/**
 * Sets each revisit's row to the location of its body; returns the revisits without a body. Reads the surveys a
 * second time.
 */
export function resolveRevisits(surveys: readonly string[], captures: CaptureColumns): LostRow[] {
  const { revisits } = captures;
  if (revisits.length === 0) return [];
  const originals = findOriginals(surveys, {
    digests: new Set(revisits.map(({ digest }) => digest)),
    urls: new Set(revisits.map(({ originalUrl }) => originalUrl)),
  });
  const lost: LostRow[] = [];
  for (const { row, url, digest, originalUrl, originalTime } of revisits) {
    const original =
      originals.get(digestAndUrl(digest, url)) ??
      originals.get(digestOnly(digest)) ??
      originals.get(urlAndTime(originalUrl, originalTime));
    if (!original) lost.push({ row, skip: 'revisit-unresolved' });
    // a capture that the user has filtered out can still lend its body
    else if (original.skip === '' || original.skip === 'filtered') captures.moveTo(row, original);
    else lost.push({ row, skip: original.skip });
  }
  return lost;
}

/** Finds the first capture for each digest or URL that a revisit refers to. */
function findOriginals(
  surveys: readonly string[],
  wanted: { digests: Set<string>; urls: Set<string> },
): Map<string, Original> {
  const originals = new Map<string, Original>();
  for (const path of surveys) {
    for (const block of readSurvey(path)) {
      const { revisit, payloadDigest: digests, url: urls, time } = block.columns;
      for (let k = 0; k < block.rowCount; k++) {
        if (revisit.numbers[k]) continue;
        const digest = digests.texts[k];
        const url = urls.texts[k];
        const keys: string[] = [];
        if (digest !== '' && wanted.digests.has(digest))
          keys.push(digestAndUrl(digest, url), digestOnly(digest));
        if (wanted.urls.has(url)) keys.push(urlAndTime(url, time.texts[k]));
        const missing = keys.filter((key) => !originals.has(key));
        if (missing.length === 0) continue;
        const original = originalAt(block, k);
        for (const key of missing) originals.set(key, original);
      }
    }
  }
  return originals;
}

function originalAt({ columns }: SurveyBlock, k: number): Original {
  return {
    input: Number(columns.input.numbers[k]),
    file: wordAt(columns.file, k),
    entry: wordAt(columns.entry, k),
    offset: fromLanes(lanesOf(columns.offset), k),
    length: fromLanes(lanesOf(columns.length), k),
    skip: wordAt(columns.skip, k) as SkipCode | '',
  };
}

const digestAndUrl = (digest: string, url: string) => `both\n${digest}\n${url}`;
const digestOnly = (digest: string) => `digest\n${digest}`;
const urlAndTime = (url: string, time: string) => `url\n${time}\n${url}`;
