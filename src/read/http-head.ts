/**
 * Status and headers of an archived HTTP response. Archives hold whatever servers, proxies and crawlers left
 * there, so nothing is assumed: lines may end in LF only, the status line may be missing or be the
 * pseudo-header of HTTP/2, lines may be folded or not be headers at all, and interim responses may come
 * first. Cost: only the headers that Chaff needs become strings, and the body is not read.
 */

/** The head of an HTTP response, as far as Chaff needs it. */
export interface HttpHead {
  /** Status code; 0 if none could be read. */
  status: number;
  /** Whether a status line or `:status` was found. */
  stated: boolean;
  /** The last Content-Type header with a value; empty if undeclared. */
  contentType: string;
  /** All Content-Encoding headers, joined by commas. */
  contentEncoding: string;
  /** All Transfer-Encoding headers, joined by commas. */
  transferEncoding: string;
  /** Start of the body in the block. */
  bodyStart: number;
  /** Whether an empty line ended the head. */
  complete: boolean;
}

/** Longest head that is read, in bytes; the rest is body. */
const MAX_HEAD_BYTES = 256 * 1024;
const LF = 10;
const CR = 13;
const TAB = 9;
const SPACE = 32;
const LESS_THAN = 60;
const STATUS_LINE = /^(?:HTTP(?:\/\d+(?:\.\d+)?)?|ICY)\s+(\d{3})(?!\d)(.*)/i;
const COLON = 58;
/** By byte: 1 if the name of a header may contain it. */
const NAME_BYTES = new Uint8Array(256);
for (let byte = 0; byte < 128; byte++) {
  NAME_BYTES[byte] = /[!#$%&'*+.^_`|~\w-]/.test(String.fromCharCode(byte)) ? 1 : 0;
}

/** Parses the head at the start of a block; null if the block does not start with one. */
export function parseHttpHead(block: Uint8Array): HttpHead | null {
  let head = parseOneHead(block, 0);
  // interim responses (100 Continue, a proxy's answer to CONNECT) come before the response itself
  for (let i = 0; i < 4 && head && isInterim(head) && startsWithHttp(block, head.bodyStart); i++) {
    head = parseOneHead(block, head.bodyStart);
  }
  return head;
}

/** Returns the media type of a Content-Type header in lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  // some servers forget the semicolon: `text/html charset=utf-8`
  const type = contentType.trim().toLowerCase();
  const end = type.search(/[;,\s]/);
  return end < 0 ? type : type.slice(0, end);
}

/** Returns the charset parameter of a Content-Type header as written; empty if the header has none. */
export function charsetParameterOf(contentType: string): string {
  return /charset\s*=[\s"']*([^\s"';,]+)/i.exec(contentType)?.[1] ?? '';
}

interface OneHead extends HttpHead {
  reason: string;
}

function isInterim(head: OneHead): boolean {
  return (
    (head.status >= 100 && head.status < 200) ||
    (head.status === 200 && /connection established/i.test(head.reason))
  );
}

function startsWithHttp(block: Uint8Array, at: number): boolean {
  return (
    block[at] === 0x48 &&
    block[at + 1] === 0x54 &&
    block[at + 2] === 0x54 &&
    block[at + 3] === 0x50 &&
    block[at + 4] === 0x2f
  );
}

function parseOneHead(block: Uint8Array, from: number): OneHead | null {
  const head: OneHead = {
    status: 0,
    stated: false,
    reason: '',
    contentType: '',
    contentEncoding: '',
    transferEncoding: '',
    bodyStart: block.length,
    complete: false,
  };
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.length);
  const limit = Math.min(block.length, from + MAX_HEAD_BYTES);

  // some servers send an empty line before the status line
  let position = from;
  while (position < limit && (block[position] === CR || block[position] === LF)) position++;

  let name = ''; // name of the header that a folded line would continue
  let value = '';
  for (let first = true; ; first = false) {
    let end = position; // lines are short, so this loop is faster than a call to search for the end
    while (end < limit && block[end] !== LF) end++;
    const next = end < limit ? end + 1 : limit;
    if (end > position && block[end - 1] === CR) end--;

    if (end === position) {
      storeHeader(head, name, value);
      head.complete = next > position;
      head.bodyStart = next;
      return first ? null : head;
    }
    const nameEnd = headerNameEnd(block, position, end);
    if (first) {
      const line = bytes.toString('latin1', position, end);
      const status = STATUS_LINE.exec(line);
      if (status) {
        head.status = Number(status[1]);
        head.reason = status[2];
        head.stated = true;
        position = next;
        continue;
      }
      if (/^HTTP\//i.test(line)) {
        position = next;
        continue;
      }
      if (nameEnd < 0) return null;
    }
    if (nameEnd >= 0) {
      storeHeader(head, name, value);
      name = '';
      if (mayBeAskedFor(block[position], nameEnd - position)) {
        name = bytes.toString('latin1', position, nameEnd).toLowerCase();
        value = bytes.toString('latin1', block.indexOf(COLON, nameEnd) + 1, end).trim();
      }
    } else if (block[position] === SPACE || block[position] === TAB) {
      if (name !== '') value += ` ${bytes.toString('latin1', position, end).trim()}`;
    } else if (block[position] === LESS_THAN) {
      // the empty line is missing and the page starts here
      storeHeader(head, name, value);
      head.bodyStart = position;
      return head;
    }
    // any other line is noise between headers
    position = next;
  }
}

/**
 * Returns the end of the header name in a line; -1 if the line is not a header. Only blanks may come before
 * the colon.
 */
function headerNameEnd(block: Uint8Array, start: number, end: number): number {
  const first = block[start] === COLON ? start + 1 : start; // the colon of `:status` is part of the name
  let at = first;
  while (at < end && NAME_BYTES[block[at]] === 1) at++;
  const nameEnd = at;
  while (at < end && (block[at] === SPACE || block[at] === TAB)) at++;
  return nameEnd > first && at < end && block[at] === COLON ? nameEnd : -1;
}

/** Whether `storeHeader` may need a header, by the first byte and the length of its name. */
function mayBeAskedFor(first: number, length: number): boolean {
  switch (length) {
    case 'status'.length:
      return (first | 32) === 0x73;
    case ':status'.length:
      return first === COLON;
    case 'content-type'.length:
    case 'content-encoding'.length:
      return (first | 32) === 0x63;
    case 'transfer-encoding'.length:
      return (first | 32) === 0x74;
    default:
      return false;
  }
}

function storeHeader(head: OneHead, name: string, value: string): void {
  switch (name) {
    case 'content-type':
      // the last header with a value counts, as in browsers
      if (value !== '') head.contentType = value;
      return;
    case 'content-encoding':
      head.contentEncoding = join(head.contentEncoding, value);
      return;
    case 'transfer-encoding':
      head.transferEncoding = join(head.transferEncoding, value);
      return;
    case ':status':
    case 'status':
      // CGI programs print `Status: 200 OK`; a status line takes precedence
      if (!head.stated && /^\d{3}\b/.test(value)) {
        head.status = Number(value.slice(0, 3));
        head.stated = name === ':status';
      }
      return;
  }
}

function join(before: string, value: string): string {
  if (before === '') return value;
  return value === '' ? before : `${before}, ${value}`;
}
