/**
 * Renders a page as clean text: what a reader sees, without its templates.
 *
 * Every block (paragraph, heading, list item, table row, `<br>`) is a line; no line is blank outside `<pre>`; a tab
 * separates the cells of a row. White space is collapsed (no-break spaces too) except in `<pre>` and `<textarea>`,
 * character references are decoded, and control characters are removed. The text excludes script, style, template,
 * head, the options of a select, the alternatives of images other than emoji, and short invisible texts
 * (assembly/unseen-elements.ts).
 * Superscripts and subscripts use the characters that Unicode has for them, or `^(…)` and `_(…)` (script-text.ts).
 * `<q>` gets quotes, the reading of a ruby text follows it in parentheses, and formulas are TeX between dollars
 * (find-math.ts). A page that is dropped completely gives ''.
 *
 * With `mark` nothing is dropped; on every line, text that is not content is enclosed in brackets with its label:
 * `⟦template: Home · About⟧`, `⟦slot: …⟧`, `⟦unsure: …⟧`. The page's own ⟦ and ⟧ then become [ and ].
 *
 * Nodes of blocks that are dropped as a whole are not visited. Cost: linear in the kept nodes and bytes.
 */

import { Block } from '../kernel/heap.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { PADDING_BYTES, PAGE_SOURCE, PAGE_SOURCE_BYTES } from '../kernel/layout.ts';
import * as layout from '../kernel/text-layout.ts';
import { CLOSING_BRACKET } from '../kernel/text-layout.ts';
import { threadKernel } from '../kernel/thread-kernel.ts';
import type { Label, Range } from '../model/range.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { tagsOf } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { displayOfTag } from './display.ts';
import { type Formula, findMath, type Replacement, replaceFormula } from './find-math.ts';
import { findEmoji } from './images.ts';

/** Options of `renderText`. */
export interface TextRenderOptions {
  /** Labels whose text is kept. @default all but 'template' */
  keep?: readonly Label[];
  /** Keep all text and mark what is not content. @default false */
  mark?: boolean;
}

/** Labels whose text views keep by default: all but 'template'. */
export const KEPT_LABELS: readonly Label[] = ['content', 'slot', 'unsure'];
const ALL_LABELS: readonly Label[] = [...KEPT_LABELS, 'template'];

/** Renders the kept text of a page. */
export function renderText(tree: Tree, ranges: readonly Range[], options: TextRenderOptions = {}): string {
  const { keep = KEPT_LABELS, mark = false } = options;
  const renderer = threadTextRenderer();
  if (!mark) return decoder.decode(renderer.render(tree, ranges, { keep, json: false }));
  const marked = renderer.render(tree, ranges, { keep: ALL_LABELS, brackets: BRACKET_BYTES, json: false });
  return decoder.decode(marked).replace(/[⟦⟧\x01-\x08]/g, (character) => BRACKETS[character]);
}

/** Renders the same text in UTF-8, escaped for a JSON string. Valid until the next text is rendered. */
export function renderJsonText(
  tree: Tree,
  ranges: readonly Range[],
  keep = KEPT_LABELS,
): Uint8Array<ArrayBuffer> {
  return threadTextRenderer().render(tree, ranges, { keep, json: true });
}

/** Keeps U+FEFF at the start of a text. */
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
 * The renderer passes ranges and its tables in blocks of the kernel's memory. Character references are looked up in a
 * table there: when one is missing, the kernel returns, the reference is decoded and added here, and the kernel
 * continues.
 */

/** When half of the buckets are used, the table is cleared. */
const MAX_REFERENCES = layout.REFERENCE_BUCKETS / 2;
/** An address above every source. */
const LAST_ADDRESS = -1;
const RANGE_BYTES = 4 * layout.RANGE_WORDS;

/** Options of `TextRenderer.render`. */
export interface RenderOptions {
  /** Labels whose text is kept. */
  keep: readonly Label[];
  /** Control bytes for the brackets around the text of a label; labels without an entry get none. */
  brackets?: Partial<Record<Label, number>>;
  /** Escape the text as the inside of a JSON string; not together with `brackets`. */
  json: boolean;
}

