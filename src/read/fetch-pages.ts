/**
 * Fetches pages whose URLs a user names: http and https only, also after redirects; with bounds on size, time
 * and redirects; one request at a time per host, with a pause between two, and a few hosts at once. Redirects
 * are followed within the site, and to private addresses only within the named host. A failure is a problem
 * of its URL. Pages come in the order of the URLs.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getDomain } from 'tldts';
import { checkChoice, checkNumber, checkWhole, withoutUndefined } from '../model/check-option.ts';
import { inOrder } from '../model/in-order.ts';
import type { Problem } from '../model/problem.ts';
import { parseUrl } from '../model/resolve-url.ts';
import { makePage } from './make-page.ts';
import { type Input, makeRecord, type RawRecord, type ReadEvent } from './raw-record.ts';
import { UNKNOWN_CAPTURE } from './read-captures.ts';
import { checkReadOptions, type ReadOptions } from './read-options.ts';
import { NETWORK, type Network, PrivateAddressError, requestWeb } from './web-request.ts';

/** Options of `fetchPages`. */
export interface FetchOptions extends ReadOptions {
  /**
   * Time for one URL with all its redirects, without the wait for a host's turn, in milliseconds, from 1.
   * @default 30,000
   */
  timeoutMs?: number;
  /** Maximum number of redirects to follow, 0 to 100. @default 5 */
  maxRedirects?: number;
  /** Which redirects to follow. @default 'same-site' */
  allowRedirects?: RedirectRule;
  /** Pause between two requests to one host, in milliseconds, from 0. @default 500 */
  pauseMs?: number;
  /** Stops the fetching of all URLs. */
  signal?: AbortSignal;
}

/** Defaults of the options for fetching. */
export const FETCH_DEFAULTS = {
  timeoutMs: 30_000,
  maxRedirects: 5,
  allowRedirects: 'same-site',
  pauseMs: 500,
} as const satisfies FetchOptions;

/** Returns the options for fetching with defaults filled in; throws a RangeError that names a wrong one. */
export function checkFetchOptions({ timeoutMs, maxRedirects, allowRedirects, pauseMs }: FetchOptions) {
  const checked = {
    ...FETCH_DEFAULTS,
    ...withoutUndefined({ timeoutMs, maxRedirects, allowRedirects, pauseMs }),
  } as Required<Omit<FetchOptions, keyof ReadOptions | 'signal'>>;
  checkNumber('timeoutMs', checked.timeoutMs, { min: 1, max: MAX_MS });
  checkWhole('maxRedirects', checked.maxRedirects, 0, 100);
  checkChoice('allowRedirects', checked.allowRedirects, REDIRECT_RULES);
  checkNumber('pauseMs', checked.pauseMs, { min: 0, max: MAX_MS });
  return checked;
}

/** The longest time that timers take, in milliseconds. */
const MAX_MS = 2 ** 31 - 1;
/** Number of URLs fetched at once, of different hosts. */
const AT_ONCE = 4;
/** Longest part of a URL in a message, in characters. */
const TOLD_CHARACTERS = 200;

/** Fetches each URL and yields a page, or a skip with its problem, for each. */
export function fetchPages(
  urls: AsyncIterable<string> | Iterable<string>,
  options: FetchOptions = {},
  network: Network = NETWORK,
): AsyncGenerator<ReadEvent> {
  const fetcher = new PoliteFetcher(options, network);
  return inOrder(urls, { most: () => AT_ONCE, work: (url) => fetcher.fetch(url) });
}

/** Whether a text is the URL of a page on the network. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && parseUrl(text) !== undefined;
}

/** The result of one request. */
interface Step {
  /** The page, or the location of a redirect. */
  found: RawRecord | string;
  isPrivate: boolean;
}

/** Fetches URLs one after another per host, with a pause between two requests. */
class PoliteFetcher {
  readonly #options: Required<Omit<FetchOptions, keyof ReadOptions | 'signal'>> & { signal?: AbortSignal };
  readonly #readOptions: ReadOptions;
  readonly #network: Network;
  /** By host: the time at which its latest request ended. */
  readonly #turns = new Map<string, Promise<number>>();

  constructor(options: FetchOptions, network: Network) {
    this.#options = { ...checkFetchOptions(options), signal: options.signal };
    this.#network = network;
    this.#readOptions = checkReadOptions(options);
  }

