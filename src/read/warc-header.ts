/** The header of a WARC record: a version line, fields, and an empty line. */
import type { ByteSource } from './byte-source.ts';

const CR = 13;
const LF = 10;
const MAX_HEADER_BYTES = 1024 * 1024;

/** How every record starts. */
export const WARC_MAGIC = new TextEncoder().encode('WARC/');

/** Whether a record starts here; line breaks before it are let pass. */
export function startsLikeWarc(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] === CR || bytes[at] === LF)) at++;
  return isVersionLine(bytes, at);
}

export interface WarcHeader {
  fields: Map<string, string>;
  blockStart: number;
}

/** The header at `offset`, or null when there is none. */
export function readWarcHeader(source: ByteSource, offset: number): WarcHeader | null {
  for (let wantBytes = 2048; ; wantBytes *= 4) {
    const view = source.view(offset, wantBytes);
    if (!isVersionLine(view, 0)) return null;
    const endBytes = headerEnd(view);
    if (endBytes > 0) {
      return { fields: parseFields(view.subarray(0, endBytes)), blockStart: offset + endBytes };
    }
    if (offset + view.length >= source.sizeBytes) {
      // cut off within its header: what is there may still name the capture
      return { fields: parseFields(view), blockStart: source.sizeBytes };
    }
    if (wantBytes > MAX_HEADER_BYTES) return null;
  }
}

/** `WARC/` digit `.` digits, then the end of the line or of what is seen. */
export function isVersionLine(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < WARC_MAGIC.length; i++) if (bytes[start + i] !== WARC_MAGIC[i]) return false;
  let at = start + WARC_MAGIC.length;
  while (isDigit(bytes[at]) || bytes[at] === 46) at++;
  if (at === start + WARC_MAGIC.length) return false;
  while (bytes[at] === 32) at++;
  return bytes[at] === CR || bytes[at] === LF;
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57;
}

/** Bytes up to and with the first empty line; 0 when there is none yet. */
function headerEnd(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    let next = at + 1;
    while (bytes[next] === CR) next++; // some were written with two
    if (bytes[next] === LF) return next + 1;
  }
  return 0;
}

function parseFields(bytes: Uint8Array): Map<string, string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const fields = new Map<string, string>();
  let last = '';
  let colon = -1; // the first one at or after the line: looked for once, however many lines have none
  for (let at = text.indexOf('\n') + 1, next = at; next > 0; at = next) {
    next = text.indexOf('\n', at) + 1;
    const end = next > 0 ? next - 1 : text.length;
    if (at === end) continue;
    const first = text.charCodeAt(at);
    if ((first === 32 || first === 9) && last !== '') {
      fields.set(last, `${fields.get(last)} ${text.slice(at, end).trim()}`.trim()); // folded
      continue;
    }
    if (colon < at) {
      colon = text.indexOf(':', at);
      if (colon < 0) colon = text.length;
    }
    if (colon === at || colon >= end) continue;
    const name = text.slice(at, colon).trim().toLowerCase();
    last = fields.has(name) ? '' : name; // the first of several counts
    if (last !== '') fields.set(name, text.slice(colon + 1, end).trim());
  }
  return fields;
}
