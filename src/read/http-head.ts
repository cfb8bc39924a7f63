/**
 * The status and the headers of an archived HTTP response. Archives hold what servers, proxies and crawlers
 * left there, so nothing is assumed: line ends may be LF only, the status line may be missing or be the
 * pseudo-header of HTTP/2, lines may be folded or be no headers at all, interim responses may come first.
 * Cost: only the headers that are asked for become strings, the body is never looked at.
 */

export interface HttpHead {
  /** 0 when no status could be read. */
  status: number;
  /** Whether a status line or `:status` was there. */
  stated: boolean;
  contentType: string;
  /** All Content-Encoding headers, joined by commas. */
  contentEncoding: string;
  /** All Transfer-Encoding headers, joined by commas. */
  transferEncoding: string;
  /** Where the body starts in the block. */
  bodyStart: number;
  /** Whether an empty line ended the head. */
  complete: boolean;
}

/** Longest head looked at; what follows is body. */
const MAX_HEAD_BYTES = 256 * 1024;
const LF = 10;
const CR = 13;
const TAB = 9;
const SPACE = 32;
const LESS_THAN = 60;
const STATUS_LINE = /^(?:HTTP(?:\/\d+(?:\.\d+)?)?|ICY)\s+(\d{3})(?!\d)(.*)/i;
const COLON = 58;
/** By byte: 1 when it is allowed in the name of a header. */
const NAME_BYTES = new Uint8Array(256);
for (let byte = 0; byte < 128; byte++) {
  NAME_BYTES[byte] = /[!#$%&'*+.^_`|~\w-]/.test(String.fromCharCode(byte)) ? 1 : 0;
}

/** Reads the head at the start of a block; null when the block does not start like one. */
export function parseHttpHead(block: Uint8Array): HttpHead | null {
  let head = parseOneHead(block, 0);
  // 100 Continue, and what a proxy answers to CONNECT, come before the response itself
  for (let i = 0; i < 4 && head && isInterim(head) && startsWithHttp(block, head.bodyStart); i++) {
    head = parseOneHead(block, head.bodyStart);
  }
  return head;
}

/** The media type of a Content-Type header: lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  // servers also forget the semicolon: `text/html charset=utf-8`
  const type = contentType.trim().toLowerCase();
  const end = type.search(/[;,\s]/);
  return end < 0 ? type : type.slice(0, end);
}

/** The charset parameter of a Content-Type header as it is written; empty when there is none. */
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

  let name = ''; // header that a folded line would continue
  let value = '';
  for (let first = true; ; first = false) {
    let end = position; // lines are short: a call to search for the end would cost more than the loop
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

/** Where the name of the header in a line ends; -1 when the line is not a header: only blanks may come before the colon. */
function headerNameEnd(block: Uint8Array, start: number, end: number): number {
  const first = block[start] === COLON ? start + 1 : start; // `:status`
  let at = first;
  while (at < end && NAME_BYTES[block[at]] === 1) at++;
  const nameEnd = at;
  while (at < end && (block[at] === SPACE || block[at] === TAB)) at++;
  return nameEnd > first && at < end && block[at] === COLON ? nameEnd : -1;
}

/** Whether `storeHeader` may know a name, by its first byte and its length. */
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
      // as browsers do: the last one that says something counts
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
      // `Status: 200 OK` is what CGI programs print; a status line outranks it
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