/** The input of Markdown: escaped text with control characters, and the nodes of its events (text-layout.ts). */
export interface MarkdownStream {
  text: string;
  /** Twice the node number, plus one at its end. Valid until the next text is rendered. */
  events: Int32Array;
  /** The formulas, by their nodes; each has one event. */
  formulas: ReadonlyMap<number, Formula>;
}

/** Elements that have a Markdown form: those with an end, those of code, and those without an end. */
const EVENT_TAGS = tagsOf(
  `h1 h2 h3 h4 h5 h6 ul ol menu dir li dl dt dd blockquote table caption tr td th pre listing xmp plaintext textarea
   a b strong i em cite del s strike sup sub summary noscript`
    .split(/\s+/)
    .join(' '),
);
const CODE_TAGS = tagsOf('code kbd samp tt var');
const POINT_TAGS = tagsOf('img hr input');

/** Renders pages as text in the kernel; one per thread, because it holds kernel memory. */
export class TextRenderer {
  readonly #kernel: Kernel;
  readonly #tables: number;
  readonly #ranges: Block;
  readonly #out: Block;
  readonly #events: Block;
  readonly #replacements: Block;
  #references = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    this.#ranges = new Block(kernel);
    this.#out = new Block(kernel);
    this.#events = new Block(kernel);
    this.#replacements = new Block(kernel);
    this.#tables = kernel.heap.take(layout.TEXT_TABLE_BYTES);
    kernel.bytes.fill(0, this.#tables, this.#tables + layout.TEXT_TABLE_BYTES);
    const display = kernel.bytes.subarray(this.#tables, this.#tables + layout.DISPLAY_TAGS);
    display.set(displayOfTag);
    for (const tag of EVENT_TAGS) display[tag] |= layout.HAS_EVENT;
    for (const tag of CODE_TAGS) display[tag] |= layout.HAS_EVENT | layout.IS_CODE;
    for (const tag of POINT_TAGS) display[tag] |= layout.HAS_EVENT | layout.IS_POINT;
  }

  /** The text of a page in UTF-8; valid until the next text is rendered. */
  render(tree: Tree, ranges: readonly Range[], options: RenderOptions): Uint8Array<ArrayBuffer> {
    const found = withEmoji(tree, findMath(tree).map(replaceFormula));
    return this.#render(tree, ranges, options, options.json ? layout.MODE_JSON : layout.MODE_PLAIN, found);
  }

  renderStream(tree: Tree, ranges: readonly Range[], keep: readonly Label[]): MarkdownStream {
    // the text of an emoji comes from the event of its image
    const math = findMath(tree);
    const found = math.map(replaceFormula);
    const text = decoder.decode(this.#render(tree, ranges, { keep }, layout.MODE_MARKDOWN, found));
    const events = this.#events.address;
    const end = this.#kernel.results[3] >>> 0;
    return {
      text,
      events: this.#kernel.words.subarray(events >> 2, end >> 2),
      formulas: new Map(math.map((formula) => [formula.node, formula])),
    };
  }

  #render(
    tree: Tree,
    ranges: readonly Range[],
    options: Omit<RenderOptions, 'json'>,
    mode: number,
    found: readonly Replacement[],
  ): Uint8Array<ArrayBuffer> {
    const page = tree.address;
    const { functions } = this.#kernel;
    const sourceBytes = this.#kernel.words[(page >> 2) + PAGE_SOURCE_BYTES];
    const { replacements, sizeBytes } = this.#writeReplacements(tree, found);
    const out = this.#out.room(
      layout.MAX_OUTPUT_PER_BYTE * (sourceBytes + tree.nodeCount + sizeBytes + 1) + PADDING_BYTES,
    );
    const events = mode === layout.MODE_MARKDOWN ? this.#events.room(8 * tree.nodeCount) : 0;
    const tiles = this.#ranges.room((2 * ranges.length + 1) * RANGE_BYTES);
    this.#writeRanges(tiles, page, ranges, options);
    const render = (resumed: number) =>
      functions.renderText(page, tiles, this.#tables, out, mode, replacements, events, resumed) >>> 0;

    let longReference = 0;
    for (let unknown = render(0); unknown !== 0; unknown = render(unknown)) {
      const [, end, bucket] = this.#kernel.results;
      if (longReference !== 0) this.#kernel.heap.release(longReference);
      longReference = this.#addReference(unknown, end >>> 0, bucket >>> 0);
    }
    const end = this.#kernel.results[0] >>> 0;
    if (longReference !== 0) this.#kernel.heap.release(longReference);
    return this.#kernel.bytes.subarray(out, end);
  }

  /** Writes the list of replacements and their texts; returns its address and the bytes of the texts. */
  #writeReplacements(tree: Tree, found: readonly Replacement[]): { replacements: number; sizeBytes: number } {
    const texts = found.map(({ text }) => encoder.encode(text));
    const sizeBytes = texts.reduce((sum, text) => sum + text.length, 0);
    const listBytes = 4 * (layout.REPLACEMENT_WORDS * found.length + 1);
    const replacements = this.#replacements.room(listBytes + sizeBytes + PADDING_BYTES);
    const { bytes, words } = this.#kernel;
    const source = words[(tree.address >> 2) + PAGE_SOURCE];
    let word = replacements >> 2;
    let at = replacements + listBytes;
    found.forEach(({ node }, k) => {
      bytes.set(texts[k], at);
      words.set([node, tree.last[node], source + tree.end[node], at, (at += texts[k].length)], word);
      word += layout.REPLACEMENT_WORDS;
    });
    words[word] = layout.NO_NODE;
    return { replacements, sizeBytes };
  }

