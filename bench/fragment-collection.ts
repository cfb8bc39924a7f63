/**
 * A generated collection of the size of Ma and Gu's: 130,672 pages of 1.85 GB, 14 KB each. The generator's
 * pages are twice as long, so a share of their items, paragraphs and rows is omitted, chosen by a hash of
 * their contents. Repeated items stay or go on all their pages, so sharing does not change.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from '../src/parse/parser.ts';
import { tagsOf } from '../src/parse/tag-names.ts';
import { LANGUAGE_CODES } from '../src/research/generated-sites/phrases.ts';
import { openSite } from '../src/research/generated-sites/site-generator.ts';
import { gzipMember, httpHeadOf, warcRecord } from '../src/research/generated-sites/write-archive.ts';

/** Size of a collection. */
export interface CollectionOptions {
  sites: number;
  pagesPerSite: number;
  /** Number of archives. Every site is in each of them, so the first ones form a smaller collection. */
  files: number;
}

/** Share of items, paragraphs and links that is omitted: it reduces 30 KB per page to 14.1 KB. */
const LEFT_OUT = 0.664;
const ITEMS = new Set(tagsOf('p li dd dt tr option h3 h4 img script a'));
/** Decides how the sites are built: by nested blocks, in the style of these years. */
const START = '2010-03-01';

/** A written collection. */
export interface Collection {
  files: string[];
  pages: number;
  /** Bytes of HTML. */
  bytes: number;
}

/** Writes the archives into a folder, about 600 pages per second. */
export function writeCollection(
  folder: string,
  { sites, pagesPerSite, files }: CollectionOptions,
): Collection {
  const thinner = new Thinner(LEFT_OUT);
  const perFile = Math.ceil(pagesPerSite / files);
  const collection: Collection = { files: [], pages: 0, bytes: 0 };
  for (let k = 0; k < files; k++) {
    const path = join(folder, `part-${k + 1}.warc.gz`);
    collection.files.push(path);
    const file = openSync(path, 'w');
    try {
      for (let number = 0; number < sites; number++) {
        const language = LANGUAGE_CODES[number % LANGUAGE_CODES.length];
        const host = `${language}${Math.floor(number / LANGUAGE_CODES.length) + 1}.example`;
        const site = openSite({ seed: 1, host, pages: pagesPerSite, language, start: START });
        const end = Math.min(pagesPerSite, (k + 1) * perFile);
        for (let index = k * perFile; index < end; index++) {
          const { url, time, source } = site.capture(index, 0);
          const html = thinner.thin(source);
          writeSync(file, gzipMember(pageRecord(url, time, html)));
          collection.pages++;
          collection.bytes += html.length;
        }
      }
    } finally {
      closeSync(file);
    }
  }
  return collection;
}

function pageRecord(url: string, time: string, html: Uint8Array): Uint8Array {
  const head = { type: 'response', time, url, contentType: 'application/http; msgtype=response' } as const;
  return warcRecord(head, httpHeadOf('200 OK', [['Content-Type', 'text/html; charset=utf-8']]), html);
}

class Thinner {
  readonly #parser = new Parser();
  /** Items with a hash below this are omitted. */
  readonly #threshold: number;

  constructor(leaveOut: number) {
    this.#threshold = leaveOut * 2 ** 32;
  }

  thin(source: Uint8Array): Uint8Array {
    const { nodeCount, name, last, start, end, contentLow } = this.#parser.parse(source);
    const kept: Uint8Array[] = [];
    let from = 0;
    for (let node = 0; node < nodeCount; ) {
      if (!ITEMS.has(name[node]) || contentLow[node] >>> 0 >= this.#threshold || start[node] < from) {
        node++;
        continue;
      }
      kept.push(source.subarray(from, start[node]));
      from = end[node];
      node = last[node];
    }
    kept.push(source.subarray(from));
    return Buffer.concat(kept);
  }
}
