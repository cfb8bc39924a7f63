/**
 * Legacy charsets to UTF-8 bytes. Single-byte charsets go through a table of 256 entries, one pass to count
 * and one to fill, without a string in between; the others through the decoder of `@exodus/bytes`, which
 * follows the Encoding standard where Node's own does not.
 */
import { TextDecoder } from '@exodus/bytes/encoding.js';

/** The bytes, which are in the named WHATWG charset, as UTF-8; what cannot be read becomes U+FFFD. */
export function transcode(body: Uint8Array, charset: string): Uint8Array {
  const table = SINGLE_BYTE.test(charset) ? tableOf(charset) : null;
  if (table) return transcodeByTable(body, table);
  // the native decoder is right, and faster, for UTF-8
  const text = charset === 'UTF-8' ? utf8.decode(body) : new TextDecoder(charset).decode(body);
  return Buffer.from(text, 'utf8');
}

const utf8 = new globalThis.TextDecoder('utf-8');
/** In four bytes at once, which in all these charsets are themselves where none has its highest bit set. */
const NOT_ASCII = 0x80808080;
const SINGLE_BYTE = /^(?:windows-|iso-8859-|koi8-|macintosh$|x-mac-cyrillic$|ibm866$)/i;
/** Per charset: for each byte its UTF-8 bytes, lowest first, and their number in the top byte. */
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
