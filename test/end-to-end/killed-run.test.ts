import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeSampleArchive } from '../../src/research/generated-sites/write-archive.ts';
import { KILLED_COMMANDS, killRuns } from '../killed-run.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes minutes

const folder = mkdtempSync(join(tmpdir(), 'killed-run-'));
let archive = '';

beforeAll(async () => {
  const sites = { sites: 2, pagesPerSite: 16, generations: 2 };
  archive = (await writeSampleArchive(folder, sites)).warc;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// many more with npm run kill-runs
test.each(Object.keys(KILLED_COMMANDS))(
  '%s that is killed leaves nothing cut off and goes on',
  async (name) => {
    const { kills, faults } = await killRuns(name, { archive, folder, kills: 2, seed: 7 });
    expect([kills, faults]).toEqual([2, []]);
  },
);
