/**
 * A page as Markdown (CommonMark with GFM tables and strike-through), without its templates: headings,
 * nested lists, tables, links, code, quotes, emphasis, images as their alternative text. Superscripts and subscripts that
 * Unicode has no characters for are `<sup>` and `<sub>`, which GitHub and Obsidian show as such.
 *
 * The text of the page cannot become markup (it is escaped), links are absolute and only http, https or
 * mailto (others are left as text). One walk over the page, nothing recurses: linear whatever the nesting.
 */
import type { Label, Range } from '../model/range.ts';
import { BaseUrl } from '../model/resolve-url.ts';
import { readAttribute } from '../parse/attributes.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { isHeading, TAG, tagsOf } from '../parse/tag-names.ts';
import { readTitle } from '../parse/title.ts';
import { TEXT, type Tree } from '../parse/tree.ts';
import { APART, BLOCK, BREAK, CELL, displayOf, HIDDEN, INLINE, isRawText, PRE } from './display.ts';
import { renderFrontMatter } from './front-matter.ts';
import { BlockLines, findSimpleTables, type TableRows, tableLines } from './markdown-blocks.ts';
import { CONTROLS, escapeLineStart, InlineText, longestRun } from './markdown-inline.ts';
import { baseUrl, safeUrl } from './page-urls.ts';
import { scriptCharacters, scriptForm } from './script-text.ts';
import { KEPT_LABELS } from './visible-text.ts';
import { type Visitor, walkPage } from './walk.ts';

/** What a view needs to know of a page besides its tree. */
export interface PageFacts {
  url: string;
  time?: string;
  site?: string;
}

export interface MarkdownOptions {
  /** Labels whose text is kept. @default all but 'template' */
  keep?: readonly Label[];
  /** Begin with url, time, site and title as YAML. @default false */
  frontMatter?: boolean;
}

export function renderMarkdown(
  tree: Tree,
  ranges: readonly Range[],
  page: PageFacts,
  options: MarkdownOptions = {},
): string {
  const { keep = KEPT_LABELS, frontMatter = false } = options;
  const writer = new MarkdownWriter(tree, keep, new BaseUrl(baseUrl(tree, page.url)));
  walkPage(tree, ranges, writer);
  const body = writer.finish();
  if (!frontMatter) return body;
  return (
    renderFrontMatter({ url: page.url, time: page.time, site: page.site, title: readTitle(tree) }) + body
  );
}

/** By tag: the mark on both sides of its text. */
const EMPHASIS = new Map<number, string>([
  ...tagsOf('b strong').map((tag) => [tag, '**'] as const),
  ...tagsOf('i em cite').map((tag) => [tag, '*'] as const),
  ...tagsOf('del s strike').map((tag) => [tag, '~~'] as const),
]);
const CODE = new Set(tagsOf('code kbd samp tt var'));
const LISTS = new Set(tagsOf('ul ol menu dir'));
const LARGEST_NUMBER = 999_999_999;

/** Marks that are open, outermost first, so that they can be closed and opened again around blocks. */
interface OpenMark {
  open: string;
  close: string;
  pair: number;
}

interface OpenList {
  ordered: boolean;
  next: number;
  /** What follows the number, or the bullet. */
  sign: string;
}

class MarkdownWriter implements Visitor {
  readonly #tree: Tree;
  readonly #source: Buffer;
  readonly #keep: readonly Label[];
  readonly #base: BaseUrl;
  readonly #simpleTables: Set<number>;
  readonly #blocks = new BlockLines();
  /** What to do when an element ends; only elements that began something have an entry. */
  readonly #ends: { node: number; end: () => void }[] = [];
  readonly #marks: OpenMark[] = [];
  readonly #lists: OpenList[] = [];
  #inline = new InlineText();
  /** Elements whose text must stay on one line: headings and cells of simple tables. */
  #lineDepth = 0;
  #table: TableRows | undefined;
  /** Raw text of the open code span or pre, and where the pre begins. */
  #code: string[] | undefined;
  #preNode = -1;

