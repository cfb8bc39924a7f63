/**
 * A page as clean text: what a reader sees, without its templates.
 *
 * Every block (paragraph, heading, list item, table row, `<br>`) is a line; no line is blank outside
 * `<pre>`; cells of a row are parted by a tab. White space is collapsed (no-break spaces too) except in
 * `<pre>` and `<textarea>`, character references are decoded, control characters are left out; nothing of
 * script, style, template, head and image alternatives. Superscripts and subscripts are written with the characters
 * that Unicode has for them, or as `^(…)` and `_(…)` (script-text.ts). A page of which all is dropped gives ''.
 *
 * With `mark` nothing is dropped; on every line, what is not content stands in brackets with its label:
 * `⟦template: Home · About⟧`, `⟦slot: …⟧`, `⟦unsure: …⟧`. The page's own ⟦ and ⟧ become [ and ] then.
 *
 * Nodes of blocks that are dropped as a whole are not visited. Cost: linear in the nodes and bytes that are kept.
 */

import { Block } from '../kernel/heap.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { PADDING_BYTES, PAGE_SOURCE, PAGE_SOURCE_BYTES } from '../kernel/layout.ts';
import * as layout from '../kernel/text-layout.ts';
import { CLOSING_BRACKET } from '../kernel/text-layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { Label, Range } from '../model/range.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { TAG } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { displayOfTag } from './display.ts';

export interface TextOptions {
  /** Labels whose text is kept. @default all but 'template' */
  keep?: readonly Label[];
  /** Keep everything and mark what is not content. @default false */
  mark?: boolean;
}

export const KEPT_LABELS: readonly Label[] = ['content', 'slot', 'unsure'];
const ALL_LABELS: readonly Label[] = [...KEPT_LABELS, 'template'];

export function renderText(tree: Tree, ranges: readonly Range[], options: TextOptions = {}): string {
  const { keep = KEPT_LABELS, mark = false } = options;
  const renderer = threadTextRenderer();
  if (!mark) return decoder.decode(renderer.render(tree, ranges, { keep, json: false }));
  const marked = renderer.render(tree, ranges, { keep: ALL_LABELS, brackets: BRACKET_BYTES, json: false });
  return decoder.decode(marked).replace(/[⟦⟧\x01-\x08]/g, (character) => BRACKETS[character]);
}

/** The same text in UTF-8, escaped as the inside of a JSON string. It holds until the next text is rendered. */
export function renderJsonText(
  tree: Tree,
  ranges: readonly Range[],
  keep = KEPT_LABELS,
): Uint8Array<ArrayBuffer> {
  return threadTextRenderer().render(tree, ranges, { keep, json: true });
}

/** U+FEFF at the start of a text belongs to it. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Control bytes that mark the brackets in the kernel's output, and the strings that replace them. */
const BRACKET_BYTES = { template: 1, unsure: 2, slot: 3 };
const BRACKETS: Record<string, string> = {
  '\x01': '⟦template: ',
  '\x02': '⟦unsure: ',
  '\x03': '⟦slot: ',
  [String.fromCharCode(CLOSING_BRACKET)]: '⟧',
  '⟦': '[',
  '⟧': ']',
};

/**
 * Renders the visible text of pages in the kernel, in place on the page. Ranges and the tables of the renderer lie in
 * blocks of the kernel's memory. Character references are looked up in a table there: at a reference that is not in
 * it the kernel returns, the reference is decoded and added here, and the kernel goes on.
 */

/** When half of the slots are used, the table is cleared. */
const MAX_REFERENCES = layout.REFERENCE_SLOTS / 2;
/** Beyond every address of a source. */
const LAST_ADDRESS = -1;
const RANGE_BYTES = 4 * layout.RANGE_WORDS;

export interface RenderOptions {
  /** Labels whose text is kept. */
  keep: readonly Label[];
  /** Control bytes for the brackets around the text of a label; no entry for no bracket. */
  brackets?: Partial<Record<Label, number>>;
  /** Escape the text as the inside of a JSON string; not together with `brackets`. */
  json: boolean;
}

