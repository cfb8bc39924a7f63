/**
 * The kernel of this thread, made at first use. The module is compiled once per process: a thread that starts a worker
 * hands it over as `workerData.kernelModule`. This is the only global state of the library.
 */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Kernel } from './kernel.ts';

let module: WebAssembly.Module | undefined;
let kernel: Kernel | undefined;

/** The compiled module, for the `workerData` of a new worker thread. */
export function kernelModule(): WebAssembly.Module {
  module ??= workerData?.kernelModule ?? new WebAssembly.Module(readFileSync(kernelFile()));
  return module as WebAssembly.Module;
}

/** The kernel of this thread. */
export function threadKernel(): Kernel {
  kernel ??= new Kernel(kernelModule());
  return kernel;
}

/** Built by scripts/build-kernel.mjs beside this module, in `src/` and in `dist/` alike. */
function kernelFile(): URL {
  return new URL('./kernel.wasm', import.meta.url);
}
