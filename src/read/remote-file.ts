/**
 * Files on the web as temporary copies: whole, or only the ranges that an index names, each at its own offset in a
 * sparse file. Readers are synchronous and read a file more than once (survey, then pages), so every byte is fetched
 * once, before reading starts. Range requests let a broken transfer continue where it stopped; neighbouring ranges are
 * one request.
 *
 * Rules of the network are those of fetch-pages.ts: http and https, redirects within the site, private addresses only
 * where the user has named the host.
 */
import { closeSync, ftruncateSync, statfsSync, writeSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FETCH_LIMITS, type FetchLimits } from '../model/limits.ts';
import { checkUrl, FETCH_DEFAULTS, isFollowed, shortUrl } from './fetch-pages.ts';
import { makeSpoolFile, removeSpoolFile } from './spool.ts';
import { NETWORK, type Network, requestWeb } from './web-request.ts';

/** Limits and retries of reading files on the web. */
export interface RemoteOptions extends Partial<FetchLimits> {
  /** Maximum bytes per second, over all files of a run. @default no limit */
  rateBytes?: number;
  /** Tries after a failed one: status 429 or 5xx, broken or silent connection. @default 5 */
  retries?: number;
  /** Pause before the first retry, in milliseconds; doubles each time. @default 500 */
  retryMs?: number;
  /** Longest pause, also when the server asks for a longer one, in milliseconds. @default 60,000 */
  maxPauseMs?: number;
  /** Longest time without a byte, and the time over which the lowest rate is measured, in milliseconds. @default 30,000 */
  stallMs?: number;
  signal?: AbortSignal;
  /** Called with the bytes fetched so far, and the bytes known to be wanted. */
  onProgress?: (doneBytes: number, totalBytes: number) => void;
}

/** Defaults of `RemoteOptions`: bytes, tries and milliseconds. */
export const REMOTE_DEFAULTS = {
  rateBytes: Number.POSITIVE_INFINITY,
  retries: 5,
  retryMs: 500,
  maxPauseMs: 60_000,
  stallMs: 30_000,
  ...FETCH_LIMITS,
} as const satisfies RemoteOptions;

/** Bytes `[start, end)` of a file. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file on the web, or listed ranges of it, copied to this machine. */
export interface RemoteCopy {
  /** The temporary copy; the caller removes it with `removeSpoolFile`. */
  path: string;
  /** Of the file on the web. */
  sizeBytes: number;
  /** Whether the server answers range requests. */
  hasRanges: boolean;
}

/** Bytes of the first request: head of the file, and whether ranges are answered. */
const HEAD_BYTES = 64 * 1024;
/** Maximum bytes of one request. */
const REQUEST_BYTES = 8 * 1024 * 1024;
/** Ranges closer than this are one request: a request costs more than reading this many bytes. */
const GAP_BYTES = 64 * 1024;
/** Longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** A transfer that gets this far counts as progress, and resets the count of tries. */
const PROGRESS_BYTES = 64 * 1024;

/** Failures that another try may mend. */
class Transient extends Error {
  readonly waitMs: number;
  constructor(message: string, { waitMs = 0, cause }: { waitMs?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.waitMs = waitMs;
  }
}

/** The server says that it has no such file. */
export class MissingOnServer extends Error {
  override name = 'MissingOnServer';
}

/** What distinguishes one version of a file from another. */
interface Version {
  sizeBytes: number;
  etag: string;
  modified: string;
}

/** Copies files on the web by range requests, under one limit of rate for all files. */
export class RemoteReader {
  readonly #options: Required<Omit<RemoteOptions, 'signal' | 'onProgress'>> & RemoteOptions;
  readonly #network: Network;
  readonly #freeBytesOf: (folder: string) => number;
  #readyMs = 0;
  #doneBytes = 0;
  #totalBytes = 0;

  constructor(options: RemoteOptions = {}, network: Network = NETWORK, freeBytesOf = freeBytes) {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    this.#options = { ...REMOTE_DEFAULTS, ...Object.fromEntries(given) };
    this.#network = network;
    this.#freeBytesOf = freeBytesOf;
  }

