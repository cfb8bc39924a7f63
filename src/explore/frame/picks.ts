/**
 * Passes clicks in frames to the explorer's page. A frame cannot run scripts, so a click follows a link that the
 * server answers without a new document, and the explorer's page requests the next click here. Each window has its
 * own `session`.
 */

/** Maximum number of windows, and maximum clicks of a window that wait for a request. */
const MAX_SESSIONS = 64;
const MAX_WAITING = 16;

interface Session {
  picks: number[];
  wake?: () => void;
}

/** Clicks by window. */
export class Picks {
  readonly #sessions = new Map<string, Session>();

  add(session: string, number: number): void {
    const known = this.#sessions.get(session);
    // no request of this window waits or has waited
    if (!known) return;
    known.picks.push(number);
    if (known.picks.length > MAX_WAITING) known.picks.shift();
    known.wake?.();
  }

  /** Returns the next click; undefined when nobody clicks within `waitMs`. */
  async next(
    session: string,
    { waitMs, signal }: { waitMs: number; signal?: AbortSignal },
  ): Promise<number | undefined> {
    const own = this.#sessions.get(session) ?? { picks: [] };
    this.#sessions.delete(session);
    this.#sessions.set(session, own);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MAX_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
    if (own.picks.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        own.wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal?.addEventListener('abort', own.wake, { once: true });
      });
    }
    return own.picks.shift();
  }

  /** Ends all waiting requests. */
  close(): void {
    for (const { wake } of this.#sessions.values()) wake?.();
  }
}
