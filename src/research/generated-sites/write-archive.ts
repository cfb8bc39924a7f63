/**
 * Writes a sample archive: `<name>.warc.gz` with one gzip member per record, and `<name>.truth.jsonl` with
 * the true labels of each page. It is written page by page in constant memory. The records are the same on
 * every machine; their compressed form may depend on the version of zlib.
 */

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { makeFolder } from '../../model/make-folder.ts';
import { CHARSETS } from './languages.ts';
import { LANGUAGE_CODES, type LanguageCode } from './phrases.ts';
import { type GeneratedCapture, type GeneratedSiteOptions, generateSite } from './site-generator.ts';

/** Options of a sample archive. */
export interface SampleArchiveOptions {
  /** @default 1 */
  seed?: number;
  /** Number of sites. @default 3 */
  sites?: number;
  /** Number of distinct URLs per site. @default 100 */
  pagesPerSite?: number;
  /** Number of template generations per site. @default 1 */
  generations?: number;
  /** Number of captures of each URL within a generation. @default 1 */
  captures?: number;
  /** Languages that are assigned to the sites in turn. @default all */
  languages?: readonly LanguageCode[];
  /** `utf-8`: all sites; `mixed`: every other site in a legacy charset of its language. @default 'mixed' */
  charsets?: 'utf-8' | 'mixed';
  /** Whether every third site has sloppy markup. @default false */
  soup?: boolean;
  /** Whether there are pictures, redirects, missing pages and revisits between the pages. @default true */
  odd?: boolean;
  /** Whether one record is truncated. @default false */
  damaged?: boolean;
  start?: string;
  /** Name of the files. @default 'sample' */
  name?: string;
}

/** A written sample archive. */
export interface SampleArchive {
  warc: string;
  truth: string;
  /** Number of captures of pages, including revisits; each has a row of true labels. */
  captures: number;
}

/** Writes a sample archive into a folder. */
export async function writeSampleArchive(
  dir: string,
  options: SampleArchiveOptions = {},
): Promise<SampleArchive> {
  const { name = 'sample', odd = true, damaged = false } = options;
  const sites = sampleSites(options);
  makeFolder(dir);
  const warc = join(dir, `${name}.warc.gz`);
  const truth = join(dir, `${name}.truth.jsonl`);
  const truthStream = createWriteStream(truth);
  let captures = 0;

  async function writeTruth(capture: GeneratedCapture, host: string): Promise<void> {
    captures++;
    if (!truthStream.write(truthLine(capture, host))) await drained(truthStream);
  }

  async function* members(): AsyncGenerator<Uint8Array> {
    yield gzipMember(warcinfo(`${name}.warc.gz`, sites));
    for (const site of sites) {
      let number = 0;
      for (const capture of generateSite(site)) {
        if (damaged && site === sites[0] && number === 7) yield damagedMember(capture);
        yield gzipMember(pageRecord(capture));
        await writeTruth(capture, site.host);
        if (odd) {
          for (const record of oddRecords(capture, number)) yield gzipMember(record);
          const again = repeatVisit(capture, number);
          if (again) {
            yield gzipMember(revisitRecord(again, capture));
            await writeTruth(again, site.host);
          }
        }
        number++;
      }
    }
  }
  await pipeline(Readable.from(members(), { objectMode: false }), createWriteStream(warc));
  await new Promise<void>((resolve, reject) => truthStream.on('error', reject).end(resolve));
  return { warc, truth, captures };
}

/** Returns the options of the sites in a sample archive, for callers that want the pages without the file. */
export function sampleSites(options: SampleArchiveOptions = {}): GeneratedSiteOptions[] {
  const { seed = 1, sites = 3, pagesPerSite = 100, languages = LANGUAGE_CODES, charsets = 'mixed' } = options;
  const { generations = 1, captures = 1, soup = false, start } = options;
  return Array.from({ length: sites }, (_, at) => {
    const language = languages[at % languages.length];
    const round = Math.floor(at / languages.length);
    const old = CHARSETS[language][round % (CHARSETS[language].length - 1)];
    return {
      seed,
      host: `${language}${round + 1}.example`,
      pages: pagesPerSite,
      generations,
      captures,
      language,
      charset: charsets === 'mixed' && at % 2 === 1 ? old : 'utf-8',
      soup: soup && at % 3 === 2,
      start,
    };
  });
}

