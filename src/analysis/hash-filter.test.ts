import { expect, test } from 'vitest';
import { mix32 } from './byte-hash.ts';
import { ALL_HASHES, HashFilter } from './hash-filter.ts';

test('holds what was added and, at 64 bits a hash, few others', () => {
  const filter = new HashFilter(16);
  for (let i = 0; i < 1024; i++) filter.add(mix32(i));
  for (let i = 0; i < 1024; i++) expect(filter.mayHold(mix32(i))).toBe(true);
  let others = 0;
  for (let i = 1024; i < 11_024; i++) if (filter.mayHold(mix32(i))) others++;
  expect(others).toBeLessThan(250);
});

test('the filter of all hashes lets everything through', () => {
  for (const low of [0, 1, -1, 0x7fffffff, -0x80000000]) expect(ALL_HASHES.mayHold(low)).toBe(true);
});
