/** A table that GFM cannot hold, as HTML inside Markdown, made from the same stream with few attributes. */
import { BREAK_BYTE } from '../kernel/text-layout.ts';
import type { BaseUrl } from '../model/resolve-url.ts';
import { readAttribute } from '../parse/attributes.ts';
import { TAG, tagName, tagsOf } from '../parse/tag-names.ts';
import type { Tree } from '../parse/tree.ts';
import { escapeHtml } from './escape-html.ts';
import { readImage } from './images.ts';
import { unescapeText } from './markdown-math.ts';
import { spanOf } from './markdown-tables.ts';
import { safeUrl } from './page-urls.ts';

const PRE = new Set(tagsOf('pre listing xmp plaintext textarea'));
const UNWRAPPED = new Set(tagsOf('noscript input summary'));
const BREAK = new RegExp(`[\\n${String.fromCharCode(BREAK_BYTE)}]`);

/** Writes one table as HTML from the events of the Markdown stream. */
export class TableHtml {
  readonly #tree: Tree;
  readonly #table: number;
  readonly #base: BaseUrl;
  readonly #out: string[] = ['<table>'];
  #preDepth = 0;
  #codeDepth = 0;

  constructor(tree: Tree, table: number, base: BaseUrl) {
    this.#tree = tree;
    this.#table = table;
    this.#base = base;
  }

  text(text: string): void {
    if (this.#preDepth > 0) {
      // a blank line would end the HTML
      this.#out.push(escapeHtml(text).replace(/\n(?=\n|$)/g, '&#10;'));
      return;
    }
    this.plain(this.#codeDepth > 0 ? text : unescapeText(text));
  }

  /** Writes text that has no escapes. */
  plain(text: string): void {
    this.#out.push(text.split(BREAK).map(escapeHtml).join('<br>'));
  }

  enter(node: number): void {
    const tag = this.#tree.name[node];
    if (tag === TAG.img) this.#image(node);
    else if (tag === TAG.hr) this.#out.push('<br>');
    else if (PRE.has(tag)) {
      this.#preDepth++;
      this.#out.push('<pre>');
    } else if (!UNWRAPPED.has(tag)) {
      if (CODE.has(tag)) this.#codeDepth++;
      this.#out.push(`<${tagName(this.#tree, node)}${this.#attributes(node, tag)}>`);
    } else this.#out.push(' ');
  }

  /** Ends an element; returns true when it was the table. */
  leave(node: number): boolean {
    if (node === this.#table) return true;
    const tag = this.#tree.name[node];
    if (CODE.has(tag)) this.#codeDepth--;
    if (PRE.has(tag)) {
      this.#preDepth--;
      this.#out.push('</pre>');
    } else if (!UNWRAPPED.has(tag)) {
      const name = tagName(this.#tree, node);
      const last = this.#out.at(-1) ?? '';
      const isEmpty = last.startsWith(`<${name}`) && !last.startsWith('<t');
      if (isEmpty) this.#out.pop();
      else this.#out.push(`</${name}>${tag === TAG.tr ? '\n' : ''}`);
    }
    return false;
  }

  /** The lines of the table; none of them is blank. */
  finish(): string[] {
    this.#out.push('</table>');
    return this.#out
      .join('')
      .split('\n')
      .filter((line) => line.trim() !== '');
  }

  #attributes(node: number, tag: number): string {
    if (tag === TAG.td || tag === TAG.th) {
      const columns = spanOf(this.#tree, node, 'colspan');
      const rows = spanOf(this.#tree, node, 'rowspan');
      return `${columns > 1 ? ` colspan="${columns}"` : ''}${rows > 1 ? ` rowspan="${rows}"` : ''}`;
    }
    if (tag !== TAG.a) return '';
    const href = readAttribute(this.#tree, node, 'href');
    const url = href === undefined ? undefined : safeUrl(href, this.#base);
    return url === undefined ? '' : ` href="${escapeHtml(url)}"`;
  }

  #image(node: number): void {
    const image = readImage(this.#tree, node, this.#base);
    if (image === undefined) return;
    if (image.isEmoji) this.#out.push(escapeHtml(image.alt));
    else
      this.#out.push(
        `<img src="${escapeHtml(image.url)}" alt="${escapeHtml(image.alt.replace(/\s+/g, ' '))}">`,
      );
  }
}

const CODE = new Set(tagsOf('code kbd samp tt var'));
