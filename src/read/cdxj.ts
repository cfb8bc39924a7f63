/**
 * CDXJ, the index of web archives that pywb and warcio read: a line per capture with its SURT key, its
 * 14-digit time and a JSON object whose values are all strings. Lines are plain ASCII, so that sorting them
 * as strings is sorting them as bytes, which is the order that readers search by halving.
 */
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Capture } from '../model/page.ts';
import { pywbKey } from '../model/pywb-key.ts';
import { surt } from '../model/surt.ts';

export interface CdxjOptions {
  /** Whose keys: those of warcio and WACZ tools, or those that pywb looks pages up by. @default 'warcio' */
  keys?: 'warcio' | 'pywb';
  /** Where the index lies: an archive below it is named by its path from there. @default the last part of its name */
  folder?: string;
}

/** The line of a capture, without a line end. A capture with `revisit` is marked as such. */
export function cdxjLine(
  capture: Capture & { revisit?: object },
  { keys = 'warcio', folder }: CdxjOptions = {},
): string {
  const { url, mime, status, payloadDigest, length, offset, file, entry, revisit } = capture;
  const fields: Record<string, string> = { url };
  const type = revisit ? 'warc/revisit' : mime;
  if (type !== '') fields.mime = type;
  // a revisit may have none of its own; readers take that of the original
  if (!revisit) fields.status = String(status);
  // readers take a bare digest for SHA-1; any other kind keeps its name
  if (payloadDigest !== '') fields.digest = payloadDigest.replace(/^sha1:/i, '');
  fields.length = String(length);
  fields.offset = String(offset);
  fields.filename =
    (entry === undefined && folder !== undefined && pathBelow(folder, file)) || baseName(entry ?? file);
  // one blank ends the key, so it can hold none; this also keeps a URL from starting a line of its own
  const key = (keys === 'pywb' ? pywbKey(url) : surt(url)).replace(/[\s\u0080-\uffff]+/g, encodeLoosely);
  return `${key} ${timestamp(capture.time)} ${toAscii(JSON.stringify(fields))}`;
}

/** `2009-04-01T12:00:00Z` as `20090401120000`; zeros when there is no time, which readers take for the first. */
export function timestamp(time: string): string {
  return time.replace(/\D/g, '').slice(0, 14).padEnd(14, '0');
}

/** The path from a folder to a file below it, with `/`; empty when it is not below. */
function pathBelow(folder: string, file: string): string {
  const path = relative(folder, resolve(file));
  return path.startsWith('..') || isAbsolute(path) ? '' : path.split(sep).join('/');
}

function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function encodeLoosely(text: string): string {
  // half of a surrogate pair cannot be encoded
  return encodeURIComponent(Buffer.from(text).toString());
}

function toAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
