import { expect, test } from 'vitest';
import { minimise } from './minimise.ts';

const small = async (text: string, fails: (text: string) => boolean, maxChecks?: number) => {
  const result = await minimise(Buffer.from(text), async (bytes) => fails(Buffer.from(bytes).toString()), {
    maxChecks,
  });
  return Buffer.from(result).toString();
};

test('irrelevant bytes are removed at any position', async () => {
  const text = `${'x'.repeat(500)}<b>${'y'.repeat(300)}</b>${'z'.repeat(700)}`;
  expect(await small(text, (part) => /<b>.*<\/b>/.test(part))).toBe('<b></b>');
});

test('bytes that are needed with any value become plain', async () => {
  expect(await small('?'.repeat(100), (text) => text.length >= 3)).toBe('aaa');
});

test('a case that also fails empty becomes empty', async () => {
  expect(await small('anything', () => true)).toBe('');
});

test('the number of checks is bounded, and the smallest case so far is returned', async () => {
  let checks = 0;
  const text = await small('?'.repeat(1000), (part) => ++checks > 0 && part.length >= 10, 20);
  expect(checks).toBe(20);
  expect(text.length).toBeLessThan(1000);
});
