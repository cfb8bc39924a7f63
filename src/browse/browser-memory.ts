/** How much memory a browser's processes hold beside what they share; 0 where the system does not say. */
import { readFileSync } from 'node:fs';
import type { Browser, CDPSession } from 'playwright-core';

const MEMORY_PAGE_BYTES = 4096;

export class BrowserMemory {
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
