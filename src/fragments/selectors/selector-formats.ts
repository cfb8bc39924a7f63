/**
 * Writes selectors in the formats of site search and audit tools. Names from pages are escaped so that they
 * stay strings: JSON and YAML by the same escapes, comments on one line, and no characters that control a
 * terminal or the direction of text.
 */
import { extname } from 'node:path';
import type { SelectorResult, SelectorRow } from './write-selectors.ts';

/** All formats of selector files. */
export const SELECTOR_FORMATS = ['jsonl', 'json', 'pagefind', 'nosnippet', 'css'] as const;
/** Name of a format of selector files. */
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

/** Returns the format for the extension of a file name; JSON lines for other extensions. */
export function selectorFormatOf(file: string): SelectorFormat {
  return BY_ENDING[extname(file).toLowerCase()] ?? 'jsonl';
}

/** Returns the text of a selector file. */
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

/** Returns `pagefind.yml`; with several sites, one YAML document each. */
function formatPagefind({ rows, audit }: SelectorResult): string {
  const documents = sitesOf(rows).map((site) => {
    // Pagefind does not support :has()
    const own = distinctSelectors(rows.filter((row) => row.site === site).map(withoutHas));
    const used = own.filter((row) => isHarmless(row) && !isNeverIndexed(row));
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

/**
 * Tags of pages run scripts and load resources. In a browser, everything after this text is shown as plain
 * text.
 */
const SHOWN_AS_TEXT = '<!doctype html><meta charset="utf-8"><plaintext>';

/** Returns opening tags with their attribute added: the tag to look for, and its replacement. */
function formatTags({ rows, audit }: SelectorResult): string {
  const blocks = rows.map((row) => {
    const head = `<!-- ${aboutText(row)} -->`;
    const tags = [row.pagefindTag, row.noSnippetTag].filter((tag) => tag !== '');
    return [head, ...(tags.length === 0 ? ['<!-- its page writes no opening tag -->'] : tags)].join('\n');
  });
  const pages = auditLines(audit.map(({ url }) => url)).map((line) => `<!-- ${inComment(line)} -->`);
  return `${[SHOWN_AS_TEXT, ...blocks, pages.join('\n')].join('\n\n')}\n`;
}

/** Returns a plain list: one selector per line, with a comma; those that match content too are comments. */
function formatCss({ rows: all, audit }: SelectorResult): string {
  const rows = distinctSelectors(all);
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

/** Minimum share of shared elements among the matches of a selector of templates. */
const SHARED_ENOUGH = 0.9;

/**
 * Returns whether a selector matches almost only shared fragments, so that excluding it hardly removes
 * content.
 */
function isHarmless({ selector, elements, missed, others, othersShared }: SelectorRow): boolean {
  const own = elements - missed;
  return selector !== '' && own > 0 && own + othersShared >= SHARED_ENOUGH * (own + others);
}

/** Returns whether an element is never indexed by search tools. */
function isNeverIndexed({ pagefindTag }: SelectorRow): boolean {
  return /^<(?:head|style|script|link|meta|title)\b/i.test(pagefindTag);
}

function withoutHas(row: SelectorRow): SelectorRow {
  return row.plain === undefined ? row : { ...row, exact: false, ...row.plain };
}

/** Returns the first row of each selector; variants of a menu often have the same one. */
function distinctSelectors(rows: readonly SelectorRow[]): SelectorRow[] {
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

/** Returns text on one line, without characters that control a screen. */
function oneLine(text: string): string {
  return text.replace(STEERING, ' ').trim();
}

/** Returns text that cannot end a comment of CSS or HTML. */
function inComment(text: string): string {
  return oneLine(text).replaceAll('*/', '* /').replace(/-{2,}/g, '–').replace(/[<>]/g, ' ');
}

/** Returns JSON, which is YAML too, without characters that control a screen. */
function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
