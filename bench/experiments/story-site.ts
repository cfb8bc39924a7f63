/** Sites with a known text on each page. */
import type { Page } from '../../src/model/page.ts';

/** A site whose pages each have one known text. */
export interface StorySite {
  site: string;
  pages: Page[];
  /** Number of the text on each page. */
  stories: number[];
}

/** Returns a page that is in no archive. */
export function madePage(site: string, url: string, source: Uint8Array): Page {
  const place = { file: '', offset: 0, length: source.length };
  const response = {
    time: '',
    status: 200,
    mime: 'text/html',
    charset: 'UTF-8',
    recordId: '',
    payloadDigest: '',
  };
  return { url, site, source, ...place, ...response };
}
