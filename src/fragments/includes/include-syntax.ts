/**
 * The three ways to include: server-side includes, edge-side includes and Nunjucks. Each defines how a file
 * includes another one and which bytes a file may contain unchanged. Each syntax can also parse its own
 * output, so that results are checked without a server.
 */
import { createHash } from 'node:crypto';

/** Name of a style of includes. */
export type IncludeStyle = 'ssi' | 'esi' | 'nunjucks';

/** All styles of includes. */
export const INCLUDE_STYLES: readonly IncludeStyle[] = ['ssi', 'esi', 'nunjucks'];

/** A part of a parsed file: bytes, an include or a parameter. */
export type IncludePart =
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'include'; path: string; parameters?: Map<string, Uint8Array> }
  | { kind: 'parameter'; name: string };

/** Syntax of a style of includes. */
export interface IncludeSyntax {
  style: IncludeStyle;
  /** Whether files hold the UTF-8 text of pages instead of the bytes that were served. */
  holdsText: boolean;
  /** Path of a fragment's file, relative to the folder of the style. */
  fragmentPath(id: string): string;
  /** Path of a page's file, from the path made of its URL. */
  pagePath(path: string): string;
  /** Bytes that include a file. */
  includeTag(path: string): string;
  /**
   * Bytes of a page as they may occur in a file, `first` at its start. Null when the processor would
   * interpret or lose some of them, so that they must be in a raw file, which it does not parse.
   */
  literal(bytes: Uint8Array, first: boolean): Uint8Array | null;
  /** Finds the includes that the processor would find; throws on includes that this program did not write. */
  parse(file: Uint8Array): IncludePart[];
}

/** Maximum depth of includes from a page. Varnish stops at 5, nginx at 50, Nunjucks has no limit. */
export const MAX_INCLUDE_DEPTH = 4;
/** Maximum number of includes of one page; those inside fragments count each time. */
export const MAX_PAGE_INCLUDES = 1000;

/** Returns the name of a fragment: 96 bits of a digest of its bytes, the same in every style and run. */
export function contentId(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 24);
}

/** Folder of the files that are served without parsing. */
export const RAW_FOLDER = '_raw';

/**
 * Includes that a server resolves. Both styles have the same files; they differ in the tag, and in which
 * bytes of a page the processor would interpret. Such bytes are served from a folder in which the processor
 * is off.
 *
 * Server-side includes as nginx and Apache read them: `<!--#include virtual="/path" -->`. A processor
 * searches for `<!--#` only.
 *
 * Edge-side includes as Varnish reads them: `<esi:include src="/path"/>`. Varnish goes from tag to tag.
 * Between a `<` and the next `>`, in a comment and in CDATA it finds no include; it ignores an object that
 * does not start with `<`; and it removes `<!--esi` and `<esi:`. So bytes may be written between includes
 * only if, read from the start, they contain none of these and end outside of every tag and comment. Varnish
 * misses the end of a comment at `--->` and of CDATA at `]]]>`, so bytes must be harmless when they are read
 * in this way and when they are read correctly.
 */

const SSI_OPEN = '<!--#';
const SSI_TAG = /^<!--#include virtual="\/((?:_fragments|_raw)\/[0-9a-f]+\.html)" -->/;
const ESI_TAG = /^<esi:include src="\/((?:_fragments|_raw)\/[0-9a-f]+\.html)"\/>/;
const MAX_TAG = 100;
const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;

/** Paths of both server styles. */
const PATHS = {
  holdsText: false,
  fragmentPath: (id: string) => `_fragments/${id}.html`,
  pagePath: (path: string) => `pages/${path}`,
};

/** Returns the path of a raw file. */
export function rawPath(id: string): string {
  return `${RAW_FOLDER}/${id}.html`;
}

/** Returns a Buffer over the same memory. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Collects the parts of a file: the includes found, and the bytes between them. */
class PartList {
  readonly parts: IncludePart[] = [];
  readonly #file: Buffer;
  #cursor = 0;

  constructor(file: Buffer) {
    this.#file = file;
  }

