/**
 * Writes one style of includes page by page: first every page is counted, then the fragments worth a file are
 * chosen, then every page is written, expanded from the files and compared with the served bytes. A page whose
 * expansion differs, or that cannot be split, is written whole, so the result is always complete.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FragmentMember, SharedPage } from '../shared-page.ts';
import { IncludeFiles, type Piece, planSpan } from './include-files.ts';
import {
  esiSyntax,
  type IncludeStyle,
  type IncludeSyntax,
  MAX_PAGE_INCLUDES,
  nunjucksSyntax,
  RAW_FOLDER,
  ssiSyntax,
} from './include-syntax.ts';
import { FragmentTable, PartialTable, type Slice } from './include-tables.ts';
import { IncludeExpander, type OriginalBytes, SINGLE_BYTE } from './rebuild-pages.ts';

/** The syntax of each style of includes. */
export const SYNTAXES: Record<IncludeStyle, IncludeSyntax> = {
  ssi: ssiSyntax,
  esi: esiSyntax,
  nunjucks: nunjucksSyntax,
};

/** A line of `manifest.jsonl`. */
export interface ManifestRow {
  url: string;
  time: string;
  /** Path of the page's file, relative to the folder of the style. */
  file: string;
  /** Charset of the rebuilt page. */
  charset: string;
  /** Bytes of the rebuilt page. */
  bytes: number;
  /** Whether the page was written as one piece because it cannot be split. */
  whole: boolean;
}

/** Counts over the files of one style. */
export interface StyleSummary {
  style: IncludeStyle;
  pages: number;
  /** Number of pages written as one piece, because they cannot be split or did not come out the same. */
  wholePages: number;
  fragments: number;
  partials: number;
  rawFiles: number;
  /** Number of includes and calls of partials in pages. */
  includes: number;
  /** Bytes of the pages, as UTF-8 in styles whose files are text, else as served; and bytes of all files. */
  servedBytes: number;
  storedBytes: number;
}

/** Writes the pages of one style of includes: `count` every page, `choose`, then `write` every page. */
export class StyleWriter {
  readonly summary: StyleSummary;
  /** Charsets that pages were converted back to from text. */
  readonly charsets = new Set<string>();
  readonly #syntax: IncludeSyntax;
  readonly #folder: string;
  readonly #costBytes: number;
  readonly #membersOf: Map<string, number>;
  readonly #fragments = new FragmentTable();
  readonly #partials = new PartialTable();
  readonly #files: IncludeFiles;
  readonly #expander: IncludeExpander;

  constructor(
    style: IncludeStyle,
    { folder, costBytes, membersOf }: { folder: string; costBytes: number; membersOf: Map<string, number> },
  ) {
    this.#syntax = SYNTAXES[style];
    this.#folder = folder;
    this.#costBytes = costBytes;
    this.#membersOf = membersOf;
    this.#files = new IncludeFiles(folder, this.#syntax, this.#fragments);
    this.#expander = new IncludeExpander(folder, this.#syntax);
    this.summary = {
      style,
      pages: 0,
      wholePages: 0,
      fragments: 0,
      partials: 0,
      rawFiles: 0,
      includes: 0,
      servedBytes: 0,
      storedBytes: 0,
    };
    mkdirSync(folder, { recursive: true });
  }

  /** Counts the shared fragments of a page. */
  count({ page, tree, members }: SharedPage, original: OriginalBytes): void {
    const slice = this.#sliceOf(page.source, original);
    if (slice === null) return;
    const complete = members.filter(({ relation }) => relation === 'complete');
    for (const { node, end } of complete) this.#fragments.count(tree, node, end, slice);
    if (!this.#syntax.holdsText) return;
    let at = 0;
    for (const member of members) {
      if (member.relation !== 'structural') continue;
      while (at < complete.length && complete[at].end <= member.start) at++;
      // a fragment inside a larger complete one is included with that one
      const over = complete[at];
      if (over !== undefined && over.start <= member.start && over.end > member.end) continue;
      this.#partials.count(tree, member, this.#rivalBytes(member, complete, at));
    }
  }

  /** Returns the bytes that includes of the complete fragments in a member would save, as counted so far. */
  #rivalBytes({ start, end }: FragmentMember, complete: FragmentMember[], from: number): number {
    let bytes = 0;
    for (let k = from; k < complete.length && complete[k].start < end; k++) {
      const inner = complete[k];
      if (inner.start < start || inner.end > end) continue;
      const members = this.#membersOf.get(inner.classId) ?? 1;
      bytes += Math.max(0, (inner.end - inner.start) * (1 - 1 / members) - this.#tagBytes - this.#costBytes);
    }
    return bytes;
  }

  /** Chooses the fragments and partials that get a file, once every page has been counted. */
  choose(): void {
    this.#fragments.choose(this.#tagBytes, this.#costBytes);
    this.#partials.choose(this.#costBytes);
  }

  get #tagBytes(): number {
    return this.#syntax.includeTag(this.#syntax.fragmentPath('0'.repeat(24))).length;
  }

