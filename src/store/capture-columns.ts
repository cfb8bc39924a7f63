/**
 * The captures of all surveys that may give a page, as columns: some 80 bytes a capture and the bytes of its URL, so
 * that a million captures take some 160 MB. Rows follow the order of the inputs and of the captures in them.
 */
import { withRoom } from '../model/growing-array.ts';
import type { SkipCode } from '../model/problem.ts';
import { readSurvey, type SurveyBlock } from './survey-part.ts';

/** Other sites for some captures than the survey names, by the number of the capture. */
export class SiteChanges {
  readonly #siteOf = new Map<number, string>();
  readonly #names = new Map<string, string>();

  set(id: number, site: string): void {
    // one copy of each name, however many captures have it
    const name = this.#names.get(site) ?? site;
    this.#names.set(name, name);
    this.#siteOf.set(id, name);
  }

  get(id: number): string | undefined {
    return this.#siteOf.get(id);
  }
}

/** A revisit: where its body lies is stated by digest, or by URL and time. */
export interface Revisit {
  row: number;
  url: string;
  digest: string;
  originalUrl: string;
  originalTime: string;
  /** The revisit's own capture as JSON, in `captureJson`. */
  capture: number;
}

export class CaptureColumns {
  /** Rows: captures without a skip code. */
  count = 0;
  /** Captures of the surveys, those without a page among them. */
  captureCount = 0;
  readonly skips: Partial<Record<SkipCode, number>> = {};
  readonly countByInput = new Map<number, number>();
  readonly revisits: Revisit[] = [];

  /** Number of the capture among all captures of the surveys. */
  id = new Uint32Array(0);
  input = new Uint32Array(0);
  offset = new Float64Array(0);
  length = new Float64Array(0);
  /** Indices into `texts`. */
  file = new Uint32Array(0);
  entry = new Uint32Array(0);
  /** Index into `sites`. */
  site = new Uint32Array(0);
  /** Milliseconds since 1970, or `NO_TIME`. */
  time = new Float64Array(0);
  /** Hashes of 64 bits as pairs of 32 bits, low first. */
  urlHash = new Uint32Array(0);
  pageHash = new Uint32Array(0);
  readonly urls = new TextHeap();
  readonly captureJson = new TextHeap();
  /** Files and entries; one that follows itself is held once. */
  readonly texts: string[] = [];
  readonly sites: string[] = [];
  readonly #siteCodes = new Map<string, number>();

  /** Reads the surveys, given in the order of the inputs. */
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

  /** The bytes of a capture where another one, a revisit, finds its body. */
  moveTo(row: number, { input, file, entry, offset, length }: BodyLocation): void {
    this.input[row] = input;
    this.file[row] = this.#textCode(file);
    this.entry[row] = this.#textCode(entry);
    this.offset[row] = offset;
    this.length[row] = length;
  }