function pageRecord({ url, time, html, charset }: GeneratedCapture): Uint8Array {
  const fields: [string, string][] = [
    ['Date', new Date(time).toUTCString()],
    ['Server', 'Apache'],
    ['Content-Type', `text/html; charset=${charset}`],
    ['Content-Length', String(html.length)],
  ];
  const head = { type: 'response', time, url, contentType: 'application/http; msgtype=response' } as const;
  return warcRecord(head, httpHeadOf('200 OK', fields), html);
}

function warcinfo(filename: string, sites: GeneratedSiteOptions[]): Uint8Array {
  const [first] = generateSite({ ...sites[0], pages: 1, generations: 1, captures: 1 });
  const body = Buffer.from('software: chaff site generator\r\nformat: WARC File Format 1.1\r\n');
  const fields: [string, string][] = [['WARC-Filename', filename]];
  return warcRecord(
    { type: 'warcinfo', time: first.time, contentType: 'application/warc-fields', fields },
    '',
    body,
  );
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => stream.once('drain', resolve));
}

/** Returns a row of the true labels beside a generated archive: JSON with ranges as `[start, end, label]`. */
function truthLine(capture: GeneratedCapture, site: string): string {
  const { url, time, kind, generation, charset, source, truth } = capture;
  const ranges = truth.map(({ start, end, label }) => [start, end, label]);
  return `${JSON.stringify({ url, time, kind, site, generation, charset, sizeBytes: source.length, ranges })}\n`;
}

/**
 * The records of an archive beside good pages: pictures, redirects, missing pages, a style sheet, a revisit
 * of an unchanged page, and on request a damaged record. Of these only the revisit gives a page.
 */

/** The smallest GIF: one transparent pixel. */
const PIXEL = Buffer.from(
  '47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b',
  'hex',
);
const RESPONSE = 'application/http; msgtype=response';

/** Returns the records that accompany every nth page of a site; `number` counts its captures. */
function oddRecords(capture: GeneratedCapture, number: number): Uint8Array[] {
  const origin = new URL(capture.url).origin;
  const { time } = capture;
  const respond = (
    path: string,
    status: string,
    mime: string,
    body: Uint8Array,
    more: [string, string][] = [],
  ) =>
    warcRecord(
      { type: 'response', time, url: origin + path, contentType: RESPONSE },
      httpHeadOf(status, [['Content-Type', mime], ...more, ['Content-Length', String(body.length)]]),
      body,
    );
  if (number % 25 === 3) return [respond(`/images/article/${number}.gif`, '200 OK', 'image/gif', PIXEL)];
  if (number % 25 === 8) {
    return [
      respond(`/old/${number}.html`, '301 Moved Permanently', 'text/html', new Uint8Array(), [
        ['Location', capture.url],
      ]),
    ];
  }
  if (number % 25 === 13) {
    const body = Buffer.from('<html><head><title>404</title></head><body><h1>404</h1></body></html>\n');
    return [respond(`/gone/${number}.html`, '404 Not Found', 'text/html; charset=utf-8', body)];
  }
  if (number % 25 === 18) {
    return [respond(`/theme/${number}.css`, '200 OK', 'text/css', Buffer.from('body { margin: 0 }\n'))];
  }
  return [];
}

/**
 * Returns for some captures a second visit, an hour later, that found the page unchanged; it is a page, too.
 */
function repeatVisit(capture: GeneratedCapture, number: number): GeneratedCapture | undefined {
  if (number % 25 !== 23) return undefined;
  return {
    ...capture,
    time: `${new Date(Date.parse(capture.time) + 3_600_000).toISOString().slice(0, 19)}Z`,
  };
}

