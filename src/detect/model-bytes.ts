/**
 * Writes and reads models as bytes: variable-length numbers, strings, and columns of hashes sorted by their
 * high lane, whose differences are short. A reader checks everything and throws a ModelFormatError for
 * inconsistent bytes. The fields that every model begins with are here, too.
 */
import type { KeyCounts } from '../kernel/key-tables.ts';
import { SharedTitles } from '../metadata/site-names.ts';
import type { SiteNames } from '../model/metadata.ts';
import { pageKey } from '../model/page-key.ts';
import { readTitle } from '../parse/title.ts';
import type { ParsedPage, SiteModel } from './detector.ts';

/** Thrown when bytes are not a model of this version. */
export class ModelFormatError extends Error {
  override name = 'ModelFormatError';
}

/** Writes the bytes of a model. */
export class ModelWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;

  /** Writes a whole number from 0 to 2^53 − 1, seven bits per byte. */
  number(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  text(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.number(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /**
   * Writes hashes in the order of `KeyCounts`, each column by itself, because columns compress better than
   * rows.
   */
  hashes(low: Int32Array, high: Int32Array): void {
    this.number(low.length);
    for (let i = 0, previous = 0; i < high.length; i++) {
      this.number((high[i] >>> 0) - previous);
      previous = high[i] >>> 0;
    }
    for (let i = 0; i < low.length; i++) {
      for (let shift = 0; shift < 32; shift += 8) this.byte((low[i] >>> shift) & 0xff);
    }
  }

  /** Writes keys with their numbers of pages and occurrences. */
  counts({ low, high, pages, occurrences }: KeyCounts): void {
    this.hashes(low, high);
    for (const count of pages) this.number(count);
    for (let i = 0; i < occurrences.length; i++) this.number(occurrences[i] - pages[i]);
  }

  /** Returns the written bytes. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads the bytes of a model; throws a ModelFormatError when they are damaged. */
export class ModelReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  number(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (!Number.isSafeInteger(value)) throw new ModelFormatError('a number in the model is too large');
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes(this.number()));
  }

  bytes(count: number): Uint8Array {
    if (count > this.#bytes.length - this.#position) throw new ModelFormatError('the model ends too early');
    this.#position += count;
    return this.#bytes.subarray(this.#position - count, this.#position);
  }

  byte(): number {
    if (this.#position >= this.#bytes.length) throw new ModelFormatError('the model ends too early');
    return this.#bytes[this.#position++];
  }

  /**
   * Reads a count of items with at least `eachBytes` bytes each, so that no model makes us allocate more than
   * its size.
   */
  length(eachBytes = 1): number {
    const length = this.number();
    if (length * eachBytes > this.#bytes.length - this.#position) {
      throw new ModelFormatError('the model ends too early');
    }
    return length;
  }

  hashes(): { low: Int32Array; high: Int32Array } {
    const length = this.length(5);
    const low = new Int32Array(length);
    const high = new Int32Array(length);
    for (let i = 0, previous = 0; i < length; i++) {
      previous += this.number();
      if (previous > 0xffffffff) throw new ModelFormatError('the hashes of the model are out of order');
      high[i] = previous;
    }
    for (let i = 0; i < length; i++) {
      const bytes = this.bytes(4);
      low[i] = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
    }
    return { low, high };
  }

  counts(): KeyCounts {
    const { low, high } = this.hashes();
    const pages = Uint32Array.from(low, () => this.number());
    const occurrences = pages.map((count) => count + this.number());
    return { low, high, pages, occurrences };
  }

  /** Checks that all bytes have been read; remaining bytes mean that writer and reader disagree. */
  end(): void {
    if (this.#position !== this.#bytes.length) throw new ModelFormatError('the model has bytes left over');
  }
}

/**
 * Collects what every model stores about its pages: one capture per URL, the range of times, common parts of
 * titles.
 */
export class LearntPages {
  readonly #urls = new Set<string>();
  readonly #captures: boolean;
  readonly #titles = new SharedTitles();
  firstTime = '';
  lastTime = '';

  /** @param captures whether a page may have several captures, which count as one page. @default false */
  constructor({ captures = false } = {}) {
    this.#captures = captures;
  }

  /**
   * Adds a page. Throws when its URL was added before, unless captures are allowed, because counts are over
   * distinct URLs.
   */
  add({ page, tree }: ParsedPage): void {
    const url = this.#captures ? pageKey(page.url) : page.url;
    if (this.#urls.has(url) && !this.#captures) {
      throw new RangeError(`learn takes one capture per URL (see bottomK), but got two of ${page.url}`);
    }
    this.#urls.add(url);
    this.#titles.add(readTitle(tree));
    if (page.time === '') return;
    if (this.firstTime === '' || page.time < this.firstTime) this.firstTime = page.time;
    if (page.time > this.lastTime) this.lastTime = page.time;
  }

  get count(): number {
    return this.#urls.size;
  }

  get names(): SiteNames {
    return this.#titles.finish();
  }
}

/** The fields that every model begins with. */
export type LearntSite = Pick<SiteModel, 'site' | 'pagesLearnt' | 'firstTime' | 'lastTime' | 'names'>;

/** Writes the fields that every model begins with. */
export function writeLearntSite(
  writer: ModelWriter,
  { site, pagesLearnt, firstTime, lastTime, names }: LearntSite,
): void {
  writer.text(site);
  writer.number(pagesLearnt);
  writer.text(firstTime);
  writer.text(lastTime);
  for (const affixes of [names.titleEnds, names.titleStarts]) {
    writer.number(affixes.length);
    for (const affix of affixes) writer.text(affix);
  }
}

/** Reads the fields that every model begins with. */
export function readLearntSite(reader: ModelReader): LearntSite {
  return {
    site: reader.text(),
    pagesLearnt: reader.number(),
    firstTime: reader.text(),
    lastTime: reader.text(),
    names: { titleEnds: readTexts(reader), titleStarts: readTexts(reader) },
  };
}

function readTexts(reader: ModelReader): string[] {
  return Array.from({ length: reader.length() }, () => reader.text());
}
