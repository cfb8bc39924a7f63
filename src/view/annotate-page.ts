/**
 * Renders a page as a document that shows its ranges: templates coloured, the reason on hover or focus, a legend with
 * the shares, a strip of the whole page, and a checkbox (no script) that hides the templates.
 *
 * The document is safe to open whatever the page was: tags are rewritten from a short list without the page's
 * attributes (except the spans of cells), text is escaped, and the content policy forbids every script and request.
 */

import { countOf } from '../model/count-of.ts';
import { compare } from '../model/order.ts';
import type { Label, Range } from '../model/range.ts';
import { ROLES, type Role } from '../model/role.ts';
import { readAttribute } from '../parse/attributes.ts';
import { decodeReferences } from '../parse/character-references.ts';
import { tagName } from '../parse/tag-names.ts';
import { readTitle } from '../parse/title.ts';
import type { Tree } from '../parse/tree.ts';
import { ANNOTATED_STYLE, INDEX_STYLE } from './annotated-style.ts';
import { BLOCK, BREAK, CELL, displayOf, HIDDEN, isRawText, PRE } from './display.ts';
import { escapeHtml } from './escape-html.ts';
import { coveringRangeFinder } from './kept-bytes.ts';
import type { MarkdownFacts } from './markdown.ts';
import { sliceText, type Visitor, walkPage } from './walk.ts';

/** Options of `renderAnnotated`. */
export interface AnnotateOptions {
  /** Address of the list of annotated pages, shown as a link; relative, no scheme. @default '' */
  indexHref?: string;
  /** Name of the detector, for the legend. @default '' */
  detector?: string;
}

/** Bytes and characters of visible text under each label. */
export interface LabelShares {
  bytes: Record<Label, number>;
  text: Record<Label, number>;
}

/** An annotated page as an HTML document, with the title and shares that an index shows. */
export interface AnnotatedPage {
  html: string;
  title: string;
  shares: LabelShares;
}

/** Nothing is fetched and nothing runs; the styles are inside the document. */
const INERT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Renders a page and its ranges as one HTML document. */
export function renderAnnotated(
  tree: Tree,
  ranges: readonly Range[],
  page: MarkdownFacts,
  options: AnnotateOptions = {},
): string {
  return annotatePage(tree, ranges, page, options).html;
}

/** Renders the document and returns it with its title and shares. */
export function annotatePage(
  tree: Tree,
  ranges: readonly Range[],
  page: MarkdownFacts,
  { indexHref = '', detector = '' }: AnnotateOptions = {},
): AnnotatedPage {
  const writer = new AnnotatedWriter(tree, ranges);
  walkPage(tree, ranges, writer);
  const title = readTitle(tree);
  const shares = { bytes: bytesByLabel(ranges), text: writer.textByLabel };
  const when = page.time === undefined || page.time === '' ? '' : ` · ${escapeHtml(page.time)}`;
  const back = isRelative(indexHref) ? `<a class="back" href="${escapeHtml(indexHref)}">All pages</a>` : '';
  const html = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${INERT_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title === '' ? page.url : title)}</title>
