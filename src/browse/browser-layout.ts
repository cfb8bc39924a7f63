/**
 * Boxes of pages from a real browser, several tabs at a time. A page is laid out with the resources that the
 * archive holds for it and nothing else; its own scripts do not run. A fault in a page costs only that page
 * its boxes:
 *
 * - after a page that times out or crashes its tab, the next page gets a new tab;
 * - a browser that dies or exceeds its memory limit is restarted, and its open pages are tried once more, one
 *   at a time, so that only the page at fault is given up;
 * - the browser is also restarted after some hundreds of pages, because its memory grows.
 *
 * The same page gives the same boxes with the same browser and the same fonts, whatever other pages are open.
 */

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Browser, CDPSession } from 'playwright-core';
import type { ParsedPage } from '../detect/detector.ts';
import type { Boxes } from '../layout/boxes.ts';
import { checkWhole } from '../model/check-option.ts';
import type { Problem } from '../model/problem.ts';
import { holdTree, PageArena } from '../parse/page-arena.ts';
import { BrowserTab, type ServedPage, TabCrashedError } from './browser-tab.ts';
import { joinBoxes } from './join-boxes.ts';
import { markedCopy } from './join-nodes.ts';
import { launchChromium, type RunningBrowser } from './launch-chromium.ts';
import { NO_RESOURCES, type Resources, servedUrl } from './resources.ts';

/** Options of `BrowserLayout`. */
export interface BrowserLayoutOptions {
  /** Pages laid out at the same time. @default one per processor, at most 4 */
  tabs?: number;
  /** Maximum time for one page, in milliseconds. @default 10,000 */
  pageMs?: number;
  /** Resources that pages are shown with. @default nothing */
  resources?: Resources;
  /** Memory limit of the browser, in bytes; checked every second, on Linux only. @default 2 GiB */
  memoryBytes?: number;
  /** Number of pages after which the browser is restarted. @default 500 */
  restartPages?: number;
}

/** Result of laying out one page. */
export interface LayoutResult {
  /** Null when the browser gave no boxes; `problem` gives the reason. */
  boxes: Boxes | null;
  problem?: Problem;
  /** Number of elements and texts of the page, and how many of each were found in the browser's tree. */
  elements: number;
  joinedElements: number;
  texts: number;
  joinedTexts: number;
}

interface Job {
  parsed: ParsedPage;
  served: ServedPage;
  /** Whether a browser has died on this page; then the page is tried alone. */
  suspect: boolean;
  resolve: (laidOut: LayoutResult) => void;
  reject: (error: unknown) => void;
}

/** Time between two checks of the browser's memory, in milliseconds. */
const MEMORY_LOOK_MS = 1000;
/** Time within which the death of a browser is noticed after the death of its tabs, in milliseconds. */
const DEATH_NOTICE_MS = 100;
/** Maximum time for a browser to close, in milliseconds. */
const CLOSING_MS = 5000;
/** Maximum time to open a tab, in milliseconds. */
const OPENING_MS = 30_000;
const MAX_TABS = 64;

/** A running browser that lays out pages in several tabs; `close` must be called in the end. */
export class BrowserLayout {
  readonly tabs: number;
  readonly #options: Required<BrowserLayoutOptions>;
  readonly #queue: Job[] = [];
  readonly #idle: BrowserTab[] = [];
  #launched: RunningBrowser;
  #memory: BrowserMemory;
  #memoryTimer: NodeJS.Timeout | undefined;
  #running = 0;
  /** Whether the only open page is a suspect. */
  #alone = false;
  #pagesOfBrowser = 0;
  #dead = false;
  /** Resolves when the browser is gone. */
  #death: Promise<void> = new Promise(() => {});
  #overMemory = false;
  #restarting = false;
  #restarted: Promise<void> = Promise.resolve();
  #closed = false;
  /** Number of restarts of the browser, for any reason. */
  restarts = 0;

  /** Starts a browser; throws a `NoChromiumError` when none is found. */
  static async open(options: BrowserLayoutOptions = {}): Promise<BrowserLayout> {
    const checked = checkOptions(options);
    const launched = await launchChromium();
    return new BrowserLayout(checked, launched, await BrowserMemory.of(launched.browser));
  }

