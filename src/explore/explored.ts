/** Holds the folder that the explorer shows: a finished folder, or the run that makes one with its progress. */
import { ExploreStore } from '../store/explore/explore-store.ts';

/** Progress of a run: `done` of `total` in its stage, labelled pages, and bytes read. */
export interface RunProgress {
  stage: string;
  done: number;
  total: number;
  pages: number;
  bytes: number;
}

/** Returns the path of the folder when it is finished; reports the progress of a run meanwhile. */
export type FolderSource = (onProgress: (progress: RunProgress) => void) => Promise<string>;

/** State of the folder. */
export type ExploredState =
  | { state: 'running'; progress: RunProgress | null }
  | { state: 'failed'; message: string }
  | { state: 'ready' };

/** The folder of an explorer, before and after it can be opened. */
export class Explored {
  #state: ExploredState = { state: 'running', progress: null };
  #store: ExploreStore | undefined;
  /** Resolves when the folder is open or has failed to open; never rejects. */
  readonly opened: Promise<void>;

  constructor(source: FolderSource) {
    this.opened = this.#open(source);
  }

  async #open(source: FolderSource): Promise<void> {
    try {
      const folder = await source((progress) => {
        this.#state = { state: 'running', progress };
      });
      this.#store = await ExploreStore.open(folder);
      this.#state = { state: 'ready' };
    } catch (error) {
      this.#state = { state: 'failed', message: (error as Error).message };
    }
  }

  get state(): ExploredState {
    return this.#state;
  }

  /** Returns the open folder; throws NotReady before that. */
  get store(): ExploreStore {
    if (!this.#store) throw new NotReady();
    return this.#store;
  }

  async close(): Promise<void> {
    await this.opened;
    await this.#store?.close();
  }
}

/** Thrown by a request for data before the folder is open. */
export class NotReady extends Error {
  constructor() {
    super('the report is not finished');
  }
}
