/**
 * Columns of the captures of all surveys that may give a page: some 100 bytes per capture plus its URL, so that a
 * million captures take some 180 MB. Rows follow the order of the inputs and of the captures in them.
 */
import { withRoom } from '../model/growing-array.ts';
import type { Capture } from '../model/page.ts';
import type { SkipCode } from '../model/problem.ts';
import { lanesOf, readSurvey, type SurveyBlock, type SurveyColumn, wordAt } from './survey-part.ts';

/** Sites of captures where they differ from the survey, by capture number. */
export class SiteChanges {
  readonly #siteOf = new Map<number, string>();
  readonly #names = new Map<string, string>();

  set(id: number, site: string): void {
    // keep one copy of each name
    const name = this.#names.get(site) ?? site;
    this.#names.set(name, name);
    this.#siteOf.set(id, name);
  }

  get(id: number): string | undefined {
    return this.#siteOf.get(id);
  }
}

/** A revisit. The capture with its body is named by digest, or by URL and time. */
export interface Revisit {
  row: number;
  url: string;
  digest: string;
  originalUrl: string;
  originalTime: string;
  /** The revisit's own capture. */
  capture: Capture;
}

/** Captures in columns of equal length; row k of each column belongs to one capture. */
export class CaptureColumns {
  /** Number of rows: captures without a skip code. */
  count = 0;
  /** Number of captures of the surveys, with those that are skipped. */
  captureCount = 0;
  readonly skips: Partial<Record<SkipCode, number>> = {};
  readonly countByInput = new Map<number, number>();
  readonly revisits: Revisit[] = [];

  /** Number of the capture among all captures of the surveys, from 0. */
  id = new Uint32Array(0);
  input = new Uint32Array(0);
  offset = new Float64Array(0);
  length = new Float64Array(0);
  /** File and entry of each row, as indices into `texts`. */
  file = new Uint32Array(0);
  entry = new Uint32Array(0);
  /** Site of each row, as an index into `sites`. */
  site = new Uint32Array(0);
  /** Milliseconds since 1970, or `NO_TIME`. */
  time = new Float64Array(0);
  /** 64-bit hashes of URLs and URL keys as pairs of 32 bits, low first. */
  urlHash = new Uint32Array(0);
  pageHash = new Uint32Array(0);
  readonly urls: string[] = [];
  /** Names of files and entries; consecutive equal names are held once. */
  readonly texts: string[] = [];
  readonly sites: string[] = [];
  readonly #siteCodes = new Map<string, number>();

  /** Reads survey files, given in the order of the inputs. */
  static read(surveys: readonly string[], sites?: SiteChanges): CaptureColumns {
    const columns = new CaptureColumns();
    for (const path of surveys) for (const block of readSurvey(path)) columns.#add(block, sites);
    return columns;
  }

  timeOf(row: number): string {
    return timeText(this.time[row]);
  }

  siteOf(row: number): string {
    return this.sites[this.site[row]];
  }

  /** Sets the location of a revisit's body, which is in another capture. */
  moveTo(row: number, { input, file, entry, offset, length }: BodyLocation): void {
    this.input[row] = input;
    this.file[row] = this.#textCode(file);
    this.entry[row] = this.#textCode(entry);
    this.offset[row] = offset;
    this.length[row] = length;
  }