  /** Writes a page and the files it includes, and checks that it comes out as it was served. */
  write(shared: SharedPage, original: OriginalBytes, path: string): void {
    const { page } = shared;
    let file = this.#syntax.pagePath(path);
    const slice = this.#sliceOf(page.source, original);
    const whole = slice === null || !this.#writePieces(shared, original, slice, file);
    if (whole) {
      // a site generator copies the file, a server sends it
      if (this.#syntax.holdsText) file = `${RAW_FOLDER}/${path}`;
      this.#files.writePage(
        file,
        this.#syntax.holdsText ? original.bytes : this.#files.wholePage(original.bytes),
      );
      this.summary.wholePages++;
    }
    const encoded = original.bytes !== page.source && original.mark.length === 0;
    if (this.#syntax.holdsText && !whole && encoded) this.charsets.add(original.charset);
    this.summary.pages++;
    this.summary.servedBytes += this.#syntax.holdsText && !whole ? page.source.length : original.bytes.length;
    const { url, time } = page;
    const row: ManifestRow = {
      url,
      time,
      file,
      charset: original.charset,
      bytes: original.bytes.length,
      whole,
    };
    appendFileSync(join(this.#folder, 'manifest.jsonl'), `${JSON.stringify(row)}\n`);
    const { fragments, partials, rawFiles, storedBytes } = this.#files;
    Object.assign(this.summary, { fragments, partials, rawFiles, storedBytes });
  }

  #writePieces(shared: SharedPage, original: OriginalBytes, slice: Slice, file: string): boolean {
    const pieces = this.#planPage(shared, slice);
    const bytes = this.#files.assemble(pieces, slice, original.mark);
    this.#files.writePage(file, bytes);
    if (this.#expander.rebuilds(file, original)) {
      this.summary.includes += pieces.filter(({ kind }) => kind !== 'text').length;
      return true;
    }
    this.#files.discard(file, bytes.length);
    return false;
  }

  #planPage({ tree, members, page }: SharedPage, slice: Slice): Piece[] {
    const end = page.source.length;
    const structural = new Map<number, FragmentMember>();
    if (this.#syntax.holdsText) {
      for (const member of members) if (member.relation === 'structural') structural.set(member.node, member);
    }
    let room = MAX_PAGE_INCLUDES;
    return planSpan(tree, { node: 0, start: 0, end }, (node) => {
      const found = this.#files.findFragment(tree, node, slice, end, room);
      if (found) {
        room -= found.variant.includes;
        return { kind: 'fragment', ...found };
      }
      const member = structural.get(node);
      const match = member && room > 0 ? this.#partials.find(tree, member) : undefined;
      if (member === undefined || match === undefined) return undefined;
      room--;
      const call = { ...match, start: member.start, end: member.end };
      this.#files.writePartial(tree, node, call, slice);
      return { kind: 'partial', ...call };
    });
  }

  /** Returns how to cut spans of a page for this style; null when the page must stay whole. */
  #sliceOf(source: Uint8Array, { slice, charset, bytes }: OriginalBytes): Slice | null {
    if (slice === null || !this.#syntax.holdsText) return slice;
    // templates are text; a table of 256 characters converts a page back to its charset, larger charsets are
    // kept whole
    if (bytes !== source && charset !== 'UTF-8' && !SINGLE_BYTE.test(charset.toLowerCase())) return null;
    return (start, end) => source.subarray(start, end);
  }
}
