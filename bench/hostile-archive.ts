/** Archives made to be slow: pages of a hostile shape, one site each, as WARC records. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { gzipMember, httpHeadOf, warcRecord } from '../src/research/generated-sites/write-archive.ts';

/** A hostile shape of pages. */
export interface Hostile {
  name: string;
  /** Returns the body of page number `page`; `scale` is 1 for the named page, 0.5 for half of it. */
  html: (scale: number, page: number) => string;
  /** Content-Encodings in the order of their application. @default none */
  encodings?: (keyof typeof ENCODERS)[];
  /** Options of `chaff report` with which the page passes the limits. */
  args?: string[];
}

const ENCODERS = {
  gzip: (bytes: Uint8Array): Uint8Array => gzipSync(bytes),
  deflate: (bytes: Uint8Array): Uint8Array => deflateSync(bytes),
  br: (bytes: Uint8Array): Uint8Array =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** All hostile shapes. */
export const HOSTILE: Hostile[] = [
  { name: '20,000 nested div', html: (s, p) => `${'<div>'.repeat(20_000 * s)}page ${p}` },
  { name: '512 kB of ul li', html: (s, p) => `${'<ul><li>'.repeat(65_536 * s)}page ${p}` },
  { name: '10,000 alternating b i', html: (s, p) => `${'<b><i>'.repeat(10_000 * s)}page ${p}` },
  {
    name: 'b i ladder, closed crosswise',
    html: (s, p) => `${'<b><i>x'.repeat(20_000 * s)}page ${p}${'</b></i>'.repeat(20_000 * s)}`,
  },
  {
    name: 'formatting around blocks',
    html: (s, p) => `${'<b><div></b>x</div>'.repeat(20_000 * s)}page ${p}`,
  },
  { name: 'text in tables', html: (s, p) => `<table>${'<tr>x<b>y'.repeat(20_000 * s)}page ${p}` },
  { name: '100,000 attributes', html: (s, p) => `<p ${series(100_000 * s, (k) => `a${k}=${k} `)}>page ${p}` },
  {
    name: '100,000 links',
    html: (s, p) => `${series(100_000 * s, (k) => `<a href=/${k}>${k}</a> `)}page ${p}`,
  },
  {
    name: 'one paragraph 100,000 times',
    html: (s, p) => `${'<p>same again</p>'.repeat(100_000 * s)}page ${p}`,
  },
  {
    name: 'one text of 50 MB',
    html: (s, p) => `<p>page ${p} ${words(50e6 * s, p)}`,
    args: ['--max-page-bytes', '60000000'],
  },
  {
    name: 'one letter 8,000,000 times',
    html: (s, p) => `<p>page ${p} ${'a'.repeat(8e6 * s)}`,
    args: ['--max-ratio', '10000'],
  },
  {
    name: 'chain of five encodings',
    html: (s, p) => `<p>page ${p} ${words(4e6 * s, p)}`,
    encodings: ['gzip', 'deflate', 'br', 'gzip', 'deflate'],
  },
  {
    name: 'chain of six encodings',
    html: (s, p) => `<p>page ${p} ${words(4e6 * s, p)}`,
    encodings: ['gzip', 'deflate', 'br', 'gzip', 'deflate', 'br'],
  },
  { name: 'gzip bomb of 100 MB', html: (s) => `<p>${' '.repeat(100e6 * s)}`, encodings: ['gzip'] },
  {
    name: 'gzip bomb in gzip',
    html: (s) => `<p>${' '.repeat(100e6 * s)}`,
    encodings: ['gzip', 'gzip'],
  },
];

/** Writes pages until they have `leastBytes` of HTML; returns the bytes of HTML written. */
export function writeHostileArchive(
  file: string,
  { html, encodings = [] }: Hostile,
  { scale, leastBytes }: { scale: number; leastBytes: number },
): number {
  const handle = openSync(file, 'w');
  let written = 0;
  for (let page = 1; written < leastBytes; page++) {
    const source = Buffer.from(html(scale, page));
    written += source.length;
    writeSync(handle, gzipMember(pageRecord(page, source, encodings)));
  }
  closeSync(handle);
  return written;
}

function pageRecord(page: number, html: Uint8Array, encodings: (keyof typeof ENCODERS)[]): Uint8Array {
  let body = html;
  for (const encoding of encodings) body = ENCODERS[encoding](body);
  const fields: [string, string][] = [['Content-Type', 'text/html; charset=utf-8']];
  if (encodings.length > 0) fields.push(['Content-Encoding', encodings.join(', ')]);
  const head = {
    type: 'response',
    time: '2020-01-01T00:00:00Z',
    url: `http://hostile.example/${page}`,
    contentType: 'application/http; msgtype=response',
  } as const;
  return warcRecord(head, httpHeadOf('200 OK', fields), body);
}

function series(length: number, item: (k: number) => string): string {
  return Array.from({ length }, (_, k) => item(k)).join('');
}

/** Returns words without repetitions, which neither a compressor nor a detector can shorten. */
function words(bytes: number, seed: number): string {
  const text: string[] = [];
  let state = seed;
  for (let length = 0; length < bytes; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const word = (state >>> 4).toString(36);
    text.push(word);
    length += word.length + 1;
  }
  return text.join(' ');
}
