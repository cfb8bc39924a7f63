/**
 * Runs a bench with all code in one file, as the package is built: V8 folds constants and classes of one
 * module into the code, but loads those of other modules at every use (scripts/finish-build.mjs).
 *
 *     npx tsx bench/bundled.ts page-level.bench.ts [options of the bench]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const [bench, ...args] = process.argv.slice(2);
if (bench === undefined)
  throw new Error('name a bench, for example: npx tsx bench/bundled.ts page-level.bench.ts');
const here = fileURLToPath(new URL('.', import.meta.url));
// in the folder of the bench, so that packages are found
const folder = mkdtempSync(join(here, 'bundled-'));
try {
  const file = join(folder, 'bench.mjs');
  await build({
    input: join(here, bench),
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    plugins: [
      {
        name: 'keep-places',
        transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
      },
    ],
    logLevel: 'warn',
    output: { file, format: 'esm', codeSplitting: false },
  });
  process.exitCode = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
