/**
 * Resources that a page is shown with, from the archive that holds the page: an index by URL of the captures
 * that are not pages (stylesheets, images, fonts, redirects), or of such files when the input is a folder.
 * For a URL and a time it returns the capture nearest in time, so a page of 2009 is shown with the stylesheet
 * of 2009. A revisit resolves to the capture that it names as the holder of its body.
 *
 * Cost: one survey of the inputs, which decodes no bodies; about 100 bytes per capture in the index.
 */
import { urlHashLanes } from '../analysis/byte-hash.ts';
import type { Capture } from '../model/page.ts';
import { parseUrl } from '../model/resolve-url.ts';
import type { Input, SurveyEvent } from '../read/raw-record.ts';
import { surveyInput } from '../read/read-captures.ts';
import { checkReadOptions, type ReadOptions } from '../read/read-options.ts';
import {
  listFolderResources,
  type Resource,
  readFolderResource,
  readResourceAt,
} from '../read/read-resource.ts';

/** Answers the requests of a browser. */
export interface Resources {
  /** Whether nothing will ever be found; then a browser need not make requests. */
  readonly isEmpty: boolean;
  /** Returns the resource of a URL from the time nearest to `time`, or null. */
  find(url: string, time: string): Resource | null | Promise<Resource | null>;
}

/** No resources at all. */
export const NO_RESOURCES: Resources = { isEmpty: true, find: () => null };

/** Resources from the captures of an archive or the files of a folder. */
export class ArchiveResources implements Resources {
  readonly #inputs: Input[] = [];
  readonly #options: ReadOptions;
  /** First row of each URL, by its hash; `next` of a row is the next row of the same URL. */
  readonly #firstOfUrl = new Map<number, number>();
  readonly #firstOfDigest = new Map<number, number>();
  readonly #rows: Row[] = [];

  private constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Surveys the inputs once. */
  static survey(inputs: readonly Input[], options: ReadOptions = {}): ArchiveResources {
    // filters select pages, not the resources they are shown with
    const all: ReadOptions = { ...options, include: [], exclude: [] };
    const resources = new ArchiveResources(all);
    for (const input of inputs) {
      resources.#inputs.push(input);
      for (const event of surveyInput(input, all)) resources.#add(event);
      if (input.format === 'folder') resources.#addFolder(input);
    }
    return resources;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  find(url: string, time: string): Resource | null {
    const row = this.#nearest(url, secondsOf(time));
    if (row === null) return null;
    const { file, entry, offset, length, ...rest } = row.revisit ? (this.#originalOf(row) ?? row) : row;
    const input = this.#inputs[rest.input];
    if (input.format === 'folder') {
      const { pageBytes } = checkReadOptions(this.#options).limits;
      return readFolderResource(input.path, entry ?? '', pageBytes);
    }
    return readResourceAt(input, { file, entry, offset, length }, this.#options);
  }

  #addFolder({ name, path }: Input): void {
    for (const { url, entry } of listFolderResources(path)) {
      this.#addRow(url, { file: name, entry, offset: 0, length: 0, seconds: Number.NaN });
    }
  }

  #add(event: SurveyEvent): void {
    if (event.kind === 'problem') return;
    const capture: Capture & { revisit?: Revisit } = event.capture;
    const isRedirect = event.kind === 'skip' && capture.status >= 300 && capture.status < 400;
    const isOther = event.kind === 'skip' && event.code === 'not-html';
    // a revisit often does not name its type
    if (!isRedirect && !isOther && capture.revisit === undefined) return;
    const { file, entry, offset, length, url, time, payloadDigest, revisit } = capture;
    const number = this.#addRow(url, { file, entry, offset, length, seconds: secondsOf(time), revisit });
    if (payloadDigest !== '' && revisit === undefined) this.#firstOfDigest.set(keyOf(payloadDigest), number);
  }

  /** Adds a row of the current input and returns its number. */
  #addRow(url: string, row: Omit<Row, 'input' | 'next'>): number {
    const key = keyOf(servedUrl(url));
    const number = this.#rows.length;
    this.#rows.push({ ...row, input: this.#inputs.length - 1, next: this.#firstOfUrl.get(key) ?? -1 });
    this.#firstOfUrl.set(key, number);
    return number;
  }

  /**
   * Returns the row nearest in time, the earlier of two equally near ones; with `ownBody` only among rows
   * that are not revisits.
   */
  #nearest(url: string, seconds: number, ownBody = false): Row | null {
    let nearest: Row | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (let number = this.#firstOfUrl.get(keyOf(servedUrl(url))) ?? -1; number >= 0; ) {
      const row = this.#rows[number];
      number = row.next;
      if (ownBody && row.revisit) continue;
      const distance = Math.abs(row.seconds - seconds) || 0; // without a time all rows are equally near
      if (distance < least || (distance === least && nearest && row.seconds <= nearest.seconds)) {
        nearest = row;
        least = distance;
      }
    }
    return nearest;
  }

  #originalOf({ revisit, seconds }: Row): Row | null {
    if (!revisit) return null;
    const at = secondsOf(revisit.time);
    const named = revisit.url === '' ? null : this.#nearest(revisit.url, at || seconds, true);
    if (named) return named;
    const number = this.#firstOfDigest.get(keyOf(revisit.payloadDigest)) ?? -1;
    return number < 0 ? null : this.#rows[number];
  }
}

/**
 * Returns the URL under which a page or resource is served: without its fragment, as browsers write it, and
 * on http for a file, because a browser that is given a file URL would open the file.
 */
export function servedUrl(url: string): string {
  const web = url.replace(/^file:\/\/(?=[^/])/i, 'http://');
  const parsed = /^https?:\/\//i.test(web) ? parseUrl(web) : undefined;
  if (parsed === undefined) return 'http://page.invalid/';
  parsed.hash = '';
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

type Revisit = { payloadDigest: string; url: string; time: string };

interface Row {
  input: number;
  file: string;
  entry?: string;
  offset: number;
  length: number;
  /** NaN when the archive has no time. */
  seconds: number;
  revisit?: Revisit;
  next: number;
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}

/** Returns a hash of 53 bits; with a million resources, one archive in ten thousand has a false match. */
function keyOf(text: string): number {
  const { low, high } = urlHashLanes(text);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
