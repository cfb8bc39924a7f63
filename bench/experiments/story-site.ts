/** Sites of which it is known which text each page prints. */
import type { Page } from '../../src/model/page.ts';

export interface StorySite {
  site: string;
  pages: Page[];
  /** Number of the text that each page prints. */
  stories: number[];
}

/** A page that lies in no archive. */
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
