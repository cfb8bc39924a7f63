import { expect, test } from 'vitest';
import { columnsOf } from '../../test/held-tree.ts';
import { Kernel } from '../kernel/kernel.ts';
import { kernelModule } from '../kernel/thread-kernel.ts';
import { heldBytes, holdTree, lend, PageArena } from './page-arena.ts';
import { Parser } from './parser.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const PAGE =
  '<title>é</title><my-box a=1><p>One <a href="/x">two</a><svg><g/></svg> three</my-box><!-- four -->';
const OTHER_PAGE = '<ul><li>another page<li>with more';

test('a held page has all columns of its tree after other pages were parsed', () => {
  const parser = new Parser();
  const expected = columnsOf(parser.parse(encode(PAGE)));
  const arena = new PageArena();
  const held = holdTree(parser.parse(encode(PAGE)), arena);
  parser.parse(encode(OTHER_PAGE));
  expect(columnsOf(held)).toEqual(expected);
  const again = holdTree(held, arena);
  arena.release();
  expect(() => again.kind[0]).toThrow('this tree is gone');
});

test('a tree whose page was replaced by another throws', () => {
  const tree = new Parser().parse(encode(PAGE));
  new Parser().parse(encode(OTHER_PAGE));
  expect(() => tree.kind[0]).toThrow('this tree is gone: another page was parsed in this thread');
  expect(() => tree.source.subarray(0, 1)).toThrow('this tree is gone');
  expect(tree.address).toBe(0);
  const columns = Object.entries(columnsOf(new Parser().parse(encode(PAGE)))).filter(([, column]) =>
    Array.isArray(column),
  );
  expect(columns.length).toBeGreaterThan(10);
  for (const [name] of columns)
    expect(() => Object(tree[name as keyof typeof tree])[0], name).toThrow('this tree is gone');
});

test('a held page takes at most as many bytes as heldBytes returns', () => {
  const tree = new Parser().parse(encode(PAGE));
  let bytes = 0;
  for (const column of Object.values(tree)) if (ArrayBuffer.isView(column)) bytes += column.byteLength;
  expect(heldBytes(tree)).toBeGreaterThanOrEqual(bytes);
  expect(heldBytes(tree)).toBeLessThanOrEqual(bytes + 800);
});

test('zeros follow the source and the text of a held page', () => {
  const parser = new Parser();
  parser.parse(encode(`${'x'.repeat(5000)}<p>${'y'.repeat(3000)}`));
  const arena = new PageArena();
  for (let size = 0; size < 40; size++) {
    const { source, text } = holdTree(parser.parse(encode('z'.repeat(size))), arena);
    for (const { buffer, byteOffset, length } of [source, text]) {
      expect(new Uint8Array(buffer, byteOffset + length, 64).every((byte) => byte === 0)).toBe(true);
    }
  }
  arena.release();
});

test('allocations do not overlap, whatever their sizes', () => {
  const arena = new PageArena(new Kernel(kernelModule(), 1 << 20));
  const sizes = [1, 7, 8, 100_003, 0, 900_000, 1_048_576, 1_048_577, 5_000_000, 3, 1_000_000, 999_999];
  const addresses = sizes.map((size) => arena.take(size));
  const { bytes } = arena.kernel;
  for (const [k, address] of addresses.entries()) bytes.fill(k + 1, address, address + sizes[k]);
  for (const [k, address] of addresses.entries()) {
    expect(address % 16).toBe(0);
    expect(bytes.subarray(address, address + sizes[k]).every((byte) => byte === k + 1)).toBe(true);
  }
});

test('released memory is used again', () => {
  const arena = new PageArena(new Kernel(kernelModule(), 1 << 20));
  const first = arena.take(1000);
  arena.reset();
  expect(arena.take(10)).toBe(first);
});

test('chunks beyond the need of a reset are released by half, and needed chunks are kept', () => {
  const kernel = new Kernel(kernelModule(), 1 << 20);
  const arena = new PageArena(kernel);
  const takePieces = (count: number) => Array.from({ length: count }, () => arena.take(1_000_000));
  const ordinary = takePieces(4);
  arena.reset();
  takePieces(64);
  const before = kernel.bytes.length;
  for (let i = 0; i < 5; i++) {
    arena.reset();
    expect(takePieces(4)).toEqual(ordinary);
  }
  // another arena takes the chunks that this one released
  const other = new PageArena(kernel);
  for (let i = 0; i < 56; i++) other.take(1_000_000);
  expect(kernel.bytes.length).toBe(before);
});

test('held pages stay readable when the memory grows', () => {
  const arena = new PageArena();
  const parser = new Parser();
  const expected = columnsOf(parser.parse(encode(PAGE)));
  const held = holdTree(parser.parse(encode(PAGE)), arena);
  const current = parser.parse(encode(PAGE));
  const { heap, bytes } = arena.kernel;
  const block = heap.take(bytes.length);
  expect(bytes.length).toBe(0);
  expect(columnsOf(held)).toEqual(expected);
  expect(columnsOf(current)).toEqual(expected);
  heap.release(block);
  arena.release();
});

test('a lent tree is copied only when another page needs its place, and stays readable until it is given back', () => {
  const parser = new Parser();
  const { heap } = new PageArena().kernel;
  const expected = columnsOf(parser.parse(encode(PAGE)));
  const usedBytes = heap.usedBytes;
  const lent = parser.parse(encode(PAGE));
  const giveBack = lend(lent);
  expect(heap.usedBytes).toBe(usedBytes);
  for (const page of [OTHER_PAGE, 'third']) parser.parse(encode(page));
  expect(columnsOf(lent)).toEqual(expected);
  giveBack();
  expect(() => lent.kind[0]).toThrow('this tree is gone');
  expect(heap.usedBytes).toBe(usedBytes);
});