  private constructor(
    options: Required<BrowserLayoutOptions>,
    launched: RunningBrowser,
    memory: BrowserMemory,
  ) {
    this.#options = options;
    this.tabs = options.tabs;
    this.#launched = launched;
    this.#memory = memory;
    this.#watch();
  }

  /** Name and version of the browser, as in `Boxes.origin`. */
  get origin(): string {
    return this.#launched.version;
  }

  /** Whether the system sandboxes the browser's processes; false for root and on systems that cannot. */
  get sandboxed(): boolean {
    return this.#launched.sandboxed;
  }

  /** Memory and processes of the current browser. */
  get memory(): BrowserMemory {
    return this.#memory;
  }

  /**
   * Lays out a page when a tab is free. The page is copied, so its tree need not stay valid after this call.
   */
  layOut(parsed: ParsedPage): Promise<LayoutResult> {
    if (this.#closed) throw new Error('the browser is closed');
    const { page, tree } = parsed;
    const served = { url: servedUrl(page.url), time: page.time, body: markedCopy(tree) };
    const arena = new PageArena();
    const copy: ParsedPage = { page, tree: holdTree(tree, arena) };
    const laidOut = new Promise<LayoutResult>((resolve, reject) => {
      this.#queue.push({ parsed: copy, served, suspect: false, resolve, reject });
      this.#startNext();
    });
    return laidOut.finally(() => arena.release());
  }

  /** Closes the browser; pages that still wait get a result without boxes. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#memoryTimer);
    for (const job of this.#queue.splice(0)) job.resolve(failure(job.parsed, 'the browser was closed'));
    await this.#restarted;
    await this.#launched.browser.close().catch(() => {});
  }

  /** Starts waiting pages as far as tabs are free; called whenever a page or a restart has ended. */
  #startNext(): void {
    if (this.#restarting || this.#closed) return;
    while (this.#queue.length > 0 && this.#running < this.tabs && !this.#alone) {
      if (this.#dead || this.#pagesOfBrowser >= this.#options.restartPages) {
        if (this.#running === 0) this.#restarted = this.#restart();
        return;
      }
      if (this.#queue[0].suspect && this.#running > 0) return;
      this.#start(this.#queue.shift() as Job);
    }
  }

  async #start(job: Job): Promise<void> {
    this.#running++;
    this.#alone = job.suspect;
    this.#pagesOfBrowser++;
    const outcome = await this.#attempt(job);
    this.#running--;
    this.#alone = false;
    if (outcome) job.resolve(outcome);
    else this.#queue.unshift({ ...job, suspect: true });
    this.#startNext();
  }

  /** Lays out a page. Returns null when the browser died and this page is not known to be the cause. */
  async #attempt(job: Job): Promise<LayoutResult | null> {
    const { pageMs, memoryBytes } = this.#options;
    const { version } = this.#launched;
    let tab: BrowserTab | undefined;
    try {
      // requests to a browser are not always rejected when it dies
      tab = this.#idle.pop() ?? (await this.#whileAlive(this.#openTab()));
      const { snapshot, late } = await this.#whileAlive(tab.capture(job.served));
      const joined = joinBoxes(job.parsed.tree, snapshot, version);
      if (!late) return joined;
      const message = `was laid out after ${pageMs} ms, before it had finished loading`;
      return { ...joined, problem: problemOf(job.parsed, message) };
    } catch (error) {
      // the death of a browser kills its tabs first, and may be noticed later
      if (!this.#dead) await Promise.race([pause(DEATH_NOTICE_MS), this.#death]);
      if (this.#dead && !job.suspect && !this.#closed) return null;
      const tooMuch = `the browser exceeded its memory limit of ${memoryBytes} bytes`;
      const message = error instanceof Error ? error.message : String(error);
      return failure(job.parsed, this.#overMemory ? tooMuch : message);
    } finally {
      if (tab?.isUsable && !this.#dead) this.#idle.push(tab);
      else tab?.close();
    }
  }

  async #openTab(): Promise<BrowserTab> {
    const { resources, pageMs } = this.#options;
    const opening = BrowserTab.open(this.#launched.browser, { resources, pageMs });
    opening.catch(() => {}); // a failure after the time limit is of no interest
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#dead = true; // treat a browser that opens no tab as dead
        reject(new Error('the browser did not open a tab in time'));
      }, OPENING_MS);
    });
    try {
      return await Promise.race([opening, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #whileAlive<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {});
    return Promise.race([work, this.#death.then(() => Promise.reject(new TabCrashedError()))]);
  }

  async #restart(): Promise<void> {
    this.#restarting = true;
    this.#idle.length = 0;
    try {
      const old = this.#launched.browser;
      await Promise.race([old.close().catch(() => {}), pause(CLOSING_MS)]);
      this.#launched = await launchChromium();
      this.#memory = await BrowserMemory.of(this.#launched.browser);
      this.#pagesOfBrowser = 0;
      this.restarts++;
      this.#watch();
    } catch (error) {
      for (const job of this.#queue.splice(0)) job.reject(error);
    } finally {
      this.#restarting = false;
    }
    this.#startNext();
  }

  #watch(): void {
    const { browser } = this.#launched;
    this.#dead = false;
    this.#overMemory = false;
    this.#death = new Promise((resolve) => {
      const die = () => {
        if (browser === this.#launched.browser) this.#dead = true;
        resolve();
      };
      browser.once('disconnected', die);
      if (!browser.isConnected()) die();
    });
    clearInterval(this.#memoryTimer);
    this.#memoryTimer = setInterval(() => this.#checkMemory(browser), MEMORY_LOOK_MS);
    this.#memoryTimer.unref();
  }

  async #checkMemory(browser: Browser): Promise<void> {
    const usedBytes = await this.#memory.usedBytes().catch(() => 0);
    if (usedBytes <= this.#options.memoryBytes || browser !== this.#launched.browser || this.#dead) return;
    this.#dead = true;
    this.#overMemory = true;
    await browser.close().catch(() => {});
  }
}

function failure(parsed: ParsedPage, message: string): LayoutResult {
  const counts = { elements: 0, joinedElements: 0, texts: 0, joinedTexts: 0 };
  return { boxes: null, problem: problemOf(parsed, `was not laid out: ${message}`), ...counts };
}

function problemOf({ page }: ParsedPage, message: string): Problem {
  const { file, entry, offset, url, time, site } = page;
  const problem: Problem = { code: 'bad-layout', message, file, offset, url, time, site };
  return entry === undefined ? problem : { ...problem, entry };
}

function checkOptions(options: BrowserLayoutOptions): Required<BrowserLayoutOptions> {
  const {
    tabs = Math.min(4, availableParallelism()),
    pageMs = 10_000,
    resources = NO_RESOURCES,
    memoryBytes = 2 * 1024 ** 3,
    restartPages = 500,
  } = options;
  const numbers = { tabs, pageMs, memoryBytes, restartPages };
  for (const [name, value] of Object.entries(numbers)) checkWhole(name, value, 1);
  if (tabs > MAX_TABS) throw new RangeError(`tabs must be at most ${MAX_TABS}, not ${tabs}`);
  return { ...numbers, resources };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const MEMORY_PAGE_BYTES = 4096;

/**
 * Measures the memory of a browser's processes in bytes, without shared memory; 0 where the system does not
 * report it.
 */
class BrowserMemory {
  readonly #session: CDPSession;

  // no type of playwright-core in a declaration: users need not install it
  static async of(browser: { newBrowserCDPSession(): Promise<unknown> }): Promise<BrowserMemory> {
    return new BrowserMemory((await browser.newBrowserCDPSession()) as CDPSession);
  }

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Returns process ids and types: one `browser`, a `renderer` for each tab, and some helpers. */
  async processes(): Promise<{ pid: number; type: string }[]> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    return processInfo.map(({ id, type }) => ({ pid: id, type }));
  }

  async usedBytes(): Promise<number> {
    let bytes = 0;
    for (const { pid } of await this.processes()) bytes += privateBytes(pid);
    return bytes;
  }
}

function privateBytes(pid: number): number {
  try {
    // counts of memory pages: total size, resident, and the shared part of it
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return (resident - shared) * MEMORY_PAGE_BYTES;
  } catch {
    return 0;
  }
}
