import { expect, test } from 'vitest';
import { Kernel } from './kernel.ts';
import { PAGE_SOURCE, PAGE_SOURCE_BYTES } from './layout.ts';
import { kernelModule } from './thread-kernel.ts';
import { Workspace } from './workspace.ts';

test("a source in the kernel's memory is kept when its page makes the memory grow", () => {
  const kernel = new Kernel(kernelModule(), 1 << 20);
  const workspace = new Workspace(kernel);
  const address = kernel.heap.take(100);
  kernel.bytes.set(Buffer.from('<p>inflated here'), address);
  const sizeBefore = kernel.bytes.length;
  workspace.fill(kernel.bytes.subarray(address, address + 16), 4_000_000);
  expect(kernel.bytes.length).toBeGreaterThan(sizeBefore);
  const header = workspace.address >> 2;
  const start = kernel.words[header + PAGE_SOURCE];
  const end = start + kernel.words[header + PAGE_SOURCE_BYTES];
  expect(Buffer.from(kernel.bytes.slice(start, end)).toString()).toBe('<p>inflated here');
});
