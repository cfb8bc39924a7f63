/**
 * Takes the place of thread-kernel.ts in `chaff/core`, where there is no disk to read the kernel from: the kernel is
 * the one that was given. Its memory starts small, for runtimes that give a program 128 MB.
 */
import { Kernel } from './kernel.ts';

const INITIAL_BYTES = 32 * 1024 * 1024;
const START_ROOM = { pageBytes: 1024 * 1024, nodes: 100_000 };

let kernel: Kernel | undefined;

export function useKernel(module: WebAssembly.Module): void {
  kernel ??= new Kernel(module, INITIAL_BYTES, START_ROOM);
}

export function threadKernel(): Kernel {
  if (!kernel) throw new Error('chaff/core is not loaded: await load() first');
  return kernel;
}
