import { expect, test } from 'vitest';
import { keyOf, Random } from '../research/generated-sites/random.ts';
import { countEqual, MinHash } from './minhash.ts';

/** Two sets with `shared` common elements. */
function twoSets(key: number, shared: number, ownA: number, ownB: number): [Uint32Array, Uint32Array] {
  const random = new Random(key);
  const all = Uint32Array.from({ length: shared + ownA + ownB }, () => random.next());
  const a = all.slice(0, shared + ownA);
  const b = new Uint32Array([...all.subarray(0, shared), ...all.subarray(shared + ownA)]);
  return [a, b];
}

function estimate(hasher: MinHash, a: Uint32Array, b: Uint32Array): number {
  const { permutations } = hasher;
  const signatures = new Uint32Array(permutations * 2);
  hasher.sign(a, a.length, signatures, 0);
  hasher.sign(b, b.length, signatures, permutations);
  return countEqual(signatures, 0, permutations, permutations) / permutations;
}

test.each([
  [1000, 0.6],
  [1000, 0.2],
  [1000, 0.9],
  [60, 0.6],
  [10, 0.5],
])(
  'sets of about %i elements with similarity %f are estimated without bias and within the usual error',
  (size, similarity) => {
    const shared = Math.round(size * similarity);
    const own = Math.round((size - shared) / 2);
    const truth = shared / (shared + 2 * own);
    const errors: number[] = [];
    for (let run = 0; run < 300; run++) {
      const [a, b] = twoSets(keyOf('sets', size, shared, run), shared, own, own);
      errors.push(estimate(new MinHash({ seed: run }), a, b) - truth);
    }
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length);
    const usual = Math.sqrt((truth * (1 - truth)) / 128);
    expect(Math.abs(mean)).toBeLessThan((4 * usual) / Math.sqrt(errors.length));
    expect(deviation).toBeLessThan(1.15 * usual);
  },
);

test('the signature depends on the set only, not on order or repetition', () => {
  const [a] = twoSets(7, 50, 0, 0);
  const hasher = new MinHash();
  const signatures = new Uint32Array(256);
  hasher.sign(a, a.length, signatures, 0);
  const repeated = new Uint32Array([...a, ...a]).reverse();
  hasher.sign(repeated, repeated.length, signatures, 128);
  expect(signatures.subarray(0, 128)).toEqual(signatures.subarray(128));
});

test('another seed gives another signature', () => {
  const [a] = twoSets(7, 50, 0, 0);
  const [one, two] = [1, 2].map((seed) => {
    const out = new Uint32Array(128);
    new MinHash({ seed }).sign(a, a.length, out);
    return out;
  });
  expect(one).not.toEqual(two);
});

test('empty sets are similar to each other and to no other set', () => {
  const hasher = new MinHash();
  const empty = new Uint32Array(0);
  expect(estimate(hasher, empty, empty)).toBe(1);
  expect(estimate(hasher, empty, Uint32Array.of(1))).toBe(0);
});

test('a single element fills every component', () => {
  const hasher = new MinHash({ permutations: 1024 });
  expect(estimate(hasher, Uint32Array.of(5), Uint32Array.of(5))).toBe(1);
  expect(estimate(hasher, Uint32Array.of(5), Uint32Array.of(6))).toBeLessThan(0.01);
});

test('a number of permutations out of range is refused by name', () => {
  expect(() => new MinHash({ permutations: 8 })).toThrow(
    'permutations must be a whole number from 16 to 1024',
  );
});
