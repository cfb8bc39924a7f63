// Builds the page of the explorer, src/explore/ui/, into src/explore/page/: three files, all code and styles inside. Tests
// and the build use it; nothing is fetched when the page runs.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, source } from './bundle.mjs';

const ui = join(source, 'explore/ui');
const page = join(source, 'explore/page');

/** Builds the page; gives the paths of all modules that are in it. */
export async function buildUi() {
  const { build } = await import('vite');
  const { output } = await build({
    root: ui,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    base: '/',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: page,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: { entryFileNames: 'page.js', assetFileNames: 'page.[ext]', codeSplitting: false },
      },
    },
  });
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/** Builds the page if one of its sources is newer. */
export async function buildUiIfNewer() {
  const built = join(page, 'index.html');
  if (!existsSync(built) || newestSource() > statSync(built).mtimeMs) await buildUi();
}

function newestSource() {
  const sources = readdirSync(ui, { recursive: true }).map((file) => join(ui, file));
  sources.push(join(root, 'package-lock.json'), fileURLToPath(import.meta.url));
  return Math.max(...sources.map((file) => statSync(file).mtimeMs));
}
