/**
 * A tab that lays out pages one after another. The page is served as the answer to a navigation to its own
 * URL, so that relative URLs and quirks mode work. Stylesheets, images and fonts come from the archive.
 * Everything else is refused by three independent measures:
 *
 * - a Content-Security-Policy on the page allows nothing else and sandboxes it: no scripts, frames, plugins,
 *   forms or refreshes; when the archive holds no resources, the page may not even request them;
 * - every request of the tab is intercepted, and requests that the archive does not answer fail;
 * - the tab is offline, with scripts and service workers off, in a browser without a way to the network
 *   (launch-chromium.ts).
 *
 * A page has limits on time, number of requests and bytes. When it exceeds them, it is laid out with what it
 * has loaded. A tab that timed out or crashed must not be used again.
 */
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { WINDOW_HEIGHT, WINDOW_WIDTH } from '../layout/boxes.ts';
import type { Resource } from '../read/read-resource.ts';
import { type LayoutSnapshot, SNAPSHOT_STYLES } from './join-nodes.ts';
import type { Resources } from './resources.ts';

/** Options of `BrowserTab.open`. */
export interface TabOptions {
  resources: Resources;
  /** Maximum time for one page, in milliseconds. */
  pageMs: number;
}

/** A page as it is served to the browser. */
export interface ServedPage {
  url: string;
  time: string;
  /** Body in UTF-8. */
  body: Buffer;
}

/** Layout of a page as the browser returns it. */
export interface CapturedLayout {
  snapshot: LayoutSnapshot;
  /** Whether the page was laid out before it had finished loading. */
  late: boolean;
}

/** Maximum number of answered requests per page; real pages make some dozens. */
const MAX_REQUESTS = 1000;
/** Maximum number of bytes served to a page besides its own body. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Share of a page's time in which it may load; the rest is for its layout. */
const LOADING_SHARE = 0.7;

const SERVED_TYPES = new Set(['Stylesheet', 'Image', 'Font']);

/** One tab of a browser. A tab serves one page at a time. */
export class BrowserTab {
  readonly #context: BrowserContext;
  readonly #session: CDPSession;
  readonly #frame: string;
  readonly #options: TabOptions;
  readonly #policy: string;
  readonly #crashed: Promise<never>;
  #page: ServedPage | null = null;
  #served = false;
  #requests = 0;
  #bytes = 0;
  #loaded: () => void = () => {};
  #usable = true;

  /** Opens a tab in a context of its own. */
  static async open(browser: Browser, options: TabOptions): Promise<BrowserTab> {
    const context = await browser.newContext({
      viewport: { width: WINDOW_WIDTH, height: WINDOW_HEIGHT },
      deviceScaleFactor: 1,
      javaScriptEnabled: false,
      serviceWorkers: 'block',
      acceptDownloads: false,
      offline: true,
      reducedMotion: 'reduce',
      colorScheme: 'light',
      locale: 'en-US',
      timezoneId: 'UTC',
    });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const crashed = new Promise<never>((_, reject) => {
      page.once('crash', () => reject(new TabCrashedError()));
      page.once('close', () => reject(new TabCrashedError()));
    });
    crashed.catch(() => {}); // the page that is being laid out handles it, if there is one
    const tab = new BrowserTab(context, session, frameTree.frame.id, crashed, options);
    await tab.#prepare();
    return tab;
  }

  private constructor(
    context: BrowserContext,
    session: CDPSession,
    frame: string,
    crashed: Promise<never>,
    options: TabOptions,
  ) {
    this.#context = context;
    this.#session = session;
    this.#frame = frame;
    this.#crashed = crashed;
    this.#options = options;
    this.#policy = policyFor(options.resources);
  }

  /** False after a page timed out or crashed the tab. */
  get isUsable(): boolean {
    return this.#usable;
  }

