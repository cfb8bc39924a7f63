/**
 * Archives of real sites, one file each, for the benchmarks that generate documents: those named on the
 * command line, by default the folder `sites` of the folder CHAFF_DATA.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bottomK } from '../src/detect/sample.ts';
import type { Page } from '../src/model/page.ts';
import { closeInputs, openInputs } from '../src/read/open-inputs.ts';
import { openArchive } from '../src/run/library/open-archive.ts';

/** The pages of one site. */
export interface SitePages {
  /** All pages of the archive, which counts as one site. */
  pages: Page[];
  /** One capture per URL, smallest seeded hash first, so the first P are the sample of size P. */
  sample: Page[];
}

/** Returns the archives to work on; ends the program with a message when there are none. */
export async function findArchives(names: string[]): Promise<string[]> {
  const { CHAFF_DATA } = process.env;
  const given = names.length > 0 || CHAFF_DATA === undefined ? names : [join(CHAFF_DATA, 'sites')];
  const missing = given.filter((name) => !/[*?[{]/.test(name) && !existsSync(name));
  const { inputs } = missing.length > 0 ? { inputs: [] } : await openInputs(given);
  closeInputs(inputs);
  if (inputs.length === 0) {
    const what = missing.length > 0 ? `there is no ${missing.join(', ')}` : 'no archives were found';
    console.error(`${what}: name archives of sites, one each, or a folder of them, or set CHAFF_DATA`);
    process.exit(2);
  }
  return inputs.map(({ name }) => name);
}

/** Reads a whole archive into memory and draws the sample. */
export async function readSite(archive: string, samplePages: number): Promise<SitePages> {
  const pages: Page[] = [];
  for await (const page of openArchive(archive)) pages.push({ ...page, source: page.source.slice() });
  return { pages, sample: bottomK(pages, samplePages) };
}
