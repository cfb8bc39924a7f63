/**
 * HTML files as captures: their records and URLs. Mirrors made by wget or HTTrack have a folder per host, which gives the
 * URL `http://host/rest`. Otherwise the URL is `file://folder-name/path`, so that a folder is a site. Files have no time:
 * the time of the copy means nothing, and the output would depend on it.
 */
import { parse } from 'tldts';
import { makeRecord, type RawRecord } from './raw-record.ts';
import { maxBlockBytes, type RecordContext } from './record-context.ts';

export function isHtmlName(name: string): boolean {
  return /\.(html?|xhtml|xht)$/i.test(name);
}

export interface HtmlFile {
  url: string;
  entry?: string;
  /** The file, or the `keptBlockBytes` at its start. */
  bytes: Uint8Array;
  sizeBytes: number;
  /** As stored, when compressed. @default sizeBytes */
  storedBytes?: number;
}

export function htmlRecord(
  { url, entry, bytes, sizeBytes, storedBytes = sizeBytes }: HtmlFile,
  context: RecordContext,
): RawRecord {
  const record = makeRecord({ offset: 0, length: storedBytes, url, mime: 'text/html', block: bytes });
  if (entry !== undefined) record.entry = entry;
  if (sizeBytes > maxBlockBytes(context.limits)) record.exceeded = 'too-large';
  return record;
}

/** `path` is relative to the folder, with `/` between its parts. */
export function urlOfFile(folderName: string, path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.' && part !== '..');
  if (isHostName(folderName)) return `http://${folderName.toLowerCase()}/${encodePath(parts)}`;
  if (parts.length > 1 && isHostName(parts[0])) {
    return `http://${parts[0].toLowerCase()}/${encodePath(parts.slice(1))}`;
  }
  const host = folderName
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  return `file://${host === '' ? 'folder' : host}/${encodePath(parts)}`;
}

/** Only names under a real top-level domain: `v1.0` and `old.files` are no hosts. */
function isHostName(name: string): boolean {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(name)) return false;
  const { isIcann, domain } = parse(name);
  return isIcann === true && domain !== null;
}

function encodePath(parts: string[]): string {
  return parts
    .map((part) => encodeURIComponent(part).replace(/%(?:2C|3A|3B|3D|40|24|26|2B)/g, decodeURIComponent))
    .join('/');
}