  #add({ rowCount, columns }: SurveyBlock, sites: SiteChanges | undefined): void {
    this.#makeRoom(this.count + rowCount);
    const { url, time, skip: skips, revisit, input: inputs } = columns;
    const offsets = lanesOf(columns.offset);
    const lengths = lanesOf(columns.length);
    const urlHashes = lanesOf(columns.urlHash);
    const pageHashes = lanesOf(columns.pageHash);
    const fileOf = codesOf(columns.file, (text) => this.#textCode(text));
    const entryOf = codesOf(columns.entry, (text) => this.#textCode(text));
    const siteOf = codesOf(columns.site, (text) => this.#siteCode(text));
    for (let k = 0; k < rowCount; k++) {
      const id = this.captureCount++;
      const input = Number(inputs.numbers[k]);
      this.countByInput.set(input, (this.countByInput.get(input) ?? 0) + 1);
      const skip = wordAt(skips, k) as SkipCode | '';
      if (skip !== '') {
        this.skips[skip] = (this.skips[skip] ?? 0) + 1;
        continue;
      }
      const row = this.count++;
      this.id[row] = id;
      this.input[row] = input;
      this.offset[row] = fromLanes(offsets, k);
      this.length[row] = fromLanes(lengths, k);
      this.file[row] = fileOf(k);
      this.entry[row] = entryOf(k);
      const site = sites?.get(id);
      this.site[row] = site === undefined ? siteOf(k) : this.#siteCode(site);
      this.time[row] = time.texts[k] === '' ? NO_TIME : Date.parse(time.texts[k]);
      for (let lane = 0; lane < 2; lane++) {
        this.urlHash[2 * row + lane] = urlHashes[2 * k + lane];
        this.pageHash[2 * row + lane] = pageHashes[2 * k + lane];
      }
      this.urls.push(url.texts[k]);
      if (revisit.numbers[k]) this.#addRevisit(columns, k, row);
    }
  }

  #addRevisit(columns: SurveyBlock['columns'], k: number, row: number): void {
    const entry = this.texts[this.entry[row]];
    const url = this.urls[row];
    const capture = {
      file: this.texts[this.file[row]],
      ...(entry !== '' && { entry }),
      offset: this.offset[row],
      length: this.length[row],
      url,
      time: this.timeOf(row),
      status: Number(columns.status.numbers[k]),
      mime: wordAt(columns.mime, k),
      recordId: columns.recordId.texts[k],
      payloadDigest: columns.payloadDigest.texts[k],
    };
    this.revisits.push({
      row,
      url,
      digest: columns.revisitDigest.texts[k],
      originalUrl: columns.revisitUrl.texts[k],
      originalTime: columns.revisitTime.texts[k],
      capture,
    });
  }

  #textCode(text: string): number {
    // compare with the last two, because files and entries alternate
    for (let code = this.texts.length - 1; code >= 0 && code >= this.texts.length - 2; code--) {
      if (this.texts[code] === text) return code;
    }
    return this.texts.push(text) - 1;
  }

  #siteCode(site: string): number {
    let code = this.#siteCodes.get(site);
    if (code === undefined) {
      code = this.sites.push(site) - 1;
      this.#siteCodes.set(site, code);
    }
    return code;
  }

  #makeRoom(count: number): void {
    this.id = withRoom(this.id, count);
    this.input = withRoom(this.input, count);
    this.offset = withRoom(this.offset, count);
    this.length = withRoom(this.length, count);
    this.file = withRoom(this.file, count);
    this.entry = withRoom(this.entry, count);
    this.site = withRoom(this.site, count);
    this.time = withRoom(this.time, count);
    this.urlHash = withRoom(this.urlHash, 2 * count);
    this.pageHash = withRoom(this.pageHash, 2 * count);
  }
}

/** Location of the record that holds a capture's body. */
export interface BodyLocation {
  input: number;
  file: string;
  entry: string;
  offset: number;
  length: number;
}

/** Time of a capture without a time; it sorts before all others. */
export const NO_TIME = -Infinity;

/** Returns a function from a row of a block to the code of its word here; words of skipped rows get no code. */
function codesOf({ words, numbers }: SurveyColumn, codeOf: (text: string) => number): (k: number) => number {
  const known = new Int32Array(words.length).fill(-1);
  return (k) => {
    const word = Number(numbers[k]);
    if (known[word] < 0) known[word] = codeOf(words[word]);
    return known[word];
  };
}

/** Returns a number of up to 53 bits from its two 32-bit halves, low first. */
export function fromLanes(lanes: Uint32Array, k: number): number {
  return lanes[2 * k + 1] * 2 ** 32 + lanes[2 * k];
}

/** Returns a time in milliseconds as ISO 8601 to the second, or '' for `NO_TIME`. */
function timeText(ms: number): string {
  return ms === NO_TIME ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