export class TextRenderer {
  readonly #kernel: Kernel;
  readonly #tables: number;
  readonly #ranges: Block;
  readonly #out: Block;
  #references = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#ranges = new Block(kernel);
    this.#out = new Block(kernel);
    this.#tables = kernel.heap.take(layout.TEXT_TABLE_BYTES);
    kernel.bytes.fill(0, this.#tables, this.#tables + layout.TEXT_TABLE_BYTES);
    kernel.bytes.set(displayOfTag, this.#tables);
    kernel.bytes[this.#tables + TAG.sup] = layout.DISPLAY_SUPERSCRIPT;
    kernel.bytes[this.#tables + TAG.sub] = layout.DISPLAY_SUBSCRIPT;
  }

  /** The text of a page in UTF-8; it holds until the next text is rendered. */
  render(tree: Tree, ranges: readonly Range[], options: RenderOptions): Uint8Array<ArrayBuffer> {
    const page = tree.address;
    const { functions } = this.#kernel;
    const sourceBytes = this.#kernel.words[(page >> 2) + PAGE_SOURCE_BYTES];
    const out = this.#out.room(layout.MAX_OUTPUT_PER_BYTE * (sourceBytes + 1) + PADDING_BYTES);
    const tiles = this.#ranges.room((2 * ranges.length + 1) * RANGE_BYTES);
    this.#writeRanges(tiles, page, ranges, options);
    const render = (resumed: number) =>
      functions.renderText(page, tiles, this.#tables, out, Number(options.json), resumed) >>> 0;

    let longReference = 0;
    for (let unknown = render(0); unknown !== 0; unknown = render(unknown)) {
      const [, end, slot] = this.#kernel.results;
      if (longReference !== 0) this.#kernel.heap.release(longReference);
      longReference = this.#addReference(unknown, end >>> 0, slot >>> 0);
    }
    const end = this.#kernel.results[0] >>> 0;
    if (longReference !== 0) this.#kernel.heap.release(longReference);
    return this.#kernel.bytes.subarray(out, end);
  }

  /** Writes the ranges, and the gaps between them as content. A range starts where the one before it ends at the earliest. */
  #writeRanges(
    tiles: number,
    page: number,
    ranges: readonly Range[],
    { keep, brackets = {} }: RenderOptions,
  ): void {
    const { words } = this.#kernel;
    const source = words[(page >> 2) + PAGE_SOURCE];
    let word = tiles >> 2;
    const write = (start: number, end: number, label: Label) => {
      words[word] = start;
      words[word + 1] = end;
      words[word + 2] =
        (keep.includes(label) ? layout.RANGE_KEPT : 0) |
        ((brackets[label] ?? 0) << layout.RANGE_BRACKET_SHIFT);
      word += layout.RANGE_WORDS;
    };
    let position = 0;
    for (const { start, end, label } of ranges) {
      if (start > position) write(source + position, source + start, 'content');
      if (end > Math.max(start, position)) write(source + Math.max(start, position), source + end, label);
      position = Math.max(position, end);
    }
    write(source + position, LAST_ADDRESS, 'content');
  }

  /** Adds the reference between two addresses to the table. Returns the block with the characters of a long one, else 0. */
  #addReference(address: number, end: number, slot: number): number {
    const { bytes, words, heap } = this.#kernel;
    const reference = bytes.slice(address, end);
    const decoded = encoder.encode(decodeReferences(decoder.decode(reference)));
    if (reference.length > layout.LONGEST_REFERENCE) {
      const block = heap.take(decoded.length + PADDING_BYTES);
      // not `bytes` and `words`: the memory may have grown
      this.#kernel.bytes.set(decoded, block);
      this.#kernel.words.set([address, block, block + decoded.length], slot >> 2);
      return block;
    }
    if (this.#references === MAX_REFERENCES) {
      // the kernel will ask for this one again
      const slots = this.#tables + layout.REFERENCE_SLOTS_AT;
      bytes.fill(0, slots, this.#tables + layout.TEXT_TABLE_BYTES);
      this.#references = 0;
      return 0;
    }
    this.#references++;
    words[slot >> 2] = reference.length;
    words[(slot >> 2) + 1] = decoded.length;
    bytes.set(reference, slot + layout.REFERENCE_BYTES_AT);
    bytes.set(decoded, slot + layout.DECODED_BYTES_AT);
    return 0;
  }
}

const encoder = new TextEncoder();

let renderer: TextRenderer | undefined;

/** The renderer of this thread. */
export function threadTextRenderer(): TextRenderer {
  renderer ??= new TextRenderer(threadKernel());
  return renderer;
}
