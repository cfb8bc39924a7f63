/**
 * Signs all pages in tasks, then assembles the signatures of one site after the other. Memory is that of the largest
 * site: 512 bytes per page and kind of token, plus its URLs (100,000 pages: 51 MB plus about 10 MB).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LayoutTokens } from '../../analysis/layout-signer.ts';
import type { SignedPages } from '../../analysis/signed-pages.ts';
import { doubled } from '../../model/growing-array.ts';
import { pageKey } from '../../model/page-key.ts';
import type { PageIdentity } from '../../store/plan.ts';
import { type DecodedSignatures, decodeSignatures, SIGNATURES_FILE } from '../tasks/page-tasks.ts';
import { type PlannedContext, runOnPages } from './run-stage.ts';

/** One site with the signatures of its pages. */
export interface SiteSignatures {
  site: string;
  /** The signed pages, in the order of the signature columns. */
  pages: PageIdentity[];
  /** The pages that could not be signed. */
  unsigned: PageIdentity[];
  /** Signatures by kind of token, in the requested order. */
  signed: SignedPages[];
}

/** Which signatures to make. */
export interface SignOptions {
  tokens: LayoutTokens[];
  permutations: number;
}

/** Reads, parses and signs every page; returns the names of the tasks. */
export function signAll(context: PlannedContext, options: SignOptions): Promise<string[]> {
  return runOnPages(context, 'layout', { kind: 'sign', ...options });
}

/** Reads the sites in the order of the plan from the files of the tasks. */
export async function* readSignatures(
  { folder, signal, plan }: PlannedContext,
  tasks: string[],
  { tokens, permutations }: SignOptions,
): AsyncGenerator<SiteSignatures> {
  const parts = new PartReader(tasks.map((name) => join(folder.taskFolder(name), SIGNATURES_FILE)));
  let site: SiteBuilder | undefined;
  for (const identity of plan.identities()) {
    if (site && site.name !== identity.site) {
      yield site.finish();
      signal?.throwIfAborted();
      site = undefined;
    }
    site ??= new SiteBuilder(identity.site, tokens.length, permutations);
    site.add(identity, parts.find(identity.page));
  }
  if (site) yield site.finish();
}

/** Reads signatures by ascending page number. */
class PartReader {
  readonly #files: string[];
  #nextFile = 0;
  #part: DecodedSignatures | undefined;
  #at = 0;

  constructor(files: string[]) {
    this.#files = files;
  }

  find(page: number): { part: DecodedSignatures; at: number } | undefined {
    while (!this.#part || this.#at === this.#part.pages.length) {
      if (this.#nextFile === this.#files.length) return undefined;
      this.#part = decodeSignatures(readFileSync(this.#files[this.#nextFile++]));
      this.#at = 0;
    }
    return this.#part.pages[this.#at] === page ? { part: this.#part, at: this.#at++ } : undefined;
  }
}

class SiteBuilder {
  readonly name: string;
  readonly #permutations: number;
  readonly #pages: PageIdentity[] = [];
  readonly #unsigned: PageIdentity[] = [];
  readonly #columns: Uint32Array[];

  constructor(name: string, kinds: number, permutations: number) {
    this.name = name;
    this.#permutations = permutations;
    this.#columns = Array.from({ length: kinds }, () => new Uint32Array(64 * permutations));
  }

  add(identity: PageIdentity, found: { part: DecodedSignatures; at: number } | undefined): void {
    if (!found) {
      this.#unsigned.push(identity);
      return;
    }
    const size = this.#permutations;
    const to = this.#pages.length * size;
    this.#pages.push(identity);
    for (let k = 0; k < this.#columns.length; k++) {
      if (to + size > this.#columns[k].length) this.#columns[k] = doubled(this.#columns[k]);
      this.#columns[k].set(found.part.signatures[k].subarray(found.at * size, (found.at + 1) * size), to);
    }
  }

  finish(): SiteSignatures {
    const pages = this.#pages;
    const urls = pages.map(({ url }) => url);
    const keys = urls.map(pageKey);
    const times = pages.map(({ time }) => time);
    const signed = this.#columns.map((column) => ({
      permutations: this.#permutations,
      signatures: column.subarray(0, pages.length * this.#permutations),
      keys,
      urls,
      times,
    }));
    return { site: this.name, pages, unsigned: this.#unsigned, signed };
  }
}
