/**
 * Renders a page as Markdown (CommonMark with GFM tables, task lists and strike-through), without its templates. It has
 * the words of the text view in the same order, and images. Tables that GFM cannot hold are HTML; formulas are TeX
 * between dollars (markdown-math.ts); superscripts and subscripts without Unicode characters are `<sup>` and `<sub>`.
 *
 * The kernel renders the page as escaped text with events for the elements that have a Markdown form (text-layout.ts).
 * This file turns the events into marks and blocks. Text of the page, TeX included, cannot become markup
 * (markdown-hostile.test.ts reads generated pages with several programs). Links are absolute and only
 * http, https or mailto, or file on pages that are files; other links become text. Nothing recurses, so the time is
 * linear whatever the nesting.
 */
import { BREAK_BYTE, EVENT_BYTE, FORMULA_BYTE } from '../kernel/text-layout.ts';
import type { Label, Range } from '../model/range.ts';
import { BaseUrl } from '../model/resolve-url.ts';
import { readAttribute } from '../parse/attributes.ts';
import { isHeading, TAG, tagsOf } from '../parse/tag-names.ts';
import { readTitle } from '../parse/title.ts';
import type { Tree } from '../parse/tree.ts';
import { codeLanguage } from './code-language.ts';
import { BLOCK, CELL, displayOf, PRE } from './display.ts';
import { type Formula, replaceFormula } from './find-math.ts';
import { renderFrontMatter } from './front-matter.ts';
import { readImage } from './images.ts';
import { BlockLines } from './markdown-blocks.ts';
import { escapeLineStart, escapeText, InlineText, longestRun } from './markdown-inline.ts';
import { safeTex, splitTex } from './markdown-math.ts';
import {
  addCell,
  classifyTables,
  type MarkdownRows,
  spanOf,
  type TableForm,
  tableLines,
} from './markdown-tables.ts';
import { baseUrl, safeUrl } from './page-urls.ts';
import { scriptCharacters, scriptForm } from './script-text.ts';
import { TableHtml } from './table-html.ts';
import { KEPT_LABELS, threadTextRenderer } from './visible-text.ts';

/** The fields of a page that views need besides its tree. */
export interface MarkdownFacts {
  url: string;
  time?: string;
  site?: string;
}

/** Options of `renderMarkdown`. */
export interface MarkdownOptions {
  /** Labels whose text is kept. @default all but 'template' */
  keep?: readonly Label[];
  /** Begin with YAML front matter: url, time, site and title. @default false */
  frontMatter?: boolean;
}

/** Renders the kept part of a page as Markdown. */
export function renderMarkdown(
  tree: Tree,
  ranges: readonly Range[],
  page: MarkdownFacts,
  options: MarkdownOptions = {},
): string {
  const { keep = KEPT_LABELS, frontMatter = false } = options;
  const stream = threadTextRenderer().renderStream(tree, ranges, keep);
  const base = new BaseUrl(baseUrl(tree, page.url));
  const body = new MarkdownWriter(tree, base, stream.formulas).write(stream.text, stream.events);
  if (!frontMatter) return body;
  return (
    renderFrontMatter({ url: page.url, time: page.time, site: page.site, title: readTitle(tree) }) + body
  );
}

/** The mark on both sides of an element's text, by tag. */
const EMPHASIS = new Map<number, string>([
  ...tagsOf('b strong summary').map((tag) => [tag, '**'] as const),
  ...tagsOf('i em cite').map((tag) => [tag, '*'] as const),
  ...tagsOf('del s strike').map((tag) => [tag, '~~'] as const),
]);
const CODE = new Set(tagsOf('code kbd samp tt var'));
const LISTS = new Set(tagsOf('ul ol menu dir'));
const LARGEST_NUMBER = 999_999_999;
const EVENT = String.fromCharCode(EVENT_BYTE);
const BREAK = String.fromCharCode(BREAK_BYTE);