  /**
   * Lays out a page. Throws a `TooSlowError` when it exceeds its time, a `TabCrashedError` when the tab
   * crashes.
   */
  async capture(page: ServedPage): Promise<CapturedLayout> {
    const { pageMs } = this.#options;
    const session = this.#session;
    const deadline = performance.now() + pageMs;
    const left = () => Math.max(1, deadline - performance.now());
    this.#usable = false; // false until this page has ended well
    this.#page = page;
    this.#served = false;
    this.#requests = 0;
    this.#bytes = 0;
    const loaded = new Promise<true>((resolve) => {
      this.#loaded = () => resolve(true);
    });
    try {
      const start = session.send('Page.navigate', { url: page.url });
      const navigated = await this.#within(start, left());
      if (navigated === null) throw new TooSlowError(pageMs);
      if (navigated.errorText) throw new Error(`the browser refused to show it: ${navigated.errorText}`);
      const inTime = (await this.#within(loaded, left() - pageMs * (1 - LOADING_SHARE))) !== null;
      if (!inTime) session.send('Page.stopLoading').catch(() => {});
      const capture = session.send('DOMSnapshot.captureSnapshot', { computedStyles: SNAPSHOT_STYLES });
      const snapshot = await this.#within(capture, left());
      if (snapshot === null) throw new TooSlowError(pageMs);
      this.#usable = inTime;
      return { snapshot: snapshot as LayoutSnapshot, late: !inTime };
    } finally {
      this.#page = null;
    }
  }

  /** Closes the tab; never throws. */
  async close(): Promise<void> {
    this.#usable = false;
    await this.#context.close().catch(() => {});
  }

  /** Awaits `work` for at most `ms` milliseconds; null after that. */
  async #within<T>(work: Promise<T>, ms: number): Promise<T | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), Math.max(1, ms));
    });
    work.catch(() => {}); // a failure after the time limit is of no interest
    try {
      return await Promise.race([work, late, this.#crashed]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #prepare(): Promise<void> {
    const session = this.#session;
    session.on('Fetch.requestPaused', (request) => {
      this.#answer(request).catch(() => {}); // the page may be gone already
    });
    session.on('Page.loadEventFired', () => this.#loaded());
    await Promise.all([
      session.send('Page.enable'),
      session.send('Network.setCacheDisabled', { cacheDisabled: true }),
      // animations stay at their first frame: boxes must not depend on the moment of the snapshot
      session.send('Animation.setPlaybackRate', { playbackRate: 0 }),
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
    ]);
  }

  async #answer({ requestId, request, resourceType, frameId }: PausedRequest): Promise<void> {
    const page = this.#page;
    if (page && !this.#served && resourceType === 'Document' && frameId === this.#frame) {
      this.#served = true;
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': this.#policy };
      await this.#fulfill(requestId, 200, headers, page.body);
      return;
    }
    this.#requests++;
    const resource =
      page && SERVED_TYPES.has(resourceType) && this.#requests <= MAX_REQUESTS && request.method === 'GET'
        ? await this.#options.resources.find(request.url, page.time)
        : null;
    if (resource === null || page !== this.#page || this.#bytes + resource.body.length > MAX_BYTES) {
      // a refused navigation must not replace the page
      const errorReason = resourceType === 'Document' ? 'Aborted' : 'BlockedByClient';
      await this.#session.send('Fetch.failRequest', { requestId, errorReason });
      return;
    }
    this.#bytes += resource.body.length;
    await this.#fulfill(requestId, resource.status, headersOf(resource, resourceType), resource.body);
  }

  async #fulfill(
    requestId: string,
    status: number,
    headers: Record<string, string>,
    body: Uint8Array,
  ): Promise<void> {
    const all = { ...headers, 'cache-control': 'no-store', 'x-dns-prefetch-control': 'off' };
    await this.#session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: status,
      responseHeaders: Object.entries(all).map(([name, value]) => ({ name, value })),
      body: Buffer.from(body.buffer, body.byteOffset, body.length).toString('base64'),
    });
  }
}

class TooSlowError extends Error {
  constructor(pageMs: number) {
    super(`its layout took longer than ${pageMs} ms`);
    this.name = 'TooSlowError';
  }
}

/** Thrown when a page crashed its tab or the whole browser. */
export class TabCrashedError extends Error {
  constructor() {
    super('it crashed the browser');
    this.name = 'TabCrashedError';
  }
}

interface PausedRequest {
  requestId: string;
  request: { url: string; method: string };
  resourceType: string;
  frameId: string;
}

function policyFor({ isEmpty }: Resources): string {
  const from = isEmpty ? 'data:' : 'data: http: https:';
  return [
    "default-src 'none'",
    `style-src 'unsafe-inline' ${from}`,
    `img-src ${from}`,
    `font-src ${from}`,
    "form-action 'none'",
    'sandbox',
  ].join('; ');
}

/**
 * Returns the only headers that the page gets: type of the resource, target of a redirect, and free access
 * across origins.
 */
function headersOf({ contentType, location, status }: Resource, type: string): Record<string, string> {
  const headers: Record<string, string> = { 'access-control-allow-origin': '*' };
  // browsers accept a stylesheet of the page's own host with any type, but a sandboxed page has no host of
  // its own
  const isStyle = type === 'Stylesheet' && !/^\s*text\/css\b/i.test(contentType);
  headers['content-type'] = printable(isStyle ? 'text/css' : contentType);
  if (status >= 300 && status < 400 && location !== '') headers.location = printable(location);
  return headers;
}

function printable(header: string): string {
  return header.replace(/[^\x20-\x7e]/g, (character) => encodeURIComponent(character));
}
