/** A small output folder for tests of the explorer, made once for each test file, and an explorer over it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Explorer, startExplorer } from '../src/explore/server.ts';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { chaff } from './command-line.ts';

export interface ExploredSample {
  folder: string;
  /** The archive that the folder is made of; empty when it was there before. */
  warc: string;
  explorer: Explorer;
  /** Asks with the token, as the page does; the path starts with a slash. */
  ask(path: string, options?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface SampleFolderOptions {
  /** Which command makes the folder. @default 'report' */
  command?: 'report' | 'history';
  sites?: number;
  pagesPerSite?: number;
}

export async function exploreSample({
  command = 'report',
  sites = 2,
  pagesPerSite = 8,
}: SampleFolderOptions = {}): Promise<ExploredSample> {
  const scratch = mkdtempSync(join(tmpdir(), 'chaff-explore-'));
  const { warc } = await writeSampleArchive(scratch, { sites, pagesPerSite, generations: 2, captures: 2 });
  const folder = join(scratch, 'sample.chaff');
  await chaff([command, warc, '-o', folder, '--workers', '0', '-q']);
  const sample = await exploreFolder(folder);
  return {
    ...sample,
    warc,
    async close() {
      await sample.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

export async function exploreFolder(folder: string): Promise<ExploredSample> {
  const explorer = await startExplorer({ source: async () => folder });
  await explorer.opened;
  const first = await fetch(explorer.url);
  const cookie = first.headers.getSetCookie()[0].split(';')[0];
  const { origin } = new URL(explorer.url);
  return {
    folder,
    warc: '',
    explorer,
    ask: (path, options = {}) =>
      fetch(origin + path, { ...options, headers: { cookie, origin, ...options.headers } }),
    close: () => explorer.close(),
  };
}
