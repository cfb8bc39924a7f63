/**
 * Includes that a server puts in place. Both styles have the same files; they differ in the tag and in which bytes of a
 * page the processor would take for its own. Such bytes are served from a folder in which the processor is off.
 *
 * Server-side includes as nginx and Apache read them: `<!--#include virtual="/path" -->`. A processor looks for
 * `<!--#` only.
 *
 * Edge-side includes as Varnish reads them: `<esi:include src="/path"/>`. Varnish goes from tag to tag. Between a `<`
 * and the next `>`, within a comment and within CDATA it sees no include; it ignores an object that does not start with
 * `<`; and it removes `<!--esi` and `<esi:`. So bytes may be written between includes only when, read from the start,
 * they hold none of these and end outside of every tag and comment. Varnish misses the end of a comment at `--->` and
 * of CDATA at `]]]>`: bytes must be harmless both read so and read properly.
 */
import { type IncludeSyntax, type Part, RAW_FOLDER } from './include-syntax.ts';

const SSI_OPEN = '<!--#';
const SSI_TAG = /^<!--#include virtual="\/((?:_fragments|_raw)\/[0-9a-f]+\.html)" -->/;
const ESI_TAG = /^<esi:include src="\/((?:_fragments|_raw)\/[0-9a-f]+\.html)"\/>/;
const MAX_TAG = 100;
const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;

/** Where both styles have their files. */
const PATHS = {
  holdsText: false,
  fragmentPath: (id: string) => `_fragments/${id}.html`,
  pagePath: (path: string) => `pages/${path}`,
};

export function rawPath(id: string): string {
  return `${RAW_FOLDER}/${id}.html`;
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Collects the parts of a file: the includes that were found, and the bytes between them. */
class PartList {
  readonly parts: Part[] = [];
  readonly #file: Buffer;
  #cursor = 0;

  constructor(file: Buffer) {
    this.#file = file;
  }

  /** Adds the include at `start` when its tag is one of ours; the position after it, or -1. */
  addInclude(tag: RegExp, start: number): number {
    const found = tag.exec(this.#file.toString('latin1', start, start + MAX_TAG));
    if (found === null) return -1;
    this.#addBytes(start);
    this.parts.push({ kind: 'include', path: found[1] });
    return (this.#cursor = start + found[0].length);
  }

  finish(): Part[] {
    this.#addBytes(this.#file.length);
    return this.parts;
  }

  #addBytes(end: number): void {
    if (end > this.#cursor) this.parts.push({ kind: 'bytes', bytes: this.#file.subarray(this.#cursor, end) });
  }
}

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
      if (end < 0) throw new Error(`an unknown command at byte ${at}`);
    }
    return list.finish();
  },
};

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
      if (at < 0) throw new Error(`an unknown element or an open tag at byte ${next.start}`);
    }
    const parts = list.finish();
    if (parts.some(({ kind }) => kind === 'include') && !startsLikeXml(buffer)) {
      throw new Error('includes in a file that does not start with a tag');
    }
    return parts;
  },
};

type Found =
  | { kind: 'other'; start: number; end: number }
  | { kind: 'esi' | 'open'; start: number }
  | { kind: 'end' };

/** The next tag, comment or CDATA section; `from` is outside of any. */
function nextTag(bytes: Buffer, from: number, naive: boolean): Found {
  const start = bytes.indexOf(LESS, from);
  if (start < 0) return { kind: 'end' };
  const name = bytes[start + 1] === SLASH ? start + 2 : start + 1;
  if (starts(bytes, name, '!--esi') || starts(bytes, name, 'esi:')) return { kind: 'esi', start };
  const left = bytes.length - name;
  // cut off where it could still become one of Varnish's own
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

/** One past a closing mark, 0 without one. Naively, a byte that does not fit is not tried again. */
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
