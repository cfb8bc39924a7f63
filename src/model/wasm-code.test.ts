import { expect, test } from 'vitest';
import { add, get, ifElse, instantiate, integer, isBelow, load, loopWhile, set, store } from './wasm-code.ts';

test('numbers of any size reach the code as they are', () => {
  const numbers = [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, 2 ** 31 - 1, -(2 ** 31)];
  const { memory, exports } = instantiate(
    [
      {
        name: 'write',
        parameters: 0,
        integers: 0,
        vectors: 0,
        body: numbers.flatMap((number, k) => store(integer(0), 4 * k, integer(number))),
      },
    ],
    4 * numbers.length,
  );
  exports.write();
  expect(Array.from(new Int32Array(memory, 0, numbers.length))).toEqual(numbers);
});

test('a loop runs while its condition holds, not at all when it never does', () => {
  // the sum of the numbers below the first parameter that are not below the second
  const { memory, exports } = instantiate(
    [
      {
        name: 'sum',
        parameters: 2,
        integers: 2,
        vectors: 0,
        body: [
          ...loopWhile(isBelow(get(2), get(0)), [
            ...ifElse(isBelow(get(2), get(1)), [], set(3, add(get(3), get(2)))),
            ...set(2, add(get(2), integer(1))),
          ]),
          ...store(integer(0), 200, add(load(integer(200)), get(3))),
        ],
      },
    ],
    70_000,
  );
  const total = new Int32Array(memory, 200, 1);
  exports.sum(6, 3);
  expect(total[0]).toBe(3 + 4 + 5);
  exports.sum(0, 0);
  expect(total[0]).toBe(3 + 4 + 5);
});
