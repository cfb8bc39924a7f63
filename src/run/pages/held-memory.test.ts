import { expect, test } from 'vitest';
import { HeldMemory } from './held-memory.ts';

test('pieces do not overlap, whatever their sizes, and any typed array may lie in them', () => {
  const memory = new HeldMemory();
  const sizes = [
    1, 7, 8, 100_003, 0, 900_000, 1_048_576, 1_048_577, 5_000_000, 3, 1_000_000, 1_000_000, 999_999,
  ];
  const pieces = sizes.map((size) => memory.take(size));
  for (const [k, piece] of pieces.entries()) piece.fill(k + 1);
  for (const [k, piece] of pieces.entries()) {
    expect(piece.length).toBe(sizes[k]);
    expect(piece.byteOffset % 8).toBe(0);
    expect(piece.every((byte) => byte === k + 1)).toBe(true);
  }
});

test('what was let go is given again', () => {
  const memory = new HeldMemory();
  const first = memory.take(1000);
  memory.letGo();
  expect(memory.take(10).buffer).toBe(first.buffer);
});

test('memory that only one time took is given back by and by, that which every time takes is not', () => {
  const memory = new HeldMemory();
  const blocksOf = (pieces: number) =>
    new Set(Array.from({ length: pieces }, () => memory.take(1_000_000).buffer));
  const ordinary = blocksOf(4);
  memory.letGo();
  const unusual = blocksOf(64);
  for (let i = 0; i < 5; i++) {
    memory.letGo();
    expect(blocksOf(4)).toEqual(ordinary);
  }
  memory.letGo();
  const again = blocksOf(64);
  expect(unusual.size).toBe(again.size);
  expect([...again].filter((block) => unusual.has(block))).toEqual([...ordinary]);
});
