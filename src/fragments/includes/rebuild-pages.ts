/**
 * Puts pages together again from the files, as the processor of a style would, and compares them with what was served:
 * the check that nothing was lost, without a server. It reads the files and nothing else, and shares nothing with the
 * writing but the way a syntax is read back.
 * Cost: a pass over each file; included files are cached up to a bound.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { FragmentResult } from '../shared-page.ts';
import { type IncludeStyle, type IncludeSyntax, type Part, RAW_FOLDER } from './include-syntax.ts';
import { encoderOf, type OriginalBytes, originalBytes } from './original-bytes.ts';
import { type ManifestRow, SYNTAXES } from './style-writer.ts';

export interface VerifiedStyle {
  style: IncludeStyle;
  /** Pages that come out byte for byte. */
  rebuilt: number;
  /** URLs of pages that do not, the first of them. */
  failed: string[];
  failedCount: number;
}

const MAX_NAMED_FAILURES = 100;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
/** As Varnish's. */
const MAX_DEPTH = 5;
const NO_PARAMETERS: Map<string, Uint8Array> = new Map();

/** Checks a folder that `writeIncludes` made of the same result, in one pass over the pages. */
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

/** The files of one style, as its processor reads them. */
export class IncludeExpander {
  readonly #folder: string;
  readonly #syntax: IncludeSyntax;
  readonly #cache = new Map<string, Part[]>();
  #cachedBytes = 0;

  constructor(folder: string, syntax: IncludeSyntax) {
    this.#folder = folder;
    this.#syntax = syntax;
  }

  /** Whether a page's file expands to the bytes that were served. */
  rebuilds(file: string, { bytes, charset }: OriginalBytes): boolean {
    try {
      const expanded = this.expandPage(file);
      if (Buffer.compare(expanded, bytes) === 0) return true;
      if (!this.#syntax.holdsText || charset === 'UTF-8') return false;
      const encode = encoderOf(charset);
      return encode !== null && Buffer.compare(encode(expanded), bytes) === 0;
    } catch {
      return false; // a file that the processor does not understand
    }
  }

  /** The bytes that the processor would send for a page's file; throws on syntax that it would not understand. */
  expandPage(path: string): Uint8Array {
    const out: Uint8Array[] = [];
    this.#expand(this.#read(path), 0, NO_PARAMETERS, out);
    return Buffer.concat(out);
  }

  #expand(parts: Part[], depth: number, parameters: Map<string, Uint8Array>, out: Uint8Array[]): void {
    if (depth > MAX_DEPTH) throw new Error('includes go too deep');
    for (const part of parts) {
      if (part.kind === 'bytes') out.push(part.bytes);
      else if (part.kind === 'include') {
        this.#expand(this.#included(part.path), depth + 1, part.parameters ?? NO_PARAMETERS, out);
      } else {
        const value = parameters.get(part.name);
        if (value === undefined) throw new Error(`no parameter ${part.name}`);
        out.push(value);
      }
    }
  }

  #included(path: string): Part[] {
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

  #read(path: string): Part[] {
    const bytes = readFileSync(join(this.#folder, path));
    // a site generator copies whole pages, and a server sends raw files, as they are
    if (path.startsWith(`${RAW_FOLDER}/`)) return bytes.length > 0 ? [{ kind: 'bytes', bytes }] : [];
    return this.#syntax.parse(bytes);
  }
}