  #add(block: SurveyBlock, sites: SiteChanges | undefined): void {
    const { rowCount } = block;
    this.#makeRoom(this.count + rowCount);
    const skips = block.words('skip');
    const skipCodes = block.numbers('skip');
    const isRevisit = block.numbers('revisit');
    const inputs = block.numbers('input') as Uint32Array;
    const offsets = block.lanes('offset');
    const lengths = block.lanes('length');
    const urlHashes = block.lanes('url_hash');
    const pageHashes = block.lanes('page_hash');
    const times = block.texts('time');
    const urls = block.texts('url');
    const fileOf = this.#codesOf(block, 'file', (text) => this.#textCode(text));
    const entryOf = this.#codesOf(block, 'entry', (text) => this.#textCode(text));
    const siteOf = this.#codesOf(block, 'site', (text) => this.#siteCode(text));
    for (let k = 0; k < rowCount; k++) {
      const id = this.captureCount++;
      const input = inputs[k];
      this.countByInput.set(input, (this.countByInput.get(input) ?? 0) + 1);
      const skip = skips[Number(skipCodes[k])] as SkipCode | '';
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
      const time = times.at(k);
      this.time[row] = time === '' ? NO_TIME : Date.parse(time);
      for (let lane = 0; lane < 2; lane++) {
        this.urlHash[2 * row + lane] = urlHashes[2 * k + lane];
        this.pageHash[2 * row + lane] = pageHashes[2 * k + lane];
      }
      this.urls.add(urls.bytes, urls.start(k), urls.end(k));
      if (isRevisit[k]) this.#addRevisit(block, k, row);
    }
  }

  #addRevisit(block: SurveyBlock, k: number, row: number): void {
    const entry = this.texts[this.entry[row]];
    const capture = {
      file: this.texts[this.file[row]],
      ...(entry !== '' && { entry }),
      offset: this.offset[row],
      length: this.length[row],
      url: '', // that of the row
      time: '',
      status: Number(block.numbers('status')[k]),
      mime: block.words('mime')[Number(block.numbers('mime')[k])],
      recordId: block.texts('record_id').at(k),
      payloadDigest: block.texts('payload_digest').at(k),
    };
    const json = Buffer.from(JSON.stringify(capture));
    this.revisits.push({
      row,
      url: this.urls.at(row),
      digest: block.texts('revisit_digest').at(k),
      originalUrl: block.texts('revisit_url').at(k),
      originalTime: block.texts('revisit_time').at(k),
      capture: this.captureJson.add(json, 0, json.length),
    });
  }

  /** From a row of a block to the code of a text here; texts that no row asks for get none. */
  #codesOf(
    block: SurveyBlock,
    name: 'file' | 'entry' | 'site',
    codeOf: (text: string) => number,
  ): (k: number) => number {
    const words = block.words(name);
    const wordCodes = block.numbers(name) as Uint32Array;
    const known = new Int32Array(words.length).fill(-1);
    return (k) => {
      const word = wordCodes[k];
      if (known[word] < 0) known[word] = codeOf(words[word]);
      return known[word];
    };
  }

  #textCode(text: string): number {
    // files and entries take turns
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

export interface BodyLocation {
  input: number;
  file: string;
  entry: string;
  offset: number;
  length: number;
}

/** Of a capture without a time, which comes before all others. */
export const NO_TIME = -Infinity;

const CHUNK_BYTES = 1 << 20;

/** Texts by number, as UTF-8 bytes in chunks: a text lies in one of them. */
export class TextHeap {
  readonly #chunks: Buffer[] = [];
  #used = CHUNK_BYTES;
  #count = 0;
  /** Chunk times `CHUNK_BYTES`, and the offset in it. */
  #starts = new Float64Array(64);
  #lengths = new Uint32Array(64);

  /** Adds a copy of some bytes; the number of the text. */
  add(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    if (this.#used + length > CHUNK_BYTES) {
      this.#chunks.push(Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, length)));
      this.#used = 0;
    }
    const chunk = this.#chunks.length - 1;
    this.#chunks[chunk].set(bytes.subarray(start, end), this.#used);
    this.#starts = withRoom(this.#starts, this.#count + 1);
    this.#lengths = withRoom(this.#lengths, this.#count + 1);
    this.#starts[this.#count] = chunk * CHUNK_BYTES + this.#used;
    this.#lengths[this.#count] = length;
    this.#used += length;
    return this.#count++;
  }

  at(index: number): string {
    const start = this.#starts[index];
    const offset = start % CHUNK_BYTES;
    return this.#chunks[(start - offset) / CHUNK_BYTES].toString(
      'utf8',
      offset,
      offset + this.#lengths[index],
    );
  }
}

/** A number of up to 53 bits from its halves. */
export function fromLanes(lanes: Uint32Array, k: number): number {
  return lanes[2 * k + 1] * 2 ** 32 + lanes[2 * k];
}

/** The time as captures have it: ISO 8601 to the second, or empty. */
export function timeText(ms: number): string {
  return ms === NO_TIME ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