  /**
   * Copies a file. With `ranges`, only these and the head are copied where the server answers range requests; the rest
   * of the copy reads as zeros. `trusted`: the user has named the host, so that it may have a private address.
   */
  async copy(
    url: string,
    { ranges, trusted, spoolDir }: { ranges?: readonly ByteRange[]; trusted: boolean; spoolDir?: string },
  ): Promise<RemoteCopy> {
    const { path, fd } = makeSpoolFile(spoolDir);
    const { fetchBytes, fetchMs, signal } = this.#options;
    const freeBytes = this.#freeBytesOf(dirname(path));
    const room: Room =
      fetchBytes <= freeBytes
        ? { bytes: fetchBytes, why: `than --max-fetch-bytes ${fetchBytes} allows` }
        : { bytes: freeBytes, why: `than the ${freeBytes} bytes free in ${dirname(dirname(path))} (TMPDIR)` };
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`it took longer than --max-fetch-ms ${fetchMs} allows`)),
      Math.min(fetchMs, MAX_TIMER_MS),
    );
    try {
      const both = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
      const file = new RemoteFile(checkUrl(url), { fd, reader: this, trusted, room, signal: both });
      const [{ start, end }] = ranges
        ? joinRanges(ranges, Number.MAX_SAFE_INTEGER)
        : [{ start: 0, end: HEAD_BYTES }];
      const { gotBytes, ...first } = await file.open({ start, end: Math.min(end, start + REQUEST_BYTES) });
      if (first.hasRanges) {
        const wanted = joinRanges(ranges ?? [{ start: 0, end: first.sizeBytes }], first.sizeBytes);
        const wantedBytes = wanted.reduce((sum, { start, end }) => sum + end - start, 0);
        checkRoom(wantedBytes, room);
        this.#totalBytes += wantedBytes;
        for (const [k, range] of wanted.entries()) {
          await file.fetch(k === 0 ? { ...range, start: range.start + gotBytes } : range, first);
        }
        ftruncateSync(fd, first.sizeBytes);
      }
      return { path, ...first };
    } catch (error) {
      removeSpoolFile(path);
      late.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      closeSync(fd);
    }
  }

  get options() {
    return this.#options;
  }

  get network(): Network {
    return this.#network;
  }

  /** Counts bytes that have come, and waits while they came faster than allowed. */
  async take(bytes: number, onWait: () => void, signal: AbortSignal): Promise<void> {
    const { rateBytes, stallMs, onProgress } = this.#options;
    this.#doneBytes += bytes;
    onProgress?.(this.#doneBytes, Math.max(this.#doneBytes, this.#totalBytes));
    const nowMs = performance.now();
    this.#readyMs = Math.max(this.#readyMs, nowMs) + (bytes / rateBytes) * 1000;
    for (let leftMs = this.#readyMs - nowMs; leftMs > 5; leftMs = this.#readyMs - performance.now()) {
      onWait(); // a pause of our own is not silence of the server
      await sleep(Math.min(leftMs, stallMs / 2), undefined, { signal });
    }
    onWait();
  }

  /** Repeats work that fails for a passing reason. The work says when it got further. */
  async persist<T>(work: (progressed: () => void) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { retries, retryMs, maxPauseMs } = this.#options;
    for (let tries = 0; ; tries++) {
      try {
        return await work(() => {
          tries = 0;
        });
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Transient)) throw error;
        if (tries >= retries) throw new Error(`${error.message}, after ${tries + 1} tries`, { cause: error });
        const pauseMs = Math.max(error.waitMs, retryMs * 2 ** tries);
        await sleep(Math.min(pauseMs, maxPauseMs), undefined, { signal });
      }
    }
  }
}

/** One file on the web and the copy that it is written to. */
class RemoteFile {
  readonly #named: URL;
  readonly #fd: number;
  readonly #reader: RemoteReader;
  readonly #trusted: boolean;
  readonly #room: Room;
  readonly #signal: AbortSignal;
  /** Where redirects have led. */
  #at: URL;
  #namedIsPrivate = false;

  constructor(url: URL, { fd, reader, trusted, room, signal }: RemoteFileOptions) {
    this.#named = this.#at = url;
    this.#room = room;
    this.#signal = signal;
    this.#fd = fd;
    this.#reader = reader;
    this.#trusted = trusted;
  }

