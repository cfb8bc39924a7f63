/**
 * Kills runs of six commands at random moments, with SIGKILL, and prints the faults that this caused: an incomplete output
 * under its final name, or another result when the command is given again.
 *
 *   npm run kill-runs -- [--kills 50] [--seed 1] [--pages 40]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSampleArchive } from '../src/research/generated-sites/write-archive.ts';
import { KILLED_COMMANDS, killRuns } from '../test/killed-run.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    pages: { type: 'string', default: '40' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'kill-runs-'));
try {
  const { warc } = await writeSampleArchive(folder, {
    sites: 3,
    pagesPerSite: Number(values.pages),
    generations: 2,
  });
  const names = Object.keys(KILLED_COMMANDS);
  for (const [k, name] of names.entries()) {
    const kills = Math.floor((Number(values.kills) + names.length - 1 - k) / names.length);
    const { faults, ...counts } = await killRuns(name, {
      archive: warc,
      folder,
      kills,
      seed: Number(values.seed) + k,
    });
    console.log(`${name}: ${counts.kills} kills, ${counts.late} came too late, ${faults.length} faults`);
    for (const fault of faults) console.log(`  ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
