/**
 * Finds the charset that a page declares. Labels are resolved by the Encoding standard; unknown ones are
 * tried again without punctuation, since `iso-88591` and `windows1251` can only mean one charset. The meta
 * prescan of the HTML standard reads the first 1,024 bytes; if it finds nothing, as after a long script, the
 * next kilobytes are searched for a meta element with a charset.
 */
import { labelToName } from '@exodus/bytes/encoding.js';
import { isLetter, isSpace } from '../model/byte-kinds.ts';

/** Returns the WHATWG name for a label, also a misspelt one; null if the label names no readable charset. */
export function charsetNamed(label: string): string | null {
  if (label === '') return null;
  let name = knownLabels.get(label);
  if (name === undefined) {
    name = resolveLabel(label);
    if (knownLabels.size < MAX_KNOWN_LABELS) knownLabels.set(label, name);
  }
  return name;
}

/** Returns the charset of a page's meta element; null if none names a readable charset. */
export function metaCharset(body: Uint8Array): string | null {
  const first = charsetNamed(prescanMeta(body) ?? '');
  if (first !== null) return first;
  for (const label of searchLabels(body)) {
    const name = charsetNamed(label);
    if (name !== null) return name;
  }
  return null;
}

/**
 * Returns the label that a page declares, whether or not it names a charset; empty if the page declares none.
 */
export function metaLabel(body: Uint8Array): string {
  for (const label of searchLabels(body)) return label;
  return '';
}

const SEARCH_BYTES = 32 * 1024;
/** A comment, whose content declares nothing, or a meta element with a charset. */
const COMMENT_OR_META = /<!--[\s\S]*?(?:-->|$)|<meta\b[^>]{0,500}?charset\s*=[\s"']*([\w:.-]+)/gi;
const MAX_KNOWN_LABELS = 1000;
const knownLabels = new Map<string, string | null>();

const SQUASHED_NAMES = new Map(
  ['Big5', 'EUC-JP', 'EUC-KR', 'GBK', 'GB18030', 'ISO-2022-JP', 'KOI8-R', 'KOI8-U', 'Shift_JIS', 'UTF-8'].map(
    (name) => [squash(name), name],
  ),
);

function resolveLabel(label: string): string | null {
  const known = labelToName(label) ?? mendLabel(label);
  // UTF-16 shows in the bytes, so a page with this label but other bytes has another charset
  if (known === null || known === 'replacement' || known === 'x-user-defined' || known.startsWith('UTF-16'))
    return null;
  return known;
}

function mendLabel(label: string): string | null {
  const squashed = squash(label);
  const codePage = /^(?:x?cp|x?win|windows|ms|ansi|wind?ows?cp)?(125[0-8]|874|866|949|936|932|950)$/.exec(
    squashed,
  );
  if (codePage) return CODE_PAGES[codePage[1]] ?? `windows-${codePage[1]}`;
  const iso = /^(?:iso|is0|so|iec)?8859(\d{1,2})(?:[ei])?$/.exec(squashed);
  if (iso) return labelToName(`iso-8859-${Number(iso[1])}`);
  return SQUASHED_NAMES.get(squashed) ?? labelToName(squashed);
}

const CODE_PAGES: Record<string, string> = {
  866: 'IBM866',
  932: 'Shift_JIS',
  936: 'GBK',
  949: 'EUC-KR',
  950: 'Big5',
};

function squash(label: string): string {
  return label.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function* searchLabels(body: Uint8Array): Generator<string> {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, SEARCH_BYTES)).toString(
    'latin1',
  );
  for (const [, label] of text.matchAll(COMMENT_OR_META)) if (label !== undefined) yield label;
  const xml = /^\s*<\?xml\b[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(text);
  if (xml) yield xml[1];
}

const PRESCAN_BYTES = 1024;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const SLASH = 0x2f;
const DASH = 0x2d;
const EQUALS = 0x3d;

/** Offsets of the current attribute in the page; one object, reused. */
const attribute = { nameStart: 0, nameEnd: 0, valueStart: 0, valueEnd: 0 };

/**
 * The prescan of the HTML standard: returns the WHATWG name of the charset that a meta element within the
 * first 1,024 bytes declares, or null. Only parts of meta elements become strings, so that a page costs a
 * microsecond. The result agrees with `html-encoding-sniffer`, also on end tags (skipped to the next `>`) and
 * values without an end.
 */
export function prescanMeta(page: Uint8Array): string | null {
  const bytes = page.length > PRESCAN_BYTES ? page.subarray(0, PRESCAN_BYTES) : page;
  const end = bytes.length;
  for (let at = bytes.indexOf(LESS_THAN); at >= 0 && at + 1 < end; at = bytes.indexOf(LESS_THAN, at + 1)) {
    const next = bytes[at + 1];
    if (isLetter(next)) {
      if (isMeta(bytes, at)) {
        const { charset, at: stop, isOver } = readMeta(bytes, at + 6);
        if (charset !== null || isOver) return charset;
        at = stop;
        continue;
      }
      at += 2;
      while (at < end && !isSpace(bytes[at]) && bytes[at] !== GREATER_THAN) at++;
      at = skipAttributes(bytes, at);
    } else if (next === 0x21 && at + 3 < end && bytes[at + 2] === DASH && bytes[at + 3] === DASH) {
      at += 4;
      while (at < end && (bytes[at] !== GREATER_THAN || bytes[at - 1] !== DASH || bytes[at - 2] !== DASH)) {
        at++;
      }
    } else if (next === 0x21 || next === SLASH || next === 0x3f) {
      at += 2;
      while (at < end && bytes[at] !== GREATER_THAN) at++;
    }
  }
  return null;
}

/** Whether the bytes are `<meta` and a space or slash. */
function isMeta(bytes: Uint8Array, at: number): boolean {
  if (at + 5 >= bytes.length || (bytes[at + 1] | 32) !== 0x6d || (bytes[at + 2] | 32) !== 0x65) return false;
  if ((bytes[at + 3] | 32) !== 0x74 || (bytes[at + 4] | 32) !== 0x61) return false;
  return isSpace(bytes[at + 5]) || bytes[at + 5] === SLASH;
}

/**
 * Reads the attributes of a meta element: its charset, the end of the element, and `isOver` if the scan ends
 * here.
 */
function readMeta(bytes: Uint8Array, start: number): { charset: string | null; at: number; isOver: boolean } {
  const seen = new Set<string>();
  let isPragma = false;
  let needsPragma: boolean | null = null;
  let charset: string | null = null;
  let at = start;
  for (;;) {
    const next = readAttribute(bytes, at);
    if (next < 0) break;
    at = next;
    const { nameStart, nameEnd, valueStart, valueEnd } = attribute;
    const name = lowerText(bytes, nameStart, nameEnd);
    if (seen.has(name)) continue;
    seen.add(name);
    if (name === 'http-equiv') {
      isPragma = lowerText(bytes, valueStart, valueEnd) === 'content-type';
    } else if (name === 'content' && charset === null) {
      const label = charsetInContent(lowerText(bytes, valueStart, valueEnd));
      if (label === undefined) return { charset: null, at, isOver: true };
      charset = label === null ? null : labelToName(label);
      if (charset !== null) needsPragma = true;
    } else if (name === 'charset') {
      charset = labelToName(lowerText(bytes, valueStart, valueEnd));
      needsPragma = false;
    }
  }
  at = attributesEnd(bytes, at);
  if (needsPragma === null || (needsPragma && !isPragma)) charset = null;
  if (charset === 'UTF-16LE' || charset === 'UTF-16BE') charset = 'UTF-8';
  if (charset === 'x-user-defined') charset = 'windows-1252';
  return { charset, at, isOver: false };
}

function skipAttributes(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let next = readAttribute(bytes, at); next >= 0; next = readAttribute(bytes, at)) at = next;
  return attributesEnd(bytes, at);
}

