/**
 * Page inputs: `{ url, html, time? }` from a crawler, a queue or a list. Every call of the library that takes pages
 * accepts these and pages of an archive. Needs no Node API.
 *
 * A value that cannot be a page (no URL, a Response instead of its text) is the caller's mistake and throws. A page
 * that is empty, too large or without a host is data: it is reported, counted and left out, as in an archive.
 */
import { describeValue, shown } from '../../model/check-option.ts';
import { extraKeys } from '../../model/extra-keys.ts';
import { DEFAULT_LIMITS, type Limits } from '../../model/limits.ts';
import type { Page } from '../../model/page.ts';
import type { Problem, ProblemCode, SkipCode } from '../../model/problem.ts';
import { type SiteRule, siteOf } from '../../model/site.ts';
import { timeOfRow } from '../../read/capture-time.ts';
import { toUtf8 } from '../../read/charset.ts';

/** A page that a program has fetched. Other keys (`id`, `lang`) are copied to the row of its text. */
export interface PageInput {
  url: string;
  /** Text, or bytes as they were served, whose charset is detected as in browsers. */
  html: string | Uint8Array;
  /** When it was fetched: a Date, ISO 8601 or the 14 digits of archives. */
  time?: string | Date;
}

/** A page of an archive, or one that a program has fetched. */
export type AnyPage = Page | PageInput;
/** A sync or async iterable of pages. */
export type Pages<Input extends AnyPage = AnyPage> = AsyncIterable<Input> | Iterable<Input>;

/** The keys of an input that are copied to its row. */
export type ExtraOf<Input> = Input extends Page ? unknown : Omit<Input, keyof PageInput>;

/** Options for reading page inputs. */
export interface PageInputOptions {
  /** @default 'host' */
  siteRule?: SiteRule;
  limits?: Partial<Limits>;
}

/** A page, or the code of the reason why an input gives none. */
export type ReadInput =
  | { kind: 'page'; page: Page; problems: Problem[] }
  | { kind: 'skip'; code: SkipCode; problems: Problem[] };

/** Reads pages of either kind, in order. Throws at once for a value that is not iterable. */
export function readInputPages(pages: Pages, options: PageInputOptions = {}): AsyncGenerator<ReadInput> {
  if (!isIterable(pages)) {
    const hint =
      typeof pages === 'string'
        ? 'openArchive(name) opens a file; extract(html, { url }) takes one page'
        : 'put a single page into a list: [page]';
    throw new TypeError(
      `pages must be an iterable or async iterable of { url, html }, not ${describeValue(pages)}; ${hint}`,
    );
  }
  return readEach(pages, options);
}

async function* readEach(pages: Pages, options: PageInputOptions): AsyncGenerator<ReadInput> {
  let number = 0;
  for await (const input of pages) {
    number++;
    yield isPage(input)
      ? { kind: 'page', page: input, problems: [] }
      : readPageInput(input, options, `page ${number}`);
  }
}

/** Reads one page input; `name` names the value in error messages. */
export function readPageInput(
  input: PageInput,
  { siteRule = 'host', limits = {} }: PageInputOptions = {},
  name = 'page',
): ReadInput {
  if (typeof input !== 'object' || input === null) {
    throw new TypeError(`${name} must be { url, html }, not ${describeValue(input)}`);
  }
  const { url, html, time: said = '' } = input;
  if (typeof url !== 'string')
    throw new TypeError(`url of ${name} must be a string, not ${describeValue(url)}`);
  checkHtml(html, `html of ${name}`);
  const site = siteOf(url, siteRule);
  const { pageBytes } = { ...DEFAULT_LIMITS, ...limits };
  const skip = (code: SkipCode, message?: string): ReadInput => ({
    kind: 'skip',
    code,
    problems: message === undefined ? [] : [{ code: code as ProblemCode, message, url, site }],
  });
  if (site === '') return skip('bad-url', `the URL names no host: ${url.slice(0, 200)}`);
  if (html.length > pageBytes) return skip('too-large', tooLarge(html.length, pageBytes));
  const { source, charset, fault } = decodeHtml(html);
  if (source.length > pageBytes) return skip('too-large', tooLarge(source.length, pageBytes));
  if (source.every((byte) => byte <= 0x20)) return skip('empty');
  const problems: Problem[] = [];
  const { time, fault: timeFault } = timeOfRow(said instanceof Date ? isoOf(said) : said);
  if (timeFault !== '') problems.push({ code: 'bad-date', message: timeFault, url, site });
  if (fault !== '') problems.push({ code: 'bad-charset', message: fault, url, site });
  const extra = extraKeys(input);
  const page = makeInputPage(url, { site, time, charset, source });
  return { kind: 'page', page: extra ? { ...page, extra } : page, problems };
}