  /** Adds the include at `start` when its tag is one of ours; returns the position after it, or -1. */
  addInclude(tag: RegExp, start: number): number {
    const found = tag.exec(this.#file.toString('latin1', start, start + MAX_TAG));
    if (found === null) return -1;
    this.#addBytes(start);
    this.parts.push({ kind: 'include', path: found[1] });
    return (this.#cursor = start + found[0].length);
  }

  finish(): IncludePart[] {
    this.#addBytes(this.#file.length);
    return this.parts;
  }

  #addBytes(end: number): void {
    if (end > this.#cursor) this.parts.push({ kind: 'bytes', bytes: this.#file.subarray(this.#cursor, end) });
  }
}

/** Server-side includes. */
export const ssiSyntax: IncludeSyntax = {
  ...PATHS,
  style: 'ssi',
  includeTag: (path) => `<!--#include virtual="/${path}" -->`,

  literal(bytes) {
    const buffer = asBuffer(bytes);
    if (buffer.includes(SSI_OPEN)) return null;
    for (let length = 1; length < SSI_OPEN.length; length++) {
      if (buffer.subarray(-length).toString('latin1') === SSI_OPEN.slice(0, length)) return null;
    }
    return bytes;
  },

  parse(file) {
    const buffer = asBuffer(file);
    const list = new PartList(buffer);
    for (let at = buffer.indexOf(SSI_OPEN), end = 0; at >= 0; at = buffer.indexOf(SSI_OPEN, end)) {
      end = list.addInclude(SSI_TAG, at);
      if (end < 0) throw new Error(`unknown SSI command at byte ${at}`);
    }
    return list.finish();
  },
};

/** Edge-side includes. */
export const esiSyntax: IncludeSyntax = {
  ...PATHS,
  style: 'esi',
  includeTag: (path) => `<esi:include src="/${path}"/>`,

  literal(bytes, first) {
    const buffer = asBuffer(bytes);
    if (first && !startsLikeXml(buffer)) return null;
    if (!isInert(buffer, true)) return null;
    const ambiguous = buffer.includes('--->') || buffer.includes(']]]>');
    return ambiguous && !isInert(buffer, false) ? null : bytes;
  },

  parse(file) {
    const buffer = asBuffer(file);
    const list = new PartList(buffer);
    for (let at = 0; at < buffer.length; ) {
      const next = nextTag(buffer, at, true);
      if (next.kind === 'end') break;
      if (next.kind === 'other') {
        at = next.end;
        continue;
      }
      at = next.kind === 'esi' ? list.addInclude(ESI_TAG, next.start) : -1;
      if (at < 0) throw new Error(`unknown ESI element or unclosed tag at byte ${next.start}`);
    }
    const parts = list.finish();
    if (parts.some(({ kind }) => kind === 'include') && !startsLikeXml(buffer)) {
      throw new Error('ESI includes in a file that does not start with a tag');
    }
    return parts;
  },
};

type Found =
  | { kind: 'other'; start: number; end: number }
  | { kind: 'esi' | 'open'; start: number }
  | { kind: 'end' };

/** Returns the next tag, comment or CDATA section; `from` must be outside of any. */
function nextTag(bytes: Buffer, from: number, naive: boolean): Found {
  const start = bytes.indexOf(LESS, from);
  if (start < 0) return { kind: 'end' };
  const name = bytes[start + 1] === SLASH ? start + 2 : start + 1;
  if (starts(bytes, name, '!--esi') || starts(bytes, name, 'esi:')) return { kind: 'esi', start };
  const left = bytes.length - name;
  // the end of the bytes cuts off a possible tag of Varnish
  if (left < 8 && TAG_STARTS.some((text) => left < text.length && starts(bytes, name, text.slice(0, left)))) {
    return { kind: 'open', start };
  }
  let end: number;
  if (starts(bytes, name, '!--')) end = endOf(bytes, name + 3, '-->', naive);
  else if (starts(bytes, name, '![CDATA[')) end = endOf(bytes, name + 8, ']]>', naive);
  else end = bytes.indexOf(GREATER, name) + 1;
  return end > 0 ? { kind: 'other', start, end } : { kind: 'open', start };
}

const TAG_STARTS = ['!--esi', 'esi:', '![CDATA['];

/**
 * Returns the position after a closing mark, 0 without one. A naive search does not retry a byte that does
 * not match.
 */
function endOf(bytes: Buffer, from: number, mark: string, naive: boolean): number {
  if (!naive) {
    const at = bytes.indexOf(mark, from, 'latin1');
    return at < 0 ? 0 : at + mark.length;
  }
  for (let i = from, matched = 0; i < bytes.length; i++) {
    if (bytes[i] !== mark.charCodeAt(matched)) matched = 0;
    else if (++matched === mark.length) return i + 1;
  }
  return 0;
}

function isInert(bytes: Buffer, naive: boolean): boolean {
  for (let at = 0; ; ) {
    const next = nextTag(bytes, at, naive);
    if (next.kind === 'end') return true;
    if (next.kind !== 'other') return false;
    at = next.end;
  }
}

function startsLikeXml(bytes: Buffer): boolean {
  let i = 0;
  while (i < bytes.length && (bytes[i] === 0x20 || (bytes[i] >= 9 && bytes[i] <= 13))) i++;
  return i === bytes.length || bytes[i] === LESS;
}

function starts(bytes: Buffer, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/**
 * Nunjucks templates, also for Eleventy: `{% include "…" %}`, and for partials `{% set f = { text1: "…" }
 * %}{% include "…" %}` with `{{ f.text1 | safe }}` in the partial. Braces of a page that Nunjucks would
 * interpret become string literals, `{{ "{" }}`: they cost a few bytes, need no file and work with any
 * setting of escaping. All relevant characters are ASCII, so files are handled as Latin-1 strings of their
 * bytes.
 */
export const nunjucksSyntax: IncludeSyntax = {
  style: 'nunjucks',
  holdsText: true,
  fragmentPath: (id) => `_includes/fragments/${id}.njk`,
  pagePath: (path) => `pages/${path}.njk`,
  includeTag: (path) => `{% include "${path.replace(/^_includes\//, '')}" %}`,

  literal(bytes, first) {
    const text = asBuffer(bytes).toString('latin1');
    const start = first && STOLEN_AT_START.test(text);
    if (!start && !INTERPRETED.test(text)) return bytes;
    const head = start ? `{{ ${quote(text.slice(0, 3))} }}` : '';
    const tail = (start ? text.slice(3) : text).replace(EVERY_INTERPRETED, (brace) => `{{ "${brace}" }}`);
    return Buffer.from(head + tail, 'latin1');
  },

  parse(file) {
    const text = asBuffer(file).toString('latin1');
    const parts: IncludePart[] = [];
    let cursor = 0;
    for (let at = nextOpen(text, 0); at >= 0; at = nextOpen(text, cursor)) {
      if (at > cursor) parts.push(bytesPart(text.slice(cursor, at)));
      const { part, end } = parseTag(text, at);
      parts.push(part);
      cursor = end;
    }
    if (cursor < text.length) parts.push(bytesPart(text.slice(cursor)));
    return parts;
  },
};

/** Returns the path of a partial's file. */
export function partialPath(id: string): string {
  return `_includes/partials/${id}.njk`;
}

/** Returns the bytes that include a partial with its parameters. */
export function callPartial(path: string, parameters: Iterable<[name: string, value: Uint8Array]>): string {
  const pairs = [...parameters].map(
    ([name, value]) => `${name}: ${quote(asBuffer(value).toString('latin1'))}`,
  );
  return `{% set f = { ${pairs.join(', ')} } %}${nunjucksSyntax.includeTag(path)}`;
}

/** Returns the bytes that insert a parameter in a partial. */
export function parameterTag(name: string): string {
  return `{{ f.${name} | safe }}`;
}

/** Bytes that one parameter of a call costs besides its name and value. */
export const PARAMETER_OVERHEAD = ': "", '.length;
/** Bytes that a call costs without parameters. */
export const CALL_OVERHEAD = callPartial(partialPath('0'.repeat(24)), []).length;

/** Front matter, which Eleventy removes, and a byte order mark, which it drops. */
const STOLEN_AT_START = /^(?:---|\xef\xbb\xbf)/;
// a brace at the end would join the following tag; `#}` outside of a comment is an error
const INTERPRETED = /\{(?=[{%#]|$)|#(?=\})/;
const EVERY_INTERPRETED = new RegExp(INTERPRETED, 'g');

function quote(text: string): string {
  return `"${text.replace(/[\\"\n\r]/g, (char) => ESCAPES[char])}"`;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' };

function nextOpen(text: string, from: number): number {
  OPEN.lastIndex = from;
  return OPEN.exec(text)?.index ?? -1;
}

const OPEN = /\{[{%#]|#\}/g;
const INCLUDE = /\{% include "((?:fragments|partials)\/[0-9a-f]+\.njk)" %\}/y;
const PARAMETER = /\{\{ f\.([a-z]+\d+) \| safe \}\}/y;
const LITERAL = /\{\{ "([^"\\]*(?:\\[\s\S][^"\\]*)*)" \}\}/y;
const SET = /\{% set f = \{ /y;
const PAIR = /([a-z]+\d+): "([^"\\]*(?:\\[\s\S][^"\\]*)*)"(, )?/y;
const SET_END = / \} %\}/y;

function parseTag(text: string, at: number): { part: IncludePart; end: number } {
  const literal = matchAt(LITERAL, text, at);
  if (literal) return { part: bytesPart(unquote(literal[1])), end: LITERAL.lastIndex };
  const parameter = matchAt(PARAMETER, text, at);
  if (parameter) return { part: { kind: 'parameter', name: parameter[1] }, end: PARAMETER.lastIndex };
  let end = at;
  let parameters: Map<string, Uint8Array> | undefined;
  if (matchAt(SET, text, at)) {
    parameters = new Map();
    end = SET.lastIndex;
    for (let pair = matchAt(PAIR, text, end); pair; pair = matchAt(PAIR, text, end)) {
      parameters.set(pair[1], Buffer.from(unquote(pair[2]), 'latin1'));
      end = PAIR.lastIndex;
    }
    if (!matchAt(SET_END, text, end)) throw new Error(`unknown Nunjucks value at byte ${end}`);
    end = SET_END.lastIndex;
  }
  const include = matchAt(INCLUDE, text, end);
  if (!include) throw new Error(`unknown Nunjucks tag at byte ${at}`);
  return { part: { kind: 'include', path: `_includes/${include[1]}`, parameters }, end: INCLUDE.lastIndex };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function bytesPart(text: string): IncludePart {
  return { kind: 'bytes', bytes: Buffer.from(text, 'latin1') };
}

function unquote(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => UNESCAPES[char] ?? char);
}

const UNESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
