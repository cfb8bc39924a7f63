import { expect, test } from 'vitest';
import { minimise } from './minimise.ts';

const small = async (text: string, fails: (text: string) => boolean, maxChecks?: number) => {
  const result = await minimise(Buffer.from(text), async (bytes) => fails(Buffer.from(bytes).toString()), {
    maxChecks,
  });
  return Buffer.from(result).toString();
};

test('what does not matter is removed, wherever it is', async () => {
  const text = `${'x'.repeat(500)}<b>${'y'.repeat(300)}</b>${'z'.repeat(700)}`;
  expect(await small(text, (part) => /<b>.*<\/b>/.test(part))).toBe('<b></b>');
});

test('bytes that must be there and may be others become plain', async () => {
  expect(await small('?'.repeat(100), (text) => text.length >= 3)).toBe('aaa');
});

test('a case that fails when it is empty becomes empty', async () => {
  expect(await small('anything', () => true)).toBe('');
});

test('the number of checks is bounded, and what was reached is kept', async () => {
  let checks = 0;
  const text = await small('?'.repeat(1000), (part) => ++checks > 0 && part.length >= 10, 20);
  expect(checks).toBe(20);
  expect(text.length).toBeLessThan(1000);
});
