import { expect, test } from 'vitest';
import { decodeSignatures, SignaturePart } from './page-tasks.ts';

test('signatures read back as they were, wherever the bytes lie', () => {
  const part = new SignaturePart(3, 2, 16);
  for (const page of [7, 9]) {
    part.signatures[0].fill(page, part.next, part.next + 16);
    part.signatures[1].fill(page + 100, part.next, part.next + 16);
    part.commit(page);
  }
  part.signatures[0].fill(1, part.next, part.next + 16); // not committed: not kept
  const bytes = part.encode();
  const shifted = Buffer.concat([Buffer.of(0), bytes]).subarray(1);
  for (const form of [bytes, shifted]) {
    const { pages, permutations, signatures } = decodeSignatures(form);
    expect(Array.from(pages)).toEqual([7, 9]);
    expect(permutations).toBe(16);
    expect(signatures.map((column) => [column.length, column[0], column[31]])).toEqual([
      [32, 7, 9],
      [32, 107, 109],
    ]);
  }
});

test('a part that was cut is refused', () => {
  const part = new SignaturePart(1, 1, 16);
  part.commit(1);
  expect(() => decodeSignatures(part.encode().subarray(0, -4))).toThrow('damaged');
});