  /**
   * Asks for the first range, and copies what comes of it. A server that answers no ranges sends the whole file, which
   * is copied at once.
   */
  open(range: ByteRange): Promise<Version & { hasRanges: boolean; gotBytes: number }> {
    return this.#reader.persist(
      () =>
        this.#answer(range, async (response, onAlive) => {
          const { statusCode, headers } = response;
          if (statusCode === 416) {
            const size = /\/(\d{1,15})$/.exec(headers['content-range'] ?? '')?.[1];
            if (size === undefined) throw new Error('the server answers 416');
            return { ...versionOf(response, Number(size)), hasRanges: true, gotBytes: 0 };
          }
          if (statusCode === 206) {
            const { start, sizeBytes } = readContentRange(response);
            if (start !== range.start) throw new Error('the server sent another range than requested');
            const gotBytes = await this.#copyBody(response, {
              position: start,
              mostBytes: range.end - start,
              onAlive,
            });
            return { ...versionOf(response, sizeBytes), hasRanges: true, gotBytes };
          }
          const stated = headers['content-length'];
          if (stated !== undefined) checkRoom(Number(stated), this.#room);
          ftruncateSync(this.#fd, 0);
          const sizeBytes = await this.#copyBody(response, {
            position: 0,
            mostBytes: this.#room.bytes,
            why: this.#room.why,
            onAlive,
          });
          if (stated !== undefined && sizeBytes !== Number(stated)) {
            throw new Transient(`the server sends ${sizeBytes} of ${stated} bytes`);
          }
          return { ...versionOf(response, sizeBytes), hasRanges: false, gotBytes: sizeBytes };
        }),
      this.#signal,
    );
  }

  /** Fetches a range, in as many requests as it takes. */
  async fetch({ start, end }: ByteRange, version: Version): Promise<void> {
    let at = start;
    await this.#reader.persist(async (progressed) => {
      while (at < end) {
        const wanted = { start: at, end: Math.min(end, at + REQUEST_BYTES) };
        const from = at;
        try {
          await this.#answer(wanted, async (response, onAlive) => {
            if (response.statusCode !== 206) throw new Error('the server no longer answers range requests');
            checkVersion(response, version, at);
            await this.#copyBody(response, {
              position: at,
              mostBytes: wanted.end - at,
              onAlive,
              onBytes(bytes) {
                at += bytes;
              },
            });
            if (at < wanted.end)
              throw new Transient(`the server sends ${at - from} of ${wanted.end - from} bytes`);
          });
        } finally {
          if (at - from >= PROGRESS_BYTES) progressed();
        }
      }
    }, this.#signal);
  }

  /** Sends a request, follows redirects, and hands a successful response to `use`. */
  async #answer<T>(
    { start, end }: ByteRange,
    use: (response: IncomingMessage, onAlive: () => void) => Promise<T>,
  ): Promise<T> {
    const { stallMs } = this.#reader.options;
    for (let redirects = 0; ; redirects++) {
      const stall = new AbortController();
      const timer = setTimeout(() => stall.abort(), stallMs);
      const isNamed = this.#at === this.#named;
      const mayBePrivate = isNamed
        ? this.#trusted
        : this.#namedIsPrivate && this.#at.hostname === this.#named.hostname;
      try {
        const { response, isPrivate } = await requestWeb(this.#at, {
          network: this.#reader.network,
          mayBePrivate,
          signal: AbortSignal.any([this.#signal, stall.signal]),
          headers: { range: `bytes=${start}-${end - 1}`, 'accept-encoding': 'identity', accept: '*/*' },
        });
        if (isNamed) this.#namedIsPrivate = isPrivate;
        try {
          const { statusCode = 0, headers } = response;
          if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
            if (redirects >= FETCH_DEFAULTS.maxRedirects) throw new Error(`more than ${redirects} redirects`);
            this.#at = redirected(this.#at, headers.location);
            continue;
          }
          if (statusCode === 429 || statusCode >= 500) {
            const waitMs = Number(headers['retry-after']) * 1000 || 0;
            throw new Transient(`the server answers ${statusCode}`, { waitMs });
          }
          if (statusCode === 404 || statusCode === 410)
            throw new MissingOnServer(`the server answers ${statusCode}`);
          if (![200, 206, 416].includes(statusCode)) throw new Error(`the server answers ${statusCode}`);
          if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity') {
            throw new Error('the server compresses the file again, so that offsets in it mean nothing');
          }
          return await use(response, () => timer.refresh());
        } finally {
          response.destroy();
        }
      } catch (error) {
        if (stall.signal.aborted) throw new Transient(`no byte came for ${stallMs} ms`, { cause: error });
        // a refused or broken connection has a code of the system
        const code = (error as NodeJS.ErrnoException).code;
        if (code !== undefined && /^E[A-Z_]+$/.test(code) && code !== 'ENOSPC')
          throw new Transient(code, { cause: error });
        throw error;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  /** Writes a body to the copy; returns its bytes. A body that ends early ends without an error here. */
  async #copyBody(
    response: IncomingMessage,
    { position, mostBytes, why, onAlive, onBytes }: BodyOptions,
  ): Promise<number> {
    let done = 0;
    const slow = new SlowServer(this.#reader.options);
    try {
      for await (const chunk of response as AsyncIterable<Uint8Array>) {
        slow.take(chunk.length);
        if (done + chunk.length > mostBytes)
          throw new Error(`the server sends more ${why ?? `than ${mostBytes} bytes`}`);
        writeAt(this.#fd, chunk, position + done);
        done += chunk.length;
        onBytes?.(chunk.length);
        await this.#reader.take(chunk.length, onAlive, this.#signal);
        slow.wait();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNRESET') {
        throw new Transient('the connection broke', { cause: error });
      }
      throw error;
    }
    return done;
  }
}

/** How many bytes a copy may have, and the end of the sentence that says why not more. */
interface Room {
  bytes: number;
  why: string;
}

interface RemoteFileOptions {
  fd: number;
  reader: RemoteReader;
  trusted: boolean;
  room: Room;
  /** Ends the transfer: the user stops it, or it takes too long. */
  signal: AbortSignal;
}

function checkRoom(sizeBytes: number, { bytes, why }: Room): void {
  if (sizeBytes > bytes) throw new Error(`it has ${sizeBytes} bytes, more ${why}`);
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Measures the rate of a server, without the pauses that `--rate` makes. */
class SlowServer {
  readonly #windowMs: number;
  readonly #rate: number;
  #sinceMs = performance.now();
  #waitedMs = 0;
  #bytes = 0;

  constructor({ stallMs, fetchRate }: Required<Pick<RemoteOptions, 'stallMs' | 'fetchRate'>>) {
    this.#windowMs = stallMs;
    this.#rate = fetchRate;
  }

  /** Begins to wait for bytes. */
  wait(): void {
    this.#sinceMs = performance.now();
  }

  /** Counts bytes that came; throws when they came too slowly. */
  take(bytes: number): void {
    this.#waitedMs += performance.now() - this.#sinceMs;
    this.#bytes += bytes;
    if (this.#waitedMs < this.#windowMs) return;
    const rate = Math.round((1000 * this.#bytes) / this.#waitedMs);
    if (rate < this.#rate) {
      throw new Transient(
        `the server sends ${rate} bytes a second, fewer than --min-fetch-rate ${this.#rate}`,
      );
    }
    this.#waitedMs = this.#bytes = 0;
  }
}

interface BodyOptions {
  position: number;
  mostBytes: number;
  /** End of the sentence about a body with more bytes. */
  why?: string;
  onAlive: () => void;
  onBytes?: (bytes: number) => void;
}

/** Ranges in order, within the file, each at most once, with those that are close to each other as one. */
export function joinRanges(ranges: readonly ByteRange[], sizeBytes: number): ByteRange[] {
  const joined: ByteRange[] = [];
  const inside = ranges
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(end, sizeBytes) }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start);
  for (const { start, end } of inside) {
    const last = joined.at(-1);
    if (last && start <= last.end + GAP_BYTES) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

/** Throws when the response is of another range or of another version of the file. */
function checkVersion(response: IncomingMessage, version: Version, start: number): void {
  const range = readContentRange(response);
  const now = versionOf(response, range.sizeBytes);
  if (now.sizeBytes !== version.sizeBytes || now.etag !== version.etag || now.modified !== version.modified) {
    throw new Error('the file has changed on the server while it was read; run the command again');
  }
  if (range.start !== start) throw new Error('the server sent another range than requested');
}

function versionOf({ headers }: IncomingMessage, sizeBytes: number): Version {
  return { sizeBytes, etag: headers.etag ?? '', modified: headers['last-modified'] ?? '' };
}

function readContentRange({ headers }: IncomingMessage): { start: number; sizeBytes: number } {
  const [, start, size] =
    /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? [];
  if (size === undefined) throw new Error('the answer of the server lacks its range or the size of the file');
  return { start: Number(start), sizeBytes: Number(size) };
}

function redirected(from: URL, location: string): URL {
  const to = checkUrl(Buffer.from(location, 'latin1').toString('utf8'), from);
  if (isFollowed(from, to, FETCH_DEFAULTS.allowRedirects)) return to;
  throw new Error(`it redirects to ${shortUrl(to)}, which is of another site: name that URL`);
}

function writeAt(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}
