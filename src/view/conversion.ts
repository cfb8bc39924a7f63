/**
 * Clean text as WARC `conversion` records, as in the WET files of Common Crawl: plain text that refers to
 * the record it was made from. The bytes are written here (a header of nine lines needs no library) and
 * read back with warcio in the tests. Ids are made from what the record says, so that the same page gives
 * the same record on every run.
 */
import { createHash } from 'node:crypto';
import type { Page } from '../model/page.ts';

export type ConversionSource = Pick<Page, 'url' | 'time' | 'recordId'>;

/** WARC requires a date: this one stands for pages whose archive gives none. */
const NO_DATE = '1970-01-01T00:00:00Z';

/** One record with its text, ready to be written (or gzipped as a member of its own). */
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
  fields.push(
    ['WARC-Block-Digest', digest],
    ['Content-Type', mime],
    ['Content-Length', String(block.length)],
  );
  return warcRecord(fields, block);
}

/** The record a file of conversions begins with: which software, from which archives. */
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

/** A header line ends at a line end: none may stand in a value. */
function headerValue(value: string): string {
  return value.replace(/[\x00-\x20\x7f]/g, (character) =>
    character === ' ' ? ' ' : encodeURIComponent(character),
  );
}

/** A UUID of version 5's layout from what makes the record what it is. */
function recordId(...parts: string[]): string {
  const hash = createHash('sha1').update(JSON.stringify(parts)).digest();
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `urn:uuid:${uuid.join('-')}`;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** As WARC writers give digests: `sha1:` and 32 letters. */
function sha1Base32(bytes: Uint8Array): string {
  const hash = createHash('sha1').update(bytes).digest();
  let letters = '';
  for (let bit = 0; bit < 160; bit += 5) {
    const pair = (hash[bit >> 3] << 8) | (hash[(bit >> 3) + 1] ?? 0);
    letters += BASE32[(pair >> (11 - (bit & 7))) & 31];
  }
  return `sha1:${letters}`;
}
