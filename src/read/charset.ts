/**
 * Converts the bytes of a page to UTF-8. The charset is chosen as in browsers (byte order mark, header,
 * meta), with two exceptions: bytes that are valid UTF-8 beyond chance are UTF-8 whatever is declared, and
 * bytes that are plainly not UTF-8 are not read as such because a header says so. The charset of pages
 * without a usable label is detected from their text. The result is always valid UTF-8 without a byte order
 * mark. Cost: a page that is already UTF-8 is checked by one native pass and not copied.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from '@exodus/bytes/encoding.js';
import { charsetNamed, metaCharset, metaLabel } from './declared-charset.ts';
import { detectCharset } from './detect-charset.ts';
import { looksUtf16 } from './sniff-html.ts';

/** A page as UTF-8, with the charset it came in. */
export interface Utf8Text {
  /** Valid UTF-8 without a byte order mark; shares the memory of the input if that was UTF-8 already. */
  bytes: Uint8Array;
  /** WHATWG name of the charset of the original bytes. */
  charset: string;
  /** The fault of the declared charset or the bytes, as a sentence; empty without a fault. */
  fault: string;
}

/** Converts a page to UTF-8; `headerLabel` is the charset of the HTTP header as written, or empty. */
export function toUtf8(body: Uint8Array, headerLabel = ''): Utf8Text {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    const text = body.subarray(3);
    return isUtf8(text) ? asIs(text) : read(text, 'UTF-8', 'the page has bytes that are not UTF-8');
  }
  const utf16 = looksUtf16(body);
  if (utf16) return read(body, utf16);

  const header = charsetNamed(headerLabel);
  const declared = header ?? metaCharset(body);
  if (isAscii(body)) {
    // ISO-2022-JP is the only charset of the web whose bytes are all ASCII while its text is not
    const escaped = declared === 'ISO-2022-JP' || (declared === null && isIso2022Jp(body));
    if (escaped && body.includes(ESCAPE)) return read(body, 'ISO-2022-JP');
    return { bytes: body, charset: declared ?? 'UTF-8', fault: '' };
  }
  const text = readBeyondAscii(body, header, declared);
  if (header !== null || text.fault !== '') return text;
  const unknown = headerLabel === '' && declared === null ? metaLabel(body) : headerLabel;
  return unknown === '' ? text : { ...text, fault: unknownCharset(unknown, text.charset) };
}

function unknownCharset(label: string, charset: string): string {
  return `the page is declared "${label.slice(0, MAX_LABEL_CHARACTERS)}", in which it cannot be read; read as ${charset}`;
}

function readBeyondAscii(body: Uint8Array, header: string | null, declared: string | null): Utf8Text {
  if (isUtf8(body)) {
    if (declared === null || declared === 'UTF-8') return asIs(body);
    // in about one of some thousand pages, four Chinese or Japanese characters are valid UTF-8 by chance
    const beyondChance = MULTI_BYTE.has(declared) ? 5 : 1;
    if (countUtf8(body).sequences < beyondChance) return read(body, declared);
    return asIs(body, `the page is declared ${declared} but its bytes are UTF-8; read as UTF-8`);
  }

  const { sequences, invalid } = countUtf8(body);
  if (declared === 'UTF-8') {
    if (sequences >= invalid)
      return read(body, 'UTF-8', 'the page has bytes that are not UTF-8; they were replaced');
    const meta = header === null ? null : metaCharset(body);
    const charset = meta !== null && meta !== 'UTF-8' ? meta : detectCharset(body);
    return read(body, charset, `the page is declared UTF-8 but its bytes are not; read as ${charset}`);
  }
  if (sequences >= 20 && sequences >= 20 * invalid) {
    return read(body, 'UTF-8', 'the page is UTF-8 but for a few bytes; they were replaced');
  }
  return read(body, declared ?? detectCharset(body));
}

const ESCAPE = 0x1b;
/** Longest part of a label in a message, in characters. */
const MAX_LABEL_CHARACTERS = 40;
const MULTI_BYTE = new Set(['GBK', 'gb18030', 'Big5', 'EUC-JP', 'Shift_JIS', 'EUC-KR', 'ISO-2022-JP']);

function asIs(bytes: Uint8Array, fault = ''): Utf8Text {
  return { bytes, charset: 'UTF-8', fault };
}

function read(body: Uint8Array, charset: string, fault = ''): Utf8Text {
  return { bytes: transcode(body, charset), charset, fault };
}

