/**
 * HTTP responses as records contain them: unusual heads, chunked bodies, content encodings and charset
 * labels.
 */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { pick } from '../mutate.ts';
import type { Random } from '../target.ts';

const STATUS_LINES = [
  'HTTP/1.1 200 OK',
  'HTTP/1.0 200',
  'HTTP/2 203 x',
  'HTTP/1.1 404 Not Found',
  'HTTP/1.1 2000',
  'ICY 200 OK',
  'http/1.1 200',
  '',
];
const TYPES = [
  'text/html',
  'TEXT/HTML ',
  'application/xhtml+xml',
  'text/plain',
  'image/png',
  '',
  'text/html,text/html',
];
/** Labels of charsets, real and invalid ones. */
export const CHARSET_LABELS = [
  'utf-8',
  '"utf-8"',
  'UTF-16LE',
  'utf-16be',
  'iso-8859-1',
  'windows-1251',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'x-user-defined',
  'replacement',
  'utf-7',
  'utf-32',
  'nonsense',
  "'",
  '',
];
const ENCODERS: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  gzip: (bytes) => gzipSync(bytes),
  'x-gzip': (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  Deflate: (bytes) => deflateRawSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  identity: (bytes) => bytes,
  unknown: (bytes) => bytes,
};
const TEXTS = [
  '<html><body><p>Hello</p></body></html>',
  '<!doctype html><title>é</title><p>Grüße, мир, 世界',
  '<meta charset=shift_jis><p>x',
  '<meta http-equiv=content-type content="text/html; charset=euc-kr"><p>x',
  '<?xml version="1.0" encoding="iso-8859-5"?><html>x',
  '\ufeff<p>marked',
  'plain words and no tag',
  '',
  ' \n ',
];

/** Returns a random HTTP response. */
export function httpBlock(random: Random): Buffer {
  const eol = random(5) ? '\r\n' : '\n';
  const lines = [pick(random, STATUS_LINES)];
  if (random(6)) lines.push(`Content-Type: ${pick(random, TYPES)}${charsetParameter(random)}`);
  let body: Uint8Array = bodyOf(random);
  const encodings = Object.keys(ENCODERS);
  const chain = Array.from({ length: random(3) ? 0 : random(8) }, () => pick(random, encodings));
  for (const name of chain) body = ENCODERS[name](body);
  if (chain.length > 0) lines.push(`Content-Encoding: ${chain.join(random(2) ? ', ' : ',')}`);
  if (random(3) === 0) {
    lines.push(`Transfer-Encoding: ${pick(random, ['chunked', 'Chunked', 'gzip, chunked', 'identity'])}`);
    if (random(4)) body = chunked(random, body);
  }
  if (random(3) === 0) lines.push(`Content-Length: ${random(2) ? body.length : random(5000)}`);
  if (random(6) === 0)
    lines.push(pick(random, [' folded', 'No colon', ': no name', 'X-Ünusual: ä', 'Set-Cookie: a=b']));
  return Buffer.concat([Buffer.from(`${lines.join(eol)}${eol}${eol}`), body]);
}

function charsetParameter(random: Random): string {
  if (random(3) === 0) return '';
  const before = pick(random, ['; ', ';', ' ; boundary=x;', ', ']);
  return `${before}${pick(random, ['charset=', 'Charset = ', 'charset:', 'charset'])}${pick(random, CHARSET_LABELS)}`;
}

function bodyOf(random: Random): Buffer {
  const text = pick(random, TEXTS).repeat(random(8) ? 1 : 1 + random(200));
  if (random(6) === 0) return Buffer.from(text, 'utf16le');
  if (random(6) === 0) return Buffer.from(text, 'latin1');
  return Buffer.from(text);
}

function chunked(random: Random, body: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const sizeBytes = 1 + random(body.length);
    const chunk = body.subarray(at, at + sizeBytes);
    const stated = random(12) ? chunk.length : random(100);
    const extension = random(8) ? '' : pick(random, [';a=b', ' ', ';"\r\n"', '0000000000']);
    parts.push(Buffer.from(`${stated.toString(16)}${extension}\r\n`), chunk, Buffer.from('\r\n'));
    at += sizeBytes;
  }
  return Buffer.concat([...parts, Buffer.from(random(6) ? '0\r\n\r\n' : '')]);
}
