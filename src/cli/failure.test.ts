import { expect, test } from 'vitest';
import { describeAddressLimit, describeFailure, isMemoryFailure } from './failure.ts';

test('an engine error for lack of memory is not a mistake of the caller', () => {
  for (const make of [() => new Uint8Array(2 ** 52), () => 'x'.repeat(2 ** 30).repeat(4)]) {
    let error: unknown;
    try {
      make();
    } catch (caught) {
      error = caught;
    }
    expect([error, isMemoryFailure(error)]).toEqual([expect.any(RangeError), true]);
  }
  expect(isMemoryFailure(new RangeError('WebAssembly.Memory(): could not allocate memory'))).toBe(true);
  expect(isMemoryFailure(new RangeError('workers must be a whole number from 0 to 1024, not 2000'))).toBe(
    false,
  );
});

test('a full disk is reported in one sentence', () => {
  const error = new Error('ENOSPC: no space left on device, write');
  expect(describeFailure(error)).toMatch(
    /^cannot write a file: no space left on device; temporary files are in /,
  );
});

test('a limit on the address space that is too low is reported', () => {
  const line = (soft: string) =>
    `Max file size  unlimited\nMax address space         ${soft}   unlimited  bytes\n`;
  expect(describeAddressLimit(line('3072000000'))).toMatch(/^the address space is limited to 3\.1 GB/);
  expect(describeAddressLimit(line('99999999999999'))).toBeUndefined();
  expect(describeAddressLimit(line('unlimited'))).toBeUndefined();
  expect(describeAddressLimit('')).toBeUndefined();
});
