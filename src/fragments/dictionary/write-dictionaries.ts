/**
 * Writes one dictionary per site from its shared fragments, and measures what it saves on held-out pages. The
 * file is raw content, as RFC 9842 requires. A second file has the same content as a zstd dictionary with an
 * id, as `.warc.zst` files require. Two passes over the pages (site-material.ts); neither parses them.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { makeFolder } from '../../model/make-folder.ts';
import type { FragmentResult } from '../shared-page.ts';
import { buildDictionary } from './build-dictionary.ts';
import {
  type CompressionFigures,
  dictionaryHash,
  measurePage,
  type SiteCompression,
  summariseMethods,
} from './measure.ts';
import { DEFAULT_HOLD_OUT, readMaterial, type SiteMaterial, surveySites } from './site-material.ts';
import { zstdDictionaryFile } from './zstd-dictionary-file.ts';

/** Options of `writeDictionaries`. */
export interface DictionaryOptions {
  /** File to write; with several sites the name of the site goes before the extension. */
  file: string;
  /** Maximum size of a dictionary in bytes, 1,024 to 8 MiB. @default 65,536 */
  maxBytes?: number;
  /**
   * Share of the pages, by a hash of their URLs, that are held out for measuring: from 0, less than 1.
   * @default 0.2
   */
  holdOut?: number;
  /**
   * Maximum number of measured pages per site; 0 measures none. @default 100, less with more than 10 sites
   */
  measurePages?: number;
}

/** Result of `writeDictionaries`. */
export interface DictionarySummary extends CompressionFigures {
  /** All written files. */
  files: string[];
}

/** Default maximum size of a dictionary, in bytes. */
export const DEFAULT_DICTIONARY_BYTES = 64 * 1024;
/** Smallest allowed maximum size of a dictionary, in bytes. */
export const MIN_DICTIONARY_BYTES = 1024;
/** Largest allowed maximum size of a dictionary, in bytes: what readers of .warc.zst must accept. */
export const MAX_DICTIONARY_BYTES = 8 * 1024 * 1024;
/** Number of pages on which windows are counted: enough to distinguish one in thirty from one in twenty. */
const COUNT_PAGES = 96;
/** Fragments propose this many times the size of the dictionary. */
const FRAGMENT_FACTOR = 32;
const MEASURED_PAGES = 100;
const MEASURED_PAGES_OF_ALL_SITES = 1000;
const MIN_MEASURED_PAGES = 5;

/** Writes the dictionaries of all sites and measures them on held-out pages. */
export async function writeDictionaries(
  result: FragmentResult,
  { file, maxBytes = DEFAULT_DICTIONARY_BYTES, holdOut = DEFAULT_HOLD_OUT, measurePages }: DictionaryOptions,
): Promise<DictionarySummary> {
  checkDictionaryOptions({ file, maxBytes, holdOut, measurePages });
  const surveys = await surveySites(result, {
    holdOut,
    countPages: COUNT_PAGES,
    measurePages: (siteCount) => measurePages ?? pagesToMeasure(siteCount),
    fragmentBytes: FRAGMENT_FACTOR * maxBytes,
  });
  makeFolder(dirname(file));

  const sites: SiteCompression[] = [];
  const files: string[] = [];
  await readMaterial(result, surveys, async (material) => {
    const dictionary = buildDictionary(material, maxBytes);
    const { site } = material.survey;
    let written = '';
    if (dictionary.length > 0) {
      written = surveys.length === 1 ? file : nameForSite(file, site);
      await writeFile(written, dictionary);
      await writeFile(`${written}.zdict`, zstdDictionaryFile(dictionary));
      files.push(written, `${written}.zdict`);
    }
    sites.push(await measureSite(material, dictionary, written));
  });
  sites.sort((a, b) => (a.site < b.site ? -1 : a.site > b.site ? 1 : 0));
  const summary: DictionarySummary = { sites, files: files.sort() };
  if (result.folder !== '') {
    const folder = join(result.folder, 'fragments');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'compression.json'), `${JSON.stringify({ sites }, null, 2)}\n`);
  }
  return summary;
}

/** Throws a RangeError that names the option and its allowed values. */
function checkDictionaryOptions({ file, maxBytes, holdOut, measurePages }: DictionaryOptions): void {
  if (file === '') throw new RangeError('the dictionary needs a file name');
  if (
    maxBytes !== undefined &&
    !(Number.isInteger(maxBytes) && maxBytes >= MIN_DICTIONARY_BYTES && maxBytes <= MAX_DICTIONARY_BYTES)
  ) {
    const range = `from ${MIN_DICTIONARY_BYTES} to ${MAX_DICTIONARY_BYTES} bytes`;
    throw new RangeError(`the size of a dictionary must be a whole number ${range}, not ${maxBytes}`);
  }
  if (holdOut !== undefined && !(holdOut >= 0 && holdOut < 1)) {
    throw new RangeError(`the share of pages held out must be from 0 to less than 1, not ${holdOut}`);
  }
  if (measurePages !== undefined && !(Number.isInteger(measurePages) && measurePages >= 0)) {
    throw new RangeError(`the pages to measure must be a whole number from 0, not ${measurePages}`);
  }
}

/**
 * Returns the file name of a site's dictionary: `file` with the site in it. Characters that are unsafe in
 * file names are replaced, and then a few digits of a hash are added, because two sites must not share a
 * file.
 */
export function nameForSite(file: string, site: string): string {
  const safe = site
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .replace(/\.{2,}/g, '.')
    .slice(0, 80);
  const digits = createHash('sha256').update(site).digest('hex').slice(0, 8);
  const name = safe === site && safe !== '' ? safe : `${safe}-${digits}`;
  const extension = extname(file);
  return join(dirname(file), `${basename(file, extension)}-${name}${extension}`);
}

/** Existing files whose names dictionaries of sites may have. */
export function dictionariesBeside(file: string): string[] {
  const extension = extname(file);
  const start = `${basename(file, extension)}-`;
  const isName = (name: string) => name.startsWith(start) && name.replace(/\.zdict$/, '').endsWith(extension);
  try {
    return readdirSync(dirname(file))
      .filter(isName)
      .map((name) => join(dirname(file), name));
  } catch {
    return []; // the folder is made when the first dictionary is written
  }
}

function pagesToMeasure(siteCount: number): number {
  const share = Math.floor(MEASURED_PAGES_OF_ALL_SITES / siteCount);
  return Math.min(MEASURED_PAGES, Math.max(MIN_MEASURED_PAGES, share));
}

async function measureSite(
  { survey, heldOut }: SiteMaterial,
  dictionary: Uint8Array,
  file: string,
): Promise<SiteCompression> {
  const sizes: number[][] = [];
  if (dictionary.length > 0) {
    for (const page of heldOut) sizes.push(await measurePage(page, dictionary));
  }
  return {
    site: survey.site,
    file,
    dictionaryBytes: dictionary.length,
    dictionarySha256: dictionary.length > 0 ? dictionaryHash(dictionary).toString('hex') : '',
    pagesUsed: survey.used,
    pagesHeldOut: survey.heldOut,
    pagesMeasured: sizes.length,
    methods: summariseMethods(sizes),
  };
}
