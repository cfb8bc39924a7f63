/**
 * The kernel of this thread, made on first use. The module is compiled once per process: a thread that starts
 * a worker passes it as `workerData.kernelModule`. This is the only global state of the library.
 */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { Kernel } from './kernel.ts';

let module: WebAssembly.Module | undefined;
let kernel: Kernel | undefined;

/** Returns the compiled module, for the `workerData` of a new worker thread. */
export function kernelModule(): WebAssembly.Module {
  module ??= workerData?.kernelModule ?? new WebAssembly.Module(readFileSync(kernelFile()));
  return module as WebAssembly.Module;
}

/** Returns the kernel of this thread. */
export function threadKernel(): Kernel {
  kernel ??= new Kernel(kernelModule());
  return kernel;
}

/** The file made by scripts/build-kernel.mjs, which is beside this module in `src/` and in `dist/`. */
function kernelFile(): URL {
  return new URL('./kernel.wasm', import.meta.url);
}
