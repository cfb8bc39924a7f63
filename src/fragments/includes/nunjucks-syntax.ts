/**
 * Nunjucks templates, also as Eleventy reads them: `{% include "…" %}`, and for partials
 * `{% set f = { text1: "…" } %}{% include "…" %}` with `{{ f.text1 | safe }}` in the partial. Braces of a page
 * that Nunjucks would take for its own become string literals, `{{ "{" }}`: they cost a few bytes, need no
 * file of their own and hold whatever escaping is set to. All that matters here is ASCII, so files are handled
 * as Latin-1 strings of their bytes.
 */
import type { IncludeSyntax, Part } from './include-syntax.ts';
import { asBuffer } from './server-syntax.ts';

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
    const parts: Part[] = [];
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

export function partialPath(id: string): string {
  return `_includes/partials/${id}.njk`;
}

/** The bytes that include a partial with its parameters. */
export function callPartial(path: string, parameters: Iterable<[name: string, value: Uint8Array]>): string {
  const pairs = [...parameters].map(
    ([name, value]) => `${name}: ${quote(asBuffer(value).toString('latin1'))}`,
  );
  return `{% set f = { ${pairs.join(', ')} } %}${nunjucksSyntax.includeTag(path)}`;
}

export function parameterTag(name: string): string {
  return `{{ f.${name} | safe }}`;
}

/** What one parameter costs beside its value, in a call. */
export const PARAMETER_OVERHEAD = ': "", '.length;
export const CALL_OVERHEAD = callPartial(partialPath('0'.repeat(24)), []).length;

/** Front matter, which Eleventy cuts off, and a byte order mark, which it drops. */
const STOLEN_AT_START = /^(?:---|\xef\xbb\xbf)/;
// a brace at the end would join the tag that follows; `#}` outside of a comment is an error
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

function parseTag(text: string, at: number): { part: Part; end: number } {
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
    if (!matchAt(SET_END, text, end)) throw new Error(`an unknown value at byte ${end}`);
    end = SET_END.lastIndex;
  }
  const include = matchAt(INCLUDE, text, end);
  if (!include) throw new Error(`an unknown tag at byte ${at}`);
  return { part: { kind: 'include', path: `_includes/${include[1]}`, parameters }, end: INCLUDE.lastIndex };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function bytesPart(text: string): Part {
  return { kind: 'bytes', bytes: Buffer.from(text, 'latin1') };
}

function unquote(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, char: string) => UNESCAPES[char] ?? char);
}

const UNESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
