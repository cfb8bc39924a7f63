/**
 * The bytes a page was served as, and any stretch of them by offsets of its UTF-8 source. Servers send bytes,
 * so their includes must be cut from what was served. A page in a legacy charset is encoded back piece by
 * piece when the whole of it encodes back to exactly its body; then every piece does, since these charsets
 * keep no state between characters. What does not encode back (bytes its charset does not allow, two codes
 * for one character, ISO-2022-JP and UTF-16) has no pieces: such a page is kept whole.
 *
 * Cost: nothing for UTF-8; for others one encoding of the page, and one of each piece asked for.
 */
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import type { Page } from '../../model/page.ts';

export interface OriginalBytes {
  /** The page as it was served. */
  bytes: Uint8Array;
  /** WHATWG name of the charset of `bytes`. */
  charset: string;
  /** What precedes the source: a byte order mark, or nothing. */
  mark: Uint8Array;
  /** A stretch of the source as it was served; null when the page cannot be taken to pieces. */
  slice: ((start: number, end: number) => Uint8Array) | null;
}

type Encode = (utf8: Uint8Array) => Uint8Array;

export function originalBytes({ source, body, charset }: Page): OriginalBytes {
  if (body === undefined || same(body, source)) {
    // without its body, a page in another charset is what it was transcoded to
    const known = body === undefined && !isAsciiOnly(source) ? 'UTF-8' : charset;
    return { bytes: source, charset: known, mark: NOTHING, slice: (a, b) => source.subarray(a, b) };
  }
  if (
    body.length === source.length + 3 &&
    same(body.subarray(0, 3), MARK) &&
    same(body.subarray(3), source)
  ) {
    return { bytes: body, charset, mark: MARK, slice: (a, b) => source.subarray(a, b) };
  }
  const encode = encoderOf(charset);
  const slice = encode && ((a: number, b: number) => tryEncoding(source.subarray(a, b), encode));
  return {
    bytes: body,
    charset,
    mark: NOTHING,
    slice: slice && encodesTo(source, body, encode) ? slice : null,
  };
}

/** UTF-8 bytes to those of a charset; null for a charset that keeps state or is not made of ASCII. */
export function encoderOf(charset: string): Encode | null {
  const name = charset.toLowerCase();
  let encoder = encoders.get(name);
  if (encoder === undefined) {
    encoder = makeEncoder(name);
    encoders.set(name, encoder);
  }
  return encoder;
}

const NOTHING = new Uint8Array(0);
const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
/** Charsets whose bytes below 0x40 are always ASCII, so that tags can be put between their characters. */
const MULTI_BYTE = new Set(['gbk', 'gb18030', 'big5', 'euc-jp', 'shift_jis', 'euc-kr']);
export const SINGLE_BYTE = /^(?:windows-|iso-8859-|koi8-|macintosh$|x-mac-cyrillic$|ibm866$)/;
const encoders = new Map<string, Encode | null>();

function makeEncoder(name: string): Encode | null {
  if (name === 'utf-8') return (utf8) => utf8;
  if (!MULTI_BYTE.has(name) && !SINGLE_BYTE.test(name)) return null;
  const encode = MULTI_BYTE.has(name) ? createMultibyteEncoder(name) : createSinglebyteEncoder(name);
  return (utf8) => encode(text(utf8));
}

function encodesTo(source: Uint8Array, body: Uint8Array, encode: Encode | null): boolean {
  return encode !== null && same(tryEncoding(source, encode), body);
}

/** Nothing when there is a character that the charset does not have, or half a one. */
function tryEncoding(utf8: Uint8Array, encode: Encode): Uint8Array {
  try {
    return encode(utf8);
  } catch {
    return NOTHING;
  }
}

function text(utf8: Uint8Array): string {
  return Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length).toString('utf8');
}

function isAsciiOnly(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] > 0x7f) return false;
  return true;
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
