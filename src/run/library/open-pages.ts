/**
 * Opens pages for judging one by one, from inputs of any kind: files and folders of any supported format, URLs, text
 * files that list URLs, and a pipe. Files come first, then fetched pages, in the given order; `-` reads HTML, JSON
 * rows, an archive or a list of URLs from the pipe.
 */
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { checkOptions } from '../../model/check-option.ts';
import { siteOf } from '../../model/site.ts';
import { checkFetchOptions, type FetchOptions, fetchPages, isWebUrl } from '../../read/fetch-pages.ts';
import type { ReadEvent } from '../../read/raw-record.ts';
import {
  ARCHIVE_OPTION_KINDS,
  Archive,
  type ArchiveOptions,
  checkArchiveOptions,
  checkInputNames,
  readAll,
  readPipe,
} from './open-archive.ts';

/** Options of `openPages`. */
export interface PageSourceOptions
  extends ArchiveOptions,
    Pick<FetchOptions, 'timeoutMs' | 'maxRedirects' | 'allowRedirects' | 'pauseMs'> {
  /** URL of bare HTML pages, which contain none. */
  url?: string;
}

/** Bytes of a file that are checked for a list of URLs. */
const HEAD_BYTES = 4096;

/** Opens inputs of any kind as an archive of pages; only URLs that are named are fetched. */
export function openPages(names: string[], options: PageSourceOptions = {}): Archive {
  checkOptions(options, {
    ...ARCHIVE_OPTION_KINDS,
    ...{ url: 'string', timeoutMs: 'any', maxRedirects: 'any', allowRedirects: 'any', pauseMs: 'any' },
  });
  checkArchiveOptions(options);
  checkFetchOptions(options);
  checkInputNames(names);
  return new Archive(() => readPagesOf(names, options), options);
}

async function* readPagesOf(names: string[], options: PageSourceOptions): AsyncGenerator<ReadEvent> {
  const { stdin = process.stdin } = options;
  const files: string[] = [];
  const lists: (() => AsyncIterable<string> | Iterable<string>)[] = [];
  for (const name of names) {
    if (name === '-') {
      const urls = await urlsOfPipe(stdin);
      if (urls) lists.push(() => urls);
      else yield* readPipe(stdin, options, readNamed);
    } else if (isWebUrl(name) && !ARCHIVE_URL.test(name)) lists.push(() => [name]);
    else if (isUrlList(name)) lists.push(() => readUrlList(createReadStream(name)));
    else files.push(name);
  }
  if (files.length > 0) yield* readNamed(files, options);
  if (lists.length > 0) yield* fetchPages(chain(lists), options);
}

/** Reads files, and sets the given URL on bare HTML. */
async function* readNamed(names: string[], options: PageSourceOptions): AsyncGenerator<ReadEvent> {
  const { url, site } = options;
  for await (const event of readAll(names, options)) {
    const isBare = event.kind === 'page' && event.page.url.startsWith('file:');
    if (url !== undefined && isBare) {
      yield { ...event, page: { ...event.page, url, site: siteOf(url, site) } };
    } else yield event;
  }
}

/** A URL with the ending of an archive is one; any other is a page. */
const ARCHIVE_URL = /\.(w?arc(\.gz|\.zst)?|wacz|(jsonl|ndjson|cdxj?)(\.gz|\.zst)?)$/i;

/** Whether a file lists URLs: it begins with one, after blank lines and comments (#). */
function isUrlList(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      return beginsWithUrl(head.subarray(0, readSync(file, head)));
    } finally {
      closeSync(file);
    }
  } catch {
    // the archive reader will report the fault
    return false;
  }
}

function beginsWithUrl(head: Uint8Array): boolean {
  const lines = Buffer.from(head)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
    .map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !line.startsWith('#'));
  return first !== undefined && isWebUrl(first);
}

/** The URLs that a pipe lists; undefined for other contents, which are put back. */
async function urlsOfPipe(stdin: Readable): Promise<AsyncIterable<string> | undefined> {
  for await (const chunk of stdin.iterator({ destroyOnReturn: false })) {
    const bytes = Buffer.from(chunk);
    stdin.unshift(bytes);
    return beginsWithUrl(bytes.subarray(0, HEAD_BYTES)) ? readUrlList(stdin) : undefined;
  }
  return undefined;
}

async function* readUrlList(stream: Readable): AsyncGenerator<string> {
  for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
    const url = line.replace(/^\ufeff/, '').trim();
    if (url !== '' && !url.startsWith('#')) yield url;
  }
}

async function* chain(lists: (() => AsyncIterable<string> | Iterable<string>)[]): AsyncGenerator<string> {
  for (const list of lists) yield* list();
}
