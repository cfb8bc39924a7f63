/**
 * Writes files of pieces: fragments, partials, pages, and raw files with bytes that a processor must not
 * interpret. Every fragment is written once, after the smaller ones inside it, so that the depth of its
 * includes is known. A fragment includes only smaller ones, so includes never form a cycle.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ELEMENT, type Tree } from '../../parse/tree.ts';
import {
  callPartial,
  contentId,
  type IncludeSyntax,
  MAX_INCLUDE_DEPTH,
  MAX_PAGE_INCLUDES,
  parameterTag,
  partialPath,
  rawPath,
} from './include-syntax.ts';
import type { ChosenPartial, FragmentTable, Occurrence, Skeleton, Slice, Variant } from './include-tables.ts';

const NOTHING = new Uint8Array(0);

/** Writes the files of one style of includes, and counts them. */
export class IncludeFiles {
  readonly #folder: string;
  readonly #syntax: IncludeSyntax;
  readonly #table: FragmentTable;
  /** Number of includes of raw files in the assembled bytes. */
  #rawIncludes = 0;
  fragments = 0;
  partials = 0;
  rawFiles = 0;
  storedBytes = 0;

  constructor(folder: string, syntax: IncludeSyntax, table: FragmentTable) {
    this.#folder = folder;
    this.#syntax = syntax;
    this.#table = table;
  }

  /**
   * Returns the fragment that starts with a node, with its file written; undefined without one, or when its
   * includes are too deep or too many.
   */
  findFragment(tree: Tree, node: number, slice: Slice, limit: number, room: number): Occurrence | undefined {
    const found = room > 0 ? this.#table.find(tree, node, limit, slice, () => true) : undefined;
    if (found === undefined) return undefined;
    if (found.variant.depth === 0) this.#writeFragments(tree, node, found, slice);
    const { depth, includes } = found.variant;
    return depth <= MAX_INCLUDE_DEPTH && includes <= room ? found : undefined;
  }

  /** Writes a partial unless it exists; `room` is as for a page. */
  writePartial(tree: Tree, node: number, { partial, skeleton, start, end }: PartialCall, slice: Slice): void {
    if (partial.written) return;
    const varying = skeleton.slots.filter((_, slot) => partial.varies[slot] === 1);
    const pieces = planSpan(tree, { node, start, end }, (inner) => {
      const found = this.findFragment(tree, inner, slice, end, MAX_PAGE_INCLUDES);
      const constant = found && !varying.some((slot) => slot.start >= found.start && slot.end <= found.end);
      return constant ? { kind: 'fragment', ...found } : undefined;
    });
    const file: Piece[] = [];
    let next = 0;
    for (const piece of pieces) {
      let cursor = piece.start;
      for (; next < varying.length && piece.kind === 'text' && varying[next].end <= piece.end; next++) {
        const slot = varying[next];
        if (slot.start > cursor) file.push({ kind: 'text', start: cursor, end: slot.start });
        file.push({ kind: 'parameter', ...slot });
        cursor = slot.end;
      }
      if (cursor < piece.end) file.push(piece.kind === 'text' ? { ...piece, start: cursor } : piece);
    }
    this.#write(partialPath(partial.id), this.assemble(file, slice));
    partial.written = true;
    this.partials++;
  }