  async fetch(url: string): Promise<ReadEvent> {
    let record: RawRecord;
    try {
      record = await this.#follow(url);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return notFetched(url, reasonOf(error));
    }
    const input: Input = { name: url, path: '', format: 'html', sizeBytes: 0, spooled: false };
    return makePage(input, record, this.#readOptions);
  }

  async #follow(text: string): Promise<RawRecord> {
    const { maxRedirects, timeoutMs } = this.#options;
    const named = checkUrl(text);
    let at = named;
    let leftMs = timeoutMs;
    let namedIsPrivate = false;
    for (let redirects = 0; ; redirects++) {
      const isNamed = redirects === 0;
      const mayBePrivate: boolean = isNamed || (namedIsPrivate && at.hostname === named.hostname);
      const step: Step = await this.#inTurn(at.host, async () => {
        // waiting for the host's turn does not count
        const startedMs = performance.now();
        try {
          return await this.#request(at, mayBePrivate, leftMs);
        } finally {
          leftMs -= performance.now() - startedMs;
        }
      });
      if (isNamed) namedIsPrivate = step.isPrivate;
      if (typeof step.found !== 'string') return step.found;
      if (redirects === maxRedirects) throw new Error(`more than ${maxRedirects} redirects`);
      at = this.#redirected(at, step.found);
    }
  }

  async #request(url: URL, mayBePrivate: boolean, leftMs: number): Promise<Step> {
    const { signal, timeoutMs } = this.#options;
    const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(leftMs)));
    try {
      const { response, isPrivate } = await requestWeb(url, {
        network: this.#network,
        mayBePrivate,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      try {
        const { statusCode = 0, headers } = response;
        const { location } = headers;
        if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
          return { found: location, isPrivate };
        }
        if (statusCode < 200 || statusCode > 299) throw new Error(`the server answers ${statusCode}`);
        return { found: await this.#read(url, response), isPrivate };
      } finally {
        response.destroy();
      }
    } catch (error) {
      if (timeout.aborted) throw new Error(`it took longer than ${timeoutMs} ms`, { cause: error });
      if (!(error instanceof PrivateAddressError)) throw error;
      throw new Error(
        `it redirects to ${shortUrl(url)} at ${error.address}, which is not of the public network; name that URL to fetch it`,
        { cause: error },
      );
    }
  }

  /** Returns the target of a redirect; throws if the redirect is not to be followed. */
  #redirected(from: URL, location: string): URL {
    // headers are read as Latin-1, but servers write other letters as UTF-8
    const to = checkUrl(Buffer.from(location, 'latin1').toString('utf8'), from);
    if (isFollowed(from, to, this.#options.allowRedirects)) return to;
    throw new Error(
      `it redirects to ${shortUrl(to)}, which is followed with --allow-redirects ${ruleFollowing(from, to)}`,
    );
  }

  /** Reads the response as a record; reading stops once the body is too large. */
  async #read(url: URL, response: IncomingMessage): Promise<RawRecord> {
    const { pageBytes } = checkReadOptions(this.#readOptions).limits;
    const { statusCode, headers } = response;
    const head = [
      `HTTP/1.1 ${statusCode}`,
      `Content-Type: ${headers['content-type'] ?? ''}`,
      `Content-Encoding: ${headers['content-encoding'] ?? ''}`,
    ];
    const chunks: Uint8Array[] = [Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1')];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > pageBytes) break;
    }
    const record = makeRecord({
      kind: 'response',
      url: withoutFragment(url),
      time: `${new Date().toISOString().slice(0, 19)}Z`,
      offset: 0,
      length: size,
      http: true,
      mime: '',
      block: new Uint8Array(Buffer.concat(chunks)),
    });
    if (size > pageBytes) record.exceeded = 'too-large';
    return record;
  }

  /** Calls `work` once all earlier requests to the host have ended, after a pause. */
  async #inTurn<T>(host: string, work: () => Promise<T>): Promise<T> {
    const { pauseMs, signal } = this.#options;
    const before = this.#turns.get(host);
    let finish: (endedMs: number) => void = () => {};
    const turn = new Promise<number>((resolve) => {
      finish = resolve;
    });
    this.#turns.set(host, turn);
    const pause = before === undefined ? 0 : (await before) + pauseMs - performance.now();
    if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => {});
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      finish(performance.now());
    }
  }
}

/** Parses a URL; throws unless it is http or https without user name and password. */
export function checkUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base?.href);
  if (url === undefined) throw new Error(`${base ? 'the target of its redirect' : 'this'} is not a URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`only http and https are fetched, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Error('URLs with a user name or a password are not fetched');
  }
  return url;
}

function withoutFragment(url: URL): string {
  const plain = new URL(url);
  plain.hash = '';
  return plain.href;
}

function notFetched(url: string, reason: string): ReadEvent {
  const code = 'not-fetched';
  const problem: Problem = { code, message: `could not be fetched: ${reason}; skipped`, file: url, url };
  const capture = { ...UNKNOWN_CAPTURE, file: url, offset: 0, length: 0, url };
  return { kind: 'skip', capture, code, problems: [problem] };
}

/**
 * Returns a short reason for an error; the code of a refused connection or an unknown name is clearer than
 * its message.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

/** Shortens a URL for a message. */
export function shortUrl({ href }: URL): string {
  return href.length > TOLD_CHARACTERS ? `${href.slice(0, TOLD_CHARACTERS)}…` : href;
}

/**
 * Rules for redirects, from the strictest to the mildest. `same-host`: to any port of the same host;
 * `same-site`: to hosts under the same registrable domain. Both follow from http to https; only `any` follows
 * back to http.
 */
export const REDIRECT_RULES = ['none', 'same-host', 'same-site', 'any'] as const;
/** One of REDIRECT_RULES. */
export type RedirectRule = (typeof REDIRECT_RULES)[number];

/** Returns the strictest rule that follows a redirect. */
export function ruleFollowing(from: URL, to: URL): RedirectRule {
  if (from.protocol === 'https:' && to.protocol !== 'https:') return 'any';
  if (from.hostname === to.hostname) return 'same-host';
  const site = siteOfHost(from.hostname);
  return site !== null && site === siteOfHost(to.hostname) ? 'same-site' : 'any';
}

/** Whether a rule follows a redirect. */
export function isFollowed(from: URL, to: URL, rule: RedirectRule): boolean {
  return REDIRECT_RULES.indexOf(ruleFollowing(from, to)) <= REDIRECT_RULES.indexOf(rule);
}

/** Returns the registrable domain; null for addresses and for names such as localhost. */
function siteOfHost(hostname: string): string | null {
  return getDomain(hostname, { allowPrivateDomains: true });
}
