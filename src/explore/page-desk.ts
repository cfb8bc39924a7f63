/** Holds what the views of single pages need besides the folder: archives, clicks in frames, and labels. */
import { resolve } from 'node:path';
import type { JointModel } from '../detect/joint/joint-model.ts';
import type { Explored } from './explored.ts';
import { FolderArchive } from './folder-archive.ts';
import { newFrameToken } from './frame/frame-addresses.ts';
import { Picks } from './frame/picks.ts';
import { LabelFolder } from './labels/label-file.ts';
import { Labelling } from './labels/labelling.ts';
import { PageViews } from './page-views.ts';

/** Places of archives and labels. */
export interface PageDeskOptions {
  /** Folders in which archives are searched by name, besides their recorded places. @default [] */
  archiveFolders?: readonly string[];
  /** Folder of labels. @default `crawl.labels` for the folder `crawl.chaff` */
  labels?: string;
  /** Model that suggests marks. @default the model of the package */
  jointModel?: JointModel;
}

/** Archives, clicks and labels of one explorer, opened on first use. */
export class PageDesk {
  /** Clicks in frames. */
  readonly picks = new Picks();
  /** Token of requests from frames. */
  readonly frameToken = newFrameToken();
  readonly #explored: Explored;
  readonly #options: PageDeskOptions;
  #pages: PageViews | undefined;
  #labelling: Labelling | undefined;

  constructor(explored: Explored, options: PageDeskOptions = {}) {
    this.#explored = explored;
    this.#options = options;
  }

  /** Returns the reader of single pages; throws NotReady before the folder is open. */
  get pages(): PageViews {
    const { store } = this.#explored;
    const { archiveFolders, jointModel } = this.#options;
    this.#pages ??= new PageViews(store, new FolderArchive(store, { archiveFolders }), { jointModel });
    return this.#pages;
  }

  get labelling(): Labelling {
    const { labels } = this.#options;
    const path = labels ?? `${resolve(this.#explored.store.folder).replace(/\.chaff$/, '')}.labels`;
    this.#labelling ??= new Labelling(this.pages, new LabelFolder(path));
    return this.#labelling;
  }

  /** Ends the threads and closes the archives; must be called before the folder is closed. */
  async close(): Promise<void> {
    this.picks.close();
    await this.#explored.opened;
    await this.#pages?.close();
  }
}