/** A mark that is open; marks are kept outermost first, so that they can be closed and reopened around blocks. */
interface OpenMark {
  open: string;
  close: string;
  pair: number;
}

interface OpenList {
  ordered: boolean;
  next: number;
  /** The character after the number, or the bullet. */
  sign: string;
  /** For a `<dl>`: number of containers outside it, and whether a term's item and its list of definitions are open. */
  depth: number;
  hasTerm: boolean;
  hasDefinitions: boolean;
}

class MarkdownWriter {
  readonly #tree: Tree;
  readonly #base: BaseUrl;
  readonly #formulas: ReadonlyMap<number, Formula>;
  readonly #tableForms = new Map<number, TableForm>();
  readonly #blocks = new BlockLines();
  /** Functions to call when an element ends; only elements that began something have one. */
  readonly #ends: { node: number; end: () => void }[] = [];
  readonly #marks: OpenMark[] = [];
  /** Characters of addresses that may still be repeated, for links around several blocks. */
  #repeatable: number;
  readonly #lists: OpenList[] = [];
  #inline = new InlineText();
  /** Number of open elements whose text must stay on one line: headings and table cells. */
  #lineDepth = 0;
  #table: MarkdownRows | undefined;
  #inCell = false;
  /** The table that is being written as HTML. */
  #tableHtml: TableHtml | undefined;
  /** Raw text of the open code span or pre; then whether it is a pre. */
  #code: string[] | undefined;
  #inPre = false;
  /** `[x] ` before the text of a task item. */
  #task = '';
  /** Whether an image came last, without text after it; then the number of open noscript elements. */
  #afterImage = false;
  #noscriptDepth = 0;
  /** Address of the last image if it was in a noscript element. */
  #copied = '';