  /**
   * Writes the ranges, and the gaps between them as content. Each range starts at the end of the one before or later.
   */
  #writeRanges(
    tiles: number,
    page: number,
    ranges: readonly Range[],
    { keep, brackets = {} }: Omit<RenderOptions, 'json'>,
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

  /**
   * Adds the reference between two addresses to the table; returns the block with the characters of a long one, else 0.
   */
  #addReference(address: number, end: number, bucket: number): number {
    const { bytes, words, heap } = this.#kernel;
    const reference = bytes.slice(address, end);
    const decoded = encoder.encode(decodeReferences(decoder.decode(reference)));
    if (reference.length > layout.LONGEST_REFERENCE) {
      const block = heap.take(decoded.length + PADDING_BYTES);
      // read the memory again instead of `bytes` and `words`: it may have grown
      this.#kernel.bytes.set(decoded, block);
      this.#kernel.words.set([address, block, block + decoded.length], bucket >> 2);
      return block;
    }
    if (this.#references === MAX_REFERENCES) {
      // the kernel will ask for this reference again
      const buckets = this.#tables + layout.REFERENCE_BUCKETS_AT;
      bytes.fill(0, buckets, this.#tables + layout.TEXT_TABLE_BYTES);
      this.#references = 0;
      return 0;
    }
    this.#references++;
    words[bucket >> 2] = reference.length;
    words[(bucket >> 2) + 1] = decoded.length;
    bytes.set(reference, bucket + layout.REFERENCE_BYTES_AT);
    bytes.set(decoded, bucket + layout.DECODED_BYTES_AT);
    return 0;
  }
}

const encoder = new TextEncoder();

/** Formulas and emoji in document order. */
function withEmoji(tree: Tree, math: Replacement[]): Replacement[] {
  const emoji = findEmoji(tree);
  if (emoji.length === 0 || math.length === 0) return emoji.length === 0 ? math : emoji;
  return [...math, ...emoji].sort((a, b) => a.node - b.node);
}

let renderer: TextRenderer | undefined;

/** The renderer of this thread. */
export function threadTextRenderer(): TextRenderer {
  renderer ??= new TextRenderer(threadKernel());
  return renderer;
}