/** Returns the record of a revisit: it has no body and refers to the first capture. */
function revisitRecord({ url, html, charset, time }: GeneratedCapture, first: GeneratedCapture): Uint8Array {
  return warcRecord(
    {
      type: 'revisit',
      time,
      url,
      contentType: RESPONSE,
      fields: [
        ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
        ['WARC-Refers-To-Target-URI', url],
        ['WARC-Refers-To-Date', first.time],
        ['WARC-Payload-Digest', digestOf(html)],
      ],
    },
    httpHeadOf('200 OK', [['Content-Type', `text/html; charset=${charset}`]]),
    new Uint8Array(),
  );
}

/** Returns a record whose gzip member lost its end, so that a reader must find the next member. */
function damagedMember(capture: GeneratedCapture): Uint8Array {
  const record = warcRecord(
    {
      type: 'response',
      time: capture.time,
      url: `${new URL(capture.url).origin}/damaged.html`,
      contentType: RESPONSE,
    },
    httpHeadOf('200 OK', [['Content-Type', 'text/html']]),
    capture.html,
  );
  const member = gzipMember(record);
  return member.subarray(0, Math.floor(member.length * 0.6));
}

/**
 * Head of a WARC record. This file has a writer of its own, because `WARCSerializer` of warcio takes about 3
 * ms per record and this one 0.6 ms, and because record ids and dates must be derived from the data: the same
 * site gives the same archive. Tests read the records with warcio and check the digests.
 */
export interface RecordHead {
  type: 'warcinfo' | 'response' | 'revisit';
  /** ISO 8601 in UTC, to the second. */
  time: string;
  url?: string;
  contentType: string;
  /** More named fields, in order. */
  fields?: [name: string, value: string][];
}

/** Returns a record with its HTTP head and body; digests and the record id are computed here. */
export function warcRecord(head: RecordHead, httpHead: string, body: Uint8Array): Uint8Array {
  const block = Buffer.concat([Buffer.from(httpHead, 'latin1'), body]);
  const fields: [string, string][] = [['WARC-Type', head.type]];
  if (head.url !== undefined) fields.push(['WARC-Target-URI', head.url]);
  fields.push(['WARC-Date', head.time], ['WARC-Record-ID', `<${recordId(head, block)}>`]);
  fields.push(...(head.fields ?? []));
  if (head.type === 'response') fields.push(['WARC-Payload-Digest', digestOf(body)]);
  fields.push(['WARC-Block-Digest', digestOf(block)]);
  fields.push(['Content-Type', head.contentType], ['Content-Length', String(block.length)]);
  const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`WARC/1.1\r\n${lines}\r\n`), block, Buffer.from('\r\n\r\n')]);
}

/** Returns one gzip member; level 3 takes 0.6 of the time of the default and costs 6 % in size. */
export function gzipMember(record: Uint8Array): Uint8Array {
  const member = gzipSync(record, { level: 3 });
  // the system byte of the header would differ between Linux and macOS
  member[9] = 255;
  return member;
}

/** Returns an HTTP head with a status line and fields. */
export function httpHeadOf(status: string, fields: [name: string, value: string][]): string {
  return `HTTP/1.1 ${status}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

/** Returns SHA-1 in base 32, as web archives write it. */
export function digestOf(bytes: Uint8Array): string {
  const digest = createHash('sha1').update(bytes).digest();
  let text = '';
  // twenty bytes are four groups of 40 bits, each eight letters
  for (let group = 0; group < 20; group += 5) {
    let bits = digest.readUIntBE(group, 5);
    let letters = '';
    for (let at = 0; at < 8; at++) {
      letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[bits % 32] + letters;
      bits = Math.floor(bits / 32);
    }
    text += letters;
  }
  return `sha1:${text}`;
}

/** Returns a UUID derived from the contents of the record instead of a random one. */
function recordId({ type, time, url = '' }: RecordHead, block: Uint8Array): string {
  const hex = createHash('md5').update(`${type} ${time} ${url}\n`).update(block).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