<style>${ANNOTATED_STYLE}</style>
</head>
<body>
<input type="checkbox" id="hide">
<header class="top">
${back}<h1>${escapeHtml(title === '' ? 'Untitled page' : title)}</h1>
<p class="where"><bdi>${escapeHtml(page.url)}</bdi>${when}</p>
${renderStrip(tree.source.length, ranges)}
<div class="legend">${renderLegend(shares, writer.textByRole, detector)}<label class="switch" for="hide"><i></i>Hide templates</label></div>
</header>
<main>
${writer.finish()}
</main>
</body>
</html>
`;
  return { html, title, shares };
}

/** The tag that each element of the page becomes; other elements are unwrapped. */
const WRITTEN: Readonly<Record<string, string>> = Object.fromEntries([
  ...'h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr td th blockquote pre code kbd samp b i u s em strong small sub sup mark q cite del ins abbr address figure figcaption nav header footer aside section article fieldset legend ruby rt rp br hr wbr'
    .split(' ')
    .map((name) => [name, name]),
  ...'div main form center details dialog summary hgroup search option optgroup dir menu body'
    .split(' ')
    .map((name) => [name, 'div']),
  ...'xmp plaintext listing textarea'.split(' ').map((name) => [name, 'pre']),
  ...'strike'.split(' ').map((name) => [name, 's']),
  ...'tt'.split(' ').map((name) => [name, 'code']),
  ...'a button label'.split(' ').map((name) => [name, 'span']),
]);
const CLASSES: Readonly<Record<string, string>> = {
  a: 'a',
  button: 'control',
  form: 'box',
  option: 'option',
};
const VOID = new Set(['br', 'hr', 'wbr']);
const LARGEST_SPAN = 100;
const MAX_STRIP_RANGES = 2000;

class AnnotatedWriter implements Visitor {
  readonly textByLabel: Record<Label, number> = { template: 0, slot: 0, content: 0, unsure: 0 };
  readonly textByRole = new Map<Role, number>();
  readonly #tree: Tree;
  readonly #covering: (start: number, end: number) => Range | undefined;
  readonly #out: string[] = [];
  /** The range whose role was shown last; a role is shown where its range begins. */
  #shown: Range | undefined;
  /** The element that was coloured as a whole; its texts need no colour. */
  #coloured = -1;

  constructor(tree: Tree, ranges: readonly Range[]) {
    this.#tree = tree;
    this.#covering = coveringRangeFinder(ranges);
  }

  enter(node: number, range: Range): boolean {
    if (displayOf(this.#tree, node) === HIDDEN) return false;
    const name = tagName(this.#tree, node);
    if (name === 'img' || name === 'input') {
      this.#replaced(node, name, range);
      return true;
    }
    const written = WRITTEN[name];
    if (written === undefined) return true;
    const classes = CLASSES[name] === undefined ? [] : [CLASSES[name]];
    let attributes = '';
    if (this.#coloured === -1 && !VOID.has(written)) {
      const cover = this.#covering(this.#tree.start[node], this.#tree.end[node]);
      if (cover !== undefined && isMarked(cover)) {
        this.#coloured = node;
        classes.push(...markClasses(cover));
        const { textStart, last } = this.#tree;
        attributes = this.#why(cover, textStart[last[node]] > textStart[node]);
      }
    }
    if (name === 'td' || name === 'th') attributes += this.#spans(node);
    const classList = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
    this.#out.push(`<${written}${classList}${attributes}>`);
    return true;
  }

  leave(node: number): void {
    const display = displayOf(this.#tree, node);
    const written = WRITTEN[tagName(this.#tree, node)];
    if (written !== undefined && !VOID.has(written)) this.#out.push(`</${written}>`);
    if (display === BLOCK || display === CELL || display === BREAK || display === PRE) this.#out.push('\n');
    if (this.#coloured === node) this.#coloured = -1;
  }

  text(start: number, end: number, range: Range, parent: number): void {
    const raw = sliceText(this.#tree.source, start, end);
    const text = isRawText(this.#tree, parent) ? raw : decodeReferences(raw);
    const characters = text.replace(/\s+/g, '').length;
    this.textByLabel[range.label] += characters;
    if (range.role) this.textByRole.set(range.role, (this.textByRole.get(range.role) ?? 0) + characters);
    const plain = this.#coloured !== -1 || !isMarked(range) || characters === 0;
    const escaped = escapeHtml(text);
    this.#out.push(
      plain ? escaped : `<span class="${markClasses(range).join(' ')}"${this.#why(range)}>${escaped}</span>`,
    );
  }

  space(start: number, end: number): void {
    this.#out.push(sliceText(this.#tree.source, start, end).replaceAll('\f', ' '));
  }

  finish(): string {
    return this.#out.join('');
  }

  /** Writes a small box in place of an image or form field, with its kind and text. */
  #replaced(node: number, name: string, range: Range): void {
    if (name === 'input' && /^(?:hidden|)$/i.test(readAttribute(this.#tree, node, 'type') ?? 'text')) return;
    const said = readAttribute(this.#tree, node, name === 'img' ? 'alt' : 'value') ?? '';
    const shown = said.trim() === '' ? '\u00a0' : said;
    const marked = this.#coloured === -1 && isMarked(range);
    const classes = [name === 'img' ? 'image' : 'control', ...(marked ? markClasses(range) : [])];
    this.#out.push(
      `<span class="${classes.join(' ')}"${marked ? this.#why(range) : ''}>${escapeHtml(shown)}</span>`,
    );
  }

  /** The reason, for the pointer (title), the keyboard (focus) and the line at the window's foot; then the role. */
  #why(range: Range, hasText = true): string {
    const role =
      range.role !== undefined && hasText && range !== this.#shown ? ` data-role="${range.role}"` : '';
    if (hasText) this.#shown = range;
    return ` tabindex="0"${role} data-why="${escapeHtml(describeRange(range))}"`;
  }

  #spans(node: number): string {
    let spans = '';
    for (const name of ['colspan', 'rowspan']) {
      const count = Number.parseInt(readAttribute(this.#tree, node, name) ?? '', 10);
      if (count > 1) spans += ` ${name}="${Math.min(LARGEST_SPAN, count)}"`;
    }
    return spans;
  }
}

function markClasses(range: Range): string[] {
  return ['m', range.label[0]];
}

/** Whether a range is marked: content only if it has a role. */
function isMarked({ label, role }: Range): boolean {
  return label !== 'content' || role !== undefined;
}

/** `template · navigation · on 187 of 200 pages · score 0.94`. */
function describeRange({ label, reason, score, role }: Range): string {
  const sure = `score ${score.toFixed(2)}`;
  return [label, role ?? '', reason, sure].filter((part) => part !== '').join(' · ');
}

function bytesByLabel(ranges: readonly Range[]): Record<Label, number> {
  const bytes: Record<Label, number> = { template: 0, slot: 0, content: 0, unsure: 0 };
  for (const range of ranges) bytes[range.label] += range.end - range.start;
  return bytes;
}

function renderLegend(
  { bytes, text }: LabelShares,
  textByRole: ReadonlyMap<Role, number>,
  detector: string,
): string {
  const allBytes = Math.max(1, sumOf(bytes));
  const allText = Math.max(1, sumOf(text));
  const rows = (['content', 'slot', 'template', 'unsure'] as const)
    .filter((label) => label === 'content' || label === 'template' || bytes[label] > 0)
    .map((label) => {
      const share = `${percent(text[label] / allText)} of text, ${percent(bytes[label] / allBytes)} of HTML`;
      return `<span class="key k-${label}"><b></b>${label} <small>${share}</small></span>`;
    });
  const by =
    detector === '' ? '' : `<span class="key"><small>detector ${escapeHtml(detector)}</small></span>`;
  const roles = ROLES.filter((role) => textByRole.has(role)).map(
    (role) => `<b>${role}</b> ${percent((textByRole.get(role) ?? 0) / allText)}`,
  );
  const parts =
    roles.length === 0
      ? ''
      : `<span class="key roles"><small>of the text: ${roles.join(', ')}</small></span>`;
  return rows.join('') + by + parts;
}

function sumOf(byLabel: Record<Label, number>): number {
  return byLabel.template + byLabel.slot + byLabel.content + byLabel.unsure;
}

/** Draws the whole page as one bar, as in the picture of its site. */
function renderStrip(sizeBytes: number, ranges: readonly Range[]): string {
  // ranges too thin to be visible are not drawn
  const thinnest = ranges.length > MAX_STRIP_RANGES ? sizeBytes / MAX_STRIP_RANGES : 0;
  const bars = ranges
    .filter(({ label, start, end }) => label !== 'content' && end - start >= thinnest)
    .map((range) => {
      const rect = `x="${range.start}" y="0" width="${range.end - range.start}" height="1"`;
      return `<rect class="s-${range.label}" ${rect}><title>${escapeHtml(describeRange(range))}</title></rect>`;
    });
  const box = `viewBox="0 0 ${Math.max(1, sizeBytes)} 1" preserveAspectRatio="none"`;
  return `<svg class="strip" ${box} role="img" aria-label="Where the templates lie on the page">${bars.join('')}</svg>`;
}

/** Formats a share from 0 to 1 as a percentage, with one decimal below 10 %. */
function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

function isRelative(href: string): boolean {
  return href !== '' && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href);
}

