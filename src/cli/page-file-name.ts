/**
 * The name of a page's file in a folder of pages: host and path of its URL, in names that every file system takes. A
 * name that cannot be the URL's own (characters that are not allowed, a query, upper case, which some systems do not
 * tell from lower case, too long) ends in a hash of the URL. So different URLs have different names, whatever the order in which
 * they come; the scheme alone makes no difference.
 */
import { createHash } from 'node:crypto';

/** UTF-8 bytes of one part of a path, and parts; the names of most systems end at 255 bytes and 260 characters a path. */
const MOST_PART_BYTES = 80;
const MOST_PARTS = 12;
const MOST_BYTES = 180;
/** Devices of Windows, whatever ending follows them. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
/** Not allowed somewhere, or not to be seen: controls, format characters, separators, surrogates, private use. */
const FORBIDDEN = /[<>:"/\\|?*~%\p{C}\p{Zl}\p{Zp}]/gu;

/** The path below the folder, with `/` between its parts. `ending` is that of the file, without a dot. */
export function pageFileName(url: string, ending: string): string {
  const { host, path, query } = partsOf(url);
  const segments = path.split('/').slice(1);
  const isIndex = segments.length === 0 || segments.at(-1) === '';
  const named = [host === '' ? '_' : host, ...segments.filter((part) => part !== '')];
  // empty parts (`//`) vanish from the name
  let isOwn = query === '' && segments.slice(0, -1).every((part) => part !== '');
  const parts = named.map((part, k) => {
    const isFile = k === named.length - 1 && !isIndex;
    const safe = safePart(part, { isFile, ending });
    if (!safe.isOwn) isOwn = false;
    return safe.text;
  });
  let kept = parts;
  if (parts.length > MOST_PARTS || Buffer.byteLength(parts.join('/')) > MOST_BYTES) {
    isOwn = false;
    kept = [parts[0], cutTo(parts.at(-1)!, MOST_PART_BYTES)];
  }
  if (isIndex) kept = [...kept, 'index'];
  const hash = isOwn ? '' : `~${hashOf(url)}`;
  return `${kept.join('/')}${hash}.${ending}`;
}

/** Another name for a page whose name is taken, by another capture of its URL for one. */
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

/** Percent-encoded text where it is UTF-8; what is encoded for a reason stays so and is replaced later. */
function decoded(path: string): string {
  try {
    // an encoded slash would become a separator
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
  /** Whether it is the part as it was, and no other part has the same name where case makes no difference. */
  isOwn: boolean;
}

/** A part as a name that every file system takes. */
function safePart(part: string, { isFile, ending }: { isFile: boolean; ending: string }): SafePart {
  let text = part
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .replace(/^[. ]+/, '_');
  text = cutTo(text, MOST_PART_BYTES).replace(/[. ]$/, '_');
  if (RESERVED.test(text)) text = `_${text}`;
  if (isTaken(text, isFile, ending)) text += '_';
  return { text, isOwn: text === part && text === text.toLowerCase() };
}

/** Whether the folder itself, an index page or a file beside it may have the name. */
function isTaken(text: string, isFile: boolean, ending: string): boolean {
  const lower = text.toLowerCase();
  return isFile ? lower === 'index' : lower.startsWith('index.jsonl') || lower.endsWith(`.${ending}`);
}

/** The longest beginning that has at most so many bytes of UTF-8. */
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
