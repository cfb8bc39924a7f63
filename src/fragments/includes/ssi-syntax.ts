/**
 * Server-side includes as nginx and Apache read them: `<!--#include virtual="/path" -->`. A processor only
 * looks for `<!--#`; bytes that hold it, or end in the beginning of it, are served from a folder in which
 * the processor is off.
 */
import { type IncludeSyntax, type Part, RAW_FOLDER } from './include-syntax.ts';

const OPEN = '<!--#';
const TAG = /^<!--#include virtual="\/((?:_fragments|_raw)\/[0-9a-f]+\.html)" -->/;
const MAX_TAG = 100;

export const ssiSyntax: IncludeSyntax = {
  style: 'ssi',
  holdsText: false,
  fragmentPath: (id) => `_fragments/${id}.html`,
  pagePath: (path) => `pages/${path}`,
  includeTag: (path) => `<!--#include virtual="/${path}" -->`,

  literal(bytes) {
    const buffer = asBuffer(bytes);
    if (buffer.includes(OPEN)) return null;
    for (let length = 1; length < OPEN.length; length++) {
      if (buffer.subarray(-length).toString('latin1') === OPEN.slice(0, length)) return null;
    }
    return bytes;
  },

  parse(file) {
    const buffer = asBuffer(file);
    const parts: Part[] = [];
    let cursor = 0;
    for (let at = buffer.indexOf(OPEN); at >= 0; at = buffer.indexOf(OPEN, cursor)) {
      const tag = TAG.exec(buffer.toString('latin1', at, at + MAX_TAG));
      if (tag === null) throw new Error(`an unknown command at byte ${at}`);
      if (at > cursor) parts.push({ kind: 'bytes', bytes: buffer.subarray(cursor, at) });
      parts.push({ kind: 'include', path: tag[1] });
      cursor = at + tag[0].length;
    }
    if (cursor < buffer.length) parts.push({ kind: 'bytes', bytes: buffer.subarray(cursor) });
    return parts;
  },
};

export function rawPath(id: string): string {
  return `${RAW_FOLDER}/${id}.html`;
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