/** The list of a folder of annotated pages, by site, the pages with most template first. */

export interface IndexEntry {
  /** File name within the folder. */
  file: string;
  url: string;
  time: string;
  site: string;
  title: string;
  shares: LabelShares;
}

/** Renders the index of annotated pages as one HTML document: by site, pages with the largest template share first. */
export function renderAnnotateIndex(entries: readonly IndexEntry[]): string {
  const sites = new Map<string, IndexEntry[]>();
  for (const entry of entries) {
    const pages = sites.get(entry.site);
    if (pages === undefined) sites.set(entry.site, [entry]);
    else pages.push(entry);
  }
  const sections = [...sites.keys()].sort(compare).map((site) => {
    const pages = (sites.get(site) ?? []).toSorted(
      (a, b) => templateShare(b) - templateShare(a) || compare(a.url, b.url) || compare(a.time, b.time),
    );
    return `<h2>${escapeHtml(site)} <small>${pages.length.toLocaleString('en')} pages</small></h2>
<table><thead><tr><th>Page</th><th class="when">Time</th><th class="n">Template text</th></tr></thead>
<tbody>${pages.map(renderRow).join('\n')}</tbody></table>`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${INERT_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Annotated pages</title>
<style>${INDEX_STYLE}</style>
</head>
<body>
<header class="top"><h1>Annotated pages</h1>
<p class="where">${countOf(entries.length, 'page')} of ${countOf(sites.size, 'site')}, most template first</p></header>
<main>
${sections.join('\n')}
</main>
</body>
</html>
`;
}

function renderRow(entry: IndexEntry): string {
  const share = templateShare(entry);
  const title = entry.title === '' ? entry.url : entry.title;
  const width = (100 * share).toFixed(1);
  return (
    `<tr><td><a href="${escapeHtml(fileHref(entry.file))}"><bdi>${escapeHtml(title)}</bdi></a><small><bdi>${escapeHtml(entry.url)}</bdi></small></td>` +
    `<td class="when">${escapeHtml(entry.time)}</td>` +
    `<td class="n"><span class="bar"><i style="width:${width}%"></i></span>${percent(share)}</td></tr>`
  );
}

/** Relative URL of a file in the same folder, escaped. */
function fileHref(file: string): string {
  return `./${file.split('/').map(encodeURIComponent).join('/')}`;
}

function templateShare({ shares: { text } }: IndexEntry): number {
  return text.template / Math.max(1, text.template + text.content + text.unsure);
}