/**
 * Returns the position of the `>` that ends an element if no attribute is left; else the end of the bytes.
 */
function attributesEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && (isSpace(bytes[at]) || bytes[at] === SLASH)) at++;
  return at < bytes.length && bytes[at] === GREATER_THAN ? at : bytes.length;
}

/** Reads the next attribute; returns its end, or -1 if the element or the scanned bytes end first. */
function readAttribute(bytes: Uint8Array, start: number): number {
  const end = bytes.length;
  let at = start;
  while (at < end && (isSpace(bytes[at]) || bytes[at] === SLASH)) at++;
  if (at >= end || bytes[at] === GREATER_THAN) return -1;

  // the name; an equals sign is part of it if it comes first
  attribute.nameStart = at++;
  while (at < end && !isNameEnd(bytes[at])) at++;
  attribute.nameEnd = at;
  attribute.valueStart = attribute.valueEnd = at;
  while (at < end && isSpace(bytes[at])) at++;
  if (at >= end) return -1;
  if (bytes[at] !== EQUALS) return at;

  // the value
  at++;
  while (at < end && isSpace(bytes[at])) at++;
  if (at >= end) return -1;
  const quote = bytes[at];
  if (quote === 0x22 || quote === 0x27) {
    attribute.valueStart = ++at;
    while (at < end && bytes[at] !== quote) at++;
    attribute.valueEnd = at;
    if (at < end) return at + 1;
    return bytes[end - 1] === GREATER_THAN ? end : -1; // the bytes end just after something like a tag
  }
  attribute.valueStart = at;
  while (at < end && !isSpace(bytes[at]) && bytes[at] !== GREATER_THAN) at++;
  attribute.valueEnd = at;
  return at < end ? at : -1;
}

/**
 * Returns the label after `charset=` in a content attribute, null if it is not found, undefined if the value
 * ends there.
 */
function charsetInContent(text: string): string | null | undefined {
  for (let at = text.indexOf('charset'); at >= 0; at = text.indexOf('charset', at)) {
    at = skipSpaces(text, at + 'charset'.length);
    if (at === text.length) return undefined;
    if (text[at] !== '=') {
      at--;
      continue;
    }
    at = skipSpaces(text, at + 1);
    if (at === text.length) return undefined;
    if (text[at] === '"' || text[at] === "'") {
      const close = text.indexOf(text[at], at + 1);
      return close < 0 ? null : text.slice(at + 1, close);
    }
    if (at + 1 === text.length) return null;
    const length = text.slice(at + 1).search(/[\t\n\f\r ;]/);
    return length < 0 ? text.slice(at) : text.slice(at, at + 1 + length);
  }
  return null;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Reads bytes as Latin-1, with ASCII letters in lower case. */
function lowerText(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    text += String.fromCharCode(byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte);
  }
  return text;
}

function isNameEnd(byte: number): boolean {
  return byte === EQUALS || byte === SLASH || byte === GREATER_THAN || isSpace(byte);
}
