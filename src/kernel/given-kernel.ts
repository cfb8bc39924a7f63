/**
 * Replaces thread-kernel.ts in `chaff/core`, where no disk holds the kernel: the caller gives the compiled
 * module. The memory starts small, for runtimes that give a program 128 MB.
 */
import { Kernel } from './kernel.ts';

const INITIAL_BYTES = 32 * 1024 * 1024;
const START_ROOM = { pageBytes: 1024 * 1024, nodes: 100_000 };

let kernel: Kernel | undefined;

/** Makes the kernel from a compiled module; later calls have no effect. */
export function useKernel(module: WebAssembly.Module): void {
  kernel ??= new Kernel(module, INITIAL_BYTES, START_ROOM);
}

/** Returns the kernel; throws an error if it is not loaded. */
export function threadKernel(): Kernel {
  if (!kernel) throw new Error('chaff/core is not loaded: await load() first');
  return kernel;
}