  // shared functions for ends that do not depend on their element
  readonly #endBlock = () => this.#paragraph();
  readonly #endLine = () => this.#inline.break();
  readonly #endContainer = () => {
    this.#paragraph();
    this.#task = '';
    this.#blocks.pop();
  };
  readonly #endMark = () => {
    const mark = this.#marks.pop() as OpenMark;
    this.#inline.close(mark.close, mark.pair);
  };

  constructor(tree: Tree, base: BaseUrl, formulas: ReadonlyMap<number, Formula>) {
    this.#tree = tree;
    this.#base = base;
    this.#formulas = formulas;
    this.#repeatable = tree.source.length;
  }

  write(text: string, events: Int32Array): string {
    let at = 0;
    for (const event of events) {
      const next = text.indexOf(EVENT, at);
      if (next > at) this.#text(text.slice(at, next));
      at = next + 1;
      if (event & 1) this.#leave(event >> 1);
      else this.#enter(event >> 1);
      if (text.charCodeAt(at) === FORMULA_BYTE) at++;
    }
    if (at < text.length) this.#text(text.slice(at));
    this.#paragraph();
    return this.#blocks.finish();
  }

  #text(text: string): void {
    if (this.#tableHtml !== undefined) this.#tableHtml.text(text);
    else if (this.#code !== undefined)
      this.#code.push(this.#inPre ? text : text.replaceAll('\n', ' ').replaceAll(BREAK, ' '));
    else if (!text.includes('\n')) this.#line(text);
    else {
      const lines = text.split('\n');
      for (let k = 0; k < lines.length; k++) {
        if (k > 0) this.#separate();
        if (lines[k] !== '') this.#line(lines[k]);
      }
    }
  }

  #line(text: string): void {
    if (this.#afterImage && text !== ' ') {
      this.#afterImage = false;
      if (WORD_START.test(text)) this.#inline.text(' ');
    }
    const parts = text.split(BREAK);
    for (let k = 0; k < parts.length; k++) {
      if (k > 0) this.#inline.break();
      for (const piece of splitTex(parts[k])) {
        if (typeof piece !== 'string') this.#formula(piece);
        else if (piece !== '') this.#inline.text(piece);
      }
    }
  }

  #formula({ tex, isDisplay }: Omit<Formula, 'node'>): void {
    this.#afterImage = false;
    const isBlock = isDisplay && this.#lineDepth === 0 && this.#table === undefined;
    const safe = isBlock ? safeTex(tex, 'block') : undefined;
    if (safe === undefined) this.#inline.math(tex);
    else {
      this.#paragraph();
      // an empty group where the line would begin a list, a quote or a heading
      this.#blocks.write(['$$', escapeLineStart(safe) === safe ? safe : `{}${safe}`, '$$']);
    }
  }

  #enter(node: number): void {
    const tag = this.#tree.name[node];
    const formula = this.#formulas.get(node);
    if (formula !== undefined && (this.#code ?? this.#tableHtml) !== undefined) {
      const { text } = replaceFormula(formula);
      if (this.#tableHtml !== undefined) this.#tableHtml.plain(text);
      else this.#code?.push(text);
    } else if (formula !== undefined) this.#formula(formula);
    if (formula !== undefined) return;
    if (this.#tableHtml !== undefined) {
      this.#tableHtml.enter(node);
      return;
    }
    if (tag === TAG.noscript) this.#noscriptDepth++;
    const display = displayOf(this.#tree, node);
    if (this.#inPre) {
      if (tag === TAG.sup || tag === TAG.sub) this.#script(node, tag === TAG.sup);
      else if (display === BLOCK || display === CELL || display === PRE) this.#lineInPre(node, tag);
      return;
    }
    if (tag === TAG.img) this.#image(node);
    else if (tag === TAG.input) this.#checkbox(node);
    else if (tag === TAG.hr) this.#rule();
    else if (this.#code !== undefined && (display === BLOCK || display === CELL || display === PRE)) {
      // a code span is one line
      this.#code.push(' ');
      this.#onLeave(node, () => this.#code?.push(' '));
    } else if (display === CELL && this.#table !== undefined && !this.#inCell) this.#cell(node, tag);
    else if (this.#lineDepth > 0 && (display === BLOCK || display === CELL || display === PRE)) {
      this.#separate();
      this.#onLeave(node, this.#endLine);
      if (display === PRE) this.#codeSpan(node);
    } else if (display === PRE) this.#pre(node);
    else if (display === BLOCK || display === CELL) this.#block(node, tag);
    else if (tag === TAG.a) this.#link(node);
    else if (CODE.has(tag)) this.#codeSpan(node);
    else if (tag === TAG.sup || tag === TAG.sub) this.#script(node, tag === TAG.sup);
    else {
      const mark = EMPHASIS.get(tag);
      if (mark !== undefined) this.#mark(node, mark, mark);
    }
  }

  #leave(node: number): void {
    if (this.#tableHtml !== undefined && !this.#tableHtml.leave(node)) return;
    if (this.#tree.name[node] === TAG.noscript) this.#noscriptDepth--;
    while (this.#ends.at(-1)?.node === node) this.#ends.pop()?.end();
  }

  #onLeave(node: number, end: () => void): void {
    this.#ends.push({ node, end });
  }

  #lineInPre(node: number, tag: number): void {
    const endLine = () => {
      const isBegun = this.#code?.at(-1)?.endsWith('\n') === false;
      if (isBegun) this.#code?.push('\n');
    };
    endLine();
    if (tag !== TAG.hr) this.#onLeave(node, endLine);
  }

  #rule(): void {
    if (this.#code !== undefined) this.#code.push(' ');
    else {
      this.#separate();
      if (this.#lineDepth === 0 && this.#table === undefined) this.#blocks.rule();
    }
  }

  /** Ends a paragraph, or the line where paragraphs are not possible. */
  #separate(): void {
    if (this.#lineDepth > 0) this.#inline.break();
    else this.#paragraph();
  }

  #block(node: number, tag: number): void {
    this.#paragraph();
    if (isHeading(tag)) this.#heading(node, tag - TAG.h1 + 1);
    else if (LISTS.has(tag) || tag === TAG.dl) this.#list(node, tag === TAG.ol);
    else if (tag === TAG.li) this.#item(node);
    else if (tag === TAG.dt) this.#term(node);
    else if (tag === TAG.dd) this.#definition(node);
    else if (tag === TAG.blockquote) this.#container(node, 'quote', '> ');
    else if (tag === TAG.table) this.#openTable(node);
    else if (tag === TAG.tr && this.#table !== undefined) this.#table.rows.push([]);
    else if (tag === TAG.summary) {
      this.#onLeave(node, this.#endBlock);
      this.#mark(node, '**', '**');
    } else this.#onLeave(node, this.#endBlock);
  }

  #paragraph(): void {
    if (this.#inline.isEmpty && this.#marks.length === 0) {
      this.#inline.clear();
      return;
    }
    const isBetweenCells = this.#table !== undefined && this.#table.rows.length > 0;
    const lines = this.#takeInline().finish({ cell: isBetweenCells });
    if (lines.length === 0) return;
    if (isBetweenCells) {
      this.#table?.rows.push([lines.join(' ')], []);
      return;
    }
    this.#writeLines(lines);
  }

  /** Writes a paragraph. */
  #writeLines(lines: string[]): void {
    for (let at = 0; at < lines.length; at++) {
      const line = escapeLineStart(lines[at]);
      lines[at] = at < lines.length - 1 ? `${line}\\` : line;
    }
    if (this.#blocks.isItemStart) {
      if (this.#task !== '') lines[0] = this.#task + lines[0];
      else if (TASK_MARK.test(lines[0])) lines[0] = `\\${lines[0]}`;
    }
    this.#task = '';
    this.#blocks.write(lines);
  }

  /** Ends the current text and returns it; open emphasis and links are reopened in the next. */
  #takeInline(): InlineText {
    const done = this.#inline;
    for (const mark of this.#marks.toReversed()) done.close(mark.close, mark.pair);
    this.#inline = new InlineText();
    for (const mark of this.#marks) {
      // a long address around many blocks would fill the memory
      if (mark.open === '[' && (this.#repeatable -= mark.close.length) < 0) mark.open = mark.close = '';
      mark.pair = this.#inline.open(mark.open);
    }
    return done;
  }

  #heading(node: number, level: number): void {
    this.#lineDepth++;
    this.#onLeave(node, () => {
      this.#lineDepth--;
      const [line] = this.#takeInline().finish({ oneLine: true, cell: this.#table !== undefined });
      if (line === undefined) return;
      if (this.#table !== undefined) this.#table.rows.push([line], []);
      else this.#blocks.write([`${'#'.repeat(level)} ${line.replace(/#$/, '\\#')}`]);
    });
  }

  #list(node: number, ordered: boolean): void {
    const next = ordered ? this.#number(node, 'start', 1) : 1;
    // a second list right after a first would be read as its continuation
    const before = this.#blocks.markerBefore.trimEnd();
    const sign = ordered ? (before.endsWith('.') ? ')' : '.') : before === '-' ? '*' : '-';
    const depth = this.#blocks.depth;
    const list = { ordered, next, sign, depth, hasTerm: false, hasDefinitions: false };
    this.#lists.push(list);
    this.#blocks.push('list');
    this.#onLeave(node, () => {
      this.#paragraph();
      this.#endTerm(list);
      this.#blocks.pop();
      this.#lists.pop();
    });
  }

  #item(node: number): void {
    const list = this.#lists.at(-1);
    if (list?.ordered) list.next = this.#number(node, 'value', list.next);
    const marker = list?.ordered ? `${list.next}${list.sign} ` : `${list?.sign ?? '-'} `;
    if (list !== undefined) list.next = Math.min(LARGEST_NUMBER, list.next + 1);
    this.#container(node, 'item', marker);
  }

  /** A number of an ordered list, from an attribute. */
  #number(node: number, attribute: string, otherwise: number): number {
    const number = Number.parseInt(readAttribute(this.#tree, node, attribute) ?? '', 10);
    return Number.isFinite(number) ? Math.min(LARGEST_NUMBER, Math.max(0, number)) : otherwise;
  }

  /** Writes a term of a `<dl>` as an item; its definitions are items of a nested list. */
  #term(node: number): void {
    const list = this.#lists.at(-1);
    this.#onLeave(node, this.#endBlock);
    if (list === undefined || this.#blocks.depth !== openDepth(list)) return;
    this.#endTerm(list);
    this.#blocks.push('item', `${list.sign} `);
    list.hasTerm = true;
  }

  #definition(node: number): void {
    const list = this.#lists.at(-1);
    if (list === undefined || this.#blocks.depth !== openDepth(list)) {
      this.#onLeave(node, this.#endBlock);
      return;
    }
    if (list.hasTerm && !list.hasDefinitions) {
      this.#blocks.push('list');
      list.hasDefinitions = true;
    }
    this.#container(node, 'item', '- ');
  }

  #endTerm(list: OpenList): void {
    if (list.hasDefinitions) this.#blocks.pop();
    if (list.hasTerm) this.#blocks.pop();
    list.hasTerm = list.hasDefinitions = false;
  }

  #container(node: number, kind: 'quote' | 'item', marker: string): void {
    this.#blocks.push(kind, marker);
    this.#onLeave(node, this.#endContainer);
  }

  #openTable(node: number): void {
    if (!this.#tableForms.has(node)) classifyTables(this.#tree, node, this.#tableForms);
    const form = this.#tableForms.get(node);
    if (form === 'html') {
      const html = new TableHtml(this.#tree, node, this.#base);
      this.#tableHtml = html;
      this.#onLeave(node, () => {
        this.#tableHtml = undefined;
        this.#blocks.write(html.finish());
      });
    } else if (form === 'gfm' && this.#table === undefined) this.#gfmTable(node);
    else this.#onLeave(node, this.#endBlock);
  }

  #gfmTable(node: number): void {
    const table: MarkdownRows = { rows: [], header: false };
    const inline = this.#inline;
    this.#table = table;
    this.#onLeave(node, () => {
      if (this.#inline !== inline) this.#paragraph();
      this.#table = undefined;
      const lines = tableLines(table);
      if (lines !== undefined) this.#blocks.write(lines);
      else for (const cell of table.rows.flat()) if (cell !== '') this.#writeLines(cell.split('\n'));
    });
  }

  #cell(node: number, tag: number): void {
    const table = this.#table as MarkdownRows;
    this.#paragraph();
    if (table.rows.length === 0) table.rows.push([]);
    if (table.rows.length === 1 && tag === TAG.th) table.header = true;
    this.#lineDepth++;
    this.#inCell = true;
    this.#onLeave(node, () => {
      this.#lineDepth--;
      this.#inCell = false;
      const text = this.#takeInline().finish({ cell: true }).join('\n');
      addCell(table, text, spanOf(this.#tree, node, 'colspan'), spanOf(this.#tree, node, 'rowspan'));
    });
  }

  #image(node: number): void {
    if (this.#code !== undefined || (this.#noscriptDepth > 0 && this.#afterImage)) return;
    const image = readImage(this.#tree, node, this.#base);
    // the copy for browsers without scripts may also come first
    if (image === undefined || (this.#afterImage && image.url === this.#copied)) return;
    this.#copied = this.#noscriptDepth > 0 ? image.url : '';
    if (image.isEmoji) this.#inline.text(escapeText(image.alt));
    else this.#inline.image(`![${escapeText(image.alt)}](${inLink(image.url)})`);
    this.#afterImage = true;
  }

  #checkbox(node: number): void {
    if (!this.#inline.isEmpty || !this.#blocks.isItemStart || this.#lineDepth > 0) return;
    if (readAttribute(this.#tree, node, 'type')?.toLowerCase() !== 'checkbox') return;
    this.#task = readAttribute(this.#tree, node, 'checked') === undefined ? '[ ] ' : '[x] ';
  }

  #mark(node: number, open: string, close: string): void {
    // Markdown has no bold inside bold and no link inside a link; code allows no emphasis
    if (this.#code !== undefined || this.#marks.some((mark) => mark.open === open)) return;
    this.#marks.push({ open, close, pair: this.#inline.open(open) });
    this.#onLeave(node, this.#endMark);
  }

  #link(node: number): void {
    const href = readAttribute(this.#tree, node, 'href');
    const url = href === undefined ? undefined : safeUrl(href, this.#base);
    if (url === undefined) return;
    const close = `](${inLink(url)})`;
    const code = this.#code;
    if (code === undefined) {
      this.#mark(node, '[', close);
      return;
    }
    // a link inside code ends the code and begins it again
    if (this.#marks.some((mark) => mark.open === '[')) return;
    this.#flushCode();
    const pair = this.#inline.open('[');
    this.#onLeave(node, () => {
      this.#flushCode();
      this.#inline.close(close, pair);
    });
  }

  /** Writes superscripts and subscripts. */
  #script(node: number, isSuperscript: boolean): void {
    const code = this.#code;
    const inline = this.#inline;
    const place = code?.length ?? inline.place;
    this.#onLeave(node, () => {
      if (code !== undefined) {
        if (code === this.#code) scriptInCode(code, place, isSuperscript);
      }
      // a block inside has ended the text in which the script began
      else if (this.#inline === inline && !inline.isEmpty) inline.script(place, isSuperscript);
    });
  }

  #codeSpan(node: number): void {
    if (this.#code !== undefined) return;
    this.#code = [];
    this.#afterImage = false;
    this.#onLeave(node, () => {
      this.#flushCode();
      this.#code = undefined;
    });
  }

  #flushCode(): void {
    const text = this.#code?.join('') ?? '';
    if (text.startsWith(' ')) this.#inline.text(' ');
    this.#inline.code(text);
    if (text.endsWith(' ')) this.#inline.text(' ');
    if (this.#code !== undefined) this.#code.length = 0;
  }

  #pre(node: number): void {
    if (this.#code !== undefined) return;
    this.#paragraph();
    this.#code = [];
    this.#inPre = true;
    this.#onLeave(node, () => {
      const text = (this.#code?.join('') ?? '').replace(/^(?:[ \t]*\n)+/, '').trimEnd();
      this.#code = undefined;
      this.#inPre = false;
      if (text === '') return;
      const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1));
      this.#blocks.write([fence + codeLanguage(this.#tree, node), ...text.split('\n'), fence]);
    });
  }
}

const WORD_START = /^[\p{L}\p{N}]/u;
const TASK_MARK = /^\[[ xX]\](?:\s|$)/;

/** Number of containers that are open between the items of a list. */
function openDepth(list: OpenList): number {
  return list.depth + 1 + Number(list.hasTerm) + Number(list.hasDefinitions);
}

/** Writes the pieces of code after a place as a superscript or subscript. */
function scriptInCode(pieces: string[], place: number, isSuperscript: boolean): void {
  const text = pieces.splice(place).join('');
  const form = scriptForm(text, isSuperscript);
  const isApart = !/\S$/.test(pieces.at(-1) ?? '');
  if (form === 'unicode') pieces.push(scriptCharacters(text, isSuperscript));
  else pieces.push(form === 'plain' || isApart ? text : `${isSuperscript ? '^' : '_'}(${text})`);
}

/** An address as it is written between the parentheses of a link. */
function inLink(url: string): string {
  return url.replace(/[()<>\\ |]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
