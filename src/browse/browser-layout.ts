/**
 * Boxes of pages from a real browser, several tabs at a time. A page is laid out with what the archive holds for
 * it and nothing else; its own scripts do not run. Whatever goes wrong with a page costs that page its boxes:
 *
 * - one that is late or brings its tab down gets a new tab for the next;
 * - a browser that dies, or holds more memory than it may, is started again; the pages it had in hand are tried
 *   once more, one at a time, so that only the one to blame is given up;
 * - a browser is started afresh after some hundreds of pages in any case, since browsers grow.
 *
 * The same page gives the same boxes with the same browser and the same fonts, whatever other pages are in hand.
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
import { type Launched, launchChromium } from './launch-chromium.ts';
import { NO_RESOURCES, type Resources, servedUrl } from './resources.ts';

export interface BrowserLayoutOptions {
  /** Pages laid out at the same time. @default one per processor, at most 4 */
  tabs?: number;
  /** Longest time for one page, in milliseconds. @default 10,000 */
  pageMs?: number;
  /** What pages are shown with. @default nothing */
  resources?: Resources;
  /** Most memory of the browser, in bytes; looked at every second, on Linux only. @default 2 GiB */
  memoryBytes?: number;
  /** Pages after which the browser is started afresh. @default 500 */
  restartPages?: number;
}

export interface LaidOut {
  /** Null when the browser gave none: `problem` says why. */
  boxes: Boxes | null;
  problem?: Problem;
  /** How many of the page's elements and texts were found in the browser's tree. */
  elements: number;
  joinedElements: number;
  texts: number;
  joinedTexts: number;
}

interface Job {
  parsed: ParsedPage;
  served: ServedPage;
  /** Whether a browser has died on it: then it is tried alone. */
  suspect: boolean;
  resolve: (laidOut: LaidOut) => void;
  reject: (error: unknown) => void;
}

const MEMORY_LOOK_MS = 1000;
/** How long after its tabs a browser's death may be noticed. */
const DEATH_NOTICE_MS = 100;
/** How long a browser may take to end itself. */
const CLOSING_MS = 5000;
/** How long it may take to open a tab. */
const OPENING_MS = 30_000;
const MOST_TABS = 64;

export class BrowserLayout {
  readonly tabs: number;
  readonly #options: Required<BrowserLayoutOptions>;
  readonly #queue: Job[] = [];
  readonly #idle: BrowserTab[] = [];
  #launched: Launched;
  #memory: BrowserMemory;
  #memoryTimer: NodeJS.Timeout | undefined;
  #running = 0;
  /** Whether the one page in hand is a suspect. */
  #alone = false;
  #pagesOfBrowser = 0;
  #dead = false;
  /** Kept when the browser is gone. */
  #death: Promise<void> = new Promise(() => {});
  #overMemory = false;
  #restarting = false;
  #restarted: Promise<void> = Promise.resolve();
  #closed = false;
  /** Times the browser was started again, for whatever reason. */
  restarts = 0;

  static async open(options: BrowserLayoutOptions = {}): Promise<BrowserLayout> {
    const checked = checkOptions(options);
    const launched = await launchChromium();
    return new BrowserLayout(checked, launched, await BrowserMemory.of(launched.browser));
  }

  private constructor(options: Required<BrowserLayoutOptions>, launched: Launched, memory: BrowserMemory) {
    this.#options = options;
    this.tabs = options.tabs;
    this.#launched = launched;
    this.#memory = memory;
    this.#watch();
  }

  /** The browser and its version, as in `Boxes.origin`. */
  get origin(): string {
    return this.#launched.version;
  }

  /** Whether the system confines the browser's processes; false for root, and where it cannot. */
  get sandboxed(): boolean {
    return this.#launched.sandboxed;
  }

  get memory(): BrowserMemory {
    return this.#memory;
  }

  /** The page's boxes, when a tab is free. The page is copied: its tree need not hold longer than this call. */
  layOut(parsed: ParsedPage): Promise<LaidOut> {
    if (this.#closed) throw new Error('the browser is closed');
    const { page, tree } = parsed;
    const served = { url: servedUrl(page.url), time: page.time, body: markedCopy(tree) };
    const arena = new PageArena();
    const copy: ParsedPage = { page, tree: holdTree(tree, arena) };
    const laidOut = new Promise<LaidOut>((resolve, reject) => {
      this.#queue.push({ parsed: copy, served, suspect: false, resolve, reject });
      this.#startNext();
    });
    return laidOut.finally(() => arena.release());
  }

  /** Ends the browser; pages still waiting are given up. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#memoryTimer);
    for (const job of this.#queue.splice(0)) job.resolve(failure(job.parsed, 'the browser was closed'));
    await this.#restarted;
    await this.#launched.browser.close().catch(() => {});
  }

  /** Starts what may be started now; called whenever something has ended. */
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

  /** Lays out a page; null when the browser died and nothing says that this page is to blame. */
  async #attempt(job: Job): Promise<LaidOut | null> {
    const { pageMs, memoryBytes } = this.#options;
    const { version } = this.#launched;
    let tab: BrowserTab | undefined;
    try {
      // what a browser was asked for is not always refused when it dies
      tab = this.#idle.pop() ?? (await this.#whileAlive(this.#openTab()));
      const { snapshot, late } = await this.#whileAlive(tab.capture(job.served));
      const joined = joinBoxes(job.parsed.tree, snapshot, version);
      if (!late) return joined;
      const message = `was laid out before it had loaded all, after ${pageMs} ms`;
      return { ...joined, problem: problemOf(job.parsed, message) };
    } catch (error) {
      // the death of a browser is the death of its tabs, and may be heard of later
      if (!this.#dead) await Promise.race([pause(DEATH_NOTICE_MS), this.#death]);
      if (this.#dead && !job.suspect && !this.#closed) return null;
      const tooMuch = `the browser took more memory than ${memoryBytes} bytes`;
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
    opening.catch(() => {}); // one that fails after it was given up
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#dead = true; // or as good as
        reject(new Error('the browser opens no tab'));
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
    this.#memoryTimer = setInterval(() => this.#lookAtMemory(browser), MEMORY_LOOK_MS);
    this.#memoryTimer.unref();
  }

  async #lookAtMemory(browser: Browser): Promise<void> {
    const usedBytes = await this.#memory.usedBytes().catch(() => 0);
    if (usedBytes <= this.#options.memoryBytes || browser !== this.#launched.browser || this.#dead) return;
    this.#dead = true;
    this.#overMemory = true;
    await browser.close().catch(() => {});
  }
}

function failure(parsed: ParsedPage, message: string): LaidOut {
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
  if (tabs > MOST_TABS) throw new RangeError(`tabs must be at most ${MOST_TABS}, not ${tabs}`);
  return { ...numbers, resources };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const MEMORY_PAGE_BYTES = 4096;

/** How much memory the processes of a browser hold beside what they share; 0 where the system does not say. */
class BrowserMemory {
  readonly #session: CDPSession;

  static async of(browser: Browser): Promise<BrowserMemory> {
    return new BrowserMemory(await browser.newBrowserCDPSession());
  }

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Its processes as the system numbers them: one `browser`, a `renderer` for each tab, some helpers. */
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
    // pages of memory: whole size, resident, of these shared
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number);
    return (resident - shared) * MEMORY_PAGE_BYTES;
  } catch {
    return 0;
  }
}
