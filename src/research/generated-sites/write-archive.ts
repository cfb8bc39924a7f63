/**
 * A sample archive on disk: `<name>.warc.gz` with a gzip member per record and `<name>.truth.jsonl` with the
 * true labels of each page. Written page by page at constant memory; the records are the same on every
 * machine (their compressed form may differ with the version of zlib).
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../model/make-folder.ts';
import type { LanguageCode } from './language.ts';
import { CHARSETS, LANGUAGE_CODES } from './languages.ts';
import { damagedMember, oddRecords, repeatVisit, revisitRecord } from './odd-captures.ts';
import { type GeneratedCapture, generateSite, type SiteOptions } from './site-generator.ts';
import { truthLine } from './truth-file.ts';
import { gzipMember, httpHeadOf, warcRecord } from './warc-writer.ts';

export interface SampleArchiveOptions {
  /** @default 1 */
  seed?: number;
  /** Number of sites. @default 3 */
  sites?: number;
  /** Distinct URLs of each. @default 100 */
  pagesPerSite?: number;
  /** Template generations of each. @default 1 */
  generations?: number;
  /** Captures of each URL within a generation. @default 1 */
  captures?: number;
  /** Languages the sites take in turn. @default all */
  languages?: readonly LanguageCode[];
  /** `utf-8`: all sites; `mixed`: every other site in an old charset of its language. @default 'mixed' */
  charsets?: 'utf-8' | 'mixed';
  /** Every third site has sloppy markup. @default false */
  soup?: boolean;
  /** Pictures, redirects, missing pages and repeat visits between the pages. @default true */
  odd?: boolean;
  /** One record cut short in the middle. @default false */
  damaged?: boolean;
  start?: string;
  /** Name of the files. @default 'sample' */
  name?: string;
}

export interface SampleArchive {
  warc: string;
  truth: string;
  /** Captures of pages, repeat visits among them; a row of truth each. */
  captures: number;
}

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

/** The sites of a sample archive, for those who want the pages without the file. */
export function sampleSites(options: SampleArchiveOptions = {}): SiteOptions[] {
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

function warcinfo(filename: string, sites: SiteOptions[]): Uint8Array {
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