  /** Returns the bytes of a file; `mark` goes before its first piece. */
  assemble(pieces: Piece[], slice: Slice, mark: Uint8Array = NOTHING): Uint8Array {
    const parts: Uint8Array[] = [];
    if (mark.length > 0 && pieces[0]?.kind !== 'text') parts.push(this.#literal(mark, true));
    for (const piece of pieces) {
      if (piece.kind === 'text') {
        const bytes = slice(piece.start, piece.end);
        const first = parts.length === 0;
        parts.push(this.#literal(first && mark.length > 0 ? Buffer.concat([mark, bytes]) : bytes, first));
      } else if (piece.kind === 'fragment') {
        const path = this.#syntax.fragmentPath(piece.variant.id);
        parts.push(Buffer.from(this.#syntax.includeTag(path)));
      } else if (piece.kind === 'parameter') {
        parts.push(Buffer.from(parameterTag(piece.name)));
      } else {
        const { partial, skeleton } = piece;
        const varying = skeleton.slots.filter((_, slot) => partial.varies[slot] === 1);
        const values = varying.map(({ name, start, end }): [string, Uint8Array] => [name, slice(start, end)]);
        parts.push(Buffer.from(callPartial(partialPath(partial.id), values), 'latin1'));
      }
    }
    return Buffer.concat(parts);
  }

  /** Returns bytes as a file may contain them: unchanged, or as the include of a raw file. */
  #literal(bytes: Uint8Array, first: boolean): Uint8Array {
    const literal = this.#syntax.literal(bytes, first);
    if (literal !== null) return literal;
    this.#rawIncludes++;
    const path = rawPath(contentId(bytes));
    if (!existsSync(join(this.#folder, path))) {
      this.#write(path, bytes);
      this.rawFiles++;
    }
    return Buffer.from(this.#syntax.includeTag(path));
  }

  writePage(path: string, bytes: Uint8Array): void {
    this.#write(path, bytes);
  }

  /** Removes the file of a page. */
  discard(path: string, bytes: number): void {
    rmSync(join(this.#folder, path));
    this.storedBytes -= bytes;
  }

  /** Returns a page as one piece. */
  wholePage(bytes: Uint8Array): Uint8Array {
    return this.#literal(bytes, true);
  }

  /** Writes the file of a fragment, and before it those of the fragments inside it that have none yet. */
  #writeFragments(tree: Tree, node: number, outer: Occurrence, slice: Slice): void {
    const waiting = [{ node, found: outer }];
    const queued = new Set<Variant>([outer.variant]);
    const isNew = (variant: Variant): boolean =>
      variant.depth === 0 && variant.bytes < outer.variant.bytes && !queued.has(variant);
    for (let inner = node; inner < tree.nodeCount && tree.start[inner] < outer.end; inner++) {
      if (tree.kind[inner] !== ELEMENT) continue;
      for (
        let found: Occurrence | undefined;
        (found = this.#table.find(tree, inner, outer.end, slice, isNew));
      ) {
        queued.add(found.variant);
        waiting.push({ node: inner, found });
      }
    }
    waiting.sort((a, b) => a.found.variant.bytes - b.found.variant.bytes);
    for (const each of waiting) this.#writeFragment(tree, each.node, each.found, slice);
  }

  #writeFragment(tree: Tree, node: number, { variant, start, end }: Occurrence, slice: Slice): void {
    let depth = 0;
    let includes = 1;
    const suits = (inner: Variant): boolean =>
      inner.depth > 0 &&
      inner.depth < MAX_INCLUDE_DEPTH &&
      inner.bytes < variant.bytes &&
      includes + inner.includes <= MAX_PAGE_INCLUDES;
    const pieces = planSpan(tree, { node, start, end }, (inner) => {
      const found = this.#table.find(tree, inner, end, slice, suits);
      if (found === undefined) return undefined;
      depth = Math.max(depth, found.variant.depth);
      includes += found.variant.includes;
      return { kind: 'fragment', ...found };
    });
    const rawBefore = this.#rawIncludes;
    const bytes = this.assemble(pieces, slice);
    if (this.#rawIncludes > rawBefore) depth = Math.max(depth, 1);
    includes += this.#rawIncludes - rawBefore;
    this.#write(this.#syntax.fragmentPath(variant.id), bytes);
    variant.depth = depth + 1;
    variant.includes = includes;
    this.fragments++;
  }

  #write(path: string, bytes: Uint8Array): void {
    const file = join(this.#folder, path);
    try {
      writeFileSync(file, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
    this.storedBytes += bytes.length;
  }
}

/** A span of a page that a partial with parameters replaces. */
export interface PartialCall {
  partial: ChosenPartial;
  skeleton: Skeleton;
  start: number;
  end: number;
}

/** A piece of a file: text of the page, an include of a fragment, a call of a partial, or a parameter. */
export type Piece =
  | { kind: 'text'; start: number; end: number }
  | ({ kind: 'fragment' } & Occurrence)
  | ({ kind: 'partial' } & PartialCall)
  | { kind: 'parameter'; start: number; end: number; name: string };

/**
 * Cuts `[start, end)` of a page, whose first node is `node`, into text and pieces from other files. `pick`
 * returns the replacement of a node, if any. Nodes are visited in document order: the outermost fragment with
 * a file is taken, and the nodes inside it are skipped.
 */
export function planSpan(
  tree: Tree,
  { node: first, start, end }: { node: number; start: number; end: number },
  pick: (node: number) => Piece | undefined,
): Piece[] {
  const pieces: Piece[] = [];
  let cursor = start;
  for (let node = first; node < tree.nodeCount && tree.start[node] < end; ) {
    const piece = tree.kind[node] === ELEMENT && tree.start[node] >= cursor ? pick(node) : undefined;
    if (piece === undefined) {
      node++;
      continue;
    }
    if (piece.start > cursor) pieces.push({ kind: 'text', start: cursor, end: piece.start });
    pieces.push(piece);
    cursor = piece.end;
    node = Math.max(tree.last[node], node + 1);
  }
  if (cursor < end) pieces.push({ kind: 'text', start: cursor, end });
  return pieces;
}
