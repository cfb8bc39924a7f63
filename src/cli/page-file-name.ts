/**
 * File names of pages in a folder: host and path of the URL, in names that every file system accepts. A name ends in a
 * hash of the URL if it cannot equal the URL (forbidden characters, a query, upper case, which some systems do not
 * distinguish, excess length). So different URLs have different names in any order; only the scheme is ignored.
 */
import { createHash } from 'node:crypto';

/**
 * Maximum UTF-8 bytes of one part of a path, and maximum number of parts; most systems allow 255 bytes a name and
 * 260 characters a path.
 */
const MAX_PART_BYTES = 80;
const MAX_PARTS = 12;
const MAX_BYTES = 180;
/** Device names of Windows, with any ending. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
/**
 * Characters that some systems forbid, or that are invisible: controls, formats, separators, surrogates, private use.
 */
const FORBIDDEN = /[<>:"/\\|?*~%\p{C}\p{Zl}\p{Zp}]/gu;

/** The path below the folder, with `/` between its parts. `ending` is the file ending without a dot. */
export function pageFileName(url: string, ending: string): string {
  const { host, path, query } = partsOf(url);
  const segments = path.split('/').slice(1);
  const isIndex = segments.length === 0 || segments.at(-1) === '';
  const named = [host === '' ? '_' : host, ...segments.filter((part) => part !== '')];
  // empty parts (`//`) are dropped
  let isOwn = query === '' && segments.slice(0, -1).every((part) => part !== '');
  const parts = named.map((part, k) => {
    const isFile = k === named.length - 1 && !isIndex;
    const safe = safePart(part, { isFile, ending });
    if (!safe.isOwn) isOwn = false;
    return safe.text;
  });
  let kept = parts;
  if (parts.length > MAX_PARTS || Buffer.byteLength(parts.join('/')) > MAX_BYTES) {
    isOwn = false;
    kept = [parts[0], cutTo(parts.at(-1)!, MAX_PART_BYTES)];
  }
  if (isIndex) kept = [...kept, 'index'];
  const hash = isOwn ? '' : `~${hashOf(url)}`;
  return `${kept.join('/')}${hash}.${ending}`;
}

/** Another name for a page whose name is taken, such as by another capture of its URL. */
export function otherFileName(name: string, page: string): string {
  const dot = name.lastIndexOf('.');
  return `${name.slice(0, dot)}~${hashOf(page)}${name.slice(dot)}`;
}

interface UrlParts {
  host: string;
  path: string;
  query: string;
}

function partsOf(url: string): UrlParts {
  const match = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)([^?#]*)([^#]*)/i.exec(url);
  if (!match) return { host: '', path: `/${url}`, query: '' };
  const [, authority, path, query] = match;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:(80|443)$/, '');
  return { host: host.toLowerCase(), path: path === '' ? '/' : decoded(path), query };
}

/** Decodes valid UTF-8 in percent-encoding; what must stay encoded is replaced later. */
function decoded(path: string): string {
  try {
    // a decoded slash would become a separator
    return path
      .split(/%2f/i)
      .map((part) => decodeURIComponent(part))
      .join('%2F');
  } catch {
    return path;
  }
}

interface SafePart {
  text: string;
  /** Whether it equals the URL's part, and no other part has the same name ignoring case. */
  isOwn: boolean;
}

/** Converts a part to a name that every file system accepts. */
function safePart(part: string, { isFile, ending }: { isFile: boolean; ending: string }): SafePart {
  let text = part
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .replace(/^[. ]+/, '_');
  text = cutTo(text, MAX_PART_BYTES).replace(/[. ]$/, '_');
  if (RESERVED.test(text)) text = `_${text}`;
  if (isTaken(text, isFile, ending)) text += '_';
  return { text, isOwn: text === part && text === text.toLowerCase() };
}

/** Whether the name may collide with the folder itself, an index page or a neighbouring file. */
function isTaken(text: string, isFile: boolean, ending: string): boolean {
  const lower = text.toLowerCase();
  return isFile ? lower === 'index' : lower.startsWith('index.jsonl') || lower.endsWith(`.${ending}`);
}

/** The longest beginning with at most this number of UTF-8 bytes. */
function cutTo(text: string, mostBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= mostBytes) return text;
  let end = mostBytes;
  while ((bytes[end] & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}
