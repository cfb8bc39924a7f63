/**
 * Detects whether a capture is HTML. The declared media type decides if it is plausible. The first bytes
 * decide if it is missing or vague, and overrule it if they plainly are something else: an image, a PDF,
 * JSON, a feed. Cost: only the first kilobytes are read.
 */
import { isAscii } from 'node:buffer';

/** The verdict on a media type: HTML, possibly HTML, or another type. */
export type MimeVerdict = 'html' | 'maybe' | 'no';

const HTML_TYPES = new Set([
  'text/html',
  'application/xhtml+xml',
  'application/vnd.wap.xhtml+xml',
  'text/xhtml',
  'html',
  'text/htm',
]);
const VAGUE_TYPES = new Set([
  '',
  'application/octet-stream',
  'application/x-unknown',
  'application/unknown',
  'unknown/unknown',
  'content/unknown',
  'unknown',
  '*/*',
  'text/plain',
  'text/xml',
  'application/xml',
]);

/** Classifies a media type (lower case, no parameters): HTML, something else, or too vague to decide. */
export function judgeMime(mime: string): MimeVerdict {
  if (HTML_TYPES.has(mime)) return 'html';
  // a text that is not a media type decides nothing: `charset=utf-8`, `en-us`
  return VAGUE_TYPES.has(mime) || !mime.includes('/') ? 'maybe' : 'no';
}

/** Whether a decoded body is HTML, given its declared media type. */
export function isHtml(body: Uint8Array, mime: string): boolean {
  const declared = judgeMime(mime);
  if (declared === 'no') return false;
  if (isBinary(body)) return false;
  if (startsWithHtmlRoot(body)) return true;
  const start = readStart(body);
  const root = start.slice(skipProlog(start));
  if (isOtherXml(start, root)) return false;
  if (declared === 'html') return !isJson(body, start);
  const strict = mime !== '' && mime !== 'application/octet-stream' && mime.includes('/');
  return (strict ? HTML_ROOT : HTML_START).test(root);
}

/** Whether a body starts with a tag, a comment or a doctype; such a body is not compressed. */
export function startsWithMarkup(body: Uint8Array): boolean {
  let i = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  while (i < body.length && i < 256 && isSpace(body[i])) i++;
  if (body[i] !== 0x3c) return false;
  const next = body[i + 1] | 0x20;
  const named = (next >= 0x61 && next <= 0x7a) || body[i + 1] === 0x21 || body[i + 1] === 0x3f;
  return named && isAscii(body.subarray(i, Math.min(body.length, i + 12)));
}

/**
 * Whether a body starts, after white space, with the doctype or root of HTML. All later tests would agree, so
 * this one saves time.
 */
function startsWithHtmlRoot(body: Uint8Array): boolean {
  let at = 0;
  while (at < 256 && isSpace(body[at])) at++;
  if (body[at] !== 0x3c) return false;
  const name = body[at + 1] === 0x21 ? DOCTYPE_HTML : HTML;
  for (let i = 0; i < name.length; i++) if (lower(body[at + 1 + i]) !== name[i]) return false;
  const next = body[at + 1 + name.length];
  return next === 0x3e || isSpace(next);
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 32 : byte;
}

const HTML = new TextEncoder().encode('html');
const DOCTYPE_HTML = new TextEncoder().encode('!doctype html');

/** Number of characters of a body that are examined. */
const START_BYTES = 1024;
/** Maximum bytes that the examined characters take up. */
export const SNIFFED_BYTES = 2 * START_BYTES;
const HTML_ROOT = /^<(?:!doctype\s+html|html|head|body)(?=[\s>/]|$)/i;
const HTML_START =
  /^<(?:!--|(?:!doctype\s+html|html|head|body|title|meta|link|base|script|style|table|div|p|br|h[1-6]|a|b|i|font|center|iframe|frameset|img|span|ul|ol|form|hr|pre|article|main|section|header|nav)(?=[\s>/]|$))/i;
const XML_ROOT = /^<(?:!doctype\s+)?([a-z_][\w:.-]*)/i;
/** Root elements that are not HTML, with or without an XML declaration. */
const FOREIGN_ROOTS =
  /^(?:rss|feed|rdf:rdf|urlset|sitemapindex|svg|opml|wml|smil|kml|gpx|math|plist|crossdomain|cross-domain-policy|soap(?:-env)?:envelope|channel|error|response|xml)$/i;
