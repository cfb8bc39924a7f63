/**
 * Rebuilds pages from the files, as the processor of a style would, and compares them with the served bytes:
 * a check without a server that nothing was lost. It reads only the files, and shares no code with writing
 * except the parser of the syntax. Cost: a pass over each file; included files are cached up to a bound.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';
import type { Page } from '../../model/page.ts';
import type { FragmentResult } from '../shared-page.ts';
import { type IncludePart, type IncludeStyle, type IncludeSyntax, RAW_FOLDER } from './include-syntax.ts';
import { type ManifestRow, SYNTAXES } from './style-writer.ts';

/** Result of checking the files of one style. */
export interface VerifiedStyle {
  style: IncludeStyle;
  /** Number of pages that are rebuilt byte for byte. */
  rebuilt: number;
  /** URLs of the first pages that are not. */
  failed: string[];
  failedCount: number;
}

const MAX_NAMED_FAILURES = 100;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** Maximum depth of includes, as in Varnish. */
const MAX_DEPTH = 5;
const NO_PARAMETERS: Map<string, Uint8Array> = new Map();

/** Checks a folder that `writeIncludes` made from the same result, in one pass over the pages. */
export async function verifyIncludes(
  folder: string,
  styles: readonly IncludeStyle[],
  result: FragmentResult,
): Promise<VerifiedStyle[]> {
  const checks = styles.map((style) => {
    const below = join(folder, style);
    const verified: VerifiedStyle = { style, rebuilt: 0, failed: [], failedCount: 0 };
    return { verified, expander: new IncludeExpander(below, SYNTAXES[style]), rows: readManifest(below) };
  });
  await result.visitPages(async ({ page }) => {
    const original = originalBytes(page);
    for (const { verified, expander, rows } of checks) {
      const row: ManifestRow | undefined = (await rows.next()).value;
      if (row?.url === page.url && expander.rebuilds(row.file, original)) verified.rebuilt++;
      else {
        verified.failedCount++;
        if (verified.failed.length < MAX_NAMED_FAILURES) verified.failed.push(page.url);
      }
    }
  });
  for (const { rows } of checks) await rows.return(undefined);
  return checks.map(({ verified }) => verified);
}

async function* readManifest(folder: string): AsyncGenerator<ManifestRow, undefined> {
  const lines = createInterface({ input: createReadStream(join(folder, 'manifest.jsonl')) });
  for await (const line of lines) yield JSON.parse(line) as ManifestRow;
  return undefined;
}

/** Reads the files of one style as its processor does. */
export class IncludeExpander {
  readonly #folder: string;
  readonly #syntax: IncludeSyntax;
  readonly #cache = new Map<string, IncludePart[]>();
  #cachedBytes = 0;

  constructor(folder: string, syntax: IncludeSyntax) {
    this.#folder = folder;
    this.#syntax = syntax;
  }

  /** Returns whether a page's file expands to the bytes that were served. */
  rebuilds(file: string, { bytes, charset }: OriginalBytes): boolean {
    try {
      const expanded = this.expandPage(file);
      if (Buffer.compare(expanded, bytes) === 0) return true;
      if (!this.#syntax.holdsText || charset === 'UTF-8') return false;
      const encode = encoderOf(charset);
      return encode !== null && Buffer.compare(encode(expanded), bytes) === 0;
    } catch {
      return false; // a file that the processor would not understand
    }
  }

  /** Returns the bytes that the processor would send for a page's file; throws on invalid syntax. */
  expandPage(path: string): Uint8Array {
    const out: Uint8Array[] = [];
    this.#expand(this.#read(path), 0, NO_PARAMETERS, out);
    return Buffer.concat(out);
  }

  #expand(parts: IncludePart[], depth: number, parameters: Map<string, Uint8Array>, out: Uint8Array[]): void {
    if (depth > MAX_DEPTH) throw new Error('includes are nested too deeply');
    for (const part of parts) {
      if (part.kind === 'bytes') out.push(part.bytes);
      else if (part.kind === 'include') {
        this.#expand(this.#included(part.path), depth + 1, part.parameters ?? NO_PARAMETERS, out);
      } else {
        const value = parameters.get(part.name);
        if (value === undefined) throw new Error(`missing parameter ${part.name}`);
        out.push(value);
      }
    }
  }

  #included(path: string): IncludePart[] {
    let parts = this.#cache.get(path);
    if (parts !== undefined) return parts;
    parts = this.#read(path);
    if (this.#cachedBytes > MAX_CACHED_BYTES) {
      this.#cache.clear();
      this.#cachedBytes = 0;
    }
    this.#cache.set(path, parts);
    for (const part of parts) this.#cachedBytes += part.kind === 'bytes' ? part.bytes.length : 200;
    return parts;
  }

  #read(path: string): IncludePart[] {
    const bytes = readFileSync(join(this.#folder, path));
    // a site generator copies whole pages, and a server sends raw files, without parsing
    if (path.startsWith(`${RAW_FOLDER}/`)) return bytes.length > 0 ? [{ kind: 'bytes', bytes }] : [];
    return this.#syntax.parse(bytes);
  }
}

/**
 * The served bytes of a page, and spans of them by offsets of its UTF-8 source. Servers send bytes, so their
 * includes must be cut from the served bytes. A page in a legacy charset is encoded back piece by piece if
 * the whole page encodes back to exactly its body; then every piece does, because these charsets keep no
 * state between characters. Pages that do not encode back (invalid bytes, two codes for one character,
 * ISO-2022-JP and UTF-16) are kept whole.
 *
 * Cost: none for UTF-8; for others one encoding of the page, and one of each requested piece.
 */

/** The served bytes of a page and a way to cut them. */
export interface OriginalBytes {
  /** The page as it was served. */
  bytes: Uint8Array;
  /** WHATWG name of the charset of `bytes`. */
  charset: string;
  /** Bytes before the source: a byte order mark, or nothing. */
  mark: Uint8Array;
  /** Returns a span of the source as it was served; null when the page cannot be split. */
  slice: ((start: number, end: number) => Uint8Array) | null;
}

type Encode = (utf8: Uint8Array) => Uint8Array;

/** Returns the served bytes of a page. */
export function originalBytes({ source, body, charset }: Page): OriginalBytes {
  if (body === undefined || same(body, source)) {
    // without its body, a page in another charset is represented by its UTF-8 source
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

/** Returns an encoder from UTF-8 to a charset; null for charsets that keep state or do not extend ASCII. */
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
/**
 * Charsets whose bytes below 0x40 are always ASCII, so that tags can be inserted between their characters.
 */
const MULTI_BYTE = new Set(['gbk', 'gb18030', 'big5', 'euc-jp', 'shift_jis', 'euc-kr']);
/** Matches the names of charsets with one byte per character. */
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

/** Encodes UTF-8 bytes; returns nothing when the charset lacks a character or one is incomplete. */
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
