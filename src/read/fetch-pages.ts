/**
 * Fetches pages whose URLs a user names: http and https only, in every step of a redirect; bounded in size, time and
 * redirects; one request at a time per host, with a pause between two, and a few hosts at once. Redirects are followed
 * within the site, and to private addresses only within the named host. A failure is a problem of that URL. Pages come
 * in the order of the URLs.
 */
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getDomain } from 'tldts';
import type { Problem } from '../model/problem.ts';
import { parseUrl } from '../model/resolve-url.ts';
import { makePage } from './make-page.ts';
import { type Input, makeRecord, type RawRecord, type ReadEvent } from './raw-record.ts';
import { UNKNOWN_CAPTURE } from './read-captures.ts';
import { checkReadOptions, type ReadOptions } from './read-options.ts';
import { NETWORK, type Network, PrivateAddressError, requestWeb } from './web-request.ts';

export interface FetchOptions extends ReadOptions {
  /** For one URL with all its redirects, without the wait for a host's turn, in milliseconds, from 1. @default 30,000 */
  timeoutMs?: number;
  /** Redirects that are followed, 0 to 100. @default 5 */
  maxRedirects?: number;
  /** Where redirects may lead. @default 'same-site' */
  allowRedirects?: RedirectRule;
  /** Between two requests to one host, in milliseconds, from 0. @default 500 */
  pauseMs?: number;
  signal?: AbortSignal;
}

export const FETCH_DEFAULTS = {
  timeoutMs: 30_000,
  maxRedirects: 5,
  allowRedirects: 'same-site',
  pauseMs: 500,
} as const satisfies FetchOptions;

/** URLs under way at once, of different hosts. */
const AT_ONCE = 4;
/** Characters of a URL in a message. */
const TOLD_CHARACTERS = 200;

/** Fetches each URL; a page, or a skip with its problem, for each. */
export async function* fetchPages(
  urls: AsyncIterable<string> | Iterable<string>,
  options: FetchOptions = {},
  network: Network = NETWORK,
): AsyncGenerator<ReadEvent> {
  const fetcher = new PoliteFetcher(options, network);
  const underWay: Promise<ReadEvent>[] = [];
  for await (const url of urls) {
    underWay.push(fetcher.fetch(url));
    if (underWay.length === AT_ONCE) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}

/** Whether a text names a page on the network. */
export function isWebUrl(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && parseUrl(text) !== undefined;
}

/** What one request gives. */
interface Step {
  /** The page, or the location that a redirect names. */
  found: RawRecord | string;
  isPrivate: boolean;
}

/** Waits for its turn at each host. */
class PoliteFetcher {
  readonly #options: Required<Omit<FetchOptions, keyof ReadOptions | 'signal'>> & { signal?: AbortSignal };
  readonly #readOptions: ReadOptions;
  readonly #network: Network;
  /** When the latest request to each host was over; one number for each host that was asked. */
  readonly #turns = new Map<string, Promise<number>>();

  constructor(options: FetchOptions, network: Network) {
    const { timeoutMs, maxRedirects, allowRedirects, pauseMs, signal, ...readOptions } = options;
    this.#options = {
      timeoutMs: timeoutMs ?? FETCH_DEFAULTS.timeoutMs,
      maxRedirects: maxRedirects ?? FETCH_DEFAULTS.maxRedirects,
      allowRedirects: allowRedirects ?? FETCH_DEFAULTS.allowRedirects,
      pauseMs: pauseMs ?? FETCH_DEFAULTS.pauseMs,
      signal,
    };
    this.#network = network;
    checkReadOptions(readOptions);
    this.#readOptions = readOptions;
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
        // waiting for one's turn does not count
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
        `it redirects to ${told(url)} at ${error.address}, which is not of the public network; name that URL to fetch it`,
        { cause: error },
      );
    }
  }

  /** Where a redirect leads, unless it is not to be followed. */
  #redirected(from: URL, location: string): URL {
    // headers come as Latin-1; servers that write other letters write them as UTF-8
    const to = checkUrl(Buffer.from(location, 'latin1').toString('utf8'), from);
    if (isFollowed(from, to, this.#options.allowRedirects)) return to;
    throw new Error(
      `it redirects to ${told(to)}, which is followed with --allow-redirects ${ruleFollowing(from, to)}`,
    );
  }

  /** The response as a record; a body that is too large is not read to its end. */
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

  /** Does the work when all requests to the host before it are over, and a pause after the last. */
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

function checkUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base?.href);
  if (url === undefined) throw new Error(`${base ? 'it redirects to what' : 'this'} is no URL`);
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

/** The code of a refused connection or an unknown name says more than its message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

function told({ href }: URL): string {
  return href.length > TOLD_CHARACTERS ? `${href.slice(0, TOLD_CHARACTERS)}…` : href;
}

/**
 * Which redirects are followed, from the strictest rule to the mildest. `same-host`: to any port of the same host; `same-site`: to hosts under the same registrable domain, `www.` for one.
 * Both follow from http to https, and not back, which only `any` does.
 */
export const REDIRECT_RULES = ['none', 'same-host', 'same-site', 'any'] as const;
export type RedirectRule = (typeof REDIRECT_RULES)[number];

/** The strictest rule that follows a redirect. */
export function ruleFollowing(from: URL, to: URL): RedirectRule {
  if (from.protocol === 'https:' && to.protocol !== 'https:') return 'any';
  if (from.hostname === to.hostname) return 'same-host';
  const site = siteOfHost(from.hostname);
  return site !== null && site === siteOfHost(to.hostname) ? 'same-site' : 'any';
}

export function isFollowed(from: URL, to: URL, rule: RedirectRule): boolean {
  return REDIRECT_RULES.indexOf(ruleFollowing(from, to)) <= REDIRECT_RULES.indexOf(rule);
}

/** Null for addresses and for names such as localhost. */
function siteOfHost(hostname: string): string | null {
  return getDomain(hostname, { allowPrivateDomains: true });
}
