/**
 * Clean text as WARC `conversion` records, as in the WET files of Common Crawl: plain text that refers to the record it
 * was made from. The header has nine lines, so it is written here without a library; the tests read it back with
 * warcio. Record ids are hashes of the record's content, so the same page gives the same record on every run.
 */
import { createHash } from 'node:crypto';
import { threeLetterCode } from '../metadata/language-codes.ts';
import type { PageMetadata } from '../model/metadata.ts';
import type { Page } from '../model/page.ts';

/** The fields of a page that its `conversion` record refers to. */
export interface ConversionSource extends Pick<Page, 'url' | 'time' | 'recordId'> {
  metadata?: Pick<PageMetadata, 'language'>;
}

/** WARC requires a date; pages whose archive gives none get this one. */
const NO_DATE = '1970-01-01T00:00:00Z';

/** Encodes one record with its text, ready to be written (or gzipped as a member of its own). */
export function conversionRecord(page: ConversionSource, text: string, mime = 'text/plain'): Uint8Array {
  const block = Buffer.from(text);
  const date = page.time === '' ? NO_DATE : page.time;
  const digest = sha1Base32(block);
  const fields: [string, string][] = [
    ['WARC-Type', 'conversion'],
    ['WARC-Target-URI', headerValue(page.url)],
    ['WARC-Date', date],
    ['WARC-Record-ID', `<${recordId('conversion', page.recordId, page.url, date, digest)}>`],
  ];
  if (page.recordId !== '') fields.push(['WARC-Refers-To', `<${headerValue(page.recordId)}>`]);
  const { language } = page.metadata ?? {};
  if (language !== undefined) fields.push(['WARC-Identified-Content-Language', threeLetterCode(language)]);
  fields.push(
    ['WARC-Block-Digest', digest],
    ['Content-Type', mime],
    ['Content-Length', String(block.length)],
  );
  return warcRecord(fields, block);
}

/** Encodes the `warcinfo` record that begins a file of conversions: the software and the archives. */
export function conversionInfo(fields: Record<string, string>, filename = ''): Uint8Array {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${headerValue(value)}\r\n`);
  const block = Buffer.from(lines.join(''));
  const digest = sha1Base32(block);
  const header: [string, string][] = [
    ['WARC-Type', 'warcinfo'],
    ['WARC-Date', NO_DATE],
    ['WARC-Record-ID', `<${recordId('warcinfo', filename, digest)}>`],
  ];
  if (filename !== '') header.push(['WARC-Filename', headerValue(filename)]);
  header.push(
    ['WARC-Block-Digest', digest],
    ['Content-Type', 'application/warc-fields'],
    ['Content-Length', String(block.length)],
  );
  return warcRecord(header, block);
}

function warcRecord(fields: [string, string][], block: Uint8Array): Uint8Array {
  const header = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`WARC/1.0\r\n${header}\r\n`), block, Buffer.from('\r\n\r\n')]);
}

/** Replaces line ends, which would end the header line. */
function headerValue(value: string): string {
  return value.replace(/[\x00-\x20\x7f]/g, (character) =>
    character === ' ' ? ' ' : encodeURIComponent(character),
  );
}

/** A UUID with the layout of version 5, hashed from the parts that identify the record. */
function recordId(...parts: string[]): string {
  const hash = createHash('sha1').update(JSON.stringify(parts)).digest();
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `urn:uuid:${uuid.join('-')}`;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** A digest in the form of WARC writers: `sha1:` and 32 letters of Base32. */
function sha1Base32(bytes: Uint8Array): string {
  const hash = createHash('sha1').update(bytes).digest();
  let letters = '';
  for (let bit = 0; bit < 160; bit += 5) {
    const pair = (hash[bit >> 3] << 8) | (hash[(bit >> 3) + 1] ?? 0);
    letters += BASE32[(pair >> (11 - (bit & 7))) & 31];
  }
  return `sha1:${letters}`;
}