/** Makes a page without a location in an archive. */
export function makeInputPage(
  url: string,
  { site, time = '', charset, source }: Pick<Page, 'site' | 'charset' | 'source'> & { time?: string },
): Page {
  return {
    file: '',
    offset: 0,
    length: source.length,
    url: url.toWellFormed(),
    time,
    status: 200,
    mime: 'text/html',
    recordId: '',
    payloadDigest: '',
    site,
    charset,
    source,
  };
}

/** Decodes HTML to UTF-8. `dropped` is the length of a byte order mark at the start of the given text or bytes. */
export function decodeHtml(html: string | Uint8Array): {
  source: Uint8Array;
  charset: string;
  dropped: number;
  fault: string;
} {
  if (typeof html !== 'string') {
    const { bytes, charset, fault } = toUtf8(html);
    return { source: bytes, charset, dropped: 0, fault };
  }
  const dropped = html.charCodeAt(0) === 0xfeff ? 1 : 0;
  const source = new TextEncoder().encode(html.slice(dropped));
  return { source, charset: 'UTF-8', dropped, fault: '' };
}

/** Throws for a URL that is not an absolute one; the empty text stands for an unknown URL. */
export function checkPageUrl(url: unknown): asserts url is string {
  // crawls hold addresses that are no valid URLs, such as https://python3.11/
  if (url === '' || (typeof url === 'string' && /^[a-z][a-z0-9+.-]*:/i.test(url))) return;
  throw new TypeError(`url must be absolute, such as https://example.org/page, not ${shown(url)}`);
}

/** Throws for a value that is not bytes. */
export function checkBytes(bytes: unknown): asserts bytes is Uint8Array {
  if (!isBytes(bytes)) throw new TypeError(`bytes must be a Uint8Array, not ${describeValue(bytes)}`);
}

/** Whether a value is bytes, also of another realm, as under Jest. */
function isBytes(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Uint8Array]';
}

/** Throws for a value that is neither text nor bytes, and says what to pass instead. */
export function checkHtml(html: unknown, name = 'html'): asserts html is string | Uint8Array {
  if (typeof html === 'string' || isBytes(html)) return;
  const kind = describeValue(html);
  const hint: Record<string, string> = {
    'a Promise': ': await it first',
    'a Response': ': pass await response.text(), or its bytes',
    'an ArrayBuffer': ': pass new Uint8Array(buffer)',
    'a Document': ': pass document.documentElement.outerHTML',
  };
  throw new TypeError(`${name} must be a string or bytes (Uint8Array), not ${kind}${hint[kind] ?? ''}`);
}

/** Whether a page was read from an archive or by `readPageInput`. */
export function isPage(input: AnyPage): input is Page {
  return typeof input === 'object' && input !== null && 'source' in input;
}

function isIterable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

function isoOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : date.toISOString();
}

function tooLarge(sizeBytes: number, most: number): string {
  return `the page has ${sizeBytes} bytes, over ${most} (limits.pageBytes)`;
}
