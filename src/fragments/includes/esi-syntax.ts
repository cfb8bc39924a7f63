/**
 * Edge-side includes as Varnish reads them: `<esi:include src="/path"/>`. Varnish goes from tag to tag. Between
 * a `<` and the next `>`, within a comment and within CDATA it sees no include, an object that does not start
 * with `<` it does not look into at all, and `<!--esi` and `<esi:` it takes away. So bytes may stand between
 * includes only when, read from the start, they hold none of these and end outside of every tag and comment;
 * others are served from a folder in which ESI is off.
 *
 * Varnish misses the end of a comment at `--->` and of CDATA at `]]]>`; bytes must be harmless both read so and
 * read properly.
 */
import type { IncludeSyntax, Part } from './include-syntax.ts';
import { asBuffer } from './ssi-syntax.ts';

const TAG = /^<esi:include src="\/((?:_fragments|_raw)\/[0-9a-f]+\.html)"\/>/;
const MAX_TAG = 100;
const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;

export const esiSyntax: IncludeSyntax = {
  style: 'esi',
  holdsText: false,
  fragmentPath: (id) => `_fragments/${id}.html`,
  pagePath: (path) => `pages/${path}`,
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
    const parts: Part[] = [];
    let cursor = 0;
    for (let at = 0; at < buffer.length; ) {
      const next = nextTag(buffer, at, true);
      if (next.kind === 'end') break;
      if (next.kind === 'other') {
        at = next.end;
        continue;
      }
      const tag =
        next.kind === 'esi' ? TAG.exec(buffer.toString('latin1', next.start, next.start + MAX_TAG)) : null;
      if (tag === null) throw new Error(`an unknown element or an open tag at byte ${next.start}`);
      if (next.start > cursor) parts.push({ kind: 'bytes', bytes: buffer.subarray(cursor, next.start) });
      parts.push({ kind: 'include', path: tag[1] });
      at = cursor = next.start + tag[0].length;
    }
    if (cursor < buffer.length) parts.push({ kind: 'bytes', bytes: buffer.subarray(cursor) });
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

/** The next tag, comment or CDATA section from a place outside of any. */
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

/** One past a closing mark; 0 when there is none. Naively, a byte that does not fit is not tried again. */
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
