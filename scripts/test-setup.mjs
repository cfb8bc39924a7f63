// What vitest calls before the first test: compiles the kernel, builds the page of the explorer and bundles the worker
// threads' code, each when its sources are newer. The workers of tests run the bundle: a loader of TypeScript costs each thread 1.5 s.
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildKernel } from './build-kernel.mjs';
import { buildUiIfNewer } from './build-ui.mjs';
import { bundle, dist, root, source } from './bundle.mjs';

const WORKERS = ['run/executors/worker', 'run/pages/answer-worker', 'explore/page-worker'];

export async function setup() {
  await buildKernel();
  await buildUiIfNewer();
  const newest = newestSource();
  const isBuilt = (file) => existsSync(file) && newest <= statSync(file).mtimeMs;
  if (WORKERS.every((worker) => isBuilt(join(dist, `${worker}.js`)))) return;
  for (const worker of WORKERS) await bundle(worker);
  const kernel = join(dist, 'kernel/kernel.wasm');
  mkdirSync(dirname(kernel), { recursive: true });
  copyFileSync(join(source, 'kernel/kernel.wasm'), kernel);
}

function newestSource() {
  const sources = readdirSync(source, { recursive: true })
    .filter((file) => /\.(?:ts|wasm)$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => join(source, file));
  sources.push(join(root, 'package-lock.json'), join(root, 'scripts/bundle.mjs'));
  return Math.max(...sources.map((file) => statSync(file).mtimeMs));
}
