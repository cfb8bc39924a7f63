/**
 * Replacements in `chaff/core` for Node's Buffer and for packages that would be most of its size (scripts/bundle-core.mjs
 * puts them there). Charsets are decoded by the runtime's own TextDecoder. Without the detector of charsets, a page that is
 * not UTF-8 and declares nothing is read as windows-1252. Without the list of public suffixes there are no sites by
 * domain.
 */

/** The part of Node's Buffer that is used: UTF-8, Latin-1 and Base64 to and from strings. */
export class Buffer extends Uint8Array {
  static override from(value: unknown, second?: unknown, third?: unknown): Buffer {
    if (typeof value === 'string') return view(encode(value, second as Encoding));
    // by name: the runtime's own functions may make buffers of another realm
    if (Object.prototype.toString.call(value) === '[object ArrayBuffer]')
      return new Buffer(value as ArrayBuffer, second as number, third as number);
    return new Buffer(value as Uint8Array);
  }

  static byteLength(text: string): number {
    return encoder.encode(text).length;
  }

  static alloc(sizeBytes: number): Buffer {
    return new Buffer(sizeBytes);
  }

  static allocUnsafe(sizeBytes: number): Buffer {
    return new Buffer(sizeBytes);
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof Buffer;
  }

  static concat(parts: readonly Uint8Array[]): Buffer {
    const all = new Buffer(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  override toString(encoding: Encoding = 'utf8', start = 0, end = this.length): string {
    const bytes = super.subarray(start, end);
    if (encoding === 'utf8') return utf8.decode(bytes);
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return encoding === 'base64' ? btoa(text) : text;
  }

  override indexOf(value: unknown, from = 0): number {
    if (typeof value === 'number') return super.indexOf(value, from);
    const wanted = typeof value === 'string' ? encoder.encode(value) : (value as Uint8Array);
    for (let at = super.indexOf(wanted[0], from); at >= 0; at = super.indexOf(wanted[0], at + 1)) {
      if (wanted.every((byte, k) => this[at + k] === byte)) return at;
    }
    return -1;
  }
}

type Encoding = 'utf8' | 'latin1' | 'base64';

const encoder = new TextEncoder();
const utf8 = new globalThis.TextDecoder('utf-8', { ignoreBOM: true });

function encode(text: string, encoding: Encoding = 'utf8'): Uint8Array {
  if (encoding === 'utf8') return encoder.encode(text);
  return Uint8Array.from(encoding === 'base64' ? atob(text) : text, (character) => character.charCodeAt(0));
}

function view({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return new Buffer(buffer as ArrayBuffer, byteOffset, length);
}

/** Of `node:buffer`. */
export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** Whether bytes are well-formed UTF-8. */
export function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const strict = new globalThis.TextDecoder('utf-8', { fatal: true });

/** Of `@exodus/bytes/encoding.js`. */
export const TextDecoder = globalThis.TextDecoder;

/** The name of an encoding for one of its labels; null for an unknown label. */
export function labelToName(label: string): string | null {
  try {
    const name = new globalThis.TextDecoder(label).encoding;
    return name === 'utf-8' ? 'UTF-8' : name.replace(/^utf-16/, 'UTF-16');
  } catch {
    return null;
  }
}

/** Of `chardet`. */
export function analyse(): [] {
  return [];
}

/** Of `tldts`. */
export function getHostname(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}

/** Throws: `chaff/core` has no list of public suffixes, so a site cannot be a domain. */
export function getDomain(): never {
  throw new RangeError('chaff/core knows no registrable domains: the site rule must be host or path:N');
}

/** Of `franc/data.js`: no lists of trigrams, so a language that shares its script is the one that the page declares. */
export const data = {};
