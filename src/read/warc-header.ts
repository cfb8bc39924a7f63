/** The header of a WARC record: a version line, fields, and an empty line. */
import type { ByteSource } from './byte-source.ts';

const CR = 13;
const LF = 10;
const MAX_HEADER_BYTES = 1024 * 1024;

/** How every record starts. */
export const WARC_MAGIC = new TextEncoder().encode('WARC/');

/** Whether a record starts here, after any number of line breaks. */
export function startsLikeWarc(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && (bytes[at] === CR || bytes[at] === LF)) at++;
  return isVersionLine(bytes, at);
}

export interface WarcHeader {
  fields: Map<string, string>;
  blockStart: number;
}

/** Reads the headers of one source, and remembers where none can end, so that no bytes are searched twice. */
export class WarcHeaders {
  readonly #source: ByteSource;
  /** No empty line starts in this span: a header that begins in it does not end in it. */
  #openStart = 0;
  #openEnd = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** The header at `offset`, or null when no record starts there. */
  at(offset: number): WarcHeader | null {
    const source = this.#source;
    let searchedBytes = offset >= this.#openStart ? Math.max(0, this.#openEnd - offset) : 0;
    for (let wantBytes = Math.max(2048, searchedBytes); ; wantBytes *= 4) {
      if (!isVersionLine(source.view(offset, 256).subarray(0, 256), 0)) return null;
      if (searchedBytes > MAX_HEADER_BYTES) return null;
      const view = source.view(offset, wantBytes).subarray(0, wantBytes);
      const endBytes = headerEnd(view, searchedBytes);
      if (endBytes > 0) {
        return { fields: parseFields(view.subarray(0, endBytes)), blockStart: offset + endBytes };
      }
      if (offset + view.length >= source.sizeBytes) {
        // cut off within its header: what is there may still name the capture
        return { fields: parseFields(view), blockStart: source.sizeBytes };
      }
      // an empty line may begin with the last bytes that were seen
      searchedBytes = Math.max(searchedBytes, lastLineFeed(view));
      this.#openStart = offset;
      this.#openEnd = offset + searchedBytes;
    }
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

/** Bytes up to and with the first empty line after `from`; 0 when none has been read yet. */
function headerEnd(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    let next = at + 1;
    while (bytes[next] === CR) next++; // some were written with two
    if (bytes[next] === LF) return next + 1;
  }
  return 0;
}

function lastLineFeed(bytes: Uint8Array): number {
  return Math.max(0, bytes.lastIndexOf(LF));
}

function parseFields(bytes: Uint8Array): Map<string, string> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const fields = new Map<string, string>();
  let last = '';
  let folded: string[] | undefined; // the lines of the last field's value, joined once
  let colon = -1; // the first one at or after the line: looked for once, however many lines have none
  for (let at = text.indexOf('\n') + 1, next = at; next > 0; at = next) {
    next = text.indexOf('\n', at) + 1;
    const end = next > 0 ? next - 1 : text.length;
    if (at === end) continue;
    const first = text.charCodeAt(at);
    if ((first === 32 || first === 9) && last !== '') {
      folded ??= [fields.get(last)!];
      folded.push(text.slice(at, end).trim());
      continue;
    }
    if (colon < at) {
      colon = text.indexOf(':', at);
      if (colon < 0) colon = text.length;
    }
    if (colon === at || colon >= end) continue;
    if (folded) fields.set(last, folded.join(' ').trim());
    folded = undefined;
    const name = text.slice(at, colon).trim().toLowerCase();
    last = fields.has(name) ? '' : name; // the first of several counts
    if (last !== '') fields.set(name, text.slice(colon + 1, end).trim());
  }
  if (folded) fields.set(last, folded.join(' ').trim());
  return fields;
}