/**
 * Whether the bytes have `ESC $ B` or `ESC $ @`, which switch to two-byte Japanese and occur in no other
 * text.
 */
function isIso2022Jp(body: Uint8Array): boolean {
  let at = body.indexOf(ESCAPE);
  for (let i = 0; at >= 0 && i < 16; i++, at = body.indexOf(ESCAPE, at + 1)) {
    if (body[at + 1] === 0x24 && (body[at + 2] === 0x42 || body[at + 2] === 0x40)) return true;
  }
  return false;
}

/** Counts the characters beyond ASCII of bytes read as UTF-8, and the bytes that belong to no character. */
export function countUtf8(body: Uint8Array): { sequences: number; invalid: number } {
  let sequences = 0;
  let invalid = 0;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const lastFour = body.length - 4;
  for (let i = 0; i < body.length; ) {
    // skip ASCII, most of any page, four bytes at a time
    while (i <= lastFour && (view.getInt32(i, true) & 0x80808080) === 0) i += 4;
    if (i === body.length) break;
    const lead = body[i++];
    if (lead < 0x80) continue;
    const trail =
      lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    let found = 0;
    while (found < trail && i + found < body.length && (body[i + found] & 0xc0) === 0x80) found++;
    if (trail > 0 && found === trail) {
      sequences++;
      i += trail;
    } else if (trail > 0 && i + found === body.length) {
      break; // a character cut off by the end of the page is not a sign of another charset
    } else {
      invalid++;
    }
  }
  return { sequences, invalid };
}

/**
 * Converts bytes from the named WHATWG charset to UTF-8; invalid bytes become U+FFFD. Single-byte charsets go
 * through a table of 256 entries, with one pass to count and one to fill and no string in between. The others
 * go through the decoder of `@exodus/bytes`, which follows the Encoding standard where Node's own does not.
 */
export function transcode(body: Uint8Array, charset: string): Uint8Array {
  const table = SINGLE_BYTE.test(charset) ? tableOf(charset) : null;
  if (table) return transcodeByTable(body, table);
  // for UTF-8 the native decoder is correct, and faster
  const text = charset === 'UTF-8' ? utf8.decode(body) : new TextDecoder(charset).decode(body);
  return Buffer.from(text, 'utf8');
}

const utf8 = new globalThis.TextDecoder('utf-8');
/**
 * Highest bits of four bytes. In all these charsets, four bytes without them are ASCII and need no
 * conversion.
 */
const NOT_ASCII = 0x80808080;
const SINGLE_BYTE = /^(?:windows-|iso-8859-|koi8-|macintosh$|x-mac-cyrillic$|ibm866$)/i;
/** Tables by charset: for each byte its UTF-8 bytes, lowest first, and their number in the top byte. */
const tables = new Map<string, Uint32Array>();

function tableOf(charset: string): Uint32Array {
  let table = tables.get(charset);
  if (table === undefined) {
    table = new Uint32Array(256);
    const decoder = new TextDecoder(charset);
    for (let byte = 0; byte < 256; byte++) {
      const encoded = Buffer.from(decoder.decode(Uint8Array.of(byte)), 'utf8');
      table[byte] =
        (encoded[0] | ((encoded[1] ?? 0) << 8) | ((encoded[2] ?? 0) << 16) | (encoded.length << 24)) >>> 0;
    }
    tables.set(charset, table);
  }
  return table;
}

function transcodeByTable(body: Uint8Array, table: Uint32Array): Uint8Array {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const lastFour = body.length - 4;
  let size = body.length;
  for (let i = 0; i < body.length; i++) {
    while (i <= lastFour && (view.getInt32(i, true) & NOT_ASCII) === 0) i += 4;
    if (i < body.length) size += (table[body[i]] >>> 24) - 1;
  }
  const out = Buffer.allocUnsafe(size);
  const outView = new DataView(out.buffer, out.byteOffset, size);
  for (let i = 0, o = 0; i < body.length; i++) {
    for (; i <= lastFour; i += 4, o += 4) {
      const four = view.getInt32(i, true);
      if ((four & NOT_ASCII) !== 0) break;
      outView.setInt32(o, four, true);
    }
    if (i === body.length) break;
    const entry = table[body[i]];
    out[o++] = entry;
    const length = entry >>> 24;
    if (length > 1) {
      out[o++] = entry >>> 8;
      if (length > 2) out[o++] = entry >>> 16;
    }
  }
  return out;
}