  // ends that need to know nothing of what they end: one function for all
  readonly #endBlock = () => this.#paragraph();
  readonly #endSpace = () => this.#inline.space();
  readonly #endContainer = () => {
    this.#paragraph();
    this.#blocks.pop();
  };
  readonly #endMark = () => {
    const mark = this.#marks.pop() as OpenMark;
    this.#inline.close(mark.close, mark.pair);
  };

  constructor(tree: Tree, keep: readonly Label[], base: BaseUrl) {
    const { buffer, byteOffset, length } = tree.source;
    this.#tree = tree;
    this.#source = Buffer.from(buffer, byteOffset, length);
    this.#keep = keep;
    this.#base = base;
    this.#simpleTables = findSimpleTables(tree);
  }

  enter(node: number, range: Range): boolean {
    const display = displayOf(this.#tree, node);
    if (display === HIDDEN || this.#passDropped(node, display, range)) return false;
    const tag = this.#tree.name[node];
    if (this.#preNode !== -1) {
      if (display !== INLINE && display !== APART) this.#code?.push('\n');
    } else if (display === BREAK) this.#break();
    else if (tag === TAG.img) this.#image(node, range);
    else if (display === APART || (this.#lineDepth > 0 && display !== INLINE)) this.#spaceAround(node);
    else if (display === PRE) this.#pre(node);
    else if (display === CELL && this.#table !== undefined) this.#cell(node, tag);
    else if (display === BLOCK || display === CELL) this.#block(node, tag, range);
    else if (tag === TAG.a) this.#link(node);
    else if (CODE.has(tag)) this.#codeSpan(node);
    else if (tag === TAG.sup || tag === TAG.sub) this.#script(node, tag === TAG.sup);
    else {
      const mark = EMPHASIS.get(tag);
      if (mark !== undefined) this.#mark(node, mark, mark);
    }
    return true;
  }

  /** Does what an element does that is dropped whole, where that does not depend on what is in it. */
  #passDropped(node: number, display: number, range: Range): boolean {
    const { end, last, kind, name } = this.#tree;
    if (end[node] > range.end || this.#keep.includes(range.label) || this.#code !== undefined) return false;
    if (display === INLINE) {
      const isWords = last[node] === node + 2 && kind[node + 1] === TEXT;
      if (isWords) this.#inline.space();
      return isWords;
    }
    // items count, and rows and cells have their place in a table, with or without text
    const isBlock = display === BLOCK && name[node] !== TAG.li && this.#table === undefined;
    if (!isBlock || this.#lineDepth > 0) return false;
    this.#paragraph();
    return true;
  }

  leave(node: number): void {
    if (this.#ends.at(-1)?.node === node) this.#ends.pop()?.end();
  }

  text(start: number, end: number, range: Range, parent: number): void {
    if (!this.#keep.includes(range.label)) {
      this.#inline.space();
      return;
    }
    const raw = this.#source.toString('utf8', start, end);
    const decoded = isRawText(this.#tree, parent) || !raw.includes('&') ? raw : decodeReferences(raw);
    if (this.#code !== undefined) this.#code.push(decoded.replace(CONTROLS, ''));
    else this.#inline.text(decoded);
  }

  space(start: number, end: number, range: Range): void {
    if (this.#code === undefined) this.#inline.space();
    else if (this.#keep.includes(range.label)) this.#code.push(this.#source.toString('utf8', start, end));
  }

  finish(): string {
    this.#paragraph();
    return this.#blocks.finish();
  }

  #onLeave(node: number, end: () => void): void {
    this.#ends.push({ node, end });
  }

  #block(node: number, tag: number, range: Range): void {
    this.#paragraph();
    if (isHeading(tag)) this.#heading(node, tag - TAG.h1 + 1);
    else if (LISTS.has(tag)) this.#list(node, tag === TAG.ol);
    else if (tag === TAG.li) this.#item(node);
    else if (tag === TAG.blockquote) this.#container(node, 'quote', '> ');
    else if (tag === TAG.table && this.#simpleTables.has(node)) this.#simpleTable(node);
    else if (tag === TAG.tr && this.#table !== undefined) this.#table.rows.push([]);
    else if (tag === TAG.hr && this.#keep.includes(range.label)) this.#blocks.rule();
    else this.#onLeave(node, this.#endBlock);
  }

  #paragraph(): void {
    if (this.#inline.isEmpty && this.#marks.length === 0) {
      this.#inline.clear();
      return;
    }
    const lines = this.#takeInline().finish().map(escapeLineStart);
    this.#blocks.write(lines.map((line, at) => (at < lines.length - 1 ? `${line}\\` : line)));
  }

  /** Ends the text so far; emphasis and links that are open go on in the next. */
  #takeInline(): InlineText {
    const done = this.#inline;
    for (const mark of this.#marks.toReversed()) done.close(mark.close, mark.pair);
    this.#inline = new InlineText();
    for (const mark of this.#marks) mark.pair = this.#inline.open(mark.open);
    return done;
  }

  #heading(node: number, level: number): void {
    this.#lineDepth++;
    this.#onLeave(node, () => {
      this.#lineDepth--;
      const [line] = this.#takeInline().finish({ oneLine: true });
      if (line !== undefined) this.#blocks.write([`${'#'.repeat(level)} ${line.replace(/#$/, '\\#')}`]);
    });
  }

  #list(node: number, ordered: boolean): void {
    const start = ordered ? Number.parseInt(readAttribute(this.#tree, node, 'start') ?? '1', 10) : 1;
    const next = Number.isFinite(start) ? Math.min(LARGEST_NUMBER, Math.max(0, start)) : 1;
    // a second list right after a first would be read as its continuation
    const before = this.#blocks.markerBefore.trimEnd();
    const sign = ordered ? (before.endsWith('.') ? ')' : '.') : before === '-' ? '*' : '-';
    this.#lists.push({ ordered, next, sign });
    this.#blocks.push('list');
    this.#onLeave(node, () => {
      this.#paragraph();
      this.#blocks.pop();
      this.#lists.pop();
    });
  }

  #item(node: number): void {
    const list = this.#lists.at(-1);
    const marker = list?.ordered ? `${list.next}${list.sign} ` : `${list?.sign ?? '-'} `;
    if (list !== undefined) list.next = Math.min(LARGEST_NUMBER, list.next + 1);
    this.#container(node, 'item', marker);
  }

  #container(node: number, kind: 'quote' | 'item', marker: string): void {
    this.#blocks.push(kind, marker);
    this.#onLeave(node, this.#endContainer);
  }

  #simpleTable(node: number): void {
    const table: TableRows = { rows: [], header: false };
    this.#table = table;
    this.#onLeave(node, () => {
      this.#paragraph();
      this.#table = undefined;
      const lines = tableLines(table);
      if (lines !== undefined) this.#blocks.write(lines);
      else for (const cell of table.rows.flat()) if (cell !== '') this.#blocks.write([escapeLineStart(cell)]);
    });
  }

  #cell(node: number, tag: number): void {
    const table = this.#table as TableRows;
    this.#paragraph(); // text between cells stands before the table
    if (table.rows.length === 0) table.rows.push([]);
    if (table.rows.length === 1 && tag === TAG.th) table.header = true;
    this.#lineDepth++;
    this.#onLeave(node, () => {
      this.#lineDepth--;
      table.rows.at(-1)?.push(this.#takeInline().finish({ cell: true }).join(' '));
    });
  }

  #spaceAround(node: number): void {
    this.#inline.space();
    this.#onLeave(node, this.#endSpace);
  }

  #break(): void {
    if (this.#code !== undefined) this.#code.push(' ');
    else this.#inline.break();
  }

  #image(node: number, range: Range): void {
    const alt = this.#keep.includes(range.label) ? readAttribute(this.#tree, node, 'alt') : undefined;
    if (alt === undefined) return;
    if (this.#code !== undefined) this.#code.push(alt);
    else this.#inline.alternative(alt);
  }

  #mark(node: number, open: string, close: string): void {
    // Markdown knows no bold in bold and no link in a link; code takes no marks at all
    if (this.#code !== undefined || this.#marks.some((mark) => mark.open === open)) return;
    this.#marks.push({ open, close, pair: this.#inline.open(open) });
    this.#onLeave(node, this.#endMark);
  }

  #link(node: number): void {
    const href = readAttribute(this.#tree, node, 'href');
    const url = href === undefined ? undefined : safeUrl(href, this.#base);
    if (url === undefined) return;
    this.#mark(node, '[', `](${url.replace(/[()<>\\ |]/g, percentEncode)})`);
  }

  #script(node: number, isSuperscript: boolean): void {
    const code = this.#code;
    const inline = this.#inline;
    const place = code?.length ?? inline.place;
    this.#onLeave(node, () => {
      if (code !== undefined) scriptInCode(code, place, isSuperscript);
      // a block inside ended the text that the script began in
      else if (this.#inline === inline && !inline.isEmpty) inline.script(place, isSuperscript);
    });
  }

  #codeSpan(node: number): void {
    if (this.#code !== undefined) return;
    this.#code = [];
    this.#onLeave(node, () => {
      const text = this.#code?.join('') ?? '';
      this.#code = undefined;
      if (/^\s/.test(text)) this.#inline.space();
      this.#inline.code(text);
      if (/\s$/.test(text)) this.#inline.space();
    });
  }

  #pre(node: number): void {
    if (this.#code !== undefined) return;
    this.#paragraph();
    this.#code = [];
    this.#preNode = node;
    this.#onLeave(node, () => {
      const text = (this.#code?.join('') ?? '')
        .replace(/\r\n?/g, '\n')
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd();
      this.#code = undefined;
      this.#preNode = -1;
      if (text === '') return;
      const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
      this.#blocks.write([fence + codeLanguage(this.#tree, node), ...text.split('\n'), fence]);
    });
  }
}

/** Writes the pieces of code from a place on as a superscript or subscript. */
function scriptInCode(pieces: string[], place: number, isSuperscript: boolean): void {
  const text = pieces.splice(place).join('');
  const form = scriptForm(text, isSuperscript);
  const isApart = !/\S$/.test(pieces.at(-1) ?? '');
  if (form === 'unicode') pieces.push(scriptCharacters(text, isSuperscript));
  else pieces.push(form === 'plain' || isApart ? text : `${isSuperscript ? '^' : '_'}(${text})`);
}

/** The language a code block names in its class, as highlighters write it. */
function codeLanguage(tree: Tree, pre: number): string {
  for (const node of [pre, pre + 1]) {
    if (node >= tree.last[pre] || tree.name[node] === 0) continue;
    const found = /(?:^|\s)(?:lang|language|highlight-source)-([A-Za-z0-9_+#.-]{1,20})(?:\s|$)/.exec(
      readAttribute(tree, node, 'class') ?? '',
    );
    if (found) return found[1].toLowerCase();
  }
  return '';
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