const HTML_ELEMENT =
  /^(?:html|head|body|title|meta|link|base|script|style|noscript|table|div|p|br|h[1-6]|a|b|i|font|center|iframe|frameset|img|span|ul|ol|form|hr|pre)$/i;

/** Returns the first characters as text, whatever the charset; UTF-16 loses its zero bytes. */
function readStart(body: Uint8Array): string {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SNIFFED_BYTES));
  let from = 0;
  let wide = false;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) from = 3;
  else if (looksUtf16(bytes)) {
    wide = true;
    if (bytes[0] >= 0xfe) from = 2;
  }
  const text = bytes.toString(
    'latin1',
    from,
    Math.min(bytes.length, from + (wide ? SNIFFED_BYTES : START_BYTES)),
  );
  return wide ? text.replaceAll('\0', '') : text;
}

/**
 * Detects UTF-16 by the byte order mark, or by zeros in every second byte of the first tag; null otherwise.
 */
export function looksUtf16(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'UTF-16BE';
  if (bytes.length < 4) return null;
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[2] !== 0 && bytes[3] === 0) return 'UTF-16LE';
  if (bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0 && bytes[3] !== 0) return 'UTF-16BE';
  return null;
}

/** By byte: 1 for a control character that text does not contain. */
const CONTROLS = new Uint8Array(256);
for (let byte = 0; byte < 0x20; byte++) CONTROLS[byte] = isSpace(byte) || byte === 0x1b ? 0 : 1;

function isBinary(body: Uint8Array): boolean {
  if (hasBinaryMagic(body)) return true;
  if (looksUtf16(body)) return false;
  // text of any charset has hardly any control characters, except the escape (0x1B) of ISO-2022
  const length = Math.min(body.length, START_BYTES);
  let controls = 0;
  const view = new DataView(body.buffer, body.byteOffset, length);
  for (let i = 0; i < length; i++) {
    // skip four bytes at once while none of them is below 0x20
    for (; i <= length - 4; i += 4) {
      const four = view.getInt32(i, true);
      if (((four - 0x20202020) & ~four & 0x80808080) !== 0) break;
    }
    if (i < length) controls += CONTROLS[body[i]];
  }
  return controls > 4 && controls * 20 > length;
}

const BINARY_MAGICS = [
  '%PDF-',
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  'PK\x03\x04',
  '\x1f\x8b',
  'RIFF',
  'wOFF',
  'wOF2',
  'FWS',
  'CWS',
  'Rar!',
  '7z\xbc\xaf',
  '%!PS',
  '{\\rtf',
  '\xd0\xcf\x11\xe0',
  '\0\0\x01\0',
  'OggS',
  'ID3',
  '\x28\xb5\x2f\xfd',
  'BZh9',
  '\xfd7zXZ',
];

function hasBinaryMagic(body: Uint8Array): boolean {
  // nearly all pages start with a tag or white space
  if (body[0] === 0x3c || isSpace(body[0])) return false;
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 8)).toString('latin1');
  return BINARY_MAGICS.some((magic) => start.startsWith(magic));
}

function isJson(body: Uint8Array, start: string): boolean {
  const json = /^\s*(?:[\w.$]+\s*\(\s*)?(?:\{\s*(?:"|\}|'\w+'\s*:)|\[\s*(?:[{["\]\d-]|true|false|null))/.exec(
    start,
  );
  if (!json) return false;
  let last = body.length - 1;
  while (last > 0 && (isSpace(body[last]) || body[last] === 0)) last--;
  return body[last] === 0x7d || body[last] === 0x5d || body[last] === 0x29 || body[last] === 0x3b;
}

function isOtherXml(start: string, root: string): boolean {
  const element = XML_ROOT.exec(root);
  if (!element) return false;
  if (FOREIGN_ROOTS.test(element[1])) return true;
  return /^\s*<\?xml\b/i.test(start) && element[0][1] !== '!' && !HTML_ELEMENT.test(element[1]);
}

/**
 * Returns the start of the first tag or doctype, after white space, processing instructions and complete
 * comments.
 */
function skipProlog(start: string): number {
  let position = 0;
  let before = 0; // start of the last comment, if there is nothing but comments
  for (;;) {
    while (isSpace(start.charCodeAt(position))) position++;
    const closing = start.startsWith('<!--', position) ? '-->' : start.startsWith('<?', position) ? '>' : '';
    if (closing === '') return start.length - position < 4 ? before : position;
    const end = start.indexOf(closing, position + 2);
    if (end < 0) return position; // a comment longer than the examined characters
    before = position;
    position = end + closing.length;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
