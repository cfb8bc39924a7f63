/**
 * Selectors in the forms that site search and audits use. Whatever pages call their elements is written so
 * that it stays a string: JSON and YAML by the same escapes, comments on one line, and no character that
 * steers a terminal or the direction of text.
 */
import { extname } from 'node:path';
import type { SelectorResult, SelectorRow } from './write-selectors.ts';

export const SELECTOR_FORMATS = ['jsonl', 'json', 'pagefind', 'nosnippet', 'css'] as const;
export type SelectorFormat = (typeof SELECTOR_FORMATS)[number];

const BY_ENDING: Readonly<Record<string, SelectorFormat>> = {
  '.json': 'json',
  '.yml': 'pagefind',
  '.yaml': 'pagefind',
  '.css': 'css',
  '.html': 'nosnippet',
  '.htm': 'nosnippet',
  '.txt': 'nosnippet',
};

/** The format that a file's name asks for; JSON lines when it says nothing. */
export function selectorFormatOf(file: string): SelectorFormat {
  return BY_ENDING[extname(file).toLowerCase()] ?? 'jsonl';
}

export function formatSelectors(result: SelectorResult, format: SelectorFormat): string {
  switch (format) {
    case 'jsonl':
      return formatJsonLines(result);
    case 'json':
      return `${safeJson({ templates: result.rows, audit: result.audit }, 2)}\n`;
    case 'pagefind':
      return formatPagefind(result);
    case 'nosnippet':
      return formatTags(result);
    case 'css':
      return formatCss(result);
  }
}

function formatJsonLines({ rows, audit }: SelectorResult): string {
  const lines = [
    ...rows.map((row) => ({ kind: 'template', ...row })),
    ...audit.map((page) => ({ kind: 'audit', ...page })),
  ];
  return lines.map((line) => `${safeJson(line)}\n`).join('');
}

/** `pagefind.yml`; of several sites, a YAML document each. */
function formatPagefind({ rows, audit }: SelectorResult): string {
  const documents = sitesOf(rows).map((site) => {
    // Pagefind cannot look into elements
    const own = firstOfEach(rows.filter((row) => row.site === site).map(withoutHas));
    const used = own.filter((row) => isHarmless(row) && !isUnread(row));
    const list = used.map((row) => `${about(row, '  #')}\n  - ${safeJson(row.selector)}`);
    const left = own.filter((row) => !isHarmless(row) && row.selector !== '');
    return [
      `# templates of ${oneLine(site)}, for Pagefind not to index`,
      used.length === 0 ? 'exclude_selectors: []' : `exclude_selectors:\n${list.join('\n')}`,
      ...(left.length === 0 ? [] : ['# these would hit content too, and are left out:']),
      ...left.map((row) => `${about(row, '#')}\n#   ${safeJson(row.selector)}`),
      ...auditLines(audit.filter((page) => page.site === site).map(({ url }) => url)).map(
        (line) => `# ${line}`,
      ),
    ].join('\n');
  });
  return documents.length === 0 ? 'exclude_selectors: []\n' : `${documents.join('\n---\n')}\n`;
}

/** Tags of pages run scripts and fetch things: opened in a browser, all that follows this is mere text. */
const SHOWN_AS_TEXT = '<!doctype html><meta charset="utf-8"><plaintext>';

/** Opening tags with their attribute in place: what to look for, and what to write. */
function formatTags({ rows, audit }: SelectorResult): string {
  const blocks = rows.map((row) => {
    const head = `<!-- ${aboutText(row)} -->`;
    const tags = [row.pagefindTag, row.noSnippetTag].filter((tag) => tag !== '');
    return [head, ...(tags.length === 0 ? ['<!-- its page writes no opening tag -->'] : tags)].join('\n');
  });
  const pages = auditLines(audit.map(({ url }) => url)).map((line) => `<!-- ${inComment(line)} -->`);
  return `${[SHOWN_AS_TEXT, ...blocks, pages.join('\n')].join('\n\n')}\n`;
}

/** A plain list: one selector a line, with a comma; those that hit content too are comments. */
function formatCss({ rows: all, audit }: SelectorResult): string {
  const rows = firstOfEach(all);
  const used = rows.filter(isHarmless);
  const list = used.map(
    (row, at) => `${row.selector}${at < used.length - 1 ? ',' : ''} /* ${aboutText(row)} */`,
  );
  const left = rows.filter((row) => !isHarmless(row) && row.selector !== '');
  return [
    ...list,
    ...left.map((row) => `/* ${row.selector} */ /* ${aboutText(row)} */`),
    ...auditLines(audit.map(({ url }) => url)).map((line) => `/* ${inComment(line)} */`),
    '',
  ].join('\n');
}

/** Share of the elements that a selector matches which must be shared, for it to be a selector of templates. */
const SHARED_ENOUGH = 0.9;

/** Matches shared fragments and hardly anything else: excluding that takes next to nothing from what pages say. */
function isHarmless({ selector, elements, missed, others, othersShared }: SelectorRow): boolean {
  const own = elements - missed;
  return selector !== '' && own > 0 && own + othersShared >= SHARED_ENOUGH * (own + others);
}

/** What no search indexes anyway. */
function isUnread({ pagefindTag }: SelectorRow): boolean {
  return /^<(?:head|style|script|link|meta|title)\b/i.test(pagefindTag);
}

function withoutHas(row: SelectorRow): SelectorRow {
  return row.plain === undefined ? row : { ...row, exact: false, ...row.plain };
}

/** The first row of each selector: variants of a menu often have but one. */
function firstOfEach(rows: readonly SelectorRow[]): SelectorRow[] {
  const seen = new Set<string>();
  return rows.filter(({ selector }) => !seen.has(selector) && seen.add(selector));
}

function about(row: SelectorRow, mark: string): string {
  return `${mark} ${aboutText(row)}`;
}

function aboutText({
  template,
  exact,
  elements,
  missed,
  others,
  othersShared,
  pages,
  text,
  site,
  url,
}: SelectorRow): string {
  const verdict = exact
    ? 'exact'
    : [
        'not exact:',
        missed > 0 ? `misses ${missed} of ${count(elements, 'element')}` : '',
        others > 0
          ? `also matches ${count(others, 'other element')}, ${othersShared} of them shared too`
          : '',
      ]
        .filter((part) => part !== '')
        .join(', ')
        .replace(':,', ':');
  return inComment(
    `${template} on ${count(pages, 'page')} of ${site}, ${verdict}; see ${url}; ${text === '' ? 'no text' : text}`,
  );
}

function auditLines(urls: readonly string[]): string[] {
  return urls.length === 0
    ? []
    : [
        `${count(urls.length, 'page')} to look at, ${urls.length === 1 ? 'which shows' : 'which show'} all of these:`,
        ...urls.map((url) => `  ${oneLine(url)}`),
      ];
}

function sitesOf(rows: readonly SelectorRow[]): string[] {
  return [...new Set(rows.map(({ site }) => site))];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const STEERING = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text on one line, without what steers a screen. */
function oneLine(text: string): string {
  return text.replace(STEERING, ' ').trim();
}

/** Text that ends neither a comment of CSS nor one of HTML. */
function inComment(text: string): string {
  return oneLine(text).replaceAll('*/', '* /').replace(/-{2,}/g, '–').replace(/[<>]/g, ' ');
}

/** JSON, and YAML too, in which nothing steers a screen. */
function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
