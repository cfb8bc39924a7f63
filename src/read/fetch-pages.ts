/**
 * Pages from the network, when a user names URLs: http and https only, in every step of a redirect; bounded in
 * size, time and redirects; one request at a time for a host, with a pause between two, and only a few hosts
 * at once. What goes wrong is a problem of that URL. Pages come in the order of the URLs.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '../model/problem.ts';
import { parseUrl } from '../model/resolve-url.ts';
import { version } from '../model/version.ts';
import type { ReadEvent } from './events.ts';
import type { Input } from './input.ts';
import { makePage } from './make-page.ts';
import type { RawRecord } from './raw-record.ts';
import { checkReadOptions, type ReadOptions } from './read-options.ts';

export interface FetchOptions extends ReadOptions {
  /** For one URL with all its redirects, in milliseconds, from 1. @default 30,000 */
  timeoutMs?: number;
  /** Redirects that are followed, 0 to 100. @default 5 */
  maxRedirects?: number;
  /** Between two requests to one host, in milliseconds, from 0. @default 500 */
  pauseMs?: number;
  signal?: AbortSignal;
}

export const FETCH_DEFAULTS = { timeoutMs: 30_000, maxRedirects: 5, pauseMs: 500 } as const;

/** URLs under way at once, of different hosts. */
const AT_ONCE = 4;
const ACCEPT = 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1';

/** Fetches each URL; a page, or a skip with its problem, for each. */
export async function* fetchPages(
  urls: AsyncIterable<string> | Iterable<string>,
  options: FetchOptions = {},
): AsyncGenerator<ReadEvent> {
  const fetcher = new PoliteFetcher(options);
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

/** Waits for its turn at each host. */
class PoliteFetcher {
  readonly #options: Required<Omit<FetchOptions, keyof ReadOptions | 'signal'>> & { signal?: AbortSignal };
  readonly #readOptions: ReadOptions;
  /** When the latest request to each host was over; one number for each host that was asked. */
  readonly #turns = new Map<string, Promise<number>>();

  constructor({ timeoutMs, maxRedirects, pauseMs, signal, ...readOptions }: FetchOptions) {
    this.#options = {
      timeoutMs: timeoutMs ?? FETCH_DEFAULTS.timeoutMs,
      maxRedirects: maxRedirects ?? FETCH_DEFAULTS.maxRedirects,
      pauseMs: pauseMs ?? FETCH_DEFAULTS.pauseMs,
      signal,
    };
    checkReadOptions(readOptions);
    this.#readOptions = readOptions;
  }

  async fetch(url: string): Promise<ReadEvent> {
    let record: RawRecord;
    try {
      record = await this.#follow(url);
    } catch (error) {
      this.#options.signal?.throwIfAborted();
      return notFetched(url, reasonOf(error, this.#options.timeoutMs));
    }
    const input: Input = { name: url, path: '', format: 'html', sizeBytes: 0, spooled: false };
    return makePage(input, record, this.#readOptions);
  }

  async #follow(named: string): Promise<RawRecord> {
    const { maxRedirects, timeoutMs, signal } = this.#options;
    let at = checkUrl(named);
    for (let redirects = 0; ; redirects++) {
      const step = await this.#inTurn(at.host, async () => {
        // waiting for one's turn does not count
        const timeout = AbortSignal.timeout(timeoutMs);
        const response = await fetch(at, {
          redirect: 'manual',
          headers: { 'user-agent': `chaff/${version}`, accept: ACCEPT },
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        const location = response.headers.get('location');
        if (response.status >= 300 && response.status < 400 && location !== null) {
          await response.body?.cancel();
          return location;
        }
        if (!response.ok) {
          await response.body?.cancel();
          throw new Error(`the server answers ${response.status}`);
        }
        return this.#read(at, response);
      });
      if (typeof step !== 'string') return step;
      if (redirects === maxRedirects) throw new Error(`more than ${maxRedirects} redirects`);
      at = checkUrl(step, at);
    }
  }

  /** The response as a record; a body that is too large is not read to its end. */
  async #read(url: URL, response: Response): Promise<RawRecord> {
    const { pageBytes } = checkReadOptions(this.#readOptions).limits;
    const chunks: Uint8Array[] = [];
    let size = 0;
    if (response.body) {
      // what is left when the loop ends early is cancelled
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        chunks.push(chunk);
        size += chunk.length;
        if (size > pageBytes) break;
      }
    }
    return {
      kind: 'resource',
      url: withoutFragment(url),
      time: `${new Date().toISOString().slice(0, 19)}Z`,
      offset: 0,
      length: size,
      recordId: '',
      payloadDigest: '',
      http: false,
      mime: response.headers.get('content-type') ?? '',
      block: new Uint8Array(Buffer.concat(chunks)),
      truncated: false,
      ...(size > pageBytes ? { exceeded: 'too-large' as const } : {}),
      problems: [],
    };
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
  const capture = {
    file: url,
    offset: 0,
    length: 0,
    url,
    time: '',
    status: 0,
    mime: '',
    recordId: '',
    payloadDigest: '',
  };
  return { kind: 'skip', capture, code, problems: [problem] };
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it took longer than ${timeoutMs} ms`;
  // what fetch says is in its cause: a refused connection, a name that is unknown
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}
