import { expect, test } from 'vitest';
import { hashTwin } from '../../test/byte-hash-twin.ts';
import { Kernel } from './kernel.ts';
import { RESULTS_AT } from './layout.ts';
import { kernelModule, threadKernel } from './thread-kernel.ts';

test('a thread has one kernel', () => {
  expect(threadKernel()).toBe(threadKernel());
});

test('bytes hash as by the plain definition', () => {
  const { heap, bytes, results, functions } = threadKernel();
  const address = heap.take(100);
  for (let size = 0; size < 40; size++) {
    const sample = Uint8Array.from({ length: size }, (_, i) => (i * 37 + size) & 0xff);
    bytes.set(sample, address);
    functions.hashBytes(address, address + size);
    expect([results[0], results[1]]).toEqual(hashTwin(sample));
  }
  heap.release(address);
});

test('static data ends before the results', () => {
  expect(threadKernel().functions.staticEnd()).toBeLessThanOrEqual(RESULTS_AT);
});

test('blocks of the heap do not overlap, and released blocks merge', () => {
  const { heap } = new Kernel(kernelModule(), 1 << 20);
  const sizes = [1, 5000, 4096, 70_000, 3];
  const blocks = sizes.map((size) => ({ address: heap.take(size), size }));
  for (const a of blocks) {
    for (const b of blocks) {
      if (a !== b) expect(a.address + a.size <= b.address || b.address + b.size <= a.address).toBe(true);
    }
  }
  const first = Math.min(...blocks.map(({ address }) => address));
  for (const { address } of blocks) heap.release(address);
  expect(heap.take(500_000)).toBe(first);
});

test('a block that was not taken cannot be released', () => {
  const { heap } = new Kernel(kernelModule(), 1 << 20);
  expect(() => heap.release(4096)).toThrow('no block was taken at address 4096');
});

test('views are made again when the memory grows, and its bytes stay', () => {
  const kernel = new Kernel(kernelModule(), 1 << 20);
  let views = 0;
  const stop = kernel.onGrow(() => views++);
  const small = kernel.heap.take(10);
  kernel.bytes[small] = 7;
  const large = kernel.heap.take(4 << 20);
  expect(views).toBe(1);
  expect(kernel.bytes[small]).toBe(7);
  expect(kernel.bytes.length).toBeGreaterThanOrEqual(large + (4 << 20));
  stop();
  kernel.heap.take(8 << 20);
  expect(views).toBe(1);
});
