import { expect, test } from 'vitest';
import { Kernel } from './kernel.ts';
import { PAGE_SOURCE, PAGE_SOURCE_BYTES } from './layout.ts';
import { kernelModule } from './thread-kernel.ts';
import { Workspace } from './workspace.ts';

const PAGE = '<p>inflated here';

/** Fills a workspace from a source in its own kernel's memory, which grows meanwhile. */
function fillGrowing(nodes: number, prepare?: (kernel: Kernel, workspace: Workspace) => void): string {
  const kernel = new Kernel(kernelModule(), 1 << 20);
  const workspace = new Workspace(kernel);
  prepare?.(kernel, workspace);
  const address = kernel.heap.take(100);
  kernel.bytes.set(Buffer.from(PAGE), address);
  const sizeBefore = kernel.bytes.length;
  workspace.fill(kernel.bytes.subarray(address, address + PAGE.length), nodes);
  expect(kernel.bytes.length).toBeGreaterThan(sizeBefore);
  const header = workspace.address >> 2;
  const start = kernel.words[header + PAGE_SOURCE];
  return Buffer.from(kernel.bytes.slice(start, start + kernel.words[header + PAGE_SOURCE_BYTES])).toString();
}

test("a source in the kernel's memory is kept when its page makes the memory grow", () => {
  expect(fillGrowing(4_000_000)).toBe(PAGE);
});

test("a source in the kernel's memory is kept when the page before it makes the memory grow", () => {
  const leave = (kernel: Kernel) => () => void kernel.heap.take(kernel.bytes.length);
  const text = fillGrowing(10, (kernel, workspace) => {
    workspace.occupant = { refresh() {}, leave: leave(kernel) };
  });
  expect(text).toBe(PAGE);
});
