/**
 * Puts pages together again from the files, as the processor of a style would: the check that nothing was
 * lost, without a server. It reads the files and nothing else, and knows only what the syntax can read back.
 * Cost: a pass over each file; files read before are kept, up to a bound.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type IncludeSyntax, type Part, RAW_FOLDER } from './include-syntax.ts';

const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** As Varnish's. */
const MAX_DEPTH = 5;

export class IncludeExpander {
  readonly #folder: string;
  readonly #syntax: IncludeSyntax;
  readonly #kept = new Map<string, Part[]>();
  #keptBytes = 0;

  constructor(folder: string, syntax: IncludeSyntax) {
    this.#folder = folder;
    this.#syntax = syntax;
  }

  /** The bytes that the processor would send for a page's file; throws on what it would not understand. */
  expandPage(path: string): Uint8Array {
    const out: Uint8Array[] = [];
    this.#expand(this.#read(path), 0, NONE, out);
    return Buffer.concat(out);
  }

  #expand(parts: Part[], depth: number, parameters: Map<string, Uint8Array>, out: Uint8Array[]): void {
    if (depth > MAX_DEPTH) throw new Error('includes go too deep');
    for (const part of parts) {
      if (part.kind === 'bytes') out.push(part.bytes);
      else if (part.kind === 'include') {
        this.#expand(this.#included(part.path), depth + 1, part.parameters ?? NONE, out);
      } else {
        const value = parameters.get(part.name);
        if (value === undefined) throw new Error(`no parameter ${part.name}`);
        out.push(value);
      }
    }
  }

  #included(path: string): Part[] {
    let parts = this.#kept.get(path);
    if (parts !== undefined) return parts;
    parts = this.#read(path);
    if (this.#keptBytes > MAX_KEPT_BYTES) {
      this.#kept.clear();
      this.#keptBytes = 0;
    }
    this.#kept.set(path, parts);
    for (const part of parts) this.#keptBytes += part.kind === 'bytes' ? part.bytes.length : 200;
    return parts;
  }

  #read(path: string): Part[] {
    const bytes = readFileSync(join(this.#folder, path));
    // whole pages of a site generator are copied, raw files of a server are sent, as they are
    if (path.startsWith(`${RAW_FOLDER}/`)) return bytes.length > 0 ? [{ kind: 'bytes', bytes }] : [];
    return this.#syntax.parse(bytes);
  }
}

const NONE: Map<string, Uint8Array> = new Map();
